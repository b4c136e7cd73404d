"""Event messages: their parameters and their order."""

from __future__ import annotations

from mqsc.store.constants import MQAT
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.headers import pcf
from mqsc.store.rules import event_message
from mqsc.store.rules.event_message import (
    EVENT_QUEUES,
    PARAMETERS,
    PERFORMANCE,
    QUEUE_MANAGER,
    EventPart,
    call_facts,
    is_event_message,
    is_event_queue,
    message_of_event,
    parameters_of,
    performance_facts,
)
from mqsc.store.rules.made_message import Maker

NOW = 1_700_000_000_123_456


def test_the_descriptor_field_by_field() -> None:
    name = "A.QUEUE.MANAGER.WITH.A.RATHER.LONG.NAME"
    maker = Maker(name, 850, b"m" * 24, NOW)
    descriptor, body = message_of_event(
        EventPart(PERFORMANCE, 2224, []),
        maker,
        priority=3,
        persistence=1,
    )
    expected = MessageDescriptor(
        encoding=546,
        coded_char_set_id=850,
        format="MQEVENT",
        priority=3,
        persistence=1,
    )
    expected.msg_id, expected.reply_to_q_mgr, expected.put_appl_type = b"m" * 24, name, 7
    expected.put_appl_name, expected.put_date, expected.put_time = name[:28], "20231114", "22132012"
    assert descriptor == expected
    assert pcf.unpack(body) == (pcf.CommandHeader(7, 45, 1, 2224), [])


def test_only_a_message_that_the_queue_manager_made_reports_an_event() -> None:
    made = [("MQEVENT", MQAT.QMGR), ("MQEVENT", MQAT.UNIX), ("MQSTR", MQAT.QMGR)]
    found = [
        is_event_message(MessageDescriptor(format=word, put_appl_type=by)) for word, by in made
    ]
    assert found == [True, False, False]


def test_where_events_go() -> None:
    queues = {45: "PERFM", 44: "QMGR", 43: "CONFIG", 99: "COMMAND", 46: "CHANNEL"}
    assert {number: f"SYSTEM.ADMIN.{word}.EVENT" for number, word in queues.items()} == EVENT_QUEUES
    assert (PERFORMANCE, QUEUE_MANAGER) == (45, 44)


def test_the_version_of_the_header_by_category() -> None:
    versions = {}
    for category in EVENT_QUEUES:
        maker = Maker("QM1", 1208, bytes(24), NOW)
        _, body = message_of_event(EventPart(category, 1, []), maker, priority=0, persistence=0)
        versions[category] = pcf.unpack(body)[0].version
    assert versions == {45: 1, 44: 1, 43: 2, 99: 3, 46: 1}


def test_parameters_of_a_performance_event() -> None:
    facts = performance_facts("QM1", "ORDERS", 7, 9, 20, 11)
    # QMgrName, QName, TimeSinceReset, HighQDepth, MsgEnqCount, MsgDeqCount.
    wanted = [
        (2015, "QM1", 48),
        (2002, "ORDERS", 48),
        (35, 7, 0),
        (36, 9, 0),
        (37, 20, 0),
        (38, 11, 0),
    ]
    assert parameters_of(event_message.EVENTS[2224].parameters, facts) == wanted


def test_parameters_of_an_inhibit_event() -> None:
    # QMgrName, QName, ApplType, ApplName; ObjectQMgrName only for another queue manager.
    here = [(2015, "QM1", 48), (2016, "ORDERS", 48), (1, 6, 0), (3024, "billing", 28)]
    for manager, more in (("", []), ("QM1", []), ("QM2", [(3023, "QM2", 48)])):
        facts = {**call_facts("QM1", "billing", manager), "QName": "ORDERS"}
        assert parameters_of(event_message.EVENTS[2051].parameters, facts) == [*here, *more]


def test_a_put_by_the_queue_manager() -> None:
    facts = call_facts("QM1", "billing", by_queue_manager=True)
    assert facts == {"QMgrName": "QM1", "ApplType": 7, "ApplName": "QM1"}


# The parameter numbers of the queue manager's events, in order, by reason.
ORDER = {
    2085: [2015, 1, 3024, 2016, 2012, 3023],
    2082: [2015, 2016, 2002, 1, 3024, 3023, 193],
    2001: [2015, 2016, 2002, 20, 1, 3024, 3023],
    **{reason: [2015, 2016, 1, 3024, 3023] for reason in (2087, 2184, 2057)},
    **{reason: [2015, 2016, 2024, 1, 3024, 3023] for reason in (2196, 2092, 2197, 2199)},
    **{reason: [2015, 2016, 2024, 20, 1, 3024, 3023] for reason in (2091, 2198)},
    **{2222: [2015, 3191, 1020], 2223: [2015, 1020]},
    # Those of the four types together; each has some of them.
    2035: [2015, 1020, 1022, 1021, 3025, 1, 3024, 3023, 2016, 2012, 3506, 3501],
}


def test_the_order_of_parameters() -> None:
    facts: dict[str, int | str] = dict.fromkeys(PARAMETERS, 0)
    assert {
        reason: [
            each.number for each in parameters_of(event_message.EVENTS[reason].parameters, facts)
        ]
        for reason in ORDER
    } == ORDER


def test_which_queues_are_event_queues() -> None:
    names = [
        "SYSTEM.ADMIN.QMGR.EVENT",
        "SYSTEM.ADMIN.COMMAND.QUEUE",
        "QMGR.EVENT",
        "SYSTEM.ADMIN.PERFM.EVENT",
    ]
    assert [is_event_queue(name) for name in names] == [True, False, False, True]
