"""Dead letters on a queue, the filter that selects them, and moving them by hand (`mqsc dlq retry`
and others).

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

from mqsc.console.text.messages import get_or_none
from mqsc.dlq.rules_table import PlannedPut, Rule, length_put, planned_put, strips_header, target_of
from mqsc.store.admin import history, inquiring
from mqsc.store.admin.event_search import last_event
from mqsc.store.admin.put_preview import PeekedMessage, PutPreview, leads_to
from mqsc.store.catalog import KINDS
from mqsc.store.client.api import ObjectHandle, QueueManager
from mqsc.store.constants import MQGMO, MQOO, MQPMO, MQRC
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.engine.dequeue import MessageOutcome
from mqsc.store.environment import MICROSECONDS
from mqsc.store.error import MQError
from mqsc.store.headers import layout, mqxqh
from mqsc.store.headers.mqxqh import DeadLetterHeader
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.rules import message_origin, names

REDRIVE_OPEN_OPTIONS = (
    MQOO.BROWSE | MQOO.INPUT_SHARED | MQOO.SAVE_ALL_CONTEXT | MQOO.FAIL_IF_QUIESCING
)
BROWSE_OPTIONS = MQGMO.LOCK | MQGMO.ACCEPT_TRUNCATED_MSG | MQGMO.FAIL_IF_QUIESCING

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
    qmgr, rate_limit = queue.connection.qmgr, _RateLimit(queue.connection.qmgr, request.rate)
    moved, skips = 0, _Skips(qmgr, queue.name, request)
    # Messages that return during this run are left to the next one; otherwise a run might never
    # end.
    for dead_letter in _selected(
        islice(_browsed(queue), depth_of(qmgr, queue.name)),
        request,
        qmgr,
    ):
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
    moved, skips = 0, _Skips(qmgr, queue, request)
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
    number, step = 0, MQGMO.BROWSE_FIRST
    origins = history.MessageOrigins(queue.connection.qmgr, queue.name)
    while message := get_or_none(
        queue,
        GetMessageOptions(
            BROWSE_OPTIONS | step,
            buffer_length=mqxqh.MQDLH_LENGTH,
            property_control=STORED,
        ),
    ):
        number, step = number + 1, MQGMO.BROWSE_NEXT
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
        self._qmgr, self._queue, self._request = qmgr, queue, request
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
    rule, connection = request.rule, queue.connection
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


# Moving one dead letter: get it under the cursor, put it, and record the outcome, all in one unit
# of work.

# A message keeps its properties when it is moved.
STORED = "STORED"
GET_UNDER_CURSOR = GetMessageOptions(
    MQGMO.MSG_UNDER_CURSOR | MQGMO.SYNCPOINT,
    property_control=STORED,
)


def put_in_unit(queue: ObjectHandle, put: PlannedPut) -> int | None:
    """Put the message just got from `queue` in the same unit of work. Returns None, or the MQRC of
    a failure or a warning (trap 28).
    """
    options = MQPMO.SYNCPOINT | MQPMO.PASS_ALL_CONTEXT
    if put.alternate_user is not None:
        options |= MQPMO.ALTERNATE_USER_AUTHORITY
    message, put_options = (
        Message(put.data, put.descriptor),
        PutMessageOptions(options, context=queue),
    )
    user = put.alternate_user or ""
    try:
        queue.connection.put1(
            put.queue,
            message,
            put_options,
            queue_manager=put.queue_manager,
            alternate_user=user,
        )
    except MQError as error:
        return int(error.reason)
    except ValueError:
        # The MQDLH has a Format that does not fit in a descriptor.
        return int(MQRC.FORMAT_ERROR)
    return message.reason or None


def outcome_of(
    rule: Rule,
    put: PlannedPut | None,
    header: DeadLetterHeader,
    cause: str,
    attempt: int | None = None,
) -> MessageOutcome:
    """The event for a message that was moved or discarded. `attempt` is None where attempts are
    not counted.
    """
    detail = {
        "destination": header.dest_q_name,
        "destination_queue_manager": header.dest_q_mgr_name,
    }
    counted = {} if attempt is None else {"attempt": attempt}
    target, line = None if put is None else put.queue, str(rule.line) if rule.line else None
    return MessageOutcome(
        rule.deed.event,
        cause,
        target,
        header.reason or None,
        line,
        {**detail, **counted},
    )


# Dead letters with their header unpacked, and the filter that selects some of them.


class DeadLetter(NamedTuple):
    """A message of a dead-letter queue; `number` counts from 1 at the head of the queue.

    `header` is None when the data does not begin with a valid MQDLH; `fault` says why. `body` may
    be truncated after the header; `length` is the length of all the data. `expires_at` is in
    microseconds UTC, None for never. `is_locked` by the browse of a program, so that no other finds
    it. `origin` is where a message without an MQDLH was moved from, None when that was not asked or
    has no meaning.
    """

    number: int
    descriptor: MessageDescriptor
    body: bytes
    length: int
    header: DeadLetterHeader | None
    fault: str = ""
    is_expired: bool = False
    expires_at: int | None = None
    is_locked: bool = False
    origin: message_origin.Origin | None = None

    @property
    def destination(self) -> tuple[str, str] | None:
        """The queue and queue manager that the message was meant for, None if unknown: those of its
        MQDLH, else of the queue that it was moved from.
        """
        if self.header is not None:
            return self.header.dest_q_name, self.header.dest_q_mgr_name
        if self.origin is None or self.origin.unknown:
            return None
        return self.origin.queue, self.origin.queue_manager


# Looks up where a message without an MQDLH came from.
FindOrigin = Callable[[MessageDescriptor], message_origin.Origin | None]


def unpack_dead_letter(
    number: int,
    descriptor: MessageDescriptor,
    body: bytes,
    length: int,
) -> DeadLetter:
    """Unpack the header in the encoding and CCSID of the descriptor."""
    try:
        header = mqxqh.unpack_mqdlh(body, descriptor.encoding, descriptor.coded_char_set_id)
    except layout.HeaderError as fault:
        return DeadLetter(number, descriptor, body, length, None, str(fault))
    return DeadLetter(number, descriptor, body, length, header)


def with_origin(dead_letter: DeadLetter, find_origin: FindOrigin) -> DeadLetter:
    """The message with its origin, if it has no MQDLH."""
    if dead_letter.header is not None:
        return dead_letter
    return dead_letter._replace(origin=find_origin(dead_letter.descriptor))


def dead_letters_on_queue(
    peeked: Iterable[PeekedMessage],
    find_origin: FindOrigin = lambda descriptor: None,
) -> Iterator[DeadLetter]:
    for number, each in enumerate(peeked, 1):
        dead_letter = unpack_dead_letter(number, each.descriptor, each.body, each.length)
        if each.expires_at is not None:
            dead_letter = dead_letter._replace(
                is_expired=each.is_expired, expires_at=each.expires_at
            )
        if each.locked_by is not None:
            dead_letter = dead_letter._replace(is_locked=True)
        yield with_origin(dead_letter, find_origin)


def dead_letters_from_messages(messages: Iterable[Message]) -> Iterator[DeadLetter]:
    for number, message in enumerate(messages, 1):
        yield unpack_dead_letter(number, message.descriptor, message.body, len(message.body))


class DeadLetterFilter(Struct, frozen=True):
    """Selects dead letters; the default selects all.

    `reasons` are MQRC or MQFB numbers of the MQDLH, `destination` is a generic name for its
    DestQName, `older_than` the least time on the queue in microseconds, `msg_id` the 24 bytes of a
    MsgId. A message without a valid MQDLH has no reason, and the queue that it was moved from as
    its destination.
    """

    reasons: frozenset[int] = frozenset()
    destination: str | None = None
    older_than: int | None = None
    msg_id: bytes | None = None

    @property
    def selects_all(self) -> bool:
        return self == DeadLetterFilter()

    def selects(self, dead_letter: DeadLetter, now: int) -> bool:
        """Whether the dead letter is selected at `now` (microseconds UTC)."""
        header, descriptor, destination = (
            dead_letter.header,
            dead_letter.descriptor,
            dead_letter.destination,
        )
        if self.msg_id is not None and descriptor.msg_id != self.msg_id.ljust(24, b"\0"):
            return False
        if self.older_than is not None and now - (descriptor.put_at or now) < self.older_than:
            return False
        if self.reasons and (header is None or header.reason not in self.reasons):
            return False
        return self.destination is None or (
            destination is not None and names.matches(self.destination, destination[0])
        )
