"""Adapters, which belong to the whole program, are left to a program that uses the store."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.source import ROOT

# A program with adapters of its own in the library that the store uses, registered before it is
# opened or afterwards.
_PROGRAM = """
import sys
import mqsc
from mqsc import MQGMO, MQOO, MQRC, GetMessageOptions, Message
from mqsc.store.admin.event_search import EventSelection
from mqsc.store.sql import search
from mqsc.store.sqlite.database import Reading
from mqsc.store.sqlite.driver import sqlite_library

library = sqlite_library()

def register():
    library.register_adapter(list, lambda value: "own list")
    library.register_adapter(bool, lambda value: "own bool")

if sys.argv[1] == "before":
    register()
with mqsc.open_store(f"sqlite:///{sys.argv[2]}") as store:
    qmgr = store.create_queue_manager("QM1")
    if sys.argv[1] == "after":
        register()
    mqsc.run(qmgr, '''
        DEFINE QLOCAL(INITQ)
        DEFINE PROCESS(P)
        DEFINE QLOCAL(Q) TRIGGER TRIGTYPE(EVERY) INITQ(INITQ) PROCESS(P)
    ''')
    with qmgr.connect() as connection:
        initiation = connection.open("INITQ", MQOO.INPUT_SHARED)
        queue = connection.open("Q", MQOO.OUTPUT | MQOO.INPUT_SHARED)
        queue.put(Message(b"tea"))
        assert queue.get().body == b"tea"
        try:
            queue.get(GetMessageOptions(options=MQGMO.WAIT, wait_interval=1))
        except mqsc.MQError as error:
            assert error.reason == MQRC.NO_MSG_AVAILABLE, error
    (reply,) = mqsc.run(qmgr, "DISPLAY QLOCAL(Q)")
    assert reply.rows[0]["QUEUE"] == "Q", reply
    with Reading(store.database) as reading:
        wanted = EventSelection(queue="Q", kinds=frozenset({"PUT"})).values()
        assert len(search.search(reading, 1, 1000, wanted, 10)) == 1
row = library.connect(":memory:").execute("SELECT ?, ?", ([], True)).fetchone()
assert row == ("own list", "own bool"), row
"""


@pytest.mark.parametrize("registered", ["before", "after"])
def test_a_program_s_own_adapters_stay_and_change_nothing_in_the_store(
    registered: str,
    tmp_path: Path,
) -> None:
    command = [sys.executable, "-c", _PROGRAM, registered, str(tmp_path / "own.db")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
