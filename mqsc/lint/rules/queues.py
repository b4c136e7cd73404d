"""Lint rules on queues."""

from collections.abc import Iterator

from mqsc.diagnostic import Violation
from mqsc.lint.lint_rule import lint_rule
from mqsc.lint.rules.triggering import QUEUES
from mqsc.lint.script_command import ScriptCommand
from mqsc.lint.scripts import DefinedObject, Scripts, is_shipped
from mqsc.store.catalog import QUEUES as QUEUE_KINDS

DEPTH_EVENTS = ("QDPHIEV", "QDPLOEV", "QSVCIEV")
DEFAULT_OBJECTS = frozenset(kind.default_object for kind in QUEUE_KINDS)


@lint_rule("MQSC-C28", "warning", "object", "MAXDEPTH(0)")
def no_room(queue: DefinedObject, scripts: Scripts) -> Iterator[Violation]:
    """The queue is always full. PUT(DISABLED) has the same effect with a clearer reason,
    MQRC_PUT_INHIBITED.

    Bad:
        DEFINE QLOCAL(A) MAXDEPTH(0)

    Good:
        DEFINE QLOCAL(A) PUT(DISABLED)
    """
    # objects, QLOCAL.
    # IBM ships queues with MAXDEPTH(0), such as SYSTEM.FTE.AUTHADM1, whose authorities only are
    # used.
    if queue.get("MAXDEPTH") == 0 and not is_shipped(queue.name):
        message = f"{queue.name} is always full: every put fails with MQRC_Q_FULL"
        yield Violation(
            queue.location_of("MAXDEPTH"),
            message,
            "PUT(DISABLED) to reject all messages",
        )


@lint_rule("MQSC-C29", "warning", "object", "MAXMSGL above that of the queue manager")
def longer_than_the_queue_manager(queue: DefinedObject, scripts: Scripts) -> Iterator[Violation]:
    """A message must fit within MAXMSGL of both the queue and the queue manager, which is 4 MB by
    default. Reported only when the same files alter the queue manager.

    Bad:
        ALTER QMGR DEADQ(SYSTEM.DEAD.LETTER.QUEUE)
        DEFINE QLOCAL(A) MAXMSGL(104857600)

    Good:
        ALTER QMGR MAXMSGL(104857600)
        DEFINE QLOCAL(A) MAXMSGL(104857600)
    """
    # MQRC 2031.
    if scripts.qmgr is None or not (
        queue.known and queue.kind.keyword in QUEUES and "MAXMSGL" in queue.attributes
    ):
        return
    length, most = queue.get("MAXMSGL"), scripts.qmgr.get("MAXMSGL")
    if isinstance(length, int) and isinstance(most, int) and length > most:
        message = f"{queue.name} allows {length} bytes, but the queue manager only {most}"
        yield Violation(queue.location_of("MAXMSGL"), message, f"ALTER QMGR MAXMSGL({length})")


@lint_rule("MQSC-C30", "warning", "object", "QDEPTHLO not below QDEPTHHI")
def low_above_high(queue: DefinedObject, scripts: Scripts) -> Iterator[Violation]:
    """The depth is high and low at the same time, which makes both events useless.

    Bad:
        DEFINE QLOCAL(A) QDEPTHHI(10)

    Good:
        DEFINE QLOCAL(A) QDEPTHHI(10) QDEPTHLO(5)
    """
    low, high = queue.get("QDEPTHLO"), queue.get("QDEPTHHI")
    if queue.known and isinstance(low, int) and isinstance(high, int) and low >= high:
        message = f"QDEPTHLO({low}) of {queue.name} is not below QDEPTHHI({high})"
        location = queue.location_of("QDEPTHLO" if "QDEPTHLO" in queue.attributes else "QDEPTHHI")
        yield Violation(location, message, "QDEPTHLO below QDEPTHHI")


@lint_rule("MQSC-C31", "note", "scripts", "Queue events while PERFMEV is disabled")
def events_without_monitoring(scripts: Scripts) -> Iterator[Violation]:
    """Depth and service interval events are performance events, which need PERFMEV(ENABLED) on the
    queue manager. Reported only when the same files alter the queue manager.

    Bad:
        ALTER QMGR DEADQ(SYSTEM.DEAD.LETTER.QUEUE)
        DEFINE QLOCAL(A) QDPHIEV(ENABLED)

    Good:
        ALTER QMGR PERFMEV(ENABLED)
        DEFINE QLOCAL(A) QDPHIEV(ENABLED)
    """
    # Reported once, with the number of further queues.
    if scripts.qmgr is None or scripts.qmgr.get("PERFMEV") == "ENABLED":
        return
    enabled = [(queue, word) for queue in scripts.objects.values() for word in _events_of(queue)]
    if enabled:
        queue, word = enabled[0]
        others = f" ({len(enabled) - 1} more queues)" if len(enabled) > 1 else ""
        message = (
            f"{word} of {queue.name}{others} causes no events while PERFMEV of the queue manager "
            "is DISABLED"
        )
        yield Violation(queue.location_of(word), message, "ALTER QMGR PERFMEV(ENABLED)")


def _events_of(queue: DefinedObject) -> list[str]:
    """The first attribute of a queue that asks for performance events; none for other objects."""
    if not queue.known or queue.kind.keyword not in QUEUES:
        return []
    return [
        depth_event
        for depth_event in DEPTH_EVENTS
        if queue.get(depth_event) not in (None, "DISABLED", "NONE")
    ][:1]


@lint_rule("MQSC-C32", "note", "object", "Service interval of 11 days")
def service_without_interval(queue: DefinedObject, scripts: Scripts) -> Iterator[Violation]:
    """QSVCIEV reports whether a get follows a put within QSVCINT milliseconds. With the default of
    999999999 it nearly always does.

    Bad:
        DEFINE QLOCAL(A) QSVCIEV(HIGH)

    Good:
        DEFINE QLOCAL(A) QSVCIEV(HIGH) QSVCINT(60000)
    """
    if (
        queue.known
        and queue.get("QSVCIEV") in ("HIGH", "OK")
        and queue.get("QSVCINT") == 999_999_999
    ):
        message = f"QSVCIEV of {queue.name} compares with QSVCINT(999999999), which is 11 days"
        yield Violation(queue.location_of("QSVCIEV"), message, "QSVCINT(milliseconds)")


@lint_rule("MQSC-C33", "note", "command", "Default queue changed")
def default_changed(command: ScriptCommand, scripts: Scripts) -> Iterator[Violation]:
    """A change to a SYSTEM.DEFAULT queue affects every queue of that type that is defined later, by
    anyone.

    Bad:
        ALTER QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE) MAXDEPTH(100000)

    Good:
        DEFINE QLOCAL(OURS) MAXDEPTH(100000)
        DEFINE QLOCAL(A) LIKE(OURS)
    """
    # Common rules of DEFINE.
    is_queue = command.kind is not None and command.kind.namespace == "queue"
    if (
        is_queue
        and command.verb == "ALTER"
        and command.name in DEFAULT_OBJECTS
        and command.attributes
    ):
        message = f"every later DEFINE without LIKE copies the changed {command.name}"
        yield Violation(command.location_of(), message, "LIKE with an object of your own")


@lint_rule("MQSC-C34", "warning", "object", "Remote queue without a queue manager")
def remote_to_nowhere(queue: DefinedObject, scripts: Scripts) -> Iterator[Violation]:
    """A remote queue needs RQMNAME, the queue manager of the queue, or XMITQ, the way to it.
    Without both, opening it fails with MQRC_UNKNOWN_REMOTE_Q_MGR.

    Bad:
        DEFINE QREMOTE(R) RNAME(A)

    Good:
        DEFINE QREMOTE(R) RNAME(A) RQMNAME(QM2)
    """
    # The default object, which no program opens, has no queue manager either.
    remote = queue.kind.keyword == "QREMOTE" and queue.known and not is_shipped(queue.name)
    if remote and not any(queue.get(word) for word in ("RQMNAME", "XMITQ")):
        message = f"{queue.name} has neither RQMNAME nor XMITQ"
        yield Violation(queue.location_of("RNAME"), message, "RQMNAME(the queue manager of RNAME)")
