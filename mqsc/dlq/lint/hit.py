"""What advice is given about, and what is known beside the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from mqsc.dlq.rules import Control, Rule, RulesTable


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What is known of the queue manager: nothing by default.

    `is_reachable` says whether a put to a queue on a queue manager (blank: the local one) would find a queue,
    `leads_to` which local queue that is, by whatever name (blank: none).
    """

    queue_manager: str = ""
    dead_letter_queue: str = ""
    is_reachable: Callable[[str, str], bool] | None = None
    leads_to: Callable[[str, str], str] = lambda queue, manager: ""


class Hit(NamedTuple):
    """One place where advice applies: what is the case there, and what would be better (may be blank)."""

    line: int
    column: int
    message: str
    right: str = ""


Advise = Callable[[RulesTable, Surroundings], Iterator[Hit]]


def hit(entry: Rule | Control, keyword: str, message: str, right: str = "") -> Hit:
    """A hit at the value of a keyword, or where the entry begins when the keyword is not written there."""
    value = entry.written.get(keyword)
    line, column = (value.line, value.column) if value else (entry.line, 1)
    return Hit(line, column, message, right)
