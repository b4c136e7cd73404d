"""The preview says what a consumer will do, row by row of the table (J1-J7, B22-B42)."""

from __future__ import annotations

import pytest

import mqsc
from store.admin import put_preview
from store.admin.put_preview import PoisonPreview, poison_preview
from store.client.api import QueueManager
from store.constants import MQGMO, MQOO, MQRC, MQRO
from store.descriptor import MessageDescriptor
from store.error import MQError
from store.message import GetMessageOptions, Message
from store.rules.message_origin import LEADS_BACK, NOT_NAMED, Action
from tests.scenarios.looking import waiting_on

OBJECTS = """
DEFINE QLOCAL(BOQ)
DEFINE QLOCAL(DLQ)
DEFINE QLOCAL(Q) BOTHRESH(2) BOQNAME(BOQ)
ALTER QMGR DEADQ(DLQ)
"""
FULL, NO_PUT = int(MQRC.Q_FULL), int(MQRC.PUT_INHIBITED)
# (commands, report, persistence, backouts, action, outcome at BOQNAME, outcome at DEADQ)
ROWS = {
    "J1": ("ALTER QLOCAL(Q) BOTHRESH(0)", 0, 0, 9, Action.DELIVER, 0, 0),
    "J2": ("", 0, 0, 1, Action.DELIVER, 0, 0),
    "J3": ("", 0, 0, 2, Action.REQUEUE, 0, 0),
    "J4": ("ALTER QLOCAL(BOQ) PUT(DISABLED)", MQRO.DISCARD_MSG, 0, 2, Action.DISCARD, NO_PUT, 0),
    "J5": ("ALTER QLOCAL(Q) BOQNAME(' ')", 0, 0, 2, Action.DEAD_LETTER, NOT_NAMED, 0),
    "J5 full": ("ALTER QLOCAL(BOQ) MAXDEPTH(0)", 0, 0, 2, Action.DEAD_LETTER, FULL, 0),
    "J6 kept": (
        "ALTER QLOCAL(BOQ) MAXDEPTH(0)\nALTER QLOCAL(DLQ) PUT(DISABLED)",
        *(0, 1, 2, Action.KEEP, FULL, NO_PUT),
    ),
    "J6": ("ALTER QLOCAL(Q) BOQNAME(' ')\nALTER QMGR DEADQ(' ')", 0, 0, 2, Action.DISCARD, NOT_NAMED, NOT_NAMED),
    "B38": ("DEFINE QMODEL(M)\nALTER QLOCAL(Q) BOQNAME(M)", 0, 0, 2, Action.DEAD_LETTER, 2057, 0),
    "B42": ("ALTER QLOCAL(BOQ) BOQNAME(Q)", 0, 0, 2, Action.DEAD_LETTER, LEADS_BACK, 0),
    "B42 DLQ": ("ALTER QMGR DEADQ(Q)\nALTER QLOCAL(Q) BOQNAME(Q)", 0, 1, 2, Action.KEEP, LEADS_BACK, LEADS_BACK),
    "too long": ("ALTER QLOCAL(DLQ) MAXMSGL(10)\nALTER QLOCAL(Q) BOQNAME(X)", 0, 1, 2, Action.KEEP, 2085, 2030),
}
WENT = {Action.REQUEUE: ["BOQ"], Action.DEAD_LETTER: ["DLQ"], Action.DISCARD: [], Action.KEEP: ["Q"]}


def failing(qmgr: QueueManager, *backouts: int, report: int = 0, persistence: int = 0) -> None:
    """Put messages m0, m1 ... and back each out the given number of times."""
    with qmgr.connect("failing", "alice") as connection:
        queue = connection.open("Q", MQOO.INPUT_SHARED | MQOO.OUTPUT)
        for number, times in enumerate(backouts):
            name = b"m%d" % number
            queue.put(Message(name, MessageDescriptor(msg_id=name, report=report, persistence=persistence)))
            for _ in range(times):
                queue.get(GetMessageOptions(MQGMO.SYNCPOINT, match_options=1, msg_id=name))
                connection.back()


def seen(qmgr: QueueManager, pattern: str = "Q") -> list[PoisonPreview]:
    found = poison_preview(qmgr, pattern)
    assert found is not None
    return list(found)


@pytest.mark.parametrize(
    ("commands", "report", "persistence", "backouts", "action", "requeue", "dead_letter"),
    [pytest.param(*row, id=name) for name, row in ROWS.items()],
)
def test_the_preview_and_what_then_happens(
    qmgr: QueueManager,
    commands: str,
    report: int,
    persistence: int,
    backouts: int,
    action: Action,
    requeue: int,
    dead_letter: int,
) -> None:
    mqsc.run(qmgr, OBJECTS + commands)
    failing(qmgr, backouts, report=report, persistence=persistence)

    (found,) = seen(qmgr)

    assert (found.action, found.requeue_reason, found.dead_letter_reason) == (action, requeue, dead_letter)
    assert found.last is not None
    assert (found.last.application, found.last.user, found.last.cause) == ("failing", "alice", "application")
    consumer = qmgr.connect().consumer("Q", wait=0)
    if action is Action.KEEP:
        with pytest.raises(MQError, match="2362"):
            consumer.receive()
    else:
        assert (consumer.receive() is not None) == (action is Action.DELIVER)
    if action is not Action.DELIVER:
        assert [name for name in ("Q", "BOQ", "DLQ") if waiting_on(qmgr, name)] == WENT[action]


def test_messages_that_would_be_moved_before_count(qmgr: QueueManager) -> None:
    mqsc.run(qmgr, OBJECTS + "ALTER QLOCAL(BOQ) MAXDEPTH(1)")
    failing(qmgr, 2, 1, 0, 2)
    assert [each.action for each in seen(qmgr)] == [Action.REQUEUE, Action.DELIVER, Action.DEAD_LETTER]


def test_an_expired_message(qmgr: QueueManager) -> None:
    mqsc.run(qmgr, OBJECTS + "ALTER QLOCAL(Q) CAPEXPRY(10)")
    failing(qmgr, 2)
    qmgr.store.environment.clock.advance(seconds=2)
    assert [each.action for each in seen(qmgr)] == [None]


def test_a_backout_long_ago(qmgr: QueueManager, monkeypatch: pytest.MonkeyPatch) -> None:
    """The history is read backwards in parts, and the last backout of each message counts."""
    monkeypatch.setattr(put_preview, "EVENTS", 3)
    mqsc.run(qmgr, OBJECTS)
    failing(qmgr, 2, 1, 3)
    with qmgr.connect("other", "bob") as connection:
        connection.open("Q", MQOO.INPUT_SHARED).get(GetMessageOptions(MQGMO.SYNCPOINT))
        connection.back()
    assert [each.last and each.last.application for each in seen(qmgr)] == ["other", "failing", "failing"]


def test_a_history_without_gets_does_not_say_who(qmgr: QueueManager) -> None:
    mqsc.run(qmgr, OBJECTS + "ALTER QLOCAL(Q) ACCTQ(OFF)")
    failing(qmgr, 2)
    assert [each.last for each in seen(qmgr)] == [None]


def test_names(qmgr: QueueManager) -> None:
    mqsc.run(qmgr, OBJECTS + "DEFINE QALIAS(IN) TARGET(Q)")
    failing(qmgr, 1)
    assert [each.queue for name in ("Q", "IN", "*", "Q*") for each in seen(qmgr, name)] == ["Q"] * 4
    assert poison_preview(qmgr, "NONE") is None
    assert seen(qmgr, "BOQ") == []
