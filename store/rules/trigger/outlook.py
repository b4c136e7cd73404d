"""Which event would make the next trigger message: every possible event, decided as if it happened now."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from store.rules.putting import HIGHEST_PRIORITY
from store.rules.trigger.conditions import MICROSECONDS_PER_MILLISECOND, mqsc_name, the_interval_has_passed
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


class Outlook(NamedTuple):
    """An event, whether it can happen now, and what it would decide.

    `event` describes the event in words or is a command. `decision` uses the facts as they would be after the event.
    """

    occasion: str
    event: str
    possible: bool
    decision: TriggerDecision

    @property
    def would_trigger(self) -> bool:
        """Whether the event can happen now and would make a trigger message."""
        return self.possible and self.decision.fires


def outlooks(facts: TriggerFacts) -> tuple[Outlook, ...]:
    """The events of every occasion, puts first. `facts.messages` is the full n(Q) now."""
    return tuple(outlook for of_occasion in _OF_OCCASIONS for outlook in of_occasion(facts._replace(priority=None)))


def nearest(events: tuple[Outlook, ...]) -> Outlook | None:
    """If no event would trigger, the possible event with the fewest unmet conditions; None if one would."""
    if any(each.would_trigger for each in events):
        return None
    possible = [each for each in events if each.possible]
    return min(possible, key=lambda each: len(each.decision.obstacles))


def _puts(facts: TriggerFacts) -> Iterator[Outlook]:
    """A put now; for DEPTH as many puts as are missing; for FIRST also a put after TRIGINT."""
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
        ends = facts.last_trigger + facts.trigger_interval * MICROSECONDS_PER_MILLISECOND
        if not the_interval_has_passed(facts):
            after = f"in {-(-(ends - facts.now) // MICROSECONDS_PER_MILLISECOND)} ms or later, after TRIGINT has passed"
            yield _put(f"a message {what}", "is", facts.queue, facts._replace(now=ends), after)


def _put(what: str, verb: str, queue: str, facts: TriggerFacts, when: str = "") -> Outlook:
    words = f"{what.strip()} {verb} put on {queue} {when}"
    return Outlook(PUT.name, words.strip(), True, decide(PUT, facts))


def _close(facts: TriggerFacts) -> Iterator[Outlook]:
    event = f"the last program that has {facts.queue} open for input closes it"
    yield _outlook(CLOSE, event, facts.input_handles > 0, facts._replace(input_handles=0))


def _alter(facts: TriggerFacts) -> Iterator[Outlook]:
    on = f"ALTER QLOCAL({mqsc_name(facts.queue)}) TRIGGER"
    criterion = "TRIGTYPE, TRIGMPRI or TRIGDPTH" if facts.trigger_type == DEPTH else "TRIGTYPE or TRIGMPRI"
    event = f"{criterion} of {facts.queue} is changed" if facts.trigger_on else on
    yield _outlook(ALTER, event, True, facts._replace(trigger_on=True))


def _initq_enabled(facts: TriggerFacts) -> Iterator[Outlook]:
    possible = facts.initq_exists and not facts.initq_put_enabled
    event = f"ALTER QLOCAL({mqsc_name(facts.initq or 'INITQ')}) PUT(ENABLED)"
    yield _outlook(INITQ_ENABLED, event, possible, facts._replace(initq_put_enabled=True))


def _get_enabled(facts: TriggerFacts) -> Iterator[Outlook]:
    event = f"ALTER QLOCAL({mqsc_name(facts.queue)}) GET(ENABLED)"
    yield _outlook(GET_ENABLED, event, not facts.get_enabled, facts._replace(get_enabled=True))


def _monitor_opened(facts: TriggerFacts) -> Iterator[Outlook]:
    event = f"a monitor opens {facts.initq or 'INITQ'} for input"
    opened = facts._replace(initq_input_handles=facts.initq_input_handles + 1)
    yield _outlook(MONITOR_OPENED, event, facts.initq_exists, opened)


def _outlook(occasion: Occasion, event: str, possible: bool, after: TriggerFacts) -> Outlook:
    return Outlook(occasion.name, event, possible, decide(occasion, after))


_OF_OCCASIONS: tuple[Callable[[TriggerFacts], Iterator[Outlook]], ...] = (
    _puts,
    _close,
    _alter,
    _initq_enabled,
    _get_enabled,
    _monitor_opened,
)
