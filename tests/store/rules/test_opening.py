"""Conflicting options of MQOPEN, and which opens for input exclude each other (mqi-semantics §2.1, §2.2)."""

from __future__ import annotations

from store.constants import MQOO
from store.rules.opening import context_allowed, input_conflicts, is_exclusive, option_conflict
from tests.store.tables import named_rows, rows


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
def test_options(options: int, wrong: str) -> None:
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
