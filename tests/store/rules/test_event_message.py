from __future__ import annotations

from store.headers import pcf
from store.rules.event_message import (
    EVENT_QUEUES,
    PERFORMANCE,
    QUEUE_MANAGER,
    QueueStatistics,
    event_message,
    inhibit_parameters,
    performance_parameters,
)

NOW = 1_700_000_000_123_456
DESCRIPTOR = {
    "report": 0,
    "msg_type": 8,
    "expiry": -1,
    "feedback": 0,
    "encoding": 546,
    "coded_char_set_id": 850,
    "format": "MQEVENT",
    "priority": 3,
    "persistence": 1,
    "msg_id": b"m" * 24,
    "correl_id": bytes(24),
    "backout_count": 0,
    "reply_to_q": "",
    "reply_to_q_mgr": "A.QUEUE.MANAGER.WITH.A.RATHER.LONG.NAME",
    "user_identifier": "",
    "accounting_token": bytes(32),
    "appl_identity_data": "",
    "put_appl_type": 7,
    "put_appl_name": "A.QUEUE.MANAGER.WITH.A.RATHE",
    "put_date": "20231114",
    "put_time": "22132012",
    "appl_origin_data": "",
}


def test_the_descriptor_field_by_field() -> None:
    descriptor, body = event_message(
        PERFORMANCE,
        2224,
        [],
        priority=3,
        persistence=1,
        queue_manager="A.QUEUE.MANAGER.WITH.A.RATHER.LONG.NAME",
        msg_id=b"m" * 24,
        coded_char_set_id=850,
        now=NOW,
    )
    assert {name: getattr(descriptor, name) for name in DESCRIPTOR} == DESCRIPTOR
    assert pcf.unpack(body) == (pcf.CommandHeader(7, 45, 1, 2224), [])


def test_where_events_go() -> None:
    assert EVENT_QUEUES == {PERFORMANCE: "SYSTEM.ADMIN.PERFM.EVENT", QUEUE_MANAGER: "SYSTEM.ADMIN.QMGR.EVENT"}
    assert (PERFORMANCE, QUEUE_MANAGER) == (45, 44)


def test_parameters_of_a_performance_event() -> None:
    told = performance_parameters("QM1", "ORDERS", QueueStatistics(seconds=7, high_depth=9, puts=20, gets=11))
    # QMgrName, QName, TimeSinceReset, HighQDepth, MsgEnqCount, MsgDeqCount.
    assert told == [(2015, "QM1", 48), (2002, "ORDERS", 48), (35, 7, 0), (36, 9, 0), (37, 20, 0), (38, 11, 0)]


def test_parameters_of_an_inhibit_event() -> None:
    # QMgrName, QName, ApplType, ApplName; ObjectQMgrName only when it is another.
    here = [(2015, "QM1", 48), (2016, "ORDERS", 48), (1, 6, 0), (3024, "billing", 28)]
    assert inhibit_parameters("QM1", "ORDERS", "billing") == here
    assert inhibit_parameters("QM1", "ORDERS", "billing", "QM1") == here
    assert inhibit_parameters("QM1", "ORDERS", "billing", "QM2") == [*here, (3023, "QM2", 48)]
