"""Events of the queue manager (events.md §7, N01 to N23): failing calls, start and end."""

from __future__ import annotations

import pytest

from store.client.api import QueueManager, Store
from store.constants import MQGMO, MQOO, MQOT, MQPMO, MQRO
from store.descriptor import MessageDescriptor
from store.message import GetMessageOptions, Message, PutMessageOptions
from tests.scenarios.event_bench import PERFM, QMGR, EventBench

LOCAL, REMOTE, INHIBIT = (f"ALTER QMGR {word}(ENABLED)" for word in ("LOCALEV", "REMOTEEV", "INHIBTEV"))


def _wanting_coa() -> Message:
    return Message(b"x", MessageDescriptor(report=MQRO.COA, reply_to_q="NOPE"))


def test_n01_an_unknown_queue(qmgr: QueueManager) -> None:
    bench = EventBench(qmgr, LOCAL)
    bench.open_fails(2085, "NOPE")
    (event,) = bench.read()
    header, descriptor = event.header, event.message.descriptor
    assert (header.command, header.version, header.reason, header.comp_code) == (44, 1, 2085, 1)
    assert [(each.number, each.value) for each in event.parameters] == [
        (2015, "QM1"),
        (1, 6),
        (3024, "billing"),
        (2016, "NOPE"),
    ]
    assert (descriptor.put_appl_type, descriptor.put_appl_name, descriptor.format) == (7, "QM1", "MQEVENT")


def test_n02_by_put1_and_while_disabled(qmgr: QueueManager) -> None:
    bench = EventBench(qmgr, LOCAL)
    bench.fails(2085, bench.connection.put1, "NOPE", Message(b"x"))
    assert bench.told() == [[2085, "QM1", 6, "billing", "NOPE"]]
    bench.run("ALTER QMGR LOCALEV(DISABLED)")
    bench.open_fails(2085, "NOPE")
    assert bench.told() == []


def test_n03_the_local_queue_manager_is_named_only_as_an_alias(qmgr: QueueManager) -> None:
    bench = EventBench(qmgr, LOCAL, "DEFINE QREMOTE(SELF) RQMNAME(QM1)")
    bench.open_fails(2085, "NOPE", "QM1")
    bench.open_fails(2085, "NOPE", "SELF")
    plain = [2085, "QM1", 6, "billing", "NOPE"]
    assert bench.told() == [plain, [*plain, "SELF"]]


def test_n04_an_alias_of_an_unknown_queue(qmgr: QueueManager) -> None:
    bench = EventBench(qmgr, LOCAL, "DEFINE QALIAS(A) TARGET(NOPE)")
    bench.open_fails(2082, "A")
    assert bench.told() == [[2082, "QM1", "A", "NOPE", 6, "billing", 1]]


def test_n05_an_alias_of_an_alias(qmgr: QueueManager) -> None:
    bench = EventBench(qmgr, LOCAL, "DEFINE QALIAS(A) TARGET(NOPE)", "DEFINE QALIAS(AA) TARGET(A)")
    bench.open_fails(2001, "AA")
    assert bench.told() == [[2001, "QM1", "AA", "A", 3, 6, "billing"]]


def test_n06_an_alias_opened_for_inquire_alone_is_not_resolved(qmgr: QueueManager) -> None:
    bench = EventBench(qmgr, LOCAL, "DEFINE QALIAS(A) TARGET(NOPE)")
    bench.connection.open("A", MQOO.INQUIRE).close()
    assert bench.told() == []


def test_an_unknown_process_and_names_that_no_queue_can_have(qmgr: QueueManager) -> None:
    bench = EventBench(qmgr, LOCAL, REMOTE)
    bench.fails(2085, bench.connection.open, "NOPE", MQOO.INQUIRE, object_type=MQOT.PROCESS)
    bench.open_fails(2085, "no such!")
    bench.open_fails(2184, "", "QM9")
    bench.open_fails(2086, "Q", "no such!")
    assert bench.told() == [
        [2085, "QM1", 6, "billing", "NOPE"],
        [2085, "QM1", 6, "billing", "no such!"],
        [2184, "QM1", "", 6, "billing", "QM9"],
    ]


def test_n07_no_route(qmgr: QueueManager) -> None:
    bench = EventBench(qmgr, REMOTE)
    bench.open_fails(2087, "Q", "QM9")
    assert bench.told() == [[2087, "QM1", "Q", 6, "billing", "QM9"]]


def test_n08_the_transmission_queue_is_missing(qmgr: QueueManager) -> None:
    bench = EventBench(qmgr, REMOTE, "DEFINE QREMOTE(R) RNAME(T) RQMNAME(QM2) XMITQ(NOX)")
    bench.open_fails(2196, "R")
    assert bench.told() == [[2196, "QM1", "R", "NOX", 6, "billing"]]


def test_n09_the_transmission_queue_is_none(qmgr: QueueManager) -> None:
    bench = EventBench(
        qmgr,
        REMOTE,
        "DEFINE QLOCAL(X)",
        "DEFINE QALIAS(XA) TARGET(X)",
        "DEFINE QREMOTE(R) RNAME(T) RQMNAME(QM2) XMITQ(X)",
    )
    bench.open_fails(2092, "R")
    bench.run("ALTER QREMOTE(R) XMITQ(XA)")
    bench.open_fails(2091, "R")
    bench.run("ALTER QREMOTE(R) XMITQ('') RQMNAME(QM9)")
    bench.run("DEFINE QREMOTE(QM9) RQMNAME(QM2) XMITQ(X)")
    bench.open_fails(2091, "R")
    assert bench.told() == [
        [2092, "QM1", "R", "X", 6, "billing"],
        [2091, "QM1", "R", "XA", 3, 6, "billing"],
        [2091, "QM1", "R", "QM9", 6, 6, "billing"],
    ]


@pytest.mark.parametrize(
    ("define", "reason", "more"),
    [("", 2197, []), ("DEFINE QALIAS(D) TARGET(Q)", 2198, [3]), ("DEFINE QLOCAL(D)", 2199, [])],
)
def test_n10_the_default_transmission_queue(qmgr: QueueManager, define: str, reason: int, more: list[int]) -> None:
    bench = EventBench(qmgr, REMOTE, "DEFINE QLOCAL(D) USAGE(XMITQ)", "ALTER QMGR DEFXMITQ(D)", "DELETE QLOCAL(D)")
    bench.run(*filter(None, [define]))
    bench.open_fails(reason, "Q", "QM9")
    assert bench.told() == [[reason, "QM1", "Q", "D", *more, 6, "billing", "QM9"]]


def test_n11_a_model_behind_an_alias_and_a_remote_queue_without_a_name(qmgr: QueueManager) -> None:
    bench = EventBench(
        qmgr, REMOTE, "DEFINE QREMOTE(SELF) RQMNAME(QM1)", "DEFINE QMODEL(M)", "DEFINE QREMOTE(R) RQMNAME(QM2)"
    )
    bench.open_fails(2057, "M", "SELF")
    bench.open_fails(2184, "R")
    bench.fails(2057, bench.connection.put1, "M", Message(b"x"))
    assert bench.told() == [[2057, "QM1", "M", 6, "billing", "SELF"], [2184, "QM1", "R", 6, "billing"]]


def test_a_manager_name_that_is_a_remote_queue_is_no_route(qmgr: QueueManager) -> None:
    bench = EventBench(qmgr, REMOTE, "DEFINE QREMOTE(R) RNAME(T) RQMNAME(QM2)")
    bench.open_fails(2087, "Q", "R")
    assert bench.told() == [[2087, "QM1", "Q", 6, "billing", "R"]]


def test_n12_no_event_of_another_category_and_none_for_other_reasons(qmgr: QueueManager) -> None:
    bench = EventBench(qmgr, LOCAL, "DEFINE QLOCAL(Q)")
    bench.open_fails(2087, "Q", "QM9")
    held = bench.connection.open("Q", MQOO.INPUT_EXCLUSIVE)
    bench.open_fails(2042, "Q", options=MQOO.INPUT_SHARED)
    held.close()
    assert bench.told() == []


def test_n13_a_report_to_an_unknown_queue(qmgr: QueueManager) -> None:
    bench = EventBench(qmgr, LOCAL, "DEFINE QLOCAL(Q)", "DEFINE QLOCAL(DLQ)", "ALTER QMGR DEADQ(DLQ)")
    bench.connection.put1("Q", _wanting_coa())
    assert bench.told() == [[2085, "QM1", 7, "QM1", "NOPE"]]
    assert bench.depth("DLQ") == 1


def test_n14_a_report_to_an_inhibited_queue(qmgr: QueueManager) -> None:
    bench = EventBench(qmgr, INHIBIT, "DEFINE QLOCAL(Q)", "DEFINE QLOCAL(NOPE) PUT(DISABLED)")
    bench.connection.put1("Q", _wanting_coa())
    assert bench.told() == [[2051, "QM1", "NOPE", 7, "QM1"]]


def test_a_dead_letter_that_does_not_fit_raises_an_event_too(qmgr: QueueManager) -> None:
    bench = EventBench(
        qmgr, LOCAL, "ALTER QMGR PERFMEV(ENABLED) DEADQ(DLQ)", "DEFINE QLOCAL(Q)", "DEFINE QLOCAL(DLQ) MAXDEPTH(0)"
    )
    bench.connection.put1("Q", _wanting_coa())
    assert (bench.reasons(), bench.reasons(PERFM)) == ([2085], [2053])


def test_n15_a_list_is_one_call_and_so_is_a_browse(qmgr: QueueManager) -> None:
    bench = EventBench(qmgr, INHIBIT, "DEFINE QLOCAL(Q)")
    queue = bench.connection.open("Q", MQOO.OUTPUT | MQOO.BROWSE)
    bench.run("ALTER QLOCAL(Q) PUT(DISABLED) GET(DISABLED)")
    bench.fails(2051, queue.put, [Message(b"x") for _ in range(3)])
    assert bench.reasons() == [2051]
    bench.fails(2016, queue.get, GetMessageOptions(MQGMO.BROWSE_FIRST))
    assert bench.reasons() == [2016]


def test_n16_an_event_is_outside_the_unit_of_work(qmgr: QueueManager) -> None:
    bench = EventBench(qmgr, LOCAL, "DEFINE QLOCAL(Q)")
    bench.connection.put1("Q", Message(b"x"), PutMessageOptions(MQPMO.SYNCPOINT))
    bench.open_fails(2085, "NOPE")
    bench.connection.back()
    assert bench.reasons() == [2085]


def test_n17_a_full_event_queue_loses_the_event(qmgr: QueueManager) -> None:
    bench = EventBench(qmgr, LOCAL, f"ALTER QLOCAL({QMGR}) MAXDEPTH(1)", "DEFINE QLOCAL(DLQ)", "ALTER QMGR DEADQ(DLQ)")
    bench.open_fails(2085, "NOPE")
    bench.open_fails(2085, "NOPE")
    assert bench.reasons() == [2085]
    assert bench.depth("DLQ") == 0


def test_n18_an_event_queue_that_does_not_take_the_event(qmgr: QueueManager) -> None:
    bench = EventBench(qmgr, LOCAL, INHIBIT, f"ALTER QLOCAL({QMGR}) PUT(DISABLED)")
    bench.open_fails(2085, "NOPE")
    assert bench.reasons() == []
    bench.run(f"DELETE QLOCAL({QMGR})")
    bench.open_fails(2085, "NOPE")


def test_n19_an_event_queue_may_be_an_alias_or_a_remote_queue(qmgr: QueueManager) -> None:
    bench = EventBench(qmgr, LOCAL, "DEFINE QLOCAL(EV)", "DEFINE QLOCAL(XQ) USAGE(XMITQ)")
    bench.run(f"DELETE QLOCAL({QMGR})", f"DEFINE QALIAS({QMGR}) TARGET(EV) DEFPRTY(4)")
    bench.open_fails(2085, "NOPE")
    (event,) = bench.read("EV")
    assert (event.header.reason, event.message.descriptor.priority) == (2085, 4)
    bench.run(f"DELETE QALIAS({QMGR})", f"DEFINE QREMOTE({QMGR}) RNAME(EV) RQMNAME(QM2) XMITQ(XQ)")
    bench.open_fails(2085, "NOPE")
    assert bench.depth("XQ") == 1


def test_n20_no_performance_event_concerns_an_event_queue(qmgr: QueueManager) -> None:
    bench = EventBench(
        qmgr,
        LOCAL,
        f"ALTER QLOCAL({QMGR}) MAXDEPTH(10) QDEPTHHI(1) QDPHIEV(ENABLED)",
        "ALTER QMGR PERFMEV(ENABLED)",
    )
    bench.open_fails(2085, "NOPE")
    assert bench.reasons(PERFM) == []
    assert bench.reasons() == [2085]


def test_n21_the_first_start(store: Store) -> None:
    (event,) = EventBench.events_on(store.create_queue_manager("QM2"))
    assert [(each.number, each.value) for each in event.parameters] == [(2015, "QM2"), (3191, "localhost"), (1020, 31)]
    assert (event.header.command, event.header.reason) == (44, 2222)


def test_n22_a_start_drops_the_event_of_the_end(qmgr: QueueManager) -> None:
    bench = EventBench(qmgr)
    bench.restart()
    assert bench.reasons() == [2222]


def test_n23_a_controlled_and_an_immediate_end(qmgr: QueueManager) -> None:
    bench = EventBench(qmgr, f"ALTER QLOCAL({QMGR}) DEFPSIST(YES)")
    bench.restart()
    assert [(each.header.reason, each.value(1020)) for each in bench.read()] == [(2223, 6), (2222, 31)]
    bench.restart(immediate=True)
    assert [(each.header.reason, each.value(1020)) for each in bench.read()] == [(2223, 5), (2222, 31)]


def test_an_immediate_end_may_follow_a_controlled_one(qmgr: QueueManager) -> None:
    bench = EventBench(qmgr, f"ALTER QLOCAL({QMGR}) DEFPSIST(YES)")
    assert (qmgr.end(), qmgr.end()) == ("QUIESCING", "QUIESCING")
    bench.restart(immediate=True)
    assert bench.told() == [[2223, "QM1", 6], [2223, "QM1", 5], [2222, "QM1", "localhost", 31]]


def test_strstpev_disabled_stops_the_events_of_start_and_end(qmgr: QueueManager) -> None:
    bench = EventBench(qmgr, f"ALTER QLOCAL({QMGR}) DEFPSIST(YES)", "ALTER QMGR STRSTPEV(DISABLED)")
    bench.restart()
    assert bench.told() == []
