"""What the action of a rule puts, and where."""

from __future__ import annotations

from typing import Any

from mqsc.dlq.planned_put import PlannedPut, is_repeated_failure, planned_put
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.headers import mqdlh
from tests.mqsc.dlq.tables import table
from tests.rows import rows

# The worked example of §4.4, byte for byte, with more fields of the descriptor set.
HEADER = mqdlh.DeadLetterHeader(
    2053,
    "Q1",
    "QM1",
    546,
    819,
    "MQSTR",
    6,
    "mover",
    "20240102",
    "03040506",
)
DATA = mqdlh.pack_mqdlh(HEADER, 273, 437) + b"hello"


GIVEN: dict[str, Any] = {
    **{
        "format": "MQDEAD",
        "encoding": 273,
        "coded_char_set_id": 437,
        "report": 64,
        "msg_type": 1,
        "expiry": 77,
    },
    **{
        "priority": 3,
        "persistence": 1,
        "backout_count": 2,
        "group_id": b"g" * 24,
        "msg_seq_number": 7,
    },
    **{
        "msg_id": b"m" * 24,
        "correl_id": b"c" * 24,
        "reply_to_q": "ANSWERS",
        "reply_to_q_mgr": "QM2",
    },
    **{
        "user_identifier": "alice",
        "put_appl_name": "billing",
        "put_date": "20240101",
        "put_time": "00000001",
    },
}


def descriptor(**fields: Any) -> MessageDescriptor:
    return MessageDescriptor(**GIVEN | fields)


def plan(text: str, browsed: MessageDescriptor | None = None) -> PlannedPut | None:
    (rule,) = table(text).rules
    return planned_put(rule, browsed or descriptor(), HEADER, DATA)


def put_of(text: str) -> PlannedPut:
    put = plan(text)
    assert put is not None
    return put


STRIPPED: dict[str, Any] = {"format": "MQSTR", "encoding": 546, "coded_char_set_id": 819}


@rows(
    ("ACTION(RETRY)", "Q1", "QM1", True, None),
    ("ACTION(RETRY) PUTAUT(CTX)", "Q1", "QM1", True, "alice"),
    ("ACTION(FWD) FWDQ(REST)", "REST", "", False, None),  # T10
    ("ACTION(FWD) FWDQ(REST) HEADER(YES) PUTAUT(CTX)", "REST", "", False, "alice"),
    ("ACTION(FWD) FWDQ(REST) FWDQM(QM3) HEADER(NO)", "REST", "QM3", True, None),
    ("ACTION(FWD) FWDQ(&DESTQ) FWDQM(&DESTQM)", "Q1", "QM1", False, None),
    ("ACTION(FWD) FWDQ(&replyq) FWDQM(&ReplyQM) HEADER(NO)", "ANSWERS", "QM2", True, None),
    ("ACTION(FWD) FWDQ(&DESTQ)", "Q1", "", False, None),
)
def test_a_put(text: str, queue: str, queue_manager: str, stripped: bool, user: str | None) -> None:
    """T06, T07, T11, T12, T13: what is stripped changes three fields alone; what was browsed is
    not changed.
    """
    browsed = descriptor()
    put = put_of(text)
    assert (plan(text, browsed), browsed) == (put, descriptor())
    assert (put.queue, put.queue_manager, put.alternate_user) == (queue, queue_manager, user)
    assert put.data == (b"hello" if stripped else DATA)
    assert put.descriptor == descriptor(**STRIPPED if stripped else {})


def test_discard_and_ignore_put_nothing() -> None:
    assert [plan("ACTION(DISCARD)"), plan("ACTION(IGNORE)")] == [None, None]


@rows(
    ("ACTION(RETRY)", 2053, True),
    ("ACTION(RETRY)", 2085, False),
    ("ACTION(FWD) FWDQ(&DESTQ) FWDQM(&DESTQM)", 2053, True),
    ("ACTION(FWD) FWDQ(Q1)", 2053, False),
    ("ACTION(FWD) FWDQ(REST) FWDQM(QM1)", 2053, False),
)
def test_a_failure_that_says_nothing_new(text: str, reason: int, repeated: bool) -> None:
    """T27."""
    assert is_repeated_failure(put_of(text), reason, HEADER) is repeated
