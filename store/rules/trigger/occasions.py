"""When a trigger message is made: occasions as data, decided over facts (triggering §3, §4).

How to ask at a put: `may_fire` on what the row of the queue says; if so, read `messages` (as far as `needs_count`,
counting from `counted_priority`); if `number_is_right`, read the objects that the queue names; then `arrivals`, or
`fires` for one message.
`decide` answers the same with every condition's reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import NamedTuple

from store.rules.trigger.facts import (
    DEPTH,
    EVERY,
    FIRST,
    SERVER_TYPES,
    TriggerFacts,
    TriggerSettings,
    altered,
    in_force,
)
from store.rules.trigger.verdicts import CONDITIONS, ONLY_MONITOR, Condition, Verdict, verdict_of

__all__ = [
    "ALTER",
    "CLOSE",
    "GET_ENABLED",
    "INITQ_ENABLED",
    "MONITOR_OPENED",
    "OCCASIONS",
    "PUT",
    "Firing",
    "Occasion",
    "TriggerDecision",
    "TriggerFacts",
    "TriggerSettings",
    "altered",
    "arrivals",
    "counted_priority",
    "decide",
    "fires",
    "initiation_queue_allows",
    "may_fire",
    "needs_count",
    "number_is_right",
    "survives_backout",
]


class Route(NamedTuple):
    """Conditions that together make a trigger message, and the cause that the history then tells.

    They stand in the order in which they are cheapest to refuse by.
    """

    cause: str
    conditions: tuple[Condition, ...]


class Occasion(NamedTuple):
    """Something that may bring a trigger message about, in one or two ways."""

    name: str
    routes: tuple[Route, ...]


def _route(cause: str, *numbers: int, also: tuple[Condition, ...] = ()) -> Route:
    return Route(cause, tuple(CONDITIONS[number] for number in numbers) + also)


# C11 is the second way of a put: it takes the place of C3.
PUT = Occasion(
    "PUT",
    (
        _route("put", 9, 10, 1, 2, 3, 4, 5, 14, 7, 8, 6),
        _route("interval", 9, 10, 1, 2, 11, 4, 5, 14, 7, 8, 6),
    ),
)
CLOSE = Occasion("CLOSE", (_route("close", 9, 10, 12, 7, 8, 6),))
ALTER = Occasion("ALTER", (_route("alter", 9, 10, 4, 5, 13, 7, 6),))
INITQ_ENABLED = Occasion("INITQ_ENABLED", (_route("initq-enabled", 9, 10, 4, 5, 13, 7, 8, 6),))
GET_ENABLED = Occasion("GET_ENABLED", (_route("get-enabled", 9, 10, 4, 13, 7, 8, 6),))
MONITOR_OPENED = Occasion("MONITOR_OPENED", (_route("monitor-opened", 9, 10, 4, 5, 13, 7, 6, also=(ONLY_MONITOR,)),))
OCCASIONS = {each.name: each for each in (PUT, CLOSE, ALTER, INITQ_ENABLED, GET_ENABLED, MONITOR_OPENED)}

# Conditions that the row of the queue and the message put decide alone, and those that the initiation queue decides.
_OWN = frozenset((1, 2, 4, 5, 9, 10, 14))
_INITIATION_QUEUE = frozenset((7, 8))
# The ways to have enough messages, and those of a put, of which one is enough.
_COUNTING = frozenset((3, 11, 12, 13))
_EITHER = frozenset((3, 11))


class TriggerDecision(NamedTuple):
    """Whether a trigger message is made, why, and what goes with it.

    `switch_off`: TRIGGER goes off at once, not under syncpoint. `kept`: made for a put under syncpoint, it stays when
    the unit of work is backed out. `verdicts` are all conditions of the occasion, by number.
    """

    fires: bool
    cause: str
    switch_off: bool
    kept: bool
    verdicts: tuple[Verdict, ...]

    @property
    def decisive(self) -> int:
        """The number of the condition on how many messages are there that was met: 3, 11, 12 or 13; 0 for none."""
        return next((each.number for each in self.verdicts if each.met and each.number in _COUNTING), 0)

    @property
    def obstacles(self) -> tuple[Verdict, ...]:
        """The conditions that are in the way. C3 and C11 replace each other: both are named when neither holds."""
        replaced = any(each.met for each in self.verdicts if each.number in _EITHER)
        return tuple(each for each in self.verdicts if not each.met and not (replaced and each.number in _EITHER))


def fires(occasion: Occasion, facts: TriggerFacts) -> str:
    """The cause when the occasion makes a trigger message, else a blank string; stops at the first refusal."""
    facts = in_force(facts)
    for cause, conditions in occasion.routes:
        for condition in conditions:
            if not condition.holds(facts):
                break
        else:
            return _told(cause, facts)
    return ""


def decide(occasion: Occasion, facts: TriggerFacts) -> TriggerDecision:
    """The same with every condition's reason; the cause of a decision that does not fire is the occasion's first."""
    facts = in_force(facts)
    cause = fires(occasion, facts)
    asked = {condition for route in occasion.routes for condition in route.conditions}
    verdicts = sorted(verdict_of(condition, facts) for condition in asked)
    return TriggerDecision(
        bool(cause),
        cause or occasion.routes[0].cause,
        bool(cause) and facts.trigger_type == DEPTH,
        occasion is PUT and survives_backout(facts),
        tuple(verdicts),
    )


def may_fire(occasion: Occasion, facts: TriggerFacts) -> bool:
    """Whether what the row of the queue says leaves a trigger message possible; the rest of the facts is not read."""
    if not facts.initq or not (facts.process or facts.is_transmission):
        return False
    return _all_hold(_statements(occasion, _OWN), in_force(facts))


def initiation_queue_allows(occasion: Occasion, facts: TriggerFacts) -> bool:
    """Whether what is known of the initiation queue leaves a trigger message possible; the process is not read."""
    return _all_hold(_statements(occasion, _INITIATION_QUEUE), facts)


def number_is_right(facts: TriggerFacts) -> bool:
    """Whether there are as many messages before a put as one of its ways asks for (C3, C11)."""
    facts = in_force(facts)
    return CONDITIONS[3].holds(facts) or CONDITIONS[11].holds(facts)


def _all_hold(statements: Iterable[Callable[[TriggerFacts], bool]], facts: TriggerFacts) -> bool:
    # A loop: all() with a generator takes twice as long, and every put asks.
    for holds in statements:  # noqa: SIM110
        if not holds(facts):
            return False
    return True


@cache
def _statements(occasion: Occasion, numbers: frozenset[int]) -> tuple[Callable[[TriggerFacts], bool], ...]:
    return tuple(each.holds for each in occasion.routes[0].conditions if each.number in numbers)


def needs_count(occasion: Occasion, facts: TriggerFacts) -> int:
    """How far suitable messages must be counted to decide: never beyond TRIGDPTH, 0 when no count is asked for."""
    facts = in_force(facts)
    if facts.trigger_type == DEPTH:
        return facts.trigger_depth
    return 0 if occasion is PUT and facts.trigger_type == EVERY else 1


def counted_priority(facts: TriggerFacts) -> int:
    """The lowest effective priority that counts: TRIGMPRI, or 0 on a softened shared queue."""
    return in_force(facts).trigger_priority


def survives_backout(facts: TriggerFacts) -> bool:
    """Whether a trigger message of a put stays when the put is backed out: FIRST and DEPTH (T04, T05, T63)."""
    return in_force(facts).trigger_type in SERVER_TYPES


class Firing(NamedTuple):
    """A message that makes a trigger message: the cause, and the facts as they were when it was put."""

    cause: str
    facts: TriggerFacts


def arrivals(facts: TriggerFacts, priorities: Iterable[int]) -> list[Firing]:
    """The trigger messages that messages of these effective priorities bring about, put one by one.

    `facts.messages` is n(Q) before the first of them. DEPTH makes at most one, and TRIGGER is then off.
    """
    facts = in_force(facts)
    suitable = [priority for priority in priorities if priority >= facts.trigger_priority]
    arrived = _ARRIVED.get(facts.trigger_type)
    if not suitable or arrived is None:
        return []
    return arrived(facts if facts.priority == suitable[0] else facts._replace(priority=suitable[0]), len(suitable))


def _every(facts: TriggerFacts, number: int) -> list[Firing]:
    cause = fires(PUT, facts)
    return [Firing(cause, facts)] * number if cause else []


def _first(facts: TriggerFacts, number: int) -> list[Firing]:
    fired = _every(facts, 1)
    if number == 1:
        return fired
    # Behind the first message all others find the same: messages before them, and the same last trigger message.
    last_trigger = facts.now if fired else facts.last_trigger
    return fired + _every(facts._replace(messages=facts.messages + 1, last_trigger=last_trigger), number - 1)


def _depth(facts: TriggerFacts, number: int) -> list[Firing]:
    missing = max(0, facts.trigger_depth - 1 - facts.messages)
    return [] if missing >= number else _every(facts._replace(messages=facts.messages + missing), 1)


_ARRIVED: dict[int, Callable[[TriggerFacts, int], list[Firing]]] = {FIRST: _first, EVERY: _every, DEPTH: _depth}


def _told(cause: str, facts: TriggerFacts) -> str:
    """DEPTH waits for no interval: what C11 makes of it is a put like any other (P10)."""
    return "put" if cause == "interval" and facts.trigger_type == DEPTH else cause
