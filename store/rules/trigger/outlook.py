"""What would make the next trigger message: every event that may happen to a queue, decided as if it happened now."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from store.rules.putting import HIGHEST_PRIORITY
from store.rules.trigger.conditions import the_interval_has_passed
from store.rules.trigger.facts import DEPTH, FIRST, TriggerFacts
from store.rules.trigger.occasions import (
    ALTER,
    CLOSE,
    GET_ENABLED,
    INITQ_ENABLED,
    MONITOR_OPENED,
    PUT,
    Occasion,
    TriggerDecision,
    decide,
)
from store.rules.trigger.reasons import as_written

_MILLISECOND = 1000


class Outlook(NamedTuple):
    """An event, whether it can happen as things are, and what it would bring about.

    `event` says in words or as a command what would happen. `decision` is about the facts as they would be then.
    """

    occasion: str
    event: str
    possible: bool
    decision: TriggerDecision

    @property
    def would_trigger(self) -> bool:
        """Whether the event can happen and would make a trigger message."""
        return self.possible and self.decision.fires


def outlooks(facts: TriggerFacts) -> tuple[Outlook, ...]:
    """The events of every occasion, puts first. `facts.messages` is n(Q) now, not cut at any bound."""
    return tuple(outlook for look in _LOOKS for outlook in look(facts._replace(priority=None)))


def nearest(found: tuple[Outlook, ...]) -> Outlook | None:
    """Of events that would not trigger, the possible one with the fewest conditions in its way; None when one would."""
    if any(each.would_trigger for each in found):
        return None
    possible = [each for each in found if each.possible]
    return min(possible, key=lambda each: len(each.decision.obstacles))


def _puts(facts: TriggerFacts) -> Iterator[Outlook]:
    """A put now; for DEPTH as many as are missing; for FIRST one after TRIGINT."""
    priority = facts.default_priority if facts.fifo else min(facts.trigger_priority, HIGHEST_PRIORITY)
    facts = facts._replace(priority=priority)
    what = f"of priority {priority} or higher" if priority and not facts.fifo else ""
    missing = facts.trigger_depth - 1 - facts.messages
    if facts.trigger_type == DEPTH and missing > 0:
        later = facts._replace(messages=facts.trigger_depth - 1)
        yield _put(f"{missing + 1} messages {what}", "are", facts.queue, later)
        return
    yield _put(f"a message {what}", "is", facts.queue, facts)
    if facts.trigger_type == FIRST and facts.messages and facts.last_trigger is not None:
        ends = facts.last_trigger + facts.trigger_interval * _MILLISECOND
        if not the_interval_has_passed(facts):
            after = f"in {-(-(ends - facts.now) // _MILLISECOND)} ms or later, when TRIGINT has passed"
            yield _put(f"a message {what}", "is", facts.queue, facts._replace(now=ends), after)


def _put(what: str, verb: str, queue: str, facts: TriggerFacts, when: str = "") -> Outlook:
    words = f"{what.strip()} {verb} put on {queue} {when}"
    return Outlook(PUT.name, words.strip(), True, decide(PUT, facts))


def _close(facts: TriggerFacts) -> Iterator[Outlook]:
    event = f"the last program that has {facts.queue} open for input closes it"
    yield _outlook(CLOSE, event, facts.input_handles > 0, facts._replace(input_handles=0))


def _alter(facts: TriggerFacts) -> Iterator[Outlook]:
    on = f"ALTER QLOCAL({as_written(facts.queue)}) TRIGGER"
    criterion = "TRIGTYPE, TRIGMPRI or TRIGDPTH" if facts.trigger_type == DEPTH else "TRIGTYPE or TRIGMPRI"
    event = f"{criterion} of {facts.queue} is changed" if facts.trigger_on else on
    yield _outlook(ALTER, event, True, facts._replace(trigger_on=True))


def _initq_enabled(facts: TriggerFacts) -> Iterator[Outlook]:
    possible = facts.initq_exists and not facts.initq_put_enabled
    event = f"ALTER QLOCAL({as_written(facts.initq or 'INITQ')}) PUT(ENABLED)"
    yield _outlook(INITQ_ENABLED, event, possible, facts._replace(initq_put_enabled=True))


def _get_enabled(facts: TriggerFacts) -> Iterator[Outlook]:
    event = f"ALTER QLOCAL({as_written(facts.queue)}) GET(ENABLED)"
    yield _outlook(GET_ENABLED, event, not facts.get_enabled, facts._replace(get_enabled=True))


def _monitor_opened(facts: TriggerFacts) -> Iterator[Outlook]:
    event = f"a monitor opens {facts.initq or 'INITQ'} for input"
    opened = facts._replace(initq_input_handles=facts.initq_input_handles + 1)
    yield _outlook(MONITOR_OPENED, event, facts.initq_exists, opened)


def _outlook(occasion: Occasion, event: str, possible: bool, after: TriggerFacts) -> Outlook:
    return Outlook(occasion.name, event, possible, decide(occasion, after))


_LOOKS: tuple[Callable[[TriggerFacts], Iterator[Outlook]], ...] = (
    _puts,
    _close,
    _alter,
    _initq_enabled,
    _get_enabled,
    _monitor_opened,
)
