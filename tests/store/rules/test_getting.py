"""The options of MQGET: conflicting pairs, and how the handle must have been opened (mqi-semantics §4)."""

from __future__ import annotations

from store.constants import MQGMO, MQMO, MQOO
from store.rules.getting import option_conflict, options_fault, wait_fault
from tests.store.tables import rows, verdicts


# (options, part of the error, or blank)
@rows(
    (0, ""),
    (MQGMO.WAIT | MQGMO.SYNCPOINT | MQGMO.ACCEPT_TRUNCATED_MSG | MQGMO.CONVERT | MQGMO.FAIL_IF_QUIESCING, ""),
    (MQGMO.SYNCPOINT | MQGMO.NO_SYNCPOINT, "more than one SYNCPOINT"),
    (MQGMO.SYNCPOINT | MQGMO.SYNCPOINT_IF_PERSISTENT, "more than one SYNCPOINT"),
    (MQGMO.BROWSE_FIRST | MQGMO.BROWSE_NEXT, "more than one browse"),
    (MQGMO.BROWSE_NEXT | MQGMO.MSG_UNDER_CURSOR, "more than one browse"),
    (MQGMO.SYNCPOINT | MQGMO.BROWSE_FIRST, "SYNCPOINT with browse"),
    (MQGMO.SYNCPOINT | MQGMO.UNLOCK, "SYNCPOINT with browse"),
    (MQGMO.SYNCPOINT | MQGMO.MSG_UNDER_CURSOR, ""),
    (MQGMO.SYNCPOINT_IF_PERSISTENT | MQGMO.BROWSE_NEXT, "SYNCPOINT_IF_PERSISTENT"),
    (MQGMO.SYNCPOINT_IF_PERSISTENT | MQGMO.COMPLETE_MSG, "not supported"),
    (MQGMO.SYNCPOINT_IF_PERSISTENT | MQGMO.UNLOCK, "SYNCPOINT_IF_PERSISTENT"),
    (MQGMO.MARK_SKIP_BACKOUT | MQGMO.SYNCPOINT, ""),
    (MQGMO.MARK_SKIP_BACKOUT, "MARK_SKIP_BACKOUT"),
    (MQGMO.MARK_SKIP_BACKOUT | MQGMO.SYNCPOINT_IF_PERSISTENT, "MARK_SKIP_BACKOUT"),
    (MQGMO.WAIT | MQGMO.SET_SIGNAL, "not supported"),
    (MQGMO.LOCK | MQGMO.BROWSE_FIRST, ""),
    (MQGMO.LOCK | MQGMO.BROWSE_MSG_UNDER_CURSOR, ""),
    (MQGMO.LOCK, "LOCK without"),
    (MQGMO.UNLOCK, ""),
    (MQGMO.UNLOCK | MQGMO.NO_SYNCPOINT, ""),
    (MQGMO.UNLOCK | MQGMO.WAIT, "UNLOCK with"),
    (MQGMO.UNMARKED_BROWSE_MSG | MQGMO.BROWSE_NEXT | MQGMO.MARK_BROWSE_HANDLE, ""),
    (MQGMO.UNMARKED_BROWSE_MSG, "without a browse option"),
    (MQGMO.MARK_BROWSE_HANDLE, "without a browse option"),
    (MQGMO.BROWSE_NEXT | MQGMO.MARK_BROWSE_HANDLE | MQGMO.MARK_BROWSE_CO_OP, "more than one browse mark"),
)
def test_options(options: int, wrong: str) -> None:
    found = option_conflict(int(options))
    assert wrong in found
    assert bool(found) is bool(wrong)


INPUT, BROWSE, BOTH = MQOO.INPUT_SHARED, MQOO.BROWSE, MQOO.INPUT_SHARED | MQOO.BROWSE
ALL = MQMO.MATCH_MSG_ID | MQMO.MATCH_CORREL_ID | MQMO.MATCH_GROUP_ID | MQMO.MATCH_MSG_SEQ_NUMBER | MQMO.MATCH_OFFSET


# (MQGMO options, match options, MQOO options, reason), in the order in which MQ checks the reasons.
@rows(
    (0, 0, INPUT, 0),
    (0, 0, MQOO.INPUT_EXCLUSIVE, 0),
    (0, 0, BROWSE, 2037),
    (0, 0, MQOO.OUTPUT, 2037),
    (MQGMO.BROWSE_FIRST, 0, BROWSE, 0),
    (MQGMO.BROWSE_FIRST, 0, INPUT, 2036),
    (MQGMO.BROWSE_NEXT | MQGMO.LOCK, 0, BROWSE, 0),
    (MQGMO.UNLOCK, 0, BROWSE, 0),
    (MQGMO.UNLOCK, 0, INPUT, 2036),
    (MQGMO.MSG_UNDER_CURSOR, 0, BOTH, 0),
    (MQGMO.MSG_UNDER_CURSOR, 0, INPUT, 2036),
    (MQGMO.MSG_UNDER_CURSOR, 0, BROWSE, 2037),
    (MQGMO.SYNCPOINT | MQGMO.NO_SYNCPOINT, 0, INPUT, 2046),
    (MQGMO.SYNCPOINT | MQGMO.NO_SYNCPOINT, 0, BROWSE, 2037),
    (MQGMO.BROWSE_NEXT | MQGMO.MARK_BROWSE_CO_OP, 0, BROWSE | MQOO.CO_OP, 0),
    (MQGMO.BROWSE_NEXT | MQGMO.MARK_BROWSE_CO_OP, 0, BROWSE, 2046),
    (0, ALL, INPUT, 0),
    (0, 1 << 20, INPUT, 2247),
    (MQGMO.LOCK, 1 << 20, INPUT, 2046),
)
def test_what_a_handle_may_be_used_for(options: int, match_options: int, open_options: int, reason: int) -> None:
    assert options_fault(int(options), int(match_options), int(open_options)) == reason


test_a_wait_is_unlimited_or_not_negative = verdicts(wait_fault, (0, 0), (-1, 0), (-2, 2090))
