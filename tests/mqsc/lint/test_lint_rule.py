"""Every lint rule reports its bad script and accepts its good one."""

from __future__ import annotations

from mqsc.diagnostic import Description
from mqsc.lint.rules import RULES
from mqsc.lint.script_check import check_script


def test_every_rule_reports_its_bad_script_and_accepts_its_good_one() -> None:
    assert [rule.rule_id for rule in RULES if fails_own_examples(rule)] == []


def test_the_examples_have_no_errors() -> None:
    examples = [text for rule in RULES for text in (rule.bad, rule.good)]
    assert [str(each) for text in examples for each in check_script([text]) if each.severity == "error"] == []


def fails_own_examples(rule: Description) -> bool:
    bad = [each for each in check_script([rule.bad], "bad.mqsc") if each.rule_id == rule.rule_id]
    good = [each.rule_id for each in check_script([rule.good])]
    is_reported = [(each.severity, each.file) for each in bad] == [(rule.severity, "bad.mqsc")]
    return not (is_reported and bad[0].line and bad[0].message and bad[0].suggestion and rule.rule_id not in good)
