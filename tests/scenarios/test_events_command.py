"""Command events (events.md §7, N38 to N43; N41 and N42 are on the page of events)."""

from __future__ import annotations

import pytest

from mqsc import Message, MessageDescriptor
from mqsc.plan import Trial
from mqsc.script import Script
from mqsc.store.client.plan_copy import tried_out
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.headers import pcf
from mqsc.store.headers.pcf import CommandHeader, Parameter
from tests.scenarios.looking import ReadEvent, events_on
from tests.scenarios.play import Play

COMMAND, CONFIG = (f"SYSTEM.ADMIN.{word}.EVENT" for word in ("COMMAND", "CONFIG"))
CONTEXT, DATA, NUMBER, TEXT = 8001, 8002, 1021, 3075


def members(event: ReadEvent, group: int) -> list[tuple[int, object]]:
    """Return (number, value) of the parameters in a group of a command event."""
    found = event.value(group)
    assert isinstance(found, tuple)
    return [(each.number, each.value) for each in found]


def command_of(event: ReadEvent) -> object:
    return dict(members(event, CONTEXT))[NUMBER]


@pytest.fixture
def play(qmgr: QueueManager) -> Play:
    play = Play(qmgr)
    play.run("DEFINE QLOCAL(Q)\nALTER QMGR CMDEV(ENABLED)\nraised COMMAND")
    return play


def test_n38_nodisplay(play: Play) -> None:
    play.run(
        "ALTER QMGR CMDEV(NODISPLAY)\nraised COMMAND\nALTER QLOCAL(Q) PUT(DISABLED)\nDISPLAY "
        "QLOCAL(Q)",
    )
    (event,) = events_on(play.qmgr, COMMAND)
    header = event.header
    assert (header.command, header.version, header.reason) == (99, 3, 2412)
    assert [each.number for each in event.parameters] == [CONTEXT, DATA]
    assert members(event, CONTEXT) == [(3045, "tester"), (1011, 1), (3047, "QM1"), (NUMBER, 8)]
    assert members(event, DATA) == [(2016, "Q"), (20, 1), (10, 1)]


def test_n39_display(play: Play) -> None:
    play.run("DISPLAY QLOCAL(Q)\nDISPLAY QLOCAL(Q) CURDEPTH DESCR")
    plain, selected = events_on(play.qmgr, COMMAND)
    assert (command_of(plain), plain.header.reason) == (13, 2412)
    assert members(selected, DATA) == [(2016, "Q"), (20, 1), (1002, [3, 2013])]


def test_n40_the_events_of_a_command_have_one_correl_id(play: Play) -> None:
    play.run("ALTER QMGR CONFIGEV(ENABLED)\nraised COMMAND\nraised CONFIG")
    ids = []
    for _ in range(2):
        play.run("ALTER QLOCAL(Q) DESCR('x')")
        found = [*events_on(play.qmgr, CONFIG), *events_on(play.qmgr, COMMAND)]
        ids.append([each.message.descriptor.correl_id for each in found])
    assert [len(each) for each in ids] == [3, 3]
    assert [len({*each}) for each in (*ids, ids[0] + ids[1])] == [1, 1, 2]
    assert bytes(24) not in ids[0]


def test_n43_commands_that_change_nothing(play: Play) -> None:
    play.run("DEFINE QLOCAL(Q) => AMQ8150E")
    with tried_out(play.qmgr) as copy:
        script = Script(None, carry_out=Trial(play.qmgr, copy).carry_out)
        assert len(list(script.steps(["DEFINE QLOCAL(NEW)"]))) == 2
    with pytest.raises(ZeroDivisionError):
        _undone(play, "ALTER QLOCAL(Q) DESCR('x')")
    play.run("raised COMMAND => nothing")


def _undone(play: Play, command: str) -> None:
    """Run a command in a transaction that is rolled back, as `--atomic` does when a later
    command fails.
    """
    with play.qmgr.store.database.one_transaction():
        play.run(command)
        raise ZeroDivisionError


# (command, the MQCMD, its data in PCF)
COMMANDS: list[tuple[str, int, list[tuple[int, object]]]] = [
    (
        "DEFINE QLOCAL(A) MAXDEPTH(7) TRIGGER REPLACE",
        11,
        [(2016, "A"), (20, 1), (15, 7), (24, 1), (1006, 1)],
    ),
    ("DEFINE QLOCAL(A) LIKE(Q)", 10, [(2016, "A"), (20, 1), (3001, "Q")]),
    ("ALTER QMGR DESCR('x')", 1, [(2014, "x")]),
    ("DELETE QLOCAL(Q)", 12, [(2016, "Q"), (20, 1)]),
    ("CLEAR QLOCAL(Q)", 9, [(2016, "Q"), (20, 1)]),
    ("PING QMGR", 40, []),
    ("REFRESH QMGR TYPE(EXPIRY) NAME(A*)", 16, [(1078, 2), (3046, "A*")]),
    ("DEFINE NAMELIST(N) NAMES(A, B)", 34, [(2010, "N"), (2020, ["A", "B"])]),
    ("START CMDSERV", 138, []),
    (
        "DISPLAY QLOCAL(*) WHERE(CURDEPTH LT 5)",
        13,
        [(TEXT, "DISPLAY QLOCAL(*) WHERE(CURDEPTH LT 5)")],
    ),
]


@pytest.mark.parametrize(("command", "number", "data"), COMMANDS)
def test_a_command_in_pcf(
    play: Play,
    command: str,
    number: int,
    data: list[tuple[int, object]],
) -> None:
    play.run(command)
    (event,) = events_on(play.qmgr, COMMAND)
    assert (command_of(event), members(event, DATA)) == (number, data)


def test_secrets_are_masked(play: Play) -> None:
    play.run("DEFINE CHANNEL(C) CHLTYPE(SDR) CONNAME('h') XMITQ(X) USERID('u') PASSWORD('geheim')")
    (event,) = events_on(play.qmgr, COMMAND)
    assert b"geheim" not in event.message.body
    assert command_of(event) == 23


def test_a_command_that_was_sent_in_pcf(play: Play) -> None:
    play.run("DEFINE QLOCAL(REPLIES)\nALTER QMGR CONFIGEV(ENABLED)\nraised COMMAND\nraised CONFIG")
    altered = [Parameter(2016, "Q", 0), Parameter(20, 1, 0), Parameter(10, 1, 0)]
    data = pcf.pack(CommandHeader(pcf.COMMAND_XR, 8, version=3), altered)
    sent = MessageDescriptor(msg_type=1, format="MQADMIN", reply_to_q="REPLIES")
    with play.qmgr.connect("console", "alice") as connection:
        connection.put1("SYSTEM.ADMIN.COMMAND.QUEUE", Message(data, sent))
    (event,), (before, _) = events_on(play.qmgr, COMMAND), events_on(play.qmgr, CONFIG)
    assert (event.header.reason, command_of(event)) == (2413, 8)
    context = dict(members(event, CONTEXT))
    assert (context[3045], context[1011], context[1010], context[3050]) == (
        "alice",
        3,
        6,
        "console",
    )
    assert {7001, 3049, 3051} < context.keys()
    assert members(event, DATA) == [(2016, "Q"), (20, 1), (10, 1)]
    assert (before.value(3045), before.value(1011), before.value(3050)) == ("alice", 3, "console")
