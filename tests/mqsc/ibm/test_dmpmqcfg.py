"""`dmpmqcfg` with the arguments of IBM's command."""

from __future__ import annotations

import pytest

from mqsc.ibm.scripts import setmqaut_lines
from mqsc.scripts.export import Definition
from store.catalog import KINDS, Stored
from tests.mqsc import conftest
from tests.mqsc.conftest import Command

mqsc = conftest.mqsc
QUEUE = "DEFINE QLOCAL('A') MAXDEPTH(7) REPLACE"
CHANNEL = "DEFINE CHANNEL('C') CHLTYPE(SVRCONN) REPLACE"
CLIENT = "DEFINE CHANNEL('C') CHLTYPE(CLNTCONN) CONNAME('X') REPLACE"
LIST = "DEFINE NAMELIST('NL') NAMES('A') REPLACE"
SUB = "DEFINE SUB('S') DEST('A') TOPICSTR('T') REPLACE"
RULE = "SET CHLAUTH('C') TYPE(BLOCKUSER) USERLIST('x') ACTION(REPLACE)"
RIGHTS = "SET AUTHREC PROFILE('A') OBJTYPE(QUEUE) GROUP('clerks') AUTHADD(GET,PUT)"
NONE = "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('joe') AUTHADD(NONE)"


@pytest.fixture
def made(mqsc: Command) -> Command:
    """The command line, with a queue manager QM1 that holds objects and records of several kinds."""
    mqsc("qmgr", "create", "QM1")
    for command in (
        "DEFINE QLOCAL(A) MAXDEPTH(7)",
        "DEFINE CHANNEL(C) CHLTYPE(SVRCONN)",
        "DEFINE CHANNEL(C) CHLTYPE(CLNTCONN) CONNAME(x)",
        "DEFINE NAMELIST(NL) NAMES(A)",
        "DEFINE SUB(S) TOPICSTR(t) DEST(A)",
        "SET CHLAUTH(C) TYPE(BLOCKUSER) USERLIST('x')",
        "SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) GROUP('clerks') AUTHADD(PUT,GET)",
        "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('joe') AUTHADD(NONE)",
    ):
        assert mqsc("run", "-c", command).code == 0
    return mqsc


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
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
    ],
)
def test_what_is_written(made: Command, arguments: str, expected: set[str]) -> None:
    ended = made("dmpmqcfg", "-m", "QM1", "-o", "1line", *arguments.split())
    assert (ended.code, {*ended.lines[1:]}) == (0, expected)


def test_all_attributes(made: Command) -> None:
    assert "CLWLPRTY(0)" in made("dmpmqcfg", "-a").out
    assert "CLWLPRTY(0)" not in made("dmpmqcfg").out


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


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("-x policy", "dmpmqcfg -x policy is not supported: there are no security policies"),
        ("-o grtmqmaut", "dmpmqcfg -o grtmqmaut is not supported: grtmqmaut is a command of IBM i"),
        ("-t mqttchl", "dmpmqcfg -t mqttchl is not supported"),
        ("-t queues", "-t takes all, authinfo, channel"),
        ("-r QM2", "dmpmqcfg -r is not supported: a store is opened directly"),
        ("-c default", "dmpmqcfg -c is not supported"),
        ("-s 1", "dmpmqcfg -s is not supported"),
        ("-y", "unknown option -y\nusage: dmpmqcfg"),
        ("QM1", "unexpected argument QM1"),
    ],
)
def test_refused(made: Command, arguments: str, said: str) -> None:
    ended = made("dmpmqcfg", *arguments.split())
    assert (ended.code, ended.out) == (20, "")
    assert said in ended.err


def test_no_such_queue_manager(made: Command) -> None:
    ended = made("dmpmqcfg", "-m", "QM9")
    assert (ended.code, ended.out, ended.err[:14]) == (10, "", "mqsc: AMQ8118E")


@pytest.mark.parametrize(
    ("profile", "type", "entity", "rights", "line"),
    [
        ("A.B", "QUEUE", ("GROUP", "clerks"), ["GET", "PUT"], "-n A.B -t queue -g clerks +get +put"),
        ("A.**", "TOPIC", ("PRINCIPAL", "joe"), ["SUB"], "-n 'A.**' -t topic -p joe +sub"),
        ("self", "QMGR", ("GROUP", "a b"), ["CONNECT"], "-t qmgr -g 'a b' +connect"),
        ("QM2", "RQMNAME", ("PRINCIPAL", "o'neil"), [], """-n QM2 -t rqmname -p 'o'"'"'neil' +none"""),
    ],
)
def test_a_record_as_setmqaut(profile: str, type: str, entity: tuple[str, str], rights: list[str], line: str) -> None:
    enttype, who = entity
    values: dict[str, Stored] = {"OBJTYPE": type, "ENTTYPE": enttype, "ENTITY": who, "AUTHLIST": rights}
    records = [Definition(KINDS["AUTHREC"], profile, values), Definition(KINDS["QLOCAL"], "Q", {})]
    assert [*setmqaut_lines("QM1", records)] == [f"setmqaut -m QM1 {line}"]
