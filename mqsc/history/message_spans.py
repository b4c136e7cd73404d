"""The life of messages as spans of OpenTelemetry, in the semantic conventions for messaging.

A span is an event of the history. Its identifiers are derived from the event, so that an event that
is exported twice is one span, and an exporter need not remember what it sent.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from hashlib import sha256
from typing import Any, NamedTuple

from msgspec import Struct

from mqsc.console.parameters import iso
from mqsc.console.terminal import printable
from mqsc.console.text.reasons import name_of_code
from mqsc.history.log_records import attribute, semantic_name
from mqsc.store.admin.event_search import last_event
from mqsc.store.admin.message_puts import MessagePuts
from mqsc.store.admin.message_trace import MessageLife
from mqsc.store.engine.state import StoreState
from mqsc.store.rules.message_trace import PUBLICATION, TracedEvent, subject_of
from mqsc.store.rules.trace_context import TRACEPARENT, context_of
from mqsc.version import __version__

SCOPE = "mqsc"
SYSTEM = {"messaging.system": "ibmmq"}
NANOSECONDS_PER_MICROSECOND = 1_000


class SpanKind(IntEnum):
    """The kinds of spans, with their numbers in OTLP."""

    INTERNAL = 1
    CLIENT = 3
    PRODUCER = 4


class Operation(Struct, frozen=True):
    """What an event is as an operation on a message; `type` is blank for one of no common type."""

    name: str
    type: str
    kind: SpanKind
    is_failure: bool = False


# Events that are no operation on one message, such as COMMIT or DEFINE, have no span.
OPERATIONS: Mapping[str, Operation] = {
    "PUT": Operation("put", "send", SpanKind.PRODUCER),
    "PUBLISH": Operation("publish", "send", SpanKind.PRODUCER),
    "GET": Operation("get", "receive", SpanKind.CLIENT),
    "BACKOUT": Operation("backout", "settle", SpanKind.CLIENT, is_failure=True),
    "EXPIRE": Operation("expire", "", SpanKind.INTERNAL),
    "DISCARD": Operation("discard", "", SpanKind.INTERNAL, is_failure=True),
    "DEAD_LETTER": Operation("dead_letter", "", SpanKind.INTERNAL, is_failure=True),
    "REQUEUE": Operation("requeue", "", SpanKind.INTERNAL),
    "FORWARD": Operation("forward", "", SpanKind.INTERNAL),
    "TRIGGER": Operation("trigger", "", SpanKind.INTERNAL),
    "TRIGGER_LOST": Operation("trigger_lost", "", SpanKind.INTERNAL, is_failure=True),
    "REPORT": Operation("report", "", SpanKind.INTERNAL),
    "REPORT_LOST": Operation("report_lost", "", SpanKind.INTERNAL, is_failure=True),
}
_TRIGGERS = frozenset({"TRIGGER", "TRIGGER_LOST"})
# The columns of an event that are attributes of its span. The details are not: they may have what
# the data of a message had.
_COLUMNS = (
    "qmgr seq cause queue target msg_id correl_id priority persistence length expires_at "
    "put_application unit connection application user reason rule"
).split()
# Names come from programs.
_LONGEST = 255
# Puts that are remembered, in 40 MB: most messages are got soon after they were put.
_REMEMBERED = 100_000


class SpanPlace(Struct, frozen=True):
    """The identifiers of a span, hexadecimal; `is_remote`: it is one that a program made."""

    trace_id: str
    span_id: str
    is_remote: bool = False


class Span(Struct, frozen=True):
    """A span: an event at an instant, microseconds UTC. `failure` is blank if it is none."""

    place: SpanPlace
    parent: SpanPlace | None
    links: tuple[SpanPlace, ...]
    name: str
    kind: SpanKind
    at: int
    qmgr: str
    attributes: dict[str, str | int]
    failure: str


class _KnownPut(NamedTuple):
    """The number of a PUT event, and the place of its span."""

    seq: int
    place: SpanPlace


class MessageSpans:
    """Makes the spans of the events of one store."""

    def __init__(self, puts: MessagePuts) -> None:
        self._puts = puts
        # By where the message was put, and when.
        self._known: OrderedDict[tuple[Any, ...], _KnownPut] = OrderedDict()
        # By the queue manager and the number of the event.
        self._publications: OrderedDict[tuple[str, int], SpanPlace] = OrderedDict()

    def of(self, event: TracedEvent) -> Iterator[Span]:
        """The spans of an event: one for each message that a backout is about, none for an event
        that is no operation on a message.
        """
        if event.kind == "BACKOUT":
            for call in self._puts.undone_by(event):
                yield self.of_backout(event, call)
        elif event.kind in _TRIGGERS:
            yield self._of_trigger(event)
        elif event.kind == "PUBLISH":
            # The destination is the topic.
            about = event._replace(queue=event.target, target=None)
            yield _span(about, self._learn_publication(event), _parent_of_put(event))
        elif event.kind == "PUT":
            yield self._of_put(event)
        elif event.kind in OPERATIONS and event.msg_id is not None:
            put = self._put_of(event)
            yield _span(event, _place_after(put, event), put)

    def of_backout(self, backout: TracedEvent, call: TracedEvent) -> Span:
        """The span of the backout of one put or get."""
        undone = self._learn(call) if call.kind == "PUT" else self._place(call)
        about = call._replace(
            seq=backout.seq,
            at=backout.at,
            kind=backout.kind,
            cause=backout.cause,
            application=backout.application,
            user=backout.user,
        )
        return _span(about, _place_after(undone, about), undone)

    def _of_put(self, put: TracedEvent) -> Span:
        """A put; that of a copy of a publication belongs to the publication where both are in one
        trace, and is linked to it elsewhere.
        """
        own = self._learn(put)
        publication = self._publication_of(put)
        if publication is None:
            return _span(put, own, _parent_of_put(put))
        if publication.trace_id == own.trace_id:
            return _span(put, own, publication)
        return _span(put, own, None, (publication,))

    def _publication_of(self, put: TracedEvent) -> SpanPlace | None:
        number = put.detail.get(PUBLICATION)
        if not isinstance(number, int):
            return None
        known = self._publications.get((put.qmgr, number))
        if known is not None:
            return known
        published = self._puts.publication(put.qmgr, number)
        return None if published is None else self._learn_publication(published)

    def _learn_publication(self, published: TracedEvent) -> SpanPlace:
        place = _place_of_publication(published)
        self._publications[published.qmgr, published.seq] = place
        if len(self._publications) > _REMEMBERED:
            self._publications.popitem(last=False)
        return place

    def _of_trigger(self, event: TracedEvent) -> Span:
        """A trigger belongs to the message that fired it, and is linked to the put of the trigger
        message.
        """
        firing = self._puts.firing(event)
        made = self._puts.made_by(event)
        links = () if made is None else (self._learn(made),)
        if firing is None:
            return _span(event, _place_after(None, event), None, links)
        fired_by = self._learn(firing)
        about = event._replace(msg_id=firing.msg_id, correl_id=firing.correl_id)
        return _span(about, _place_after(fired_by, event), fired_by, links)

    def _place(self, event: TracedEvent) -> SpanPlace:
        return _place_after(self._put_of(event), event)

    def _put_of(self, event: TracedEvent) -> SpanPlace | None:
        """The span of the put that an event leads back to."""
        known = self._known.get(_where_put(event))
        if known is not None and known.seq < event.seq:
            return known.place
        found = self._puts.of(event, self._learn)
        return None if found is None else _place_of_put(found)

    def _learn(self, put: TracedEvent) -> SpanPlace:
        place = _place_of_put(put)
        self._known[_where_put(put)] = _KnownPut(put.seq, place)
        if len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)
        return place


def _where_put(event: TracedEvent) -> tuple[Any, ...]:
    return event.qmgr, event.queue, event.msg_id, event.put_at


def _place_of_put(put: TracedEvent) -> SpanPlace:
    context = context_of(put.detail.get(TRACEPARENT))
    trace_id = _derived_trace_id(put) if context is None else context.trace_id
    return SpanPlace(trace_id, _span_id(put))


def _place_of_publication(published: TracedEvent) -> SpanPlace:
    """A publication whose copies have identifiers of their own has a trace of its own."""
    if published.msg_id or context_of(published.detail.get(TRACEPARENT)):
        return _place_of_put(published)
    own = _span_id(published)
    return SpanPlace(sha256(f"mqsc publication\0{own}".encode()).hexdigest()[:32], own)


def _place_after(before: SpanPlace | None, event: TracedEvent) -> SpanPlace:
    """The place of the span of an event that follows a span, or none."""
    trace_id = _derived_trace_id(event) if before is None else before.trace_id
    return SpanPlace(trace_id, _span_id(event))


def _parent_of_put(put: TracedEvent) -> SpanPlace | None:
    """The span of the program that put or published the message, if it says so."""
    context = context_of(put.detail.get(TRACEPARENT))
    if context is None:
        return None
    return SpanPlace(context.trace_id, context.span_id, is_remote=True)


def spans_of(life: MessageLife, stores: Sequence[StoreState]) -> Iterator[Span]:
    """The spans of a life, in the order of its steps: those of its messages, and the triggers that
    their puts fired.
    """
    of_stores = [(MessagePuts(store), last_event(store)) for store in stores]
    about = {step.about for _, step in life.steps}
    for number, step in life.steps:
        puts, last = of_stores[number]
        spans = MessageSpans(puts)
        if step.event.kind == "BACKOUT":
            for call in puts.undone_by(step.event):
                if subject_of(call) in about or call.msg_id in about:
                    yield spans.of_backout(step.event, call)
            continue
        yield from spans.of(step.event)
        if step.event.kind == "PUT":
            for trigger in puts.fired_by(step.event, last):
                yield from spans.of(trigger)


def _derived_trace_id(event: TracedEvent) -> str:
    """The trace of a message whose program names none: it is the same in every store that the
    message comes to.
    """
    subject = subject_of(event) or b""
    return sha256(b"mqsc message\0" + subject).hexdigest()[:32]


def _span_id(event: TracedEvent) -> str:
    known = (event.qmgr, str(event.seq), str(event.at), event.kind, (event.msg_id or b"").hex())
    return sha256("\0".join(known).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _span(
    event: TracedEvent,
    own: SpanPlace,
    parent: SpanPlace | None,
    links: tuple[SpanPlace, ...] = (),
) -> Span:
    operation = OPERATIONS[event.kind]
    queue = limited(event.queue or "")
    attributes: dict[str, str | int] = {**SYSTEM, "messaging.operation.name": operation.name}
    if operation.type:
        attributes["messaging.operation.type"] = operation.type
    for column in _COLUMNS:
        value = getattr(event, column)
        if value not in (None, "") and not (isinstance(value, bytes) and not any(value)):
            attributes[semantic_name(column)] = _plain(column, value)
    has_failed = operation.is_failure or (event.kind == "PUBLISH" and event.reason)
    failure = _failure(event) if has_failed else ""
    if failure:
        attributes["error.type"] = failure
    return Span(
        own,
        parent,
        links,
        f"{operation.name} {queue}".rstrip(),
        operation.kind,
        max(event.at, 0),
        event.qmgr,
        attributes,
        failure,
    )


def _failure(event: TracedEvent) -> str:
    if event.reason:
        return next(iter(name_of_code(event.reason)), str(event.reason))
    return limited(event.cause or OPERATIONS[event.kind].name)


def _plain(column: str, value: object) -> str | int:
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, int):
        return iso(value) if column == "expires_at" else value
    return limited(str(value))


def limited(text: str) -> str:
    """A text that a program chose: without control characters, and cut."""
    shown = printable(text).encode("utf-8", "replace").decode("utf-8")
    return shown if len(shown) <= _LONGEST else f"{shown[: _LONGEST - 1]}…"


def resource_of(qmgr: str) -> dict[str, str]:
    """The attributes of the resource that the spans of a queue manager are of."""
    return {"service.name": limited(qmgr), **SYSTEM}


# The flag that says that the flag after it is set: whether a parent is remote.
_HAS_IS_REMOTE, _IS_REMOTE = 0x100, 0x200
_ERROR = 2


def otlp_request(spans: Iterable[Span]) -> dict[str, Any]:
    """The spans as OTLP in JSON: a request with those of each queue manager together."""
    by_manager: dict[str, list[dict[str, Any]]] = {}
    for span in spans:
        by_manager.setdefault(span.qmgr, []).append(_as_json(span))
    scope = {"name": SCOPE, "version": __version__}
    return {
        "resourceSpans": [
            {
                "resource": {
                    "attributes": [attribute(*each) for each in resource_of(qmgr).items()]
                },
                "scopeSpans": [{"scope": scope, "spans": found}],
            }
            for qmgr, found in by_manager.items()
        ],
    }


def _as_json(span: Span) -> dict[str, Any]:
    at = str(span.at * NANOSECONDS_PER_MICROSECOND)
    row: dict[str, Any] = {"traceId": span.place.trace_id, "spanId": span.place.span_id}
    if span.parent is not None:
        row["parentSpanId"] = span.parent.span_id
    row |= {
        "flags": _flags(span.parent),
        "name": span.name,
        "kind": int(span.kind),
        "startTimeUnixNano": at,
        "endTimeUnixNano": at,
        "attributes": [attribute(*each) for each in span.attributes.items()],
    }
    if span.links:
        row["links"] = [
            {"traceId": each.trace_id, "spanId": each.span_id, "flags": _flags(each)}
            for each in span.links
        ]
    row["status"] = {"code": _ERROR, "message": span.failure} if span.failure else {}
    return row


def _flags(place: SpanPlace | None) -> int:
    return _HAS_IS_REMOTE | (_IS_REMOTE if place is not None and place.is_remote else 0)
