"""The asynchronous interface under asyncio and trio: waiting, units of work by task, and
cancelling.

MQSC_CANCELLATIONS sets how often tasks are cancelled under load, for each way.
"""

from __future__ import annotations

import asyncio
import os
import random
import threading
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import aclosing, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import anyio
import pytest

import mqsc
from mqsc.interface import asynchronous_wait, connecting

NO_WAIT, LONG = timedelta(0), timedelta(seconds=50)
CANCELLATIONS = int(os.environ.get("MQSC_CANCELLATIONS", "200"))
Program = Callable[[mqsc.AsyncSession], Awaitable[None]]
Main = Callable[[], Awaitable[None]]
Work = Callable[[], Coroutine[Any, Any, None]]


@pytest.fixture(params=["asyncio", "trio"])
def as_backend(
    request: pytest.FixtureRequest,
) -> Callable[[Main], None]:
    """Runs a coroutine under asyncio, and under trio."""
    if request.param == "trio":
        pytest.importorskip("trio", reason="trio is not installed")
    return lambda main: anyio.run(main, backend=request.param)


@pytest.fixture
def run(as_backend: Callable[[Main], None], place: Path) -> Callable[[Program], None]:
    """Runs a program with a session; afterwards nothing is left of it in the store, and nobody
    waits.
    """

    async def main(program: Program) -> None:
        async with mqsc.aconnect(place) as qmgr:
            await qmgr.run("DEFINE QLOCAL(ORDERS) REPLACE; DEFINE QLOCAL(DONE) REPLACE")
            await program(qmgr)
            watches = asynchronous_wait._watches.get(asynchronous_wait._NO_WATCHES)
            assert [each for each in watches.values() if each._watcher or each._sleepers] == []
        with mqsc.connect(place) as other:
            assert mqsc.run(other.manager, "DISPLAY QSTATUS(*) WHERE(UNCOM EQ YES)")[0].rows == []
            assert len(other.run("DISPLAY CONN(*)")[0].rows) == 1

    return lambda program: as_backend(lambda: main(program))


def test_messages_come_as_they_were_put(run: Callable[[Program], None]) -> None:
    async def program(qmgr: mqsc.AsyncSession) -> None:
        async with qmgr.queue("ORDERS") as orders:
            await orders.put("tea", color="red", priority=3)
            await orders.put(json=["cake"], color="blue")
            assert await orders.depth() == 2
            assert [each.text async for each in orders.browse()] == ["tea", '["cake"]']
            assert (await orders.get(where="color = 'blue'")).json() == ["cake"]
            assert [each.priority async for each in orders.messages(NO_WAIT)] == [3]
            with pytest.raises(mqsc.NoMessage, match="ORDERS"):
                await orders.get(timedelta(milliseconds=30))
        with pytest.raises(mqsc.NotFound, match="Did you mean ORDERS"):
            await qmgr.queue("ORDER").put("x")

    run(program)


def test_a_task_waits_for_another_program(run: Callable[[Program], None], place: Path) -> None:
    """And the others of its process go on meanwhile, as does one whose watcher is gone."""

    def put() -> None:
        with mqsc.connect(place) as other:
            for text in ("first", "second", "third"):
                other.queue("ORDERS").put(text)

    async def program(qmgr: mqsc.AsyncSession) -> None:
        got: list[str] = []

        async def get() -> None:
            got.append((await qmgr.queue("ORDERS").get(LONG)).text)

        thread = threading.Thread(target=put)
        async with anyio.create_task_group() as tasks:
            for _ in range(3):
                tasks.start_soon(get)
            await anyio.lowlevel.checkpoint()
            thread.start()
        thread.join()
        assert sorted(got) == ["first", "second", "third"]

    run(program)


def test_a_queue_that_gets_disabled_ends_a_wait(run: Callable[[Program], None]) -> None:
    async def program(qmgr: mqsc.AsyncSession) -> None:
        async with anyio.create_task_group() as tasks:

            async def wait() -> None:
                with pytest.raises(mqsc.Inhibited, match="2016"):
                    await qmgr.queue("ORDERS").get()

            tasks.start_soon(wait)
            await anyio.lowlevel.checkpoint()
            await qmgr.run("ALTER QLOCAL(ORDERS) GET(DISABLED)")

    run(program)


def test_a_wait_ends_by_a_manual_clock(place: Path, as_backend: Callable[[Main], None]) -> None:
    """Of the task that watches the store and of the others, when another program moves the
    clock.
    """
    with mqsc.open_store(f"sqlite:///{place}") as store:
        store.create_queue_manager("TIMED", manual_clock_at=store.environment.clock.now())

    def advance() -> None:
        with mqsc.connect(place, qmgr="TIMED") as other:
            other.manager.advance_clock(61_000_000)

    async def main() -> None:
        async with mqsc.aconnect(place, qmgr="TIMED") as qmgr:
            await qmgr.run("DEFINE QLOCAL(ORDERS)")

            async def wait() -> None:
                with pytest.raises(mqsc.NoMessage, match="2033"):
                    await qmgr.queue("ORDERS").get(timedelta(seconds=60))

            with anyio.fail_after(LONG.total_seconds()):
                async with anyio.create_task_group() as tasks:
                    for _ in range(3):
                        tasks.start_soon(wait)
                    while _waiting_tasks() < 3:
                        await anyio.lowlevel.checkpoint()
                    await anyio.to_thread.run_sync(advance)

    as_backend(main)


def _waiting_tasks() -> int:
    watches = asynchronous_wait._watches.get(asynchronous_wait._NO_WATCHES)
    return sum(len(each._sleepers) + (each._watcher is not None) for each in watches.values())


def test_units_of_work_belong_to_tasks(run: Callable[[Program], None]) -> None:
    """Each has its own; what other tasks do meanwhile is in none."""

    async def program(qmgr: mqsc.AsyncSession) -> None:
        orders, done = qmgr.queue("ORDERS"), qmgr.queue("DONE")
        arrived = [anyio.Event(), anyio.Event()]

        async def move(number: int) -> None:
            async with qmgr.unit() as unit:
                message = await orders.get(LONG)
                arrived[number].set()
                await arrived[1 - number].wait()
                await done.put(message.text)
                if number:
                    await unit.back()
                with pytest.raises(mqsc.UnitInProgress):
                    await qmgr.unit().__aenter__()

        await orders.put("tea")
        await orders.put("cake")
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(move, 0)
            tasks.start_soon(move, 1)
            await arrived[1].wait()
            await done.put("by itself")
        assert sorted([each.text async for each in done.messages(NO_WAIT)])[0] == "by itself"
        assert [each.backout_count async for each in orders.messages(NO_WAIT)] == [1]
        with suppress(KeyError):
            async with qmgr.unit():
                await done.put("never")
                raise KeyError
        async with qmgr.unit() as unit:
            await done.put("kept")
            await unit.commit()
        assert [each.text async for each in done.messages(NO_WAIT)] == ["kept"]
        assert len(qmgr._others) == 2

    run(program)


def test_a_task_waits_without_getting(run: Callable[[Program], None]) -> None:
    async def program(qmgr: mqsc.AsyncSession) -> None:
        orders, seen = qmgr.queue("ORDERS"), []

        async def watch() -> None:
            async with aclosing(orders.browse(None, where="color = 'red'")) as messages:
                async for message in messages:
                    seen.append(message.text)
                    if len(seen) == 2:
                        return

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(watch)
            await anyio.sleep(0)
            for text, color in (("one", "red"), ("two", "blue"), ("three", "red")):
                await orders.put(text, color=color)
        assert seen == ["one", "three"]
        assert await orders.depth() == 3
        assert [each.text async for each in orders.browse()] == ["one", "two", "three"]
        short = timedelta(milliseconds=30)
        assert [each.text async for each in orders.browse(short)] == ["one", "two", "three"]

    run(program)


def test_a_unit_that_another_task_goes_on_with(run: Callable[[Program], None]) -> None:
    async def program(qmgr: mqsc.AsyncSession) -> None:
        orders, done = qmgr.queue("ORDERS"), qmgr.queue("DONE")
        send, receive = anyio.create_memory_object_stream[
            tuple[mqsc.ReceivedMessage, mqsc.AsyncUnit]
        ](10)

        async def worker() -> None:
            async with receive:
                async for message, unit in receive:
                    await handle(message, unit)

        async def handle(message: mqsc.ReceivedMessage, unit: mqsc.AsyncUnit) -> None:
            with suppress(LookupError):
                async with unit:
                    await done.put(f"done: {message.text}")
                    if message.text == "bad":
                        raise LookupError

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(worker)
            for text in ("good", "bad"):
                await orders.put(text)
                async with qmgr.unit() as unit:
                    message = await orders.get(LONG)
                    unit.hand_over()
                await send.send((message, unit))
            send.close()
        assert [each.text async for each in orders.messages(NO_WAIT)] == ["bad"]
        assert [each.text async for each in done.messages(NO_WAIT)] == ["done: good"]

    run(program)


def test_a_unit_that_is_handed_over_belongs_to_one_block_at_a_time(
    run: Callable[[Program], None],
) -> None:
    async def program(qmgr: mqsc.AsyncSession) -> None:
        orders = qmgr.queue("ORDERS")
        with pytest.raises(ValueError, match="has begun"):
            qmgr.unit().hand_over()
        async with qmgr.unit() as unit:
            await orders.put("one")
            unit.hand_over()
            with pytest.raises(mqsc.UnitInProgress):
                await unit.__aenter__()
        # Outside of the block, the task is in no unit: its message is there at once.
        await orders.put("two")
        assert [each.text async for each in orders.browse()] == ["two"]
        async with qmgr.unit():
            with pytest.raises(mqsc.UnitInProgress):
                await unit.__aenter__()
        async with unit:
            await orders.put("three")
        assert [each.text async for each in orders.messages(NO_WAIT)] == ["one", "two", "three"]
        with suppress(LookupError):
            async with qmgr.unit() as unit:
                await orders.put("never")
                unit.hand_over()
                raise LookupError
        assert await orders.depth() == 0
        # With this one no task goes on: the end of the session backs it out.
        async with qmgr.unit() as unit:
            await orders.put("never either")
            unit.hand_over()

    run(program)


def test_a_unit_that_outlives_its_session(place: Path) -> None:
    async def main() -> None:
        async with mqsc.aconnect(place) as qmgr:
            await qmgr.run("DEFINE QLOCAL(ORDERS)")
            async with qmgr.unit() as unit:
                await qmgr.queue("ORDERS").put("never")
                unit.hand_over()
        with pytest.raises(mqsc.NotConnected):
            await unit.__aenter__()
        with mqsc.connect(place) as other:
            assert other.queue("ORDERS").depth() == 0

    asyncio.run(main())


def test_requests_and_replies(run: Callable[[Program], None]) -> None:
    """Many at a time, by several servers; a request that is given up leaves the others alone."""

    async def answer(message: mqsc.ReceivedMessage) -> object:
        await anyio.lowlevel.checkpoint()
        return {"ready": message.text}

    async def program(qmgr: mqsc.AsyncSession) -> None:
        orders = qmgr.queue("ORDERS")
        replies: list[object] = []

        async def ask(number: int) -> None:
            replies.append(
                (await qmgr.request("ORDERS", str(number), timeout=LONG)).json()["ready"],
            )

        async with anyio.create_task_group() as servers:
            for _ in range(2):
                servers.start_soon(orders.serve, answer)
            async with anyio.create_task_group() as tasks:
                for number in range(10):
                    tasks.start_soon(ask, number)
            servers.cancel_scope.cancel()
        assert sorted(map(str, replies)) == [str(number) for number in range(10)]
        with pytest.raises(mqsc.NoReply):
            await qmgr.request("ORDERS", "anybody?", timeout=timedelta(milliseconds=30))
        await orders.put("one")
        assert await orders.serve(lambda message: None, limit=1) == 1

    run(program)


def test_a_program_may_reply_by_itself(run: Callable[[Program], None]) -> None:
    async def program(qmgr: mqsc.AsyncSession) -> None:
        async def answer() -> None:
            async with qmgr.unit():
                await qmgr.reply(await qmgr.queue("ORDERS").get(LONG), json="ready")

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(answer)
            assert (await qmgr.request("ORDERS", "status?", timeout=LONG)).json() == "ready"

    run(program)


def test_a_session_that_has_ended(place: Path) -> None:
    """Also with its queue manager, while units of work were open."""

    async def main() -> None:
        async with mqsc.aconnect(place) as qmgr, qmgr.unit():
            assert await qmgr.queue("SYSTEM.DEFAULT.LOCAL.QUEUE").depth() == 0
        with pytest.raises(mqsc.NotConnected, match="2018"):
            await qmgr.unit().__aenter__()
        async with mqsc.aconnect(place) as qmgr:
            async with qmgr.unit():
                await qmgr.queue("SYSTEM.DEFAULT.LOCAL.QUEUE").put("x")
            qmgr.manager.end(immediate=True)
            raise KeyError

    with pytest.raises(KeyError):
        asyncio.run(main())
    assert connecting._shared == {}


class Load:
    """Tasks that put, get and move numbers; every number that was put is got once, or still
    there.
    """

    def __init__(self, qmgr: mqsc.AsyncSession) -> None:
        self.qmgr = qmgr
        self.orders, self.done = qmgr.queue("ORDERS"), qmgr.queue("DONE")
        self.put: list[str] = []
        self.got: list[str] = []
        self.numbers = iter(range(1_000_000))

    async def puts(self) -> None:
        while True:
            number = str(next(self.numbers))
            await self.orders.put(number)
            self.put.append(number)

    async def gets(self) -> None:
        async for message in self.done.messages():
            self.got.append(message.text)

    async def moves(self) -> None:
        while True:
            async with self.qmgr.unit():
                await self.done.put((await self.orders.get()).text)

    async def serves(self) -> None:
        async def move(message: mqsc.ReceivedMessage) -> None:
            await self.done.put(message.text)

        await self.orders.serve(move)

    async def check(self) -> None:
        left = [
            each.text
            for queue in (self.orders, self.done)
            for each in [m async for m in queue.messages(NO_WAIT)]
        ]
        assert sorted(self.got + left) == sorted(self.put)


async def by_scope(work: Work, steps: int, qmgr: mqsc.AsyncSession) -> None:
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(work)
        for _ in range(steps):
            await anyio.lowlevel.checkpoint()
        tasks.cancel_scope.cancel()


async def by_task(work: Work, steps: int, qmgr: mqsc.AsyncSession) -> None:
    """As asyncio cancels, without the scopes of anyio."""
    task = asyncio.ensure_future(work())
    for _ in range(steps):
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


@pytest.mark.parametrize("cancel", [by_scope, by_task])
def test_cancelling_anywhere_loses_nothing(
    cancel: Callable[..., Awaitable[None]],
    run: Callable[[Program], None],
    request: pytest.FixtureRequest,
) -> None:
    if cancel is by_task and "trio" in request.node.name:
        pytest.skip("trio has scopes alone")

    async def program(qmgr: mqsc.AsyncSession) -> None:
        load, chance = Load(qmgr), random.Random(35)
        async with anyio.create_task_group() as others:
            for work in (load.gets, load.moves):
                others.start_soon(work)
            for _ in range(CANCELLATIONS):
                work = chance.choice((load.puts, load.gets, load.moves, load.serves))
                await cancel(work, chance.randrange(30), qmgr)
            others.cancel_scope.cancel()
        await load.check()

    run(program)


def test_a_timeout_of_asyncio_loses_nothing(place: Path) -> None:
    async def main() -> tuple[int, int]:
        got = 0
        async with mqsc.aconnect(place) as qmgr:
            queue = qmgr.queue("SYSTEM.DEFAULT.LOCAL.QUEUE")
            for number in range(CANCELLATIONS):
                waiting = asyncio.ensure_future(
                    asyncio.wait_for(queue.get(), 0.0001 * (number % 30)),
                )
                await asyncio.sleep(0)
                await queue.put("x")
                got += not isinstance(
                    (await asyncio.gather(waiting, return_exceptions=True))[0],
                    BaseException,
                )
            return got, await queue.depth()

    got, left = asyncio.run(main())
    assert got + left == CANCELLATIONS
