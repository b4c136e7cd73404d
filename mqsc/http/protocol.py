"""The protocol of one connection: uvicorn's, with limits that it does not have (rest §6)."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from mqsc.http.errors import RestError, busy, invalid
from mqsc.http.exchange import JSON

MOST_CONNECTIONS = 1000
HEADER_SECONDS = 10.0
_TOO_LONG = 431


class LimitedProtocol(H11Protocol):
    """Ends connections whose headers do not arrive in time, refuses those beyond the most, and
    answers what is no HTTP in the form of the REST API.
    """

    _header_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        if len(self.connections) > MOST_CONNECTIONS:
            self._refuse(busy("there are too many connections"))
            return
        self._start_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop_timer()
        elif self._header_timer is None:
            self._start_timer()

    def on_response_complete(self) -> None:
        self._stop_timer()
        super().on_response_complete()

    def _start_timer(self) -> None:
        self._header_timer = self.loop.call_later(HEADER_SECONDS, self._end_late)

    def _stop_timer(self) -> None:
        if self._header_timer is not None:
            self._header_timer.cancel()
            self._header_timer = None

    def _end_late(self) -> None:
        detail = f"the headers did not arrive in {HEADER_SECONDS:g} s"
        self._refuse(RestError(408, "MQSC0605E", detail))

    def send_400_response(self, msg: str) -> None:
        """Refuse what h11 cannot read; called while its error is handled."""
        error = sys.exception()
        status = error.error_status_hint if isinstance(error, h11.RemoteProtocolError) else 400
        if status == _TOO_LONG:
            self._refuse(RestError(_TOO_LONG, "MQSC0604E", "the headers are too long"))
        else:
            self._refuse(invalid("it is not HTTP/1.1"))

    def _refuse(self, error: RestError) -> None:
        """Send the error, unless an answer has begun, and close the connection."""
        if self.transport.is_closing():
            return
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            body = error.body()
            headers = [
                ("content-type", JSON),
                ("content-length", str(len(body))),
                ("connection", "close"),
                *error.headers,
            ]
            lines = [f"HTTP/1.1 {error.status} ", *(f"{name}: {value}" for name, value in headers)]
            self.transport.write("\r\n".join((*lines, "", "")).encode() + body)
        self.transport.close()
