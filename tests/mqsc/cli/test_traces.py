"""Messages as spans of OpenTelemetry: `mqsc trace --format otlp` and `mqsc history --otlp`."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.json_format import ParseDict
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTracePartialSuccess,
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.proto.trace.v1.trace_pb2 import SPAN_FLAGS_CONTEXT_IS_REMOTE_MASK, Span, Status

from mqsc.history.message_spans import OPERATIONS
from mqsc.store.client.store import open_store
from mqsc.store.constants import MQGMO, MQOO, MQRO
from mqsc.store.environment import Environment
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.published import KINDS
from tests.mqsc.conftest import Command
from tests.mqsc.session import Session
from tests.store.admin.two_stores import TwoStores, two_stores
from tests.trace_collector import Collector, attributes, collecting

START = 1_700_000_000_000_000
TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
TRACEPARENT = f"00-{TRACE}-{PARENT}-01"
SECRET = "card 4000 1234"
_IDS = ("traceId", "spanId", "parentSpanId")


@pytest.fixture
def collector() -> Iterator[Collector]:
    with collecting() as started:
        yield started


@pytest.fixture
def shop(session: Session) -> Session:
    """An order of a program that is traced, backed out once and then got; and a quote that
    expired.
    """
    session(f"""
        qmgr create SHOP --clock manual
        clock set 2026-03-01T09:00
        DEFINE QLOCAL(ORDERS)
        DEFINE QLOCAL(QUOTES)
        put ORDERS '{SECRET}' --msg-id 4F52 --property traceparent={TRACEPARENT}
        put QUOTES 'two coffees' --expiry 30s --msg-id 51
    """)
    return session


def back_out(tmp_path: Path) -> None:
    """Get the order in a unit of work, and back that out."""
    with open_store(tmp_path / "store.db") as store, store.queue_manager().connect("app") as app:
        app.open("ORDERS", MQOO.INPUT_SHARED).get(GetMessageOptions(MQGMO.SYNCPOINT))
        app.back()


def read(row: Any) -> ExportTraceServiceRequest:
    """A request in OTLP in JSON, where identifiers are hexadecimal, unlike in other JSON of
    protocol buffers.
    """

    def with_base64(value: Any) -> Any:
        if isinstance(value, list):
            return [with_base64(each) for each in value]
        if not isinstance(value, dict):
            return value
        return {
            key: base64.b64encode(bytes.fromhex(each)).decode()
            if key in _IDS
            else with_base64(each)
            for key, each in value.items()
        }

    request = ExportTraceServiceRequest()
    ParseDict(with_base64(row), request)
    return request


def spans_of(request: ExportTraceServiceRequest) -> list[Span]:
    return [
        span
        for resource in request.resource_spans
        for scope in resource.scope_spans
        for span in scope.spans
    ]


def traced(mqsc: Command, msg_id: str, *words: str) -> list[Span]:
    ended = mqsc("trace", msg_id, "--format", "otlp", *words)
    assert (ended.code, ended.err, len(ended.lines)) == (0, "", 1)
    return spans_of(read(json.loads(ended.out)))


@pytest.fixture
def prices(session: Session) -> None:
    """Two subscriptions to prices."""
    session("""
        qmgr create SHOP --clock manual
        clock set 2026-03-01T09:00
        DEFINE QLOCAL(A)
        DEFINE QLOCAL(B)
        DEFINE SUB(A) TOPICSTR('prices/#') DEST(A)
        DEFINE SUB(B) TOPICSTR('prices/#') DEST(B)
    """)


def without_events(collector: Collector) -> list[Span]:
    """The spans of messages that programs put."""
    return [each for each in collector.spans if "SYSTEM." not in each.name]


@pytest.mark.usefixtures("prices")
@pytest.mark.parametrize(
    ("options", "is_one_trace"),
    [
        (("--property", f"traceparent={TRACEPARENT}"), True),
        (("--msg-id", "4F52"), True),
        ((), False),
    ],
)
def test_copies_belong_to_their_publication(
    mqsc: Command, collector: Collector, options: tuple[str, ...], is_one_trace: bool
) -> None:
    """As children where both are in one trace; elsewhere they are linked to it."""
    assert mqsc("put", "--topic", "prices/tea", "3.20", *options).code == 0
    assert mqsc("get", "A").code == 0
    assert mqsc("history", "--otlp", collector.url).code == 0
    publish, *puts, got = without_events(collector)
    assert [each.name for each in (publish, *puts, got)] == [
        "publish prices/tea",
        "put A",
        "put B",
        "get A",
    ]
    assert publish.kind == Span.SPAN_KIND_PRODUCER
    assert attributes(publish)["messaging.destination.name"] == "prices/tea"
    assert (publish.parent_span_id.hex() == PARENT) is ("--property" in options)
    place = publish.trace_id, publish.span_id
    for put in puts:
        is_child = (put.trace_id, put.parent_span_id) == place
        linked = [(link.trace_id, link.span_id) for link in put.links]
        assert (is_child, linked == [place]) == (is_one_trace, not is_one_trace)
    assert (got.trace_id, got.parent_span_id) == (puts[0].trace_id, puts[0].span_id)


@pytest.mark.usefixtures("prices")
def test_copies_that_are_exported_alone_know_their_publication(
    mqsc: Command, collector: Collector
) -> None:
    assert mqsc("put", "--topic", "prices/tea", "3.20", "--msg-id", "4F52").code == 0
    assert mqsc("history", "--otlp", collector.url, "--kind", "PUBLISH").code == 0
    assert mqsc("history", "--otlp", collector.url, "--kind", "PUT").code == 0
    publish, *puts = without_events(collector)
    assert {each.parent_span_id for each in puts} == {publish.span_id}
    life = traced(mqsc, "4F52")
    assert [each.span_id for each in life] == [each.span_id for each in (publish, *puts)]


@pytest.mark.usefixtures("prices")
def test_a_publication_that_fails_is_an_error(mqsc: Command, collector: Collector) -> None:
    assert mqsc("run", "-e", "-c", "ALTER QLOCAL(B) PUT(DISABLED)").code == 0
    put = ("put", "--topic", "prices/tea", "3.20", "--persistent")
    assert mqsc(*put).code != 0
    assert mqsc("history", "--otlp", collector.url).code == 0
    [publish] = [each for each in collector.spans if each.name == "publish prices/tea"]
    assert publish.status.code == Status.STATUS_CODE_ERROR
    assert attributes(publish)["error.type"] == "MQRC_PUBLICATION_FAILURE"


def test_a_life_is_in_the_trace_of_the_program(
    shop: Session, mqsc: Command, collector: Collector, tmp_path: Path
) -> None:
    back_out(tmp_path)
    assert mqsc("get", "ORDERS").code == 0
    shop("clock advance 1m")
    assert mqsc("get", "QUOTES").code == 0
    ended = mqsc("history", "--otlp", collector.url)
    assert (ended.code, ended.out) == (0, "")
    assert f"{len(collector.spans)} spans sent to {collector.url}, up to event" in ended.err
    assert collector.paths == ["/v1/traces"]
    order = [each for each in collector.spans if each.trace_id.hex() == TRACE]
    assert [each.name for each in order] == [
        "put ORDERS",
        "get ORDERS",
        "backout ORDERS",
        "get ORDERS",
    ]
    put, got, backout, again = order
    assert put.parent_span_id.hex() == PARENT
    assert put.flags & SPAN_FLAGS_CONTEXT_IS_REMOTE_MASK
    assert [got.parent_span_id, again.parent_span_id] == [put.span_id, put.span_id]
    assert backout.parent_span_id == got.span_id
    kinds = [Span.SPAN_KIND_PRODUCER, Span.SPAN_KIND_CLIENT, Span.SPAN_KIND_CLIENT]
    assert [each.kind for each in order[:3]] == kinds
    assert backout.status.code == Status.STATUS_CODE_ERROR
    assert attributes(backout)["error.type"] == "application"
    known = attributes(put)
    assert known["messaging.system"] == "ibmmq"
    assert known["messaging.operation.name"] == "put"
    assert known["messaging.operation.type"] == "send"
    assert known["messaging.destination.name"] == "ORDERS"
    assert known["messaging.message.id"] == "4f52".ljust(48, "0")
    assert put.start_time_unix_nano == put.end_time_unix_nano == 1_772_355_600_000_000_000
    (resource,) = {str(each.resource) for each in collector.requests[0].resource_spans}
    assert '"SHOP"' in resource


def test_the_same_event_is_the_same_span(
    shop: Session, mqsc: Command, collector: Collector, tmp_path: Path
) -> None:
    back_out(tmp_path)
    for _ in range(2):
        assert mqsc("history", "--msg-id", "4F52", "--otlp", f"{collector.url}/").code == 0
    first, second = (
        [each.SerializeToString() for each in spans_of(request)] for request in collector.requests
    )
    assert first == second
    assert [each.SerializeToString() for each in traced(mqsc, "4F52")] == first


def test_a_message_without_a_trace_has_one_of_its_own_in_every_store(
    mqsc: Command, tmp_path: Path
) -> None:
    both: TwoStores
    for both in two_stores(tmp_path, Environment.frozen(START), Environment.frozen(START)):
        msg_id = both.put("QM1", "FAR", report=int(MQRO.COD), reply_to_q="ANSWERS")
        both.carry("QM1", "QM2")
        both.get("QM2", "ORDERS")
        both.carry("QM2", "QM1")
    spans = traced(mqsc, msg_id.hex(), "--store", "one.db")
    assert {each.name for each in spans} == {
        *("put QM2", "get QM2", "put ORDERS", "get ORDERS"),
        *("report ORDERS", "put QM1", "get QM1", "put ANSWERS"),
    }
    traces = {each.name: each.trace_id for each in spans}
    there = ("put QM2", "get QM2", "put ORDERS", "get ORDERS", "report ORDERS")
    assert len({traces[name] for name in there}) == 1
    # The report that travels has a MsgId of its own, and names the message in its CorrelId.
    assert len({traces[name] for name in ("put QM1", "get QM1", "put ANSWERS")}) == 1
    (answer,) = (each for each in spans if each.name == "put ANSWERS")
    assert attributes(answer)["messaging.message.conversation_id"] == msg_id.hex()
    assert len({each.span_id for each in spans}) == len(spans)


def test_a_trigger_belongs_to_the_message_that_fired_it(
    shop: Session, mqsc: Command, collector: Collector, tmp_path: Path
) -> None:
    shop("""
        DEFINE QLOCAL(INIT)
        DEFINE PROCESS(P) APPLICID('true')
        DEFINE QLOCAL(WORK) TRIGGER TRIGTYPE(EVERY) INITQ(INIT) PROCESS(P)
    """)
    with open_store(tmp_path / "store.db") as store, store.queue_manager().connect("mon") as app:
        app.open("INIT", MQOO.INPUT_SHARED)
        assert mqsc("put", "WORK", "data", "--msg-id", "5831").code == 0
    spans = traced(mqsc, "5831")
    put, trigger = spans
    assert [put.name, trigger.name] == ["put WORK", "trigger WORK"]
    assert (trigger.trace_id, trigger.parent_span_id) == (put.trace_id, put.span_id)
    assert mqsc("history", "--otlp", collector.url).code == 0
    (made,) = (each for each in collector.spans if each.name == "put INIT")
    (link,) = trigger.links
    assert (link.trace_id, link.span_id) == (made.trace_id, made.span_id)
    assert trigger.SerializeToString() in [each.SerializeToString() for each in collector.spans]


def test_expiry_and_dead_letters(shop: Session, mqsc: Command, collector: Collector) -> None:
    shop("""
        DEFINE QLOCAL(DLQ)
        DEFINE QLOCAL(POISON) BOTHRESH(1) BOQNAME(DLQ)
        clock advance 1m
    """)
    assert mqsc("get", "QUOTES").code == 0
    assert mqsc("history", "QUOTES", "--otlp", collector.url).code == 0
    put, expired = collector.spans
    assert [put.name, expired.name] == ["put QUOTES", "expire QUOTES"]
    assert (expired.trace_id, expired.parent_span_id) == (put.trace_id, put.span_id)
    assert attributes(expired)["mqsc.cause"] == "get"


def test_no_data_and_nothing_that_a_message_can_say_goes_out(
    shop: Session, mqsc: Command, collector: Collector, tmp_path: Path
) -> None:
    mqsc("history", "keep", "*")
    with (
        open_store(tmp_path / "store.db") as store,
        store.queue_manager().connect("app\x1b[31m" + "x" * 20) as connection,
    ):
        handle = connection.create_message_handle()
        handle.set("traceparent", "00-\x1b[2J")
        handle.set("password", "hunter2")
        connection.put1(
            "ORDERS", Message(SECRET.encode()), PutMessageOptions(message_handle=handle)
        )
        connection.open("ORDERS", MQOO.INPUT_SHARED).get()
    mqsc("get", "ORDERS")
    assert mqsc("history", "--otlp", collector.url).code == 0
    sent = b"".join(each.SerializeToString() for each in collector.requests)
    for text in (SECRET, "hunter2", "\x1b[", "password"):
        assert text.encode() not in sent
    applications = {attributes(each).get("process.executable.name") for each in collector.spans}
    assert "app\\x1b[31m" + "x" * 20 in applications


def test_every_operation_is_a_kind_of_event() -> None:
    assert OPERATIONS.keys() <= KINDS.keys()


@pytest.mark.parametrize(
    ("status", "why"),
    [
        (302, "302 Found"),
        (400, "400 Bad Request"),
        (401, "401 Unauthorized"),
        (503, "503 Service Unavailable"),
    ],
)
def test_a_collector_that_refuses(
    shop: Session, mqsc: Command, collector: Collector, status: int, why: str
) -> None:
    collector.status = status
    collector.headers = {"Retry-After": "100"}
    ended = mqsc("history", "--kind", "PUT", "--otlp", collector.url)
    assert (ended.code, ended.out) == (10, "")
    assert why in ended.err
    assert "0 spans sent to" in ended.err
    assert "--since 2026-03-01T09:00:00Z" in ended.err
    # Sent again from there, nothing is missing.
    collector.status = 200
    arguments = ("--kind", "PUT", "--since", "2026-03-01T09:00:00Z", "--otlp", collector.url)
    assert mqsc("history", *arguments).code == 0
    assert {"put ORDERS", "put QUOTES"} <= {each.name for each in collector.spans}


def test_a_collector_that_is_away(shop: Session, mqsc: Command, monkeypatch: Any) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "0.2")
    with collecting() as gone:
        url = gone.url
    ended = mqsc("history", "ORDERS", "--otlp", url)
    assert (ended.code, ended.out) == (10, "")
    assert "1 span of event" in ended.err
    assert "Connection refused" in ended.err
    assert "Traceback" not in ended.err


def test_a_collector_that_rejects_some_spans(
    shop: Session, mqsc: Command, collector: Collector
) -> None:
    said = ExportTracePartialSuccess(rejected_spans=1, error_message="too \x1b[31mold")
    collector.answer = ExportTraceServiceResponse(partial_success=said).SerializeToString()
    ended = mqsc("history", "ORDERS", "--otlp", collector.url)
    assert (ended.code, ended.out) == (10, "")
    assert "1 span rejected: too \\x1b[31mold" in ended.err


def test_requests_have_a_limit(
    shop: Session, mqsc: Command, collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mqsc.history import span_export

    monkeypatch.setattr(span_export, "BATCH", 2)
    for _ in range(4):
        mqsc("put", "ORDERS", "more")
    assert mqsc("history", "ORDERS", "--otlp", collector.url).code == 0
    assert [len(spans_of(each)) for each in collector.requests] == [2, 2, 1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--otlp", "localhost:4318"), "is not the URL of a collector"),
        (("--otlp", "http://"), "is not the URL of a collector"),
        (("--otlp", "http://x:99999"), "is not the URL of a collector"),
        (("--otlp", "http://\x1b[31m"), "is not the URL of a collector"),
        (("--otlp", "http://user:secret@x"), "OTEL_EXPORTER_OTLP_HEADERS"),
        (("--otlp", "http://x", "--format", "json"), "leave --format, --data out"),
        (("--otlp", "http://x", "--data"), "leave --format, --data out"),
    ],
)
def test_what_cannot_be_sent(
    shop: Session, mqsc: Command, arguments: tuple[str, ...], said: str
) -> None:
    ended = mqsc("history", *arguments)
    assert ended.code == 20
    assert said in ended.err
    assert "secret" not in ended.err
