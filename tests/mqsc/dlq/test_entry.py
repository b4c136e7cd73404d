"""Rules tables in, rules and errors out."""

from __future__ import annotations

from pathlib import Path

from mqsc.dlq.lint import TABLE_RULES
from mqsc.dlq.rules_table import Control, Pattern, Rule
from mqsc.dlq.table_check import DESCRIPTIONS
from mqsc.dlq.table_errors import ERRORS
from mqsc.dlq.table_reading import parse_table
from tests.mqsc.dlq.tables import check_table, errors, ids, table
from tests.rows import csv_rows, rows

NAME, LONG = "a name of at most 48 bytes", "X" * 49
NO_CONVERT = (
    "CONVERT is not supported: only the z/OS utility has it; this handler never converts data"
)
OK = "ACTION(RETRY)"


@rows(
    (
        f"REASON(1) REASON(2) {OK}",
        "REASON was already given in line 1, column 1",
        "REASON only once",
    ),
    (f"CONVERT(YES) {OK}", NO_CONVERT, "no CONVERT"),
    (f"REASN(1) {OK}", "REASN is not a keyword", "REASON"),
    (
        *(f"FORMAT('') {OK}", "FORMAT: the value is empty"),
        "a string of at most 8 bytes, where ? matches one character and * any number of characters",
    ),
    (f'USERID("A") {OK}', 'USERID: "A" must be in apostrophes, not in other quotes', "'A'"),
    (f"USERID(a-b) {OK}", "USERID: a-b contains '-' and needs quotes", "'a-b'"),
    (f"{OK} RETRY(0)", "RETRY: 0 is out of range", "a number from 1 to 999999999"),
    (f"{OK} RETRY(*)", "RETRY: * is not a number", "a number from 1 to 999999999"),
    (f"{OK} RETRY(x)", "RETRY: x is not a number", "a number from 1 to 999999999"),
    ("ACTION(NOPE)", "ACTION: NOPE is not a valid value", "one of DISCARD, IGNORE, RETRY, FWD"),
    ("ACTION(GIVE)", "ACTION: GIVE is not a valid value", "one of DISCARD, IGNORE, RETRY, FWD"),
    (f"INPUTQ({LONG})\n{OK}", f"INPUTQ: {LONG} is too long", NAME),
    ("ACTION(FWD) FWDQ(' ')", "FWDQ: ' ' is blank", f"{NAME} or &DESTQ or &REPLYQ"),
    (
        "ACTION(FWD) FWDQ(A*)",
        "FWDQ: A* has a wildcard",
        f"{NAME} or &DESTQ or &REPLYQ, without wildcards",
    ),
    ("ACTION(FWD) FWDQ(&REPLY)", "FWDQ: &REPLY is not a valid value", "&REPLYQ"),
    (
        *(f"INPUTQ(A) {OK}", "ACTION belongs in a rule, INPUTQ in the control data"),
        "one entry for the control data and one for each rule",
    ),
    (
        *(f"{OK}\nWAIT(NO)", "WAIT is control data, which must be the first entry"),
        "all control data in the first entry",
    ),
    ("REASON(2053)", "the rule has no action", "ACTION: one of DISCARD, IGNORE, RETRY, FWD"),
    (
        "ACTION(FWD)",
        "ACTION(FWD) needs a queue to forward to",
        f"FWDQ: {NAME} or &DESTQ or &REPLYQ",
    ),
    (
        *(f"{OK} HEADER(NO)", "HEADER is valid only with ACTION(FWD); the action here is RETRY"),
        "ACTION(FWD), or no HEADER",
    ),
)
def test_a_message_says_what_is_wrong_and_what_would_be_right(
    text: str,
    message: str,
    right: str,
) -> None:
    first = errors(text)[0]
    assert (first.message, first.suggestion) == (message, right)


@rows(
    *csv_rows(__file__, "errors.csv"),
    ("§3.2 missing value", f"{OK}\nFORMAT {OK}", "MQSC0030", 2, 1),
    ("§2.1 no wildcard", f"INPUTQ(DLQ*)\n{OK}", "MQSC0030", 1, 8),
    ("§2.1 WAIT", f"WAIT(MAYBE)\n{OK}", "MQSC0030", 1, 6),
    ("§2.1 INPUTQ", f"INPUTQ({LONG})\n{OK}", "AMQ8752", 1, 8),
    ("T18", f"REASON(1) +\n  reason(2) {OK}", "AMQ8753", 2, 3),
    ("§3, 2", f"WAIT(NO) WAIT(YES)\n{OK}", "AMQ8753", 1, 10),
    ("§3, 14", f"REASON({'9' * 5000}) {OK}", "AMQ8757", 1, 8),
    ("§2.1 RETRYINT", f"RETRYINT(*)\n{OK}", "AMQ8757", 1, 10),
    ("§2.1 WAIT", f"WAIT(1000000000)\n{OK}", "AMQ8757", 1, 6),
    ("T19", f"{OK}\nINPUTQ(DLQ)", "AMQ8759", 2, 1),
    ("T19", f"INPUTQ(DLQ)\nWAIT(NO)\n{OK}", "AMQ8759", 2, 1),
    ("cut in a continuation", f"{OK}\nREASON(2053) +", "MQSC0030", 2, 14),
    ("cut in a quote", f"{OK}\nUSERID('it''s", "MQSC0030", 2, 8),
)
def test_an_error(rule: str, text: str, rule_id: str, line: int, column: int) -> None:
    """The table has exactly this error, followed by the count."""
    error, count = errors(text)
    assert (error.rule_id, error.line, error.column, error.file) == (
        rule_id,
        line,
        column,
        "rules.txt",
    ), rule
    assert (count.rule_id, count.message) == (
        "AMQ8758",
        "the table has 1 error; no message is processed",
    )
    assert (error.severity, bool(error.message and error.suggestion)) == ("error", True)


@rows("", "\n", "* only\n  * comments\n\n", "INPUTQ(DLQ) WAIT(NO)\n")
def test_a_table_without_a_rule(text: str) -> None:
    (each,) = errors(text)
    assert (each.rule_id, each.line, each.column) == ("AMQ8750", 0, 0)
    assert [each.rule_id for each in errors("WAIT(*)")] == ["AMQ8757", "AMQ8750", "AMQ8758"]


def test_all_errors_are_reported_and_counted() -> None:
    text = (
        "WAIT(MAYBE) RETRYINT(X)\nREASON(2053\nACTION(RETRY)\nRETRY(0) RETRY(5) FWDQ(A*) "
        "ACTION(RETRY)\n"
    )
    diagnostics = errors(text)
    assert [(each.rule_id, each.line) for each in diagnostics] == [
        *(("MQSC0030", 1), ("MQSC0030", 1), ("MQSC0030", 2)),
        *(("AMQ8757", 4), ("AMQ8753", 4), ("AMQ8759", 4), ("MQSC0030", 4), ("AMQ8758", 0)),
    ]
    assert diagnostics[-1].message.startswith("the table has 7 errors;")


@rows(
    ("ACTON(FWD) FWDQ(A)", ["MQSC0030"]),  # not also: no action, FWDQ without FWD
    ("ACTION(FWDD) FWDQ(A) HEADER(NO)", ["MQSC0030"]),
    ("ACTION(FWD) FWQD(A)", ["MQSC0030"]),
    ("ACTION(FWD) FWDQ(A*)", ["MQSC0030"]),
    ("NONSENSE(A)", ["MQSC0030", "AMQ8759"]),
    (f"INPUTQ(\n{OK}", ["MQSC0030"]),
)
def test_one_mistake_is_one_error(text: str, expected: list[str]) -> None:
    assert ids(text) == expected


@rows(
    (f"REASN(2053) {OK}", "REASON"),
    ("ACTION(RETRY) RETRIES(3)", "RETRY"),
    (f"RETRYIN(3) WAIT(NO)\n{OK}", "RETRYINT"),
    (f"REASON(MQRC_Q_FUL) {OK}", "MQRC_Q_FULL"),
    (f"PERSIST(MQPER_PERSISTANT) {OK}", "MQPER_PERSISTENT"),
    ("ACTION(RETRYY)", "RETRY"),
    (f'USERID("alice") {OK}', "'alice'"),
    (f"USERID(\u2018alice\u2019) {OK}", "'alice'"),
    (f'REASON("MQRC_Q_FULL") {OK}', "'MQRC_Q_FULL'"),
    ('ACTION("RETRY")', "'RETRY'"),
    (f"REASON(MQRC_UNKNOWN_OBJECT) {OK}", "MQRC_UNKNOWN_OBJECT_NAME"),
    (f"REASON(Q_FULL) {OK}", "MQRC_Q_FULL"),
    (f"APPLTYPE(ZOS) {OK}", "MQAT_ZOS"),
    *(
        (text, "a line of its own")
        for text in (f"{OK} * remark", f"{OK} // remark", f"# remark\n{OK}", f"-- x\n{OK}")
    ),
)
def test_suggestions(text: str, suggestion: str) -> None:
    assert errors(text)[0].suggestion == suggestion


@rows(
    ("§3, 3", "reason(mqrc_q_full) Action(Retry)"),
    ("T34", "REASON(2053),ACTION(RETRY)"),
    ("T34", ", REASON(2053) , , ACTION(RETRY),"),
    ("§3, 4", "REASON ( 2053 )  ACTION (RETRY)"),
    ("§3, 4", "\tREASON(2053)\tACTION(RETRY)"),
    ("§3, 2", "ACTION(RETRY) REASON(2053)"),
    ("§3, 6", "* before\n  * blanks before\nREASON(2053) ACTION(RETRY)\n* behind"),
    ("§3, 9", "REASON(20+\n   53) ACTION(RETRY)"),
    ("§3, 9", "REA-\nSON(2053) ACT+\n  ION(RETRY)"),
    ("§3, 10", "REASON(2053) ACTION(RETRY)\n"),
    ("CRLF", "REASON(2053) +\r\n  ACTION(RETRY)\r\n"),
    ("byte order mark", "\ufeffREASON(2053) ACTION(RETRY)\n"),
)
def test_the_same_rule_in_many_forms(rule: str, text: str) -> None:
    assert table(text).rules == (Rule((Pattern("REASON", 2053),), "RETRY"),), rule


@rows(
    ("§3, 9", "APPLNAME('ABC+\n  D')", "ABCD"),
    ("T32", "APPLNAME('ABC-\n  D')", "ABC  D"),
    ("T33", "APPLNAME('A+B+  \nC')", "A+BC"),
    ("T15", "APPLNAME(abc)", "ABC"),
    ("T15", "APPLNAME('abc')", "abc"),
    ("§3, 12", "APPLNAME('it''s')", "it's"),
    ("§3, 12", "APPLNAME('''''')", "''"),
    ("§3, 12", "APPLNAME(A.B/C_D%)", "A.B/C_D%"),
    ("§3, 11", "APPLNAME(' ')", ""),
    ("§3, 15", "FORMAT('*A*C*E*G*I*K*M*O*')", "*A*C*E*G*I*K*M*O*"),
    ("T16", "APPLNAME('\\*')", "\\*"),
    ("not ASCII", "APPLNAME('Übertragung')", "Übertragung"),
    ("a value like a keyword", "APPLNAME(ACTION)", "ACTION"),
    ("§3, 14", "MSGTYPE(*)", None),
    ("§3, 14", "MSGTYPE('*')", None),
    ("§3, 14", "REASON(999999999)", 999_999_999),
    ("uncertain 27", "APPLTYPE(MQAT_UNKNOWN)", -1),
    ("§2.4 [C]", "FEEDBACK(MQRC_Q_FULL)", 2053),
    ("§2.4", "REASON(MQFB_EXPIRATION)", 258),
)
def test_a_value(rule: str, pattern: str, value: object) -> None:
    assert [each.value for each in table(f"{pattern} {OK}").rules[0].patterns] == [value], rule


@rows(
    ("", Control("", "", 60, None)),
    ("inputqm(' ') inputq(' ') retryint(30) wait(no)\n", Control("", "", 30, 0)),
    ("INPUTQ(DLQ) INPUTQM('qm1') WAIT(90)\n", Control("DLQ", "qm1", 60, 90)),
    ("WAIT(YES)\n", Control()),
)
def test_control_data(text: str, control: Control) -> None:
    assert table(f"{text}{OK}\n").control == control


@rows(
    ("T10", "ACTION(FWD) FWDQ(A)", Rule((), "FWD", "A", header="YES")),
    (
        "§2.3",
        "ACTION(FWD) FWDQ('a') FWDQM(' ') HEADER(NO) RETRY(3)",
        Rule((), "FWD", "a", "", "NO", retry=3),
    ),
    ("§2.3", "ACTION(FWD) FWDQ(&replyq) FWDQM('&replyqm')", Rule((), "FWD", "&REPLYQ", "&REPLYQM")),
    ("§2.3", "ACTION(RETRY) PUTAUT(CTX)", Rule((), "RETRY", put_authority="CTX")),
    ("§2.3", "ACTION(IGNORE)", Rule((), "IGNORE", retry=1)),
)
def test_an_action(rule: str, text: str, action: Rule) -> None:
    assert table(text).rules == (action,), rule


def test_a_rule_knows_where_it_begins_and_there_may_be_ten_thousand() -> None:
    rules = table(
        "* comment\n\nACTION(RETRY)\nREASON(1) +\n  ACTION(IGNORE)\nACTION(DISCARD)",
    ).rules
    assert [rule.line for rule in rules] == [3, 4, 6]
    assert (
        len(table("".join(f"DESTQ(Q{number}) ACTION(RETRY)\n" for number in range(10_000))).rules)
        == 10_000
    )


def test_invalid_bytes_are_an_error_of_their_entry_but_allowed_in_comments() -> None:
    assert [
        each.line for each in errors(b"* \xff\nUSERID('\xff') ACTION(RETRY)\nACTION(DISCARD)\n")
    ] == [2, 0]


# Files of the corpus by the beginning of their names: the number of rules, and the errors.
CORPUS = {
    "Bagatin": (3, []),
    "unknown_5019609671": (0, ["MQSC0030", "AMQ8759", "AMQ8758"]),
    "unknown_5930772088": (0, ["MQSC0030", "MQSC0030", "AMQ8758"]),
    "web__publibfp": (4, []),
    "web__www-01.ibm.com": (0, ["AMQ8750"]),
    "web__www.ibm.com__docs__en__ibm-mq__10.0.x_topic=zos-example": (2, []),
    "web__www.ibm.com__docs__en__ibm-mq__10.0.x_topic=zos-rules": (1, []),
    "web__www.ibm.com__docs__en__ibm-mq__8.0": (4, []),
    "web__www.ibm.com__docs__en__ibm-mq__9.3.x": (2, []),
    "web__www.ibm.com__support": (4, []),
    "yu-kun": (1, []),
}


def test_real_tables(corpus: Path) -> None:
    """They have no dead rules."""
    found, advice = {}, set()
    for path in (corpus / "dlq").iterdir():
        (start,) = (start for start in CORPUS if path.name.startswith(start))
        parsed = parse_table([path.read_bytes()], path.name)
        rules = parsed.table.rules if parsed.table else ()
        found[start] = (len(rules), [each.rule_id for each in parsed.diagnostics])
        checked = check_table([path.read_bytes()], path.name).diagnostics
        advice |= {each.rule_id for each in checked if each.severity != "error"}
    assert (found, advice) == (CORPUS, {"DLQ03", "DLQ09"})


def test_every_error_is_reported_for_its_bad_table() -> None:
    for error in ERRORS.values():
        assert error.rule_id in [each.rule_id for each in parse_table([error.bad]).diagnostics]


def test_ids_are_unique_and_in_order_and_a_table_with_errors_is_not_linted() -> None:
    ids = [each.rule_id for each in DESCRIPTIONS]
    assert len(set(ids)) == len(ids)
    assert [each.rule_id for each in TABLE_RULES] == [
        f"DLQ{number:02}" for number in range(1, len(TABLE_RULES) + 1)
    ]
    diagnostics = check_table(["PERSIST(5) ACTION(DISCARD)\nACTION(WAIT)\n"]).diagnostics
    assert {each.severity for each in diagnostics} == {"error"}
