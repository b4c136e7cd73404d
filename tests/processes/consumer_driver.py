"""Kills consumers at random moments. Run as `python -m tests.processes.consumer_driver URL KILLS SEED`.

The consumers are forks of this process, which has no store open; that makes 500 kills take only about a minute.
"""

from __future__ import annotations

import os
import random
import select
import signal
import sys
from threading import Event

from store import Message, PutMessageOptions, open_store
from store.client.api import Connection
from store.constants import MQPMO

CONSUMERS = 2
LONGEST_LIFE_SECONDS = 0.03
PATIENCE_SECONDS = 60.0
SYNCPOINT = PutMessageOptions(MQPMO.SYNCPOINT)


def consume(url: str, ready: int, wait: int) -> None:
    """Consume messages from Q with `work`, in batches of three."""
    with open_store(url) as store, store.queue_manager("QM1").connect("consumer") as connection:
        consumer = connection.consumer("Q", wait=wait, batch=3)
        os.write(ready, b".")
        consumer.listen(lambda message: work(connection, message), lambda message, error: None)


def work(connection: Connection, message: Message) -> None:
    """Copy the message to OUT in the same unit of work; fail if its data begins with `bad`."""
    connection.put1("OUT", Message(message.body), SYNCPOINT)
    if message.body.startswith(b"bad"):
        raise ValueError


def start(url: str, wait: int) -> int:
    """Fork a consumer; return its process id once it has opened its queue."""
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        try:
            consume(url, writing, wait)
        finally:
            os._exit(0)
    os.close(writing)
    assert select.select([reading], [], [], PATIENCE_SECONDS)[0]
    os.close(reading)
    return process


def main(url: str, kills: int, seed: int) -> None:
    """Kill and replace consumers at random, then kill all and let a last one finish the work."""
    chance, never = random.Random(seed), Event()
    running = [start(url, -1) for _ in range(CONSUMERS)]
    for _ in range(kills):
        never.wait(chance.uniform(0, LONGEST_LIFE_SECONDS))
        victim = running.pop(chance.randrange(CONSUMERS))
        os.kill(victim, signal.SIGKILL)
        os.waitpid(victim, 0)
        running.append(start(url, -1))
    for process in running:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
    os.waitpid(start(url, 0), 0)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
