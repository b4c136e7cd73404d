"""The options of MQOPEN and MQGET, and how handles exclude each other (mqi-semantics §2.1, §2.2,
§4).
"""

from __future__ import annotations

from mqsc.store.constants import MQGMO, MQMO, MQOO
from mqsc.store.rules import getting, opening
from mqsc.store.rules.opening import context_allowed, input_conflicts, is_exclusive
from tests.rows import rows
from tests.store.tables import giving, named_rows, verdicts


# (options, part of the error, or blank)
@rows(
    *giving("none of INPUT", 0, MQOO.FAIL_IF_QUIESCING),
    *giving("", MQOO.INPUT_AS_Q_DEF, MQOO.BROWSE, MQOO.OUTPUT, MQOO.INQUIRE, MQOO.SET),
    # IBM accepts these on their own.
    *giving("", MQOO.BIND_ON_OPEN, MQOO.RESOLVE_NAMES),
    (MQOO.INPUT_SHARED | MQOO.BROWSE | MQOO.OUTPUT | MQOO.INQUIRE | MQOO.SET, ""),
    *giving("", MQOO.INPUT_SHARED | MQOO.SAVE_ALL_CONTEXT, MQOO.OUTPUT | MQOO.PASS_ALL_CONTEXT),
    *giving(
        "",
        MQOO.INPUT_SHARED | MQOO.READ_AHEAD,
        MQOO.BROWSE | MQOO.CO_OP,
        MQOO.OUTPUT | MQOO.NO_MULTICAST,
    ),
    *giving(
        "more than one INPUT",
        MQOO.INPUT_SHARED | MQOO.INPUT_EXCLUSIVE,
        MQOO.INPUT_AS_Q_DEF | MQOO.INPUT_SHARED,
    ),
    (MQOO.BROWSE | MQOO.SAVE_ALL_CONTEXT, "SAVE_ALL_CONTEXT"),
    *giving(
        "without OUTPUT",
        MQOO.INPUT_SHARED | MQOO.PASS_ALL_CONTEXT,
        MQOO.BROWSE | MQOO.SET_IDENTITY_CONTEXT,
    ),
    (MQOO.OUTPUT | MQOO.BIND_ON_OPEN | MQOO.BIND_NOT_FIXED, "more than one BIND"),
    (MQOO.INPUT_SHARED | MQOO.READ_AHEAD | MQOO.NO_READ_AHEAD, "READ_AHEAD"),
    (MQOO.INPUT_SHARED | MQOO.CO_OP, "CO_OP"),
    (MQOO.INPUT_SHARED | MQOO.NO_MULTICAST, "NO_MULTICAST"),
    (MQOO.INPUT_SHARED | 1 << 30, "unknown"),
)
def test_options_of_mqopen(options: int, wrong: str) -> None:
    found = opening.option_conflict(int(options))
    assert wrong in found
    assert bool(found) is bool(wrong)


# (case, input handles, exclusive ones among them, whether SHARED is allowed, whether EXCLUSIVE is
# allowed)
@named_rows(
    ("none", 0, 0, True, True),
    ("shared", 2, 0, True, False),
    ("exclusive", 1, 1, False, False),
)
def test_the_matrix_of_input_sharing(
    handles: int,
    exclusive_handles: int,
    shared: bool,
    exclusive: bool,
) -> None:
    for wanted, may_open in ((False, shared), (True, exclusive)):
        found = input_conflicts(
            exclusive=wanted,
            input_handles=handles,
            exclusive_handles=exclusive_handles,
        )
        assert found is not may_open


def test_noshare_makes_every_input_exclusive_and_as_q_def_follows_defsopt() -> None:
    asked = (MQOO.INPUT_SHARED, MQOO.INPUT_EXCLUSIVE, MQOO.INPUT_AS_Q_DEF)
    for shareable, default, exclusive in (
        *((True, True, [False, True, True]), (True, False, [False, True, False])),
        *((False, True, [True, True, True]), (False, False, [True, True, True])),
    ):
        found = [
            is_exclusive(each, default_exclusive=default, shareable=shareable) for each in asked
        ]
        assert found == exclusive


def test_a_context_right_includes_the_weaker_ones() -> None:
    identity, all_context = MQOO.PASS_IDENTITY_CONTEXT, MQOO.PASS_ALL_CONTEXT
    set_identity, set_all = MQOO.SET_IDENTITY_CONTEXT, MQOO.SET_ALL_CONTEXT
    includes = {
        0: 0,
        identity: identity,
        all_context: all_context | identity,
        set_identity: set_identity | identity,
    }
    includes[set_all] = identity | all_context | set_identity | set_all
    assert {each: context_allowed(MQOO.OUTPUT | each) for each in includes} == includes


# (options, part of the error, or blank)
@rows(
    (0, ""),
    (
        MQGMO.WAIT
        | MQGMO.SYNCPOINT
        | MQGMO.ACCEPT_TRUNCATED_MSG
        | MQGMO.CONVERT
        | MQGMO.FAIL_IF_QUIESCING,
        "",
    ),
    *giving(
        "",
        MQGMO.SYNCPOINT | MQGMO.MSG_UNDER_CURSOR,
        MQGMO.MARK_SKIP_BACKOUT | MQGMO.SYNCPOINT,
    ),
    *giving(
        "",
        MQGMO.LOCK | MQGMO.BROWSE_FIRST,
        MQGMO.LOCK | MQGMO.BROWSE_MSG_UNDER_CURSOR,
        MQGMO.UNLOCK,
    ),
    (MQGMO.UNLOCK | MQGMO.NO_SYNCPOINT, ""),
    (MQGMO.UNMARKED_BROWSE_MSG | MQGMO.BROWSE_NEXT | MQGMO.MARK_BROWSE_HANDLE, ""),
    (MQGMO.SYNCPOINT | MQGMO.NO_SYNCPOINT, "more than one SYNCPOINT"),
    (MQGMO.SYNCPOINT | MQGMO.SYNCPOINT_IF_PERSISTENT, "more than one SYNCPOINT"),
    *giving(
        "more than one browse",
        MQGMO.BROWSE_FIRST | MQGMO.BROWSE_NEXT,
        MQGMO.BROWSE_NEXT | MQGMO.MSG_UNDER_CURSOR,
    ),
    *giving(
        "SYNCPOINT with browse",
        MQGMO.SYNCPOINT | MQGMO.BROWSE_FIRST,
        MQGMO.SYNCPOINT | MQGMO.UNLOCK,
    ),
    (MQGMO.SYNCPOINT_IF_PERSISTENT | MQGMO.BROWSE_NEXT, "SYNCPOINT_IF_PERSISTENT"),
    (MQGMO.SYNCPOINT_IF_PERSISTENT | MQGMO.UNLOCK, "SYNCPOINT_IF_PERSISTENT"),
    (MQGMO.SYNCPOINT_IF_PERSISTENT | MQGMO.COMPLETE_MSG, "not supported"),
    (MQGMO.WAIT | MQGMO.SET_SIGNAL, "not supported"),
    (MQGMO.MARK_SKIP_BACKOUT, "MARK_SKIP_BACKOUT"),
    (MQGMO.MARK_SKIP_BACKOUT | MQGMO.SYNCPOINT_IF_PERSISTENT, "MARK_SKIP_BACKOUT"),
    (MQGMO.LOCK, "LOCK without"),
    (MQGMO.UNLOCK | MQGMO.WAIT, "UNLOCK with"),
    *giving("without a browse option", MQGMO.UNMARKED_BROWSE_MSG, MQGMO.MARK_BROWSE_HANDLE),
    (MQGMO.BROWSE_NEXT | MQGMO.UNMARKED_BROWSE_MSG | MQGMO.LOCK, "mark with LOCK"),
    (
        MQGMO.BROWSE_NEXT | MQGMO.MARK_BROWSE_HANDLE | MQGMO.LOGICAL_ORDER,
        "mark with LOCK or LOGICAL_ORDER",
    ),
    (
        MQGMO.BROWSE_NEXT | MQGMO.MARK_BROWSE_HANDLE | MQGMO.MARK_BROWSE_CO_OP,
        "more than one browse mark",
    ),
)
def test_options_of_mqget(options: int, wrong: str) -> None:
    found = getting.option_conflict(int(options))
    assert wrong in found
    assert bool(found) is bool(wrong)


INPUT, BROWSE, BOTH = MQOO.INPUT_SHARED, MQOO.BROWSE, MQOO.INPUT_SHARED | MQOO.BROWSE
ALL = (
    MQMO.MATCH_MSG_ID
    | MQMO.MATCH_CORREL_ID
    | MQMO.MATCH_GROUP_ID
    | MQMO.MATCH_MSG_SEQ_NUMBER
    | MQMO.MATCH_OFFSET
)


# (MQGMO options, match options, MQOO options, reason), in the order in which MQ checks the reasons.
@rows(
    *giving(0, (0, 0, INPUT), (0, 0, MQOO.INPUT_EXCLUSIVE), (MQGMO.BROWSE_FIRST, 0, BROWSE)),
    *giving(0, (MQGMO.BROWSE_NEXT | MQGMO.LOCK, 0, BROWSE), (MQGMO.UNLOCK, 0, BROWSE)),
    (MQGMO.MSG_UNDER_CURSOR, 0, BOTH, 0),
    (MQGMO.BROWSE_NEXT | MQGMO.MARK_BROWSE_CO_OP, 0, BROWSE | MQOO.CO_OP, 0),
    (0, ALL, INPUT, 0),
    *giving(2037, (0, 0, BROWSE), (0, 0, MQOO.OUTPUT), (MQGMO.MSG_UNDER_CURSOR, 0, BROWSE)),
    (MQGMO.SYNCPOINT | MQGMO.NO_SYNCPOINT, 0, BROWSE, 2037),
    *giving(
        2036,
        (MQGMO.BROWSE_FIRST, 0, INPUT),
        (MQGMO.UNLOCK, 0, INPUT),
        (MQGMO.MSG_UNDER_CURSOR, 0, INPUT),
    ),
    (MQGMO.SYNCPOINT | MQGMO.NO_SYNCPOINT, 0, INPUT, 2046),
    (MQGMO.BROWSE_NEXT | MQGMO.MARK_BROWSE_CO_OP, 0, BROWSE, 2046),
    (MQGMO.LOCK, 1 << 20, INPUT, 2046),
    (0, 1 << 20, INPUT, 2247),
)
def test_what_a_handle_may_be_used_for(
    options: int,
    match_options: int,
    open_options: int,
    reason: int,
) -> None:
    assert getting.options_fault(int(options), int(match_options), int(open_options)) == reason


test_a_wait_is_unlimited_or_not_negative = verdicts(getting.wait_fault, (0, 0), (-1, 0), (-2, 2090))
