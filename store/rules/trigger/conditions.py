"""The fourteen conditions for a trigger event, under IBM's numbers (triggering §3, §4).

Each is a statement about the facts. The numbers 1 to 10 and 14 are about the queue and what it names; 3, 11, 12 and 13
are the four ways to have enough messages: at a put, at a later put, at a close, and when something else changes.
"""

from __future__ import annotations

from collections.abc import Callable

from store.rules.trigger.facts import DEPTH, EVERY, FIRST, NONE, SERVER_TYPES, TriggerFacts

_MILLISECOND = 1000


def a_message_is_put(facts: TriggerFacts) -> bool:
    """C1."""
    return facts.priority is not None


def the_message_has_sufficient_priority(facts: TriggerFacts) -> bool:
    """C2: its effective priority is TRIGMPRI or higher."""
    return facts.priority is not None and facts.priority >= facts.trigger_priority


_WANTED_BEFORE: dict[int, Callable[[TriggerFacts], bool]] = {
    FIRST: lambda facts: facts.messages == 0,
    EVERY: lambda facts: True,
    DEPTH: lambda facts: facts.messages == facts.trigger_depth - 1,
}


def the_number_of_messages_before_was_right(facts: TriggerFacts) -> bool:
    """C3: none for FIRST, any for EVERY, TRIGDPTH less one for DEPTH."""
    wanted = _WANTED_BEFORE.get(facts.trigger_type)
    return wanted is not None and wanted(facts)


def nobody_has_the_queue_open_for_input(facts: TriggerFacts) -> bool:
    """C4: asked for FIRST and DEPTH; a shared queue open exclusively anywhere in its group triggers nowhere."""
    if facts.shared and facts.exclusive_in_group:
        return False
    return not facts.input_handles or facts.trigger_type not in SERVER_TYPES


def gets_are_enabled(facts: TriggerFacts) -> bool:
    """C5: stated for z/OS, applied everywhere here."""
    return bool(facts.get_enabled)


def the_process_is_known(facts: TriggerFacts) -> bool:
    """C6: PROCESS names a process that exists, or is blank on a transmission queue."""
    return bool(facts.process_exists if facts.process else facts.is_transmission)


def the_initiation_queue_is_usable(facts: TriggerFacts) -> bool:
    """C7: INITQ names a local queue for normal use, enabled for get and put, not a deleted dynamic one."""
    return bool(
        facts.initq
        and facts.initq_exists
        and facts.initq_get_enabled
        and facts.initq_put_enabled
        and not facts.initq_is_transmission
        and not facts.initq_deleted
    )


def a_monitor_has_the_initiation_queue_open(facts: TriggerFacts) -> bool:
    """C8."""
    return facts.initq_input_handles > 0


def triggering_is_on(facts: TriggerFacts) -> bool:
    """C9."""
    return bool(facts.trigger_on)


def the_trigger_type_is_not_none(facts: TriggerFacts) -> bool:
    """C10."""
    return facts.trigger_type != NONE


def it_is_time_to_trigger_again(facts: TriggerFacts) -> bool:
    """C11: messages were left, and TRIGINT has passed since the last trigger message for FIRST; at once for DEPTH."""
    if facts.trigger_type == DEPTH:
        return facts.messages >= facts.trigger_depth
    return facts.trigger_type == FIRST and facts.messages > 0 and the_interval_has_passed(facts)


def the_interval_has_passed(facts: TriggerFacts) -> bool:
    """Whether TRIGINT has passed since the last trigger message; a restart counts as passed."""
    if facts.last_trigger is None:
        return True
    return max(0, facts.now - facts.last_trigger) >= facts.trigger_interval * _MILLISECOND


def enough_messages_are_there(facts: TriggerFacts) -> bool:
    """C13: one for FIRST and EVERY, TRIGDPTH for DEPTH."""
    return facts.messages >= (facts.trigger_depth if facts.trigger_type == DEPTH else 1)


def the_last_server_closed_and_left_enough(facts: TriggerFacts) -> bool:
    """C12: for FIRST and DEPTH; nobody has the queue open for input any more."""
    return facts.trigger_type in SERVER_TYPES and not facts.input_handles and enough_messages_are_there(facts)


def no_other_monitor_has_the_initiation_queue_open(facts: TriggerFacts) -> bool:
    """C13, where a monitor opens the initiation queue."""
    return facts.initq_input_handles <= 1


def the_delivery_sequence_lets_messages_count(facts: TriggerFacts) -> bool:
    """C14: with MSGDLVSQ(FIFO) a message has DEFPRTY, which must reach TRIGMPRI."""
    return not facts.fifo or facts.default_priority >= facts.trigger_priority
