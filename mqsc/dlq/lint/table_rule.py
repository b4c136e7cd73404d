"""A lint rule for rules tables: a numbered function that finds violations, with its reason and examples as docstring.

It may use facts about the queue manager.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from msgspec import Struct

from mqsc.diagnostic import Description, Location, Severity, Violation, explained_by
from mqsc.dlq.rules import Control, Rule, RulesTable


class QueueManagerFacts(Struct, frozen=True):
    """What is known about the queue manager; the default is nothing.

    `is_reachable` tells whether a put to a queue on a queue manager (blank: the local one) would find a queue.
    `leads_to` gives the local queue that it would arrive on, blank for none.
    """

    queue_manager: str = ""
    dead_letter_queue: str = ""
    is_reachable: Callable[[str, str], bool] | None = None
    leads_to: Callable[[str, str], str] = lambda queue, manager: ""


TableCheck: TypeAlias = Callable[[RulesTable, QueueManagerFacts], Iterator[Violation]]


class TableLintRule(Description, frozen=True):
    """A numbered lint rule."""

    check: TableCheck


FOUND: list[TableLintRule] = []


def table_rule(rule_id: str, severity: Severity, title: str) -> Callable[[TableCheck], TableCheck]:
    """Make a function the check of a rule."""

    def decorate(check: TableCheck) -> TableCheck:
        FOUND.append(TableLintRule(rule_id, severity, title, *explained_by(check), check))
        return check

    return decorate


def violation(table: RulesTable, entry: Rule | Control, keyword: str, message: str, suggestion: str = "") -> Violation:
    """A violation at the value of a keyword, or at the start of the entry when the keyword is not written there."""
    value = entry.written.get(keyword)
    line, column = (value.line, value.column) if value else (entry.line, 1)
    return Violation(Location(table.file, line, column), message, suggestion)
