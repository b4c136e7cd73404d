"""A service built with faststream-mq, and its users, in one program: it prints what each of them
sees.

With the argument `stuck`, it prints `received` in the middle of handling an order, and does not go
on.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any

from faststream.middlewares import AckPolicy
from faststream_mq import MQBroker
from faststream_mq.annotations import MQMessage

broker = MQBroker(
    "QM1",
    channel="ORDERS.SVRCONN",
    reply_model_queue="REPLIES",
    wait_interval=0.1,
    logger=None,
)
seen: asyncio.Queue[str] = asyncio.Queue()


@broker.subscriber("ORDERS")
@broker.publisher("INVOICES")
async def invoice(order: dict[str, Any], message: MQMessage) -> dict[str, Any]:
    raw = message.raw_message
    await seen.put(
        f"order {order} {raw.headers['country']} {raw.priority} {raw.persistence} "
        f"{raw.correlation_id}",
    )
    return {"order": order["id"], "total": 3 * order["price"]}


@broker.subscriber("INVOICES")
async def receive(invoice: dict[str, Any]) -> None:
    await seen.put(f"invoice {invoice}")


@broker.subscriber("QUESTIONS")
async def answer(question: str) -> str:
    return question.upper()


@broker.subscriber("RETRIED", ack_policy=AckPolicy.NACK_ON_ERROR)
async def fail_twice(body: str, message: MQMessage) -> None:
    backouts = message.raw_message.metadata.BackoutCount
    await seen.put(f"{body} after {backouts} backouts")
    if backouts < 2:
        raise ValueError(body)


@broker.subscriber("REFUSED", ack_policy=AckPolicy.REJECT_ON_ERROR)
async def fail(body: str) -> None:
    await seen.put(f"{body} is refused")
    raise ValueError(body)


@broker.subscriber("DEFERRED", ack_policy=AckPolicy.MANUAL)
async def defer(body: str, message: MQMessage) -> None:
    backouts = message.raw_message.metadata.BackoutCount
    await seen.put(f"{body} after {backouts} backouts")
    await (message.ack() if backouts else message.nack())


@broker.subscriber("STUCK")
async def stay(body: str) -> None:
    print("received", flush=True)
    await asyncio.Event().wait()


waiting = broker.subscriber("WAITING")


async def show(messages: int) -> None:
    for _ in range(messages):
        print(await asyncio.wait_for(seen.get(), 30))


async def everything() -> None:
    print("ping", await broker.ping())
    order = {"id": 7, "price": 1.5}
    of_order = {
        "headers": {"country": "FR"},
        "priority": 7,
        "persistence": True,
        "correlation_id": "41" * 24,
    }
    await broker.publish(order, "ORDERS", **of_order)
    await show(2)
    print("answer", (await broker.request("tea or coffee", "QUESTIONS", timeout=30)).body)
    try:
        await broker.request("is anybody there", "WAITING", timeout=0.1)
    except TimeoutError:
        print("no answer")
    print("waiting", (await waiting.get_one(timeout=30)).body, await waiting.get_one(timeout=0.1))
    for body, queue, attempts in (
        ("again", "RETRIED", 3),
        ("no", "REFUSED", 1),
        ("later", "DEFERRED", 2),
    ):
        await broker.publish(body, queue)
        await show(attempts)


async def main() -> None:
    async with broker:
        await broker.start()
        if sys.argv[1:] == ["stuck"]:
            await broker.publish("mine", "STUCK")
            await asyncio.Event().wait()
        await everything()


if __name__ == "__main__":
    asyncio.run(main())
