"""`login`: a token for a user and a password (rest §2)."""

from __future__ import annotations

from starlette.responses import Response

from mqsc.http.callers import Caller
from mqsc.http.content_types import require_json
from mqsc.http.contract import TOKEN_COOKIE
from mqsc.http.exchange import Exchange, json_response, response
from mqsc.http.json_body import object_of, text_of
from mqsc.http.tokens import NO_ACCOUNT, token_in

_COOKIE = "Path=/; HttpOnly; SameSite=Strict"
_FIELDS = ("username", "password")


async def log_in(exchange: Exchange) -> Response:
    """204 with a new token in one cookie, whatever cookie came with the request."""
    request = exchange.request
    service = exchange.service
    require_json(exchange.headers)
    body = object_of(await exchange.body(), _FIELDS)
    user = text_of(body, "username")
    password = text_of(body, "password")
    address = request.client.host if request.client else ""
    claim = await service.callers.password_claim(user, password, address)
    former = token_in(exchange.headers.get("cookie", ""))
    if former is not None:
        service.callers.tokens.end(former)
    token = service.callers.tokens.new(user, claim.stamp or NO_ACCOUNT)
    service.log(f"{user} logged in from {address}")
    return response(204, headers=[("Set-Cookie", _cookie(token, exchange))])


async def show_login(exchange: Exchange) -> Response:
    """The user with the roles."""
    caller = await exchange.in_thread(lambda caller: caller)
    return json_response({"user": [_described(caller, exchange.version)]})


def _described(caller: Caller, version: str) -> dict[str, object]:
    described: dict[str, object] = {"name": caller.user, "role": sorted(caller.roles)}
    if version == "v1":
        described["authenticationMechanism"] = caller.mechanism
    return described


async def log_out(exchange: Exchange) -> Response:
    """End the token; it is dead even if the client keeps it."""
    if exchange.claim is not None and exchange.claim.token:
        exchange.service.callers.tokens.end(exchange.claim.token)
        exchange.service.log(f"{exchange.claim.user} logged out")
    return response(204, headers=[("Set-Cookie", f"{_cookie('', exchange)}; Max-Age=0")])


def _cookie(token: str, exchange: Exchange) -> str:
    secure = "; Secure" if exchange.request.scope["scheme"] == "https" else ""
    return f"{TOKEN_COOKIE}={token}; {_COOKIE}{secure}"
