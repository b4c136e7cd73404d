"""Event messages: their parameters and their order, performance events, and objects in them
(events §5).
"""

from __future__ import annotations

from typing import Any

from mqsc.store.catalog import KINDS
from mqsc.store.catalog.pcf import PcfAttribute, pcf_attributes
from mqsc.store.constants import MQAT
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.headers import pcf
from mqsc.store.headers.pcf import Parameter
from mqsc.store.rules import event_message
from mqsc.store.rules.event_message import (
    EVENT_QUEUES,
    HIGH,
    NO_EVENTS,
    OK,
    PARAMETERS,
    PERFORMANCE,
    QUEUE_MANAGER,
    EventPart,
    MonitoredQueue,
    call_facts,
    cause_parameters,
    has_events,
    is_event_message,
    is_event_queue,
    message_of_event,
    object_parameters,
    parameters_of,
    pcf_parameter,
    performance_facts,
)
from mqsc.store.rules.made_message import Maker
from tests.rows import rows
from tests.store.tables import named_rows

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


SECOND = 1_000_000
# A queue with MAXDEPTH(10) QDEPTHHI(80) QDEPTHLO(20) QSVCINT(1000) and no events enabled.
QUIET = MonitoredQueue(0, 10, 80, 20, 0, 0, 0, NO_EVENTS, 1000, None, NOW)


@named_rows(
    ("below the limit", {"depth": 7, "high_event": 1}, []),
    ("at the limit", {"depth": 8, "high_event": 1}, [2224]),
    ("above the limit", {"depth": 9, "high_event": 1}, [2224]),
    ("disabled", {"depth": 9}, []),
    ("80 percent of 9 is 7.2", {"depth": 7, "max_depth": 9, "high_event": 1}, []),
    ("80 percent of 9 is 7.2", {"depth": 8, "max_depth": 9, "high_event": 1}, [2224]),
    ("a put makes no low event", {"depth": 1, "low_event": 1}, []),
    ("nor full", {"depth": 10, "full_event": 1}, []),
    ("in time", {"service_event": HIGH, "timer_started": NOW - SECOND}, []),
    ("late", {"service_event": HIGH, "timer_started": NOW - SECOND - 1}, [2226]),
    ("the timer is not running", {"service_event": HIGH}, []),
    ("only OK is enabled", {"service_event": OK, "timer_started": NOW - 9 * SECOND}, []),
    ("a put makes no OK", {"service_event": OK, "timer_started": NOW}, []),
    (
        "both",
        {"depth": 8, "high_event": 1, "service_event": HIGH, "timer_started": 0},
        [2224, 2226],
    ),
)
def test_events_of_a_put(facts: dict[str, int], reasons: list[int]) -> None:
    assert [event.reason for event in event_message.after_put(QUIET._replace(**facts))] == reasons


@named_rows(
    ("above the limit", {"depth": 3, "low_event": 1}, []),
    ("at the limit", {"depth": 2, "low_event": 1}, [2225]),
    ("empty", {"depth": 0, "low_event": 1}, [2225]),
    ("disabled", {"depth": 0}, []),
    ("a get makes no high event", {"depth": 9, "high_event": 1}, []),
    ("late", {"service_event": HIGH, "timer_started": NOW - SECOND - 1}, [2226]),
    ("in time, HIGH is enabled", {"service_event": HIGH, "timer_started": NOW - SECOND}, []),
    ("in time, OK is enabled", {"service_event": OK, "timer_started": NOW - SECOND}, [2227]),
    ("late, OK is enabled", {"service_event": OK, "timer_started": NOW - SECOND - 1}, []),
    ("the timer is not running", {"service_event": OK}, []),
    ("the clock ran backwards", {"service_event": OK, "timer_started": NOW + SECOND}, [2227]),
)
def test_events_of_a_get(facts: dict[str, int], reasons: list[int]) -> None:
    assert [event.reason for event in event_message.after_get(QUIET._replace(**facts))] == reasons


@rows((0, []), (1, [2053]))
def test_events_of_a_put_to_a_full_queue(full_event: int, reasons: list[int]) -> None:
    assert [
        event.reason
        for event in event_message.after_queue_full(QUIET._replace(full_event=full_event))
    ] == reasons


BOTH = [event_message.DEPTH_HIGH, event_message.SERVICE_HIGH]


# mqi-semantics §11, the column "toggling".
@rows(
    ([event_message.QUEUE_FULL], {"full_event": 0, "low_event": 1}),
    ([event_message.DEPTH_HIGH], {"high_event": 0, "low_event": 1, "full_event": 1}),
    ([event_message.DEPTH_LOW], {"low_event": 0, "high_event": 1, "full_event": 1}),
    ([event_message.SERVICE_HIGH], {"service_event": OK}),
    ([event_message.SERVICE_OK], {"service_event": HIGH}),
    (BOTH, {"high_event": 0, "low_event": 1, "full_event": 1, "service_event": OK}),
)
def test_events_disable_and_enable_each_other(
    events: list[event_message.PerformanceEvent],
    switches: dict[str, int],
) -> None:
    assert event_message.all_switches(events) == switches


# (kind, attribute, value as DISPLAY shows it, value in PCF, length that the parameter is padded to)
@rows(
    ("QLOCAL", "MAXDEPTH", 5000, 5000, 0),
    ("QLOCAL", "DEFPSIST", "YES", 1, 0),
    ("QLOCAL", "DESCR", "orders", "orders", 64),
    ("QMGR", "SUITEB", ["128_BIT", "192_BIT"], [2, 4], 0),
    *(
        ("CHANNEL", "COMPMSG", ["RLE", "ZLIBFAST"], [1, 2], 0),
        ("CHANNEL", "COMPHDR", "NONE", [0], 0),
    ),
    ("AUTHREC", "AUTHLIST", ["GET", "PUT"], [9, 11], 0),
    *(("NAMELIST", "NAMES", ["A", "B"], ["A", "B"], 48), ("NAMELIST", "NAMES", ["A"], ["A"], 48)),
    ("NAMELIST", "NAMES", "", [], 48),
    ("CHANNEL", "CONNAME", ["a", "b"], "a,b", 264),
    *(
        ("CHANNEL", "SENDEXIT", ["a", "b"], ["a", "b"], 128),
        ("CHANNEL", "SENDEXIT", ["a"], "a", 128),
    ),
    ("SUB", "SUBID", "00FF", b"\0\xff", 0),
)
def test_the_value_of_an_attribute_has_its_type_in_pcf(
    kind: str,
    word: str,
    shown: Any,
    value: Any,
    length: int,
) -> None:
    row = pcf_attributes(kind)[word]
    assert pcf_parameter(row, shown) == Parameter(row.number, value, length)


def test_a_word_without_a_number_is_left_out() -> None:
    assert pcf_parameter(pcf_attributes("QLOCAL")["MONQ"], "NONE OF THESE") is None
    suite = pcf_attributes("QMGR")["SUITEB"]
    assert pcf_parameter(suite, ["NONE OF THESE", "128_BIT"]) == Parameter(suite.number, [2])


def test_an_object_has_its_type_and_name_then_texts_then_numbers_and_lists() -> None:
    shown = {"QUEUE": "A", "CURDEPTH": 3, "MAXDEPTH": 10, "DESCR": "orders", "PUT": "ENABLED"}
    named = pcf_attributes("QLOCAL")
    values: list[tuple[PcfAttribute, int | str, int]]
    values = [(named["DESCR"], "orders", 64), (named["MAXDEPTH"], 10, 0), (named["PUT"], 0, 0)]
    assert object_parameters(KINDS["QLOCAL"], "A", shown) == [
        *(Parameter(1016, 1), Parameter(2016, "A", 48)),
        *(Parameter(row.number, value, length) for row, value, length in values),
        Parameter(20, 1),
    ]


def test_who_caused_an_event_and_where() -> None:
    expected = [Parameter(3045, "alice", 12), Parameter(1011, 1), Parameter(3047, "QM1", 48)]
    assert cause_parameters("alice", 1, "QM1") == expected


def test_which_objects_have_events() -> None:
    objects = (("QLOCAL", "A"), ("SUB", "A"), ("QLOCAL", "SYSTEM.ADMIN.CONFIG.EVENT"))
    assert [has_events(KINDS[kind], name) for kind, name in objects] == [True, False, False]
