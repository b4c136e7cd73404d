"""Triggering across processes: servers that are killed, and monitors that are stopped, killed or
undisturbed.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from functools import partial
from signal import SIGINT, SIGKILL, SIGTERM, pause
from typing import Any

import pytest

from mqsc import run
from mqsc.store import GetMessageOptions, Message, MessageDescriptor
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.constants import MQGMO, MQOO
from tests.mqsc.agents.scripts import TELL, WAIT, Scripts, wait_until
from tests.processes.conftest import Start
from tests.processes.programs import Program, connected
from tests.rows import rows
from tests.scenarios.trigger_play import TriggerPlay
from tests.source import ROOT
from tests.store.admin.looking import events, queue_row

OBJECTS = """
    DEFINE QLOCAL(INIT1)
    DEFINE QLOCAL(DLQ)
    ALTER QMGR DEADQ(DLQ)
    DEFINE PROCESS(P1)
    DEFINE QLOCAL(APPQ) TRIGGER TRIGTYPE(FIRST) PROCESS(P1) INITQ(INIT1)
"""


def get_and_keep(url: str) -> None:
    """Get a message in a unit of work, and wait to be killed with it."""
    queue = connected(url).open("APPQ", MQOO.INPUT_SHARED)
    queue.get(GetMessageOptions(MQGMO.SYNCPOINT | MQGMO.NO_WAIT))
    print("got")
    pause()


def test_t41_a_server_is_killed_with_an_uncommitted_get(qmgr: QueueManager, start: Start) -> None:
    play = TriggerPlay(qmgr)
    play.run("put m1 on APPQ persistence=1\nnew INIT1 => APPQ")
    server = start(get_and_keep)
    assert server.line() == "got"
    play.run("on APPQ => nothing\nput m2 on APPQ\nnew INIT1 => nothing")
    server.kill()
    play.run("""
        DISPLAY QLOCAL(APPQ) IPPROCS => IPPROCS=0
        new INIT1 => APPQ
        TRIGGER => put/APPQ/0 close/APPQ/0
        get from APPQ browse-first => m1 bc=1
    """)


@pytest.fixture
def monitor(command: Start) -> Start:
    return partial(command, "trigger", "run", "-q", "INIT1")


def finished(monitor: Program) -> tuple[int, list[str], str]:
    """Wait for the end; return the exit code, the output without times, and stderr."""
    code, out, err = monitor.rest()
    return code, [line.split(" ", 1)[1] for line in out.splitlines()], err


def until_attended(qmgr: QueueManager, programs: int = 1) -> None:
    """Wait until so many programs have the initiation queue open for input."""
    wait_until(lambda: queue_row(qmgr, "INIT1").input_handles == programs)


def asked_to_start(play: TriggerPlay, appl_id: str, env_data: str = "") -> None:
    said = appl_id.replace("'", "''")
    play.run(f"ALTER PROCESS(P1) APPLICID('{said}') ENVRDATA('{env_data}')")


@pytest.mark.parametrize("number", [SIGTERM, SIGINT])
@pytest.mark.parametrize("words", ["trigger run", "runmqtrm"])
def test_a_waiting_monitor_is_told_to_stop(
    qmgr: QueueManager,
    command: Start,
    number: int,
    words: str,
) -> None:
    play = TriggerPlay(qmgr, OBJECTS)
    waiting = command(*words.split(), "-q", "INIT1")
    until_attended(qmgr)
    waiting.signal(number)
    assert (finished(waiting), queue_row(qmgr, "INIT1").input_handles) == ((0, [], ""), 0)
    play.run("put m1 on APPQ\nnew INIT1 => nothing")


def test_a_monitor_works_until_it_is_told_to_stop(
    qmgr: QueueManager,
    monitor: Start,
    scripts: Scripts,
) -> None:
    play = TriggerPlay(qmgr, OBJECTS)
    asked_to_start(play, scripts.make("serve.py", TELL))
    play.run("ALTER QLOCAL(APPQ) TRIGTYPE(EVERY)")
    working = monitor("--safe")
    until_attended(qmgr)
    for name in ("m1", "m2", "m3"):
        play.run(f"put {name} on APPQ")
    wait_until(lambda: ended(play) == 3)
    working.signal(SIGTERM)
    code, lines, said = finished(working)
    assert ((code, said), [line.split(" ")[1] for line in lines]) == (
        (0, ""),
        ["started", "process"] * 3,
    )
    assert len(scripts.told) == 3
    play.run("depth INIT1 => 0\ndepth DLQ => 0")


def ended(play: TriggerPlay) -> int:
    return sum(row[1] == "ended" for row in play.events("PROGRAM"))


def test_a_monitor_leaves_a_program_running(
    qmgr: QueueManager,
    monitor: Start,
    scripts: Scripts,
) -> None:
    play = TriggerPlay(qmgr, OBJECTS)
    asked_to_start(play, scripts.make("wait.py", TELL + WAIT))
    working = monitor()
    until_attended(qmgr)
    play.run("put m1 on APPQ")
    wait_until(lambda: scripts.told)
    working.signal(SIGTERM)
    code, lines, said = finished(working)
    assert (code, len(lines)) == (0, 1)
    number = json.loads(play.new_events("PROGRAM")[0][5])["process_id"]
    assert said == f"mqsc: process {number} is still running; its end will not be recorded\n"
    os.kill(number, 0)
    play.run("depth INIT1 => 0")


@rows("--wait 100", "--once")
def test_a_monitor_ends_by_itself(
    qmgr: QueueManager,
    monitor: Start,
    scripts: Scripts,
    options: str,
) -> None:
    play = TriggerPlay(qmgr, OBJECTS)
    asked_to_start(play, scripts.make("serve.py", TELL), "&")
    play.run("put m1 on APPQ")
    code, lines, said = finished(monitor(*options.split()))
    assert (code, len(lines), said, len(scripts.told)) == (0, 2, "", 1)
    play.run("TRIGGER => monitor-opened/APPQ/0")


@rows(False, True)
def test_a_monitor_ends_with_its_queue_manager(
    qmgr: QueueManager,
    monitor: Start,
    immediate: bool,
) -> None:
    TriggerPlay(qmgr, OBJECTS)
    waiting = monitor()
    until_attended(qmgr)
    qmgr.end(immediate=immediate)
    assert (finished(waiting), qmgr.row().state) == ((0, [], "mqsc: QM1 has ended\n"), "ENDED")


def test_two_monitors(qmgr: QueueManager, monitor: Start, scripts: Scripts) -> None:
    play = TriggerPlay(qmgr, OBJECTS)
    asked_to_start(play, scripts.make("serve.py", TELL))
    play.run("ALTER QLOCAL(APPQ) TRIGTYPE(EVERY)")
    both = monitor(), monitor()
    until_attended(qmgr, 2)
    play.run("put m*12 on APPQ")
    wait_until(lambda: ended(play) == 12)
    for each in both:
        each.signal(SIGTERM)
    (one, lines, _), (two, others, _) = map(finished, both)
    assert (one, two, len(lines) + len(others), len(scripts.told)) == (0, 0, 24, 12)
    play.run("depth INIT1 => 0")


def test_a_monitor_that_is_killed_has_nothing_open(qmgr: QueueManager, monitor: Start) -> None:
    play = TriggerPlay(qmgr, OBJECTS)
    waiting = monitor()
    until_attended(qmgr)
    waiting.kill()
    play.run("DISPLAY QLOCAL(INIT1) IPPROCS => IPPROCS=0\nput m1 on APPQ\ndepth INIT1 => 0")


MEMBERS = ("QM1", "QM2", "QM3")
# Gets the message if it is there. One that was never backed out is kept until the program is
# killed.
SERVER = """
import os, signal, sys
sys.path.insert(0, {root!r})
from mqsc.store import GetMessageOptions, MQError, open_store
from mqsc.store.constants import MQGMO, MQOO

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
OBJECTS_OF_GROUP = """
DEFINE CFSTRUCT(APPL1) CFLEVEL(5) RECOVER(YES)
DEFINE QLOCAL(SQ) QSGDISP(SHARED) CFSTRUCT(APPL1) TRIGGER TRIGMPRI(5) PROCESS(P1) INITQ(INIT1)
DEFINE QLOCAL(INIT1) CMDSCOPE(*)
DEFINE PROCESS(P1) APPLICID('{}') CMDSCOPE(*)
"""


def made(store: Store, kind: str, cause: str) -> Counter[Any]:
    """How many events of a kind and cause each member has made."""
    return Counter(each.detail["member"] for each in events(store, kind) if each.cause == cause)


def test_s36_every_member_triggers_when_a_program_is_killed(
    store: Store,
    command: Start,
    scripts: Scripts,
) -> None:
    """A trigger monitor on each of three members, and the program of one is killed with the
    message.
    """
    members = [store.create_queue_manager(name, group="QSG1") for name in MEMBERS]
    server = scripts.make("serve.py", SERVER.replace("{root!r}", repr(str(ROOT))))
    replies = run(members[0], OBJECTS_OF_GROUP.format(server))
    assert [each.text for each in replies if each.completion] == []
    for name in MEMBERS:
        command("--quiet", "trigger", "run", "-q", "INIT1", MQSC_QMGR=name)
    for each in members:
        until_attended(each)

    def told() -> list[list[str]]:
        path = scripts.folder / "told"
        return [line.split() for line in path.read_text().splitlines()] if path.exists() else []

    with members[1].connect() as connection:
        connection.open("SQ", MQOO.OUTPUT).put(Message(b"m1", MessageDescriptor(priority=5)))
    # Every member starts a program, and one of them gets the message.
    wait_until(
        lambda: len(told()) == 3 and made(store, "PROGRAM", "ended").total() == 2,
        "three programs",
    )
    assert sorted(line[0] for line in told()) == list(MEMBERS)
    [holder] = [line for line in told() if line[2:] == ["got", "0"]]
    assert made(store, "TRIGGER", "put") == dict.fromkeys(MEMBERS, 1)

    os.kill(int(holder[1]), SIGKILL)
    # The monitors recover what it left: the message is back, and its close was the last one of the
    # group.
    wait_until(lambda: len(told()) == 6, "three more programs")
    wait_until(lambda: made(store, "PROGRAM", "ended").total() == 6, "their ends")
    assert sorted(line[0] for line in told()[3:]) == list(MEMBERS)
    assert sorted(" ".join(line[2:]) for line in told()[3:]) == ["empty", "empty", "got 1"]
    assert made(store, "TRIGGER", "close") == dict.fromkeys(MEMBERS, 1)
    assert len(events(store, "TRIGGER")) == 6
    ends = [
        each.detail["exit_status"] for each in events(store, "PROGRAM") if each.cause == "ended"
    ]
    assert ends.count(-SIGKILL) == 1
