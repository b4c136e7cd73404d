"""Parsed commands become requests, or refusals with position, reason and text, without secrets;
WHERE and names.
"""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from mqsc.grammar.lines import LogicalLine, logical_lines
from mqsc.language import where
from mqsc.language.command_table import COMMANDS
from mqsc.language.refusal import REASONS, CommandRefusal, segment
from mqsc.language.reply import Answer
from mqsc.language.request import Request, same_namespace
from mqsc.language.secrets import masked, masked_source, secret_keywords
from mqsc.language.value_types import GenericName, OrAsterisk
from mqsc.language.where import FilterError, read_filter
from mqsc.script import read_request, run
from mqsc.store.catalog import KINDS, QUEUES
from mqsc.store.catalog.types import InvalidValueError, Name
from mqsc.store.table import table
from mqsc.verbs.display import DISPLAY
from mqsc.verbs.syntax import syntax_of
from tests.mqsc.lint.checking import check_script
from tests.rows import csv_rows, rows


def read(text: str) -> Request | CommandRefusal:
    (line,) = logical_lines(text.split("\n"))
    assert isinstance(line, LogicalLine)
    return read_request(line)


@rows(
    *csv_rows(__file__, "refused.csv"),
    ("DEFINE QLOCAL(A) +\n   MAXDEPT(5)", "AMQ8405I", 2, 4, "did you mean MAXDEPTH?"),
    (f"DEFINE QLOCAL(A) DESCR('{'x' * 65}')", "AMQ8413E", 1, 24, "at most 64 bytes"),
    (f"DEFINE QLOCAL(A) DESCR('{'ü' * 33}')", "AMQ8413E", 1, 24, "at most 64 bytes"),
    (f"DEFINE QLOCAL({'X' * 49})", "AMQ8424E", 1, 15, "at most 48 bytes"),
    (f"DELETE BUFFPOOL({'1' * 65})", "AMQ8424E", 1, 17, "at most 64 bytes"),
    (
        f"DEFINE CHANNEL(A) CHLTYPE(SVRCONN) MCAUSER('a@{'b' * 63}')",
        "AMQ8413E",
        1,
        44,
        "or user@domain",
    ),
)
def test_refused(text: str, message_id: str, line: int, column: int, says: str) -> None:
    found = read(text)
    assert isinstance(found, CommandRefusal)
    assert (found.message_id, found.line, found.column) == (message_id, line, column)
    assert says in found.sentence


@rows(
    ("def ql(a) maxdepth(5)", {"MAXDEPTH": 5}, {}, ()),
    (
        "DEFINE QLOCAL(A) DESCR('it''s') NOTRIGGER",
        {"DESCR": "it's", "TRIGGER": "NOTRIGGER"},
        {},
        (),
    ),
    ("DEFINE QLOCAL(A) CAPEXPRY(nolimit)", {"CAPEXPRY": "NOLIMIT"}, {}, ()),
    ("DEFINE QLOCAL(A) DESCR('')", {"DESCR": ""}, {}, ()),
    ("DEFINE QALIAS(A) TARGQ(B) LIKE(C)", {"TARGET": "B"}, {"LIKE": "C"}, ()),
    ("DEFINE QLOCAL(A) REPLACE", {}, {"REPLACE": "REPLACE"}, ()),
    ("ALTER QMGR DEADQ(X) FORCE", {"DEADQ": "X"}, {"FORCE": "FORCE"}, ()),
    ("DELETE QLOCAL(A) NOPURGE", {}, {"PURGE": "NOPURGE"}, ()),
    ("DISPLAY QLOCAL(A) CURDEPTH NOTRIGGER TARGET", {}, {}, ("CURDEPTH", "TRIGGER", "TARGET")),
    (
        "DISPLAY QUEUE(*) TYPE(QALIAS) TARGTYPE(TOPIC)",
        {},
        {"TYPE": "QALIAS", "TARGTYPE": "TOPIC"},
        (),
    ),
    ("DISPLAY QUEUE(*) QTYPE", {}, {}, ("TYPE",)),
    ("DISPLAY QMGR EVENT", {}, {"EVENT": "EVENT"}, ()),
    ("DISPLAY QUEUE(*) WHERE(DESCR EQ 'a b')", {}, {"WHERE": ["DESCR", "EQ", "a b"]}, ()),
    ("REFRESH QMGR TYPE(EXPIRY) NAME('a*')", {}, {"TYPE": "EXPIRY", "NAME": "a*"}, ()),
)
def test_understood(
    text: str,
    given: dict[str, object],
    options: dict[str, object],
    requested: tuple[str, ...],
) -> None:
    request = read(text)
    assert isinstance(request, Request)
    assert (request.attributes, request.options, request.requested) == (given, options, requested)


@rows(
    "DEFINE CHANNEL(A) CHLTYPE(SVRCONN) MCAUSER('clerk@shop.example')",
    "SET CHLAUTH(A) TYPE(USERMAP) CLNTUSER('clerk') MCAUSER('clerk@shop.example')",
    "DEFINE CHANNEL('SALES.+QMNAME+') CHLTYPE(CLUSSDR) CONNAME('h')",
    "DEFINE CHANNEL(CLUSTER1.+QMNAME+.ALPHA) CHLTYPE(CLUSSDR) CONNAME('h')",
    "DELETE CHANNEL('SALES.+QMNAME+')",
    # What is displayed of channels need not be an attribute of all of them.
    "DISPLAY CHANNEL(*) CHLTYPE(SVRCONN) XMITQ",
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
    f"DELETE BUFFPOOL({'1' * 64})",
    # Words that MQ replaces need no quotes in a service.
    "DEFINE SERVICE(A) STARTARG(+QMNAME+) STOPARG(+MQ_SERVER_PID+)",
    "DEFINE SERVICE(A) STARTCMD(+MQ_INSTALL_PATH+/bin/runmqtrm) STDOUT(+MQ_DATA_PATH+/a.out)",
)
def test_taken(text: str) -> None:
    assert isinstance(read(text), Request)


@rows(
    ("DEFINE NOREPLACE +\n QLOCAL('A') +\n PROCESS(P)", "DEFINE QLOCAL('A') NOREPLACE PROCESS(P)"),
    ("DISPLAY ALL CHANNEL(*)", "DISPLAY CHANNEL(*) ALL"),
    ("ALTER DESCR('q') QMGR", "ALTER QMGR DESCR('q')"),
    ("DISPLAY CURDEPTH QLOCAL(A)", "DISPLAY QLOCAL(A) CURDEPTH"),
)
def test_the_object_may_follow_other_parameters(first: str, then: str) -> None:
    one, other = read(first), read(then)
    assert isinstance(one, Request)
    assert isinstance(other, Request)
    assert replace(one, text="") == replace(other, text="")


ROW: dict[str, Any] = {
    **{"QUEUE": "ORDERS.IN", "CURDEPTH": 7, "CAPEXPRY": "NOLIMIT", "DESCR": "orders of the day"},
    **{"TRIGGER": "NOTRIGGER", "USAGE": "NORMAL"},
}


@rows(
    *(
        (words, True)
        for words in ("CURDEPTH GT 6", "CURDEPTH GE 7", "CURDEPTH LT 10", "CAPEXPRY LT 10")
    ),
    *(
        (words, True)
        for words in ("CAPEXPRY EQ NOLIMIT", "DESCR EQ orders of the day", "DESCR LK orders*")
    ),
    *((words, True) for words in ("QUEUE LK ORD*", "TRIGGER EQ NO", "NOTRIGGER EQ NO")),
    *(
        (words, False)
        for words in ("CURDEPTH GT 7", "curdepth ne 7", "DESCR NL orders*", "DESCR LK Orders*")
    ),
    *((words, False) for words in ("USAGE EQ XMITQ", "TRIGGER NE NO", "XMITQ EQ ")),
)
def test_filter(words: str, passes: bool) -> None:
    assert read_filter(words.split(" ", 2), QUEUES, "QUEUE").passes(ROW) is passes


@rows(
    ("CT", "a", True),
    ("EX", "a", False),
    ("CT", "c", False),
    ("CTG", "a*", True),
    ("EXG", "x*", True),
)
def test_filter_of_a_list(operator: str, value: str, passes: bool) -> None:
    filter = read_filter(("SUITEB", operator, value), [KINDS["QMGR"]], "QMGR")
    assert filter.passes({"SUITEB": ["a", "b"]}) is passes


@rows(
    ("CURDEPTH GT", 1, "a keyword, an operator and a value"),
    ("CURDEPT GT 1", 0, "CURDEPT"),
    ("CMDSCOPE EQ QM1", 0, "CMDSCOPE"),
    ("CURDEPTH LK 1", 1, "LT, GT, EQ, NE, LE, GE"),
    ("USAGE GT NORMAL", 1, "EQ, NE"),
    ("CURDEPTH GT many", 2, "number"),
    ("USAGE EQ XMIT", 2, "XMITQ"),
    ("TRIGGER EQ MAYBE", 2, "YES or NO"),
)
def test_refused_filter(words: str, index: int, says: str) -> None:
    with pytest.raises(FilterError, match=says) as raised:
        read_filter(words.split(), QUEUES, "QUEUE")
    assert raised.value.index == index


def test_filter_keywords_are_attributes_of_their_display() -> None:
    for row in table(where.__file__, "filter_keywords.csv", ("noun", "never", "selecting")):
        for noun in row["noun"].split():
            kinds = same_namespace(DISPLAY.objects[noun][0])
            known = {word for kind in kinds for word in (*kind.attributes, *kind.key)}
            assert {*row["never"].split(), *row["selecting"].split()} <= known, noun


def test_accepted_names() -> None:
    accepted = [GenericName().accept(text) for text in ("*", "A*", "A  ", "A.B")]
    assert accepted == ["*", "A*", "A", "A.B"]
    assert (OrAsterisk(Name(4)).accept("*"), OrAsterisk(Name(4)).accept("ABCD")) == ("*", "ABCD")


@pytest.mark.parametrize("text", ["A*B", "**", "A B*", "A" * 49])
def test_refused_names(text: str) -> None:
    with pytest.raises(InvalidValueError):
        GenericName().accept(text)
    with pytest.raises(InvalidValueError):
        OrAsterisk(Name(48)).accept(text)


def first_line(text: str) -> LogicalLine:
    line = next(iter(logical_lines(text.split("\n"))))
    assert isinstance(line, LogicalLine)
    return line


def refused(text: str) -> Answer:
    line = first_line(text)
    refusal = read_request(line)
    assert isinstance(refusal, CommandRefusal)
    return refusal.answer(line, "a.mqsc")


def test_an_unknown_verb_lists_the_verbs() -> None:
    answer = refused("FOO")
    assert answer.text.splitlines()[:3] == ["Valid MQSC commands are:", "", "    ALTER"]
    assert answer.text.splitlines()[-1] == "a.mqsc, line 1, column 1: 'FOO' is not an MQSC verb"
    assert (answer.completion, answer.reason, answer.syntax_error) == (2, 0, True)


def test_a_syntax_error_shows_the_segment_and_the_syntax() -> None:
    first, *lines = refused("PING QMGR +\n  FOO(1) BAR").text.splitlines()
    assert first == "Syntax error detected at or near end of command segment below:-"
    assert lines[:3] == [
        "PING QMGR FOO",
        "",
        "a.mqsc, line 2, column 3: 'FOO' is not a keyword of PING QMGR",
    ]
    assert lines[3:5] == ["AMQ8427I: Valid syntax for the MQSC command:", ""]


def test_a_word_that_spans_two_lines_lacks_a_blank() -> None:
    hint = "(lines are joined without a blank: leave one before + or -)"
    assert refused("PING QMGR+\nFOO").text.splitlines()[-1].endswith(hint)
    assert hint not in refused("PING QMGR +\nFOO").text
    assert hint not in refused("DEFINE QLOCAL(A) DESCR('a+\n b') FOO").text


@rows(
    ("DEFINE QLOCAL('a b')", "AMQ8424E", False, REASONS["AMQ8424E"]),
    ("DEFINE QLOCAL(A) MAXDEPTH(1000000000)", "AMQ8412E", True, 4005),
    ("DEFINE QLOCAL(A) +", "AMQ8406I", True, 0),
)
def test_some_refusals_count_as_valid_commands_that_failed(
    text: str,
    said: str,
    is_error: bool,
    reason: int,
) -> None:
    assert (refused(text).message_id, refused(text).syntax_error, refused(text).reason) == (
        said,
        is_error,
        reason,
    )


def test_empty_parentheses_belong_to_the_segment_and_secrets_in_it_are_masked() -> None:
    line = first_line("DEFINE QLOCAL( ) MAXDEPTH(5)")
    assert (segment(line, 1, 8), segment(line, 1, 18)) == (
        "DEFINE QLOCAL( )",
        "DEFINE QLOCAL( ) MAXDEPTH",
    )
    assert segment(first_line("DEFINE QLOCAL(A'B) DESCR('x')"), 1, 16) == "DEFINE QLOCAL(A'"
    assert (
        "hun" not in refused("DEFINE CHANNEL(A) CHLTYPE(SVRCONN) PASSWORD(hun'ter2) DESCR(x)").text
    )
    text = refused("DEFINE CHANNEL(A) CHLTYPE(SVRCONN) PASSWORD('hunter2') FOO(1)").text
    assert ("hunter2" in text, "********" in text) == (False, True)


STARS = "********"


@rows(
    ("ALTER QMGR KEYRPWD('top secret') DESCR('x')", f"ALTER QMGR KEYRPWD({STARS}) DESCR('x')"),
    ("alter qmgr keyrpwd ( geheim )", f"alter qmgr keyrpwd ( {STARS})"),
    ("ALTER QMGR KEYRPWD('it''s) secret')", f"ALTER QMGR KEYRPWD({STARS})"),
    ("ALTER QMGR KEYRPWD('never closed", f"ALTER QMGR KEYRPWD({STARS}"),
    ("ALTER QMGR KEYRPWD(never closed", f"ALTER QMGR KEYRPWD({STARS}"),
    ("ALTER QMGR KEYRPWD 'geheim' DESCR('x')", f"ALTER QMGR KEYRPWD {STARS} DESCR('x')"),
    ("ALTER QMGR KEYRPWD='ge heim' FORCE", f"ALTER QMGR KEYRPWD={STARS} FORCE"),
    ("ALTER QMGR KEYRPWD = geheim FORCE", f"ALTER QMGR KEYRPWD = {STARS} FORCE"),
    ("ALTER QMGR KEYRPWD('')", "ALTER QMGR KEYRPWD('')"),
    ("ALTER CHANNEL(A) PASSWORD(x) USERID(u)", f"ALTER CHANNEL(A) PASSWORD({STARS}) USERID(u)"),
    ("DEFINE QLOCAL(MYPASSWORD)", "DEFINE QLOCAL(MYPASSWORD)"),
    (
        "DISPLAY CHL(*) WHERE(PASSWORD EQ 'a)b') ALL",
        f"DISPLAY CHL(*) WHERE(PASSWORD EQ {STARS}) ALL",
    ),
    ("DIS CHL(*) WHERE ( password,lk geh* )", f"DIS CHL(*) WHERE ( password,lk {STARS})"),
    ("ALTER CHANNEL(A) PASSWRD('x y') DESCR('d')", f"ALTER CHANNEL(A) PASSWRD({STARS}) DESCR('d')"),
    ("DEFINE AUTHINFO(A) LDAPPW='x'", f"DEFINE AUTHINFO(A) LDAPPW={STARS}"),
    ("DISPLAY CHL(*) WHERE(PASWORD EQ 'x')", f"DISPLAY CHL(*) WHERE(PASWORD EQ {STARS})"),
    ("ALTER QMGR KEYRPW(a) KEYRPWD(b)", f"ALTER QMGR KEYRPW({STARS}) KEYRPWD({STARS})"),
    ("DISPLAY QMGR KEYRPWD EQUAL", "DISPLAY QMGR KEYRPWD EQUAL"),
    ("DISPLAY QMGR KEYRPWD SSLKEYR", "DISPLAY QMGR KEYRPWD SSLKEYR"),
    # A value in quotes is not a keyword, even if it looks like one.
    ("SET AUTHREC PRINCIPAL('app') OBJTYPE(QMGR)", "SET AUTHREC PRINCIPAL('app') OBJTYPE(QMGR)"),
    ("ALTER AUTHINFO(A) CONNAME('ldap(389)')", "ALTER AUTHINFO(A) CONNAME('ldap(389)')"),
    (
        "ALTER AUTHINFO(A) LDAPPW('x') CONNAME('ldap(389)')",
        f"ALTER AUTHINFO(A) LDAPPW({STARS}) CONNAME('ldap(389)')",
    ),
    # Without its closing quote, a description goes on to the quote that opens the secret.
    (
        "ALTER AUTHINFO(A) DESCR('users) LDAPPWDX(')pw')",
        f"ALTER AUTHINFO(A) DESCR('users) LDAPPWDX({STARS})",
    ),
    (
        "ALTER AUTHINFO(A) DESCR('users) LDAPPWD(' pw')",
        f"ALTER AUTHINFO(A) DESCR('users) LDAPPWD({STARS})",
    ),
    (
        "ALTER CHL(A) DESCR('a password') MCAUSER('it''s app')",
        "ALTER CHL(A) DESCR('a password') MCAUSER('it''s app')",
    ),
    (
        "ALTER CHL(A) MCAUSER('app') PASSWORD('x') DESCR('d')",
        f"ALTER CHL(A) MCAUSER('app') PASSWORD({STARS}) DESCR('d')",
    ),
    ("ALTER QMGR DESCR('app KEYRPWD(x)')", f"ALTER QMGR DESCR('app KEYRPWD({STARS})')"),
    (
        "ALTER QMGR DESCR('open) KEYRPWD('x') SSLKEYR('y')",
        f"ALTER QMGR DESCR('open) KEYRPWD({STARS}) SSLKEYR('y')",
    ),
)
def test_masked(text: str, shown: str) -> None:
    assert masked(text) == shown


def test_a_secret_is_masked_in_each_line_and_command() -> None:
    line = first_line("ALTER QMGR KEYRPWD('top +\n* a remark\n   secret') DESCR('x')")
    assert masked_source(line) == (
        f"ALTER QMGR KEYRPWD({STARS}+",
        "* a remark",
        f"   {STARS}) DESCR('x')",
    )
    first, second = logical_lines(["PING QMGR; ALTER QMGR KEYRPWD('geheim')"])
    assert isinstance(first, LogicalLine)
    assert isinstance(second, LogicalLine)
    assert (masked_source(first), masked_source(second)) == (
        ("PING QMGR;",),
        (f" ALTER QMGR KEYRPWD({STARS})",),
    )


@rows(
    "ALTER QMGR KEYRPWD(geh$eim)",
    "ALTER QMGR KEYRPWD('geh$eim'",
    "ALTER QMGR KEYRPWD 'geh$eim'",
    "ALTER QMGR KEYRPWD='geh$eim'",
    "ALTER QMGR KEYRPWD=geh$eim",
    "ALTER QMGR KEYRPWD('geh$eim') KEYRPWD('geh$eim')",
    f"ALTER QMGR KEYRPWD('{'geh$eim' * 200}')",
    "ALTER QMGR KEYRPWD('geh$eim','geh$eim')",
    "DEFINE CHANNEL(A) CHLTYPE(SDR) PASSWRD('geh$eim')",
)
def test_no_reply_repeats_a_secret(text: str) -> None:
    (reply,) = run(None, text)
    assert reply.completion == 2
    assert "geh$" not in reply.text + reply.command


def test_only_secret_keywords_are_masked() -> None:
    words = {
        word
        for verb, nouns in COMMANDS.items()
        for noun in nouns
        for word in syntax_of(verb, noun).words
    }
    shown = {word for word in words if masked(f"X {word}('a')") == f"X {word}('a')"}
    assert words - shown == words & secret_keywords()


COMMENT = "a comment must be on a line of its own"
QUOTE = "the value must be in apostrophes, not in other quotes"


@rows(
    ("ALTER QMGR DESCR('x') * a remark of five words", "AMQ8405I", (1, 23), COMMENT),
    ("ALTER QMGR DESCR('x') # a remark", "AMQ8405I", (1, 23), COMMENT),
    ("ALTER QMGR DESCR('x') -- a remark", "AMQ8405I", (1, 23), COMMENT),
    (
        "DEFINE QLOCAL(A) + DESCR('x')",
        "AMQ8405I",
        (1, 18),
        "+ continues a command only at the end of a line",
    ),
    ("DEFINE QLOCAL(A) \\", "AMQ8405I", (1, 18), "a backslash does not"),
    (
        "DEFINE QLOCAL(A) +\n\nDEF QALIAS(B) TARGET(A)",
        "AMQ8405I",
        (3, 1),
        "DEF begins another command",
    ),
    ("DEFINE QLOCAL(A) +\nEND", "AMQ8405I", (2, 1), "END begins another command"),
    ("DEFINE QLOCAL(A) DEFINE", "AMQ8405I", (1, 18), "'DEFINE' is not a keyword of DEFINE QLOCAL"),
    ('DEFINE QLOCAL(A) DESCR("two words")', "AMQ8405I", (1, 24), QUOTE),
    ("DEFINE QLOCAL(A) DESCR(\u2018x\u2019)", "AMQ8405I", (1, 24), QUOTE),
    ("DEFINE QALIAS(A) TARGET(\u201cB\u201d)", "AMQ8424E", (1, 25), QUOTE),
    ("DEFINE QLOCAL(`A`)", "AMQ8424E", (1, 15), QUOTE),
    ('DISPLAY QLOCAL(*) WHERE(DESCR EQ "x")', "AMQ8405I", (1, 34), QUOTE),
    ('DISPLAY QLOCAL(*) WHERE(DESCR EQ "two words")', "AMQ8405I", (1, 34), QUOTE),
    ("DISPLAY CONN(*) WHERE(APPLTAG LK \u201corders*\u201d)", "AMQ8405I", (1, 34), QUOTE),
)
def test_text_of_other_languages(
    script: str,
    message_id: str,
    place: tuple[int, int],
    says: str,
) -> None:
    (reply,) = run(None, script)
    assert reply.message_id == message_id
    assert f"line {place[0]}, column {place[1]}: " in reply.text
    assert says in reply.text
    # A check does not report every word of a remark, nor the parameters of the next command.
    (error,) = (each for each in check_script(script.split("\n")) if each.severity == "error")
    assert (error.rule_id, error.line, error.column) == (message_id, *place)


@rows(
    (
        "setmqaut -m QM1 -t qmgr -p app +connect",
        "'setmqaut' is not an MQSC verb; this is a shell command",
    ),
    ("strmqm QM1", "'strmqm' is not an MQSC verb; this is a shell command"),
    ("STRMQM MQMNAME(QM1)", "'STRMQM' is not an MQSC verb; this is a CL command of IBM i"),
    ("WRKMQM", "'WRKMQM' is not an MQSC verb; this is a CL command of IBM i"),
    (
        "CRTMQMQ QNAME(A) QTYPE(*LCL)",
        "'CRTMQMQ' is not an MQSC verb; this is a CL command of IBM i",
    ),
    ("{% for queue in queues %}", "'{%' is not an MQSC verb; fill in the template first"),
    (
        "DEFINE QLOCAL(@@ENV@@.ORDERS)",
        "@@ENV@@ is a placeholder: write ${ENV} and give --set ENV=VALUE.",
    ),
    (
        "DEFINE QLOCAL(#{env}.ORDERS)",
        "#{env} is a placeholder: write ${env} and give --set env=VALUE.",
    ),
    ("INPUTQ(DLQ)", "'INPUTQ' is not an MQSC verb; mqsc dlq checks and runs rules tables"),
    (
        "#!/bin/sh",
        "'#!/bin/sh' is not an MQSC verb; this is a script for another program, of which only the "
        "MQSC can be run here",
    ),
    (
        "     3 : PING QMGR",
        "'3' is not an MQSC verb; this is output of runmqsc, which mqsc import reads",
    ),
    (
        "AMQ8415I: Ping IBM MQ queue manager command complete.",
        "'AMQ8415I:' is not an MQSC verb; this is output of runmqsc, which mqsc import reads",
    ),
    ("> PING QMGR", "'>' is not an MQSC verb; leave out the prompt"),
    ("MQSC >PING QMGR", "'MQSC' is not an MQSC verb; leave out the prompt"),
    (
        "-CSQ1 PING QMGR",
        "'-CSQ1' is not an MQSC verb; leave out the command prefix of the z/OS console",
    ),
    (
        "  MAXDEPTH(10) DESCR('x')",
        "'MAXDEPTH' is not an MQSC verb; to continue a command, end the line before with +",
    ),
)
def test_what_is_not_mqsc_is_named(line: str, says: str) -> None:
    *_, reply = run(None, f"DEFINE QLOCAL(A)\n{line}")
    assert reply.text.endswith(says)


@rows("# Start", "-- Start", "// Start", "#Start")
def test_a_comment_of_another_language(line: str) -> None:
    (reply,) = run(None, line)
    assert reply.message_id == "AMQ8426I"
    assert "a comment begins with an asterisk" in reply.text
