"""A collector of OpenTelemetry in this process: an HTTP server that reads the requests in protocol
buffers.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

# Much longer than needed even on a slow machine, so reaching it is a failure.
PATIENCE_SECONDS = 60.0


class Collector:
    """What was sent to the collector at `url`; it answers with `status`, `headers` and `answer`."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.status = 200
        self.headers: dict[str, str] = {}
        self.answer = b""
        self.paths: list[str] = []
        self.requests: list[ExportTraceServiceRequest] = []
        self.arrived: Queue[ExportTraceServiceRequest] = Queue()

    @property
    def spans(self) -> list[Span]:
        """The spans of all requests, in order."""
        return [
            span
            for request in self.requests
            for resource in request.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]

    def next_request(self) -> ExportTraceServiceRequest:
        """Wait for the next request."""
        return self.arrived.get(timeout=PATIENCE_SECONDS)


def attributes(span: Any) -> dict[str, object]:
    """The attributes of a span, or of a resource."""
    return {
        each.key: getattr(each.value, str(each.value.WhichOneof("value")))
        for each in span.attributes
    }


@contextmanager
def collecting() -> Iterator[Collector]:
    """A collector on a free port of this machine, for the block."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            request = ExportTraceServiceRequest.FromString(body)
            collector.paths.append(self.path)
            if collector.status == 200:
                collector.requests.append(request)
            self.send_response(collector.status)
            for header in collector.headers.items():
                self.send_header(*header)
            self.send_header("Content-Length", str(len(collector.answer)))
            self.end_headers()
            self.wfile.write(collector.answer)
            collector.arrived.put(request)

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        collector = Collector(f"http://127.0.0.1:{server.server_address[1]}")
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield collector
        finally:
            server.shutdown()
            thread.join()
