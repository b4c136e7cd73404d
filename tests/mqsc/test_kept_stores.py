"""Stores that earlier versions wrote are upgraded when they are opened, and answer as before.

`kept_stores` has one for each number of the schema that was in use, with what the program of its
time said about it.
"""

from __future__ import annotations

import json
import lzma
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from mqsc.store.sql.rows import SCHEMA_VERSION
from tests.mqsc.conftest import Command

FOLDER = Path(__file__).parent / "kept_stores"
KEPT = sorted(path.name.removesuffix(".sql.xz") for path in FOLDER.glob("*.sql.xz"))


def text_of(name: str) -> str:
    return lzma.decompress((FOLDER / name).read_bytes()).decode("utf-8")


@pytest.fixture(params=KEPT)
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The store of a version at tmp_path/store.db; the value is its name."""
    name: str = request.param
    with closing(sqlite3.connect(tmp_path / "store.db")) as database:
        database.executescript(text_of(f"{name}.sql.xz"))
    # Programs used it: a file that none has used is a backup, which is not upgraded to be read.
    (tmp_path / "store.db.processes").mkdir()
    return name


def test_the_present_schema_has_a_kept_store() -> None:
    """A version that changes the schema adds its own, so that the next one can be tried on it."""
    assert f"schema-{SCHEMA_VERSION}" in KEPT


def test_an_earlier_store_answers_as_its_own_version_did(kept: str, mqsc: Command) -> None:
    answers = json.loads(text_of(f"{kept}.answers.xz"))
    assert len(answers) > 50
    for each in answers:
        now = mqsc(*each["command"]).rows
        assert list(differences(each["answer"], now)) == [], each["command"]


def test_an_earlier_store_is_whole_after_its_upgrade(kept: str, mqsc: Command) -> None:
    assert mqsc("qmgr", "list").code == 0
    with closing(sqlite3.connect("store.db")) as database:
        assert database.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
    found = mqsc("doctor", "--format", "json").rows
    assert [row for row in found if row["severity"] == "error"] == []
    reconciled = mqsc("reconcile", "-m", "QM1")
    assert reconciled.code == 0, reconciled.out


def test_a_backup_of_an_earlier_version_is_checked_and_copied_as_it_is(
    kept: str, mqsc: Command
) -> None:
    Path("store.db.processes").rmdir()
    before = Path("store.db").read_bytes()
    checked = mqsc("doctor", "--format", "json").rows
    assert [row for row in checked if row["severity"] == "error"] == []
    assert f"schema {kept.removeprefix('schema-')}," in checked[0]["finding"]
    assert mqsc("backup", "copy.db").code == 0
    assert Path("store.db").read_bytes() == before
    assert dump("copy.db") == dump("store.db")


def dump(file: str) -> list[str]:
    with closing(sqlite3.connect(file)) as database:
        return [str(database.execute("PRAGMA user_version").fetchone()), *database.iterdump()]


def test_work_goes_on_in_an_earlier_store(kept: str, mqsc: Command) -> None:
    """The batch in doubt is resolved without a loss or a duplicate, and expired messages go."""
    sent = mqsc("channel", "run", "-m", "QM1", "TO.QM2", "--until-empty")
    assert sent.code == 0, sent.err
    arrived = mqsc("browse", "-m", "QM2", "THERE", "--format", "json").rows
    assert [row["body"]["text"] for row in arrived] == [*["for there"] * 3, *["in doubt"] * 2]
    refreshed = mqsc("run", "-m", "QM1", "-c", "REFRESH QMGR TYPE(EXPIRY)")
    assert refreshed.code == 0
    assert mqsc("browse", "-m", "QM1", "CAPPED").out == ""
    assert mqsc("get", "-m", "QM1", "A").code == 0


# From version 10 of the schema on, a subscription for which no CorrelId was given has one.
MADE_LATER = "DESTCORL"


def differences(before: Any, now: Any, place: str = "") -> Iterator[str]:
    """What was answered and is answered otherwise now. More attributes may be answered, and letters
    of hexadecimal digits were upper case once.
    """
    if isinstance(before, dict) and isinstance(now, dict):
        for key, value in before.items():
            if key == MADE_LATER and not value:
                continue
            yield from differences(value, now.get(key), f"{place}.{key}")
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for number, (earlier, later) in enumerate(zip(before, now, strict=True)):
            yield from differences(earlier, later, f"{place}[{number}]")
    elif str(before).casefold() != str(now).casefold():
        yield f"{place}: {before!r} is {now!r} now"
