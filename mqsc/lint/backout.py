"""Advice on messages that cannot be processed: backout queues and the dead-letter queue."""

from __future__ import annotations

from collections.abc import Iterator

from mqsc.lint.rule import Rule
from mqsc.lint.scripts import Defined, Scripts
from mqsc.lint.statement import Hit

_POISON = "DEFINE QLOCAL(A.BACKOUT)\n"


def threshold_without_queue(queue: Defined, scripts: Scripts) -> Iterator[Hit]:
    """A threshold above 0 and no queue to move to."""
    if _counts(queue) and not queue.get("BOQNAME"):
        message = f"{queue.name} has BOTHRESH({queue.get('BOTHRESH')}) but no BOQNAME to move poison messages to"
        yield Hit(queue.at("BOTHRESH"), message, "BOQNAME(name)")


def queue_without_threshold(queue: Defined, scripts: Scripts) -> Iterator[Hit]:
    """A queue to move to and a threshold that is never reached."""
    if queue.known and queue.get("BOQNAME") and queue.get("BOTHRESH") == 0:
        message = f"{queue.name} has BOQNAME but BOTHRESH(0): no message ever counts as poison"
        yield Hit(queue.at("BOQNAME"), message, "BOTHRESH(3), say")


def back_to_itself(queue: Defined, scripts: Scripts) -> Iterator[Hit]:
    """What is moved comes back at once."""
    if queue.get("BOQNAME") == queue.name:
        message = f"poison messages of {queue.name} are put on {queue.name} again"
        yield Hit(queue.at("BOQNAME"), message, "another queue")


def _counts(queue: Defined) -> bool:
    threshold = queue.get("BOTHRESH")
    return queue.known and isinstance(threshold, int) and threshold > 0


RULES = (
    Rule(
        "MQSC-C08",
        "warning",
        "BOTHRESH without BOQNAME",
        "A program that finds a message backed out too often looks for BOQNAME. Without one it has nowhere to put the "
        "message: depending on the program it goes to the dead-letter queue, or is tried for ever.",
        "DEFINE QLOCAL(A) BOTHRESH(3)\n",
        _POISON + "DEFINE QLOCAL(A) BOTHRESH(3) BOQNAME(A.BACKOUT)\n",
        of_object=threshold_without_queue,
    ),
    Rule(
        "MQSC-C09",
        "note",
        "BOQNAME without BOTHRESH",
        "BOTHRESH(0), the default, means that no number of backouts is too many; BOQNAME is then never used.",
        _POISON + "DEFINE QLOCAL(A) BOQNAME(A.BACKOUT)\n",
        _POISON + "DEFINE QLOCAL(A) BOQNAME(A.BACKOUT) BOTHRESH(3)\n",
        of_object=queue_without_threshold,
    ),
    Rule(
        "MQSC-C10",
        "warning",
        "Backout queue of itself",
        "A poison message that is moved to the queue it came from is met again at once, without an end.",
        "DEFINE QLOCAL(A) BOTHRESH(3) BOQNAME(A)\n",
        _POISON + "DEFINE QLOCAL(A) BOTHRESH(3) BOQNAME(A.BACKOUT)\n",
        of_object=back_to_itself,
    ),
)
