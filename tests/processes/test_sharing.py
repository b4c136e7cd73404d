"""Members of a queue-sharing group in processes of their own, which are killed (sharing §6, S27)."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from mqsc import GetMessageOptions, Message, run
from store.client.api import QueueManager, open_store
from store.constants import MQGMO, MQOO
from tests.processes.programs import PATIENCE_SECONDS
from tests.source import ROOT

# Gets a message and puts another in one unit of work, then says so and waits to be killed.
HOLDING = """
import sys
from store import GetMessageOptions, Message, PutMessageOptions, open_store
from store.constants import MQGMO, MQOO, MQPMO
connection = open_store(sys.argv[1]).queue_manager(sys.argv[2]).connect()
shared = connection.open("SQ", MQOO.INPUT_EXCLUSIVE | MQOO.OUTPUT)
shared.get(GetMessageOptions(MQGMO.SYNCPOINT))
shared.put(Message(b"lost"), PutMessageOptions(MQPMO.SYNCPOINT))
print("holds", flush=True)
sys.stdin.read()
"""
# Gets and puts back as fast as it can until the queue stays empty.
WORKING = """
import sys
from store import GetMessageOptions, Message, MQError, PutMessageOptions, open_store
from store.constants import MQGMO, MQOO, MQPMO
with open_store(sys.argv[1]).queue_manager(sys.argv[2]).connect() as connection:
    source = connection.open("SQ", MQOO.INPUT_SHARED)
    done = connection.open("DONE", MQOO.OUTPUT)
    while True:
        try:
            message = source.get(GetMessageOptions(MQGMO.SYNCPOINT))
        except MQError:
            break
        done.put(Message(message.body), PutMessageOptions(MQPMO.SYNCPOINT))
        connection.commit()
"""


def group(url: str) -> list[QueueManager]:
    store = open_store(url)
    members = [store.create_queue_manager(f"QM{number}", group="QSG1") for number in (1, 2, 3)]
    replies = run(
        members[0],
        "DEFINE CFSTRUCT(APPL1)\n"
        "DEFINE QLOCAL(SQ) QSGDISP(SHARED) CFSTRUCT(APPL1)\n"
        "DEFINE QLOCAL(DONE) QSGDISP(SHARED) CFSTRUCT(APPL1)",
    )
    assert [each.completion for each in replies] == [0, 0, 0]
    return members


def curdepth(qmgr: QueueManager, name: str) -> int:
    [reply] = run(qmgr, f"DISPLAY QLOCAL({name}) CURDEPTH")
    return int(reply.rows[0]["CURDEPTH"])


def started(program: str, *arguments: str) -> subprocess.Popen[str]:
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True)


def test_s27_a_member_recovers_what_a_killed_one_left(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/store.db"
    members = group(url)
    with members[1].connect() as connection:
        connection.put1("SQ", Message(b"m1"))
    holder = started(HOLDING, url, "QM1")
    assert holder.stdout is not None
    assert holder.stdout.readline() == "holds\n"
    holder.kill()
    holder.communicate()
    with members[1].connect() as connection:
        message = connection.open("SQ", MQOO.INPUT_SHARED).get(GetMessageOptions(MQGMO.NO_WAIT))
    assert (message.body, message.descriptor.backout_count) == (b"m1", 1)
    assert curdepth(members[1], "SQ") == 0


def test_no_message_is_lost_or_doubled_when_members_are_killed(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/store.db"
    members = group(url)
    bodies = [str(number).encode() for number in range(400)]
    with members[0].connect() as connection:
        connection.open("SQ", MQOO.OUTPUT).put([Message(body) for body in bodies])
    for victim in (1, 2, 3):
        workers = [started(WORKING, url, f"QM{number}") for number in (1, 2, 3)]
        left = curdepth(members[0], "SQ")
        while curdepth(members[0], "SQ") > max(left - 40, 0):
            members[0].store.environment.clock.pause(0.01)
        workers[victim - 1].kill()
        for worker in workers:
            worker.kill()
            worker.communicate()
    last = started(WORKING, url, "QM2")
    last.communicate(timeout=PATIENCE_SECONDS)
    got = []
    with members[2].connect() as connection:
        done = connection.open("DONE", MQOO.INPUT_SHARED)
        got = [done.get(GetMessageOptions(MQGMO.NO_WAIT)).body for _ in range(curdepth(members[2], "DONE"))]
    assert sorted(got) == sorted(bodies)


# Performs a command and dies just before the copy of one member is refreshed.
DYING = """
import os, signal, sys
import mqsc
from store import open_store
from store.admin import sharing_groups
refreshing = sharing_groups._bring_up_to_date
def killed_at(member, row, with_authority):
    if member.name == sys.argv[2]:
        os.kill(os.getpid(), signal.SIGKILL)
    refreshing(member, row, with_authority)
sharing_groups._bring_up_to_date = killed_at
mqsc.run(open_store(sys.argv[1]).queue_manager("QM1"), sys.argv[3])
"""


def depths(qmgr: QueueManager) -> list[tuple[str, str, int]]:
    """Where G is, its disposition, and its MAXDEPTH."""
    [reply] = run(qmgr, "DISPLAY QLOCAL(G) QSGDISP(ALL) CMDSCOPE(*) MAXDEPTH")
    return [(row["qmgr"], row["QSGDISP"], row["MAXDEPTH"]) for row in reply.rows]


@pytest.mark.parametrize(("victim", "followed"), [("QM1", []), ("QM2", ["QM1"]), ("QM3", ["QM1", "QM2"])])
def test_copies_follow_after_the_program_that_refreshed_them_was_killed(
    tmp_path: Path, victim: str, followed: list[str]
) -> None:
    url = f"sqlite:///{tmp_path}/store.db"
    members = group(url)
    run(members[0], "DEFINE QLOCAL(G) QSGDISP(GROUP) MAXDEPTH(5)", check=True)
    dead = started(DYING, url, victim, "ALTER QLOCAL(G) QSGDISP(GROUP) MAXDEPTH(6)")
    dead.communicate()
    assert dead.returncode == -signal.SIGKILL
    names = [each.name for each in members]
    copies = [(name, "COPY", 6 if name in followed else 5) for name in names]
    assert sorted(depths(members[0])) == sorted([*copies, ("QM1", "GROUP", 6)])
    # A member follows when it starts, and all do at the next change of the master.
    members[2].end()
    members[2].start()
    assert ("QM3", "COPY", 6) in depths(members[0])
    run(members[1], "ALTER QLOCAL(G) QSGDISP(GROUP)", check=True)
    assert sorted(depths(members[0])) == sorted([*((name, "COPY", 6) for name in names), ("QM1", "GROUP", 6)])


def test_copies_go_after_the_program_that_deleted_their_master_was_killed(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/store.db"
    members = group(url)
    run(members[0], "DEFINE QLOCAL(G) QSGDISP(GROUP)", check=True)
    started(DYING, url, "QM2", "DELETE QLOCAL(G) QSGDISP(GROUP)").communicate()
    assert [(name, kind) for name, kind, _ in depths(members[0])] == [("QM2", "COPY"), ("QM3", "COPY")]
    for member in members[1:]:
        member.end()
        member.start()
    [reply] = run(members[0], "DISPLAY QLOCAL(G) QSGDISP(ALL) CMDSCOPE(*)")
    assert reply.rows == []
