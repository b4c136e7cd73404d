"""Comments that allow what a rule would report."""

from __future__ import annotations

from mqsc.lint.script_check import ScriptCheck, check_script
from tests.mqsc.lint.violations import Case, wrong

WARNED = "DEFINE QLOCAL(A) BOTHRESH(3)"
OTHER = "DEFINE QLOCAL(B) BOTHRESH(3)"


def test_where_a_comment_applies() -> None:
    cases: list[Case] = [
        ([WARNED], [("C08", 1)]),
        (["* mqsc: allow C08: drained by hand", WARNED], []),
        (["* MQSC: Allow mqsc-c08 : drained by hand", "", "* and this", WARNED], []),
        (["* mqsc: allow C08: drained by hand", WARNED, OTHER], [("C08", 3)]),
        ([f"{WARNED}; * mqsc: allow C08: drained by hand", OTHER], [("C08", 2)]),
        (["DEFINE QLOCAL(A) +", "* mqsc: allow C08: drained by hand", "BOTHRESH(3)"], []),
        (["DEFINE QLOCAL(A) BOTHRESH(3) +", "MAXDEPTH(0)"], [("C08", 1), ("C28", 2)]),
        (["* mqsc: allow C08, C28: full", "DEFINE QLOCAL(A) BOTHRESH(3) +", "MAXDEPTH(0)"], []),
        (["* mqsc: allow C08 C28: full", "DEFINE QLOCAL(A) BOTHRESH(3) +", "MAXDEPTH(0)"], []),
        ([WARNED, OTHER, "* mqsc: allow-file C08: drained by hand"], []),
        (["* mqsc: allowed", "* mqsc: C08", WARNED], [("C08", 3)]),
    ]
    assert wrong(cases) == []


def test_a_comment_needs_rules_and_a_reason() -> None:
    cases: list[Case] = [
        (["* mqsc: allow C08", WARNED], [("C43", 1), ("C08", 2)]),
        (["* mqsc: allow C08:  ", WARNED], [("C43", 1), ("C08", 2)]),
        (["* mqsc: allow: because", WARNED], [("C43", 1), ("C08", 2)]),
        (["* mqsc: allow C99: because", WARNED], [("C43", 1), ("C08", 2)]),
        (["* mqsc: allow AMQ8405I: because", "MAKE"], [("C43", 1), ("AMQ8426I", 2)]),
    ]
    assert wrong(cases) == []


def test_a_comment_that_is_no_longer_needed() -> None:
    cases: list[Case] = [
        (["* mqsc: allow C08: because", "DEFINE QLOCAL(A)"], [("C44", 1)]),
        (["* mqsc: allow C08, C28: because", WARNED], [("C44", 1)]),
        ([WARNED, "* mqsc: allow C08: because"], [("C08", 1), ("C44", 2)]),
        (["* mqsc: allow-file C08: because", "DISPLAY QMGR"], [("C44", 1)]),
    ]
    assert wrong(cases) == []


def test_the_place_and_the_remedy() -> None:
    (found,) = (each for each in check_script(["  * mqsc: allow C0: x\n", "DISPLAY QMGR\n"]))
    assert str(found) == (
        "-:1:11: warning MQSC-C43: there is no rule MQSC-C0; suggestion: * mqsc: allow C08: why it does not matter here"
    )


def test_a_comment_applies_to_its_own_file() -> None:
    with ScriptCheck() as check:
        check.read(["* mqsc: allow-file C08: drained by hand\n", f"{WARNED}\n"], "a")
        check.read([f"{OTHER}\n"], "b")
        assert [(each.file, each.rule_id) for each in check.diagnostics()] == [("b", "MQSC-C08")]
        assert check.allowed == 1
