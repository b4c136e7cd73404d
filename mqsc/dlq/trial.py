"""Tries a rules table on messages, without moving any.

Every message counts as never attempted, as for a handler that has just started.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from msgspec import Struct, field

from mqsc.dlq.dead_letter import DeadLetter
from mqsc.dlq.facts import DeadLetterFacts, facts_of
from mqsc.dlq.matching import RuleMatcher
from mqsc.dlq.planned_put import length_put, target_of
from mqsc.dlq.rules_table import Rule, RulesTable
from mqsc.store.admin.put_preview import PutPreview

# A queue and its queue manager, which is blank for the local one.
Target = tuple[str, str]


class TrialResult(NamedTuple):
    """The first thing a handler would do with a dead letter.

    `facts` is None without a valid MQDLH, `rule` is None when no rule applies. `target` and
    `reason` are set only when the action is a put; `reason` is the MQRC of the put, 0 for success,
    None when there is no queue manager to ask.
    """

    dead_letter: DeadLetter
    facts: DeadLetterFacts | None = None
    rule: Rule | None = None
    target: Target | None = None
    reason: int | None = None


class TrialCounts(Struct):
    """Totals of a trial.

    `rules` counts by the line of the rule, `reasons` by MQDLH.Reason, DestQName and DestQMgrName,
    and `puts` by target and MQRC.
    """

    rules: Counter[int] = field(default_factory=Counter)
    reasons: Counter[tuple[int, str, str]] = field(default_factory=Counter)
    puts: Counter[tuple[Target, int | None]] = field(default_factory=Counter)
    messages: int = 0
    unmatched: int = 0
    without_header: int = 0
    expired: int = 0
    locked: int = 0

    def count(self, result: TrialResult) -> None:
        self.messages += 1
        header = result.dead_letter.header
        if result.dead_letter.is_locked:
            self.locked += 1
        elif result.dead_letter.is_expired:
            self.expired += 1
        elif header is None:
            self.without_header += 1
        else:
            self.reasons[header.reason, header.dest_q_name, header.dest_q_mgr_name] += 1
            if result.rule is None:
                self.unmatched += 1
            else:
                self.rules[result.rule.line] += 1
            if result.target is not None:
                self.puts[result.target, result.reason] += 1


def try_table(
    table: RulesTable,
    dead_letters: Iterable[DeadLetter],
    preview: PutPreview | None,
) -> Iterator[TrialResult]:
    """A result for each dead letter. Earlier ones count towards the depth of their targets. No rule
    applies to expired ones, nor to those that another program has locked.
    """
    rule_for = RuleMatcher(table).rule_for
    for dead_letter in dead_letters:
        header, descriptor = dead_letter.header, dead_letter.descriptor
        if header is None or dead_letter.is_expired or dead_letter.is_locked:
            yield TrialResult(dead_letter)
            continue
        facts = facts_of(descriptor, header)
        rule = rule_for(facts)
        target = None if rule is None else target_of(rule, descriptor, header)
        reason = None
        if rule is not None and target is not None and preview is not None:
            reason = preview.put(*target, descriptor, length_put(rule, dead_letter.length)).reason
        yield TrialResult(dead_letter, facts, rule, target, reason)
