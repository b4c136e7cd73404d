"""Dead letters moved by hand: each that is meant in a unit of work of its own, so that a run can stop anywhere.

What was moved is off the queue; the next run goes on with what is left. A letter that keeps coming back is left alone:
the history knows how often it was sent on from this queue.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from mqsc.dlq.action import plan_of, takes_header_off, target_of
from mqsc.dlq.dead_letters import DeadLetter, Filter, opened
from mqsc.dlq.move import TAKING, failure_of, got, outcome_of
from mqsc.dlq.rules import Rule
from store.admin.history import times_moved
from store.constants import MQGMO, MQOO
from store.headers import mqdlh
from store.headers.mqdlh import DeadLetterHeader
from store.message import GetMessageOptions

if TYPE_CHECKING:
    from store.admin.put_preview import PutPreview
    from store.client.api import ObjectHandle, QueueManager

TO_REDRIVE = MQOO.BROWSE | MQOO.INPUT_SHARED | MQOO.SAVE_ALL_CONTEXT | MQOO.FAIL_IF_QUIESCING
LOOKING = MQGMO.LOCK | MQGMO.ACCEPT_TRUNCATED_MSG | MQGMO.FAIL_IF_QUIESCING
RETURNS = 3
MICROSECONDS = 1_000_000
LOOK_SECONDS = 0.01
# Stands for the header of a message that has none: such a message can be forwarded as it is, or thrown away.
NO_HEADER = DeadLetterHeader(0, "", "", 0, 0, "", 0, "", "", "")

Ended = Literal["moved", "failed", "returned", "no header", "gone"]


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be done with which letters: the action of `rule`, for at most `limit` of them, `rate` a second.

    A letter that was sent on from the queue `returns` times before, and is there again, is left alone.
    """

    rule: Rule
    filter: Filter
    limit: int | None = None
    rate: float | None = None
    returns: int = RETURNS


class Step(NamedTuple):
    """What became of one letter: `reason` is the MQRC of a put that failed, `target` where it was to go (or blank)."""

    letter: DeadLetter
    ended: Ended
    target: tuple[str, str] | None = None
    reason: int = 0
    times: int = 0


def redrive(queue: ObjectHandle, order: Order, stop: Callable[[], bool]) -> Iterator[Step]:
    """Carry an order out on a queue opened with TO_REDRIVE; a step for each letter that is meant. MQError.

    Ends with the last letter, at the limit, or when `stop` says yes between two letters.
    """
    qmgr, pace = queue.connection.qmgr, _Pace(queue.connection.qmgr, order.rate)
    moved = 0
    for letter in _meant(_browsed(queue), order, qmgr):
        if stop() or moved == order.limit:
            return
        pace.keep()
        step = _without_moving(letter, order, qmgr, queue.name) or _moved(queue, letter, order.rule)
        moved += step.ended == "moved"
        yield step


def foresee(
    qmgr: QueueManager, queue: str, letters: Iterable[DeadLetter], order: Order, preview: PutPreview
) -> Iterator[Step]:
    """What the order would come to now, step by step; nothing is changed."""
    moved = 0
    for letter in _meant(letters, order, qmgr):
        if letter.is_expired:
            continue
        if moved == order.limit:
            return
        step = _without_moving(letter, order, qmgr, queue) or _foreseen(letter, order.rule, preview)
        moved += step.ended == "moved"
        yield step


def _meant(letters: Iterable[DeadLetter], order: Order, qmgr: QueueManager) -> Iterator[DeadLetter]:
    return (letter for letter in letters if order.filter.takes(letter, qmgr.now()))


def _browsed(queue: ObjectHandle) -> Iterator[DeadLetter]:
    """Letter after letter, locked while it is dealt with."""
    number, step = 0, MQGMO.BROWSE_FIRST
    while message := got(queue, GetMessageOptions(LOOKING | step, buffer_length=mqdlh.LENGTH)):
        number, step = number + 1, MQGMO.BROWSE_NEXT
        yield opened(number, message.descriptor, message.body, message.data_length)


def _without_moving(letter: DeadLetter, order: Order, qmgr: QueueManager, queue: str) -> Step | None:
    """Why a letter stays where it is; None when nothing speaks against moving it."""
    if letter.header is None and takes_header_off(order.rule):
        return Step(letter, "no header")
    if order.rule.action == "DISCARD":
        return None
    times = times_moved(qmgr, queue, letter.descriptor)
    return Step(letter, "returned", _target(letter, order.rule), times=times) if times >= order.returns else None


def _target(letter: DeadLetter, rule: Rule) -> tuple[str, str] | None:
    return target_of(rule, letter.descriptor, letter.header or NO_HEADER)


def _moved(queue: ObjectHandle, letter: DeadLetter, rule: Rule) -> Step:
    """Move the letter under the cursor, or leave it as it was when its put fails."""
    target, header, connection = _target(letter, rule), letter.header or NO_HEADER, queue.connection
    whole = got(queue, TAKING)
    if whole is None:
        return Step(letter, "gone", target)
    plan = plan_of(rule, whole.descriptor, header, whole.body)
    reason = None if plan.put is None else failure_of(queue, plan.put)
    if reason is not None:
        connection.back()
        return Step(letter, "failed", target, reason)
    connection.commit(outcome_of(plan, header, "command"))
    return Step(letter, "moved", target)


def _foreseen(letter: DeadLetter, rule: Rule, preview: PutPreview) -> Step:
    target = _target(letter, rule)
    if target is None:
        return Step(letter, "moved")
    length = letter.length - (mqdlh.LENGTH if takes_header_off(rule) else 0)
    reason = preview.put(*target, letter.descriptor, length).reason
    return Step(letter, "failed" if reason else "moved", target, reason)


class _Pace:
    """So many letters a second on the queue manager's clock, as even as can be."""

    def __init__(self, qmgr: QueueManager, rate: float | None) -> None:
        self._qmgr = qmgr
        self._gap = None if rate is None else round(MICROSECONDS / rate)
        self._due = 0

    def keep(self) -> None:
        """Return when the next letter may be moved."""
        if self._gap is None:
            return
        clock = self._qmgr.store.environment.clock
        while (now := self._qmgr.now()) < self._due:
            clock.pause(min(LOOK_SECONDS, (self._due - now) / MICROSECONDS))
        self._due = max(now, self._due) + self._gap
