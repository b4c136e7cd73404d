"""Advice on scripts: every rule by its own examples, then what the examples leave open."""

from __future__ import annotations

import pytest

from mqsc.diagnostic import Description
from mqsc.lint.check import DESCRIPTIONS, Check, check_script
from mqsc.lint.errors import ERRORS
from mqsc.lint.rule import Rule
from mqsc.lint.rules import RULES

INITQ = "INITQ(SYSTEM.DEFAULT.INITIATION.QUEUE)"
SETTLED = "ALTER QMGR TRIGINT(60000)\nDEFINE PROCESS(P)\n"


def advised(*lines: str) -> list[tuple[str, int]]:
    """Ids and lines of all that is said about a script."""
    return [(each.rule_id.removeprefix("MQSC-"), each.line) for each in check_script([f"{line}\n" for line in lines])]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.rule_id)
def test_every_rule_has_a_bad_and_a_good_script(rule: Rule) -> None:
    found = check_script([rule.bad], "bad.mqsc")
    own = [each for each in found if each.rule_id == rule.rule_id]
    assert [(each.severity, each.file) for each in own] == [(rule.severity, "bad.mqsc")], found
    assert own[0].line > 0
    assert own[0].message
    assert own[0].right
    assert [str(each) for each in found if each.severity == "error"] == []
    assert rule.rule_id not in [each.rule_id for each in check_script([rule.good])]
    assert [str(each) for each in check_script([rule.good]) if each.severity == "error"] == []


@pytest.mark.parametrize("error", ERRORS.values(), ids=lambda error: error.rule_id)
def test_every_error_has_a_bad_script(error: Description) -> None:
    assert error.rule_id in [each.rule_id for each in check_script([error.bad]) if each.severity == "error"]


def test_ids_are_unique_and_in_order() -> None:
    ids = [each.rule_id for each in DESCRIPTIONS]
    assert len(set(ids)) == len(ids)
    assert [each.rule_id for each in RULES] == [f"MQSC-C{number:02}" for number in range(1, len(RULES) + 1)]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["DEFINE QLOCAL(A)"], []),
        ([], []),
        # What a later command adds counts.
        (["DEFINE QLOCAL(A) BOTHRESH(3)", "DEFINE QLOCAL(B)", "ALTER QLOCAL(A) BOQNAME(B)"], []),
        (["DEFINE QLOCAL(A) BOTHRESH(3)", "ALTER QLOCAL(A) BOTHRESH(0)"], []),
        (["DEFINE QLOCAL(A)", "ALTER QLOCAL(A) BOTHRESH(2)"], [("C08", 2)]),
        # Only an ALTER behind TRIGGER switches it on again.
        (
            [f"DEFINE QLOCAL(A) TRIGTYPE(DEPTH) PROCESS(P) {INITQ}", "ALTER QLOCAL(A) TRIGGER", *SETTLED.splitlines()],
            [("C03", 1)],
        ),
        # An object that nothing is known about is left alone.
        (["ALTER QLOCAL(A) TRIGGER BOTHRESH(5)"], []),
        (["DEFINE QLOCAL(A) LIKE(OURS) TRIGGER BOTHRESH(5)"], []),
        # What LIKE brings counts, and so does what it does not.
        (["DEFINE QLOCAL(A) BOQNAME(B) BOTHRESH(1)", "DEFINE QLOCAL(B) LIKE(A)"], [("C10", 2)]),
        (["DEFINE QLOCAL(A)", "DEFINE QLOCAL(B) LIKE(A) BOTHRESH(3)"], [("C08", 2)]),
        # A SYSTEM object is known as shipped.
        (["ALTER QLOCAL(SYSTEM.CICS.INITIATION.QUEUE) TRIGGER"], [("C01", 1), ("C02", 1)]),
        # Triggering.
        ([SETTLED, f"DEFINE QMODEL(A) TRIGGER PROCESS(P) {INITQ}"], []),
        ([SETTLED, f"DEFINE QLOCAL(A) TRIGGER PROCESS(P) {INITQ}", "ALTER QLOCAL(A) INITQ(' ')"], [("C01", 4)]),
        (["DEFINE QLOCAL(X) USAGE(XMITQ) INITQ(SYSTEM.CHANNEL.INITQ)"], [("C06", 1)]),
        (["ALTER QMGR TRIGINT(999999999)", "DEFINE PROCESS(P)", f"DEFINE QLOCAL(A) TRIGGER PROCESS(P) {INITQ}"], []),
        # References.
        (["DEFINE QLOCAL(A) BOQNAME(B) BOTHRESH(1)"], []),
        (["DEFINE QLOCAL(A) BOQNAME(B) BOTHRESH(1)", "DEFINE QLOCAL(C)", "ALTER QLOCAL(D) GET(DISABLED)"], []),
        (["DEFINE QLOCAL(A) BOQNAME(B) BOTHRESH(1)", "DEFINE QALIAS(B) TARGET(C)", "DEFINE QLOCAL(C)"], []),
        (["DEFINE QALIAS(A) TARGET(B)", "DEFINE QALIAS(B) TARGET(C)", "DEFINE QLOCAL(C)"], [("C13", 1)]),
        (["DEFINE QALIAS(A) TARGET(T) TARGTYPE(TOPIC)", "DEFINE QALIAS(T) TARGET(A)"], [("C13", 2)]),
        (["ALTER QMGR DEADQ(DLQ)", "DEFINE QLOCAL(DLQ) USAGE(XMITQ)"], [("C13", 1)]),
        (["ALTER QMGR DEADQ(DLQ)", "DEFINE QLOCAL(DLG)", "DEFINE QLOCAL(A)"], [("C11", 1)]),
        (["DEFINE QLOCAL(A)", "DELETE QLOCAL(A)", "DEFINE QALIAS(C) TARGET(A)", "DEFINE QLOCAL(D)"], [("C11", 3)]),
        (["DEFINE QREMOTE(R) RNAME(FAR) RQMNAME(QM2)", "DEFINE QLOCAL(A)", "DEFINE QLOCAL(B)"], []),
        # Twice.
        (["DEFINE QLOCAL(A) REPLACE MAXDEPTH(5)", "DEFINE QLOCAL(A) REPLACE MAXDEPTH(6)"], []),
        (["DEFINE QLOCAL(A) REPLACE MAXDEPTH(5000)", "DEFINE QLOCAL(A) REPLACE"], []),
        (["DEFINE QLOCAL(A) MAXDEPTH(5)", "DEFINE QLOCAL(A) LIKE(B) REPLACE"], [("C14", 1)]),
        (["DEFINE QLOCAL(A)", "ALTER QLOCAL(A) GET(DISABLED)", "DEFINE QLOCAL(A) REPLACE"], [("C14", 1), ("C15", 3)]),
        (["DEFINE QLOCAL(A)", "DEFINE PROCESS(A)"], []),
        # Lower case.
        (["define qlocal(a)"], []),
        (["Define QLocal(a)"], [("C18", 1)]),
        (["DEFINE QLOCAL(A) DESCR(text) BOQNAME(b) BOTHRESH(1)"], [("C18", 1)]),
        (["define process(p) applicid(run.sh)"], [("C19", 1)]),
        (["DEFINE QLOCAL(${NAME})"], [("AMQ8424E", 1)]),
        (["ALTER QMGR DEADQ(+QMNAME+.DLQ)"], []),
        (["DEFINE CHANNEL(SALES.+QMNAME+) CHLTYPE(CLUSRCVR) CLUSTER(+AUTOCL+) CONNAME(+CONNAME+)"], []),
        # Platforms.
        (["ALTER QMGR EXPRYINT(60)"], [("C22", 1)]),
        (["REFRESH QMGR TYPE(EXPIRY)"], [("C22", 1)]),
        (["DEFINE QLOCAL(A) CMDSCOPE(' ')"], [("C22", 1)]),
        (["DEFINE STGCLASS(S) PSID(4)", "DEFINE QLOCAL(A) STGCLASS(S)", "DISPLAY THREAD(*)"], [("C22", 1)]),
        (["DEFINE QLOCAL(A) REPLACE", "DEFINE MAXSMSGS(10000)", "DEFINE PSID(4) BUFFPOOL(1)"], [("C22", 2)]),
        (["DEFINE QLOCAL(A) DISTL(YES)"], []),
        # Queues and the queue manager.
        (["DEFINE QLOCAL(A) MAXMSGL(104857600) QDPHIEV(ENABLED)"], []),
        (["ALTER QMGR MAXMSGL(5000000)", "DEFINE QLOCAL(A) MAXMSGL(6000000)"], [("C29", 2)]),
        (["ALTER QLOCAL(SYSTEM.DEAD.LETTER.QUEUE) MAXDEPTH(9)"], []),
        (["DEFINE QREMOTE(SYSTEM.DEFAULT.REMOTE.QUEUE) RNAME(' ') RQMNAME(' ') REPLACE"], []),
        # END.
        (["DEFINE QLOCAL(A)", "end", "* a comment", ""], []),
        (["end", "end"], [("C21", 2)]),
    ],
)
def test_advice(lines: list[str], expected: list[tuple[str, int]]) -> None:
    assert advised(*lines) == expected


def test_files_count_as_run_one_after_the_other() -> None:
    check = Check()
    check.read(["DEFINE QLOCAL(A) BOTHRESH(3) BOQNAME(B)\nDEFINE QLOCAL(C)\n"], "1.mqsc")
    check.read(["DEFINE QLOCAL(B) MAXDEPTH(0)\nALTER QLOCAL(A) TRIGGER\n"], "2.mqsc")
    assert [(each.rule_id, each.file, each.line) for each in check.findings()] == [
        ("MQSC-C28", "2.mqsc", 1),
        ("MQSC-C01", "2.mqsc", 2),
        ("MQSC-C02", "2.mqsc", 2),
    ]


def test_the_same_name_in_two_files_is_no_mistake() -> None:
    check = Check()
    for file in ("qm1.mqsc", "qm2.mqsc"):
        check.read(["DEFINE QLOCAL(A) MAXDEPTH(9)\n", "DEFINE QLOCAL(B)\n"], file)
    assert check.findings() == []


def test_variables_are_filled_in_and_unset_ones_are_errors() -> None:
    check = Check({"QUEUE": "ORDERS"})
    check.read(["DEFINE QLOCAL(${QUEUE}) MAXDEPTH(0)\nDEFINE QLOCAL(${QEUE})\n"])
    zero, unset = check.findings()
    assert (zero.rule_id, zero.line, zero.message.split()[0]) == ("MQSC-C28", 1, "ORDERS")
    assert (unset.severity, unset.line, unset.column) == ("error", 2, 15)
    assert "did you mean QUEUE?" in unset.message


def test_a_secret_is_not_repeated() -> None:
    text = "ALTER QMGR KEYRPWD('open sesame')\nALTER QMGR KEYRPWD('open sesame\nALTER QMGR KEYRPWD(open sesame)\n"
    findings = check_script([text])
    assert "MQSC-C20" in [each.rule_id for each in findings]
    assert not [each for each in findings if "sesame" in str(each).lower()]


def test_a_word_that_its_value_makes_one_of_a_platform_is_told_with_it() -> None:
    (found,) = check_script(["REFRESH QMGR TYPE(EXPIRY) NAME('A*')"])
    assert found.message.startswith("TYPE(EXPIRY) is known on z/OS only")
