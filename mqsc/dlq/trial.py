"""A rules table tried on messages: which rule takes each, where it would go, and whether that put would succeed.

Nothing is moved. Every message counts as never attempted, as for a handler that has just started.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from mqsc.dlq.action import takes_header_off, target_of
from mqsc.dlq.dead_letters import DeadLetter
from mqsc.dlq.matching import Chooser
from mqsc.dlq.message import DeadLetterFacts, facts_of
from mqsc.dlq.rules import Rule, RulesTable
from store.admin.put_preview import PutPreview
from store.headers import mqdlh

# A queue and its queue manager, blank for the local one.
Target = tuple[str, str]


class Fate(NamedTuple):
    """What a handler would do with a letter first.

    `facts` is None for a message without a valid MQDLH, `rule` None when no rule takes it; `target` and `reason` (the
    MQRC of the put, 0 when it would succeed, None when that is not known) only where something is put.
    """

    letter: DeadLetter
    facts: DeadLetterFacts | None = None
    rule: Rule | None = None
    target: Target | None = None
    reason: int | None = None


@dataclass(slots=True)
class Tally:
    """Counts of fates. `reasons` count (MQDLH.Reason, DestQName, DestQMgrName), `puts` (target, MQRC or None)."""

    rules: Counter[int] = field(default_factory=Counter)
    reasons: Counter[tuple[int, str, str]] = field(default_factory=Counter)
    puts: Counter[tuple[Target, int | None]] = field(default_factory=Counter)
    messages: int = 0
    left: int = 0
    without_header: int = 0
    expired: int = 0

    def count(self, fate: Fate) -> None:
        """Take one more into account; a rule is counted under its line."""
        self.messages += 1
        header = fate.letter.header
        if fate.letter.is_expired:
            self.expired += 1
        elif header is None:
            self.without_header += 1
        else:
            self.reasons[header.reason, header.dest_q_name, header.dest_q_mgr_name] += 1
            if fate.rule is None:
                self.left += 1
            else:
                self.rules[fate.rule.line] += 1
            if fate.target is not None:
                self.puts[fate.target, fate.reason] += 1


def fates(table: RulesTable, letters: Iterable[DeadLetter], preview: PutPreview | None) -> Iterator[Fate]:
    """The fate of each letter in turn; those before it count where a queue fills up. Expired ones have none."""
    choose = Chooser(table).choose
    for letter in letters:
        header, descriptor = letter.header, letter.descriptor
        if header is None or letter.is_expired:
            yield Fate(letter)
            continue
        facts = facts_of(descriptor, header)
        rule = choose(facts)
        target = None if rule is None else target_of(rule, descriptor, header)
        if rule is None or target is None or preview is None:
            yield Fate(letter, facts, rule, target)
            continue
        length = letter.length - (mqdlh.LENGTH if takes_header_off(rule) else 0)
        yield Fate(letter, facts, rule, target, preview.put(*target, descriptor, length).reason)
