"""Command events (events.md §7, N38 to N43)."""

from __future__ import annotations

import pytest

import mqsc
from mqsc import Message, MessageDescriptor
from mqsc.plan import Trial
from mqsc.script import Script
from store.client.api import QueueManager
from store.client.plan_copy import tried_out
from store.headers import pcf
from store.headers.pcf import CommandHeader, Parameter
from tests.scenarios.event_bench import COMMAND, CONFIG, EventBench, ReadEvent

CONTEXT, DATA, NUMBER, TEXT = 8001, 8002, 1021, 3075


def members(event: ReadEvent, group: int) -> list[tuple[int, object]]:
    """Return (number, value) of the parameters in a group of a command event."""
    found = event.value(group)
    assert isinstance(found, tuple)
    return [(each.number, each.value) for each in found]


def command_of(event: ReadEvent) -> object:
    return dict(members(event, CONTEXT))[NUMBER]


@pytest.fixture
def bench(qmgr: QueueManager) -> EventBench:
    return EventBench(qmgr, "DEFINE QLOCAL(Q)", "ALTER QMGR CMDEV(ENABLED)")


def test_n38_nodisplay(bench: EventBench) -> None:
    bench.run("ALTER QMGR CMDEV(NODISPLAY)")
    bench.read(COMMAND)
    bench.run("ALTER QLOCAL(Q) PUT(DISABLED)", "DISPLAY QLOCAL(Q)")
    (event,) = bench.read(COMMAND)
    header = event.header
    assert (header.command, header.version, header.reason) == (99, 3, 2412)
    assert [each.number for each in event.parameters] == [CONTEXT, DATA]
    assert members(event, CONTEXT) == [(3045, "tester"), (1011, 1), (3047, "QM1"), (NUMBER, 8)]
    assert members(event, DATA) == [(2016, "Q"), (20, 1), (10, 1)]


def test_n39_display(bench: EventBench) -> None:
    bench.run("DISPLAY QLOCAL(Q)", "DISPLAY QLOCAL(Q) CURDEPTH DESCR")
    plain, selected = bench.read(COMMAND)
    assert (command_of(plain), plain.header.reason) == (13, 2412)
    assert members(selected, DATA) == [(2016, "Q"), (20, 1), (1002, [3, 2013])]


def test_n40_the_events_of_a_command_have_one_correl_id(bench: EventBench) -> None:
    bench.run("ALTER QMGR CONFIGEV(ENABLED)")
    bench.read(COMMAND)
    bench.read(CONFIG)
    bench.run("ALTER QLOCAL(Q) DESCR('x')")
    first = [each.message.descriptor.correl_id for each in [*bench.read(CONFIG), *bench.read(COMMAND)]]
    assert len(first) == 3
    bench.run("ALTER QLOCAL(Q) DESCR('x')")
    second = [each.message.descriptor.correl_id for each in [*bench.read(CONFIG), *bench.read(COMMAND)]]
    assert (len(set(first)), len(set(second)), len(set(first + second))) == (1, 1, 2)
    assert bytes(24) not in first


def test_n41_altering_cmdev_is_an_event_either_way(qmgr: QueueManager) -> None:
    bench = EventBench(qmgr)
    bench.run("ALTER QMGR DESCR('x')", "ALTER QMGR CMDEV(ENABLED)")
    assert bench.reasons(COMMAND) == [2412]
    bench.run("ALTER QMGR CMDEV(DISABLED)", "ALTER QMGR DESCR('y')")
    assert bench.reasons(COMMAND) == [2412]


def test_n42_commands_on_the_event_queue_itself(bench: EventBench) -> None:
    bench.run(f"CLEAR QLOCAL({COMMAND})")
    assert bench.reasons(COMMAND) == [2412]
    bench.run(f"ALTER QLOCAL({COMMAND}) PUT(DISABLED)")
    assert bench.reasons(COMMAND) == []


def test_n43_commands_that_change_nothing(bench: EventBench) -> None:
    (reply,) = mqsc.run(bench.qmgr, "DEFINE QLOCAL(Q)")
    assert reply.completion == 2
    with tried_out(bench.qmgr) as copy:
        script = Script(None, carry_out=Trial(bench.qmgr, copy).carry_out)
        assert len(list(script.steps(["DEFINE QLOCAL(NEW)"]))) == 2
    with pytest.raises(ZeroDivisionError):
        _undone(bench, "ALTER QLOCAL(Q) DESCR('x')")
    assert bench.reasons(COMMAND) == []


def _undone(bench: EventBench, command: str) -> None:
    """Run a command in a transaction that is rolled back, as `--atomic` does when a later command fails."""
    with bench.qmgr.store.database.one_transaction():
        bench.run(command)
        raise ZeroDivisionError


# (command, the MQCMD, its data in PCF)
COMMANDS: list[tuple[str, int, list[tuple[int, object]]]] = [
    ("DEFINE QLOCAL(A) MAXDEPTH(7) TRIGGER REPLACE", 11, [(2016, "A"), (20, 1), (15, 7), (24, 1), (1006, 1)]),
    ("DEFINE QLOCAL(A) LIKE(Q)", 10, [(2016, "A"), (20, 1), (3001, "Q")]),
    ("ALTER QMGR DESCR('x')", 1, [(2014, "x")]),
    ("DELETE QLOCAL(Q)", 12, [(2016, "Q"), (20, 1)]),
    ("CLEAR QLOCAL(Q)", 9, [(2016, "Q"), (20, 1)]),
    ("PING QMGR", 40, []),
    ("REFRESH QMGR TYPE(EXPIRY) NAME(A*)", 16, [(1078, 2), (3046, "A*")]),
    ("DEFINE NAMELIST(N) NAMES(A, B)", 34, [(2010, "N"), (2020, ["A", "B"])]),
    ("START CMDSERV", 138, []),
    ("DISPLAY QLOCAL(*) WHERE(CURDEPTH LT 5)", 13, [(TEXT, "DISPLAY QLOCAL(*) WHERE(CURDEPTH LT 5)")]),
]


@pytest.mark.parametrize(("command", "number", "data"), COMMANDS)
def test_a_command_in_pcf(bench: EventBench, command: str, number: int, data: list[tuple[int, object]]) -> None:
    bench.run(command)
    (event,) = bench.read(COMMAND)
    assert (command_of(event), members(event, DATA)) == (number, data)


def test_secrets_are_masked(bench: EventBench) -> None:
    bench.run("DEFINE CHANNEL(C) CHLTYPE(SDR) CONNAME('h') XMITQ(X) USERID('u') PASSWORD('geheim')")
    (event,) = bench.read(COMMAND)
    assert b"geheim" not in event.message.body
    assert command_of(event) == 23


def test_a_command_that_was_sent_in_pcf(bench: EventBench) -> None:
    bench.run("DEFINE QLOCAL(REPLIES)", "ALTER QMGR CONFIGEV(ENABLED)")
    bench.read(COMMAND)
    bench.read(CONFIG)
    data = pcf.pack(CommandHeader(pcf.COMMAND_XR, 8, version=3), [*map(Parameter._make, ALTERED)])
    sent = MessageDescriptor(msg_type=1, format="MQADMIN", reply_to_q="REPLIES")
    with bench.qmgr.connect("console", "alice") as connection:
        connection.put1("SYSTEM.ADMIN.COMMAND.QUEUE", Message(data, sent))
    (event,), (before, _) = bench.read(COMMAND), bench.read(CONFIG)
    assert (event.header.reason, command_of(event)) == (2413, 8)
    context = dict(members(event, CONTEXT))
    assert (context[3045], context[1011], context[1010], context[3050]) == ("alice", 3, 6, "console")
    assert {7001, 3049, 3051} < context.keys()
    assert members(event, DATA) == [(2016, "Q"), (20, 1), (10, 1)]
    assert (before.value(3045), before.value(1011), before.value(3050)) == ("alice", 3, "console")


ALTERED = [(2016, "Q", 0), (20, 1, 0), (10, 1, 0)]
