"""Moving dead letters by hand (`mqsc dlq retry` and others).

Each message is moved in a unit of work of its own, so a run can be interrupted anywhere, and the
next run continues with the messages that are still on the queue. A message that keeps being
returned is skipped: the history records how often it was moved off this queue. A put that would
fail is not tried, so that the message's BackoutCount stays.

The messages of a backout queue have no MQDLH: they go back to the queue that they were moved from,
by the history.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import islice
from typing import Literal, NamedTuple

from msgspec import Struct, structs

from mqsc.console.getting import get_or_none
from mqsc.dlq.dead_letter import DeadLetter, DeadLetterFilter, unpack_dead_letter, with_origin
from mqsc.dlq.moving import BROWSE_OPTIONS, GET_UNDER_CURSOR, STORED, outcome_of, put_in_unit
from mqsc.dlq.planned_put import PlannedPut, length_put, planned_put, strips_header, target_of
from mqsc.dlq.rules_table import Rule
from mqsc.store.admin import history, inquiring, message_origins
from mqsc.store.admin.event_search import last_event
from mqsc.store.admin.put_preview import PutPreview, leads_to
from mqsc.store.catalog import KINDS
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQGMO, MQOO
from mqsc.store.environment import MICROSECONDS
from mqsc.store.headers import mqdlh
from mqsc.store.headers.mqdlh import DeadLetterHeader
from mqsc.store.message import GetMessageOptions, Message

REDRIVE_OPEN_OPTIONS = (
    MQOO.BROWSE | MQOO.INPUT_SHARED | MQOO.SAVE_ALL_CONTEXT | MQOO.FAIL_IF_QUIESCING
)
PAUSE_SECONDS = 0.01
# For a message without an MQDLH, which can still be forwarded unchanged, discarded, or put back
# where it came from.
NO_HEADER = DeadLetterHeader(0, "", "", 0, 0, "", 0, "", "", "")

Outcome = Literal["moved", "failed", "returned", "leads back", "no header", "gone"]


class RedriveRequest(Struct, frozen=True):
    """Apply the action of `rule` to the selected dead letters: at most `limit` of them, at most
    `rate` a second.

    A message that was moved off the queue `returns` times before it arrived there again is skipped.
    `save` gets each message before it is removed; if it raises an exception, the message stays.
    """

    rule: Rule
    filter: DeadLetterFilter
    limit: int | None = None
    rate: float | None = None
    returns: int = 3
    save: Callable[[Message], None] | None = None


class RedriveResult(NamedTuple):
    """The outcome for one message. `reason` is the MQRC of a put that failed, `times` how often
    it was returned.
    """

    dead_letter: DeadLetter
    outcome: Outcome
    target: tuple[str, str] | None = None
    reason: int = 0
    times: int = 0


def redrive(
    queue: ObjectHandle,
    request: RedriveRequest,
    stop: Callable[[], bool],
) -> Iterator[RedriveResult]:
    """Carry out a request on a queue opened with REDRIVE_OPEN_OPTIONS, with a result for each
    selected dead letter.

    Ends after as many messages as the queue holds at the start, at the limit, or when `stop`
    returns True between two messages. Raises MQError.
    """
    qmgr = queue.connection.qmgr
    rate_limit = _RateLimit(qmgr, request.rate)
    skips = _Skips(qmgr, queue.name, request)
    moved = 0
    # Messages that return during this run are left to the next one; otherwise a run might never
    # end.
    browsed = islice(_browsed(queue), depth_of(qmgr, queue.name))
    for dead_letter in _selected(browsed, request, qmgr):
        if stop() or moved == request.limit:
            return
        rate_limit.wait()
        result = skips.result(dead_letter) or _moved(queue, dead_letter, request)
        moved += result.outcome == "moved"
        yield result


def preview_redrive(
    qmgr: QueueManager,
    queue: str,
    dead_letters: Iterable[DeadLetter],
    request: RedriveRequest,
    preview: PutPreview,
) -> Iterator[RedriveResult]:
    """The results that `redrive` would yield now. Changes nothing."""
    skips = _Skips(qmgr, queue, request)
    moved = 0
    for dead_letter in _selected(dead_letters, request, qmgr):
        if dead_letter.is_expired or dead_letter.is_locked:
            continue
        if moved == request.limit:
            return
        result = skips.result(dead_letter) or _previewed(dead_letter, request.rule, preview)
        moved += result.outcome == "moved"
        yield result


def depth_of(qmgr: QueueManager, queue: str) -> int | None:
    """The depth of a local queue, uncommitted messages included; None when it is not defined."""
    return next(
        (int(row["CURDEPTH"]) for row in inquiring.inquire(qmgr, (KINDS["QLOCAL"],), queue)),
        None,
    )


def records_puts(qmgr: QueueManager, queue: str) -> bool:
    """Whether the history records puts on a local queue, from which the origin of a message
    follows.
    """
    return all(row["ACCTQ"] != "OFF" for row in inquiring.inquire(qmgr, (KINDS["QLOCAL"],), queue))


def _selected(
    dead_letters: Iterable[DeadLetter],
    request: RedriveRequest,
    qmgr: QueueManager,
) -> Iterator[DeadLetter]:
    return (
        dead_letter
        for dead_letter in dead_letters
        if request.filter.selects(dead_letter, qmgr.now())
    )


def _browsed(queue: ObjectHandle) -> Iterator[DeadLetter]:
    """Each message stays locked until the next one is requested."""
    number = 0
    step = MQGMO.BROWSE_FIRST
    origins = message_origins.MessageOrigins(queue.connection.qmgr, queue.name)
    while message := get_or_none(
        queue,
        GetMessageOptions(
            BROWSE_OPTIONS | step,
            buffer_length=mqdlh.MQDLH_LENGTH,
            property_control=STORED,
        ),
    ):
        number += 1
        step = MQGMO.BROWSE_NEXT
        dead_letter = unpack_dead_letter(
            number,
            message.descriptor,
            message.body,
            message.data_length,
        )
        yield with_origin(dead_letter, origins.of)


class _Skips:
    """Decides which messages of a run are not to be moved."""

    def __init__(self, qmgr: QueueManager, queue: str, request: RedriveRequest) -> None:
        self._qmgr = qmgr
        self._queue = queue
        self._request = request
        # The run's own moves do not count: the messages that it meets were on the queue before.
        self._last_event = last_event(qmgr.store)
        self._leads_here = cache(lambda target: leads_to(qmgr, *target) == queue)

    def result(self, dead_letter: DeadLetter) -> RedriveResult | None:
        """The result for a message that is not to be moved; None when it may be moved."""
        rule = self._request.rule
        if not _has_what_it_needs(dead_letter, rule):
            return RedriveResult(dead_letter, "no header")
        target = _target(dead_letter, rule)
        if target is None:
            return None
        if strips_header(rule) and self._leads_here(target):
            return RedriveResult(dead_letter, "leads back", target)
        times = history.times_moved(
            self._qmgr,
            self._queue,
            dead_letter.descriptor,
            last=self._last_event,
        )
        if times < self._request.returns:
            return None
        return RedriveResult(dead_letter, "returned", target, times=times)


def _has_what_it_needs(dead_letter: DeadLetter, rule: Rule) -> bool:
    """RETRY needs a destination; FWD with HEADER(NO) cannot remove an MQDLH that is damaged."""
    if rule.action == "RETRY":
        return dead_letter.destination is not None
    return (
        dead_letter.header is not None or dead_letter.origin is not None or not strips_header(rule)
    )


def _header(dead_letter: DeadLetter) -> DeadLetterHeader:
    """The MQDLH of the message, or one made from the known facts when it has none."""
    if dead_letter.header is not None:
        return dead_letter.header
    queue, queue_manager = dead_letter.destination or ("", "")
    return structs.replace(NO_HEADER, dest_q_name=queue, dest_q_mgr_name=queue_manager)


def _target(dead_letter: DeadLetter, rule: Rule) -> tuple[str, str] | None:
    return target_of(rule, dead_letter.descriptor, _header(dead_letter))


def _put(dead_letter: DeadLetter, rule: Rule, message: Message) -> PlannedPut | None:
    """Without an MQDLH, descriptor and data are put as they are."""
    if dead_letter.header is not None:
        return planned_put(rule, message.descriptor, dead_letter.header, message.body)
    target = _target(dead_letter, rule)
    return None if target is None else PlannedPut(*target, message.descriptor, message.body)


def _moved(queue: ObjectHandle, dead_letter: DeadLetter, request: RedriveRequest) -> RedriveResult:
    """Move the message under the cursor; back out when its put fails although its preview
    succeeded.
    """
    rule = request.rule
    connection = queue.connection
    target = _target(dead_letter, rule)
    if target is not None:
        previewed = _previewed(dead_letter, rule, PutPreview(connection.qmgr, queue.name))
        if previewed.outcome == "failed":
            return previewed
    message = get_or_none(queue, GET_UNDER_CURSOR)
    if message is None:
        return RedriveResult(dead_letter, "gone", target)
    if request.save is not None:
        request.save(message)
    put = _put(dead_letter, rule, message)
    reason = None if put is None else put_in_unit(queue, put)
    if reason is not None:
        connection.back()
        return RedriveResult(dead_letter, "failed", target, reason)
    connection.commit(outcome_of(rule, put, _header(dead_letter), "command"))
    return RedriveResult(dead_letter, "moved", target)


def _previewed(dead_letter: DeadLetter, rule: Rule, preview: PutPreview) -> RedriveResult:
    target = _target(dead_letter, rule)
    if target is None:
        return RedriveResult(dead_letter, "moved")
    length = (
        dead_letter.length if dead_letter.header is None else length_put(rule, dead_letter.length)
    )
    reason = preview.put(*target, dead_letter.descriptor, length).reason
    return RedriveResult(dead_letter, "failed" if reason else "moved", target, reason)


class _RateLimit:
    """Spaces messages evenly, on the queue manager's clock. Without a rate there is no limit."""

    def __init__(self, qmgr: QueueManager, rate: float | None) -> None:
        self._qmgr = qmgr
        self._gap = None if rate is None else round(MICROSECONDS / rate)
        self._due = 0

    def wait(self) -> None:
        """Return when the next message may be moved."""
        if self._gap is None:
            return
        clock = self._qmgr.store.environment.clock
        while (now := self._qmgr.waiting_time()) < self._due:
            clock.pause(min(PAUSE_SECONDS, (self._due - now) / MICROSECONDS))
        self._due = max(now, self._due) + self._gap
