"""`dmpmqcfg` with the arguments of IBM's command: what it writes, and in which form."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqsc.ibm.dmpmqcfg import setmqaut_lines
from mqsc.scripts.export import Definition
from mqsc.store.catalog import KINDS, Stored
from tests.mqsc import conftest
from tests.mqsc.conftest import Command
from tests.rows import rows

mqsc = conftest.mqsc
OBJECTS = {
    "DEFINE QLOCAL(A) MAXDEPTH(7)": "DEFINE QLOCAL('A') MAXDEPTH(7) REPLACE",
    "DEFINE CHANNEL(C) CHLTYPE(SVRCONN)": "DEFINE CHANNEL('C') CHLTYPE(SVRCONN) REPLACE",
    "DEFINE CHANNEL(C) CHLTYPE(CLNTCONN) CONNAME(x)": (
        "DEFINE CHANNEL('C') CHLTYPE(CLNTCONN) CONNAME('X') REPLACE"
    ),
    "DEFINE NAMELIST(NL) NAMES(A)": "DEFINE NAMELIST('NL') NAMES('A') REPLACE",
    "DEFINE SUB(S) TOPICSTR(t) DEST(A)": "DEFINE SUB('S') DEST('A') TOPICSTR('T') REPLACE",
    "SET CHLAUTH(C) TYPE(BLOCKUSER) USERLIST('x')": (
        "SET CHLAUTH('C') TYPE(BLOCKUSER) USERLIST('x') ACTION(REPLACE)"
    ),
    "SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) GROUP('clerks') AUTHADD(PUT,GET)": (
        "SET AUTHREC PROFILE('A') OBJTYPE(QUEUE) GROUP('clerks') AUTHADD(GET,PUT)"
    ),
    "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('joe') AUTHADD(NONE)": (
        "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('joe') AUTHADD(NONE)"
    ),
}
QUEUE, CHANNEL, CLIENT, LIST, SUB, RULE, RIGHTS, NONE = OBJECTS.values()


@pytest.fixture
def made(mqsc: Command) -> Command:
    """The command line, with a queue manager QM1 that holds objects and records of several
    kinds.
    """
    mqsc("qmgr", "create", "QM1")
    assert mqsc("run", *(f"-c{command}" for command in OBJECTS)).code == 0
    return mqsc


@rows(
    ("", {QUEUE, CHANNEL, CLIENT, LIST, SUB, RULE, RIGHTS, NONE}),
    ("-x object", {QUEUE, CHANNEL, CLIENT, LIST}),
    ("-x chlauth", {RULE}),
    ("-x authrec", {RIGHTS, NONE}),
    ("-x authrec -t queue", {RIGHTS}),
    ("-x authrec -t qmgr", {NONE}),
    ("-x authrec -t topic", set()),
    ("-x sub", {SUB}),
    ("-t queue", {QUEUE}),
    ("-t q -x object", {QUEUE}),
    ("-t nl", {LIST}),
    ("-t sub", {SUB}),
    ("-t clcn", {CLIENT}),
    ("-t channel -n B*", set()),
    ("-n A*", {QUEUE, RIGHTS}),
    ("-n C", {CHANNEL, CLIENT, RULE}),
)
def test_what_is_written(made: Command, arguments: str, expected: set[str]) -> None:
    ended = made("dmpmqcfg", "-m", "QM1", "-o", "1line", *arguments.split())
    assert (ended.code, {*ended.lines[1:-1]}) == (0, expected)


def test_all_attributes(made: Command) -> None:
    assert ["CLWLPRTY(0)" in made("dmpmqcfg", *options).out for options in (["-a"], [])] == [
        True,
        False,
    ]


def test_a_system_object_that_is_gone_is_not_written(made: Command) -> None:
    """`mqsc export` deletes it on the new queue manager; a dump has only what is there."""
    assert made("run", "-c", "DELETE QMODEL(SYSTEM.DEFAULT.MODEL.QUEUE)").code == 0
    deletion = "DELETE QMODEL('SYSTEM.DEFAULT.MODEL.QUEUE')"
    assert any(line.startswith(deletion) for line in made("export").lines)
    dump = made("dmpmqcfg", "-a", "-o", "1line").lines
    assert QUEUE.split(" MAXDEPTH")[0] in {line.split(" ACCTQ")[0] for line in dump}
    assert not [line for line in dump if "SYSTEM.DEFAULT.MODEL.QUEUE" in line]
    assert not [line for line in dump if line.startswith("DELETE")]


def test_rights_as_setmqaut(made: Command) -> None:
    """Only authority records are printed, restricted to those that -n and -t select."""
    made("run", "-c", "SET AUTHREC PROFILE('B.**') OBJTYPE(TOPIC) PRINCIPAL('a b') AUTHADD(SUB)")
    queue = "setmqaut -m QM1 -n A -t queue -g clerks +get +put"
    manager = "setmqaut -m QM1 -t qmgr -p joe +none"
    topic = "setmqaut -m QM1 -n 'B.**' -t topic -p 'a b' +sub"
    assert {*made("dmpmqcfg", "-o", "setmqaut").lines} == {queue, manager, topic}
    assert made("dmpmqcfg", "-o", "setmqaut", "-n", "A").lines == [queue]
    assert made("dmpmqcfg", "-o", "setmqaut", "-t", "top").lines == [topic]
    assert made("dmpmqcfg", "-o", "setmqaut", "-x", "object").lines == []


@rows(
    ("A.B", "QUEUE", ("GROUP", "clerks"), ["GET", "PUT"], "-n A.B -t queue -g clerks +get +put"),
    ("A.**", "TOPIC", ("PRINCIPAL", "joe"), ["SUB"], "-n 'A.**' -t topic -p joe +sub"),
    ("self", "QMGR", ("GROUP", "a b"), ["CONNECT"], "-t qmgr -g 'a b' +connect"),
    ("QM2", "RQMNAME", ("PRINCIPAL", "o'neil"), [], """-n QM2 -t rqmname -p 'o'"'"'neil' +none"""),
)
def test_a_record_as_setmqaut(
    profile: str,
    type: str,
    entity: tuple[str, str],
    rights: list[str],
    line: str,
) -> None:
    enttype, who = entity
    values: dict[str, Stored] = {
        "OBJTYPE": type,
        "ENTTYPE": enttype,
        "ENTITY": who,
        "AUTHLIST": rights,
    }
    records = [Definition(KINDS["AUTHREC"], profile, values), Definition(KINDS["QLOCAL"], "Q", {})]
    assert [*setmqaut_lines("QM1", records)] == [f"setmqaut -m QM1 {line}"]


TWO_LINES = """
DEFINE QLOCAL('A') +
   MAXDEPTH(7) REPLACE
DEFINE NAMELIST('NL') +
   NAMES('A') REPLACE
DEFINE CHANNEL('C') +
   CHLTYPE(SVRCONN) REPLACE
DEFINE CHANNEL('C') +
   CHLTYPE(CLNTCONN) CONNAME('X') REPLACE
SET CHLAUTH('C') +
   TYPE(BLOCKUSER) USERLIST('x') ACTION(REPLACE)
DEFINE SUB('S') +
   DEST('A') TOPICSTR('T') REPLACE
SET AUTHREC +
   OBJTYPE(QMGR) PRINCIPAL('joe') AUTHADD(NONE)
SET AUTHREC PROFILE('A') +
   OBJTYPE(QUEUE) GROUP('clerks') AUTHADD(GET,PUT)
"""


def test_two_lines(made: Command, tmp_path: Path) -> None:
    """The first line says what is defined, and the script can be run."""
    lines = made("dmpmqcfg", "-o", "2line").lines
    assert sorted(lines[1:-1]) == sorted(TWO_LINES.split("\n")[1:-1])
    (tmp_path / "dump.mqsc").write_text("\n".join(lines))
    made("crtmqm", "QM2")
    made("strmqm", "QM2")
    assert made("runmqsc", "-f", "dump.mqsc", "QM2").code == 0
    assert made("dmpmqcfg", "-m", "QM2", "-o", "2line").lines == lines


@rows(
    ("1line", ["DEFINE CHANNEL('D') CHLTYPE(SDR) CONNAME('h') XMITQ('X') REPLACE"]),
    ("2line", ["DEFINE CHANNEL('D') +", "   CHLTYPE(SDR) CONNAME('h') XMITQ('X') REPLACE"]),
    ("mqsc", ["", "DEFINE CHANNEL('D') CHLTYPE(SDR) CONNAME('h') XMITQ('X') REPLACE"]),
)
def test_sequence_numbers(made: Command, form: str, definition: list[str]) -> None:
    """Behind a channel that sends, and behind no other."""
    made("run", "-c", "DEFINE CHANNEL(D) CHLTYPE(SDR) CONNAME('h') XMITQ(X)")
    lines = made("dmpmqcfg", *f"-t chl -x object -s 12 -o {form}".split()).lines
    reset = "RESET CHANNEL('D') SEQNUM(12)"
    assert [line for line in lines if "RESET" in line] == [reset]
    behind = lines.index(reset)
    assert lines[behind - len(definition) : behind] == definition
    assert "RESET" not in made("dmpmqcfg").out
