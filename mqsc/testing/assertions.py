"""Assertions about queue managers, which explain a failure from the history."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from mqsc.console.parameters import iso
from mqsc.console.text.authority import doing, lines, open_options
from mqsc.console.text.reasons import counted, name_of_code
from mqsc.console.text.triggering import explanation_lines
from mqsc.history.event_text import facts_of, what_happened
from mqsc.store.admin import authority_explanation
from mqsc.store.admin.event_search import EventSelection, events, last_event, newest
from mqsc.store.admin.expiry import expiry_preview, matching_queues, resolved_queue
from mqsc.store.admin.inquiring import inquire
from mqsc.store.admin.peeking import PeekedMessage, got_by_open_units, peek
from mqsc.store.admin.trigger_explanation import explain
from mqsc.store.argument_checks import must_be
from mqsc.store.catalog import kinds_of
from mqsc.store.catalog.spelling import similar, suggesting
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.engine.recovery import recover
from mqsc.store.environment import MICROSECONDS
from mqsc.store.error import MQError, NotAuthorizedError
from mqsc.store.past.depths import changing, past_depths
from mqsc.store.rules.message_trace import TracedEvent
from mqsc.store.rules.properties.message_data import without_marked

# For pytest, which then shows the line of the test.
__tracebackhide__ = True
_MESSAGES_SHOWN = 10
_EVENTS_SHOWN = 15
_BYTES_SHOWN = 60
_WIDTH = 120
# Events of every open and close would hide those about messages.
_TELLING = frozenset(
    "PUT GET BACKOUT EXPIRE DISCARD TRIGGER TRIGGER_LOST DEAD_LETTER REQUEUE FORWARD REPORT "
    "REPORT_LOST CLEAR MOVE "
    "DELETE RECOVER PROGRAM".split(),
)


def assert_on_queue(
    queue_manager: QueueManager,
    queue: str,
    *bodies: bytes | str,
    count: int | None = None,
) -> list[PeekedMessage]:
    """Exactly these messages are on the queue, in the order in which they would be got; or `count`
    messages, or any.

    A text is compared as UTF-8. Properties that were set through a message handle do not count as
    data. Messages that have expired, or that belong to an open unit of work, do not count. Returns
    the messages.
    """
    _checked(count)
    name = _local(queue_manager, queue)
    there = [_as_put(each) for each in peek(queue_manager, name)]
    live = [each for each in there if not each.is_expired]
    wanted = [_as_bytes(each) for each in bodies]
    if wanted and count is not None:
        raise TypeError("give the messages or their count, not both")
    live_bodies = [each.body for each in live]
    if live_bodies != wanted if bodies else _is_wrong(len(live_bodies), count):
        should = _body_texts(wanted) if bodies else _expected_count(count)
        _fail(queue_manager, name, f"{name} should hold {should}, but {_holds(live_bodies)}", there)
    return live


def assert_expired(queue_manager: QueueManager, queue: str, *, count: int | None = None) -> int:
    """Messages of the queue have expired: `count` of them, or at least one. Returns how many.

    They count whether they have been discarded or are still there and would be by the next get or
    scan.
    """
    _checked(count)
    name = _local(queue_manager, queue)
    there = list(peek(queue_manager, name))
    expired = len(_about(queue_manager, name, "EXPIRE")) + sum(each.is_expired for each in there)
    if _is_wrong(expired, count):
        said = (
            f"{_expected_count(count)} of {name} should have expired, but {expired or 'none'} did"
        )
        _fail(queue_manager, name, said, there, hint=_next_expiry(there, queue_manager.now()))
    return expired


def assert_triggered(
    queue_manager: QueueManager,
    queue: str,
    *,
    count: int | None = None,
) -> list[TracedEvent]:
    """The queue has triggered: `count` trigger messages were put on its initiation queue, or at
    least one.

    Returns their events.
    """
    _checked(count)
    name = _local(queue_manager, queue)
    triggered = _about(queue_manager, name, "TRIGGER")
    if _is_wrong(len(triggered), count):
        said = f"{name} should have triggered {_times(count)}, but it did {_times(len(triggered))}"
        _fail(
            queue_manager,
            name,
            said,
            None,
            explained=explanation_lines(explain(queue_manager, name), _WIDTH),
        )
    return triggered


def assert_dead_lettered(
    queue_manager: QueueManager,
    queue: str,
    *,
    reason: int | None = None,
    count: int | None = None,
) -> list[TracedEvent]:
    """Messages for the queue were put on a dead-letter queue: `count` of them, or at least one.

    With `reason` only those with that reason in the dead-letter header. They count whether the
    queue manager or a program put them there. Returns their events.
    """
    _checked(count)
    recover(queue_manager.store)
    chosen = EventSelection(kinds=frozenset(("DEAD_LETTER", "PUT")))
    own = (
        each for each in events(queue_manager.store, chosen) if each.qmgr in _owners(queue_manager)
    )
    recorded = [each for each in own if each.kind == "DEAD_LETTER" or _has_header(each)]
    every = [each for each in recorded if not _is_repeated(each, recorded)]
    meant = [each for each in every if each.detail.get("destination", each.queue) == queue]
    dead_letters = [each for each in meant if reason is None or each.reason == int(reason)]
    if _is_wrong(len(dead_letters), count):
        why = (
            ""
            if reason is None
            else " ".join(["", "with", str(int(reason)), *name_of_code(int(reason))])
        )
        were = f"{len(dead_letters) or 'none'} {'were' if len(dead_letters) > 1 else 'was'}"
        said = (
            f"{_expected_count(count)} for {queue} should have been dead-lettered{why}, but {were}"
        )
        others = [f"    {_event_line(each)}" for each in every if each not in dead_letters]
        has_none = not (every or queue_manager.row().dead_letter_queue)
        hint = (
            f"{queue_manager.name} has no dead-letter queue: ALTER QMGR DEADQ(...)"
            if has_none
            else ""
        )
        _fail(
            queue_manager,
            queue,
            said,
            None,
            hint=hint,
            explained=["other dead letters:", *others] if others else [],
        )
    return dead_letters


@contextmanager
def assert_quiet(queue_manager: QueueManager, *queues: str) -> Iterator[None]:
    """Nothing happens to messages of the queues during the block: none is put, got, discarded,
    cleared or moved.

    What happens in a unit of work counts when it happens, not at its commit. Opening a queue is
    nothing.
    """
    if not queues:
        raise TypeError("name the queues that should be quiet")
    names = [_recorded(queue_manager, each) for each in queues]
    before = last_event(queue_manager.store)
    yield
    recover(queue_manager.store)
    for name in names:
        owners = _owners(queue_manager)
        every = changing(queue_manager.store, name, first=before + 1)
        happened = [each for each in every if each.qmgr in owners and _touches(each, name)]
        if happened:
            more = f", and {counted(len(happened) - 1, 'other event')}" if len(happened) > 1 else ""
            said = f"{name} should have been quiet, but event {happened[0].seq} was about it{more}"
            _fail(queue_manager, name, said, None, hint=f"  {_event_line(happened[0])}")


def _touches(event: TracedEvent, queue: str) -> bool:
    return queue in (event.detail if event.kind == "BACKOUT" else (event.queue, event.target))


def assert_depth_stayed_below(
    queue_manager: QueueManager,
    queue: str,
    depth: int,
    *,
    since: int | None = None,
) -> int:
    """The depth of the queue was always less than `depth`, since a time (microseconds UTC) or since
    there is a history.

    Uncommitted puts and expired messages count, as in CURDEPTH. Returns the greatest depth.
    """
    _checked(depth)
    name = _recorded(queue_manager, queue)
    past = past_depths(queue_manager, name, since=since)
    wanted = f"the depth of {name} should have stayed below {depth}, but was"
    if past.before >= depth:
        _fail(queue_manager, name, f"{wanted} {past.before} at the beginning", None)
    wrong, highest = None, past.before
    for point in past.points():
        if wrong is None and point.depth >= depth:
            wrong = point
        highest = max(highest, point.depth)
    if wrong is not None:
        more = f" and {highest} later" if highest > wrong.depth else ""
        said = f"{wanted} {wrong.depth} after event {wrong.seq}{more}"
        (event,) = events(queue_manager.store, EventSelection(), first=wrong.seq, last=wrong.seq)
        _fail(queue_manager, name, said, None, hint=f"  {_event_line(event)}")
    return highest


def _recorded(queue_manager: QueueManager, queue: str) -> str:
    """The name of the local queue that a name leads to; ValueError if the history has not all
    that happens to it.
    """
    name = _local(queue_manager, queue)
    if next(inquire(queue_manager, kinds_of("QLOCAL"), name))["ACCTQ"] == "OFF":
        raise ValueError(
            f"{name} has ACCTQ(OFF): the history has no puts and gets of it, so this cannot be "
            "known",
        )
    return name


def assert_may(queue_manager: QueueManager, user: str, name: str, *operations: str) -> None:
    """The user may do this with the object: put, get, browse and so on, as for `mqsc auth explain`.

    The AssertionError has the explanation, with the commands that would grant what is missing.
    """
    reason, wanted = authority_explanation.authorities_to_open_by_name(
        queue_manager, (name, ""), open_options(operations)
    )
    if reason:
        raise AssertionError(f"{reason} {' '.join(name_of_code(reason))} ({name})")
    judged = authority_explanation.judge(queue_manager, user, wanted)
    if not judged.allowed:
        raise AssertionError("\n".join(lines(queue_manager.name, judged, doing(operations, name))))


def assert_refused(
    call: Callable[[], object],
    *,
    missing: str = "",
    on: str = "",
) -> NotAuthorizedError:
    """The call is refused because its user lacks an authority; the error.

    `missing` are the authorities that must be missing, such as `put inq`, `on` the object that they
    are asked of.
    """
    try:
        call()
    except NotAuthorizedError as error:
        lacks = {each.word for each in error.missing if on in ("", each.name)}
        if lacks >= {*missing.upper().split()} and (lacks or not on):
            return error
        raise AssertionError(f"refused for another reason: {error.explanation or error}") from error
    except MQError as error:
        raise AssertionError(f"it failed with another reason: {error}") from error
    raise AssertionError("it was not refused")


def _local(queue_manager: QueueManager, queue: str) -> str:
    """The name of the local queue that a name leads to."""
    must_be(QueueManager, queue_manager, "the first argument")
    recover(queue_manager.store)
    resolved = resolved_queue(queue_manager, must_be(str, queue, "the name of a queue"))
    if not resolved:
        near = similar(queue, [each.name for each in matching_queues(queue_manager, "*")])
        raise AssertionError(suggesting(near, f"{queue_manager.name} has no local queue {queue}"))
    return resolved[0].name


def _checked(count: object) -> None:
    """Refuse an impossible count."""
    if count is not None and (not isinstance(count, int) or isinstance(count, bool) or count < 0):
        raise TypeError(f"count is a number of messages, not {count!r}")


def _as_put(message: PeekedMessage) -> PeekedMessage:
    """The message with the data that its program put, without properties that it set through a
    message handle.
    """
    descriptor, body = without_marked(message.descriptor, message.body)
    return message._replace(descriptor=descriptor, body=body)


def _about(queue_manager: QueueManager, queue: str, kind: str) -> list[TracedEvent]:
    owners = _owners(queue_manager)
    chosen = EventSelection(queue=queue, kinds=frozenset((kind,)))
    return [
        each
        for each in events(queue_manager.store, chosen)
        if each.queue == queue and each.qmgr in owners
    ]


def _owners(queue_manager: QueueManager) -> tuple[str, str]:
    """Who owns the queues that programs of the queue manager see: it and its queue-sharing
    group.
    """
    return queue_manager.name, queue_manager.row().sharing_group


def _as_bytes(body: object) -> bytes:
    if isinstance(body, str):
        return body.encode()
    if isinstance(body, bytes | bytearray | memoryview):
        return bytes(body)
    raise TypeError(f"the data of a message is bytes or str, not {type(body).__name__}")


def _has_header(event: TracedEvent) -> bool:
    return event.kind == "PUT" and bool(event.reason) and "destination" in event.detail


def _is_repeated(event: TracedEvent, every: Sequence[TracedEvent]) -> bool:
    """Whether another event is about the same arrival."""
    return _has_header(event) and any(
        each.kind == "DEAD_LETTER" and _is_about(each, event) for each in every
    )


def _is_about(dead_letter: TracedEvent, put: TracedEvent) -> bool:
    """Whether both are about one arrival. Events of older versions have no number that tells."""
    number = dead_letter.detail.get("put_event")
    if number is not None:
        return bool(number == put.seq)
    return dead_letter.msg_id == put.msg_id and dead_letter.target == put.queue


def _fail(
    queue_manager: QueueManager,
    queue: str,
    said: str,
    there: Sequence[PeekedMessage] | None,
    *,
    hint: str = "",
    explained: Iterator[str] | Sequence[str] = (),
) -> None:
    explanation = [said, *([hint] if hint else [])]
    explanation += (
        [f"  {line}" for line in _on_queue(queue_manager, queue, there)]
        if there is not None
        else []
    )
    explanation += [f"  {line}".rstrip() for line in explained]
    past = newest(queue_manager.store, EventSelection(queue=queue, kinds=_TELLING), _EVENTS_SHOWN)
    explanation += (
        [f"  what happened to {queue}:", *(f"    {_event_line(each)}" for each in past)]
        if past
        else []
    )
    explanation += [] if past else [f"  nothing has happened to {queue} yet"]
    raise AssertionError("\n".join(explanation))


def _on_queue(
    queue_manager: QueueManager,
    queue: str,
    there: Sequence[PeekedMessage],
) -> Iterator[str]:
    for number, each in enumerate(there[:_MESSAGES_SHOWN], start=1):
        yield f"{number}: {_body_text(each.body)}, {', '.join(_properties(each))}"
    if len(there) > _MESSAGES_SHOWN:
        yield f"and {len(there) - _MESSAGES_SHOWN} more"
    uncommitted = sum(each.depth for each in expiry_preview(queue_manager, queue)) - len(there)
    if uncommitted > 0:
        yield f"and {counted(uncommitted, 'message')} that an open unit of work has put"
    got = got_by_open_units(queue_manager, queue)
    if got:
        yield f"without {counted(got, 'message')} that an open unit of work has got"


def _properties(message: PeekedMessage) -> Iterator[str]:
    descriptor = message.descriptor
    yield f"priority {descriptor.priority}"
    if descriptor.backout_count:
        yield f"backed out {descriptor.backout_count} times"
    if message.is_expired:
        yield "expired"
    elif message.expires_at is not None:
        yield f"expires {iso(message.expires_at)}"
    yield f"put by {descriptor.put_appl_name or 'the queue manager'}"


def _event_line(event: TracedEvent) -> str:
    return f"{iso(event.at)}  {'; '.join([what_happened(event), *facts_of(event)])}"


def _next_expiry(there: Sequence[PeekedMessage], now: int) -> str:
    coming = [
        each.expires_at for each in there if each.expires_at is not None and not each.is_expired
    ]
    if coming:
        return (
            f"the next one expires in {(min(coming) - now) / MICROSECONDS:g} s, by the clock of "
            "the queue manager"
        )
    return "" if not there else "the messages there never expire"


def _is_wrong(number: int, count: int | None) -> bool:
    return number == 0 if count is None else number != count


def _body_text(body: bytes) -> str:
    more = len(body) - _BYTES_SHOWN
    return repr(body) if more <= 0 else f"{body[:_BYTES_SHOWN]!r} and {more} more bytes"


def _body_texts(bodies: Sequence[bytes]) -> str:
    return ", ".join(map(_body_text, bodies))


def _holds(bodies: Sequence[bytes]) -> str:
    if not bodies:
        return "is empty"
    shown = _body_texts(bodies[:_MESSAGES_SHOWN])
    return (
        f"holds {counted(len(bodies), 'message')}: "
        f"{shown}{', ...' if len(bodies) > _MESSAGES_SHOWN else ''}"
    )


def _expected_count(count: int | None) -> str:
    return "a message" if count is None else counted(count, "message")


def _times(count: int | None) -> str:
    if count is None:
        return "at least once"
    return {0: "not at all", 1: "once"}.get(count, f"{count} times")
