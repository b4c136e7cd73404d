"""From the lines of a rules table to the table, or to all of its errors (dlq-rules §3.2).

A table with any error is no table (trap 20). One faulty entry never hides the faults of the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from grammar.fault import SyntaxFault
from grammar.lines import LogicalLine, logical_lines
from grammar.parse import parse_rules
from mqsc.diagnostic import Diagnostic
from mqsc.dlq.entry import Checked, check_entry, control_of, rule_of
from mqsc.dlq.errors import COUNT, NO_INPUT, SYNTAX
from mqsc.dlq.rules import COLUMNS, Control, RulesTable


@dataclass(frozen=True, slots=True)
class Reading:
    """What became of reading a table: the table, or why there is none: at least one finding."""

    table: RulesTable | None
    findings: tuple[Diagnostic, ...]


def read_table(lines: Iterable[bytes | str], file: str = "") -> Reading:
    """The table that the lines hold; `file` is how findings name it.

    Findings come in the order of the file. AMQ8750 says that there is no rule at all; behind other errors AMQ8758 says
    how many there were.
    """
    source = list(lines)
    checked: list[Checked] = []
    findings: list[Diagnostic] = []
    entries = 0
    for entry in parse_rules(source):
        if isinstance(entry, SyntaxFault):
            right = ", ".join(entry.expected)
            findings.append(Diagnostic(SYNTAX, "error", file, entry.line, entry.column, entry.reason, right))
        else:
            checked.append(check_entry(entry, file, first=not entries))
            findings += checked[-1].findings
        entries += 1
    without_rule = entries == sum(each.is_control for each in checked)
    if findings or without_rule:
        return Reading(None, (*findings, *_closing(len(findings), without_rule, file)))
    return Reading(_table(checked, source, file), ())


def _closing(errors: int, without_rule: bool, file: str) -> list[Diagnostic]:
    """What is said of the table as a whole."""
    closing = []
    if without_rule:
        closing.append(Diagnostic(NO_INPUT, "error", file, 0, 0, "the table has no rule", "at least one rule"))
    if errors:
        count = "1 error was" if errors == 1 else f"{errors} errors were"
        closing.append(Diagnostic(COUNT, "error", file, 0, 0, f"{count} found in the table; no message is touched"))
    return closing


def _table(checked: list[Checked], source: list[bytes | str], file: str) -> RulesTable:
    control = next((control_of(each) for each in checked if each.is_control), Control())
    rules = tuple(rule_of(each) for each in checked if not each.is_control)
    return RulesTable(control, rules, file, tuple(_wide_lines(source)))


def _wide_lines(source: list[bytes | str]) -> Iterator[int]:
    for entry in logical_lines(source, semicolon=False):
        if isinstance(entry, LogicalLine):
            yield from (line.number for line in entry.source if _is_wide(line.text))


def _is_wide(text: str) -> bool:
    return len(text.rstrip()) > COLUMNS and not text.lstrip().startswith("*")
