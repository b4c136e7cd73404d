"""Damages the file of a store in one of many ways, which a number chooses."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

PAGE = 4096
WORDS = (
    b"queue",
    b"CREATE TABLE",
    b"INTEGER",
    b"QLOCAL",
    b"message",
    b"{",
    b"QM1",
    b"RUNNING",
    b"INDEX",
)
VALUES = (None, b"\xff\xfe\x00", b"", "abc", "{", "\0", -1, 3.5)
IN_BYTES = (
    "random page,empty page,wrong page,wrong page type,cells,bytes,header,truncated,text".split(",")
)


def _in_bytes(kind: int, chance: random.Random, data: bytearray) -> None:
    """Overwrite a page or part of one, bytes anywhere, a word of a text; or truncate the file."""
    at, other = (chance.randrange(max(len(data) // PAGE, 1)) * PAGE for _ in range(2))
    match IN_BYTES[kind]:
        case "random page":
            data[at : at + PAGE] = chance.randbytes(PAGE)
        case "empty page":
            data[at : at + PAGE] = bytes(PAGE)
        case "wrong page":
            data[at : at + PAGE] = data[other : other + PAGE]
        case "wrong page type":
            data[at or 100] = chance.choice((0, 2, 5, 10, 13, 255))
        case "cells":
            for _ in range(chance.choice((1, 4))):
                data[at + chance.randrange(64)] = chance.randrange(256)
        case "bytes":
            for _ in range(chance.choice((1, 5, 50, 500))):
                data[chance.randrange(len(data))] = chance.randrange(256)
        case "header":
            for _ in range(chance.choice((1, 3))):
                data[chance.randrange(100)] = chance.randrange(256)
        case "truncated":
            del data[chance.choice((chance.randrange(len(data)), at, 1, 16, 100, 512)) :]
        case "text":
            word = chance.choice(WORDS)
            found = max(data.find(word, chance.randrange(len(data))), data.find(word))
            data[found : found + len(word)] = chance.randbytes(len(word))


def _alter(chance: random.Random, database: sqlite3.Connection) -> None:
    """Change the schema or values as the sqlite3 shell can; what SQLite itself refuses is left
    as it was.
    """
    pages = database.execute("PRAGMA page_count").fetchone()[0]
    database.execute("PRAGMA writable_schema = ON")
    tables = database.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'",
    )
    table = chance.choice([row[0] for row in tables])
    column = chance.choice([row[1] for row in database.execute(f"PRAGMA table_info({table})")])
    name = chance.choice([row[0] for row in database.execute("SELECT name FROM sqlite_master")])
    word, other = (
        chance.choice(("INTEGER", "TEXT", "NOT NULL", "queue", "(")),
        chance.choice(("", "BLOB", "xx")),
    )
    root = chance.choice((0, 1, 2, chance.randrange(pages), 99999))
    value = chance.choice(VALUES)
    statement, parameters = chance.choice(
        (
            ("DELETE FROM sqlite_master WHERE name = ?", (name,)),
            (
                "UPDATE sqlite_master SET sql = replace(sql, ?, ?) WHERE name = ?",
                (word, other, name),
            ),
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
        ),
    )
    with suppress(sqlite3.Error):
        database.execute(statement, parameters)


def damage(number: int, store: Path, log: bytes) -> None:
    """Damage the file at `store`; `log` is the log of a store like it, to be damaged instead of
    the file.
    """
    chance = random.Random(number)
    kind = number % (len(IN_BYTES) + 4)
    if kind < len(IN_BYTES):
        data = bytearray(store.read_bytes())
        _in_bytes(kind, chance, data)
        store.write_bytes(data)
    elif kind == len(IN_BYTES):
        data = bytearray(log)
        _in_bytes(IN_BYTES.index(chance.choice(("bytes", "truncated", "header"))), chance, data)
        Path(f"{store}-wal").write_bytes(data)
    else:
        with closing(sqlite3.connect(store, isolation_level=None)) as database:
            _alter(chance, database)
