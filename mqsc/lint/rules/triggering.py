"""Lint rules on triggering: queues that never trigger, or only once."""

from collections.abc import Iterator

from mqsc.diagnostic import Violation
from mqsc.lint.lint_rule import lint_rule
from mqsc.lint.scripts import DefinedObject, Scripts, is_shipped

QUEUES = frozenset({"QLOCAL", "QMODEL"})


def has_trigger(queue: DefinedObject) -> bool:
    """Whether TRIGGER is on for a queue that these scripts define."""
    return queue.known and queue.kind.keyword in QUEUES and queue.get("TRIGGER") == "TRIGGER"


@lint_rule("MQSC-C01", "warning", "object", "TRIGGER without INITQ")
def without_initiation_queue(queue: DefinedObject, scripts: Scripts) -> Iterator[Violation]:
    """The trigger message is put on the initiation queue. Without INITQ there is no trigger
    message, and no error either.

    Bad:
        DEFINE QLOCAL(A) TRIGGER PROCESS(P)
        DEFINE PROCESS(P)

    Good:
        ALTER QMGR TRIGINT(60000)
        DEFINE QLOCAL(A) TRIGGER PROCESS(P) INITQ(SYSTEM.DEFAULT.INITIATION.QUEUE)
        DEFINE PROCESS(P)
    """
    # See triggering C7.
    if has_trigger(queue) and not queue.get("INITQ"):
        initq = (
            "SYSTEM.CHANNEL.INITQ"
            if _is_transmission_queue(queue)
            else "SYSTEM.DEFAULT.INITIATION.QUEUE"
        )
        message = f"{queue.name} has TRIGGER but no INITQ, so it never triggers"
        yield Violation(queue.location_of("TRIGGER"), message, f"INITQ({initq})")


@lint_rule("MQSC-C02", "warning", "object", "TRIGGER without PROCESS")
def without_process(queue: DefinedObject, scripts: Scripts) -> Iterator[Violation]:
    """The process definition tells the trigger monitor which program to start. Only a transmission
    queue needs none: its channel is found by name.

    Bad:
        DEFINE QLOCAL(A) TRIGGER INITQ(SYSTEM.DEFAULT.INITIATION.QUEUE)

    Good:
        DEFINE QLOCAL(A) TRIGGER USAGE(XMITQ) INITQ(SYSTEM.CHANNEL.INITQ)
    """
    # See triggering C6.
    if has_trigger(queue) and not queue.get("PROCESS") and not _is_transmission_queue(queue):
        message = f"{queue.name} has TRIGGER but no PROCESS, so it never triggers"
        yield Violation(
            queue.location_of("TRIGGER"),
            message,
            "PROCESS(name), or USAGE(XMITQ) if it feeds a channel",
        )


@lint_rule("MQSC-C03", "note", "object", "TRIGTYPE(DEPTH) that triggers only once")
def depth_only_once(queue: DefinedObject, scripts: Scripts) -> Iterator[Violation]:
    """A trigger by depth switches TRIGGER off, so that only one program is started. TRIGGER must be
    switched on again before the queue can trigger a second time.

    Bad:
        DEFINE QLOCAL(A) TRIGGER PROCESS(P) INITQ(SYSTEM.DEFAULT.INITIATION.QUEUE) TRIGTYPE(DEPTH) TRIGDPTH(100)
        DEFINE PROCESS(P)

    Good:
        DEFINE QLOCAL(A) TRIGGER PROCESS(P) INITQ(SYSTEM.DEFAULT.INITIATION.QUEUE) TRIGTYPE(DEPTH) TRIGDPTH(100)
        DEFINE PROCESS(P)
        ALTER QLOCAL(A) TRIGGER
    """
    # See triggering P9 and P10.
    if has_trigger(queue) and queue.get("TRIGTYPE") == "DEPTH" and not queue.switched_on_again:
        message = (
            f"the first trigger switches TRIGGER of {queue.name} off, and these files never switch "
            "it on again"
        )
        suggestion = "ALTER QLOCAL TRIGGER later, or MQSET in the program"
        yield Violation(queue.location_of("TRIGTYPE"), message, suggestion)


@lint_rule("MQSC-C04", "warning", "object", "TRIGDPTH above MAXDEPTH")
def depth_never_reached(queue: DefinedObject, scripts: Scripts) -> Iterator[Violation]:
    """The queue is full before it has enough messages to trigger, and puts fail with MQRC_Q_FULL.

    Bad:
        DEFINE QLOCAL(A) TRIGGER PROCESS(P) INITQ(SYSTEM.DEFAULT.INITIATION.QUEUE) TRIGTYPE(DEPTH) TRIGDPTH(9000)
        DEFINE PROCESS(P)

    Good:
        DEFINE QLOCAL(A) TRIGGER PROCESS(P) INITQ(SYSTEM.DEFAULT.INITIATION.QUEUE) TRIGTYPE(DEPTH) TRIGDPTH(9000) MAXDEPTH(10000)
        DEFINE PROCESS(P)
    """  # noqa: E501
    depth, most = queue.get("TRIGDPTH"), queue.get("MAXDEPTH")
    if not (has_trigger(queue) and queue.get("TRIGTYPE") == "DEPTH"):
        return
    if isinstance(depth, int) and isinstance(most, int) and depth > most:
        message = f"{queue.name} is full at {most} messages, but needs {depth} to trigger"
        yield Violation(queue.location_of("TRIGDPTH"), message, f"TRIGDPTH of at most {most}")


@lint_rule("MQSC-C05", "warning", "object", "TRIGGER with TRIGTYPE(NONE)")
def type_none(queue: DefinedObject, scripts: Scripts) -> Iterator[Violation]:
    """TRIGTYPE(NONE) means no trigger messages, which contradicts TRIGGER.

    Bad:
        DEFINE QLOCAL(A) TRIGGER PROCESS(P) INITQ(SYSTEM.DEFAULT.INITIATION.QUEUE) TRIGTYPE(NONE)
        DEFINE PROCESS(P)

    Good:
        DEFINE QLOCAL(A) TRIGGER PROCESS(P) INITQ(SYSTEM.DEFAULT.INITIATION.QUEUE) TRIGTYPE(EVERY)
        DEFINE PROCESS(P)
    """
    # See triggering C10.
    if has_trigger(queue) and queue.get("TRIGTYPE") == "NONE":
        message = f"{queue.name} has TRIGGER but TRIGTYPE(NONE), so it never triggers"
        yield Violation(queue.location_of("TRIGTYPE"), message, "NOTRIGGER, or TRIGTYPE(FIRST)")


@lint_rule("MQSC-C06", "note", "object", "INITQ and PROCESS without TRIGGER")
def trigger_forgotten(queue: DefinedObject, scripts: Scripts) -> Iterator[Violation]:
    """INITQ and PROCESS have no effect while TRIGGER is off, which is the default.

    Bad:
        DEFINE QLOCAL(A) PROCESS(P) INITQ(SYSTEM.DEFAULT.INITIATION.QUEUE)
        DEFINE PROCESS(P)

    Good:
        DEFINE QLOCAL(A) PROCESS(P) INITQ(SYSTEM.DEFAULT.INITIATION.QUEUE) NOTRIGGER
        DEFINE PROCESS(P)
    """
    # See triggering C9. NOTRIGGER shows that it is intended.
    is_default = (
        queue.kind.keyword in QUEUES
        and "TRIGGER" not in queue.attributes
        and not has_trigger(queue)
    )
    if is_default and queue.known and _is_prepared(queue):
        message = f"{queue.name} has everything that triggering needs except TRIGGER"
        yield Violation(
            queue.location_of("INITQ"),
            message,
            "TRIGGER, or NOTRIGGER if it is switched on later",
        )


@lint_rule("MQSC-C07", "note", "scripts", "TRIGINT left at 999999999")
def interval_left(scripts: Scripts) -> Iterator[Violation]:
    """TRIGTYPE(FIRST) triggers when the queue stops being empty. If the program ends and leaves
    messages behind, only a message that arrives more than TRIGINT milliseconds after the last
    trigger starts it again.

    Bad:
        DEFINE QLOCAL(A) TRIGGER PROCESS(P) INITQ(SYSTEM.DEFAULT.INITIATION.QUEUE)
        DEFINE PROCESS(P)

    Good:
        ALTER QMGR TRIGINT(60000)
        DEFINE QLOCAL(A) TRIGGER PROCESS(P) INITQ(SYSTEM.DEFAULT.INITIATION.QUEUE)
        DEFINE PROCESS(P)
    """
    # See triggering P5.
    if scripts.qmgr is not None and "TRIGINT" in scripts.qmgr.attributes:
        return
    for queue in scripts.of_kind("QLOCAL"):
        if (
            has_trigger(queue)
            and queue.get("TRIGTYPE") == "FIRST"
            and queue.get("INITQ")
            and queue.get("PROCESS")
        ):
            message = (
                f"{queue.name} triggers only on its first message: if the program ends early, the "
                "remaining messages "
                "wait, because TRIGINT is 999999999 (11 days)"
            )
            yield Violation(
                queue.location_of("TRIGGER"),
                message,
                "for example ALTER QMGR TRIGINT(60000)",
            )
            return


@lint_rule(
    "MQSC-C42",
    "warning",
    "object",
    "TRIGTYPE(EVERY) of a shared queue with a private INITQ",
)
def every_in_each_member(queue: DefinedObject, scripts: Scripts) -> Iterator[Violation]:
    """Each member of a queue-sharing group decides by itself. With an initiation queue of its own,
    each makes a trigger message for every message, so that several programs start for one. With a
    shared initiation queue one member makes one.

    Bad:
        DEFINE CFSTRUCT(S)
        DEFINE QLOCAL(A) QSGDISP(SHARED) CFSTRUCT(S) TRIGGER TRIGTYPE(EVERY) PROCESS(P) INITQ(I)
        DEFINE QLOCAL(I)
        DEFINE PROCESS(P)

    Good:
        DEFINE CFSTRUCT(S)
        DEFINE QLOCAL(A) QSGDISP(SHARED) CFSTRUCT(S) TRIGGER TRIGTYPE(EVERY) PROCESS(P) INITQ(I)
        DEFINE QLOCAL(I) QSGDISP(SHARED) CFSTRUCT(S)
        DEFINE PROCESS(P)
    """
    # Sharing §7.
    if not (
        queue.disposition == "SHARED" and has_trigger(queue) and queue.get("TRIGTYPE") == "EVERY"
    ):
        return
    initq = str(queue.get("INITQ") or "")
    initiation_queue = scripts.find(queue.kind, initq)
    is_private = (
        is_shipped(initq)
        if initiation_queue is None
        else initiation_queue.known and initiation_queue.disposition != "SHARED"
    )
    if is_private:
        message = (
            f"every message on {queue.name} starts a program on each member of the group that has "
            f"{initq} open"
        )
        yield Violation(queue.location_of("TRIGTYPE"), message, "an INITQ with QSGDISP(SHARED)")


def _is_transmission_queue(queue: DefinedObject) -> bool:
    return queue.get("USAGE") == "XMITQ"


def _is_prepared(queue: DefinedObject) -> bool:
    return bool(queue.get("INITQ")) and (
        bool(queue.get("PROCESS")) or _is_transmission_queue(queue)
    )
