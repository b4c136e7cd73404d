"""The application that uvicorn calls: what holds for every request, whatever its resource."""

from __future__ import annotations

import ipaddress
from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import lru_cache
from itertools import count
from urllib.parse import urlsplit

from starlette.convertors import Convertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, Router
from starlette.types import Message, Receive, Scope, Send

from mqsc.http import contract
from mqsc.http.bodies import UNREAD, drop_rest
from mqsc.http.callers import Claim
from mqsc.http.errors import RestError, error_of_store
from mqsc.http.exchange import JSON, Exchange, Service, headers_of, response
from mqsc.http.routes import OPERATIONS, Operation
from mqsc.http.traffic import Traffic
from mqsc.store.environment import elapsed_real_seconds
from mqsc.store.error import MQError, StoreError

_LONGEST_URL = 8192
_HEADERS = [
    (b"cache-control", b"no-store"),
    (b"content-language", b"en-US"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
]
LOCAL_NAMES = frozenset(("localhost", "127.0.0.1", "::1"))
_LOGGED = frozenset((401, 403, 408, 413, 421, 429))
_SERVER_FAULT = 500
_HOSTS_REMEMBERED = 64


class _Version(Convertor[str]):
    regex = "|".join(contract.VERSIONS)

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


class _FirstKind(_Version):
    regex = "queue|subscription|channel"


class _FileTransfer(_Version):
    regex = "mft/.*|mft|agent|transfer|monitor"


register_url_convertor("version", _Version())
register_url_convertor("v1_kind", _FirstKind())
register_url_convertor("file_transfer", _FileTransfer())


class Application:
    """Checks what all requests have in common, finds the resource, and turns errors into answers."""

    def __init__(self, service: Service, hosts: Iterable[str], traffic: Traffic) -> None:
        self._service = service
        self._hosts = LOCAL_NAMES | {name.lower() for name in hosts}
        self._traffic = traffic
        self._faults = count(1)
        self._router = Router(self._routes(), redirect_slashes=False)

    def _routes(self) -> list[Route]:
        """A route for each path with all its methods: another method is answered with 405, a path
        that does not exist with 404.
        """
        by_path: dict[str, dict[str, Operation]] = {}
        for operation in OPERATIONS:
            by_path.setdefault(operation.path, {})[operation.method] = operation
        return [
            Route(
                path.replace("{version}", "{version:version}"),
                self._endpoint(operations),
                methods=[*operations],
            )
            for path, operations in by_path.items()
        ]

    def _endpoint(
        self,
        operations: dict[str, Operation],
    ) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            method = "GET" if request.method == "HEAD" else request.method
            return await self._answer(operations[method], request)

        return endpoint

    async def _answer(self, operation: Operation, request: Request) -> Response:
        """The answer of a resource, after the checks that come before it."""
        request.scope["mqsc.operation"] = operation
        headers = headers_of(request.scope)
        claim = await self._claim(operation, request, headers)
        if operation.needs_csrf and contract.CSRF_HEADER not in headers:
            raise RestError(403, contract.CSRF_MISSING)
        exchange = Exchange(request, self._service, headers, claim, operation.roles)
        # A resource that is refused is so whatever IBM's query asks of it.
        if not operation.is_refused:
            exchange.read_query(operation.query)
        return await operation.endpoint(exchange)

    async def _claim(
        self,
        operation: Operation,
        request: Request,
        headers: Mapping[str, str],
    ) -> Claim | None:
        if not operation.roles:
            return None
        address = request.client.host if request.client else ""
        claim = await self._service.callers.claim(headers, address)
        request.scope["mqsc.user"] = claim.user
        return claim

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request. Errors become answers; one after the answer has begun ends the
        connection, so that the client sees that the answer is cut.
        """
        began = elapsed_real_seconds()
        status = 0

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], *_HEADERS]
            await send(message)

        try:
            self._check(scope)
            await self._router(scope, receive, send_with_headers)
        except Exception as error:
            if status:
                self._log_fault(scope, error)
                raise
            await self._refuse(scope, receive, send_with_headers, error)
        finally:
            self._record(scope, status, elapsed_real_seconds() - began)

    def _check(self, scope: Scope) -> None:
        """RestError for a URL that is too long, or a server of another name; the path is left as
        it came, so that a name in it may have a slash.
        """
        raw = scope["raw_path"]
        if len(raw) + len(scope["query_string"]) > _LONGEST_URL:
            raise RestError(414, "MQSC0604E", f"the URL has more than {_LONGEST_URL} bytes")
        path = raw.decode("ascii", "replace")
        scope["path"] = path[:-1] if path.endswith("/") and path != "/" else path
        # Starlette raises for a path or a method that it does not know, as for any application.
        scope["app"] = self
        hosts = [value for name, value in scope["headers"] if name == b"host"]
        for host in hosts:
            self._check_host(host.decode("latin-1"))

    def _check_host(self, host: str) -> None:
        """RestError 421 for the name of another server: its site has pointed its name here. An
        address cannot be pointed.
        """
        name = _name_of(host)
        if name not in self._hosts and not _is_address(name):
            raise RestError(421, "MQSC0603E", host)

    async def _refuse(
        self,
        scope: Scope,
        receive: Receive,
        send: Send,
        error: Exception,
    ) -> None:
        refusal = self._refusal(scope, error)
        answer = response(refusal.status, refusal.body(), JSON, refusal.headers)
        if not scope.get(UNREAD, False):
            await answer(scope, receive, send)
            return
        start = {"status": refusal.status, "headers": answer.raw_headers}
        await send({"type": "http.response.start", **start})
        await send({"type": "http.response.body", "body": answer.body, "more_body": True})
        await drop_rest(receive)
        await send({"type": "http.response.body", "body": b""})

    def _refusal(self, scope: Scope, error: Exception) -> RestError:
        """The error that an exception is answered with."""
        if isinstance(error, RestError):
            return error
        if isinstance(error, HTTPException):
            return _of_router(scope, error)
        if isinstance(error, (MQError, StoreError)):
            return error_of_store(error)
        return RestError(500, "MQWB0000E", str(self._log_fault(scope, error)))

    def _log_fault(self, scope: Scope, error: Exception) -> int:
        """Log an error of ours, without what the request said; returns its number."""
        from traceback import extract_tb

        number = next(self._faults)
        where = extract_tb(error.__traceback__)[-1]
        place = f"{where.filename}, line {where.lineno}"
        self._service.log(f"error {number}: {type(error).__name__} in {place}")
        return number

    def _record(self, scope: Scope, status: int, seconds: float) -> None:
        """Count the request, and log one that was refused or failed."""
        operation: Operation | None = scope.get("mqsc.operation")
        route = operation.path if operation is not None else "other"
        self._traffic.add(route, status, seconds)
        if status in _LOGGED or status >= _SERVER_FAULT:
            user = scope.get("mqsc.user", "-")
            line = f"{scope['method']} {scope['path']} {status} {user} {seconds * 1000:.0f} ms"
            self._service.log(line)


@lru_cache(maxsize=_HOSTS_REMEMBERED)
def _name_of(host: str) -> str:
    """The name in a header Host, in lower case and without the port."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return host


def _of_router(scope: Scope, error: HTTPException) -> RestError:
    if error.status_code == 405:
        headers = [("Allow", (error.headers or {}).get("Allow", ""))]
        return RestError(405, "MQSC0607E", scope["method"], headers=headers)
    return RestError(404, contract.UNKNOWN_URL, scope["path"])


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
