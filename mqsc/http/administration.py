"""The resources of administration: queue managers, the installation and commands (rest §3, §4)."""

from __future__ import annotations

from collections.abc import AsyncIterator

from starlette.responses import Response, StreamingResponse

from mqsc.http import commands, managers
from mqsc.http.callers import Caller
from mqsc.http.content_types import require_json
from mqsc.http.contract import GATEWAY_HEADER
from mqsc.http.errors import RestError
from mqsc.http.exchange import JSON, Exchange, json_response, response


async def show_queue_managers(exchange: Exchange) -> Response:
    """All queue managers, or one."""
    name = exchange.name("qmgr")
    query, store = exchange.query, exchange.service.store
    shown = await exchange.in_thread(lambda _: managers.queue_managers(store, name, query))
    return json_response(shown)


async def show_installation(exchange: Exchange) -> Response:
    """The installation."""
    name = exchange.name("installation")
    query, store = exchange.query, exchange.service.store
    shown = await exchange.in_thread(lambda _: managers.installations(store, name, query))
    return json_response(shown)


async def perform_command(exchange: Exchange) -> Response:
    """Perform one command of MQSC. The answer is sent as its rows are read."""
    require_json(exchange.headers)
    data = await exchange.body()
    store = exchange.service.store
    name = exchange.name("qmgr")
    gateway = exchange.headers.get(GATEWAY_HEADER)

    def begin(caller: Caller) -> tuple[commands.CommandAnswer, bytes]:
        commands.check_gateway(store, gateway)
        answer = commands.perform(store, caller, name, data)
        return answer, answer.next_part()

    answer, first = await exchange.in_thread(begin)
    headers = [(GATEWAY_HEADER, gateway)] if gateway else []
    if answer.is_complete:
        return response(200, first, JSON, headers)
    streamed = StreamingResponse(_parts(exchange, answer, first), media_type=JSON)
    for header in headers:
        streamed.headers.append(*header)
    return streamed


async def _parts(
    exchange: Exchange,
    answer: commands.CommandAnswer,
    first: bytes,
) -> AsyncIterator[bytes]:
    yield first
    while not answer.is_complete:
        yield await exchange.service.workers.call(answer.next_part)


async def refuse_resource(exchange: Exchange) -> Response:
    """The resources of v1 that are not here."""
    kind = str(exchange.request.path_params["kind"])
    detail = f"the resource '{kind}' of v1; use action/qmgr/NAME/mqsc with DISPLAY {kind.upper()}"
    raise RestError(501, "MQSC0606E", detail)


async def refuse_file_transfer(exchange: Exchange) -> Response:
    """Managed File Transfer."""
    raise RestError(403, "MQWB0400E", "Managed File Transfer")
