"""Lint rules on queues and backout queues."""

from collections.abc import Iterator

from mqsc.diagnostic import Violation
from mqsc.lint.rules.triggering import QUEUES
from mqsc.lint.script_command import ScriptCommand
from mqsc.lint.scripts import DefinedObject, Scripts, is_shipped, lint_rule
from mqsc.store.catalog import KINDS, QUEUES as QUEUE_KINDS

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


# Lint rules on backout queues.

_QUEUE = KINDS["QLOCAL"]


@lint_rule("MQSC-C08", "warning", "object", "BOTHRESH without BOQNAME")
def threshold_without_queue(queue: DefinedObject, scripts: Scripts) -> Iterator[Violation]:
    """A consumer moves a message that was backed out BOTHRESH times to BOQNAME. Without BOQNAME, it
    goes to the dead-letter queue (DEADQ of the queue manager). Without both, a persistent message
    stays, which stops the consumer, and a non-persistent one is discarded. Not reported when the
    same files set DEADQ.

    Bad:
        DEFINE QLOCAL(A) BOTHRESH(3)

    Good:
        DEFINE QLOCAL(A.BACKOUT)
        DEFINE QLOCAL(A) BOTHRESH(3) BOQNAME(A.BACKOUT)
    """
    # See backout J5 and J6.
    has_dead_letter_queue = scripts.qmgr is not None and bool(scripts.qmgr.get("DEADQ"))
    if _has_threshold(queue) and not queue.get("BOQNAME") and not has_dead_letter_queue:
        message = (
            f"{queue.name} has BOTHRESH({queue.get('BOTHRESH')}) but no BOQNAME for poison messages"
        )
        yield Violation(queue.location_of("BOTHRESH"), message, "BOQNAME(name)")


@lint_rule("MQSC-C09", "note", "object", "BOQNAME without BOTHRESH")
def queue_without_threshold(queue: DefinedObject, scripts: Scripts) -> Iterator[Violation]:
    """BOTHRESH(0), the default, means that no number of backouts is too many, so BOQNAME is never
    used.

    Bad:
        DEFINE QLOCAL(A.BACKOUT)
        DEFINE QLOCAL(A) BOQNAME(A.BACKOUT)

    Good:
        DEFINE QLOCAL(A.BACKOUT)
        DEFINE QLOCAL(A) BOQNAME(A.BACKOUT) BOTHRESH(3)
    """
    if queue.known and queue.get("BOQNAME") and queue.get("BOTHRESH") == 0:
        message = f"{queue.name} has BOQNAME but BOTHRESH(0): no message ever counts as poison"
        yield Violation(queue.location_of("BOQNAME"), message, "for example BOTHRESH(3)")


@lint_rule("MQSC-C10", "warning", "scripts", "Backout queues in a cycle")
def backout_cycle(scripts: Scripts) -> Iterator[Violation]:
    """A queue that is its own backout queue, directly or by way of other backout queues, would get
    its poison messages back in an endless loop. A consumer treats such a BOQNAME as a put that
    fails: the message goes to the dead-letter queue.

    Bad:
        DEFINE QLOCAL(A) BOTHRESH(3) BOQNAME(A)

    Good:
        DEFINE QLOCAL(A.BACKOUT)
        DEFINE QLOCAL(A) BOTHRESH(3) BOQNAME(A.BACKOUT)
    """
    # See poison B42. Reported once for each cycle, at the queue that is defined last.
    reported: set[str] = set()
    for queue in reversed(scripts.objects.values()):
        cycle = _cycle(queue, scripts)
        if cycle and not reported.intersection(cycle):
            reported.update(cycle)
            path = " to ".join([*cycle, queue.name])
            yield Violation(
                queue.location_of("BOQNAME"),
                f"poison messages are moved from {path}",
                "another queue",
            )


@lint_rule("MQSC-C41", "warning", "object", "Backout queue that refuses messages")
def refusing_backout_queue(queue: DefinedObject, scripts: Scripts) -> Iterator[Violation]:
    """A put to the backout queue fails if the queue is always full, has PUT(DISABLED), has a
    smaller MAXMSGL, or is an alias of a transmission queue. The message then goes to the
    dead-letter queue.

    Bad:
        DEFINE QLOCAL(A.BACKOUT) MAXMSGL(1000)
        DEFINE QLOCAL(A) BOTHRESH(3) BOQNAME(A.BACKOUT)

    Good:
        DEFINE QLOCAL(A.BACKOUT)
        DEFINE QLOCAL(A) BOTHRESH(3) BOQNAME(A.BACKOUT)
    """
    # MQRC 2030, 2051 and 2053; backout J3. MQSC-C13 reports a transmission queue that is named
    # without an alias.
    name = _backout_queue(queue)
    target = _base(name, scripts)
    if target is None or target is queue or not (queue.known and target.known):
        return
    fault, suggestion = _fault(queue, target, is_alias=name != target.name)
    if fault:
        through = f"{name}, an alias of {target.name}" if name != target.name else name
        message = f"BOQNAME of {queue.name} names {through}, {fault}"
        yield Violation(queue.location_of("BOQNAME"), message, suggestion)


def _fault(queue: DefinedObject, target: DefinedObject, *, is_alias: bool) -> tuple[str, str]:
    """Why a put of a poison message to its backout queue would fail, and what to do; blank when
    it would not.
    """
    length, most = queue.get("MAXMSGL"), target.get("MAXMSGL")
    if target.get("USAGE") == "XMITQ" and is_alias:
        return "which is a transmission queue", "a QLOCAL with USAGE(NORMAL)"
    if target.get("MAXDEPTH") == 0:
        return (
            "which is always full because of MAXDEPTH(0)",
            f"a greater MAXDEPTH for {target.name}",
        )
    if target.get("PUT") == "DISABLED":
        return "which has PUT(DISABLED)", f"PUT(ENABLED) for {target.name}"
    if isinstance(length, int) and isinstance(most, int) and most < length:
        return (
            f"which takes {most} bytes where {queue.name} takes {length}",
            f"MAXMSGL({length}) for {target.name}",
        )
    return "", ""


def _cycle(queue: DefinedObject, scripts: Scripts) -> list[str]:
    """The queues from `queue` along BOQNAME as far as they lead back to it; empty when they do
    not.
    """
    path = [queue.name]
    following = _base(_backout_queue(queue), scripts)
    while following is not None and following.name not in path:
        path.append(following.name)
        following = _base(_backout_queue(following), scripts)
    return path if following is queue else []


def _backout_queue(queue: DefinedObject) -> str:
    return str(queue.get("BOQNAME") or "")


def _base(name: str, scripts: Scripts) -> DefinedObject | None:
    """The queue of that name, or the one behind an alias."""
    base = scripts.find(_QUEUE, name)
    if base is None or base.kind.keyword != "QALIAS":
        return base
    return (
        scripts.find(_QUEUE, str(base.get("TARGET") or ""))
        if base.get("TARGTYPE") == "QUEUE"
        else None
    )


def _has_threshold(queue: DefinedObject) -> bool:
    threshold = queue.get("BOTHRESH")
    return queue.known and isinstance(threshold, int) and threshold > 0
