"""The options of MQOPEN and MQGET, and how handles exclude each other (mqi-semantics §2.1, §2.2, §4)."""

from __future__ import annotations

from store.constants import MQGMO, MQMO, MQOO
from store.rules.getting import option_conflict, options_fault, wait_fault
from store.rules.opening import context_allowed, input_conflicts, is_exclusive, option_conflict
from tests.store.tables import named_rows, rows, verdicts


# (options, part of the error, or blank)
@rows(
    (0, "none of INPUT"),
    (MQOO.FAIL_IF_QUIESCING, "none of INPUT"),
    (MQOO.INPUT_AS_Q_DEF, ""),
    (MQOO.BROWSE, ""),
    (MQOO.OUTPUT, ""),
    (MQOO.INQUIRE, ""),
    (MQOO.SET, ""),
    # IBM accepts these on their own.
    (MQOO.BIND_ON_OPEN, ""),
    (MQOO.RESOLVE_NAMES, ""),
    (MQOO.INPUT_SHARED | MQOO.BROWSE | MQOO.OUTPUT | MQOO.INQUIRE | MQOO.SET, ""),
    (MQOO.INPUT_SHARED | MQOO.INPUT_EXCLUSIVE, "more than one INPUT"),
    (MQOO.INPUT_AS_Q_DEF | MQOO.INPUT_SHARED, "more than one INPUT"),
    (MQOO.INPUT_SHARED | MQOO.SAVE_ALL_CONTEXT, ""),
    (MQOO.BROWSE | MQOO.SAVE_ALL_CONTEXT, "SAVE_ALL_CONTEXT"),
    (MQOO.OUTPUT | MQOO.PASS_ALL_CONTEXT, ""),
    (MQOO.INPUT_SHARED | MQOO.PASS_ALL_CONTEXT, "without OUTPUT"),
    (MQOO.BROWSE | MQOO.SET_IDENTITY_CONTEXT, "without OUTPUT"),
    (MQOO.OUTPUT | MQOO.BIND_ON_OPEN | MQOO.BIND_NOT_FIXED, "more than one BIND"),
    (MQOO.INPUT_SHARED | MQOO.READ_AHEAD, ""),
    (MQOO.INPUT_SHARED | MQOO.READ_AHEAD | MQOO.NO_READ_AHEAD, "READ_AHEAD"),
    (MQOO.BROWSE | MQOO.CO_OP, ""),
    (MQOO.INPUT_SHARED | MQOO.CO_OP, "CO_OP"),
    (MQOO.OUTPUT | MQOO.NO_MULTICAST, ""),
    (MQOO.INPUT_SHARED | MQOO.NO_MULTICAST, "NO_MULTICAST"),
    (MQOO.INPUT_SHARED | 1 << 30, "unknown"),
)
def test_options_of_mqopen(options: int, wrong: str) -> None:
    found = option_conflict(int(options))
    assert wrong in found
    assert bool(found) is bool(wrong)


# (case, input handles, exclusive ones among them, whether SHARED is allowed, whether EXCLUSIVE is allowed)
@named_rows(("none", 0, 0, True, True), ("shared", 2, 0, True, False), ("exclusive", 1, 1, False, False))
def test_the_matrix_of_input_sharing(handles: int, exclusive_handles: int, shared: bool, exclusive: bool) -> None:
    may_open = [
        not input_conflicts(exclusive=wanted, input_handles=handles, exclusive_handles=exclusive_handles)
        for wanted in (False, True)
    ]
    assert may_open == [shared, exclusive]


def test_noshare_makes_every_input_exclusive_and_as_q_def_follows_defsopt() -> None:
    asked = (MQOO.INPUT_SHARED, MQOO.INPUT_EXCLUSIVE, MQOO.INPUT_AS_Q_DEF)
    found = {
        (shareable, default): [is_exclusive(each, default_exclusive=default, shareable=shareable) for each in asked]
        for shareable in (True, False)
        for default in (True, False)
    }
    assert found == {
        (True, True): [False, True, True],
        (True, False): [False, True, False],
        (False, True): [True, True, True],
        (False, False): [True, True, True],
    }


def test_a_context_right_includes_the_weaker_ones() -> None:
    identity, all_context = MQOO.PASS_IDENTITY_CONTEXT, MQOO.PASS_ALL_CONTEXT
    set_identity, set_all = MQOO.SET_IDENTITY_CONTEXT, MQOO.SET_ALL_CONTEXT
    assert {
        each: context_allowed(MQOO.OUTPUT | each) for each in (0, identity, all_context, set_identity, set_all)
    } == {
        0: 0,
        identity: identity,
        all_context: all_context | identity,
        set_identity: set_identity | identity,
        set_all: identity | all_context | set_identity | set_all,
    }


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
def test_options_of_mqget(options: int, wrong: str) -> None:
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
