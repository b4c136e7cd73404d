"""Four behaviours of faststream-mq, for `pytest --mqsc`: batches, a connection that breaks, FastAPI
and metrics. The other four are in tests/processes/faststream_program.py.
"""

from __future__ import annotations

import asyncio
import os

import httpx
import pytest
from fastapi import FastAPI
from faststream_mq import MQBroker
from faststream_mq.fastapi import MQRouter
from faststream_mq.prometheus import MQPrometheusMiddleware
from prometheus_client import CollectorRegistry

import mqsc
from tests.mqsc.agents.scripts import wait_until

WHERE = {"channel": "DEV.APP.SVRCONN", "conn_name": "mq.example(1414)", "wait_interval": 0.1}
PATIENCE = 30


async def received(seen: asyncio.Queue[str]) -> str:
    return await asyncio.wait_for(seen.get(), PATIENCE)


def is_uncommitted(queue_manager: mqsc.QueueManager) -> bool:
    """Whether a unit of work has put or got a message and has not ended."""
    return bool(mqsc.run(queue_manager, "DISPLAY QSTATUS(*) WHERE(UNCOM EQ YES)")[0].rows)


def stop_connections(queue_manager: mqsc.QueueManager) -> None:
    """Break all connections. The queue manager itself stays: the package tries to connect only
    once.
    """
    connections = mqsc.run(queue_manager, "DISPLAY CONN(*)")[0].rows
    assert connections
    stopped = "\n".join(f"STOP CONN({each['CONN']})" for each in connections)
    mqsc.run(queue_manager, stopped, check=True)


def test_a_batch() -> None:
    """The package refuses one; several messages at once arrive in their order."""

    async def main() -> None:
        broker, seen = MQBroker("QM1", **WHERE), asyncio.Queue[str]()

        @broker.subscriber("DEV.QUEUE.1")
        async def handle(order: str) -> None:
            await seen.put(order)

        async with broker:
            await broker.start()
            for number in range(5):
                await broker.publish(f"order {number}", "DEV.QUEUE.1")
            assert [await received(seen) for _ in range(5)] == [f"order {n}" for n in range(5)]
            with pytest.raises((NotImplementedError, AttributeError)):
                await broker.publish_batch("a", "b", queue="DEV.QUEUE.1")

    asyncio.run(main())


def test_a_broken_connection_is_made_again() -> None:
    async def main() -> None:
        broker, seen = MQBroker("QM1", reconnect="reconnect", **WHERE), asyncio.Queue[str]()

        @broker.subscriber("DEV.QUEUE.1")
        async def handle(order: str) -> None:
            await seen.put(order)

        async with broker:
            await broker.start()
            await broker.publish("before", "DEV.QUEUE.1")
            assert await received(seen) == "before"
            with mqsc.open_store(os.environ["MQSC_STORE"]) as store:
                queue_manager = store.queue_manager("QM1")
                # The package commits after the handler, and does not try a commit that fails again.
                await asyncio.to_thread(wait_until, lambda: not is_uncommitted(queue_manager))
                stop_connections(queue_manager)
            await broker.publish("after", "DEV.QUEUE.1")
            assert await received(seen) == "after"

    asyncio.run(main())


def test_fastapi() -> None:
    """A request over HTTP puts a message, and the router's subscriber gets it."""

    async def main() -> None:
        router, seen = MQRouter("QM1", **WHERE), asyncio.Queue[str]()

        @router.subscriber("DEV.QUEUE.1")
        async def handle(order: str) -> None:
            await seen.put(order)

        @router.post("/orders")
        async def order(item: str) -> str:
            await router.broker.publish(item, "DEV.QUEUE.1")
            return "ordered"

        app = FastAPI()
        app.include_router(router)
        transport = httpx.ASGITransport(app)
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=transport, base_url="http://shop.example") as client,
        ):
            answer = await client.post("/orders", params={"item": "tea"})
            assert answer.json() == "ordered"
            assert await received(seen) == "tea"

    asyncio.run(main())


def test_metrics() -> None:
    registry = CollectorRegistry()

    async def main() -> None:
        middleware = MQPrometheusMiddleware(registry=registry, app_name="shop")
        broker = MQBroker("QM1", middlewares=[middleware], **WHERE)
        seen = asyncio.Queue[str]()

        @broker.subscriber("DEV.QUEUE.1")
        async def handle(order: str) -> None:
            await seen.put(order)

        async with broker:
            await broker.start()
            await broker.publish("tea", "DEV.QUEUE.1")
            await received(seen)

    asyncio.run(main())
    published = [
        (sample.name, sample.value)
        for metric in registry.collect()
        for sample in metric.samples
        if sample.name == "faststream_published_messages_total"
    ]
    assert published == [("faststream_published_messages_total", 1.0)]
