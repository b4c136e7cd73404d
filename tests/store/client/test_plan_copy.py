"""The copy on which a plan tries out commands: what it contains and returns, and that it never
changes the store.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mqsc.store.admin.altering import change
from mqsc.store.admin.clearing import clear
from mqsc.store.admin.defining import create
from mqsc.store.admin.deleting import delete
from mqsc.store.catalog import KINDS
from mqsc.store.client.plan_copy import (
    DefinitionChange,
    changes_since,
    depth,
    last_change,
    remove,
    tried_out,
)
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQOO, MQPMO, MQRC
from mqsc.store.error import MQError
from mqsc.store.message import Message, PutMessageOptions
from tests.store.admin.looking import history, shown

QLOCAL = KINDS["QLOCAL"]

# Another program: opens the queue, leaves an uncommitted message, and kills itself.
KILLED = """
import os, sys
from mqsc.store import Message, PutMessageOptions, open_store
from mqsc.store.constants import MQOO, MQPMO
connection = open_store(sys.argv[1]).queue_manager("QM1").connect()
handle = connection.open("Q", MQOO.OUTPUT)
handle.put(Message(b"x"), PutMessageOptions(MQPMO.SYNCPOINT))
os.kill(os.getpid(), 9)
"""


def test_what_commands_do_is_told_and_the_store_is_left_alone(qmgr: QueueManager) -> None:
    create(qmgr, QLOCAL, "A", {"MAXDEPTH": 5})
    create(qmgr, QLOCAL, "GONE", {})
    before = history(qmgr.store, "A")
    with tried_out(qmgr) as copy:
        mark = last_change(copy)
        create(copy, QLOCAL, "B", {"MAXDEPTH": 7})
        change(copy, QLOCAL, "A", {"MAXDEPTH": 9})
        create(copy, QLOCAL, "A", {"DESCR": "x"}, replace=True)
        change(copy, QLOCAL, "A", {"MAXDEPTH": 5000})
        delete(copy, QLOCAL, "GONE")
        told = changes_since(copy, mark)
    altered: Any = ({"MAXDEPTH": [5, 9]}, {"DESCR": ["", "x"], "MAXDEPTH": [9, 5000]}, {})
    assert told == [
        DefinitionChange("DEFINE", "QLOCAL", "B", {"MAXDEPTH": [None, 7]}),
        *(DefinitionChange("ALTER", "QLOCAL", "A", values) for values in altered),
        DefinitionChange("DELETE", "QLOCAL", "GONE", {}),
    ]
    assert shown(qmgr, "QLOCAL", "A")["MAXDEPTH"] == 5
    assert history(qmgr.store, "A") == before


def test_depths_handles_and_open_units_stand_in_the_way_as_they_do(qmgr: QueueManager) -> None:
    for name in ("FULL", "OPEN", "UNIT"):
        create(qmgr, QLOCAL, name, {})
    with qmgr.connect() as connection:
        connection.put1("FULL", Message(b"x"))
        handle = connection.open("OPEN", MQOO.INPUT_SHARED)
        connection.put1("UNIT", Message(b"x" * 100), PutMessageOptions(MQPMO.SYNCPOINT))
        with tried_out(qmgr) as copy:
            assert depth(copy, "FULL") == 1
            for name, reason in (
                ("FULL", MQRC.Q_NOT_EMPTY),
                ("OPEN", MQRC.OBJECT_IN_USE),
                ("UNIT", MQRC.Q_NOT_EMPTY),
            ):
                with pytest.raises(MQError) as raised:
                    delete(copy, QLOCAL, name)
                assert raised.value.reason == reason
            clear(copy, "FULL")
            remove(copy, "FULL", 2)
            delete(copy, QLOCAL, "FULL")
        handle.close()
        connection.back()
    assert depth(qmgr, "FULL") == 1
    assert depth(qmgr, "NONE") == 0


def test_what_a_dead_process_holds_is_in_nobody_s_way(qmgr: QueueManager, tmp_path: Path) -> None:
    create(qmgr, QLOCAL, "Q", {})
    ran = subprocess.run(
        [sys.executable, "-c", KILLED, f"sqlite:///{qmgr.store.path}"],
        check=False,
    )
    assert ran.returncode == -9
    with tried_out(qmgr) as copy:
        delete(copy, QLOCAL, "Q")
    # The store itself still is as the dead process left it.
    assert depth(qmgr, "Q") == 1


def test_a_thousand_objects_are_all_there(qmgr: QueueManager) -> None:
    with qmgr.store.database.one_transaction():
        for number in range(1000):
            create(qmgr, QLOCAL, f"Q{number}", {})
    with tried_out(qmgr) as copy:
        mark = last_change(copy)
        for number in range(1000):
            create(copy, QLOCAL, f"Q{number}", {}, replace=True)
        assert {change.values == {} for change in changes_since(copy, mark)} == {True}


def test_a_unit_in_doubt_is_in_the_copy(qmgr: QueueManager) -> None:
    create(qmgr, QLOCAL, "Q", {})
    with qmgr.connect() as connection:
        connection.put1("Q", Message(b"x"), PutMessageOptions(MQPMO.SYNCPOINT))
        connection.prepare("TO.QM2", "7")
    with tried_out(qmgr) as copy:
        assert copy.in_doubt() == qmgr.in_doubt()
        with pytest.raises(MQError) as refused:
            clear(copy, "Q")
        assert refused.value.reason == MQRC.Q_NOT_EMPTY
        copy.resolve("TO.QM2", "7", commit=True)
    assert len(qmgr.in_doubt()) == 1
