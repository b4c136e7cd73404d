"""Consumers compared with a loop of gets and commits, and `mqsc consume` compared with starting its
program alone.

python -m tests.benchmarks.consumer_benchmark [--calls 300] [--rounds 31]
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

from mqsc.agents.message_programs import MessagePrograms
from mqsc.store import GetMessageOptions, Message, MessageDescriptor
from mqsc.store.constants import MQGMO
from tests.benchmarks.bare import BODY, QUEUE, product
from tests.benchmarks.measuring import compare, each, options, seconds

CALLS = int(os.environ.get("MQSC_CALLS", "300"))
ROUNDS = 31
WORDS = ("true",)


def compare_consumers(
    persistence: int,
    calls: int = CALLS,
    rounds: int = ROUNDS,
) -> dict[str, float]:
    """Return the median ratio of `receive` and of `listen` to a loop of gets and commits, by
    mode.
    """
    word = "persistent" if persistence else "non-persistent"
    with tempfile.TemporaryDirectory() as folder:
        handle, _ = product(Path(folder))
        connection = handle.connection
        message = Message(BODY, MessageDescriptor(persistence=persistence))
        options = GetMessageOptions(MQGMO.SYNCPOINT)
        consumer = connection.consumer(QUEUE, wait=0)

        def loop(number: int) -> None:
            for _ in range(number):
                handle.get(options)
                connection.commit()

        def receive(number: int) -> None:
            for _ in range(number):
                consumer.receive()
                connection.commit()

        def listen(number: int) -> None:
            with connection.consumer(QUEUE, wait=0, limit=number) as listener:
                listener.listen(lambda message: None)

        ratios = {}
        for name, work in (("receive and commit", receive), ("listen", listen)):
            handle.put([message] * (2 * calls * rounds))
            ratios[name] = compare(
                f"{name}, {word}",
                rounds,
                calls,
                work,
                loop,
                beside="get and commit",
            )
        connection.disconnect()
        connection.store.close()
    return ratios


def added_per_message(calls: int = 50, rounds: int = 7) -> float:
    """Return the milliseconds per message that `mqsc consume` adds to starting its program."""
    programs, message = MessagePrograms(WORDS, dict(os.environ)), Message(BODY)
    took = []
    for _ in range(rounds):
        alone = seconds(lambda: each(calls, _start))
        consuming = seconds(lambda: each(calls, lambda: programs.process(message, QUEUE)))
        took.append(1000 * (consuming - alone) / calls)
    added = sorted(took)[len(took) // 2]
    print(f"mqsc consume adds {added:.2f} ms to the start of a program")
    return added


def _start() -> None:
    subprocess.run(WORDS, stdin=subprocess.DEVNULL, start_new_session=True, check=True)


if __name__ == "__main__":
    chosen = options(__doc__, calls=CALLS, rounds=ROUNDS)
    for persistence in (0, 1):
        compare_consumers(persistence, chosen.calls, chosen.rounds)
    added_per_message()
