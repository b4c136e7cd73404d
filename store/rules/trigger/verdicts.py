"""The conditions for a trigger event as rows: number, statement, reason; and a condition's answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from store.rules.trigger import conditions as statement
from store.rules.trigger import reasons as reason
from store.rules.trigger.facts import TriggerFacts
from store.rules.trigger.reasons import Reason


class Condition(NamedTuple):
    """A numbered statement about the facts, and what it read to come to its answer."""

    number: int
    holds: Callable[[TriggerFacts], bool]
    read: Callable[[TriggerFacts], Reason]

    @property
    def name(self) -> str:
        """The statement in words."""
        return self.holds.__name__.replace("_", " ")


class Verdict(NamedTuple):
    """A condition's answer: it read `attribute(value) on object_name`; `remedy` is the command that would help.

    `remedy` is blank when the condition is met, or when no command helps.
    """

    number: int
    name: str
    met: bool
    reason: str
    attribute: str
    object_name: str
    value: str
    remedy: str


def verdict_of(condition: Condition, facts: TriggerFacts) -> Verdict:
    """The condition's answer with its reason."""
    met = condition.holds(facts)
    read = condition.read(facts)
    return Verdict(
        condition.number,
        condition.name,
        met,
        read.text,
        read.attribute,
        read.object_name,
        read.value,
        "" if met else read.remedy,
    )


# In IBM's numbering.
CONDITIONS = {
    condition.number: condition
    for condition in (
        Condition(1, statement.a_message_is_put, reason.message_put),
        Condition(2, statement.the_message_has_sufficient_priority, reason.priority),
        Condition(3, statement.the_number_of_messages_before_was_right, reason.number_before),
        Condition(4, statement.nobody_has_the_queue_open_for_input, reason.servers),
        Condition(5, statement.gets_are_enabled, reason.gets),
        Condition(6, statement.the_process_is_known, reason.process),
        Condition(7, statement.the_initiation_queue_is_usable, reason.initiation_queue),
        Condition(8, statement.a_monitor_has_the_initiation_queue_open, reason.monitors),
        Condition(9, statement.triggering_is_on, reason.control),
        Condition(10, statement.the_trigger_type_is_not_none, reason.trigger_type),
        Condition(11, statement.it_is_time_to_trigger_again, reason.trigger_again),
        Condition(12, statement.the_last_server_closed_and_left_enough, reason.left_behind),
        Condition(13, statement.enough_messages_are_there, reason.enough),
        Condition(14, statement.the_delivery_sequence_lets_messages_count, reason.delivery_sequence),
    )
}
# The part of C13 that is about a monitor only.
ONLY_MONITOR = Condition(13, statement.no_other_monitor_has_the_initiation_queue_open, reason.other_monitors)
