"""Reports while other programs write: every table shows the same moment, after dead programs were recovered."""

from __future__ import annotations

import csv
import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import bindparam, func, or_, select

from mqsc import run
from mqsc.main import run_to_exit_code
from store.client.api import Store
from store.published import PENDING
from store.sql.schema import event
from store.sqlite.database import Reading
from store.sqlite.statement import Statement
from tests.processes.programs import Program
from tests.source import ROOT

_COUNTS = Statement(
    select(event.c.kind, func.count())
    .where(event.c.seq <= bindparam("seq"), or_(event.c.expires_at.is_not(None), event.c.kind == "BACKOUT"))
    .group_by(event.c.kind)
)


@pytest.fixture
def written(store: Store, url: str) -> Iterator[Store]:
    """A store to which another program writes all the time."""
    qmgr = store.create_queue_manager("QM1")
    run(qmgr, "DEFINE QLOCAL(LIVELY) MAXDEPTH(999999999)\nDEFINE QLOCAL(SLOW) MAXDEPTH(999999999)")
    command = [sys.executable, "-m", "tests.processes.report_writer", url]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
        try:
            yield store
        finally:
            writer.kill()


def frozen(file: Path, columns: str) -> list[Any]:
    """Columns of the frozen messages."""
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute(f"SELECT {columns} FROM {PENDING.table} ORDER BY {PENDING.key}").fetchall()


def counts(store: Store, seq: int) -> tuple[int, int]:
    """How many messages that expire were put and not backed out, and how many expired, up to an event."""
    with Reading(store.database) as reading:
        found = dict(reading.all(_COUNTS, {"seq": seq}))
    return found["PUT"] - found["BACKOUT"], found["EXPIRE"]


def test_the_messages_and_the_last_event_are_of_one_moment(written: Store, tmp_path: Path) -> None:
    """A.5: what was put is expired or still there, at each of 60 moments between calls of another program."""
    for number in range(60):
        file = tmp_path / f"frozen-{number}"
        bound = written.freeze(file)
        put, expired = counts(written, bound.seq)
        # A message in a unit of work has a PUT event, and one BACKOUT event takes it back.
        messages = [id for id, expires_at in frozen(file, "id, expires_at") if expires_at]
        assert put == expired + len(messages), number
        assert all(id <= bound.message for id in messages)
    assert expired


@pytest.mark.long
@pytest.mark.usefixtures("spark")
def test_the_tables_of_a_run_agree_while_programs_write(written: Store, url: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    arguments = ["report", "expired-messages", "--store", url, "--out", str(out), "--quiet"]
    assert run_to_exit_code(arguments) == 0

    def table(name: str) -> list[dict[str, str]]:
        with (out / "expired-messages" / f"{name}.csv").open(newline="") as file:
            return list(csv.DictReader(file))

    expired, overdue = (sum(int(row["messages"]) for row in table(name)) for name in ("expired", "overdue"))
    assert expired == sum(int(row["messages"]) for row in table("expired_by_cause"))
    assert overdue == len(table("overdue_messages"))
    bound = json.loads((out / "manifest.json").read_text())["bound"]
    assert (expired + overdue, expired) == counts(written, bound["event"])
    assert expired
    assert overdue


def test_dead_programs_are_recovered_first(store: Store, url: str, tmp_path: Path) -> None:
    """A.5: the message that a killed program had got is on its queue again, and the history says so."""
    run(store.create_queue_manager("QM1"), "DEFINE QLOCAL(Q)")
    with Program(url) as program:
        program.run("put m\nget syncpoint => m")
        assert frozen_states(store, tmp_path / "before") == ["GOT"]
        before = store.bound().seq
        program.kill()
        assert frozen_states(store, tmp_path / "after") == ["AVAILABLE"]
    assert store.bound().seq > before


def frozen_states(store: Store, file: Path) -> list[str]:
    store.freeze(file)
    return [state for state, queue in frozen(file, "state, queue") if queue == "Q"]
