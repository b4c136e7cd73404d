"""A store that is opened for a look-up: quickly, and after dead programs have been recovered."""

from __future__ import annotations

from pathlib import Path

import pytest

import mqsc
from mqsc.store.admin.event_search import EventSelection, events
from mqsc.store.admin.read_only_store import managers_of, opened_to_read
from mqsc.store.client.store import open_store
from mqsc.store.environment import Environment
from mqsc.store.error import StoreError
from tests.conftest import START
from tests.processes.programs import run_program

# Gets the message in a unit of work, and dies.
DYING = """
import os, sys, mqsc
connection = mqsc.open_store(sys.argv[1]).queue_manager().connect()
connection.open("Q", mqsc.MQOO.INPUT_SHARED).get(mqsc.GetMessageOptions(mqsc.MQGMO.SYNCPOINT))
os._exit(1)
"""
# Prints what is loaded after a look-up.
LOADED = """
import sys
from mqsc.main import run_to_exit_code
code = run_to_exit_code(["history", "Q", "--store", sys.argv[1]])
heavy = "mqsc.store.client.store", "mqsc.store.engine.delivery", "pyspark"
print(code, [name for name in heavy if name in sys.modules])
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "store.db"
    with open_store(f"sqlite:///{path}", Environment.frozen(START)) as store:
        qmgr = store.create_queue_manager("QM1", manual_clock_at=START)
        store.create_queue_manager("QM2")
        mqsc.run(qmgr, "DEFINE QLOCAL(Q)")
        with qmgr.connect() as connection:
            connection.put1("Q", mqsc.Message(b"data"))
    return path


def run(program: str, path: Path) -> str:
    ended = run_program(program, f"sqlite:///{path}")
    assert ended.stderr == ""
    return ended.stdout


def test_dead_programs_are_recovered_first(path: Path) -> None:
    run(DYING, path)
    with opened_to_read(str(path), Environment.frozen(START)) as store:
        found = events(store, EventSelection(kinds=frozenset({"GET", "RECOVER", "BACKOUT"})))
        assert [(each.kind, each.cause) for each in found] == [
            ("GET", None),
            ("RECOVER", None),
            ("BACKOUT", "abend"),
        ]


def test_little_is_loaded_and_clocks_are_known(path: Path) -> None:
    assert run(LOADED, path).splitlines()[-1] == "0 []"
    with opened_to_read(str(path), Environment.system()) as store:
        managers = managers_of(store)
    assert (managers.default, managers.now["QM1"]) == ("QM1", START)
    assert managers.now["QM2"] > START


def test_a_store_that_is_missing_or_none(tmp_path: Path) -> None:
    system = Environment.system()
    with (
        pytest.raises(StoreError, match="there is no store at"),
        opened_to_read(str(tmp_path / "none.db"), system),
    ):
        pass
    assert [*tmp_path.iterdir()] == []
    (tmp_path / "text.db").write_text("a text" * 1000)
    with pytest.raises(StoreError), opened_to_read(str(tmp_path / "text.db"), system):
        pass
