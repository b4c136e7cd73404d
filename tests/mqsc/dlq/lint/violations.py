"""Runs the lint rules on tables given as text."""

from __future__ import annotations

from collections.abc import Iterable

from mqsc.dlq.entry import check_table
from mqsc.dlq.lint.table_rule import QueueManagerFacts

REST = "ACTION(FWD) FWDQ(REST)\n"
DEFINED = {("REST", ""), ("AWAY", "QM2")}
KNOWN = QueueManagerFacts("QM1", "SYSTEM.DEAD.LETTER.QUEUE", lambda queue, manager: (queue, manager) in DEFINED)
# A table, and the expected violations as (id, line).
Case = tuple[str, list[tuple[str, int]]]


def violations(text: str, manager_facts: QueueManagerFacts | None = None) -> list[tuple[str, int]]:
    """Return ids and lines of all violations of a table without errors."""
    parsed = check_table([text], "rules.txt", manager_facts)
    assert parsed.table is not None, parsed.diagnostics
    return [(each.rule_id, each.line) for each in parsed.diagnostics]


def wrong(cases: Iterable[Case], manager_facts: QueueManagerFacts | None = None) -> list[object]:
    """Return the cases whose violations differ from those expected."""
    found = [(text, expected, violations(text, manager_facts)) for text, expected in cases]
    return [each for each in found if each[1] != each[2]]
