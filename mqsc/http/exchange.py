"""One request, with what the function of a resource reads of it: the caller, the names in the URL,
the query and the body.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar
from urllib.parse import parse_qsl, unquote

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Scope

from mqsc.http import contract
from mqsc.http.bodies import read_body
from mqsc.http.callers import Caller, Callers, Claim
from mqsc.http.connections import Connections
from mqsc.http.errors import RestError, invalid
from mqsc.http.workers import Workers
from mqsc.store.client.store import Store

Result = TypeVar("Result")
JSON = "application/json;charset=utf-8"


class Service(Struct, eq=False):
    """What all requests share. `is_stopping` is set when the server stops; `log` writes a line;
    `exposition` returns the metrics, in a format that a header Accept allows; `description` is the
    OpenAPI document.
    """

    store: Store
    workers: Workers
    callers: Callers
    connections: Connections
    most_bytes: int
    log: Callable[[str], None]
    is_stopping: asyncio.Event
    exposition: Callable[[str], tuple[str, bytes]]
    description: Mapping[str, Any]


def headers_of(scope: Scope) -> dict[str, str]:
    """The headers of a request by their names in lower case; the first one of a name counts."""
    return {
        name.decode("latin-1"): value.decode("latin-1")
        for name, value in reversed(scope["headers"])
    }


class Exchange:
    """A request to a resource, after its credentials were checked."""

    def __init__(
        self,
        request: Request,
        service: Service,
        headers: Mapping[str, str],
        claim: Claim | None,
        roles: frozenset[str],
    ) -> None:
        self.request = request
        self.service = service
        self.headers = headers
        self.claim = claim
        self.version = str(request.path_params.get("version", contract.VERSIONS[-1]))
        self.query: Mapping[str, str] = {}
        self._roles = roles

    def name(self, parameter: str) -> str:
        """A name in the path, percent-decoded once; blank if the path does not have it.

        RestError 400 for a text that cannot be the name of an object.
        """
        text = self.request.path_params.get(parameter)
        if text is None:
            return ""
        try:
            name = unquote(text, errors="strict")
        except UnicodeDecodeError:
            raise invalid(f"the name '{text}' in the URL is not UTF-8") from None
        if not name.isprintable() or ".." in name.split("/"):
            raise invalid(f"the name '{name}' in the URL is not one of an object")
        return name

    def read_query(self, allowed: Sequence[str]) -> None:
        """Read the query; RestError 400 for a parameter that is not allowed or is given twice."""
        text = self.request.scope["query_string"]
        if not text:
            return
        try:
            pairs = parse_qsl(text.decode("ascii"), keep_blank_values=True, errors="strict")
        except ValueError:
            raise invalid("the query is not UTF-8") from None
        for name, _ in pairs:
            if name not in allowed:
                known = f"it takes {', '.join(allowed)}" if allowed else "it takes none"
                raise invalid(f"the resource has no parameter '{name}': {known}")
        self.query = dict(pairs)
        if len(self.query) < len(pairs):
            raise invalid("a parameter of the query is there twice")

    async def body(self) -> bytes:
        """The body of the request."""
        return await read_body(self.request, self.headers, self.service.most_bytes)

    async def in_thread(
        self,
        function: Callable[[Caller], Result],
        *,
        writes: bool = False,
    ) -> Result:
        """Call the function in a thread, with the caller and the roles that the store then has for it.

        RestError 401 or 403 if the caller may not, or may no longer, use the resource.
        """
        return await self.service.workers.call(lambda: function(self.caller()), writes=writes)

    def caller(self) -> Caller:
        """The caller as the store knows it now. Called in a thread."""
        if self.claim is None:
            raise RestError(401, contract.NOT_AUTHENTICATED, "there are no credentials")
        caller = self.service.callers.caller(self.claim)
        if self._roles.isdisjoint(caller.roles):
            needed = " or ".join(sorted(self._roles))
            detail = f"{caller.user} needs the role {needed}"
            raise RestError(403, contract.ROLE_MISSING, detail)
        return caller


def json_response(
    value: object,
    status: int = 200,
    headers: Sequence[tuple[str, str]] = (),
) -> Response:
    """An answer in JSON."""
    return response(status, msgspec.json.encode(value), JSON, headers)


def response(
    status: int,
    body: bytes = b"",
    media_type: str | None = None,
    headers: Sequence[tuple[str, str]] = (),
) -> Response:
    """An answer with these headers; several may have the same name."""
    answer = Response(body, status)
    if media_type is not None:
        answer.raw_headers.append((b"content-type", media_type.encode("latin-1")))
    for name, value in headers:
        answer.raw_headers.append((name.lower().encode("latin-1"), value.encode("latin-1")))
    return answer
