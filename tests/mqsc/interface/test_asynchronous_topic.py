"""Topics of asynchronous sessions: waiting, units of work, durable subscriptions, cancelling."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import aclosing
from datetime import timedelta
from pathlib import Path

import anyio
import pytest

import mqsc

NO_WAIT, LONG = timedelta(0), timedelta(seconds=50)
Program = Callable[[mqsc.AsyncSession], Awaitable[None]]


@pytest.fixture(params=["asyncio", "trio"])
def run(request: pytest.FixtureRequest, place: Path) -> Callable[[Program], None]:
    """Runs a program with a session; afterwards no subscription is open, and only durable ones
    are left.
    """
    if request.param == "trio":
        pytest.importorskip("trio", reason="trio is not installed")

    async def main(program: Program) -> None:
        async with mqsc.aconnect(place) as qmgr:
            await program(qmgr)
        with mqsc.connect(place) as other:
            [reply] = mqsc.run(other.manager, "DISPLAY SBSTATUS(*) DURABLE ACTCONN")
            found = {(row["DURABLE"], int(row["ACTCONN"], 16)) for row in reply.rows}
            assert found <= {("YES", 0)}

    return lambda program: anyio.run(main, program, backend=request.param)


async def texts(topic: mqsc.AsyncTopic, where: str = "", name: str = "") -> list[str]:
    return [each.text async for each in topic.messages(NO_WAIT, where=where, name=name)]


def test_a_subscription_begins_with_the_call(run: Callable[[Program], None]) -> None:
    async def program(qmgr: mqsc.AsyncSession) -> None:
        async with qmgr.topic("prices/+") as prices, qmgr.topic("prices/tea") as tea:
            received = prices.messages(NO_WAIT)
            await tea.publish("3.20", currency="EUR")
            await tea.publish(json={"price": 4})
            first, second = [message async for message in received]
            assert (first.text, first.topic, first.properties["currency"]) == (
                "3.20",
                "prices/tea",
                "EUR",
            )
            assert second.json() == {"price": 4}
            assert await texts(prices) == []
        with pytest.raises(mqsc.CallFailed, match="2085"):
            await qmgr.topic("").publish("x")

    run(program)


def test_a_task_waits_for_publications(run: Callable[[Program], None], place: Path) -> None:
    """Also for those of another program, with a selector."""

    def publish() -> None:
        with mqsc.connect(place) as other:
            other.topic("prices/ink").publish("no", currency="USD")
            other.topic("prices/tea").publish("other", currency="EUR")

    async def program(qmgr: mqsc.AsyncSession) -> None:
        got: list[str] = []

        async def wait() -> None:
            async with qmgr.topic("prices/#") as prices:
                waiting = prices.messages(LONG, where="currency = 'EUR'")
                async with aclosing(waiting) as messages:
                    ready.set()
                    async for message in messages:
                        got.append(message.text)
                        if len(got) == 2:
                            return

        ready = anyio.Event()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(wait)
            await ready.wait()
            await qmgr.topic("prices/tea").publish("own", currency="EUR")
            await anyio.to_thread.run_sync(publish)
        assert got == ["own", "other"]

    run(program)


def test_units_of_work(run: Callable[[Program], None]) -> None:
    """What is published in one is seen at its commit; what is got in one comes back."""

    async def program(qmgr: mqsc.AsyncSession) -> None:
        async with qmgr.topic("prices/#") as prices:
            assert await texts(prices) == []
            async with qmgr.unit() as unit:
                await qmgr.topic("prices/tea").publish("never")
                await unit.back()
                await qmgr.topic("prices/tea").publish("3.20")
            assert await texts(prices) == ["3.20"]
        async with qmgr.topic("prices/#") as prices:
            async with qmgr.unit() as unit:
                assert await texts(prices, name="all") == []
                await unit.commit()
                await qmgr.topic("prices/tea").publish("4")
                await unit.commit()
                assert await texts(prices, name="all") == ["4"]
                await unit.back()
                assert await texts(prices, name="all") == ["4"]
            assert await texts(prices, name="other") == []

    run(program)


def test_a_named_subscription_is_kept(run: Callable[[Program], None]) -> None:
    async def program(qmgr: mqsc.AsyncSession) -> None:
        async with qmgr.topic("prices/#") as prices:
            assert await texts(prices, name="all") == []
        await qmgr.topic("prices/tea").publish("3.20", retain=True)
        async with qmgr.topic("prices/#") as prices:
            assert await texts(prices, name="all") == ["3.20"]
            assert await texts(prices) == ["3.20"]
            with pytest.raises(mqsc.CallFailed, match="2429"):
                await qmgr.unsubscribe("all")
        await qmgr.unsubscribe("all")
        with pytest.raises(mqsc.CallFailed, match="2428"):
            await qmgr.unsubscribe("all")

    run(program)


def test_a_wait_that_is_cancelled_loses_nothing(run: Callable[[Program], None]) -> None:
    async def program(qmgr: mqsc.AsyncSession) -> None:
        async with qmgr.topic("prices/#") as prices:
            for number in range(20):
                waiting = prices.messages(LONG)
                with anyio.move_on_after(0):
                    await anext(waiting)
                await waiting.aclose()
                await qmgr.topic("prices/tea").publish(str(number))
            assert await texts(prices) == [str(number) for number in range(20)]

    run(program)
