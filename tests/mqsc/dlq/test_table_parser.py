"""Errors of rules tables (dlq-rules §3.2) with id, line and column, and tables without errors."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqsc.dlq.entry import parse_table
from mqsc.dlq.rules_table import Control, Pattern, Rule
from tests.mqsc.dlq.tables import errors, ids, table

OK = "ACTION(RETRY)"
LONG = "X" * 49


ERRORS = [
    ("§3.2 unknown keyword", "REASON(2053) ACTIN(RETRY)", "MQSC0030", 1, 14),
    ("§2.3 CONVERT is not in this table", f"{OK} CONVERT(YES)", "MQSC0030", 1, 15),
    ("§3.2 missing bracket", "REASON(2053 ACTION(RETRY)", "MQSC0030", 1, 13),
    ("§3.2 missing value", f"{OK}\nFORMAT {OK}", "MQSC0030", 2, 1),
    ("§3, 11", f"FORMAT('') {OK}", "MQSC0030", 1, 8),
    ("§3, 11", f"FORMAT( ) {OK}", "MQSC0030", 1, 9),
    ("§3, 11", f"FORMAT() {OK}", "MQSC0030", 1, 8),
    ("§3, 12", f"USERID(a-b) {OK}", "MQSC0030", 1, 8),
    ("§3, 12", f"USERID(é) {OK}", "MQSC0030", 1, 8),
    ("§3, 12", f'USERID("A") {OK}', "MQSC0030", 1, 8),
    ("§2.4 unknown name", f"REASON(MQRC_Q_FUL) {OK}", "MQSC0030", 1, 8),
    ("§2.4 another family", f"MSGTYPE(MQRC_Q_FULL) {OK}", "MQSC0030", 1, 9),
    ("§2.4 FEEDBACK is not REASON of channels", f"FEEDBACK(MQRCCF_CFH_TYPE_ERROR) {OK}", "MQSC0030", 1, 10),
    ("§3, 14", f"REASON(2053X) {OK}", "MQSC0030", 1, 8),
    ("§2.3 ACTION", "ACTION(FORWARD)", "MQSC0030", 1, 8),
    ("§3, 13", "ACTION(RE*)", "MQSC0030", 1, 8),
    ("§3, 13", "ACTION(FWD) FWDQ(A*)", "MQSC0030", 1, 18),
    ("§3, 13", "ACTION(FWD) FWDQ(A) FWDQM(B?)", "MQSC0030", 1, 27),
    ("§3, 13", "ACTION(FWD) FWDQ(A) HEADER(*)", "MQSC0030", 1, 28),
    ("§3, 13", f"{OK} PUTAUT(*)", "MQSC0030", 1, 22),
    ("§2.1 no wildcard", f"INPUTQ(DLQ*)\n{OK}", "MQSC0030", 1, 8),
    ("§2.3 FWDQ", "ACTION(FWD) FWDQ(' ')", "MQSC0030", 1, 18),
    ("§2.3 FWDQ", "ACTION(FWD) FWDQ(&REPLYQM)", "MQSC0030", 1, 18),
    ("§2.3 FWDQM", "ACTION(FWD) FWDQ(A) FWDQM(&REPLYQ)", "MQSC0030", 1, 27),
    ("§2.1 WAIT", f"WAIT(MAYBE)\n{OK}", "MQSC0030", 1, 6),
    ("§3, 15", f"FORMAT(ABCDEFGHI) {OK}", "AMQ8752", 1, 8),
    ("§3, 15", f"FORMAT('*A*C*E*G*I*K*M*O*Q') {OK}", "AMQ8752", 1, 8),
    ("§3, 15", f"DESTQ({LONG}) {OK}", "AMQ8752", 1, 7),
    ("§3, 15 bytes", f"USERID('ääääääX') {OK}", "AMQ8752", 1, 8),
    ("§2.1 INPUTQ", f"INPUTQ({LONG})\n{OK}", "AMQ8752", 1, 8),
    ("§2.3 FWDQ", f"ACTION(FWD) FWDQ({LONG})", "AMQ8752", 1, 18),
    ("§2.3 FWDQM", f"ACTION(FWD) FWDQ(A) FWDQM({LONG})", "AMQ8752", 1, 27),
    ("§3, 2", "ACTION(RETRY) ACTION(RETRY)", "AMQ8753", 1, 15),
    ("T18", f"REASON(1) +\n  reason(2) {OK}", "AMQ8753", 2, 3),
    ("§3, 2", f"WAIT(NO) WAIT(YES)\n{OK}", "AMQ8753", 1, 10),
    ("T17", f"MSGTYPE('2*') {OK}", "AMQ8757", 1, 9),
    ("§3, 14", f"MSGTYPE(?) {OK}", "AMQ8757", 1, 9),
    ("§3, 14", f"REASON(1000000000) {OK}", "AMQ8757", 1, 8),
    ("uncertain 27", f"APPLTYPE(-1) {OK}", "AMQ8757", 1, 10),
    ("§3, 14", f"REASON({'9' * 5000}) {OK}", "AMQ8757", 1, 8),
    ("§2.3 RETRY", f"{OK} RETRY(0)", "AMQ8757", 1, 21),
    ("§2.3 RETRY", f"{OK} RETRY(1000000000)", "AMQ8757", 1, 21),
    ("§3, 13", f"{OK} RETRY(*)", "AMQ8757", 1, 21),
    ("§2.1 RETRYINT", f"RETRYINT(*)\n{OK}", "AMQ8757", 1, 10),
    ("§2.1 WAIT", f"WAIT(1000000000)\n{OK}", "AMQ8757", 1, 6),
    ("T09", f"{OK} FWDQ(A)", "AMQ8759", 1, 15),
    ("T09", "ACTION(DISCARD) FWDQ(A)", "AMQ8759", 1, 17),
    ("T09", "FWDQ(A) ACTION(IGNORE)", "AMQ8759", 1, 1),
    ("T08", f"{OK} HEADER(NO)", "AMQ8759", 1, 15),
    ("§2.3 FWDQM", f"{OK} FWDQM(A)", "AMQ8759", 1, 15),
    ("§2.3 FWDQ", "ACTION(FWD)", "AMQ8759", 1, 1),
    ("§2.3 ACTION", "REASON(2053)", "AMQ8759", 1, 1),
    ("T19", f"{OK}\nINPUTQ(DLQ)", "AMQ8759", 2, 1),
    ("T19", f"INPUTQ(DLQ)\nWAIT(NO)\n{OK}", "AMQ8759", 2, 1),
    ("T19", f"INPUTQ(DLQ) {OK}", "AMQ8759", 1, 13),
    ("cut in a continuation", f"{OK}\nREASON(2053) +", "MQSC0030", 2, 14),
    ("cut in a quote", f"{OK}\nUSERID('it''s", "MQSC0030", 2, 8),
]


def is_reported(text: str, rule_id: str, line: int, column: int) -> bool:
    """Return whether the table has exactly this error, followed by the count."""
    error, count = errors(text)
    is_located = (error.rule_id, error.line, error.column, error.file) == (rule_id, line, column, "rules.txt")
    is_counted = (count.rule_id, count.message) == ("AMQ8758", "the table has 1 error; no message is processed")
    return is_located and is_counted and error.severity == "error" and bool(error.message and error.suggestion)


def test_an_error() -> None:
    assert [row for row in ERRORS if not is_reported(*row[1:])] == []


@pytest.mark.parametrize("text", ["", "\n", "* only\n  * comments\n\n", "INPUTQ(DLQ) WAIT(NO)\n"])
def test_a_table_without_a_rule(text: str) -> None:
    (each,) = errors(text)
    assert (each.rule_id, each.line, each.column) == ("AMQ8750", 0, 0)


def test_control_data_with_an_error_and_no_rule_are_both_reported() -> None:
    assert [each.rule_id for each in errors("WAIT(*)")] == ["AMQ8757", "AMQ8750", "AMQ8758"]


def test_all_errors_are_reported_and_counted() -> None:
    text = "WAIT(MAYBE) RETRYINT(X)\nREASON(2053\nACTION(RETRY)\nRETRY(0) RETRY(5) FWDQ(A*) ACTION(RETRY)\n"
    diagnostics = errors(text)
    assert [(each.rule_id, each.line) for each in diagnostics] == [
        ("MQSC0030", 1),
        ("MQSC0030", 1),
        ("MQSC0030", 2),
        ("AMQ8757", 4),
        ("AMQ8753", 4),
        ("AMQ8759", 4),
        ("MQSC0030", 4),
        ("AMQ8758", 0),
    ]
    assert diagnostics[-1].message.startswith("the table has 7 errors;")


ONE_MISTAKE = [
    ("ACTON(FWD) FWDQ(A)", ["MQSC0030"]),  # not also: no action, FWDQ without FWD
    ("ACTION(FWDD) FWDQ(A) HEADER(NO)", ["MQSC0030"]),
    ("ACTION(FWD) FWQD(A)", ["MQSC0030"]),
    ("ACTION(FWD) FWDQ(A*)", ["MQSC0030"]),
    ("NONSENSE(A)", ["MQSC0030", "AMQ8759"]),
    (f"INPUTQ(\n{OK}", ["MQSC0030"]),
]


def test_one_mistake_is_one_error() -> None:
    assert [row for row in ONE_MISTAKE if ids(row[0]) != row[1]] == []


SUGGESTIONS = [
    (f"REASN(2053) {OK}", "REASON"),
    ("ACTION(RETRY) RETRIES(3)", "RETRY"),
    (f"RETRYIN(3) WAIT(NO)\n{OK}", "RETRYINT"),
    (f"REASON(MQRC_Q_FUL) {OK}", "MQRC_Q_FULL"),
    (f"PERSIST(MQPER_PERSISTANT) {OK}", "MQPER_PERSISTENT"),
    ("ACTION(RETRYY)", "RETRY"),
    ("ACTION(FWD) FWDQ(&REPLY)", "&REPLYQ"),
    (f"USERID(a-b) {OK}", "'a-b'"),
    (f'USERID("alice") {OK}', "'alice'"),
    (f"USERID(\u2018alice\u2019) {OK}", "'alice'"),
    (f'REASON("MQRC_Q_FULL") {OK}', "'MQRC_Q_FULL'"),
    ('ACTION("RETRY")', "'RETRY'"),
    (f"REASON(MQRC_UNKNOWN_OBJECT) {OK}", "MQRC_UNKNOWN_OBJECT_NAME"),
    (f"REASON(Q_FULL) {OK}", "MQRC_Q_FULL"),
    (f"APPLTYPE(ZOS) {OK}", "MQAT_ZOS"),
    (f"CONVERT(YES) {OK}", "no CONVERT"),
    (f"{OK} * remark", "a line of its own"),
    (f"{OK} // remark", "a line of its own"),
    (f"# remark\n{OK}", "a line of its own"),
    (f"-- remark\n{OK}", "a line of its own"),
]


def test_suggestions() -> None:
    assert [row for row in SUGGESTIONS if errors(row[0])[0].suggestion != row[1]] == []


SAME_RULE = [
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
]


def test_the_same_rule_in_many_forms() -> None:
    assert [row for row in SAME_RULE if table(row[1]).rules != (Rule((Pattern("REASON", 2053),), "RETRY"),)] == []


VALUES: list[tuple[str, str, object]] = [
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
]


def test_a_value() -> None:
    assert [
        row for row in VALUES if [each.value for each in table(f"{row[1]} {OK}").rules[0].patterns] != [row[2]]
    ] == []


CONTROL_DATA = [
    ("", Control("", "", 60, None)),
    ("inputqm(' ') inputq(' ') retryint(30) wait(no)\n", Control("", "", 30, 0)),
    ("INPUTQ(DLQ) INPUTQM('qm1') WAIT(90)\n", Control("DLQ", "qm1", 60, 90)),
    ("WAIT(YES)\n", Control()),
]


def test_control_data() -> None:
    assert [row for row in CONTROL_DATA if table(f"{row[0]}{OK}\n").control != row[1]] == []


ACTIONS = [
    ("T10", "ACTION(FWD) FWDQ(A)", Rule((), "FWD", "A", header="YES")),
    ("§2.3", "ACTION(FWD) FWDQ('a') FWDQM(' ') HEADER(NO) RETRY(3)", Rule((), "FWD", "a", "", "NO", retry=3)),
    ("§2.3", "ACTION(FWD) FWDQ(&replyq) FWDQM('&replyqm')", Rule((), "FWD", "&REPLYQ", "&REPLYQM")),
    ("§2.3", "ACTION(RETRY) PUTAUT(CTX)", Rule((), "RETRY", put_authority="CTX")),
    ("§2.3", "ACTION(IGNORE)", Rule((), "IGNORE", retry=1)),
]


def test_an_action() -> None:
    assert [row for row in ACTIONS if table(row[1]).rules != (row[2],)] == []


def test_a_rule_knows_where_it_begins() -> None:
    rules = table("* comment\n\nACTION(RETRY)\nREASON(1) +\n  ACTION(IGNORE)\nACTION(DISCARD)").rules
    assert [rule.line for rule in rules] == [3, 4, 6]


def test_invalid_bytes_are_an_error_of_their_entry_but_allowed_in_comments() -> None:
    assert [each.line for each in errors(b"* \xff\nUSERID('\xff') ACTION(RETRY)\nACTION(DISCARD)\n")] == [2, 0]


def test_ten_thousand_rules() -> None:
    text = "".join(f"DESTQ(Q{number}) ACTION(RETRY)\n" for number in range(10_000))
    assert len(table(text).rules) == 10_000


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
    found = {}
    for start in CORPUS:
        (path,) = (corpus / "dlq").glob(f"{start}*")
        with path.open("rb") as lines:
            parsed = parse_table(lines, path.name)
        rules = parsed.table.rules if parsed.table else ()
        found[start] = (len(rules), [each.rule_id for each in parsed.diagnostics])
    assert found == CORPUS


def test_every_real_table_is_in_the_list(corpus: Path) -> None:
    names = [path.name for path in (corpus / "dlq").iterdir()]
    assert [name for name in names if not any(name.startswith(start) for start in CORPUS)] == []
