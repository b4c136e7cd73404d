"""The fourteen conditions for a trigger event, under IBM's numbers (triggering §3, §4).

Each condition is two functions: the statement, which is true or false about the facts, and the
reason, which names the attribute, the object and the value that the statement checked and the
command that would change it. The name of the statement, in words, is the name of the condition.
`mqsc trigger explain`, the history and the tests share these texts.

Conditions 1, 2, 4 to 10 and 14 are about the queue and the objects it names. Conditions 3, 11, 12
and 13 are the four ways to have enough messages: at a put, at a later put, at a close, and when
anything else changes.
"""

import re
import shlex
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from mqsc.store.rules.trigger.facts import (
    DEPTH,
    EVERY,
    FIRST,
    FIRST_OR_DEPTH,
    NONE,
    TYPE_NAMES,
    TriggerFacts,
    criteria_of,
)

MICROSECONDS_PER_MILLISECOND = 1000
# The TRIGINT that is proposed in place of a longer one, milliseconds.
SHORTER_INTERVAL = 60_000
# As the type of an initiation queue that cannot be used (2343).
TWO_OWNERS = "queue manager and group"


class Reason(NamedTuple):
    """What a condition checked: attribute, object and value, a remark, and the command that would
    change the answer.

    Without an attribute, `value` is a whole sentence. The command is MQSC, or an `mqsc` command
    where MQSC has none; it is blank when no command helps. In it, <PROGRAM> and <PROCESS> stand for
    what only the reader knows.
    """

    attribute: str
    object_name: str
    value: str
    remark: str = ""
    remedy: str = ""

    @property
    def text(self) -> str:
        """Everything except the command, such as `IPPROCS(0) on INIT`."""
        if not self.attribute:
            checked = self.value
        elif self.attribute == "TRIGGER":
            checked = f"{self.value} on {self.object_name}"
        else:
            checked = f"{self.attribute}({self.value or ' '}) on {self.object_name}"
        return f"{checked}: {self.remark}" if self.remark else checked


_PLAIN_NAME = re.compile(r"[A-Z0-9._/%]+\Z")


def mqsc_name(name: str) -> str:
    """A name as MQSC text contains it: in quotes when MQSC would otherwise fold or split it."""
    return name if _PLAIN_NAME.match(name) else "'" + name.replace("'", "''") + "'"


def alter_command(queue: str, change: str, *, shared: bool) -> str:
    """The command that changes a local queue."""
    disposition = " QSGDISP(SHARED)" if shared else ""
    return f"ALTER QLOCAL({mqsc_name(queue)}){disposition} {change}"


def _alter(facts: TriggerFacts, change: str) -> str:
    return alter_command(facts.queue, change, shared=facts.shared)


def _alter_initq(facts: TriggerFacts, change: str) -> str:
    return alter_command(facts.initq, change, shared=facts.initq_shared)


def _suitable(number: int) -> str:
    return "1 suitable message" if number == 1 else f"{number} suitable messages"


# C1


def a_message_is_put(facts: TriggerFacts) -> bool:
    return facts.priority is not None


def _put_reason(facts: TriggerFacts) -> Reason:
    what = "no message is put" if facts.priority is None else "a message is put"
    return Reason("", facts.queue, f"{what} on {facts.queue}")


# C2


def the_message_has_sufficient_priority(facts: TriggerFacts) -> bool:
    """Its effective priority is TRIGMPRI or higher."""
    return facts.priority is not None and facts.priority >= facts.trigger_priority


def _priority_reason(facts: TriggerFacts) -> Reason:
    priority = facts.priority or 0
    remark = f"the message has effective priority {priority}"
    remedy = _alter(facts, f"TRIGMPRI({priority})")
    return Reason("TRIGMPRI", facts.queue, str(facts.trigger_priority), remark, remedy)


# C3


def the_queue_had_the_required_number_of_messages(facts: TriggerFacts) -> bool:
    """Before the put: 0 for FIRST, any number for EVERY, TRIGDPTH minus 1 for DEPTH."""
    if facts.trigger_type == DEPTH:
        return facts.messages == facts.trigger_depth - 1
    return facts.trigger_type == EVERY or (facts.trigger_type == FIRST and not facts.messages)


def _count_before_put_reason(facts: TriggerFacts) -> Reason:
    count = f"{_suitable(facts.messages)} before the put"
    if facts.trigger_type == DEPTH:
        # With more messages C11 is met instead.
        remedy = (
            _alter(facts, f"TRIGDPTH({facts.messages + 1})")
            if facts.messages < facts.trigger_depth
            else ""
        )
        remark = f"{count}, {facts.trigger_depth - 1} required"
        return Reason("TRIGDPTH", facts.queue, str(facts.trigger_depth), remark, remedy)
    # EVERY does not depend on the number of messages, so they were not counted.
    remarks = {
        FIRST: f"{count}, FIRST requires 0",
        EVERY: "any number of messages before the put is accepted",
    }
    remark = remarks.get(facts.trigger_type, "NONE never triggers")
    return Reason("TRIGTYPE", facts.queue, TYPE_NAMES[facts.trigger_type], remark)


# C4


def nobody_has_the_queue_open_for_input(facts: TriggerFacts) -> bool:
    """Checked for FIRST and DEPTH. A shared queue open for exclusive input anywhere in its group
    never triggers.
    """
    if facts.shared:
        return facts.trigger_type in criteria_of(facts).allowed
    return not facts.input_handles or facts.trigger_type not in FIRST_OR_DEPTH


def _open_for_input_reason(facts: TriggerFacts) -> Reason:
    if facts.shared and facts.exclusive_in_group:
        return Reason(
            "",
            facts.queue,
            f"{facts.queue} is open for exclusive input in the queue-sharing group",
        )
    if facts.shared and facts.input_handles and facts.shared_input_elsewhere:
        remark = "a program here has it open, and one elsewhere"
    elif facts.trigger_type not in FIRST_OR_DEPTH:
        remark = "checked only for FIRST and DEPTH"
    else:
        remark = "a program has the queue open for input" if facts.input_handles else ""
    return Reason("IPPROCS", facts.queue, str(facts.input_handles), remark)


# C5


def gets_are_enabled(facts: TriggerFacts) -> bool:
    """IBM documents it for z/OS; here it applies everywhere."""
    return bool(facts.get_enabled)


def _gets_reason(facts: TriggerFacts) -> Reason:
    value = "ENABLED" if facts.get_enabled else "DISABLED"
    return Reason("GET", facts.queue, value, "", _alter(facts, "GET(ENABLED)"))


# C6


def the_process_exists(facts: TriggerFacts) -> bool:
    """PROCESS names an existing process, or is blank on a transmission queue."""
    return bool(facts.process_exists if facts.process else facts.is_transmission)


def _process_reason(facts: TriggerFacts) -> Reason:
    if facts.process:
        remark = "" if facts.process_exists else "the process does not exist"
        # A process with a blank APPLICID starts nothing.
        remedy = f"DEFINE PROCESS({mqsc_name(facts.process)}) APPLICID('<PROGRAM>')"
        return Reason("PROCESS", facts.queue, facts.process, remark, remedy)
    remark = (
        "not required with USAGE(XMITQ)"
        if facts.is_transmission
        else "required unless USAGE(XMITQ)"
    )
    return Reason("PROCESS", facts.queue, "", remark, _alter(facts, "PROCESS(<PROCESS>)"))


# C7


def the_initiation_queue_is_usable(facts: TriggerFacts) -> bool:
    """INITQ names a local queue with USAGE(NORMAL), enabled for get and put, and not a deleted
    dynamic queue.
    """
    usable = facts.initq_exists and not facts.initq_is_transmission and not facts.initq_deleted
    return bool(facts.initq and usable and facts.initq_get_enabled and facts.initq_put_enabled)


def _initiation_queue_reason(facts: TriggerFacts) -> Reason:
    """The first fault of the initiation queue, or INITQ."""
    initq = facts.initq
    named = partial(Reason, "INITQ", facts.queue, initq)
    usual = "SYSTEM.CHANNEL.INITQ" if facts.is_transmission else "SYSTEM.DEFAULT.INITIATION.QUEUE"
    another = _alter(facts, f"INITQ({usual})")
    if not initq:
        return named("no initiation queue is named", another)
    if facts.initq_deleted:
        return named("the queue was deleted but is still open", another)
    if facts.initq_type == TWO_OWNERS:
        return named("both the queue manager and its group have a queue of that name")
    if not facts.initq_exists:
        if facts.initq_type:
            return named(f"not a local queue but a {facts.initq_type}", another)
        return named("the local queue does not exist", f"DEFINE QLOCAL({mqsc_name(initq)})")
    if facts.initq_is_transmission:
        remark = "an initiation queue must have USAGE(NORMAL)"
        # Without FORCE the command fails while the queue is open or holds messages.
        return Reason("USAGE", initq, "XMITQ", remark, _alter_initq(facts, "USAGE(NORMAL) FORCE"))
    for attribute, enabled in (("GET", facts.initq_get_enabled), ("PUT", facts.initq_put_enabled)):
        if not enabled:
            return Reason(
                attribute,
                initq,
                "DISABLED",
                "",
                _alter_initq(facts, f"{attribute}(ENABLED)"),
            )
    return named()


# C8


def a_monitor_has_the_initiation_queue_open(facts: TriggerFacts) -> bool:
    return facts.initq_input_handles > 0


def _monitor_reason(facts: TriggerFacts) -> Reason:
    """IPPROCS of the initiation queue. No MQSC command starts a monitor, but other commands do:
    a channel initiator for a transmission queue, otherwise a trigger monitor.
    """
    if not facts.initq:
        return Reason("INITQ", facts.queue, "", "no initiation queue for a monitor to open")
    can_be_opened = facts.initq_exists and not facts.initq_deleted
    command = "runmqchi" if facts.is_transmission else "mqsc trigger run"
    remedy = f"{command} -q {shlex.quote(facts.initq)}" if can_be_opened else ""
    remarks = []
    if facts.initq_shared and not facts.initq_input_handles:
        remarks.append(f"{facts.queue_manager} itself must have the shared queue open")
    if facts.is_transmission and not facts.initq_input_handles:
        remarks.append("channels need a channel initiator: `mqsc serve`, or `runmqchi`")
    remark = "; ".join(remarks)
    return Reason("IPPROCS", facts.initq, str(facts.initq_input_handles), remark, remedy)


# C9


def triggering_is_on(facts: TriggerFacts) -> bool:
    return bool(facts.trigger_on)


def _trigger_control_reason(facts: TriggerFacts) -> Reason:
    value = "TRIGGER" if facts.trigger_on else "NOTRIGGER"
    return Reason("TRIGGER", facts.queue, value, "", _alter(facts, "TRIGGER"))


# C10


def the_trigger_type_is_not_none(facts: TriggerFacts) -> bool:
    return facts.trigger_type != NONE


def _trigger_type_reason(facts: TriggerFacts) -> Reason:
    is_forced = facts.shared and facts.shared_input_elsewhere
    remark = (
        "in effect because another queue manager has the queue open for shared input"
        if is_forced
        else ""
    )
    remedy = _alter(facts, "TRIGTYPE(FIRST)")
    return Reason("TRIGTYPE", facts.queue, TYPE_NAMES[facts.trigger_type], remark, remedy)


# C11


def it_is_time_to_trigger_again(facts: TriggerFacts) -> bool:
    """Messages remained. FIRST also waits until TRIGINT has passed since its last trigger
    message; DEPTH does not.
    """
    if facts.trigger_type == DEPTH:
        return facts.messages >= facts.trigger_depth
    return facts.trigger_type == FIRST and facts.messages > 0 and the_interval_has_passed(facts)


def the_interval_has_passed(facts: TriggerFacts) -> bool:
    """Whether TRIGINT has passed since the last trigger message; it counts as passed after a
    restart.
    """
    if facts.last_trigger is None:
        return True
    return (
        max(0, facts.now - facts.last_trigger)
        >= facts.trigger_interval * MICROSECONDS_PER_MILLISECOND
    )


def _trigger_again_reason(facts: TriggerFacts) -> Reason:
    if facts.trigger_type == DEPTH:
        return Reason(
            "TRIGDPTH",
            facts.queue,
            str(facts.trigger_depth),
            f"{_at_least(facts)} before the put",
        )
    if facts.trigger_type != FIRST or not facts.messages:
        is_first = facts.trigger_type == FIRST
        remark = (
            "no messages remained on the queue"
            if is_first
            else "only FIRST and DEPTH trigger again"
        )
        return Reason("TRIGTYPE", facts.queue, TYPE_NAMES[facts.trigger_type], remark)
    remark, remedy = _interval_words(facts)
    return Reason(
        "TRIGINT",
        facts.queue_manager or "QMGR",
        str(facts.trigger_interval),
        remark,
        remedy,
    )


def _interval_words(facts: TriggerFacts) -> tuple[str, str]:
    """What is said about TRIGINT, and the command that shortens it. The remedy without side
    effects is to get the messages: TRIGINT is the queue manager's.
    """
    if facts.last_trigger is None:
        return "no trigger message since the queue manager started", ""
    elapsed = max(0, facts.now - facts.last_trigger) // MICROSECONDS_PER_MILLISECOND
    remark = f"{elapsed} ms since the last trigger message"
    if the_interval_has_passed(facts):
        return remark, ""
    remark += "; get the messages, and the next put need not wait"
    if facts.trigger_interval <= SHORTER_INTERVAL:
        return remark, ""
    return f"{remark}; TRIGINT is for every queue", f"ALTER QMGR TRIGINT({SHORTER_INTERVAL})"


# C12


def the_last_program_closed_and_left_enough(facts: TriggerFacts) -> bool:
    """For FIRST and DEPTH: no program has the queue open for input any more."""
    return (
        facts.trigger_type in FIRST_OR_DEPTH
        and not facts.input_handles
        and the_queue_has_enough_messages(facts)
    )


def _left_by_close_reason(facts: TriggerFacts) -> Reason:
    """The first obstacle among trigger type, input handles and number of messages."""
    if facts.trigger_type not in FIRST_OR_DEPTH:
        type_name = TYPE_NAMES[facts.trigger_type]
        would_help = facts.messages and not facts.input_handles
        remedy = _alter(facts, "TRIGTYPE(FIRST)") if would_help else ""
        return Reason(
            "TRIGTYPE",
            facts.queue,
            type_name,
            "a close triggers only for FIRST and DEPTH",
            remedy,
        )
    if facts.input_handles:
        remark = "another program has the queue open for input"
        return Reason("IPPROCS", facts.queue, str(facts.input_handles), remark)
    return _enough_reason(facts)


# C13


def the_queue_has_enough_messages(facts: TriggerFacts) -> bool:
    """1 for FIRST and EVERY, TRIGDPTH for DEPTH."""
    return facts.messages >= (facts.trigger_depth if facts.trigger_type == DEPTH else 1)


def _enough_reason(facts: TriggerFacts) -> Reason:
    remark = f"{_at_least(facts)} on the queue"
    if facts.trigger_type == DEPTH:
        remedy = "" if not facts.messages else _alter(facts, f"TRIGDPTH({facts.messages})")
        return Reason("TRIGDPTH", facts.queue, str(facts.trigger_depth), remark, remedy)
    return Reason("TRIGTYPE", facts.queue, TYPE_NAMES[facts.trigger_type], remark)


def _at_least(facts: TriggerFacts) -> str:
    """The count; counting may have stopped when there were enough."""
    at_least = "at least " if facts.messages and the_queue_has_enough_messages(facts) else ""
    return f"{at_least}{_suitable(facts.messages)}"


def no_other_monitor_has_the_initiation_queue_open(facts: TriggerFacts) -> bool:
    """The second part of C13, checked when a monitor opens the initiation queue."""
    return facts.initq_input_handles <= 1


def _other_monitor_reason(facts: TriggerFacts) -> Reason:
    remark = "another monitor has the queue open for input" if facts.initq_input_handles > 1 else ""
    return Reason("IPPROCS", facts.initq, str(facts.initq_input_handles), remark)


# C14


def fifo_messages_have_sufficient_priority(facts: TriggerFacts) -> bool:
    """With MSGDLVSQ(FIFO) every message has DEFPRTY as its effective priority; it must reach
    TRIGMPRI.
    """
    return not facts.fifo or facts.default_priority >= facts.trigger_priority


def _delivery_sequence_reason(facts: TriggerFacts) -> Reason:
    if not facts.fifo:
        return Reason("MSGDLVSQ", facts.queue, "PRIORITY")
    remark = (
        f"messages have effective priority DEFPRTY({facts.default_priority}), TRIGMPRI is "
        f"{facts.trigger_priority}"
    )
    return Reason("MSGDLVSQ", facts.queue, "FIFO", remark, _alter(facts, "MSGDLVSQ(PRIORITY)"))


class Condition(NamedTuple):
    """A numbered statement about the facts, and the reason for its answer."""

    number: int
    holds: Callable[[TriggerFacts], bool]
    reason: Callable[[TriggerFacts], Reason]

    @property
    def name(self) -> str:
        """The statement in words."""
        return self.holds.__name__.replace("_", " ")


CONDITIONS = {
    condition.number: condition
    for condition in (
        Condition(1, a_message_is_put, _put_reason),
        Condition(2, the_message_has_sufficient_priority, _priority_reason),
        Condition(3, the_queue_had_the_required_number_of_messages, _count_before_put_reason),
        Condition(4, nobody_has_the_queue_open_for_input, _open_for_input_reason),
        Condition(5, gets_are_enabled, _gets_reason),
        Condition(6, the_process_exists, _process_reason),
        Condition(7, the_initiation_queue_is_usable, _initiation_queue_reason),
        Condition(8, a_monitor_has_the_initiation_queue_open, _monitor_reason),
        Condition(9, triggering_is_on, _trigger_control_reason),
        Condition(10, the_trigger_type_is_not_none, _trigger_type_reason),
        Condition(11, it_is_time_to_trigger_again, _trigger_again_reason),
        Condition(12, the_last_program_closed_and_left_enough, _left_by_close_reason),
        Condition(13, the_queue_has_enough_messages, _enough_reason),
        Condition(14, fifo_messages_have_sufficient_priority, _delivery_sequence_reason),
    )
}
# The part of C13 that only applies when a monitor opens the initiation queue.
NO_OTHER_MONITOR = Condition(
    13,
    no_other_monitor_has_the_initiation_queue_open,
    _other_monitor_reason,
)


class ConditionResult(NamedTuple):
    """A condition's answer: it checked `attribute(value) on object_name`; `remedy` is a command
    that would help.

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


def check(condition: Condition, facts: TriggerFacts) -> ConditionResult:
    met, reason = condition.holds(facts), condition.reason(facts)
    remedy = "" if met else reason.remedy
    return ConditionResult(condition.number, condition.name, met, reason.text, *reason[:3], remedy)
