"""A trigger monitor on each of three members, and the program of one killed with the message (sharing S36)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mqsc import run
from store import Message, MessageDescriptor, open_store
from store.client.api import QueueManager
from store.constants import MQOO
from tests.mqsc.agents.scripts import wait_until
from tests.processes.programs import PATIENCE_SECONDS
from tests.source import ROOT
from tests.store.admin.looking import events, queue_row

MEMBERS = ("QM1", "QM2", "QM3")
# Gets the message if it is there. One that was never backed out is kept until the program is killed.
SERVER = """
import os, signal, sys
sys.path.insert(0, {root!r})
from store import GetMessageOptions, MQError, open_store
from store.constants import MQGMO, MQOO

def tell(what):
    with open({told!r}, "a") as told:
        told.write(" ".join((os.environ["MQSC_QMGR"], str(os.getpid()), what)) + "\\n")

with open_store(os.environ["MQSC_STORE"]).queue_manager(os.environ["MQSC_QMGR"]).connect("server") as connection:
    queue = connection.open("SQ", MQOO.INPUT_SHARED)
    try:
        message = queue.get(GetMessageOptions(MQGMO.SYNCPOINT | MQGMO.NO_WAIT))
    except MQError:
        tell("empty")
    else:
        tell("got " + str(message.descriptor.backout_count))
        if not message.descriptor.backout_count:
            signal.pause()
"""


@pytest.fixture
def members(tmp_path: Path) -> list[QueueManager]:
    """Three members whose SQ triggers the server program; it tells the file `told` what it did."""
    store = open_store(f"sqlite:///{tmp_path}/store.db")
    found = [store.create_queue_manager(name, group="QSG1") for name in MEMBERS]
    program = tmp_path / "serve.py"
    program.write_text(SERVER.format(root=str(ROOT), told=str(tmp_path / "told")))
    replies = run(
        found[0],
        "DEFINE CFSTRUCT(APPL1) CFLEVEL(5) RECOVER(YES)\n"
        "DEFINE QLOCAL(SQ) QSGDISP(SHARED) CFSTRUCT(APPL1) TRIGGER TRIGMPRI(5) PROCESS(P1) INITQ(INIT)\n"
        "DEFINE QLOCAL(INIT) CMDSCOPE(*)\n"
        f"DEFINE PROCESS(P1) APPLICID('{sys.executable} {program}') CMDSCOPE(*)",
    )
    assert [each.text for each in replies if each.completion] == []
    return found


@pytest.fixture
def monitors(members: list[QueueManager], tmp_path: Path) -> Iterator[None]:
    """A monitor on each member."""
    command = [sys.executable, "-m", "mqsc", "--quiet", "trigger", "run", "-q", "INIT", "--store"]
    url = f"sqlite:///{tmp_path}/store.db"
    with (tmp_path / "out").open("w") as out:
        started = [subprocess.Popen([*command, url, "-m", name], cwd=ROOT, stdout=out, stderr=out) for name in MEMBERS]
    wait_until(lambda: all(queue_row(each, "INIT").input_handles for each in members), "the monitors")
    yield
    for each in started:
        each.kill()
        each.wait(PATIENCE_SECONDS)


def made(qmgr: QueueManager, kind: str, cause: str) -> Counter[Any]:
    """How many events of a kind and cause each member has made."""
    found = events(qmgr.store, kind)
    return Counter(each.detail["member"] for each in found if each.cause == cause)


@pytest.mark.usefixtures("monitors")
def test_s36_every_member_triggers_when_the_program_of_one_is_killed(
    members: list[QueueManager], tmp_path: Path
) -> None:
    def told() -> list[list[str]]:
        path = tmp_path / "told"
        return [line.split() for line in path.read_text().splitlines()] if path.exists() else []

    with members[1].connect() as connection:
        connection.open("SQ", MQOO.OUTPUT).put(Message(b"m1", MessageDescriptor(priority=5)))
    # Every member starts a program, and one of them gets the message.
    wait_until(lambda: len(told()) == 3 and made(members[0], "PROGRAM", "ended").total() == 2, "three programs")
    assert sorted(line[0] for line in told()) == list(MEMBERS)
    [holder] = [line for line in told() if line[2:] == ["got", "0"]]
    assert made(members[0], "TRIGGER", "put") == dict.fromkeys(MEMBERS, 1)

    os.kill(int(holder[1]), signal.SIGKILL)
    # The monitors recover what it left: the message is back, and its close was the last one of the group.
    wait_until(lambda: len(told()) == 6, "three more programs")
    wait_until(lambda: made(members[0], "PROGRAM", "ended").total() == 6, "their ends")
    assert sorted(line[0] for line in told()[3:]) == list(MEMBERS)
    assert sorted(" ".join(line[2:]) for line in told()[3:]) == ["empty", "empty", "got 1"]
    assert made(members[0], "TRIGGER", "close") == dict.fromkeys(MEMBERS, 1)
    assert len(events(members[0].store, "TRIGGER")) == 6
    ends = [each.detail["exit_status"] for each in events(members[0].store, "PROGRAM") if each.cause == "ended"]
    assert ends.count(-signal.SIGKILL) == 1
