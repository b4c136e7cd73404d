"""Parsed commands are turned into requests, or rejected with position and reason."""

import pytest
from msgspec.structs import replace

from grammar.lines import LogicalLine, logical_lines
from mqsc.language.refusal import CommandRefusal
from mqsc.language.request import Request
from mqsc.script import read_request


def read(text: str) -> Request | CommandRefusal:
    (line,) = logical_lines(text.split("\n"))
    assert isinstance(line, LogicalLine)
    return read_request(line)


REFUSED = [
    ("FOO QLOCAL(A)", "AMQ8426I", (1, 1), "'FOO' is not an MQSC verb"),
    ("DEFIN QLOCAL(A)", "AMQ8426I", (1, 1), "did you mean DEFINE?"),
    ("DEL QLOCAL(A)", "AMQ8426I", (1, 1), "'DEL' is not an MQSC verb"),
    ("?", "AMQ8426I", (1, 1), "not an MQSC verb"),
    ("DISPLAY", "AMQ8426I", (1, 1), "DISPLAY needs a type of object"),
    ("DEFINE(QLOCAL) A", "AMQ8426I", (1, 1), "followed by a type of object"),
    ("DEFINE QLOCL(A)", "AMQ8405I", (1, 8), "did you mean QLOCAL?"),
    ("DEFINE QUEUE(A)", "AMQ8405I", (1, 8), "DEFINE takes no object 'QUEUE'; name the type of queue: QALIAS, QLOCAL"),
    ("CLEAR Q(A)", "AMQ8405I", (1, 7), "name the type of queue: QLOCAL"),
    ("+QM1 DISPLAY QMGR", "AMQ8426I", (1, 1), "'+QM1' is not an MQSC verb; leave out the command prefix"),
    ("//SYSIN DD *", "AMQ8426I", (1, 1), "'//SYSIN' is not an MQSC verb; leave out the job control statements"),
    ("!MQ1 QUEUE(A)", "AMQ8426I", (1, 1), "'!MQ1' is not an MQSC verb"),
    ("DEFINE QLOCL(A) PROCESS(P)", "AMQ8405I", (1, 8), "DEFINE takes no object 'QLOCL'"),
    ("DEFINE NOREPLACE QLOCAL(A) NOSUCH", "AMQ8405I", (1, 28), "'NOSUCH' is not a keyword of DEFINE QLOCAL"),
    ("DEFINE QLOCAL(A) MAXDEPT(5)", "AMQ8405I", (1, 18), "did you mean MAXDEPTH?"),
    ("DEFINE QLOCAL(A) +\n   MAXDEPT(5)", "AMQ8405I", (2, 4), "did you mean MAXDEPTH?"),
    ("DEFINE QALIAS(A) MAXDEPTH(5)", "AMQ8405I", (1, 18), "'MAXDEPTH' is not a keyword of DEFINE QALIAS"),
    ("DEFINE QLOCAL(A) CURDEPTH(5)", "AMQ8405I", (1, 18), "'CURDEPTH' is not valid in DEFINE QLOCAL"),
    ("ALTER QLOCAL(A) LIKE(B)", "AMQ8405I", (1, 17), "'LIKE' is not a keyword of ALTER QLOCAL"),
    ("ALTER QMODEL(A) FORCE", "AMQ8405I", (1, 17), "'FORCE' is not a keyword of ALTER QMODEL"),
    ("DELETE QALIAS(A) PURGE", "AMQ8405I", (1, 18), "'PURGE' is not a keyword of DELETE QALIAS"),
    ("DEFINE QLOCAL(A) PUT(ENABLD)", "AMQ8405I", (1, 22), "one of ENABLED, DISABLED (did you mean ENABLED?)"),
    ("DEFINE QLOCAL(A) MAXDEPTH(MANY)", "AMQ8405I", (1, 27), "a number from 0 to 999999999, not MANY"),
    ("DEFINE QLOCAL(A) MAXDEPTH(1000000000)", "AMQ8412E", (1, 27), "a number from 0 to 999999999, not 1000000000"),
    ("DEFINE QLOCAL(A) MAXDEPTH(-1)", "AMQ8405I", (1, 27), "a number from 0 to 999999999"),
    ("DEFINE QLOCAL(A) MAXDEPTH()", "AMQ8405I", (1, 18), "MAXDEPTH takes"),
    ("DEFINE QLOCAL(A) MAXDEPTH", "AMQ8405I", (1, 18), "a value in parentheses"),
    ("DEFINE QLOCAL(A) MAXDEPTH(1,2)", "AMQ8405I", (1, 29), "one value"),
    (f"DEFINE QLOCAL(A) DESCR('{'x' * 65}')", "AMQ8413E", (1, 24), "at most 64 bytes"),
    (f"DEFINE QLOCAL(A) DESCR('{'ü' * 33}')", "AMQ8413E", (1, 24), "at most 64 bytes"),
    ("DEFINE QLOCAL(A) DESCR(a-b)", "AMQ8405I", (1, 24), "must be in quotes: DESCR('a-b')"),
    ("DEFINE QLOCAL(A) BOQNAME('a b')", "AMQ8424E", (1, 26), "letters, digits and . / _ %"),
    ("DEFINE QLOCAL(A) TRIGGER NOTRIGGER", "AMQ8411E", (1, 26), "repeats 'TRIGGER' from line 1, column 18"),
    ("DEFINE QLOCAL(A) REPLACE NOREPLACE", "AMQ8411E", (1, 26), "repeats 'REPLACE'"),
    ("DEFINE QALIAS(A) TARGET(B) TARGQ(B)", "AMQ8411E", (1, 28), "repeats 'TARGET'"),
    ("DISPLAY QLOCAL(A) PUT PUT", "AMQ8411E", (1, 23), "requested twice"),
    ("DEFINE QLOCAL(A) TRIGGER(YES)", "AMQ8405I", (1, 18), "takes no value: write TRIGGER or NOTRIGGER"),
    ("DEFINE QLOCAL", "AMQ8405I", (1, 8), "needs a name"),
    ("DEFINE QLOCAL()", "AMQ8405I", (1, 8), "needs a name"),
    ("DEFINE QLOCAL('')", "AMQ8424E", (1, 15), "takes a name"),
    ("DEFINE QLOCAL(A,B)", "AMQ8405I", (1, 17), "takes one name"),
    ("DEFINE QLOCAL('a b')", "AMQ8424E", (1, 15), "letters, digits"),
    (f"DEFINE QLOCAL({'X' * 49})", "AMQ8424E", (1, 15), "at most 48 bytes"),
    ("DEFINE QLOCAL(A*)", "AMQ8424E", (1, 15), "letters, digits"),
    ("DISPLAY QLOCAL('A*B')", "AMQ8424E", (1, 16), "letters, digits"),
    ("ALTER QMGR(QM1)", "AMQ8405I", (1, 7), "takes no name"),
    ("DISPLAY QLOCAL(A) CURDEPTH(5)", "AMQ8405I", (1, 19), "without a value; WHERE selects by value"),
    ("DISPLAY QLOCAL(A) TYPE(QLOCAL)", "AMQ8428E", (1, 19), "already implies the type"),
    ("DISPLAY QUEUE(A) TYPE(QLCAL)", "AMQ8405I", (1, 23), "did you mean QLOCAL?"),
    ("DISPLAY QMGR WHERE(DEADQ EQ X)", "AMQ8405I", (1, 14), "'WHERE' is not a keyword"),
    ("DISPLAY QUEUE(*) WHERE(CURDEPTH LK 1)", "AMQ8569E", (1, 33), "LT, GT, EQ, NE, LE, GE, not LK"),
    ("DISPLAY QUEUE(*) WHERE(CURDEPTH)", "AMQ8569E", (1, 24), "a keyword, an operator and a value"),
    ("REFRESH QMGR", "AMQ8421E", (1, 9), "REFRESH QMGR needs TYPE"),
    ("DEFINE CHANNEL(A) CHLTYPE(SVRCONN) MCAUSER('clerk_of_the_till')", "AMQ8413E", (1, 44), "or user@domain"),
    (f"DEFINE CHANNEL(A) CHLTYPE(SVRCONN) MCAUSER('a@{'b' * 63}')", "AMQ8413E", (1, 44), "or user@domain"),
    ("DEFINE CHANNEL('A.+QMNAME+') CHLTYPE(SVRCONN)", "AMQ8424E", (1, 16), "only the name of a cluster-sender"),
    ("DEFINE CHANNEL('A.+NAME+') CHLTYPE(CLUSSDR) CONNAME('h')", "AMQ8424E", (1, 16), "letters, digits"),
    ("SET CHLAUTH(A) TYPE(USERMAP) MCAUSER('x')", "AMQ8421E", (1, 5), "needs CLNTUSER"),
    ("SET CHLAUTH(A) TYPE(QMGRMAP) MCAUSER('x')", "AMQ8421E", (1, 5), "needs QMNAME"),
    ("SET CHLAUTH(A) TYPE(SSLPEERMAP) MCAUSER('x')", "AMQ8421E", (1, 5), "needs SSLPEER"),
    ("SET AUTHREC PROFILE('@classes') OBJTYPE(QUEUE)", "AMQ8424E", (1, 21), "PROFILE takes"),
    ("DEFINE CHANNEL(A) CHLTYPE(AMQP) BACKLOG(5)", "AMQ8405I", (1, 33), "'BACKLOG' is not valid for AMQP"),
    ("REFRESH QMGR TYPE(EXPIRE)", "AMQ8405I", (1, 19), "did you mean EXPIRY?"),
    ("REFRESH QMGR TYPE(EXPIRY) NAME('A*B')", "AMQ8424E", (1, 32), "letters, digits"),
]


def test_refused() -> None:
    wrong = [
        (text, found)
        for text, message_id, place, says in REFUSED
        for found in [read(text)]
        if not isinstance(found, CommandRefusal)
        or (found.message_id, (found.line, found.column)) != (message_id, place)
        or says not in found.sentence
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "given", "options", "requested"),
    [
        ("def ql(a) maxdepth(5)", {"MAXDEPTH": 5}, {}, ()),
        ("DEFINE QLOCAL(A) DESCR('it''s') NOTRIGGER", {"DESCR": "it's", "TRIGGER": "NOTRIGGER"}, {}, ()),
        ("DEFINE QLOCAL(A) CAPEXPRY(nolimit)", {"CAPEXPRY": "NOLIMIT"}, {}, ()),
        ("DEFINE QLOCAL(A) DESCR('')", {"DESCR": ""}, {}, ()),
        ("DEFINE QALIAS(A) TARGQ(B) LIKE(C)", {"TARGET": "B"}, {"LIKE": "C"}, ()),
        ("DEFINE QLOCAL(A) REPLACE", {}, {"REPLACE": "REPLACE"}, ()),
        ("ALTER QMGR DEADQ(X) FORCE", {"DEADQ": "X"}, {"FORCE": "FORCE"}, ()),
        ("DELETE QLOCAL(A) NOPURGE", {}, {"PURGE": "NOPURGE"}, ()),
        ("DISPLAY QLOCAL(A) CURDEPTH NOTRIGGER TARGET", {}, {}, ("CURDEPTH", "TRIGGER", "TARGET")),
        ("DISPLAY QUEUE(*) TYPE(QALIAS) TARGTYPE(TOPIC)", {}, {"TYPE": "QALIAS", "TARGTYPE": "TOPIC"}, ()),
        ("DISPLAY QUEUE(*) QTYPE", {}, {}, ("TYPE",)),
        ("DISPLAY QMGR EVENT", {}, {"EVENT": "EVENT"}, ()),
        ("DISPLAY QUEUE(*) WHERE(DESCR EQ 'a b')", {}, {"WHERE": ["DESCR", "EQ", "a b"]}, ()),
        ("REFRESH QMGR TYPE(EXPIRY) NAME('a*')", {}, {"TYPE": "EXPIRY", "NAME": "a*"}, ()),
    ],
)
def test_understood(
    text: str, given: dict[str, object], options: dict[str, object], requested: tuple[str, ...]
) -> None:
    request = read(text)
    assert isinstance(request, Request)
    assert (request.given, request.options, request.requested) == (given, options, requested)


TAKEN = [
    "DEFINE CHANNEL(A) CHLTYPE(SVRCONN) MCAUSER('clerk@shop.example')",
    "SET CHLAUTH(A) TYPE(USERMAP) CLNTUSER('clerk') MCAUSER('clerk@shop.example')",
    "DEFINE CHANNEL('SALES.+QMNAME+') CHLTYPE(CLUSSDR) CONNAME('h')",
    "DEFINE CHANNEL(CLUSTER1.+QMNAME+.ALPHA) CHLTYPE(CLUSSDR) CONNAME('h')",
    "DELETE CHANNEL('SALES.+QMNAME+')",
    "DISPLAY CHSTATUS(*) CHLTYPE(MQTT) CLIENTID(*) ALL",
    "DISPLAY CHSTATUS(*) CHLTYPE(AMQP) CLIENTID('till 7')",
    "DISPLAY CHSTATUS(*) CHLTYPE(MQTT) SUMMARY",
    "DISPLAY CHSTATUS(*) CHLDISP(SHARED) CHLTYPE",
    "DISPLAY CLUSQMGR(*) CLUSTER(SALES) CHANNEL STATUS",
    "DISPLAY CLUSQMGR(*) CHANNEL(TO.*)",
    "START CHANNEL(A) CHLTYPE(MQTT)",
    "START CHANNEL(A) CHLDISP(SHARED)",
    "STOP CHANNEL(A) CHLTYPE(MQTT) CLIENTID('till 7')",
    "STOP CHANNEL(A) CHLDISP(PRIVATE) MODE(FORCE)",
    "DELETE CHANNEL(A) CHLTYPE(MQTT)",
    "RESET CHANNEL(A) CHLDISP(PRIVATE) SEQNUM(7)",
    "RESOLVE CHANNEL(A) ACTION(COMMIT) CHLDISP(SHARED)",
    "PING CHANNEL(A) CHLDISP(DEFAULT)",
    "START TRACE(STAT) CLASS(1,2)",
    "STOP TRACE(ACCTG)",
    "ALTER TRACE(GLOBAL) TNO(1) CLASS(*)",
    "DISPLAY TRACE(*)",
    "DISPLAY TRACE",
    "DEFINE LOG('MQ.LOGCOPY1.DS04') COPY(1)",
    "ARCHIVE LOG CANCEL OFFLOAD",
    "DISPLAY SMDSCONN(*) CFSTRUCT(APP) AVAIL OPENMODE",
    "DISPLAY QMSTATUS TYPE(NATIVEHA) ROLE INSYNC BACKLOG ACKLSN",
    "RVERIFY SECURITY(ANN,BOB)",
    "RECOVER CFSTRUCT(ONE,TWO) TYPE(PURGE)",
]


def test_taken() -> None:
    assert [(text, found) for text in TAKEN for found in [read(text)] if not isinstance(found, Request)] == []


def test_words_that_mq_replaces_need_no_quotes_in_a_service() -> None:
    accepted = [
        "DEFINE SERVICE(A) STARTARG(+QMNAME+) STOPARG(+MQ_SERVER_PID+)",
        "DEFINE SERVICE(A) STARTCMD(+MQ_INSTALL_PATH+/bin/runmqtrm) STDOUT(+MQ_DATA_PATH+/a.out)",
    ]
    assert [line for line in accepted if not isinstance(read(line), Request)] == []
    assert isinstance(read("DEFINE QLOCAL(A) DESCR(+QMNAME+)"), CommandRefusal)


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("DEFINE NOREPLACE +\n QLOCAL('A') +\n PROCESS(P)", "DEFINE QLOCAL('A') NOREPLACE PROCESS(P)"),
        ("DISPLAY ALL CHANNEL(*)", "DISPLAY CHANNEL(*) ALL"),
        ("ALTER DESCR('q') QMGR", "ALTER QMGR DESCR('q')"),
        ("DISPLAY CURDEPTH QLOCAL(A)", "DISPLAY QLOCAL(A) CURDEPTH"),
    ],
)
def test_the_object_may_follow_other_parameters(first: str, then: str) -> None:
    one, other = read(first), read(then)
    assert isinstance(one, Request)
    assert isinstance(other, Request)
    assert replace(one, text="") == replace(other, text="")
