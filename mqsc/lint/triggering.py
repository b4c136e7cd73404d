"""Advice on triggering: queues that never trigger, or only once."""

from __future__ import annotations

from collections.abc import Iterator

from mqsc.lint.rule import Rule
from mqsc.lint.scripts import Defined, Scripts
from mqsc.lint.statement import Hit

QUEUES = frozenset({"QLOCAL", "QMODEL"})
_READY = "DEFINE PROCESS(P)\n"
_TRIGGERED = "DEFINE QLOCAL(A) TRIGGER PROCESS(P) INITQ(SYSTEM.DEFAULT.INITIATION.QUEUE)"


def triggers(queue: Defined) -> bool:
    """Whether triggering is switched on for a queue that these scripts define."""
    return queue.known and queue.kind.keyword in QUEUES and queue.get("TRIGGER") == "TRIGGER"


def without_initiation_queue(queue: Defined, scripts: Scripts) -> Iterator[Hit]:
    """Condition C7: the initiation queue must be named."""
    if triggers(queue) and not queue.get("INITQ"):
        right = f"INITQ({'SYSTEM.CHANNEL.INITQ' if _is_transmission(queue) else 'SYSTEM.DEFAULT.INITIATION.QUEUE'})"
        yield Hit(queue.at("TRIGGER"), f"{queue.name} has TRIGGER but no INITQ: nothing is ever triggered", right)


def without_process(queue: Defined, scripts: Scripts) -> Iterator[Hit]:
    """Condition C6: a process must be named, except for a transmission queue."""
    if triggers(queue) and not queue.get("PROCESS") and not _is_transmission(queue):
        message = f"{queue.name} has TRIGGER but no PROCESS: nothing is ever triggered"
        yield Hit(queue.at("TRIGGER"), message, "PROCESS(name), or USAGE(XMITQ) if it feeds a channel")


def depth_only_once(queue: Defined, scripts: Scripts) -> Iterator[Hit]:
    """Rows P9 and P10: a trigger of TRIGTYPE(DEPTH) switches TRIGGER off."""
    if triggers(queue) and queue.get("TRIGTYPE") == "DEPTH" and not queue.switched_on_again:
        message = f"the first trigger switches TRIGGER of {queue.name} off, and nothing here switches it on again"
        yield Hit(queue.at("TRIGTYPE"), message, "the program sets it with MQSET, or ALTER QLOCAL TRIGGER later")


def depth_never_reached(queue: Defined, scripts: Scripts) -> Iterator[Hit]:
    """A full queue takes no more messages."""
    depth, most = queue.get("TRIGDPTH"), queue.get("MAXDEPTH")
    if not (triggers(queue) and queue.get("TRIGTYPE") == "DEPTH"):
        return
    if isinstance(depth, int) and isinstance(most, int) and depth > most:
        message = f"{queue.name} is full at {most} messages and never has the {depth} that trigger"
        yield Hit(queue.at("TRIGDPTH"), message, f"TRIGDPTH of at most {most}")


def type_none(queue: Defined, scripts: Scripts) -> Iterator[Hit]:
    """Condition C10."""
    if triggers(queue) and queue.get("TRIGTYPE") == "NONE":
        message = f"TRIGTYPE(NONE) keeps {queue.name} from triggering, whatever TRIGGER says"
        yield Hit(queue.at("TRIGTYPE"), message, "NOTRIGGER, or TRIGTYPE(FIRST)")


def left_switched_off(queue: Defined, scripts: Scripts) -> Iterator[Hit]:
    """Condition C9: TRIGGER is off unless it is said; NOTRIGGER says that it is meant."""
    is_left = queue.kind.keyword in QUEUES and "TRIGGER" not in queue.said and not triggers(queue)
    if is_left and queue.known and _is_prepared(queue):
        message = f"{queue.name} has all that triggering needs, but TRIGGER is not said"
        yield Hit(queue.at("INITQ"), message, "TRIGGER, or NOTRIGGER if it is switched on later")


def interval_left(scripts: Scripts) -> Iterator[Hit]:
    """Row P5: without an interval, messages that wait are never triggered for again."""
    if scripts.qmgr is not None and "TRIGINT" in scripts.qmgr.said:
        return
    for queue in scripts.of("QLOCAL"):
        if triggers(queue) and queue.get("TRIGTYPE") == "FIRST" and queue.get("INITQ") and queue.get("PROCESS"):
            message = (
                f"{queue.name} triggers on its first message only: should the program end early, messages that are "
                "left wait, for TRIGINT is 999999999 (11 days)"
            )
            yield Hit(queue.at("TRIGGER"), message, "ALTER QMGR TRIGINT(60000), say")
            return


def _is_transmission(queue: Defined) -> bool:
    return queue.get("USAGE") == "XMITQ"


def _is_prepared(queue: Defined) -> bool:
    return bool(queue.get("INITQ")) and (bool(queue.get("PROCESS")) or _is_transmission(queue))


RULES = (
    Rule(
        "MQSC-C01",
        "warning",
        "TRIGGER without INITQ",
        "A trigger message goes to the initiation queue; where none is named, none is made and nobody is told.",
        "DEFINE QLOCAL(A) TRIGGER PROCESS(P)\n" + _READY,
        "ALTER QMGR TRIGINT(60000)\n" + _TRIGGERED + "\n" + _READY,
        of_object=without_initiation_queue,
    ),
    Rule(
        "MQSC-C02",
        "warning",
        "TRIGGER without PROCESS",
        "The process definition says what a trigger monitor starts. Only a transmission queue does without: its "
        "channel is found by name.",
        "DEFINE QLOCAL(A) TRIGGER INITQ(SYSTEM.DEFAULT.INITIATION.QUEUE)\n",
        "DEFINE QLOCAL(A) TRIGGER USAGE(XMITQ) INITQ(SYSTEM.CHANNEL.INITQ)\n",
        of_object=without_process,
    ),
    Rule(
        "MQSC-C03",
        "note",
        "TRIGTYPE(DEPTH) that nobody switches on again",
        "Triggering by depth switches itself off with the trigger message, so that one program is started and not "
        "many. Someone has to switch it on again, or it was the only time.",
        _TRIGGERED + " TRIGTYPE(DEPTH) TRIGDPTH(100)\n" + _READY,
        _TRIGGERED + " TRIGTYPE(DEPTH) TRIGDPTH(100)\n" + _READY + "ALTER QLOCAL(A) TRIGGER\n",
        of_object=depth_only_once,
    ),
    Rule(
        "MQSC-C04",
        "warning",
        "TRIGDPTH beyond MAXDEPTH",
        "The queue is full before it has as many messages as a trigger needs; puts fail with MQRC_Q_FULL.",
        _TRIGGERED + " TRIGTYPE(DEPTH) TRIGDPTH(9000)\n" + _READY,
        _TRIGGERED + " TRIGTYPE(DEPTH) TRIGDPTH(9000) MAXDEPTH(10000)\n" + _READY,
        of_object=depth_never_reached,
    ),
    Rule(
        "MQSC-C05",
        "warning",
        "TRIGGER with TRIGTYPE(NONE)",
        "TRIGTYPE(NONE) means no trigger messages at all; the two contradict each other.",
        _TRIGGERED + " TRIGTYPE(NONE)\n" + _READY,
        _TRIGGERED + " TRIGTYPE(EVERY)\n" + _READY,
        of_object=type_none,
    ),
    Rule(
        "MQSC-C06",
        "note",
        "Prepared for triggering, TRIGGER forgotten",
        "INITQ and PROCESS do nothing as long as TRIGGER is off, which it is unless a command says otherwise.",
        "DEFINE QLOCAL(A) PROCESS(P) INITQ(SYSTEM.DEFAULT.INITIATION.QUEUE)\n" + _READY,
        "DEFINE QLOCAL(A) PROCESS(P) INITQ(SYSTEM.DEFAULT.INITIATION.QUEUE) NOTRIGGER\n" + _READY,
        of_object=left_switched_off,
    ),
    Rule(
        "MQSC-C07",
        "note",
        "TRIGINT left at 999999999",
        "TRIGTYPE(FIRST) triggers when the queue stops being empty. A program that ends with messages left is started "
        "again only by a message that comes later than TRIGINT milliseconds after the last trigger.",
        _TRIGGERED + "\n" + _READY,
        "ALTER QMGR TRIGINT(60000)\n" + _TRIGGERED + "\n" + _READY,
        of_scripts=interval_left,
    ),
)
