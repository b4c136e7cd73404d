"""Lint rules on backout queues."""

from collections.abc import Iterator

from mqsc.diagnostic import Violation
from mqsc.lint.lint_rule import lint_rule
from mqsc.lint.scripts import DefinedObject, Scripts
from mqsc.store.catalog import KINDS

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
