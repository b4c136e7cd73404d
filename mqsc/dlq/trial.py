"""Tries a rules table on messages, without moving any.

Every message counts as never attempted, as for a handler that has just started.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from msgspec import Struct, field

from mqsc.dlq.dead_letter import DeadLetter
from mqsc.dlq.facts import DeadLetterFacts, facts_of
from mqsc.dlq.matching import RuleMatcher, RuleTurn, rule_turns
from mqsc.dlq.planned_put import length_put, target_of
from mqsc.dlq.rules_table import Rule, RulesTable
from mqsc.store.admin.put_preview import PutPreview
from mqsc.store.headers.mqdlh import DeadLetterHeader

# A queue and its queue manager, which is blank for the local one.
Target = tuple[str, str]


class TrialAction(NamedTuple):
    """What a handler would do after `after` failed attempts in all; without a rule, the message
    stays. `target` and `reason` are as in TrialResult.
    """

    after: int
    rule: Rule | None
    target: Target | None
    reason: int | None


class TrialResult(NamedTuple):
    """The first thing a handler would do with a dead letter.

    `facts` is None without a valid MQDLH, `rule` is None when no rule applies. `target` and
    `reason` are set only when the action is a put; `reason` is the MQRC of the put, 0 for success,
    None when there is no queue manager to ask. `later` is what follows if that put keeps failing
    with its reason, up to an action that succeeds; empty for a put that would succeed now.
    """

    dead_letter: DeadLetter
    facts: DeadLetterFacts | None = None
    rule: Rule | None = None
    target: Target | None = None
    reason: int | None = None
    later: tuple[TrialAction, ...] = ()


class CountedPut(NamedTuple):
    """The puts to one target that end alike; the fields are those of TrialResult."""

    target: Target
    reason: int | None
    later: tuple[TrialAction, ...] = ()


class TrialCounts(Struct):
    """Totals of a trial.

    `rules` counts by the line of the rule that applies first, `later_rules` by that of each rule
    that applies after failed attempts, `reasons` by MQDLH.Reason, DestQName and DestQMgrName, and
    `puts` by target, MQRC and what follows.
    """

    rules: Counter[int] = field(default_factory=Counter)
    later_rules: Counter[int] = field(default_factory=Counter)
    reasons: Counter[tuple[int, str, str]] = field(default_factory=Counter)
    puts: Counter[CountedPut] = field(default_factory=Counter)
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
            for action in result.later:
                if action.rule is not None:
                    self.later_rules[action.rule.line] += 1
            if result.target is not None:
                self.puts[CountedPut(result.target, result.reason, result.later)] += 1


def try_table(
    table: RulesTable,
    dead_letters: Iterable[DeadLetter],
    preview: PutPreview | None,
) -> Iterator[TrialResult]:
    """A result for each dead letter. Earlier ones count towards the depth of their targets. No rule
    applies to expired ones, nor to those that another program has locked.
    """
    matcher = RuleMatcher(table)
    # The handler reads to the end of the queue before it retries: an action that comes later takes
    # no room from the first action of any message.
    later_preview = None if preview is None else preview.counting_apart()
    for dead_letter in dead_letters:
        header, descriptor = dead_letter.header, dead_letter.descriptor
        if header is None or dead_letter.is_expired or dead_letter.is_locked:
            yield TrialResult(dead_letter)
            continue
        facts = facts_of(descriptor, header)
        turns = rule_turns(matcher.matching(facts))
        first = _action(next(turns), dead_letter, header, preview)
        later = tuple(_later_actions(first, turns, dead_letter, header, later_preview))
        yield TrialResult(dead_letter, facts, first.rule, first.target, first.reason, later)


def _later_actions(
    first: TrialAction,
    turns: Iterable[RuleTurn],
    dead_letter: DeadLetter,
    header: DeadLetterHeader,
    preview: PutPreview | None,
) -> Iterator[TrialAction]:
    """The actions after the first one, up to one that does not fail."""
    if preview is None:
        return
    if first.rule is not None and first.target is not None and not first.reason:
        # It takes room from later actions of other messages.
        length = length_put(first.rule, dead_letter.length)
        preview.put(*first.target, dead_letter.descriptor, length)
    failing = bool(first.reason)
    for turn in turns:
        if not failing:
            return
        action = _action(turn, dead_letter, header, preview)
        yield action
        failing = bool(action.reason)


def _action(
    turn: RuleTurn,
    dead_letter: DeadLetter,
    header: DeadLetterHeader,
    preview: PutPreview | None,
) -> TrialAction:
    """The action of a rule, and the result of its put."""
    rule = turn.rule
    target = None if rule is None else target_of(rule, dead_letter.descriptor, header)
    reason = None
    if rule is not None and target is not None and preview is not None:
        length = length_put(rule, dead_letter.length)
        reason = preview.put(*target, dead_letter.descriptor, length).reason
    return TrialAction(turn.after, rule, target, reason)
