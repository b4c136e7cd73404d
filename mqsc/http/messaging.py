"""The resources of messaging: a message of a queue or topic, the list of a queue's messages
(rest §5).
"""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import Response

from mqsc.http import contract, messages
from mqsc.http.callers import Caller
from mqsc.http.content_types import require_text, require_utf_8
from mqsc.http.errors import RestError, invalid
from mqsc.http.exchange import Exchange, json_response, response
from mqsc.http.message_headers import MESSAGE_ID, identifier_in_query, identifier_text, put_of
from mqsc.store.descriptor import NO_ID

_TEXT = "text/plain; charset=utf-8"
_LONGEST_WAIT = (1 << 31) - 1
_DEFAULT_LIMIT, _MOST_LISTED = 10, 10_000
# A wait may begin only after it was cancelled, so the cancellation is repeated at this interval.
_AGAIN_SECONDS = 0.05


async def put(exchange: Exchange) -> Response:
    """Put the body as a message on a queue, or publish it on a topic."""
    require_text(exchange.headers)
    body = await exchange.body()
    described = put_of(exchange.headers, exchange.version)
    connections = exchange.service.connections
    _check_text(body)

    def put_it(caller: Caller) -> bytes:
        _check_may_change(caller)
        return messages.put_message(connections, _place(exchange, caller), described, body)

    identifier = await exchange.in_thread(put_it, writes=True)
    if identifier == NO_ID:
        # Each copy of a publication has its own.
        return response(201)
    return response(201, headers=[(MESSAGE_ID, identifier_text(identifier, exchange.version))])


def _check_text(body: bytes) -> None:
    try:
        body.decode()
    except UnicodeDecodeError as error:
        raise invalid(f"byte {error.start + 1} of the body is not UTF-8") from None


async def browse(exchange: Exchange) -> Response:
    """The next message, which stays on the queue."""
    require_utf_8(exchange.headers)
    wanted = _wanted(exchange)
    version = exchange.version
    connections = exchange.service.connections
    received = await exchange.in_thread(
        lambda caller: messages.browse_message(
            connections, _place(exchange, caller), wanted, version
        ),
    )
    return _answer(received)


async def take(exchange: Exchange) -> Response:
    """Get the next message, perhaps after a wait."""
    require_utf_8(exchange.headers)
    wanted = _wanted(exchange)
    version = exchange.version
    connections = exchange.service.connections
    if not wanted.wait:

        def take_it(caller: Caller) -> messages.Received | None:
            _check_may_change(caller)
            return messages.Taking(connections, _place(exchange, caller), wanted).take(version)

        return _answer(await exchange.in_thread(take_it, writes=True))

    def checked(caller: Caller) -> messages.Taking:
        _check_may_change(caller)
        return messages.Taking(connections, _place(exchange, caller), wanted)

    taking = await exchange.in_thread(checked)
    return _answer(await _waited(exchange, taking))


async def _waited(exchange: Exchange, taking: messages.Taking) -> messages.Received | None:
    """The message that a wait finds. It ends when the client goes, or the server stops."""
    service = exchange.service
    version = exchange.version
    wait = asyncio.ensure_future(service.workers.wait(lambda: taking.take(version)))
    gone = asyncio.ensure_future(_until_gone(exchange.request))
    stopping = asyncio.ensure_future(service.is_stopping.wait())
    try:
        await asyncio.wait({wait, gone, stopping}, return_when=asyncio.FIRST_COMPLETED)
        taking.has_nobody_to_answer = gone.done()
    finally:
        # Also when this request is cancelled, because the server does not wait any longer.
        gone.cancel()
        stopping.cancel()
        taking.cancel()
    while not wait.done():
        taking.cancel()
        await asyncio.wait({wait}, timeout=_AGAIN_SECONDS)
    return wait.result()


async def _until_gone(request: Request) -> None:
    """Return when the client has closed the connection; what it sends as a body is left aside."""
    while (await request.receive())["type"] != "http.disconnect":
        continue


async def list_messages(exchange: Exchange) -> Response:
    """The identifiers and formats of the next messages."""
    wanted = _wanted(exchange)
    version = exchange.version
    connections = exchange.service.connections
    most = _number(exchange, "limit", 1, _MOST_LISTED, _DEFAULT_LIMIT)
    listed = await exchange.in_thread(
        lambda caller: messages.list_messages(
            connections, _place(exchange, caller), wanted, most, version
        ),
    )
    return json_response({"messages": listed})


def _answer(received: messages.Received | None) -> Response:
    if received is None:
        return response(204)
    return response(200, received.body, _TEXT, received.headers)


def _place(exchange: Exchange, caller: Caller) -> messages.Place:
    return messages.Place(
        exchange.name("qmgr"),
        exchange.name("queue"),
        caller.acting_user,
        exchange.name("topic"),
    )


def _check_may_change(caller: Caller) -> None:
    if caller.only_reads:
        detail = f"{caller.user} has the role {contract.READER_ROLE} and may only browse"
        raise RestError(403, contract.ROLE_MISSING, detail)


def _wanted(exchange: Exchange) -> messages.Wanted:
    """The message that the query means; RestError 400 for a bad value."""
    identifiers = {}
    for name in ("messageId", "correlationId"):
        text = exchange.query.get(name)
        identifiers[name] = (
            b"" if text is None else identifier_in_query(name, text, exchange.version)
        )
    wait = _number(exchange, "wait", 0, _LONGEST_WAIT, 0)
    return messages.Wanted(identifiers["messageId"], identifiers["correlationId"], wait)


def _number(exchange: Exchange, name: str, least: int, most: int, default: int) -> int:
    text = exchange.query.get(name)
    if text is None:
        return default
    is_number = text.isascii() and text.isdigit() and len(text) <= len(str(most))
    if not is_number or not least <= int(text) <= most:
        raise invalid(f"the parameter '{name}' takes a number from {least} to {most}")
    return int(text)
