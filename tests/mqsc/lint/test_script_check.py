"""Checks of whole scripts."""

from __future__ import annotations

from mqsc.lint.rules import RULES
from mqsc.lint.script_check import DESCRIPTIONS, ScriptCheck, check_script
from mqsc.lint.script_command import ERRORS


def test_every_error_is_reported_for_its_bad_script() -> None:
    unreported = [
        error.rule_id
        for error in ERRORS.values()
        if error.rule_id not in [each.rule_id for each in check_script([error.bad]) if each.severity == "error"]
    ]
    assert unreported == []


def test_ids_are_unique_and_in_order() -> None:
    ids = [each.rule_id for each in DESCRIPTIONS]
    assert len(set(ids)) == len(ids)
    rules = [each.rule_id for each in RULES]
    assert rules == sorted(rules)


def test_files_count_as_run_one_after_the_other() -> None:
    with ScriptCheck() as check:
        check.read(["DEFINE QLOCAL(A) BOTHRESH(3) BOQNAME(B)\nDEFINE QLOCAL(C)\n"], "1.mqsc")
        check.read(["DEFINE QLOCAL(B) MAXDEPTH(0)\nALTER QLOCAL(A) TRIGGER\n"], "2.mqsc")
        assert [(each.rule_id, each.file, each.line) for each in check.diagnostics()] == [
            ("MQSC-C41", "1.mqsc", 1),
            ("MQSC-C28", "2.mqsc", 1),
            ("MQSC-C01", "2.mqsc", 2),
            ("MQSC-C02", "2.mqsc", 2),
        ]


def test_variables_are_filled_in_and_unset_ones_are_errors() -> None:
    with ScriptCheck({"QUEUE": "ORDERS"}) as check:
        check.read(["DEFINE QLOCAL(${QUEUE}) MAXDEPTH(0)\nDEFINE QLOCAL(${QEUE})\n"])
        zero, unset = check.diagnostics()
        assert (zero.rule_id, zero.line, zero.message.split()[0]) == ("MQSC-C28", 1, "ORDERS")
        assert (unset.severity, unset.line, unset.column) == ("error", 2, 15)
        assert "did you mean QUEUE?" in unset.message


def test_a_secret_is_not_repeated() -> None:
    text = "ALTER QMGR KEYRPWD('open sesame')\nALTER QMGR KEYRPWD('open sesame\nALTER QMGR KEYRPWD(open sesame)\n"
    diagnostics = check_script([text])
    assert "MQSC-C20" in [each.rule_id for each in diagnostics]
    assert not [each for each in diagnostics if "sesame" in str(each).lower()]
