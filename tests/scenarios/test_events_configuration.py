"""Configuration events (events.md §7, N30 to N37)."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from store.admin.inquiring import inquire, inquire_queue_manager
from store.catalog import KINDS
from store.catalog.pcf import NAME, pcf_attributes
from store.client.api import QueueManager, Store
from store.constants import MQCO, MQIA, MQOO
from store.environment import Environment, FrozenClock
from store.message import Message
from store.rules.configuration_event import OBJECT_TYPES, object_parameters
from tests.scenarios.event_bench import CONFIG, EventBench

DESCR, PUT = 2013, 10


@pytest.fixture
def bench(qmgr: QueueManager) -> EventBench:
    return EventBench(qmgr, "ALTER QMGR CONFIGEV(ENABLED)", "CLEAR QLOCAL(SYSTEM.ADMIN.CONFIG.EVENT)")


def test_n30_define(bench: EventBench) -> None:
    bench.run("DEFINE QLOCAL(Q)")
    (event,) = bench.read(CONFIG)
    header = event.header
    assert (header.command, header.version, header.reason, header.msg_seq_number, header.control) == (43, 2, 2367, 1, 1)
    head = [(each.number, each.value) for each in event.parameters[:5]]
    assert head == [(3045, "tester"), (1011, 1), (3047, "QM1"), (1016, 1), (2016, "Q")]
    assert (event.parameters[-1].number, event.parameters[-1].value) == (20, 1)
    values = {each.number: each.value for each in event.parameters}
    assert (values[int(MQIA.MAX_Q_DEPTH)], values[DESCR], values[PUT]) == (5000, "", 0)
    assert not {int(MQIA.CURRENT_Q_DEPTH), int(MQIA.OPEN_INPUT_COUNT)} & values.keys()
    kinds = [isinstance(each.value, str) for each in event.parameters[5:]]
    assert kinds == sorted(kinds, reverse=True)


def test_n31_alter_shows_the_object_before_and_after(bench: EventBench) -> None:
    bench.run("DEFINE QLOCAL(Q)")
    bench.read(CONFIG)
    bench.run("ALTER QLOCAL(Q) DESCR('x')")
    before, after = bench.read(CONFIG)
    assert [each.header.reason for each in (before, after)] == [2368, 2368]
    assert [(each.header.msg_seq_number, each.header.control) for each in (before, after)] == [(1, 0), (2, 1)]
    assert (before.value(DESCR), after.value(DESCR)) == ("", "x")
    assert before.message.descriptor.correl_id == after.message.descriptor.correl_id != bytes(24)


def test_n32_a_change_that_changes_nothing_and_other_ways_to_change(bench: EventBench) -> None:
    bench.run("DEFINE QLOCAL(Q) DESCR('x')")
    bench.read(CONFIG)
    bench.run("ALTER QLOCAL(Q) DESCR('x')", "DEFINE QLOCAL(Q) REPLACE")
    assert bench.reasons(CONFIG) == [2368] * 4
    bench.connection.open("Q", MQOO.SET).set({MQIA.INHIBIT_PUT: 1})
    before, after = bench.read(CONFIG)
    assert [(each.header.reason, each.value(1011), each.value(3045)) for each in (before, after)] == [
        (2368, 4, "alice")
    ] * 2
    assert (before.value(PUT), after.value(PUT)) == (0, 1)


def test_n33_delete(bench: EventBench) -> None:
    bench.run("DEFINE QLOCAL(Q) DESCR('x')")
    bench.read(CONFIG)
    bench.run("DELETE QLOCAL(Q)")
    (event,) = bench.read(CONFIG)
    assert (event.header.reason, event.value(DESCR)) == (2369, "x")
    with pytest.raises(AssertionError):
        bench.run("DELETE QLOCAL(Q)")
    assert bench.read(CONFIG) == []


def test_n34_the_event_queue_itself_is_shown_by_refresh_only(bench: EventBench) -> None:
    bench.run(f"ALTER QLOCAL({CONFIG}) DESCR('x')")
    assert bench.reasons(CONFIG) == []
    bench.run(f"REFRESH QMGR TYPE(CONFIGEV) NAME({CONFIG})")
    assert bench.reasons(CONFIG) == [2370]


def test_n35_dynamic_queues_and_changes_by_the_queue_manager(bench: EventBench) -> None:
    bench.run("DEFINE QMODEL(TEMP) DEFTYPE(TEMPDYN)", "DEFINE QMODEL(PERM) DEFTYPE(PERMDYN)", "DEFINE QLOCAL(IQ)")
    bench.run("DEFINE PROCESS(P)")
    bench.run("DEFINE QLOCAL(Q) TRIGGER TRIGTYPE(DEPTH) TRIGDPTH(1) INITQ(IQ) PROCESS(P)")
    assert bench.reasons(CONFIG) == [2367] * 5
    bench.connection.open("TEMP", MQOO.INPUT_SHARED).close()
    assert bench.reasons(CONFIG) == []
    bench.connection.open("PERM", MQOO.INPUT_SHARED).close(MQCO.DELETE)
    (event,) = bench.read(CONFIG)
    assert (event.header.reason, event.value(1011)) == (2369, 0)
    monitor = bench.connection.open("IQ", MQOO.INPUT_SHARED)
    bench.connection.put1("Q", Message(b"x"))
    monitor.get()
    assert bench.reasons(CONFIG) == []


def test_n36_enabling_shows_every_object(qmgr: QueueManager) -> None:
    bench = EventBench(qmgr)
    with pytest.raises(AssertionError, match="AMQ8425E"):
        bench.run("REFRESH QMGR TYPE(CONFIGEV)")
    bench.run("ALTER QMGR CONFIGEV(ENABLED)")
    events = bench.read(CONFIG)
    assert [each.header.reason for each in events[:3]] == [2368, 2368, 2370]
    assert {each.header.reason for each in events[3:]} == {2370}
    assert {each.value(1016) for each in events} >= {1, 2, 3, 5, 6, 7, 11, 12, 1016}
    assert len({each.message.descriptor.correl_id for each in events}) == 1
    bench.run("ALTER QMGR CONFIGEV(DISABLED)", "DEFINE QLOCAL(Q)")
    assert bench.reasons(CONFIG) == [2368, 2368]


def test_n37_refresh_of_what_changed_lately(bench: EventBench, environment: Environment[FrozenClock]) -> None:
    bench.run("DEFINE QLOCAL(Q)", "DEFINE QLOCAL(P)")
    environment.clock.advance(480)
    bench.run("ALTER QLOCAL(P) DESCR('x')")
    environment.clock.advance(120)
    bench.read(CONFIG)
    bench.says(
        "AMQ8724I",
        "Refresh IBM MQ Queue Manager accepted.\nConfiguration events: 1.",
        "REFRESH QMGR TYPE(CONFIGEV) OBJECT(QLOCAL) INCLINT(5)",
    )
    (event,) = bench.read(CONFIG)
    assert (event.header.reason, event.value(2016)) == (2370, "P")
    bench.says(
        "AMQ8724I",
        "Refresh IBM MQ Queue Manager accepted.\nConfiguration events: 0.",
        "REFRESH QMGR TYPE(CONFIGEV) NAME(NOSUCH)",
    )
    bench.says(
        "AMQ8724I",
        "Refresh IBM MQ Queue Manager accepted.\nConfiguration events: 1.",
        "REFRESH QMGR TYPE(CONFIGEV) OBJECT(QMGR) NAME(NOSUCH)",
    )


def test_channel_authentication_and_authority_records(bench: EventBench) -> None:
    bench.run("SET CHLAUTH('A.*') TYPE(BLOCKUSER) USERLIST('eve')")
    assert [(each.header.reason, each.value(1016), each.value(3568)) for each in bench.read(CONFIG)] == [
        (2367, 1016, ["eve"])
    ]
    bench.run("SET AUTHREC PROFILE(Q) OBJTYPE(QUEUE) GROUP('sales', 'bank') AUTHADD(GET)")
    assert bench.reasons(CONFIG) == [2367, 2367]
    bench.run("SET AUTHREC PROFILE(Q) OBJTYPE(QUEUE) GROUP('sales') AUTHADD(PUT)")
    before, after = bench.read(CONFIG)
    assert [each.number for each in before.parameters[3:]] == [1016, 3067, 1412, 3068, 1118, 1115]
    assert (before.value(1115), sorted(after.value(1115))) == ([9], [9, 11])  # type: ignore[arg-type]
    bench.run("DELETE AUTHREC PROFILE(Q) OBJTYPE(QUEUE) GROUP('sales')")
    assert bench.reasons(CONFIG) == [2369]


def test_a_failed_command_raises_none(bench: EventBench) -> None:
    for command in ("DEFINE QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE)", "ALTER QLOCAL(NOPE) DESCR('x')"):
        with pytest.raises(AssertionError):
            bench.run(command)
    assert bench.reasons(CONFIG) == []


def test_every_attribute_that_display_shows_has_a_value_in_pcf(qmgr: QueueManager) -> None:
    missing = []
    for kind in (each for each in KINDS.values() if each.keyword in OBJECT_TYPES and each.keyword != "AUTHREC"):
        rows = pcf_attributes(kind.keyword)
        shown: list[Mapping[str, object]] = [inquire_queue_manager(qmgr)] if kind.keyword == "QMGR" else []
        for values in shown or inquire(qmgr, [kind], "*"):
            numbers = {each.number for each in object_parameters(kind, "N", values)}
            subtype = str(values.get(kind.selector, ""))
            words = [word for word in kind.shown(subtype) if word in rows and word in values and word != NAME]
            missing += [(kind.keyword, word, values[word]) for word in words if rows[word].number not in numbers]
    left_out = {"CURDEPTH", "IPPROCS", "OPPROCS"} | {
        word for kind in KINDS.values() for word, row in kind.attributes.items() if row.secret
    }
    assert [each for each in missing if each[1] not in left_out] == []


def test_objects_of_a_group_show_their_disposition(store: Store) -> None:
    members = [store.create_queue_manager(f"QM{number}", group="QSG1") for number in (1, 2)]
    benches = [
        EventBench(qmgr, "ALTER QMGR CONFIGEV(ENABLED)", "CLEAR QLOCAL(SYSTEM.ADMIN.CONFIG.EVENT)") for qmgr in members
    ]
    benches[0].run("DEFINE QLOCAL(G) QSGDISP(GROUP)", "DEFINE QLOCAL(OWN)")
    master, copy, own = benches[0].read(CONFIG)
    dispositions = [[each.value for each in event.parameters if each.number == 63] for event in (master, copy, own)]
    assert dispositions == [[3], [1], []]
    assert [(each.number, each.value) for each in master.parameters[4:6]] == [(2016, "G"), (63, 3)]
    assert master.message.descriptor.correl_id == copy.message.descriptor.correl_id
    (copy,) = benches[1].read(CONFIG)
    assert (copy.value(63), copy.value(3047)) == (1, "QM2")
