"""What names an object: each attribute that can, and what only looks like it."""

from __future__ import annotations

import pytest

from mqsc.script import run
from mqsc.store.admin.object_uses import uses_of
from mqsc.store.client.queue_manager import QueueManager

# Definitions on the queue manager, the name, and type, name and attribute of each use.
USES = {
    "backout queue": ("DEFINE QLOCAL(A) BOQNAME(Q)", ["QLOCAL(A) BOQNAME"]),
    "of a model": ("DEFINE QMODEL(A) BOQNAME(Q)", ["QMODEL(A) BOQNAME"]),
    "stream queue": ("DEFINE QLOCAL(A) STREAMQ(Q)", ["QLOCAL(A) STREAMQ"]),
    "initiation queue": ("DEFINE QLOCAL(A) INITQ(Q)", ["QLOCAL(A) INITQ"]),
    "alias": ("DEFINE QALIAS(A) TARGET(Q)", ["QALIAS(A) TARGET"]),
    "alias of a topic": ("DEFINE QALIAS(A) TARGET(Q) TARGTYPE(TOPIC)", []),
    "transmission queue": (
        "DEFINE QREMOTE(A) RNAME(X) RQMNAME(FAR) XMITQ(Q)",
        ["QREMOTE(A) XMITQ"],
    ),
    "transmission queue by name": ("DEFINE QREMOTE(A) RNAME(X) RQMNAME(Q)", ["QREMOTE(A) RQMNAME"]),
    "queue elsewhere": ("DEFINE QREMOTE(A) RNAME(Q) RQMNAME(FAR)", []),
    "channel": (
        "DEFINE CHANNEL(A) CHLTYPE(SDR) CONNAME(X) XMITQ(Q)",
        ["CHANNEL(A) XMITQ"],
    ),
    "queue manager": ("ALTER QMGR DEADQ(Q) DEFXMITQ(Q)", ["QMGR() DEADQ", "QMGR() DEFXMITQ"]),
    "subscription": ("DEFINE SUB(A) TOPICSTR(T) DEST(Q)", ["SUB(A) DEST"]),
    "namelist": ("DEFINE NAMELIST(A) NAMES(X,Q)", ["NAMELIST(A) NAMES"]),
    "description": ("DEFINE QLOCAL(A) DESCR('Q')", []),
    "process": ("DEFINE QLOCAL(A) PROCESS(Q)", []),
    "itself": ("ALTER QLOCAL(Q) BOQNAME(Q)", []),
    "longer name": ("DEFINE QLOCAL(A) BOQNAME(QQ)", []),
}


def texts(qmgr: QueueManager, namespace: str, name: str) -> list[str]:
    return [f"{each.type}({each.name}) {each.attribute}" for each in uses_of(qmgr, namespace, name)]


@pytest.mark.parametrize(("definition", "expected"), USES.values(), ids=[*USES])
def test_uses_of_a_queue(qmgr: QueueManager, definition: str, expected: list[str]) -> None:
    run(qmgr, f"DEFINE QLOCAL(Q)\n{definition}")
    assert texts(qmgr, "queue", "Q") == expected


def test_uses_of_other_objects(qmgr: QueueManager) -> None:
    run(qmgr, "DEFINE QLOCAL(A) PROCESS(P)\nDEFINE QLOCAL(X) USAGE(XMITQ) TRIGDATA(C)")
    assert texts(qmgr, "process", "P") == ["QLOCAL(A) PROCESS"]
    assert texts(qmgr, "channel", "C") == ["QLOCAL(X) TRIGDATA"]


def test_other_queue_managers_of_the_store(qmgr: QueueManager) -> None:
    other = qmgr.store.create_queue_manager("OTHER")
    run(other, f"DEFINE QREMOTE(R) RNAME(Q) RQMNAME({qmgr.name})\nDEFINE QLOCAL(A) BOQNAME(Q)")
    expected = [("OTHER", "QREMOTE", "R", "RNAME")]
    assert [*map(tuple, uses_of(qmgr, "queue", "Q"))] == expected
    # Also when it has ended.
    other.end()
    assert [*map(tuple, uses_of(qmgr, "queue", "Q"))] == expected
