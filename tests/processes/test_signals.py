"""SIGINT and SIGTERM end every command at once while it waits, with the exit code that the
documentation names.

A command waits for another program that holds the store, or for what it is there for: a message, a
clock, an event, input. Every command of the command line is in a table here, so that a new one is
tried, too.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from functools import partial
from pathlib import Path
from signal import SIGINT, SIGTERM

import pytest

import mqsc
from mqsc.console.commands import commands_in
from mqsc.store.admin.channel import status as channel_status
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.constants import MQCHS
from mqsc.store.message import Message
from mqsc.store.sqlite.database import Transaction
from mqsc.store.sqlite.locks import LockFile
from tests.mqsc.agents.scripts import wait_until
from tests.processes.conftest import Start
from tests.processes.programs import Program
from tests.rows import rows
from tests.store.admin.looking import queue_row

DEFINITIONS = """
DEFINE QLOCAL(Q)
DEFINE QLOCAL(FULL) MAXDEPTH(0)
DEFINE QLOCAL(INIT)
DEFINE QLOCAL(DEAD)
DEFINE QLOCAL(X) USAGE(XMITQ)
DEFINE QREMOTE(RFULL) RNAME(FULL) RQMNAME(QM2) XMITQ(X)
DEFINE CHANNEL(C) CHLTYPE(SDR) CONNAME('local(QM2)') XMITQ(X)
ALTER QMGR DEADQ(DEAD)
"""
AT_PARTNER = """
DEFINE QLOCAL(FULL) MAXDEPTH(0)
DEFINE CHANNEL(C) CHLTYPE(RCVR) MRRTY(100) MRTMR(999999999)
"""
# The exit codes after SIGINT and SIGTERM: of a program that is there to run until a signal comes,
# and of any other.
AGENT, OTHER, FOLLOWER = (0, 0), (130, -SIGTERM), (0, -SIGTERM)
# Some messages may be left; no rules table was read.
UNFINISHED, NOT_STARTED = (130, 130), (20, 20)
Codes = tuple[int, int]
Launch = Callable[[str], Program]

# Commands that write, on a store that another program holds.
HELD: dict[str, tuple[str, Codes]] = {
    "run": ("run -c 'CLEAR QLOCAL(Q)'", OTHER),
    "put": ("put Q hello", OTHER),
    "get": ("get Q --wait 1h", OTHER),
    "browse": ("browse Q", OTHER),
    "subscribe": ("subscribe a/#", OTHER),
    "amqsput": ("amqsput Q QM1", OTHER),
    "amqsget": ("amqsget Q QM1", OTHER),
    "amqsbcg": ("amqsbcg Q QM1", OTHER),
    "amqspub": ("amqspub a/b QM1", OTHER),
    "amqssub": ("amqssub a/b QM1", OTHER),
    "dmpmqmsg": ("dmpmqmsg -m QM1 -I Q -o DEAD", OTHER),
    "qmgr create": ("qmgr create QM4", OTHER),
    "qmgr end": ("qmgr end QM1", OTHER),
    "endmqm": ("endmqm QM1", OTHER),
    "endmqcsv": ("endmqcsv QM1", OTHER),
    "auth mode": ("auth mode enforce", OTHER),
    "channel fault": ("channel fault C down", OTHER),
    "setmqaut": ("setmqaut -m QM1 -n Q -t q -p app +get", OTHER),
    "history keep": ("history keep Q", OTHER),
    "dlq retry": ("dlq retry DEAD", UNFINISHED),
    "consume": ("consume --wait 1h Q true", AGENT),
    "serve": ("serve", AGENT),
    "trigger run": ("trigger run -q INIT", AGENT),
    "runmqtrm": ("runmqtrm -m QM1 -q INIT", AGENT),
    "runmqchi": ("runmqchi -m QM1", AGENT),
    "channel run": ("channel run C", AGENT),
    "runmqchl": ("runmqchl -c C -m QM1", AGENT),
    "dlq run": ("dlq run {rules}", AGENT),
    "runmqdlq": ("runmqdlq DEAD QM1", AGENT),
}
# Commands that are there to wait, or read what comes.
WAITING: dict[str, tuple[str, Codes]] = {
    "get": ("get Q --wait 1h", OTHER),
    "subscribe": ("subscribe a/#", FOLLOWER),
    "consume": ("consume --wait 1h Q true", AGENT),
    "serve": ("serve", AGENT),
    "trigger run": ("trigger run -q INIT", AGENT),
    "runmqtrm": ("runmqtrm -m QM1 -q INIT", AGENT),
    "runmqchi": ("runmqchi -m QM1", AGENT),
    "dlq run": ("dlq run {rules}", AGENT),
    "channel run": ("channel run C", AGENT),
    "runmqchl": ("runmqchl -c C -m QM1", AGENT),
    "history": ("history --follow Q", FOLLOWER),
    "import": ("import --follow {log}", AGENT),
    "put": ("put Q -", OTHER),
    "run": ("run -", OTHER),
    "runmqsc": ("runmqsc QM1", OTHER),
    "runmqdlq": ("runmqdlq DEAD QM1", NOT_STARTED),
    "amqsput": ("amqsput Q QM1", OTHER),
    "amqspub": ("amqspub a/b QM1", OTHER),
    "amqssub": ("amqssub a/b QM1", OTHER),
    "dmpmqmsg": ("dmpmqmsg -m QM1 -I Q -o DEAD -w 3600", OTHER),
}
# Those that wait as another does, in the same functions, or that only read and compute.
ALIKE = {
    "run": "apply undo client",
    "qmgr create": (
        "qmgr start qmgr delete qmgr join qmgr leave crtmqm strmqm dltmqm clock advance clock set "
        "demo"
    ),
    "amqsput": "amqsputc",
    "amqsget": "amqsgetc",
    "amqsbcg": "amqsbcgc",
    "amqspub": "amqspubc",
    "amqssub": "amqssubc",
    "endmqcsv": "strmqcsv",
    "auth mode": "auth os-groups user add user password user remove user groups",
    "channel fault": "channel map",
    "dlq retry": "dlq forward dlq discard",
    "read": """
        qmgr list user list auth explain auth refused auth matrix auth learn auth unused auth check auth status pcf
        clock show expiry foreach uses poison trace trigger explain topic explain channel explain dlq check
        dlq test dlq show dspmq dspmqaut dspmqver dspmqcsv
        dmpmqaut check fmt explain help mqrc export diff dmpmqcfg backup restore doctor archive archive verify
        archive list report config top blame depth reconcile lsp mcp whatif reproduce bisect
        target list target add target remove target test fleet snapshot
    """,
}


def test_every_command_is_in_a_table() -> None:
    alike = " ".join(ALIKE.values()).split()
    words = [*alike, *(word for path in (*HELD, *WAITING) for word in path.split())]
    missing = [path for path in every_command() if not {*path.split()} <= {*words}]
    assert missing == []
    assert {*ALIKE} <= {*HELD, "read"}


def every_command(group: str = "") -> list[str]:
    """The paths of all commands, and of the groups that are commands."""
    found = []
    for name, row in commands_in(group).items():
        path = f"{group} {name}".strip()
        found += [path] if row.function else []
        found += every_command(path)
    return found


@pytest.fixture
def qmgr(store: Store) -> QueueManager:
    """QM1 with a channel to QM2, whose queue is full; the retries of its channel are on a manual
    clock.
    """
    made = store.create_queue_manager("QM1", default=True)
    partner = store.create_queue_manager("QM2", manual_clock_at=store.environment.clock.now())
    mqsc.run(made, DEFINITIONS)
    mqsc.run(partner, AT_PARTNER)
    return made


@pytest.fixture
def launched(qmgr: QueueManager, command: Start, tmp_path: Path) -> Launch:
    """Starts a command line in which {rules} and {log} are files."""
    files = {"rules": tmp_path / "rules", "log": tmp_path / "AMQERR01.LOG"}
    files["rules"].write_text("INPUTQ(DEAD) WAIT(YES)\nACTION(RETRY)\n")
    files["log"].touch()
    return lambda line: command(*shlex.split(line.format(**files)))


def ended(program: Program, number: int) -> int:
    """The exit code after a signal; AssertionError for a traceback."""
    program.signal(number)
    code, _, errors = program.rest()
    assert "Traceback" not in errors, errors
    return code


def is_next_writer(store: Store) -> bool:
    """Whether a program waits for its turn to write."""
    return not LockFile(Path(f"{store.path}.processes") / "next-writer").is_free()


@rows(*HELD)
def test_while_another_program_holds_the_store(store: Store, launched: Launch, path: str) -> None:
    line, codes = HELD[path]
    for number, code in zip((SIGINT, SIGTERM), codes, strict=True):
        with Transaction(store.database, durable=False):
            program = launched(line)
            if path == "runmqdlq":
                program.tell("WAIT(YES)\nACTION(RETRY)")
                program.close_input()
            elif path in ("amqsput", "amqspub"):
                program.tell("hello")
            wait_until(lambda: is_next_writer(store))
            assert ended(program, number) == code


@rows(*WAITING)
def test_while_a_command_waits_for_its_work(
    qmgr: QueueManager,
    launched: Launch,
    path: str,
) -> None:
    line, codes = WAITING[path]
    for number, code in zip((SIGINT, SIGTERM), codes, strict=True):
        program = launched(line)
        wait_until(partial(sleeps, program))
        assert ended(program, number) == code


def sleeps(program: Program) -> bool:
    """Whether all threads of the process are asleep, as twenty looks say one after the other."""
    tasks = Path(f"/proc/{program.pid}/task")
    looks = (
        each.read_text().rpartition(")")[2].split()[0]
        for _ in range(20)
        for each in tasks.glob("*/stat")
    )
    return all(state == "S" for state in looks)


@rows(SIGINT, SIGTERM)
def test_a_channel_that_retries_a_put_on_a_manual_clock(
    qmgr: QueueManager,
    launched: Launch,
    number: int,
) -> None:
    """The message stays on the transmission queue."""
    with qmgr.connect() as connection:
        connection.put1("RFULL", Message(b"order", mqsc.MessageDescriptor(persistence=1)))
    program = launched("channel run C --until-empty")
    partner = qmgr.store.queue_manager("QM2")
    wait_until(
        lambda: [each.status for each in channel_status.instances(partner, "C")] == [MQCHS.PAUSED],
    )
    assert ended(program, number) == 0
    assert (queue_row(qmgr, "X").depth, queue_row(partner, "FULL").depth) == (1, 0)
    assert not channel_status.instances(qmgr, "C")


@rows(SIGINT, SIGTERM)
def test_a_fast_message_whose_put_is_retried_is_dead_lettered(
    qmgr: QueueManager,
    launched: Launch,
    number: int,
) -> None:
    """It has left the transmission queue, and cannot go back there."""
    partner = qmgr.store.queue_manager("QM2")
    mqsc.run(partner, "DEFINE QLOCAL(DEAD)\nALTER QMGR DEADQ(DEAD)")
    with qmgr.connect() as connection:
        connection.put1("RFULL", Message(b"order"))
    program = launched("channel run C --until-empty")
    wait_until(
        lambda: [each.status for each in channel_status.instances(partner, "C")] == [MQCHS.PAUSED],
    )
    assert ended(program, number) == 0
    assert (queue_row(qmgr, "X").depth, queue_row(partner, "DEAD").depth) == (0, 1)
