"""Lint rules on backout queues."""

from __future__ import annotations

from collections.abc import Iterator

from mqsc.diagnostic import Violation
from mqsc.lint.lint_rule import LintRule
from mqsc.lint.scripts import DefinedObject, Scripts

_BACKOUT_QUEUE = "DEFINE QLOCAL(A.BACKOUT)\n"


def threshold_without_queue(queue: DefinedObject, scripts: Scripts) -> Iterator[Violation]:
    if _has_threshold(queue) and not queue.get("BOQNAME"):
        message = f"{queue.name} has BOTHRESH({queue.get('BOTHRESH')}) but no BOQNAME for poison messages"
        yield Violation(queue.location_of("BOTHRESH"), message, "BOQNAME(name)")


def queue_without_threshold(queue: DefinedObject, scripts: Scripts) -> Iterator[Violation]:
    if queue.known and queue.get("BOQNAME") and queue.get("BOTHRESH") == 0:
        message = f"{queue.name} has BOQNAME but BOTHRESH(0): no message ever counts as poison"
        yield Violation(queue.location_of("BOQNAME"), message, "for example BOTHRESH(3)")


def own_backout_queue(queue: DefinedObject, scripts: Scripts) -> Iterator[Violation]:
    if queue.get("BOQNAME") == queue.name:
        message = f"poison messages of {queue.name} are put back on {queue.name}"
        yield Violation(queue.location_of("BOQNAME"), message, "another queue")


def _has_threshold(queue: DefinedObject) -> bool:
    threshold = queue.get("BOTHRESH")
    return queue.known and isinstance(threshold, int) and threshold > 0


RULES = (
    LintRule(
        "MQSC-C08",
        "warning",
        "BOTHRESH without BOQNAME",
        "A program moves a message that was backed out too often to BOQNAME. Without BOQNAME, the program decides: the "
        "message goes to the dead-letter queue or is retried for ever.",
        "DEFINE QLOCAL(A) BOTHRESH(3)\n",
        _BACKOUT_QUEUE + "DEFINE QLOCAL(A) BOTHRESH(3) BOQNAME(A.BACKOUT)\n",
        of_object=threshold_without_queue,
    ),
    LintRule(
        "MQSC-C09",
        "note",
        "BOQNAME without BOTHRESH",
        "BOTHRESH(0), the default, means that no number of backouts is too many, so BOQNAME is never used.",
        _BACKOUT_QUEUE + "DEFINE QLOCAL(A) BOQNAME(A.BACKOUT)\n",
        _BACKOUT_QUEUE + "DEFINE QLOCAL(A) BOQNAME(A.BACKOUT) BOTHRESH(3)\n",
        of_object=queue_without_threshold,
    ),
    LintRule(
        "MQSC-C10",
        "warning",
        "Queue that is its own backout queue",
        "A poison message that is moved back to its own queue is read again at once, in an endless loop.",
        "DEFINE QLOCAL(A) BOTHRESH(3) BOQNAME(A)\n",
        _BACKOUT_QUEUE + "DEFINE QLOCAL(A) BOTHRESH(3) BOQNAME(A.BACKOUT)\n",
        of_object=own_backout_queue,
    ),
)
