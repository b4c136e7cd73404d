"""The queues that a rules table names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from mqsc.dlq.rules_table import RulesTable


class TableUse(NamedTuple):
    """A keyword of a rules table that names a queue, and the line of its entry."""

    keyword: str
    line: int


def table_uses(table: RulesTable, queue: str, qmgr: str) -> Iterator[TableUse]:
    """The keywords of the table that name the queue of the queue manager.

    A blank INPUTQ means the dead-letter queue, which is not named; without INPUTQM or FWDQM the
    queue manager is the one that the handler runs on.
    """
    control = table.control
    if control.input_queue == queue and control.input_queue_manager in ("", qmgr):
        yield TableUse("INPUTQ", control.line)
    for rule in table.rules:
        if rule.forward_queue == queue and rule.forward_queue_manager in ("", qmgr):
            yield TableUse("FWDQ", rule.line)
