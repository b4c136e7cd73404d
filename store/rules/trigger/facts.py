"""The facts that triggering is decided on."""

from typing import NamedTuple

from mqsc.store.constants import MQTT

NONE = int(MQTT.NONE)
FIRST = int(MQTT.FIRST)
EVERY = int(MQTT.EVERY)
DEPTH = int(MQTT.DEPTH)
TYPE_NAMES = {NONE: "NONE", FIRST: "FIRST", EVERY: "EVERY", DEPTH: "DEPTH"}
# These types start one program for many messages; EVERY starts one for each message.
FIRST_OR_DEPTH = frozenset((FIRST, DEPTH))


class TriggerFacts(NamedTuple):
    """A queue, the event on it and the objects it names, at one moment.

    A tuple, because one is made for each put to a queue with TRIGGER on and a dataclass costs more.
    The fields before `messages` come from the row of the queue; the others need not be read when
    `may_fire` is false.
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
    # Handles of this queue manager's programs that are open for input after the event.
    input_handles: int = 0
    # The effective priority of the message being put; None when the event is not a put.
    priority: int | None = None
    # When the last trigger message was made for this queue, microseconds UTC; None if never since
    # the last start.
    last_trigger: int | None = None
    # TRIGINT of the queue manager, milliseconds.
    trigger_interval: int = 999_999_999
    now: int = 0
    queue_manager: str = ""

    # n(Q): messages of effective priority >= TRIGMPRI, including uncommitted and expired ones. At a
    # put, the number before it. The count may stop at `needs_count`.
    messages: int = 0
    process_exists: bool = False
    # INITQ names a local queue.
    initq_exists: bool = False
    initq_get_enabled: bool = True
    initq_put_enabled: bool = True
    initq_is_transmission: bool = False
    initq_deleted: bool = False
    # The type of the queue that INITQ names when it is not a local one, such as QALIAS; only
    # explanations know it.
    initq_type: str = ""
    # Handles open for input, including a monitor that is opening the queue now.
    initq_input_handles: int = 0

    # A queue of a queue-sharing group (sharing §7): the handles that other queue managers have
    # open, and whether any queue manager of the group has the queue open for exclusive input.
    shared: bool = False
    exclusive_in_group: bool = False
    shared_input_elsewhere: bool = False
    # INITQ is a shared queue; whether another member has it open for input only explanations know.
    initq_shared: bool = False
    initq_open_elsewhere: bool = False


class Criteria(NamedTuple):
    """The criteria by which a member of a queue-sharing group decides about a shared queue.

    `relaxed`: as FIRST with TRIGMPRI(0) instead of as defined. `allowed`: the types in effect that
    C4 lets trigger.
    """

    relaxed: bool
    allowed: frozenset[int]


_DEFINED, _RELAXED = False, True
_NO_TYPE, _ALL_TYPES = frozenset[int](), frozenset((NONE, FIRST, EVERY, DEPTH))
# The table of sharing §7: exclusive anywhere, own input, shared input elsewhere (None: any).
_CRITERIA: dict[tuple[bool, bool | None, bool | None], Criteria] = {
    (True, None, None): Criteria(_DEFINED, _NO_TYPE),
    (False, False, False): Criteria(_DEFINED, _ALL_TYPES),
    (False, True, False): Criteria(_DEFINED, frozenset((NONE, EVERY))),
    (False, False, True): Criteria(_RELAXED, _ALL_TYPES),
    (False, True, True): Criteria(_RELAXED, _NO_TYPE),
}


def criteria_for(exclusive_anywhere: bool, own_input: bool, input_elsewhere: bool) -> Criteria:
    """The row of the table for a member; the handles are those of running programs at the moment
    of the event.
    """
    if exclusive_anywhere:
        return _CRITERIA[True, None, None]
    return _CRITERIA[False, own_input, input_elsewhere]


def criteria_of(facts: TriggerFacts) -> Criteria:
    """The row of the table for a shared queue."""
    return criteria_for(
        facts.exclusive_in_group,
        bool(facts.input_handles),
        facts.shared_input_elsewhere,
    )


def with_effective_type(facts: TriggerFacts) -> TriggerFacts:
    """The same facts with the trigger type and priority that apply.

    A shared queue that another queue manager has open for shared input triggers as FIRST with
    TRIGMPRI(0) (C4 note a).
    """
    if facts.shared and facts.trigger_type != NONE and criteria_of(facts).relaxed:
        return facts._replace(trigger_type=FIRST, trigger_priority=0)
    return facts


class TriggerSettings(NamedTuple):
    """The trigger attributes whose change is an occasion."""

    trigger_on: bool
    trigger_type: int
    trigger_priority: int
    trigger_depth: int


def is_altered(before: TriggerSettings, after: TriggerSettings) -> bool:
    """Whether a change of attributes is the occasion ALTER: TRIGGER is turned on, or is on and a
    criterion changes.

    Setting an attribute to its current value changes nothing. TRIGDPTH is a criterion only with
    TRIGTYPE(DEPTH) (C13, T43 to T45).
    """
    if not after.trigger_on:
        return False
    if not before.trigger_on or before[1:3] != after[1:3]:
        return True
    return after.trigger_type == DEPTH and before.trigger_depth != after.trigger_depth
