"""A small mqweb on a store of ours, for targets over REST; it can also answer badly."""

from __future__ import annotations

import json
import re
import socket
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import mqsc
from mqsc.language.reply import Reply
from mqsc.script import run
from mqsc.store.catalog import KINDS
from mqsc.store.catalog.types import Flag

USER, PASSWORD = "admin", "s3cret"
AUTHORIZATION = "Basic YWRtaW46czNjcmV0"
# The status, the body, and how many bytes of it are sent.
Answer = tuple[int, bytes, int | None]
_PATH = re.compile(r"/ibmmq/rest/v2/admin/action/qmgr/([^/]+)/mqsc")
_FLAGS = {
    row.keyword: row.type
    for kind in KINDS.values()
    for row in kind.attributes.values()
    if isinstance(row.type, Flag) and row.type.off
}


class Mqweb:
    """The server: `commands` are the bodies that it got; what `answer` gives for one takes the place
    of its own answer, unless it is None.
    """

    def __init__(self, store: str, certificate: Path | None = None) -> None:
        self.store = store
        self.commands: list[Mapping[str, Any]] = []
        self.answer: Callable[[Mapping[str, Any]], Answer | None] = lambda _: None
        self.ended = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        scheme = "http"
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate, certificate)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
            scheme = "https"
        self.url = f"{scheme}://127.0.0.1:{self._server.server_address[1]}"

    @contextmanager
    def running(self) -> Iterator[Mqweb]:
        """Serve for the block."""
        thread = threading.Thread(target=self._server.serve_forever)
        thread.start()
        try:
            yield self
        finally:
            self.ended.set()
            self._server.shutdown()
            self._server.server_close()
            thread.join()

    @property
    def sent(self) -> list[str]:
        """The commands that came as text."""
        texts = (each for each in self.commands if each["type"] == "runCommand")
        return [each["parameters"]["command"] for each in texts]

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        mqweb = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                status, body, length = mqweb._answer(self)
                self.send_response(status)
                self.send_header("Content-Type", "application/json;charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                with suppress(OSError):
                    self.wfile.write(body[:length])
                self.close_connection = length is not None
                if length is not None:
                    self.connection.shutdown(socket.SHUT_WR)

            def log_message(self, *_: object) -> None:
                pass

        return Handler

    def _answer(self, request: BaseHTTPRequestHandler) -> Answer:
        body = json.loads(request.rfile.read(int(request.headers["Content-Length"])))
        self.commands.append(body)
        other = self.answer(body)
        if other is not None:
            return other
        if request.headers["Authorization"] != AUTHORIZATION:
            return refused(401, "MQWB0104E")
        if request.headers["ibm-mq-rest-csrf-token"] is None:
            return refused(403, "MQWB0100E")
        path = _PATH.fullmatch(request.path)
        if path is None:
            return refused(404, "MQWB0116E")
        qmgr = unquote(path[1])
        with mqsc.open_store(self.store) as store:
            if qmgr not in {each.name for each in store.queue_managers()}:
                return refused(404, "MQWB0009E")
            (reply,) = run(store.queue_manager(qmgr), _command(body))
        items = _texts(reply) if body["type"] == "runCommand" else _objects(reply)
        return 200, json.dumps({"commandResponse": items}).encode(), None


def refused(status: int, message_id: str, message: str = "no") -> Answer:
    error = {"msgId": message_id, "message": f"{message_id}: {message}", "type": "rest"}
    return status, json.dumps({"error": [error]}).encode(), None


def _command(body: Mapping[str, Any]) -> str:
    if body["type"] == "runCommand":
        return str(body["parameters"]["command"])
    name = f"('{body['name']}')" if "name" in body else ""
    given = "".join(f" {word}({value})" for word, value in body.get("parameters", {}).items())
    return f"DISPLAY {body['qualifier']}{name}{given} {' '.join(body['responseParameters'])}"


def _texts(reply: Reply) -> list[dict[str, object]]:
    said = f"{reply.message_id}: {reply.text}"
    codes = {"completionCode": reply.completion, "reasonCode": reply.reason}
    if not reply.rows:
        return [codes | {"text": [said]}]
    shown = ("   ".join(f"{word}({value})" for word, value in row.items()) for row in reply.rows)
    return [codes | {"text": [f"{said}   {text}"]} for text in shown]


def _objects(reply: Reply) -> list[dict[str, object]]:
    codes = {"completionCode": reply.completion, "reasonCode": reply.reason}
    if not reply.rows:
        return [codes | {"message": [f"{reply.message_id}: {reply.text}"]}]
    return [
        codes | {"parameters": {word.lower(): _shown(word, row[word]) for word in reversed(row)}}
        for row in reply.rows
    ]


def _shown(word: str, value: Any) -> Any:
    """A flag is YES or NO; the other values are as they are."""
    flag = _FLAGS.get(word)
    if flag is None or value not in flag.words:
        return value
    return "YES" if value == flag.on else "NO"
