"""Reads a rules table (dlq-rules §3.2).

A table with any error is rejected as a whole, so no message is processed (dlq-rules §7, 20). All of
its errors are reported: one bad entry never hides the errors of the next.
"""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from mqsc.console.text.reasons import counted
from mqsc.diagnostic import Diagnostic
from mqsc.dlq.entry import Checked, check_entry, control_of, rule_of
from mqsc.dlq.rules_table import COLUMNS, Control, RulesTable
from mqsc.dlq.table_errors import ERROR_COUNT, NO_RULE, SYNTAX
from mqsc.grammar.lines import LogicalLine, logical_lines
from mqsc.grammar.parse import parse_rules
from mqsc.grammar.tree import SyntaxFault


class ParsedTable(Struct, frozen=True):
    """`table` is None when there are errors."""

    table: RulesTable | None
    diagnostics: tuple[Diagnostic, ...]


def parse_table(lines: Iterable[bytes | str], file: str = "") -> ParsedTable:
    """The table in these lines, or its errors in the order of the file, which diagnostics call
    `file`.

    AMQ8750 reports that the table has no rule. AMQ8758 follows other errors with their number.
    """
    source = list(lines)
    checked: list[Checked] = []
    diagnostics: list[Diagnostic] = []
    entries = 0
    for entry in parse_rules(source):
        if isinstance(entry, SyntaxFault):
            expected = ", ".join(entry.expected)
            diagnostics.append(
                Diagnostic(SYNTAX, "error", file, entry.line, entry.column, entry.reason, expected),
            )
        else:
            checked.append(check_entry(entry, file, first=not entries))
            diagnostics += checked[-1].diagnostics
        entries += 1
    has_no_rule = entries == sum(each.is_control for each in checked)
    if diagnostics or has_no_rule:
        return ParsedTable(None, (*diagnostics, *_summary(len(diagnostics), has_no_rule, file)))
    return ParsedTable(_table(checked, source, file), ())


def _summary(errors: int, has_no_rule: bool, file: str) -> list[Diagnostic]:
    """The diagnostics on the table as a whole."""
    summary = []
    if has_no_rule:
        summary.append(
            Diagnostic(NO_RULE, "error", file, 0, 0, "the table has no rule", "at least one rule"),
        )
    if errors:
        message = f"the table has {counted(errors, 'error')}; no message is processed"
        summary.append(Diagnostic(ERROR_COUNT, "error", file, 0, 0, message))
    return summary


def _table(checked: list[Checked], source: list[bytes | str], file: str) -> RulesTable:
    control = next((control_of(each) for each in checked if each.is_control), Control())
    rules = tuple(rule_of(each) for each in checked if not each.is_control)
    return RulesTable(control, rules, file, tuple(_wide_lines(source)))


def _wide_lines(source: list[bytes | str]) -> Iterator[int]:
    for entry in logical_lines(source, semicolon=False):
        for line in entry.source if isinstance(entry, LogicalLine) else ():
            if len(line.text.rstrip()) > COLUMNS and not line.text.lstrip().startswith("*"):
                yield line.number
