"""Messages that a channel cannot deliver (Ch4)."""

from __future__ import annotations

from mqsc.store.constants import MQFB, MQRC, MQRO
from mqsc.store.rules.channel import undeliverable
from mqsc.store.rules.channel.undeliverable import NOT_NAMED, Action
from tests.store.tables import named_rows, named_verdicts

MISSING, FULL, INHIBITED = int(MQRC.UNKNOWN_OBJECT_NAME), int(MQRC.Q_FULL), int(MQRC.PUT_INHIBITED)
PAGESET_FULL, TOO_BIG = int(MQRC.PAGESET_FULL), int(MQRC.MSG_TOO_BIG_FOR_CHANNEL)
JUNK = int(MQFB.XMIT_Q_MSG_ERROR)
NOTHING, DISCARD, EXCEPTION = int(MQRO.NONE), int(MQRO.DISCARD_MSG), int(MQRO.EXCEPTION)
FULL_DATA = int(MQRO.EXCEPTION_WITH_FULL_DATA)
WORKS, YES, NO = 0, True, False


# (row, reason, retries left, Report, FAST, USEDLQ, put to DEADQ, action)
@named_rows(
    # Step 1: three reasons are retried, whatever the message requests.
    ("H03", FULL, 3, NOTHING, NO, YES, WORKS, Action.RETRY),
    ("H03", INHIBITED, 1, DISCARD, NO, NO, NOT_NAMED, Action.RETRY),
    ("H04", PAGESET_FULL, 1, NOTHING, YES, YES, FULL, Action.RETRY),
    ("H03", FULL, 0, NOTHING, NO, YES, WORKS, Action.DEAD_LETTER),
    ("H05", MISSING, 10, NOTHING, NO, YES, WORKS, Action.DEAD_LETTER),
    # Step a: the message requests to be discarded.
    ("H12", MISSING, 10, FULL_DATA | DISCARD, NO, YES, WORKS, Action.DISCARD),
    ("Ch4a", MISSING, 0, DISCARD, NO, NO, NOT_NAMED, Action.DISCARD),
    ("Ch4a", FULL, 0, DISCARD, YES, YES, FULL, Action.DISCARD),
    # The table: USEDLQ(YES) with a DLQ, USEDLQ(YES) without a usable one, USEDLQ(NO).
    ("Ch4-1", MISSING, 0, NOTHING, NO, YES, WORKS, Action.DEAD_LETTER),
    ("Ch4-1", MISSING, 0, NOTHING, YES, YES, WORKS, Action.DEAD_LETTER),
    ("Ch4-2", MISSING, 0, NOTHING, NO, YES, NOT_NAMED, Action.END),
    ("Ch4-2", MISSING, 0, NOTHING, NO, YES, FULL, Action.END),
    ("Ch4-2", MISSING, 0, NOTHING, NO, YES, MISSING, Action.END),
    ("Ch4-4", MISSING, 0, NOTHING, YES, YES, NOT_NAMED, Action.DROP),
    ("Ch4-4", MISSING, 0, NOTHING, YES, YES, FULL, Action.DROP),
    ("Ch4-4", MISSING, 0, NOTHING, YES, YES, MISSING, Action.DROP),
    ("H06", MISSING, 0, NOTHING, NO, NO, WORKS, Action.END),
    ("H07", MISSING, 0, NOTHING, YES, NO, WORKS, Action.DROP),
    ("H10", MISSING, 0, EXCEPTION, YES, YES, NOT_NAMED, Action.DROP),
    # The sending end does not retry; otherwise the same table applies.
    ("H20", JUNK, 0, NOTHING, NO, YES, WORKS, Action.DEAD_LETTER),
    ("H21", JUNK, 0, NOTHING, NO, YES, NOT_NAMED, Action.END),
    ("H22", TOO_BIG, 0, NOTHING, NO, YES, WORKS, Action.DEAD_LETTER),
    ("H54", MISSING, 0, NOTHING, NO, YES, int(MQRC.MSG_TOO_BIG_FOR_Q), Action.END),
)
def test_the_table(
    reason: int,
    retries: int,
    report: int,
    fast: bool,
    use: bool,
    dead_letter: int,
    action: Action,
) -> None:
    assert (
        undeliverable.decide(
            undeliverable.UndeliverableFacts(reason, retries, report, fast, use, dead_letter),
        )
        is action
    )


def test_h25_a_message_that_expires_between_retries_is_not_dead_lettered() -> None:
    facts = undeliverable.UndeliverableFacts(
        FULL,
        8,
        NOTHING,
        fast=False,
        use_dead_letter_queue=True,
        expired=True,
    )
    assert undeliverable.decide(facts) is Action.EXPIRE


test_exception_reports = named_verdicts(
    undeliverable.reports_exception,
    ("disposition-succeeded", Action.DEAD_LETTER, EXCEPTION, True),
    ("H12", Action.DISCARD, FULL_DATA | DISCARD, True),
    ("H10", Action.DROP, EXCEPTION, True),
    ("H11", Action.END, EXCEPTION, False),
    ("H25", Action.EXPIRE, EXCEPTION, False),
    ("retry", Action.RETRY, EXCEPTION, False),
    ("not-asked", Action.DEAD_LETTER, NOTHING, False),
)
