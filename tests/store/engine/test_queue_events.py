"""Puts and gets, the event messages they cause, and where these get their attributes (mqi-semantics §11, R1, R2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from store.admin.altering import change, change_queue_manager
from store.admin.defining import create
from store.admin.deleting import delete
from store.admin.expiry import refresh_expiry
from store.admin.inquiring import inquire
from store.catalog import KINDS
from store.client.api import Connection, ObjectHandle, QueueManager
from store.constants import MQGMO, MQIA, MQOO, MQPMO, MQRC
from store.descriptor import MessageDescriptor
from store.engine import queue_events
from store.engine.history import EVENT, Deliver
from store.engine.state import CallContext
from store.environment import Environment, FrozenClock
from store.headers import pcf
from store.headers.pcf import Parameter, Value
from store.message import GetMessageOptions, Message, PutMessageOptions
from store.rules.event_message import CONFIGURATION, EventPart
from store.sqlite.database import Transaction
from tests.store.mqi.calls import reason_of
from tests.store.tables import named_rows, rows

PERFORMANCE, QUEUE_MANAGER = "SYSTEM.ADMIN.PERFM.EVENT", "SYSTEM.ADMIN.QMGR.EVENT"
QLOCAL = KINDS["QLOCAL"]


class Bench(NamedTuple):
    """A program that has the queue Q open, and access to the event queues."""

    qmgr: QueueManager
    clock: FrozenClock
    connection: Connection
    queue: ObjectHandle

    def put(self, count: int = 1, options: int = 0) -> None:
        for _ in range(count):
            self.queue.put(Message(b"x"), PutMessageOptions(options))

    def get(self, count: int = 1, options: int = 0) -> None:
        for _ in range(count):
            self.queue.get(GetMessageOptions(options))

    def wait(self, milliseconds: int) -> None:
        self.clock.advance(milliseconds / 1000)

    def refused(self, reason: int, call: Any, *arguments: Any) -> None:
        assert reason_of(lambda: call(*arguments)) == reason

    def events(self, name: str = PERFORMANCE) -> list[Message]:
        """Get and return the event messages on a queue."""
        found = []
        with self.qmgr.connect() as reader:
            handle = reader.open(name, MQOO.INPUT_SHARED | MQOO.INQUIRE)
            while handle.inquire(MQIA.CURRENT_Q_DEPTH)[MQIA.CURRENT_Q_DEPTH]:
                found.append(handle.get())
        return found

    def reasons(self, name: str = PERFORMANCE) -> list[int]:
        return [pcf.unpack(each.body)[0].reason for each in self.events(name)]

    def told(self, name: str = PERFORMANCE) -> list[list[Value]]:
        return [[parameter.value for parameter in pcf.unpack(each.body)[1]] for each in self.events(name)]


@pytest.fixture
def bench(qmgr: QueueManager, environment: Environment[FrozenClock], request: pytest.FixtureRequest) -> Iterator[Bench]:
    """PERFMEV and INHIBTEV are enabled; Q has MAXDEPTH(10) and the attributes that the test gives."""
    change_queue_manager(qmgr, {"PERFMEV": "ENABLED", "INHIBTEV": "ENABLED"})
    create(qmgr, QLOCAL, "Q", {"MAXDEPTH": 10, **getattr(request, "param", {})})
    with qmgr.connect(application="billing", user="alice") as connection:
        queue = connection.open("Q", MQOO.INPUT_SHARED | MQOO.OUTPUT | MQOO.BROWSE)
        bench = Bench(qmgr, environment.clock, connection, queue)
        bench.events(QUEUE_MANAGER)
        yield bench


@pytest.mark.parametrize("bench", [{"QDEPTHLO": 40, "QDPLOEV": "ENABLED", "QDPHIEV": "ENABLED"}], indirect=True)
def test_p1_a_backout_that_leaves_the_depth_as_it_is_raises_no_event(bench: Bench) -> None:
    bench.put(5)
    bench.put(1, MQPMO.SYNCPOINT)
    bench.get(1, MQGMO.SYNCPOINT)
    bench.connection.back()
    assert bench.reasons() == []
    bench.get(1, MQGMO.SYNCPOINT)
    assert bench.reasons() == [MQRC.Q_DEPTH_LOW]


@pytest.mark.parametrize("bench", [{"QDPHIEV": "ENABLED"}], indirect=True)
def test_m11_high_switches_low_and_full_on_and_low_switches_high_on(bench: Bench) -> None:
    bench.put(7)
    assert bench.reasons() == []
    bench.put()
    assert bench.reasons() == [2224]
    bench.put(2)
    bench.get(7)
    assert bench.reasons() == []
    bench.get()
    assert bench.reasons() == [2225]
    bench.get(2)
    bench.put(7)
    assert bench.reasons() == []
    bench.put()
    assert bench.reasons() == [2224]


def test_m11_full_comes_once_until_low_or_high_switches_it_on(bench: Bench) -> None:
    bench.put(10)
    for _ in range(3):
        bench.refused(MQRC.Q_FULL, bench.put)
    assert bench.reasons() == [2053]
    bench.get(8)
    assert bench.reasons() == [2225]
    bench.put(8)
    bench.refused(MQRC.Q_FULL, bench.put)
    assert bench.reasons() == [2224, 2053]


@pytest.mark.parametrize("bench", [{"QDPLOEV": "ENABLED", "QDPMAXEV": "DISABLED"}], indirect=True)
def test_m11_low_alone_comes_with_the_first_get_at_the_limit(bench: Bench) -> None:
    bench.put(4)
    bench.get()
    assert bench.reasons() == []
    bench.get()
    assert bench.reasons() == [2225]


@pytest.mark.parametrize("bench", [{"QDPMAXEV": "DISABLED"}], indirect=True)
def test_m11_nothing_is_written_when_nothing_is_switched_on(bench: Bench) -> None:
    bench.put(10)
    bench.refused(MQRC.Q_FULL, bench.put)
    bench.get(10)
    assert bench.reasons() == []


@pytest.mark.parametrize("bench", [{"QDPHIEV": "ENABLED", "QSVCIEV": "HIGH"}], indirect=True)
def test_m11_perfmev_disabled_stops_every_performance_event(bench: Bench) -> None:
    change_queue_manager(bench.qmgr, {"PERFMEV": "DISABLED"})
    bench.put(10)
    bench.refused(MQRC.Q_FULL, bench.put)
    bench.get(10)
    assert bench.reasons() == []


@pytest.mark.parametrize("bench", [{"QDPHIEV": "ENABLED"}], indirect=True)
def test_m11_alter_switches_an_event_on_again_and_display_shows_the_values_in_force(bench: Bench) -> None:
    bench.put(8)
    change(bench.qmgr, QLOCAL, "Q", {"DESCR": "changed"})
    bench.put()
    assert bench.reasons() == [2224]
    change(bench.qmgr, QLOCAL, "Q", {"QDPHIEV": "ENABLED"})
    bench.put()
    assert bench.reasons() == [2224]
    (row,) = inquire(bench.qmgr, [QLOCAL], "Q")
    assert (row["QDPHIEV"], row["QDPLOEV"]) == ("DISABLED", "ENABLED")


@pytest.mark.parametrize("bench", [{"QDPHIEV": "ENABLED"}], indirect=True)
def test_m11_an_event_tells_the_statistics_and_begins_them_again(bench: Bench) -> None:
    bench.put(3)
    bench.get(2)
    bench.wait(3500)
    bench.put(7)
    assert bench.told() == [["QM1", "Q", 3, 8, 10, 2]]
    bench.wait(60_000)
    bench.put(2)
    bench.get(8)
    assert bench.told() == [["QM1", "Q", 60, 10, 2, 8]]


@pytest.mark.parametrize("bench", [{"QDPHIEV": "ENABLED"}], indirect=True)
def test_m11_an_event_is_outside_the_unit_of_work_that_causes_it(bench: Bench) -> None:
    bench.put(8, MQPMO.SYNCPOINT)
    assert bench.connection.unit.count == 8
    bench.connection.back()
    assert bench.reasons() == [2224, 2225]
    bench.put(8)
    assert bench.reasons() == [2224]


@pytest.mark.parametrize("bench", [{"QDPHIEV": "ENABLED"}], indirect=True)
def test_m11_backing_out_and_browsing_are_no_gets(bench: Bench) -> None:
    bench.put(8)
    bench.events()
    bench.put(2, MQPMO.SYNCPOINT)
    bench.connection.back()
    bench.get(8, MQGMO.BROWSE_NEXT)
    assert bench.reasons() == []
    bench.get(6, MQGMO.SYNCPOINT)
    assert bench.reasons() == [2225]


@pytest.mark.parametrize("bench", [{"QDPLOEV": "ENABLED"}], indirect=True)
def test_discarding_expired_messages_can_make_the_depth_low(bench: Bench) -> None:
    bench.queue.put([Message(b"x", MessageDescriptor(expiry=10)) for _ in range(8)])
    bench.wait(2000)
    bench.refused(MQRC.NO_MSG_AVAILABLE, bench.get)
    assert bench.reasons() == [2225]


@pytest.mark.parametrize("bench", [{"QDPHIEV": "ENABLED"}], indirect=True)
def test_n24_a_scan_makes_the_depth_low_and_puts_make_it_high_again(bench: Bench) -> None:
    bench.queue.put([Message(b"x", MessageDescriptor(expiry=10)) for _ in range(8)])
    bench.wait(2000)
    refresh_expiry(bench.connection.qmgr)
    bench.put(8)
    assert bench.reasons() == [2224, 2225, 2224]


@pytest.mark.parametrize("bench", [{"QDPHIEV": "ENABLED"}], indirect=True)
def test_n25_a_backout_changes_the_depth_too(bench: Bench) -> None:
    bench.put(8, MQPMO.SYNCPOINT)
    bench.connection.back()
    assert bench.reasons() == [2224, 2225]


@pytest.mark.parametrize("bench", [{"QDPHIEV": "ENABLED"}], indirect=True)
def test_m11_a_list_is_one_put(bench: Bench) -> None:
    bench.queue.put([Message(b"x") for _ in range(10)])
    assert bench.told() == [["QM1", "Q", 0, 10, 10, 0]]


SERVICE = {"QSVCIEV": "HIGH", "QSVCINT": 1000, "QDPMAXEV": "DISABLED"}


@pytest.mark.parametrize("bench", [SERVICE], indirect=True)
@named_rows(
    ("one message, got in time", ["put", 1000, "get"], []),
    ("one message, got late", ["put", 1001, "get"], [2226]),
    ("noticed by a put", ["put", 1001, "put"], [2226]),
    ("an empty queue keeps nobody waiting", ["put", "get", 5000, "put", 10, "get"], []),
    ("a get that leaves messages starts the timer", ["put", "put", 600, "get", 600, "get"], []),
    ("a put to a queue that is not empty does not", ["put", 600, "put", 600, "put"], [2226]),
    ("HIGH comes once", ["put", 1500, "put", 1500, "put"], [2226]),
    ("then OK, then HIGH", ["put", 1500, "put", "get", 10, "get", "put", 1500, "get"], [2226, 2227, 2226]),
    ("late again is no OK", ["put", "put", 1500, "get", 1500, "get"], [2226]),
)
def test_m11_service_interval(bench: Bench, steps: list[str | int], reasons: list[int]) -> None:
    for step in steps:
        if isinstance(step, int):
            bench.wait(step)
        else:
            getattr(bench, step)()
    assert bench.reasons() == reasons


@pytest.mark.parametrize("bench", [SERVICE], indirect=True)
def test_m11_a_start_of_the_queue_manager_starts_the_service_timer(bench: Bench) -> None:
    bench.connection.put1("Q", Message(b"x", MessageDescriptor(persistence=1)))
    bench.connection.disconnect()
    bench.wait(5000)
    bench.qmgr.end()
    bench.qmgr.start()
    with bench.qmgr.connect() as connection:
        connection.put1("Q", Message(b"x"))
        assert bench.reasons() == []
        bench.wait(1001)
        connection.put1("Q", Message(b"x"))
    assert bench.reasons() == [2226]


@pytest.mark.parametrize("bench", [{**SERVICE, "QSVCIEV": "OK"}], indirect=True)
def test_m11_qsvciev_ok_begins_with_ok(bench: Bench) -> None:
    bench.put()
    bench.get()
    assert bench.reasons() == [2227]


def test_m11_inhibited_calls_are_told_by_the_name_that_was_opened(bench: Bench) -> None:
    create(bench.qmgr, KINDS["QALIAS"], "A", {"TARGET": "Q"})
    alias = bench.connection.open("A", MQOO.INPUT_SHARED | MQOO.OUTPUT)
    change(bench.qmgr, QLOCAL, "Q", {"GET": "DISABLED"})
    change(bench.qmgr, KINDS["QALIAS"], "A", {"PUT": "DISABLED"})
    bench.refused(MQRC.GET_INHIBITED, alias.get)
    bench.refused(MQRC.PUT_INHIBITED, alias.put, Message(b"x"))
    bench.refused(MQRC.PUT_INHIBITED, bench.connection.put1, "A", Message(b"x"))
    found = bench.events(QUEUE_MANAGER)
    headers = [pcf.unpack(each.body)[0] for each in found]
    assert [(each.command, each.reason) for each in headers] == [(44, 2016), (44, 2051), (44, 2051)]
    values = [[parameter.value for parameter in pcf.unpack(each.body)[1]] for each in found]
    assert values == [["QM1", "A", 6, "billing"]] * 3
    assert bench.reasons() == []


def test_m11_an_inhibited_put_to_another_queue_manager_names_it(bench: Bench) -> None:
    create(bench.qmgr, QLOCAL, "QM2", {"USAGE": "XMITQ", "PUT": "DISABLED"})
    handle = bench.connection.open("THERE", MQOO.OUTPUT, queue_manager="QM2")
    bench.refused(MQRC.PUT_INHIBITED, handle.put, Message(b"x"))
    assert bench.told(QUEUE_MANAGER) == [["QM1", "THERE", 6, "billing", "QM2"]]


def test_m11_a_waiting_get_that_is_inhibited_makes_one_event(bench: Bench) -> None:
    change(bench.qmgr, QLOCAL, "Q", {"GET": "DISABLED"})
    bench.refused(MQRC.GET_INHIBITED, bench.queue.get, GetMessageOptions(MQGMO.WAIT, wait_interval=5000))
    assert bench.reasons(QUEUE_MANAGER) == [2016]


def test_m11_inhibtev_disabled_stops_inhibit_events(bench: Bench) -> None:
    change_queue_manager(bench.qmgr, {"INHIBTEV": "DISABLED"})
    change(bench.qmgr, QLOCAL, "Q", {"GET": "DISABLED", "PUT": "DISABLED"})
    bench.refused(MQRC.GET_INHIBITED, bench.get)
    bench.refused(MQRC.PUT_INHIBITED, bench.put)
    assert bench.reasons(QUEUE_MANAGER) == []


def test_m11_an_event_message_has_the_defaults_of_its_queue(bench: Bench) -> None:
    change(bench.qmgr, QLOCAL, PERFORMANCE, {"DEFPRTY": 4, "DEFPSIST": "YES"})
    change(bench.qmgr, QLOCAL, "Q", {"QDPHIEV": "ENABLED"})
    bench.put(8)
    (event,) = bench.events()
    descriptor = event.descriptor
    assert (descriptor.format, descriptor.msg_type, descriptor.priority, descriptor.persistence) == ("MQEVENT", 8, 4, 1)
    assert (descriptor.put_appl_type, descriptor.put_appl_name, descriptor.reply_to_q_mgr) == (7, "QM1", "QM1")


@pytest.mark.parametrize("given", [{"PUT": "DISABLED"}, {"MAXDEPTH": 0}, {"MAXMSGL": 50}])
def test_m11_an_event_that_cannot_be_written_is_lost_in_silence(bench: Bench, given: dict[str, Any]) -> None:
    change_queue_manager(bench.qmgr, {"DEADQ": "SYSTEM.DEAD.LETTER.QUEUE"})
    change(bench.qmgr, QLOCAL, PERFORMANCE, given)
    change(bench.qmgr, QLOCAL, "Q", {"QDPHIEV": "ENABLED"})
    bench.put(10)
    bench.refused(MQRC.Q_FULL, bench.put)
    assert bench.reasons() == []
    (row,) = inquire(bench.qmgr, [QLOCAL], "SYSTEM.DEAD.LETTER.QUEUE")
    assert row["CURDEPTH"] == 0


QMGR_EVENT = "SYSTEM.ADMIN.QMGR.EVENT"
FACTS: dict[str, int | str] = {"QMgrName": "QM1", "QName": "Q", "ApplType": 6, "ApplName": "billing"}


@pytest.fixture
def tx(qmgr: QueueManager) -> Iterator[Transaction]:
    with Transaction(qmgr.store.database, durable=False) as transaction:
        yield transaction


@rows(("INHIBTEV", 2051, 2085), ("LOCALEV", 2085, 2051), ("REMOTEEV", 2087, 2085))
def test_an_event_is_enabled_by_the_queue_manager(qmgr: QueueManager, keyword: str, reason: int, others: int) -> None:
    before = call_of(qmgr)
    change_queue_manager(qmgr, {keyword: "ENABLED"})
    after = call_of(qmgr)
    assert [queue_events.is_enabled(call, each) for call in (before, after) for each in (reason, others)] == [
        False,
        False,
        True,
        False,
    ]


def call_of(qmgr: QueueManager) -> CallContext:
    with Transaction(qmgr.store.database, durable=False) as tx:
        return qmgr.call_context(tx)


def test_a_reason_without_an_event_is_not_enabled(qmgr: QueueManager) -> None:
    assert queue_events.is_enabled(call_of(qmgr), 2033) is False


def test_a_switch_without_a_column_is_read_from_the_definition(qmgr: QueueManager) -> None:
    def switch() -> str:
        with Transaction(qmgr.store.database, durable=False) as tx:
            return queue_events.switch(tx, "QM1", "STRSTPEV")

    assert switch() == "ENABLED"
    change_queue_manager(qmgr, {"STRSTPEV": "DISABLED"})
    assert switch() == "DISABLED"


def test_the_effect_of_an_event(qmgr: QueueManager, tx: Transaction) -> None:
    call = qmgr.call_context(tx)
    (effect,) = queue_events.event(tx, call, 2051, FACTS, "Q")
    assert isinstance(effect, Deliver)
    assert (effect.kind, effect.queue, effect.queue_manager, effect.about) == (EVENT, QMGR_EVENT, "", "Q")
    assert (effect.unit, effect.kept, effect.dead_letter, effect.cause) == (None, False, False, "")
    header, parameters = pcf.unpack(effect.body)
    assert (header.command, header.reason, header.control, header.msg_seq_number) == (44, 2051, pcf.LAST, 1)
    assert [each.value for each in parameters] == ["QM1", "Q", 6, "billing"]
    assert effect.descriptor.correl_id == bytes(24)
    assert effect.descriptor.reply_to_q_mgr == "QM1"
    assert effect.descriptor.coded_char_set_id == call.qmgr.ccsid


def test_priority_and_persistence_are_those_of_the_event_queue(qmgr: QueueManager) -> None:
    change(qmgr, KINDS["QLOCAL"], QMGR_EVENT, {"DEFPRTY": 7, "DEFPSIST": "YES"})
    with Transaction(qmgr.store.database, durable=False) as tx:
        (effect,) = queue_events.event(tx, qmgr.call_context(tx), 2051, FACTS, "Q")
    assert isinstance(effect, Deliver)
    assert (effect.descriptor.priority, effect.descriptor.persistence) == (7, 1)


def test_priority_and_persistence_are_those_of_an_alias_in_its_place(qmgr: QueueManager) -> None:
    delete(qmgr, KINDS["QLOCAL"], QMGR_EVENT, purge=True)
    create(qmgr, KINDS["QLOCAL"], "EVENTS", {"DEFPRTY": 1})
    create(qmgr, KINDS["QALIAS"], QMGR_EVENT, {"TARGET": "EVENTS", "DEFPRTY": 5})
    with Transaction(qmgr.store.database, durable=False) as tx:
        (effect,) = queue_events.event(tx, qmgr.call_context(tx), 2051, FACTS, "Q")
    assert isinstance(effect, Deliver)
    assert (effect.queue, effect.descriptor.priority) == (QMGR_EVENT, 5)


def test_without_its_queue_there_is_no_event(qmgr: QueueManager) -> None:
    delete(qmgr, KINDS["QLOCAL"], QMGR_EVENT, purge=True)
    with Transaction(qmgr.store.database, durable=False) as tx:
        assert queue_events.event(tx, qmgr.call_context(tx), 2051, FACTS, "Q") == []


def test_a_message_of_several_that_belong_together(qmgr: QueueManager, tx: Transaction) -> None:
    content = EventPart(CONFIGURATION, 2368, [Parameter(1016, 1)], b"c" * 24, 2, pcf.NOT_LAST)
    (effect,) = queue_events.message(tx, qmgr.call_context(tx), content, "Q")
    assert isinstance(effect, Deliver)
    header, parameters = pcf.unpack(effect.body)
    assert (effect.queue, effect.descriptor.correl_id) == ("SYSTEM.ADMIN.CONFIG.EVENT", b"c" * 24)
    assert (header.reason, header.msg_seq_number, header.control) == (2368, 2, pcf.NOT_LAST)
    assert parameters == [Parameter(1016, 1)]
