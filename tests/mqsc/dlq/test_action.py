"""What each action does with a message (dlq-rules §4.4)."""

from __future__ import annotations

import pytest

from mqsc.dlq.rules_table import ActionPlan, PlannedPut, is_repeated_failure, plan_action
from store.descriptor import FIELDS, MessageDescriptor
from store.headers import mqxqh
from tests.mqsc.dlq.tables import table

# The worked example of §4.4, byte for byte, with more fields of the descriptor set.
HEADER = mqxqh.DeadLetterHeader(2053, "Q1", "QM1", 546, 819, "MQSTR", 6, "mover", "20240102", "03040506")
DATA = mqxqh.pack_mqdlh(HEADER, 273, 437) + b"hello"


def descriptor() -> MessageDescriptor:
    return MessageDescriptor(
        format="MQDEAD",
        encoding=273,
        coded_char_set_id=437,
        report=64,
        msg_type=1,
        expiry=77,
        priority=3,
        persistence=1,
        msg_id=b"m" * 24,
        correl_id=b"c" * 24,
        backout_count=2,
        reply_to_q="ANSWERS",
        reply_to_q_mgr="QM2",
        user_identifier="alice",
        put_appl_name="billing",
        put_date="20240101",
        put_time="00000001",
        group_id=b"g" * 24,
        msg_seq_number=7,
    )


def plan(text: str) -> ActionPlan:
    (rule,) = table(text).rules
    return plan_action(rule, descriptor(), HEADER, DATA)


def put_of(text: str) -> PlannedPut:
    put = plan(text).put
    assert put is not None
    return put


@pytest.mark.parametrize(
    ("text", "queue", "queue_manager", "stripped", "user"),
    [
        ("ACTION(RETRY)", "Q1", "QM1", True, None),
        ("ACTION(RETRY) PUTAUT(CTX)", "Q1", "QM1", True, "alice"),
        ("ACTION(FWD) FWDQ(REST)", "REST", "", False, None),  # T10
        ("ACTION(FWD) FWDQ(REST) HEADER(YES) PUTAUT(CTX)", "REST", "", False, "alice"),
        ("ACTION(FWD) FWDQ(REST) FWDQM(QM3) HEADER(NO)", "REST", "QM3", True, None),
        ("ACTION(FWD) FWDQ(&DESTQ) FWDQM(&DESTQM)", "Q1", "QM1", False, None),
        ("ACTION(FWD) FWDQ(&replyq) FWDQM(&ReplyQM) HEADER(NO)", "ANSWERS", "QM2", True, None),
        ("ACTION(FWD) FWDQ(&DESTQ)", "Q1", "", False, None),
    ],
)
def test_a_put(text: str, queue: str, queue_manager: str, stripped: bool, user: str | None) -> None:
    put = put_of(text)
    assert plan(text).removes
    assert (put.queue, put.queue_manager, put.alternate_user) == (queue, queue_manager, user)
    assert put.data == (b"hello" if stripped else DATA)
    same = descriptor()
    if stripped:
        same.format, same.encoding, same.coded_char_set_id = "MQSTR", 546, 819
    assert put.descriptor == same


def test_what_is_stripped_changes_three_fields_alone() -> None:
    """T06, T07, T11, T12, T13: payload, identifiers, context and expiry are passed on unchanged."""
    put = put_of("ACTION(RETRY)")
    before = descriptor()
    changed = {name for name in FIELDS if getattr(put.descriptor, name) != getattr(before, name)}
    assert changed == {"format", "encoding", "coded_char_set_id"}
    assert put.data == b"hello"


def test_the_message_that_was_browsed_is_not_changed() -> None:
    browsed = descriptor()
    (rule,) = table("ACTION(RETRY)").rules
    plan_action(rule, browsed, HEADER, DATA)
    assert browsed == descriptor()


def test_discard_and_ignore_put_nothing() -> None:
    assert (plan("ACTION(DISCARD)").put, plan("ACTION(DISCARD)").removes) == (None, True)
    assert (plan("ACTION(IGNORE)").put, plan("ACTION(IGNORE)").removes) == (None, False)


@pytest.mark.parametrize(
    ("text", "reason", "repeated"),
    [
        ("ACTION(RETRY)", 2053, True),
        ("ACTION(RETRY)", 2085, False),
        ("ACTION(FWD) FWDQ(&DESTQ) FWDQM(&DESTQM)", 2053, True),
        ("ACTION(FWD) FWDQ(Q1)", 2053, False),
        ("ACTION(FWD) FWDQ(REST) FWDQM(QM1)", 2053, False),
    ],
)
def test_a_failure_that_says_nothing_new(text: str, reason: int, repeated: bool) -> None:
    """T27."""
    assert is_repeated_failure(put_of(text), reason, HEADER) is repeated
