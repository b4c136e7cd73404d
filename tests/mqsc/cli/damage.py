"""Damages the file of a store in one of many ways, which a number chooses."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

PAGE = 4096
WORDS = (b"queue", b"CREATE TABLE", b"INTEGER", b"QLOCAL", b"message", b"{", b"QM1", b"RUNNING", b"INDEX")
VALUES = (None, b"\xff\xfe\x00", b"", "abc", "{", "\0", -1, 3.5)
Damage = Callable[[random.Random, bytearray], None]


def _page(chance: random.Random, data: bytearray) -> int:
    return chance.randrange(len(data) // PAGE) * PAGE


def _random_page(chance: random.Random, data: bytearray) -> None:
    at = _page(chance, data)
    data[at : at + PAGE] = chance.randbytes(PAGE)


def _empty_page(chance: random.Random, data: bytearray) -> None:
    at = _page(chance, data)
    data[at : at + PAGE] = bytes(PAGE)


def _wrong_page(chance: random.Random, data: bytearray) -> None:
    at, other = _page(chance, data), _page(chance, data)
    data[at : at + PAGE] = data[other : other + PAGE]


def _wrong_page_type(chance: random.Random, data: bytearray) -> None:
    at = _page(chance, data)
    data[at or 100] = chance.choice((0, 2, 5, 10, 13, 255))


def _cells(chance: random.Random, data: bytearray) -> None:
    at = _page(chance, data)
    for _ in range(chance.choice((1, 4))):
        data[at + chance.randrange(64)] = chance.randrange(256)


def _bytes(chance: random.Random, data: bytearray) -> None:
    for _ in range(chance.choice((1, 5, 50, 500))):
        data[chance.randrange(len(data))] = chance.randrange(256)


def _header(chance: random.Random, data: bytearray) -> None:
    for _ in range(chance.choice((1, 3))):
        data[chance.randrange(100)] = chance.randrange(256)


def _truncated(chance: random.Random, data: bytearray) -> None:
    del data[chance.choice((chance.randrange(len(data)), _page(chance, data), 1, 16, 100, 512)) :]


def _text(chance: random.Random, data: bytearray) -> None:
    word = chance.choice(WORDS)
    at = max(data.find(word, chance.randrange(len(data))), data.find(word))
    data[at : at + len(word)] = chance.randbytes(len(word))


IN_BYTES: tuple[Damage, ...] = (
    _random_page,
    _empty_page,
    _wrong_page,
    _wrong_page_type,
    _cells,
    _bytes,
    _header,
    _truncated,
    _text,
)


def _alter(chance: random.Random, database: sqlite3.Connection) -> None:
    """Change the schema or values as the sqlite3 shell can; what SQLite itself refuses is left as it was."""
    pages = database.execute("PRAGMA page_count").fetchone()[0]
    database.execute("PRAGMA writable_schema = ON")
    tables = database.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
    table = chance.choice([row[0] for row in tables])
    column = chance.choice([row[1] for row in database.execute(f"PRAGMA table_info({table})")])
    name = chance.choice([row[0] for row in database.execute("SELECT name FROM sqlite_master")])
    word, other = chance.choice(("INTEGER", "TEXT", "NOT NULL", "queue", "(")), chance.choice(("", "BLOB", "xx"))
    root = chance.choice((0, 1, 2, chance.randrange(pages), 99999))
    value = chance.choice(VALUES)
    statement, parameters = chance.choice(
        (
            ("DELETE FROM sqlite_master WHERE name = ?", (name,)),
            ("UPDATE sqlite_master SET sql = replace(sql, ?, ?) WHERE name = ?", (word, other, name)),
            ("UPDATE sqlite_master SET rootpage = ? WHERE name = ?", (root, name)),
            (f"ALTER TABLE {table} RENAME TO other", ()),
            (f'ALTER TABLE {table} RENAME COLUMN "{column}" TO other', ()),
            (f'ALTER TABLE {table} DROP COLUMN "{column}"', ()),
            (f"DROP TABLE {table}", ()),
            ("DROP VIEW published_message", ()),
            ("CREATE TABLE other (a)", ()),
            (f"CREATE TRIGGER other AFTER INSERT ON {table} BEGIN DELETE FROM message; END", ()),
            (f'UPDATE OR IGNORE {table} SET "{column}" = ?', (value,)),
            (f"PRAGMA user_version = {chance.choice((-1, 0, 1, 2, 4, 99))}", ()),
            ("PRAGMA application_id = 0", ()),
        )
    )
    with suppress(sqlite3.Error):
        database.execute(statement, parameters)


def damage(number: int, store: Path, log: bytes) -> None:
    """Damage the file at `store`; `log` is the log of a store like it, to be damaged instead of the file."""
    chance = random.Random(number)
    kind = number % (len(IN_BYTES) + 4)
    if kind < len(IN_BYTES):
        data = bytearray(store.read_bytes())
        IN_BYTES[kind](chance, data)
        store.write_bytes(data)
    elif kind == len(IN_BYTES):
        data = bytearray(log)
        chance.choice((_bytes, _truncated, _header))(chance, data)
        Path(f"{store}-wal").write_bytes(data)
    else:
        with closing(sqlite3.connect(store, isolation_level=None)) as database:
            _alter(chance, database)
