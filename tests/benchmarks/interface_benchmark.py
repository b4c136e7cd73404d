"""The Python interface compared with the classes of the MQI that it uses, and the cost of tasks
that wait.

    python -m tests.benchmarks.interface_benchmark [--calls 300] [--rounds 31] [--tasks 1000] [--seconds 5]

Printed are the median ratios of both speeds (1 is as fast; the processor time counts), then the
part of a core that waiting gets use in one process.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import mqsc
from mqsc import (
    MQGMO,
    MQOO,
    MQPMO,
    GetMessageOptions,
    Message,
    MessageDescriptor,
    MessageHandle,
    PutMessageOptions,
)
from mqsc.interface import asynchronous_wait
from tests.benchmarks.bare import BODY
from tests.benchmarks.measuring import compare_each, options

CALLS = int(os.environ.get("MQSC_CALLS", "300"))
ROUNDS, TASKS, SECONDS = 31, 1000, 5
TEXT = BODY.decode()
_PUT, _GET = (
    MQPMO.NO_SYNCPOINT | MQPMO.FAIL_IF_QUIESCING,
    MQGMO.NO_SYNCPOINT | MQGMO.FAIL_IF_QUIESCING,
)
NO_WAIT = timedelta(0)


def compare_interface(calls: int = CALLS, rounds: int = ROUNDS) -> dict[str, float]:
    """Return the median ratio of each kind of call, with text and with a property, by its name."""
    with (
        tempfile.TemporaryDirectory() as folder,
        mqsc.connect(Path(folder) / "store.db", create=True) as qmgr,
    ):
        qmgr.run(
            "DEFINE QLOCAL(OURS) MAXDEPTH(999999999); DEFINE QLOCAL(THEIRS) MAXDEPTH(999999999)",
        )
        queue = qmgr.queue("OURS")
        handle = qmgr.connection.open("THEIRS", MQOO.INPUT_SHARED | MQOO.OUTPUT)

        def put(**properties: str) -> None:
            given = MessageHandle(None) if properties else None
            for name, value in properties.items():
                given.set(name, value)  # type: ignore[union-attr]
            descriptor = MessageDescriptor(format="MQSTR", coded_char_set_id=1208)
            handle.put(
                Message(TEXT.encode(), descriptor),
                PutMessageOptions(_PUT, message_handle=given),
            )

        def get() -> object:
            return handle.get(GetMessageOptions(_GET | MQGMO.NO_PROPERTIES)).body.decode()

        def get_properties() -> object:
            received = MessageHandle(None)
            handle.get(
                GetMessageOptions(_GET | MQGMO.PROPERTIES_IN_HANDLE, message_handle=received),
            )
            return received.values

        pairs: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
            "put": (lambda: queue.put(TEXT), put),
            "get": (lambda: queue.get(NO_WAIT).text, get),
            "put with a property": (lambda: queue.put(TEXT, color="red"), lambda: put(color="red")),
            "get with a property": (lambda: queue.get(NO_WAIT).properties, get_properties),
        }
        return {
            name: compare_each(name, rounds, calls, ours, theirs, beside="MQI")
            for name, (ours, theirs) in pairs.items()
        }


def cost_of_waiting(tasks: int = TASKS, seconds: float = SECONDS) -> float:
    """Return the part of a core that so many waiting gets use, a tenth of them on each of ten
    queues.
    """
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_waiting(Path(folder) / "store.db", tasks, seconds))


async def _waiting(store: Path, tasks: int, seconds: float) -> float:
    async with mqsc.aconnect(store, create=True) as qmgr:
        queues = [qmgr.queue(f"Q{number}") for number in range(10)]
        for queue in queues:
            await qmgr.run(f"DEFINE QLOCAL({queue.name})")
        getting = [asyncio.create_task(queues[number % 10].get()) for number in range(tasks)]
        # Until each has looked at its queue: one watches, the others sleep.
        while not (watches := asynchronous_wait._watches.get(asynchronous_wait._NO_WATCHES)) or any(
            len(each._sleepers) < tasks - 1 for each in watches.values()
        ):
            await asyncio.sleep(0.1)
        loop = asyncio.get_running_loop()
        ended = loop.create_future()
        loop.call_later(seconds, ended.set_result, None)
        before = os.times()
        await ended
        after = os.times()
        part = (after.user + after.system - before.user - before.system) / (
            after.elapsed - before.elapsed
        )
        for task in getting:
            task.cancel()
        await asyncio.gather(*getting, return_exceptions=True)
    print(f"{tasks} waiting gets use {part:.1%} of a core")
    return part


if __name__ == "__main__":
    chosen = options(__doc__, calls=CALLS, rounds=ROUNDS, tasks=TASKS, seconds=SECONDS)
    compare_interface(chosen.calls, chosen.rounds)
    cost_of_waiting(chosen.tasks, chosen.seconds)
