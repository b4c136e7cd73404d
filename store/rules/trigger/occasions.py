"""The occasions on which a queue may trigger.

At a put, call `may_fire` with the facts from the row of the queue. If it is true, count `messages`
(up to `needs_count`, from priority `counted_priority`). If `number_is_right`, read the objects that
the queue names and call `fired_by_puts`, or `fires` for a single message. `decide` gives the same
answer with the reason of every condition.
"""

from collections.abc import Callable, Iterable
from functools import cache
from typing import NamedTuple

from mqsc.store.rules.trigger.conditions import (
    CONDITIONS,
    NO_OTHER_MONITOR,
    Condition,
    ConditionResult,
    check,
)
from mqsc.store.rules.trigger.facts import (
    DEPTH,
    EVERY,
    FIRST,
    FIRST_OR_DEPTH,
    TriggerFacts,
    with_effective_type,
)


class Route(NamedTuple):
    """Conditions that together make a trigger message, and the cause that the history records.

    They are in the order that rules out a trigger message most cheaply.
    """

    cause: str
    conditions: tuple[Condition, ...]


class Occasion(NamedTuple):
    """An event that may make a trigger message by one or two routes."""

    name: str
    routes: tuple[Route, ...]


def _route(cause: str, *numbers: int, also: tuple[Condition, ...] = ()) -> Route:
    return Route(cause, tuple(CONDITIONS[number] for number in numbers) + also)


# The second route of a put replaces C3 by C11.
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
MONITOR_OPENED = Occasion(
    "MONITOR_OPENED",
    (_route("monitor-opened", 9, 10, 4, 5, 13, 7, 6, also=(NO_OTHER_MONITOR,)),),
)

# Conditions decided by the row of the queue and the message, and conditions decided by the
# initiation queue.
_OWN = frozenset((1, 2, 4, 5, 9, 10, 14))
_INITIATION_QUEUE = frozenset((7, 8))
# The conditions on the number of messages, and the two for a put, of which one is enough.
_COUNTING = frozenset((3, 11, 12, 13))
EITHER = frozenset((3, 11))


class TriggerDecision(NamedTuple):
    """Whether a trigger message is made, why, and its side effects.

    `switch_off`: TRIGGER is turned off immediately, not under syncpoint. `kept`: a trigger message
    for a put under syncpoint stays when the unit of work is backed out. `results` holds all
    conditions of the occasion, by number.
    """

    fires: bool
    cause: str
    switch_off: bool
    kept: bool
    results: tuple[ConditionResult, ...]

    @property
    def decisive(self) -> int:
        """The condition on the number of messages that was met: 3, 11, 12 or 13; 0 when none
        was.
        """
        return next(
            (each.number for each in self.results if each.met and each.number in _COUNTING),
            0,
        )

    @property
    def obstacles(self) -> tuple[ConditionResult, ...]:
        """The conditions that are not met. Either C3 or C11 is enough: both are listed when
        neither is met.
        """
        replaced = any(each.met for each in self.results if each.number in EITHER)
        return tuple(
            each
            for each in self.results
            if not each.met and not (replaced and each.number in EITHER)
        )


def fires(occasion: Occasion, facts: TriggerFacts) -> str:
    """The cause if the occasion makes a trigger message, else a blank string; stops at the first
    unmet condition.
    """
    facts = with_effective_type(facts)
    for cause, conditions in occasion.routes:
        for condition in conditions:
            if not condition.holds(facts):
                break
        else:
            return _recorded(cause, facts)
    return ""


def decide(occasion: Occasion, facts: TriggerFacts) -> TriggerDecision:
    """Like `fires`, with the reason of every condition. If no route fires, the cause is that of
    the first route.
    """
    facts = with_effective_type(facts)
    cause = fires(occasion, facts)
    checked = {condition for route in occasion.routes for condition in route.conditions}
    results = sorted(check(condition, facts) for condition in checked)
    return TriggerDecision(
        bool(cause),
        cause or occasion.routes[0].cause,
        bool(cause) and facts.trigger_type == DEPTH,
        occasion is PUT and survives_backout(facts),
        tuple(results),
    )


def may_fire(occasion: Occasion, facts: TriggerFacts) -> bool:
    """Whether a trigger message is possible as far as the row of the queue tells; other facts
    are not used.
    """
    if not facts.initq or not (facts.process or facts.is_transmission):
        return False
    return _all_hold(_statements(occasion, _OWN), with_effective_type(facts))


def initiation_queue_allows(occasion: Occasion, facts: TriggerFacts) -> bool:
    """Whether the initiation queue allows a trigger message; the process is not checked."""
    return _all_hold(_statements(occasion, _INITIATION_QUEUE), facts)


def number_is_right(facts: TriggerFacts) -> bool:
    """Whether the number of messages before a put satisfies one of its routes (C3 or C11)."""
    facts = with_effective_type(facts)
    return CONDITIONS[3].holds(facts) or CONDITIONS[11].holds(facts)


def _all_hold(statements: Iterable[Callable[[TriggerFacts], bool]], facts: TriggerFacts) -> bool:
    # A loop, because all() with a generator takes twice as long and this runs at every put.
    for holds in statements:  # noqa: SIM110
        if not holds(facts):
            return False
    return True


@cache
def _statements(
    occasion: Occasion,
    numbers: frozenset[int],
) -> tuple[Callable[[TriggerFacts], bool], ...]:
    return tuple(each.holds for each in occasion.routes[0].conditions if each.number in numbers)


def needs_count(occasion: Occasion, facts: TriggerFacts) -> int:
    """The number at which counting suitable messages may stop: at most TRIGDPTH, 0 when no count
    is needed.
    """
    facts = with_effective_type(facts)
    if facts.trigger_type == DEPTH:
        return facts.trigger_depth
    return 0 if occasion is PUT and facts.trigger_type == EVERY else 1


def counted_priority(facts: TriggerFacts) -> int:
    """The lowest effective priority of a suitable message: TRIGMPRI, or 0 on a shared queue in
    use elsewhere.
    """
    return with_effective_type(facts).trigger_priority


def survives_backout(facts: TriggerFacts) -> bool:
    """Whether a trigger message stays when the put that made it is backed out: FIRST and DEPTH
    (T04, T05, T63).
    """
    return with_effective_type(facts).trigger_type in FIRST_OR_DEPTH


class Firing(NamedTuple):
    """A put message that makes a trigger message: the cause, and the facts at that put."""

    cause: str
    facts: TriggerFacts


def fired_by_puts(facts: TriggerFacts, priorities: Iterable[int]) -> list[Firing]:
    """The trigger messages made when messages of these effective priorities are put one by one.

    `facts.messages` is n(Q) before the first put. DEPTH makes at most one trigger message and turns
    TRIGGER off.
    """
    facts = with_effective_type(facts)
    suitable = [priority for priority in priorities if priority >= facts.trigger_priority]
    fired = _FIRED_BY_TYPE.get(facts.trigger_type)
    if not suitable or fired is None:
        return []
    return fired(
        facts if facts.priority == suitable[0] else facts._replace(priority=suitable[0]),
        len(suitable),
    )


def _every(facts: TriggerFacts, number: int) -> list[Firing]:
    cause = fires(PUT, facts)
    return [Firing(cause, facts)] * number if cause else []


def _first(facts: TriggerFacts, number: int) -> list[Firing]:
    fired = _every(facts, 1)
    if number == 1:
        return fired
    # All puts after the first see the same: messages on the queue, and the same last trigger
    # message.
    last_trigger = facts.now if fired else facts.last_trigger
    return fired + _every(
        facts._replace(messages=facts.messages + 1, last_trigger=last_trigger),
        number - 1,
    )


def _depth(facts: TriggerFacts, number: int) -> list[Firing]:
    missing = max(0, facts.trigger_depth - 1 - facts.messages)
    return [] if missing >= number else _every(facts._replace(messages=facts.messages + missing), 1)


_FIRED_BY_TYPE: dict[int, Callable[[TriggerFacts, int], list[Firing]]] = {
    FIRST: _first,
    EVERY: _every,
    DEPTH: _depth,
}


def _recorded(cause: str, facts: TriggerFacts) -> str:
    """DEPTH does not wait for TRIGINT, so the history records a put when C11 made it trigger
    (P10).
    """
    return "put" if cause == "interval" and facts.trigger_type == DEPTH else cause
