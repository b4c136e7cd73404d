"""Metrics, health and the description of the interface (rest §7)."""

from __future__ import annotations

from starlette.responses import Response

from mqsc.http.exchange import Exchange, json_response, response
from mqsc.store.client.store import Store
from mqsc.store.error import MQError, StoreError
from mqsc.store.sql import managers


async def metrics(exchange: Exchange) -> Response:
    """The metrics, in the format that the client asks for."""
    exposition = exchange.service.exposition
    accept = exchange.headers.get("accept", "")
    content_type, text = await exchange.in_thread(lambda _: exposition(accept))
    return response(200, text, content_type)


async def is_alive(exchange: Exchange) -> Response:
    """The server answers."""
    return json_response({"status": "ok"})


async def is_ready(exchange: Exchange) -> Response:
    """Whether the store can be read and the server does not stop; no details for those who are
    not logged in.
    """
    service = exchange.service
    ready = not service.is_stopping.is_set()
    if ready:
        try:
            await service.workers.call(lambda: _read(service.store))
        except (MQError, StoreError):
            ready = False
    return json_response({"status": "ok" if ready else "unavailable"}, 200 if ready else 503)


def _read(store: Store) -> None:
    """MQError or StoreError if the store cannot be read."""
    store.read(managers.all)


async def openapi(exchange: Exchange) -> Response:
    """The description of all resources in OpenAPI."""
    await exchange.in_thread(lambda _: None)
    return json_response(exchange.service.description)
