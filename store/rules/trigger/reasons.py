"""Why a trigger condition holds or does not: what it read, the value it saw, the command that would change it.

`mqsc trigger explain`, the history and the tests share these texts.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from typing import NamedTuple

from store.rules.trigger.conditions import enough_messages_are_there
from store.rules.trigger.facts import DEPTH, EVERY, FIRST, SERVER_TYPES, TYPE_NAMES, TriggerFacts


class Reason(NamedTuple):
    """What a condition read: attribute, object and value, what else there is to say, and the command that helps.

    Without an attribute the value is the whole sentence. The command is MQSC, or one of `mqsc` where MQSC has none;
    blank when none helps.
    """

    attribute: str
    object_name: str
    value: str
    more: str = ""
    remedy: str = ""

    @property
    def text(self) -> str:
        """All but the command, such as `IPPROCS(0) on INIT`."""
        if not self.attribute:
            seen = self.value
        elif self.attribute == "TRIGGER":
            seen = f"{self.value} on {self.object_name}"
        else:
            seen = f"{self.attribute}({self.value or ' '}) on {self.object_name}"
        return f"{seen}: {self.more}" if self.more else seen


_PLAIN_NAME = re.compile(r"[A-Z0-9._/%]+\Z")


def as_written(name: str) -> str:
    """A name as MQSC text has it: quoted when it would be folded or cut otherwise."""
    return name if _PLAIN_NAME.match(name) else "'" + name.replace("'", "''") + "'"


def _alter(queue: str, change: str) -> str:
    return f"ALTER QLOCAL({as_written(queue)}) {change}"


def _counted(number: int) -> str:
    return "1 suitable message" if number == 1 else f"{number} suitable messages"


def message_put(facts: TriggerFacts) -> Reason:
    """C1: the put itself."""
    return Reason("", facts.queue, "no message is put" if facts.priority is None else f"a message on {facts.queue}")


def priority(facts: TriggerFacts) -> Reason:
    """C2: TRIGMPRI against the effective priority."""
    priority = facts.priority if facts.priority is not None else 0
    return Reason(
        "TRIGMPRI",
        facts.queue,
        str(facts.trigger_priority),
        f"the message counts with priority {priority}",
        _alter(facts.queue, f"TRIGMPRI({priority})"),
    )


# EVERY does not ask how many there are, so nobody has counted them.
_BEFORE: dict[int, Callable[[TriggerFacts], str]] = {
    FIRST: lambda facts: f"{_counted(facts.messages)} before the put, none is right",
    EVERY: lambda facts: "any number of messages before the put is right",
    DEPTH: lambda facts: f"{_counted(facts.messages)} before the put, {facts.trigger_depth - 1} is right",
}


def number_before(facts: TriggerFacts) -> Reason:
    """C3: TRIGTYPE or TRIGDPTH against the count before the put."""
    wanted = _BEFORE.get(facts.trigger_type)
    more = wanted(facts) if wanted else "no number of messages before the put is right"
    if facts.trigger_type == DEPTH:
        remedy = _alter(facts.queue, f"TRIGDPTH({facts.messages + 1})")
        return Reason("TRIGDPTH", facts.queue, str(facts.trigger_depth), more, remedy)
    return Reason("TRIGTYPE", facts.queue, TYPE_NAMES[facts.trigger_type], more)


def servers(facts: TriggerFacts) -> Reason:
    """C4: IPPROCS of the queue."""
    if facts.shared and facts.exclusive_in_group:
        return Reason("", facts.queue, f"{facts.queue} is open exclusively in the queue-sharing group")
    more = "" if facts.trigger_type in SERVER_TYPES else "only FIRST and DEPTH ask for it"
    if facts.input_handles and not more:
        more = "a program has it open for input"
    return Reason("IPPROCS", facts.queue, str(facts.input_handles), more)


def gets(facts: TriggerFacts) -> Reason:
    """C5: GET of the queue."""
    return Reason("GET", facts.queue, _enabled(facts.get_enabled), "", _alter(facts.queue, "GET(ENABLED)"))


def process(facts: TriggerFacts) -> Reason:
    """C6: PROCESS, and whether it exists or is not needed."""
    if facts.process:
        more = "" if facts.process_exists else "there is no such process"
        return Reason("PROCESS", facts.queue, facts.process, more, f"DEFINE PROCESS({as_written(facts.process)})")
    usage = "USAGE(XMITQ) needs none" if facts.is_transmission else "only USAGE(XMITQ) does without"
    return Reason("PROCESS", facts.queue, "", usage, _alter(facts.queue, "PROCESS(SYSTEM.DEFAULT.PROCESS)"))


def initiation_queue(facts: TriggerFacts) -> Reason:
    """C7: the first thing that makes INITQ unusable, or INITQ."""
    initq = facts.initq
    if not initq:
        remedy = _alter(facts.queue, "INITQ(SYSTEM.DEFAULT.INITIATION.QUEUE)")
        return Reason("INITQ", facts.queue, "", "none is named", remedy)
    if not facts.initq_exists or facts.initq_deleted:
        more = "it is deleted and still open" if facts.initq_deleted else "there is no such local queue"
        return Reason("INITQ", facts.queue, initq, more, f"DEFINE QLOCAL({as_written(initq)})")
    if facts.initq_is_transmission:
        return Reason("USAGE", initq, "XMITQ", "an initiation queue is NORMAL", _alter(initq, "USAGE(NORMAL)"))
    for attribute, enabled in (("GET", facts.initq_get_enabled), ("PUT", facts.initq_put_enabled)):
        if not enabled:
            return Reason(attribute, initq, "DISABLED", "", _alter(initq, f"{attribute}(ENABLED)"))
    return Reason("INITQ", facts.queue, initq)


def monitors(facts: TriggerFacts) -> Reason:
    """C8: IPPROCS of the initiation queue; a monitor is started by no MQSC command."""
    if not facts.initq:
        return Reason("INITQ", facts.queue, "", "no queue that a monitor could have open")
    remedy = f"mqsc trigger run -q {shlex.quote(facts.initq)}"
    return Reason("IPPROCS", facts.initq, str(facts.initq_input_handles), "", remedy)


def other_monitors(facts: TriggerFacts) -> Reason:
    """C13, where a monitor opens the initiation queue: IPPROCS with that monitor counted."""
    more = "others have it open for input" if facts.initq_input_handles > 1 else ""
    return Reason("IPPROCS", facts.initq, str(facts.initq_input_handles), more)


def control(facts: TriggerFacts) -> Reason:
    """C9: TRIGGER or NOTRIGGER."""
    word = "TRIGGER" if facts.trigger_on else "NOTRIGGER"
    return Reason("TRIGGER", facts.queue, word, "", _alter(facts.queue, "TRIGGER"))


def trigger_type(facts: TriggerFacts) -> Reason:
    """C10: TRIGTYPE, which a shared queue may have softened."""
    softened = facts.shared and facts.shared_input_elsewhere
    more = "another queue manager has the queue open for shared input" if softened else ""
    return Reason("TRIGTYPE", facts.queue, TYPE_NAMES[facts.trigger_type], more, _alter(facts.queue, "TRIGTYPE(FIRST)"))


def trigger_again(facts: TriggerFacts) -> Reason:
    """C11: TRIGDPTH, or TRIGINT against the time since the last trigger message."""
    if facts.trigger_type == DEPTH:
        return Reason("TRIGDPTH", facts.queue, str(facts.trigger_depth), f"{_at_least(facts)} before the put")
    if facts.trigger_type != FIRST or not facts.messages:
        more = "no message was left" if facts.trigger_type == FIRST else "only FIRST and DEPTH trigger again"
        return Reason("TRIGTYPE", facts.queue, TYPE_NAMES[facts.trigger_type], more)
    if facts.last_trigger is None:
        more, remedy = "no trigger message since the start", ""
    else:
        elapsed = max(0, facts.now - facts.last_trigger) // 1000
        more, remedy = f"{elapsed} ms since the last trigger message", f"ALTER QMGR TRIGINT({elapsed})"
    return Reason("TRIGINT", facts.queue_manager or "QMGR", str(facts.trigger_interval), more, remedy)


def left_behind(facts: TriggerFacts) -> Reason:
    """C12: the first of type, input handles and count that is in the way."""
    if facts.trigger_type not in SERVER_TYPES:
        type_name = TYPE_NAMES[facts.trigger_type]
        remedy = _alter(facts.queue, "TRIGTYPE(FIRST)")
        return Reason("TRIGTYPE", facts.queue, type_name, "a close triggers for FIRST and DEPTH", remedy)
    if facts.input_handles:
        return Reason("IPPROCS", facts.queue, str(facts.input_handles), "another program has it open for input")
    return enough(facts)


def enough(facts: TriggerFacts) -> Reason:
    """C13: TRIGTYPE or TRIGDPTH against the count."""
    if facts.trigger_type == DEPTH:
        remedy = "" if not facts.messages else _alter(facts.queue, f"TRIGDPTH({facts.messages})")
        return Reason("TRIGDPTH", facts.queue, str(facts.trigger_depth), f"{_at_least(facts)} on the queue", remedy)
    return Reason("TRIGTYPE", facts.queue, TYPE_NAMES[facts.trigger_type], f"{_at_least(facts)} on the queue")


def _at_least(facts: TriggerFacts) -> str:
    """A count that is enough may have been cut there."""
    at_least = "at least " if facts.messages and enough_messages_are_there(facts) else ""
    return f"{at_least}{_counted(facts.messages)}"


def delivery_sequence(facts: TriggerFacts) -> Reason:
    """C14: MSGDLVSQ, and DEFPRTY where it is FIFO."""
    if not facts.fifo:
        return Reason("MSGDLVSQ", facts.queue, "PRIORITY")
    more = f"messages count with DEFPRTY({facts.default_priority}), TRIGMPRI is {facts.trigger_priority}"
    return Reason("MSGDLVSQ", facts.queue, "FIFO", more, _alter(facts.queue, "MSGDLVSQ(PRIORITY)"))


def _enabled(enabled: bool) -> str:
    return "ENABLED" if enabled else "DISABLED"
