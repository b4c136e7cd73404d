"""Sends the spans of events to a collector of OpenTelemetry, with the exporter of its SDK."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import requests
from google.protobuf.message import DecodeError
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.util.instrumentation import InstrumentationScope
from opentelemetry.trace import Link, SpanContext, SpanKind, Status, StatusCode, TraceFlags

from mqsc.console.parameters import iso
from mqsc.console.target import CommandFailedError
from mqsc.console.terminal import printable
from mqsc.console.text.reasons import counted
from mqsc.history.message_spans import (
    NANOSECONDS_PER_MICROSECOND,
    SCOPE,
    MessageSpans,
    Span,
    SpanPlace,
    resource_of,
)
from mqsc.store.rules.message_trace import TracedEvent
from mqsc.version import __version__

# Where collectors take traces, below the address that their documentation names.
_PATH = "/v1/traces"
# The most spans in a request; as many as the SDK sends at once by default.
BATCH = 512
# The SDK repeats a request that a collector may take later, for at most ten seconds in all, or what
# OTEL_EXPORTER_OTLP_TIMEOUT says.
_LOGGERS = ("opentelemetry", "urllib3")
_LONGEST_REASON = 300
_ERROR_NUMBER = re.compile(r"""\[Errno -?[0-9]+\] ([^"')]+)""")


class SpanExport:
    """Collects the spans of events in order, and sends them.

    `sent` is the number of spans that the collector has taken, `last` that of the last event they
    are of.
    """

    def __init__(self, url: str, spans: MessageSpans) -> None:
        self.sent = self.last = 0
        self._url = url
        self._spans = spans
        self._session = _Session()
        self._exporter = OTLPSpanExporter(endpoint=endpoint_of(url), session=self._session)
        self._waiting: list[Span] = []
        self._events: list[tuple[int, int]] = []
        self._resources: dict[str, Resource] = {}

    def take(self, event: TracedEvent) -> None:
        """Take an event; CommandFailedError, as for `send`, if a request was due and failed."""
        for span in self._spans.of(event):
            self._waiting.append(span)
            self._events.append((event.seq, event.at))
            if len(self._waiting) >= BATCH:
                self.send()

    def send(self) -> None:
        """Send the spans that wait; CommandFailedError that says which if the collector does not
        take them.
        """
        if not self._waiting:
            return
        with _silent_loggers():
            self._exporter.export([self._of_sdk(each) for each in self._waiting])
        problem = self._session.problem()
        if problem:
            raise CommandFailedError(self._unsent(problem))
        self.sent += len(self._waiting)
        self.last = self._events[-1][0]
        self._waiting.clear()
        self._events.clear()

    def end(self) -> None:
        """CommandFailedError if there are spans that the collector has not confirmed, because the
        program was interrupted.
        """
        self._exporter.shutdown()  # type: ignore[no-untyped-call]
        if self._waiting:
            raise CommandFailedError(self._unsent("interrupted"))

    def _unsent(self, why: str) -> str:
        first, last = self._events[0][0], self._events[-1][0]
        events = f"event {first}" if first == last else f"events {first} to {last}"
        since = iso(min(at for _, at in self._events))
        return (
            f"{counted(len(self._waiting), 'span')} of {events} not sent to {self._url}: {why}; "
            f"send again from there with --since {since}"
        )

    def _of_sdk(self, span: Span) -> ReadableSpan:
        resource = self._resources.get(span.qmgr)
        if resource is None:
            resource = self._resources[span.qmgr] = Resource(resource_of(span.qmgr))
        at = span.at * NANOSECONDS_PER_MICROSECOND
        return ReadableSpan(
            span.name,
            context=_context(span.place),
            parent=None if span.parent is None else _context(span.parent),
            resource=resource,
            attributes=span.attributes,
            links=[Link(_context(each)) for each in span.links],
            kind=SpanKind[span.kind.name],
            status=Status(StatusCode.ERROR, span.failure) if span.failure else Status(),
            start_time=at,
            end_time=at,
            instrumentation_scope=InstrumentationScope(SCOPE, __version__),
        )


def endpoint_of(url: str) -> str:
    """The address that takes traces: a URL without a path is that of the collector as a whole."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(path=_PATH)) if parts.path in ("", "/") else url


def _context(place: SpanPlace) -> SpanContext:
    trace_id, span_id = int(place.trace_id, 16), int(place.span_id, 16)
    return SpanContext(trace_id, span_id, place.is_remote, TraceFlags(TraceFlags.SAMPLED))


class _Session(requests.Session):
    """Remembers how the last request ended: the exporter says only whether all went well, and takes
    a redirection, and spans that a collector rejects one by one, for success.
    """

    def __init__(self) -> None:
        super().__init__()
        self._response: requests.Response | None = None
        self._error: Exception | None = None

    def request(self, *arguments: Any, **named: Any) -> requests.Response:
        """Make a request; raises as requests does."""
        self._response = self._error = None
        try:
            self._response = super().request(*arguments, **named)
        except requests.RequestException as error:
            self._error = error
            raise
        return self._response

    def problem(self) -> str:
        """Why the last request was not taken as a whole; blank if it was."""
        response = self._response
        if response is None:
            return _innermost(self._error) if self._error else "the spans could not be encoded"
        if response.status_code != requests.codes.ok:
            return printable(f"{response.status_code} {response.reason}")[:_LONGEST_REASON]
        try:
            partial = ExportTraceServiceResponse.FromString(response.content).partial_success
        except DecodeError:
            # Some collectors answer with a page, or nothing in particular, and have taken it all.
            return ""
        if not partial.rejected_spans:
            return ""
        words = printable(partial.error_message)[:_LONGEST_REASON]
        return f"{counted(partial.rejected_spans, 'span')} rejected: {words}"


def _innermost(error: Exception) -> str:
    """The reason of an error of requests, which nests those of other libraries."""
    if isinstance(error, requests.Timeout):
        return "no answer in ten seconds, or in OTEL_EXPORTER_OTLP_TIMEOUT"
    text = str(error)
    cause = _ERROR_NUMBER.search(text)
    return printable(cause[1] if cause else text.split("\n")[0])[:_LONGEST_REASON]


@contextmanager
def _silent_loggers() -> Iterator[None]:
    """Let the libraries print nothing for the block: what they would say is said once."""
    with ExitStack() as held:
        for name in _LOGGERS:
            held.enter_context(_silent(logging.getLogger(name)))
        yield


@contextmanager
def _silent(logger: logging.Logger) -> Iterator[None]:
    was, nothing = logger.propagate, logging.NullHandler()
    logger.propagate = False
    logger.addHandler(nothing)
    try:
        yield
    finally:
        logger.removeHandler(nothing)
        logger.propagate = was
