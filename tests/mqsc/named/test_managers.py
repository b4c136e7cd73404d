"""`crtmqm`, `strmqm`, `endmqm`, `dltmqm`, `dspmq` with the arguments of IBM's commands."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from store import open_store
from store.catalog import SYSTEM_OBJECTS
from tests.mqsc.commands import conftest
from tests.mqsc.commands.conftest import Command

mqsc = conftest.mqsc
# Seen in the output of other people: the second fact begins in column 59.
RUNNING = f"{'QMNAME(QM1)':<58}STATUS(Running)"
ENDED = f"{'QMNAME(QM1)':<58}STATUS(Ended normally)"


def test_a_queue_manager_comes_and_goes(mqsc: Command) -> None:
    """The whole page, command by command."""
    steps: list[tuple[tuple[str, ...], int, list[str]]] = [
        (
            ("crtmqm", "QM1"),
            0,
            [
                "IBM MQ queue manager 'QM1' created.",
                "Creating or replacing default objects for queue manager 'QM1'.",
                f"Default objects statistics : {len(SYSTEM_OBJECTS)} created. 0 replaced. 0 failed.",
                "Completing setup.",
                "Setup completed.",
            ],
        ),
        (("dspmq",), 0, [ENDED]),
        (("strmqm", "QM1"), 0, ["IBM MQ queue manager 'QM1' starting.", "IBM MQ queue manager 'QM1' started."]),
        (("strmqm",), 0, ["IBM MQ queue manager 'QM1' running."]),
        (("dspmq", "-m", "QM1"), 0, [RUNNING]),
        (("dspmq", "-o", "all"), 0, [f"{RUNNING} DEFAULT(YES)"]),
        (("dspmq", "-o", "default"), 0, [f"{RUNNING[:58]}DEFAULT(YES)"]),
        (("dltmqm", "QM1"), 10, []),
        (("endmqm", "-i", "QM1"), 0, ["IBM MQ queue manager 'QM1' ended."]),
        (("endmqm", "QM1"), 20, []),
        (("dltmqm", "QM1"), 0, ["IBM MQ queue manager 'QM1' deleted."]),
        (("dspmq",), 0, []),
    ]
    for arguments, code, lines in steps:
        ended = mqsc(*arguments)
        assert (arguments, ended.code, ended.lines) == (arguments, code, lines)


def test_what_it_is_created_with(mqsc: Command) -> None:
    assert mqsc("crtmqm", "QM1").code == 0
    made = mqsc("crtmqm", "-q", "-c", "for orders", "-d", "X", "-u", "DLQ", "-h", "9", "-t", "50", "-x", "7", "QM2")
    assert made.code == 0
    assert mqsc("dspmq", "-o", "d").lines[1].endswith("DEFAULT(YES)")
    mqsc("strmqm", "QM2")
    words = "DESCR DEFXMITQ DEADQ MAXHANDS TRIGINT MAXUMSGS"
    shown = mqsc("run", "-e", "-c", f"DISPLAY QMGR {words}").out
    for each in ("DESCR(for orders)", "DEFXMITQ(X)", "DEADQ(DLQ)", "MAXHANDS(9)", "TRIGINT(50)", "MAXUMSGS(7)"):
        assert each in shown


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("crtmqm",), 20, "a name is missing\nusage: crtmqm"),
        (("crtmqm", "QM1"), 10, "AMQ8110E: IBM MQ queue manager 'QM1' already exists."),
        (("crtmqm", "a b"), 20, "'a b' is no name"),
        (("crtmqm", "-t", "soon", "QM2"), 20, "-t takes a number, not soon"),
        (("crtmqm", "-x", "0", "QM2"), 20, "-x takes a number from 1 to 999999999"),
        (("crtmqm", "-u", "a b", "QM2"), 20, "-u takes a name"),
        (("crtmqm", "-lc", "QM2"), 20, "crtmqm -lc has no meaning here: the log is SQLite's own"),
        (("crtmqm", "-p", "1414", "QM2"), 20, "crtmqm -p has no meaning here: no port is listened on"),
        (("crtmqm", "-ld", "/log", "QM2"), 20, "crtmqm -ld has no meaning here"),
        (("strmqm", "-x", "QM1"), 20, "strmqm -x has no meaning here"),
        (("strmqm", "-c"), 20, "strmqm -c has no meaning here"),
        (("strmqm", "NONE"), 20, "AMQ8118E"),
        (("endmqm",), 20, "a name is missing"),
        (("endmqm", "-i", "-w", "QM1"), 20, "only one of -c, -i, -p and -w"),
        (("endmqm", "-r", "QM1"), 20, "endmqm -r has no meaning here"),
        (("endmqm", "NONE"), 20, "AMQ8118E"),
        (("dltmqm", "-z", "QM1"), 20, "dltmqm -z has no meaning here"),
        (("dltmqm", "NONE"), 20, "AMQ8118E"),
        (("dspmq", "-m", "NONE"), 20, "AMQ8118E"),
        (("dspmq", "-o", "installation"), 20, "-o installation has no meaning here"),
        (("dspmq", "-x"), 20, "dspmq -x has no meaning here"),
        (("dspmq", "QM1"), 20, "there is no use for QM1"),
    ],
)
def test_refused(mqsc: Command, arguments: tuple[str, ...], code: int, said: str) -> None:
    mqsc("crtmqm", "QM1")
    ended = mqsc(*arguments)
    assert (ended.code, ended.out) == (code, "")
    assert said in ended.err


@pytest.mark.parametrize(("option", "lines"), [("-c", 1), ("-w", 2), ("-p", 1)])
def test_ending_while_somebody_is_connected(mqsc: Command, tmp_path: Path, option: str, lines: int) -> None:
    """A program holds a connection until its standard input ends; -w waits for it, -p does not."""
    mqsc("crtmqm", "QM1")
    mqsc("strmqm", "QM1")
    code = (
        "import sys; from store import open_store\n"
        f"with open_store('sqlite:///{tmp_path}/store.db') as store, store.queue_manager('QM1').connect():\n"
        "    print('in', flush=True); sys.stdin.readline()\n"
    )
    program = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert program.stdin
    assert program.stdout
    program.stdout.readline()
    if option == "-w":
        # It reads on and goes while endmqm waits.
        program.stdin.write(b"\n")
        program.stdin.close()
    ended = mqsc("endmqm", option, "QM1")
    assert (ended.code, len(ended.lines)) in ((0, lines), (0, 1))
    if option != "-w":
        program.stdin.close()
    program.wait()
    program.stdout.close()
    with open_store(f"sqlite:///{tmp_path}/store.db") as store:
        assert store.queue_manager("QM1").row().state == "ENDED"
