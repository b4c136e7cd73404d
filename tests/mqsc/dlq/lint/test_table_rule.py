"""Every lint rule reports its bad table and accepts its good one."""

from __future__ import annotations

from mqsc.dlq.entry import check_table
from mqsc.dlq.lint import TABLE_RULES
from mqsc.dlq.lint.table_rule import TableLintRule
from tests.mqsc.dlq.lint.violations import KNOWN


def test_every_rule_reports_its_bad_table_and_accepts_its_good_one() -> None:
    assert [rule.rule_id for rule in TABLE_RULES if fails_own_examples(rule)] == []


def fails_own_examples(rule: TableLintRule) -> bool:
    manager_facts = KNOWN if rule.rule_id == "DLQ11" else None
    bad = [each for each in check_table([rule.bad], "bad", manager_facts).diagnostics if each.rule_id == rule.rule_id]
    good = [each.rule_id for each in check_table([rule.good], "good", manager_facts).diagnostics]
    is_reported = [(each.severity, each.file) for each in bad] == [(rule.severity, "bad")]
    return not (is_reported and bad[0].message and bad[0].suggestion and rule.rule_id not in good)
