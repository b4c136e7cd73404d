"""What the trigger conditions look at."""

from __future__ import annotations

from typing import NamedTuple

# MQTT values, the numbers of TRIGTYPE.
NONE, FIRST, EVERY, DEPTH = 0, 1, 2, 3
TYPE_NAMES = {NONE: "NONE", FIRST: "FIRST", EVERY: "EVERY", DEPTH: "DEPTH"}
# The types that start one server for many messages; EVERY starts one for each.
SERVER_TYPES = frozenset((FIRST, DEPTH))


class TriggerFacts(NamedTuple):
    """A queue, what happens on it, and the objects it names, at one moment.

    A tuple, not a dataclass: one is made for each put to a queue with TRIGGER on. The first group stands in the row of
    the queue itself; the second need not be read when `may_fire` says no.
    """

    queue: str
    trigger_on: bool = False
    trigger_type: int = FIRST
    trigger_priority: int = 0
    trigger_depth: int = 1
    process: str = ""
    initq: str = ""
    get_enabled: bool = True
    is_transmission: bool = False
    fifo: bool = False
    default_priority: int = 0
    # Open for input by this queue manager's programs, as it is after the event.
    input_handles: int = 0
    # The effective priority of the message that is put, or None when none is.
    priority: int | None = None
    # When the last trigger message was made for this queue, microseconds UTC; None for never since the last start.
    last_trigger: int | None = None
    # TRIGINT of the queue manager, milliseconds.
    trigger_interval: int = 999_999_999
    now: int = 0
    queue_manager: str = ""

    # n(Q): messages of effective priority >= TRIGMPRI, uncommitted and expired ones too; before the put, or now when
    # nothing is put. It may stop at `needs_count`.
    messages: int = 0
    process_exists: bool = False
    # INITQ names a local queue.
    initq_exists: bool = False
    initq_get_enabled: bool = True
    initq_put_enabled: bool = True
    initq_is_transmission: bool = False
    initq_deleted: bool = False
    # Open for input, the monitor that is just opening it included.
    initq_input_handles: int = 0

    # A queue of a queue-sharing group (triggering §7): what the other queue managers hold open, and whether any of
    # them or this one has it open exclusively.
    shared: bool = False
    exclusive_in_group: bool = False
    shared_input_elsewhere: bool = False


def in_force(facts: TriggerFacts) -> TriggerFacts:
    """The same facts with the trigger type and priority that count: a softened shared queue is FIRST with TRIGMPRI 0.

    Softened is a shared queue that another queue manager has open for shared input (C4 note a).
    """
    if facts.shared and facts.shared_input_elsewhere and facts.trigger_type != NONE:
        return facts._replace(trigger_type=FIRST, trigger_priority=0)
    return facts


class TriggerSettings(NamedTuple):
    """The trigger attributes whose change is an occasion."""

    trigger_on: bool
    trigger_type: int
    trigger_priority: int
    trigger_depth: int


def altered(before: TriggerSettings, after: TriggerSettings) -> bool:
    """Whether a change of attributes is the occasion ALTER: TRIGGER goes on, or is on and a criterion changes.

    Setting an attribute to its value changes nothing, and TRIGDPTH is a criterion for TRIGTYPE(DEPTH) only (C13, T43
    to T45).
    """
    if not after.trigger_on:
        return False
    if not before.trigger_on or before[1:3] != after[1:3]:
        return True
    return after.trigger_type == DEPTH and before.trigger_depth != after.trigger_depth
