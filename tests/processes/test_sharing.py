"""Members of a queue-sharing group in processes of their own, which are killed (sharing §6, S27,
S44, E27).
"""

from __future__ import annotations

import os
import signal
import sys

import pytest

from mqsc import GetMessageOptions, Message, MessageDescriptor, MQError, PutMessageOptions, run
from mqsc.store.admin import group_copies
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store, open_store
from mqsc.store.constants import MQGMO, MQOO, MQPMO
from tests.mqsc.agents.scripts import wait_until
from tests.processes.conftest import Start
from tests.processes.programs import Program, connected
from tests.rows import rows
from tests.store.admin.looking import events

SYNCPOINT = PutMessageOptions(MQPMO.SYNCPOINT)
NAMES = ("QM1", "QM2", "QM3")


Members = list[QueueManager]


def hold(url: str, name: str) -> None:
    """Get a message and put another in one unit of work, then say so and wait to be killed."""
    shared = connected(url, name).open("SQ", MQOO.INPUT_EXCLUSIVE | MQOO.OUTPUT)
    shared.get(GetMessageOptions(MQGMO.SYNCPOINT))
    shared.put(Message(b"lost"), SYNCPOINT)
    print("holds")
    sys.stdin.read()


def work(url: str, name: str) -> None:
    """Get and put on DONE as fast as possible until the queue stays empty."""
    with connected(url, name) as connection:
        source, done = (
            connection.open("SQ", MQOO.INPUT_SHARED),
            connection.open("DONE", MQOO.OUTPUT),
        )
        while True:
            try:
                message = source.get(GetMessageOptions(MQGMO.SYNCPOINT))
            except MQError:
                break
            done.put(Message(message.body), SYNCPOINT)
            connection.commit()


def die(url: str, victim: str, command: str) -> None:
    """Perform a command and die just before the copy of one member is refreshed."""
    refreshing = group_copies._bring_up_to_date

    def killed_at(member: QueueManager, *more: object) -> None:
        if member.name == victim:
            os.kill(os.getpid(), signal.SIGKILL)
        refreshing(member, *more)  # type: ignore[arg-type]

    group_copies._bring_up_to_date = killed_at  # type: ignore[assignment]
    run(open_store(url).queue_manager("QM1"), command)


@pytest.fixture
def members(store: Store) -> list[QueueManager]:
    made = [store.create_queue_manager(name, group="QSG1") for name in NAMES]
    queues = "".join(
        f"\nDEFINE QLOCAL({name}) QSGDISP(SHARED) CFSTRUCT(APPL1)" for name in ("SQ", "DONE")
    )
    run(made[0], f"DEFINE CFSTRUCT(APPL1) CFLEVEL(5){queues}", check=True)
    return made


def curdepth(qmgr: QueueManager, name: str) -> int:
    [reply] = run(qmgr, f"DISPLAY QLOCAL({name}) CURDEPTH")
    return int(reply.rows[0]["CURDEPTH"])


def test_s27_a_member_recovers_what_a_killed_one_left(members: Members, start: Start) -> None:
    with members[1].connect() as connection:
        connection.put1("SQ", Message(b"m1"))
    holder = start(hold, "QM1")
    assert holder.line() == "holds"
    holder.kill()
    with members[1].connect() as connection:
        message = connection.open("SQ", MQOO.INPUT_SHARED).get(GetMessageOptions(MQGMO.NO_WAIT))
    assert (message.body, message.descriptor.backout_count, curdepth(members[1], "SQ")) == (
        b"m1",
        1,
        0,
    )


def test_no_message_is_lost_or_doubled_when_members_are_killed(
    members: Members,
    start: Start,
) -> None:
    bodies = [str(number).encode() for number in range(400)]
    with members[0].connect() as connection:
        connection.open("SQ", MQOO.OUTPUT).put([Message(body) for body in bodies])
    for victim in range(3):
        workers = [start(work, name) for name in NAMES]
        left = curdepth(members[0], "SQ")
        while curdepth(members[0], "SQ") > max(left - 40, 0):
            members[0].store.environment.clock.pause(0.01)
        for worker in (workers[victim], *workers):
            worker.kill()
    assert start(work, "QM2").wait() == 0
    with members[2].connect() as connection:
        done = connection.open("DONE", MQOO.INPUT_SHARED)
        got = [
            done.get(GetMessageOptions(MQGMO.NO_WAIT)).body
            for _ in range(curdepth(members[2], "DONE"))
        ]
    assert sorted(got) == sorted(bodies)


def depths(qmgr: QueueManager) -> list[tuple[str, str, int]]:
    """Where G is, its disposition, and its MAXDEPTH."""
    [reply] = run(qmgr, "DISPLAY QLOCAL(G) QSGDISP(ALL) CMDSCOPE(*) MAXDEPTH")
    return sorted((row["qmgr"], row["QSGDISP"], row["MAXDEPTH"]) for row in reply.rows)


@rows(("QM1", []), ("QM2", ["QM1"]), ("QM3", ["QM1", "QM2"]))
def test_copies_follow_after_the_program_that_refreshed_them_was_killed(
    members: Members,
    start: Start,
    victim: str,
    followed: list[str],
) -> None:
    run(members[0], "DEFINE QLOCAL(G) QSGDISP(GROUP) MAXDEPTH(5)", check=True)
    assert (
        start(die, victim, "ALTER QLOCAL(G) QSGDISP(GROUP) MAXDEPTH(6)").wait() == -signal.SIGKILL
    )
    copies = [(name, "COPY", 6 if name in followed else 5) for name in NAMES]
    assert depths(members[0]) == sorted([*copies, ("QM1", "GROUP", 6)])
    # A member follows when it starts, and all do at the next change of the master.
    members[2].end()
    members[2].start()
    assert ("QM3", "COPY", 6) in depths(members[0])
    run(members[1], "ALTER QLOCAL(G) QSGDISP(GROUP)", check=True)
    assert depths(members[0]) == sorted(
        [*((name, "COPY", 6) for name in NAMES), ("QM1", "GROUP", 6)],
    )


def test_copies_go_after_the_program_that_deleted_their_master_died(
    members: Members,
    start: Start,
) -> None:
    run(members[0], "DEFINE QLOCAL(G) QSGDISP(GROUP)", check=True)
    assert start(die, "QM2", "DELETE QLOCAL(G) QSGDISP(GROUP)").wait() == -signal.SIGKILL
    assert [(name, kind) for name, kind, _ in depths(members[0])] == [
        ("QM2", "COPY"),
        ("QM3", "COPY"),
    ]
    for member in members[1:]:
        member.end()
        member.start()
    assert depths(members[0]) == []


@pytest.fixture
def serves(members: Members, command: Start) -> dict[str, Program]:
    """`mqsc serve` for each member; QM2 has had EXPRYINT(1) for longer than QM1."""
    for index in (1, 0):
        run(members[index], "ALTER QMGR EXPRYINT(1)", check=True)
    started = {}
    # The owner first: while no serve runs for it, that of another member would take over.
    for name in ("QM2", "QM1", "QM3"):
        started[name] = command("serve", name)
        assert started[name].line()
    return started


def discarding(qmgr: QueueManager) -> str:
    """Put a message that expires at once; the member that discards it."""
    before = len(events(qmgr.store, "EXPIRE"))
    with qmgr.connect() as connection:
        connection.put1("SQ", Message(b"x", MessageDescriptor(expiry=1)))
    wait_until(lambda: len(events(qmgr.store, "EXPIRE")) > before)
    [expired] = events(qmgr.store, "EXPIRE")[before:]
    return str(expired.detail["member"])


def owner(qmgr: QueueManager) -> list[str]:
    [reply] = run(qmgr, "DISPLAY GROUP")
    return [row["QMNAME"] for row in reply.rows if row["EXPSCAN"] == "YES"]


def test_s44_e27_another_member_scans_after_the_serve_of_the_owner_died(
    members: Members,
    serves: dict[str, Program],
) -> None:
    assert (discarding(members[2]), owner(members[2])) == ("QM2", ["QM2"])
    serves["QM2"].kill()
    assert (discarding(members[2]), owner(members[2])) == ("QM1", ["QM1"])
