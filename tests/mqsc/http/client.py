"""A client of HTTP for tests: one request, one reply."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPMessage
from typing import Any
from urllib.parse import urlsplit

from mqsc.http.server import Listening, served
from mqsc.store.client.store import Store

CSRF = "ibm-mq-rest-csrf-token"
ADM, RDR, APP = "adm", "rdr", "app"
PASSWORD = "secret"
V1, V2, V3 = (f"/ibmmq/rest/{version}" for version in ("v1", "v2", "v3"))


@dataclass(frozen=True)
class Answer:
    """The status, the headers and the body of an answer."""

    status: int
    headers: HTTPMessage
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def error(self) -> tuple[int, str, int, int]:
        """The status, id and codes of an error in IBM's form."""
        (error,) = self.json["error"]
        assert error["type"] == "rest"
        assert error["message"].startswith(f"{error['msgId']}: ")
        return self.status, error["msgId"], error["completionCode"], error["reasonCode"]

    @property
    def items(self) -> list[dict[str, Any]]:
        return list(self.json["commandResponse"])

    @property
    def overall(self) -> tuple[int, int]:
        return self.json["overallCompletionCode"], self.json["overallReasonCode"]


def basic(user: str, password: str = PASSWORD) -> str:
    """The value of the header Authorization."""
    return f"Basic {b64encode(f'{user}:{password}'.encode()).decode()}"


class Client:
    """Sends requests to a server."""

    def __init__(self, url: str) -> None:
        self.url = url
        parts = urlsplit(url)
        self.host = parts.hostname or ""
        self.port = parts.port or 0

    def send(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """A request with these headers alone."""
        connection = HTTPConnection(self.host, self.port, timeout=60)
        try:
            connection.request(method, path, body, dict(headers or {}))
            response = connection.getresponse()
            return Answer(response.status, response.headers, response.read())
        finally:
            connection.close()

    def __call__(
        self,
        method: str,
        path: str,
        body: object = None,
        user: str = ADM,
        **headers: str,
    ) -> Answer:
        """A request with the password and the header against forgery. A `body` that is no bytes is
        sent as JSON; `_` in names of headers stands for `-`.
        """
        sent = {"Authorization": basic(user), CSRF: ""}
        content = body if isinstance(body, bytes) else None
        if body is not None and content is None:
            content = json.dumps(body).encode()
            sent["Content-Type"] = "application/json"
        elif content is not None:
            sent["Content-Type"] = "text/plain"
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        return self.send(method, path, content, sent)

    def text(self, command: str, qmgr: str = "QM1", user: str = ADM, **headers: str) -> Answer:
        """A command of MQSC as text."""
        body = {"type": "runCommand", "parameters": {"command": command}}
        return self("POST", f"{V2}/admin/action/qmgr/{qmgr}/mqsc", body, user, **headers)

    def command(
        self,
        verb: str,
        qualifier: str,
        name: str | None = None,
        qmgr: str = "QM1",
        user: str = ADM,
        **fields: Any,
    ) -> Answer:
        """A command of MQSC in JSON."""
        body: dict[str, Any] = {"type": "runCommandJSON", "command": verb, "qualifier": qualifier}
        body |= fields if name is None else {"name": name, **fields}
        return self("POST", f"{V2}/admin/action/qmgr/{qmgr}/mqsc", body, user)

    def token(self, user: str = ADM, password: str = PASSWORD, **headers: str) -> str:
        """The token of a login."""
        answer = self.log_in(user, password, **headers)
        assert answer.status == 204
        return answer.headers["Set-Cookie"].partition(";")[0].partition("=")[2]

    def log_in(self, user: str = ADM, password: str = PASSWORD, **headers: str) -> Answer:
        body = json.dumps({"username": user, "password": password}).encode()
        return self.send(
            "POST", f"{V2}/login", body, {"Content-Type": "application/json", **headers}
        )

    def with_token(self, token: str, method: str = "GET", path: str = f"{V2}/login") -> Answer:
        return self.send(method, path, None, {"Cookie": f"LtpaToken2={token}", CSRF: "x"})


@contextmanager
def client_of(store: Store, lines: list[str] | None = None, **options: Any) -> Iterator[Client]:
    """A client of a server on the store; the server's output is added to `lines`."""
    log = [] if lines is None else lines
    with served(store, Listening("127.0.0.1", 0, **options), log.append) as url:
        yield Client(url)
