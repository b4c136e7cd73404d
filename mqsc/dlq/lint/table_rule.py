"""What a lint rule on rules tables is, and how it is declared.

A rule may use facts about the queue manager.
"""

from collections.abc import Callable, Iterator
from typing import TypeAlias

from msgspec import Struct

from mqsc.diagnostic import Description, Location, Severity, Violation, explained_by
from mqsc.dlq.rules_table import Control, Rule, RulesTable


class QueueManagerFacts(Struct, frozen=True):
    """The known facts about the queue manager; by default none.

    `is_reachable` tells whether a put to a queue on a queue manager (blank: the local one) would
    find a queue. `leads_to` gives the local queue that it would arrive on, blank for none.
    """

    queue_manager: str = ""
    dead_letter_queue: str = ""
    is_reachable: Callable[[str, str], bool] | None = None
    leads_to: Callable[[str, str], str] = lambda queue, manager: ""


TableCheck: TypeAlias = Callable[[RulesTable, QueueManagerFacts], Iterator[Violation]]


class TableLintRule(Description, frozen=True):
    """A numbered lint rule."""

    check: TableCheck


# The rules by number that functions are declared to be, when their modules are imported.
DECLARED: dict[str, TableLintRule] = {}


def table_lint_rule(
    rule_id: str,
    severity: Severity,
    title: str,
) -> Callable[[TableCheck], TableCheck]:
    """Declare a function to be the lint rule with this number, which no other may have."""

    def declare(check: TableCheck) -> TableCheck:
        if rule_id in DECLARED:
            raise ValueError(f"there are two lint rules {rule_id}")
        reason, bad, good = explained_by(check)
        DECLARED[rule_id] = TableLintRule(rule_id, severity, title, reason, bad, good, check)
        return check

    return declare


def violation(
    table: RulesTable,
    entry: Rule | Control,
    keyword: str,
    message: str,
    suggestion: str = "",
) -> Violation:
    """A violation at the value of a keyword, or at the start of the entry when the keyword is
    not written there.
    """
    value = entry.written.get(keyword)
    line, column = (value.line, value.column) if value else (entry.line, 1)
    return Violation(Location(table.file, line, column), message, suggestion)
