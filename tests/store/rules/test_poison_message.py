"""Poison messages, row by row (expiry-backout-channels B3)."""

from __future__ import annotations

import pytest

from mqsc.store.constants import MQPER, MQRC, MQRO
from mqsc.store.rules import poison_message
from mqsc.store.rules.poison_message import LEADS_BACK, NOT_NAMED, Action, PoisonFacts
from tests.store.tables import giving, verdicts

WORKS, FULL, MISSING = 0, int(MQRC.Q_FULL), int(MQRC.UNKNOWN_OBJECT_NAME)
NO, YES = int(MQPER.NOT_PERSISTENT), int(MQPER.PERSISTENT)
NONE, DISCARD, EXCEPTION = int(MQRO.NONE), int(MQRO.DISCARD_MSG), int(MQRO.EXCEPTION)

# (row, BackoutCount, BOTHRESH, put to BOQNAME, Report, Persistence, put to DEADQ, action)
ROWS = [
    ("J1", 0, 0, WORKS, NONE, NO, WORKS, Action.DELIVER),
    ("J1", 1000, 0, WORKS, NONE, YES, WORKS, Action.DELIVER),
    ("J2", 0, 3, WORKS, NONE, NO, WORKS, Action.DELIVER),
    ("J2", 2, 3, WORKS, NONE, NO, WORKS, Action.DELIVER),
    ("J3", 3, 3, WORKS, NONE, NO, WORKS, Action.REQUEUE),
    ("J3", 4, 3, WORKS, DISCARD, YES, FULL, Action.REQUEUE),
    ("J4", 3, 3, NOT_NAMED, DISCARD, YES, WORKS, Action.DISCARD),
    ("J4", 3, 3, FULL, DISCARD, NO, FULL, Action.DISCARD),
    ("J5", 3, 3, NOT_NAMED, NONE, YES, WORKS, Action.DEAD_LETTER),
    ("J5", 3, 3, MISSING, EXCEPTION, NO, WORKS, Action.DEAD_LETTER),
    ("J5", 3, 3, LEADS_BACK, NONE, NO, WORKS, Action.DEAD_LETTER),
    ("J6", 3, 3, NOT_NAMED, NONE, YES, NOT_NAMED, Action.KEEP),
    ("J6", 3, 3, FULL, NONE, YES, FULL, Action.KEEP),
    ("J6", 3, 3, FULL, NONE, NO, FULL, Action.DISCARD),
    ("J6", 3, 3, FULL, NONE, NO, LEADS_BACK, Action.DISCARD),
]


@pytest.mark.parametrize(
    ("count", "threshold", "requeue", "report", "persistence", "dead_letter", "action"),
    [pytest.param(*row[1:], id=f"{row[0]}-{number}") for number, row in enumerate(ROWS)],
)
def test_the_table(
    count: int,
    threshold: int,
    requeue: int,
    report: int,
    persistence: int,
    dead_letter: int,
    action: Action,
) -> None:
    assert (
        poison_message.decide(
            PoisonFacts(count, threshold, requeue, report, persistence, dead_letter),
        )
        is action
    )


test_j7_exception_reports = verdicts(
    poison_message.reports_exception,
    *giving(True, (Action.DEAD_LETTER, EXCEPTION), (Action.DISCARD, EXCEPTION | DISCARD)),
    *giving(
        False,
        (Action.DISCARD, DISCARD),
        (Action.REQUEUE, EXCEPTION),
        (Action.KEEP, EXCEPTION),
    ),
    (Action.DELIVER, EXCEPTION, False),
)
