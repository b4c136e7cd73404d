"""The decisions of a channel: commands, negotiation, retries (L18 to L20), faults, undeliverable
messages (Ch4).
"""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from mqsc.store.catalog import KINDS
from mqsc.store.constants import MQCHS, MQFB, MQRC, MQRCCF, MQRO
from mqsc.store.rules.channel import decisions
from mqsc.store.rules.channel.decisions import (
    COMMAND_TYPES,
    NOT_NAMED,
    Action,
    Remaining,
    RetriesLeft,
    RetryAttributes,
)
from mqsc.store.sql.rows import ChannelFaultRow
from tests.rows import rows
from tests.store.tables import giving, named_rows, named_verdicts, verdicts

IN_USE, NOT_ACTIVE, IN_DOUBT = (
    MQRCCF.CHANNEL_IN_USE,
    MQRCCF.CHANNEL_NOT_ACTIVE,
    MQRCCF.CHANNEL_INDOUBT,
)
TYPES = KINDS["CHANNEL"].attributes["CHLTYPE"].type.words
# The refusal of each command when the channel is active, STARTING, RETRYING, STOPPED, INACTIVE, and
# in doubt, or None.
ANSWERS = {
    "START": (IN_USE, IN_USE, None, None, None, None),
    "STOP": (None, None, None, NOT_ACTIVE, NOT_ACTIVE, None),
    "RESET": (None, None, None, None, None, IN_DOUBT),
    "RESOLVE": (IN_USE, None, None, None, None, None),
    "PING": (IN_USE, None, None, None, None, None),
    "ALTER": (None, None, None, None, None, IN_DOUBT),
    "DELETE": (IN_USE, None, None, None, None, IN_DOUBT),
}


@pytest.mark.parametrize(("command", "answers"), ANSWERS.items())
def test_each_command_in_each_status(command: str, answers: tuple[MQRCCF | None, ...]) -> None:
    statuses = (MQCHS.RUNNING, MQCHS.STARTING, MQCHS.RETRYING, MQCHS.STOPPED, MQCHS.INACTIVE)
    found = [decisions.refusal(command, decisions.ChannelSituation(status)) for status in statuses]
    assert (
        *found,
        decisions.refusal(command, decisions.ChannelSituation(MQCHS.RETRYING, in_doubt=True)),
    ) == answers


def test_the_active_statuses() -> None:
    """Ch5: current, except RETRYING, STOPPED and STARTING."""
    others = sorted(MQCHS(each).name for each in set(MQCHS) - decisions.ACTIVE)
    assert others == ["INACTIVE", "RETRYING", "STARTING", "STOPPED"]


def test_the_types_that_each_command_takes() -> None:
    refused = {command: sorted(set(TYPES) - types) for command, types in COMMAND_TYPES.items()}
    assert refused["START"] == refused["STOP"] == ["CLNTCONN"]
    assert refused["RESET"] == ["AMQP", "CLNTCONN", "MQTT", "SVRCONN"]
    assert COMMAND_TYPES["RESOLVE"] == COMMAND_TYPES["PING"] == {"SDR", "SVR", "CLUSSDR"}


test_what_a_start_needs = verdicts(
    decisions.start_fault,
    ("SDR", "h", "X", "XMITQ", None),
    ("SDR", "h", "X", "", MQRCCF.MQOPEN_FAILED),
    ("SDR", "h", "X", "NORMAL", MQRCCF.NOT_XMIT_Q),
    ("SVR", "", "X", "XMITQ", MQRCCF.WRONG_CHANNEL_TYPE),
    ("SVR", "h", "X", "XMITQ", None),
    ("RQSTR", "h", None, "", None),
)


test_stop_chinit_is_gentle_with_senders = verdicts(
    decisions.mode_of_chinit,
    *giving("QUIESCE", "SDR", "SVR"),
    *giving("FORCE", "RCVR", "RQSTR"),
)

MOST = 999_999_999
OFFER = decisions.Offer(50, 10_000, 300, 4_194_304, MOST, fast=True)
BOTH = decisions.Agreement(50, 300, 4_194_304, MOST, fast=True, compression="NONE")
ZLIB_FIRST = {"compression": ["ZLIBFAST", "RLE", "NONE"]}
GOOD_PAIRS = {
    ("SDR", "RCVR"),
    ("SVR", "RCVR"),
    ("SVR", "RQSTR"),
    ("SDR", "RQSTR"),
    ("RQSTR", "SVR"),
    ("RQSTR", "SDR"),
}


@named_rows(
    ("alike", {}, {}, {}),
    ("H46-sender", {"batch_size": 10}, {}, {"batch_size": 10}),
    ("H46", {}, {"batch_size": 10}, {"batch_size": 10}),
    ("L39", {}, {"uncommitted_limit": 20}, {"batch_size": 20}),
    ("L39-sender", {"uncommitted_limit": 5}, {"batch_size": 9}, {"batch_size": 5}),
    ("HBINT-larger", {"heartbeat": 10}, {"heartbeat": 300}, {"heartbeat": 300}),
    ("HBINT-none", {"heartbeat": 0}, {"heartbeat": 300}, {"heartbeat": 0}),
    ("HBINT-none-receiver", {"heartbeat": 300}, {"heartbeat": 0}, {"heartbeat": 0}),
    ("MAXMSGL-lower", {"max_length": 1000}, {}, {"max_length": 1000}),
    ("MAXMSGL-lower-receiver", {}, {"max_length": 0}, {"max_length": 0}),
    ("NPMSPEED", {"fast": False}, {}, {"fast": False}),
    ("NPMSPEED-receiver", {}, {"fast": False}, {"fast": False}),
    (
        "COMPMSG-first-of-sender",
        ZLIB_FIRST,
        {"compression": ["NONE", "RLE"]},
        {"compression": "RLE"},
    ),
    ("COMPMSG-none", {"compression": ["RLE"]}, {"compression": ["ZLIBHIGH"]}, {}),
)
def test_agreement(
    sender: dict[str, Any],
    receiver: dict[str, Any],
    agreed: dict[str, Any],
) -> None:
    found = decisions.agree(OFFER._replace(**sender), OFFER._replace(**receiver))
    assert found == BOTH._replace(**agreed)


def test_h47_different_wraps() -> None:
    found = decisions.agree(OFFER._replace(sequence_wrap=100), OFFER._replace(sequence_wrap=200))
    assert found == decisions.WRAP_DIFFERS


def test_pairs() -> None:
    types = ("SDR", "SVR", "RCVR", "RQSTR", "CLUSSDR", "CLUSRCVR", "SVRCONN", "CLNTCONN")
    assert {pair for pair in product(types, types) if decisions.may_call(*pair)} == GOOD_PAIRS


def attempts(attributes: RetryAttributes) -> list[int]:
    """Return the seconds of all attempts of a channel whose partner is always down, until it is
    STOPPED.
    """
    left, now, tried = decisions.all_retries(attributes), 0, []
    while True:
        tried.append(now // decisions.SECOND)
        retry = decisions.next_retry(attributes, left, now)
        if retry is None:
            return tried
        now, left = retry


test_attempts = named_verdicts(
    attempts,
    ("H18", RetryAttributes(2, 1, 1, 2), [0, 1, 2, 4]),
    ("H50", RetryAttributes(2, 10, 1, 100), [0, 10, 20, 120]),
    ("L18", RetryAttributes(1, 60, 0, 1200), [0, 60]),
    ("long-only", RetryAttributes(0, 60, 2, 1200), [0, 1200, 2400]),
    ("none", RetryAttributes(0, 60, 0, 1200), [0]),
    ("timer-of-0", RetryAttributes(2, 0, 0, 0), [0, 0, 0]),
)


def test_l19_the_first_failure_leaves_nine_short_retries() -> None:
    attributes = RetryAttributes(10, 60, 999_999_999, 1200)
    retry = decisions.next_retry(attributes, decisions.all_retries(attributes), 5)
    assert retry == (5 + 60 * decisions.SECOND, RetriesLeft(9, 999_999_999))


def test_l18_an_exhausted_channel_stops_again_at_once() -> None:
    assert [RetriesLeft(*left).is_exhausted for left in ((0, 0), (0, 1), (1, 0))] == [
        True,
        False,
        False,
    ]
    assert decisions.next_retry(RetryAttributes(1, 60, 0, 1200), RetriesLeft(0, 0), 0) is None


test_l46_the_channel_is_named_or_found = verdicts(
    decisions.channel_of,
    *(
        ("C", "U", ["A"], "C"),
        ("", "U", ["A"], "U"),
        ("", "", ["A", "B"], "A"),
        ("", "", [], ""),
        ("  ", " U ", [], "U"),
    ),
)


def test_l47_only_an_inactive_channel_is_started() -> None:
    assert [status for status in MQCHS if decisions.starts(status)] == [MQCHS.INACTIVE]


def fault(step: str, number: int = 0, action: str = "break", **given: Any) -> ChannelFaultRow:
    row = ChannelFaultRow(1, "QM1", "C", step, number, action, 0, None, None)
    return row._replace(**given)


@rows(
    *giving(True, ("S1", 0, "S1", 7), ("S1", 3, "S1", 3), ("", 0, "S5-after", 0)),
    *giving(False, ("S1", 3, "S1", 4), ("S1", 0, "S2", 1)),
)
def test_a_fault_acts_at_its_step_and_message(
    set_at: str,
    number: int,
    step: str,
    message: int,
    acts: bool,
) -> None:
    assert bool(decisions.acting([fault(set_at, number)], step, message, 0)) is acts


def test_a_fault_ends_at_its_time() -> None:
    limited = fault("S1", until=100)
    assert [decisions.lasts(limited, now) for now in (99, 100)] == [True, False]
    assert decisions.acting([limited], "S1", 1, 100) == []


def test_a_slow_link_is_slow_before_it_breaks() -> None:
    both = [fault("S1", id=1), fault("S1", action="slow", id=2)]
    assert [each.action for each in decisions.acting(both, "S1", 1, 0)] == ["slow", "break"]


def test_a_partner_goes_down_at_the_step_and_stays_down() -> None:
    down = fault("R1", 2, "down", times=3)
    assert decisions.unreachable([down], 0) is None
    assert decisions.after(down) == Remaining("", 0, 2)
    assert decisions.unreachable([down._replace(step="", number=0)], 0) is not None


def test_a_break_is_counted() -> None:
    assert decisions.after(fault("S1", 2, times=1)) == Remaining("S1", 2, 0)
    assert decisions.after(fault("S1", 2)) == Remaining("S1", 2, None)


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
        decisions.decide(
            decisions.UndeliverableFacts(reason, retries, report, fast, use, dead_letter),
        )
        is action
    )


def test_h25_a_message_that_expires_between_retries_is_not_dead_lettered() -> None:
    facts = decisions.UndeliverableFacts(
        FULL,
        8,
        NOTHING,
        fast=False,
        use_dead_letter_queue=True,
        expired=True,
    )
    assert decisions.decide(facts) is Action.EXPIRE


test_exception_reports = named_verdicts(
    decisions.reports_exception,
    ("disposition-succeeded", Action.DEAD_LETTER, EXCEPTION, True),
    ("H12", Action.DISCARD, FULL_DATA | DISCARD, True),
    ("H10", Action.DROP, EXCEPTION, True),
    ("H11", Action.END, EXCEPTION, False),
    ("H25", Action.EXPIRE, EXCEPTION, False),
    ("retry", Action.RETRY, EXCEPTION, False),
    ("not-asked", Action.DEAD_LETTER, NOTHING, False),
)
