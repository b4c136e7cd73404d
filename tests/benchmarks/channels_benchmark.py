"""A channel between two stores, measured against a local loop of gets and puts with units of work
of the same size.

python -m tests.benchmarks.channels_benchmark [--calls 500] [--rounds 15]
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable

import mqsc
from mqsc.channels.attempt import RunSettings
from mqsc.channels.channel_run import run_channel
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import open_store
from mqsc.store.constants import MQGMO, MQOO, MQPER, MQPMO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from tests.benchmarks.measuring import options, report, seconds

CALLS = int(os.environ.get("MQSC_CALLS", "500"))
ROUNDS = 15
BATCH = 50
BODY = b"x" * 1024
PERSISTENT = MessageDescriptor(persistence=MQPER.PERSISTENT)
_MANY = "MAXDEPTH(999999)"


def compare_channel(calls: int = CALLS, rounds: int = ROUNDS) -> float:
    """Return the median ratio for persistent messages of 1 kB and BATCHSZ(50)."""
    with tempfile.TemporaryDirectory() as folder:
        urls = [f"sqlite:///{folder}/{name}.db" for name in ("a", "b")]
        with open_store(urls[0]) as here, open_store(urls[1]) as there:
            sender, receiver = here.create_queue_manager("QM1"), there.create_queue_manager("QM2")
            _define(sender, receiver, urls[1])
            return _compared(sender, calls, rounds)


def _define(sender: QueueManager, receiver: QueueManager, url: str) -> None:
    mqsc.run(
        sender,
        f"DEFINE QLOCAL(X) USAGE(XMITQ) {_MANY}\n"
        "DEFINE QREMOTE(RQ) RNAME(Q) RQMNAME(QM2) XMITQ(X)\n"
        f"DEFINE QLOCAL(FROM) {_MANY}\nDEFINE QLOCAL(TO) {_MANY}\n"
        f"DEFINE CHANNEL(C) CHLTYPE(SDR) XMITQ(X) CONNAME('{url}(QM2)') BATCHSZ({BATCH})",
    )
    mqsc.run(receiver, f"DEFINE QLOCAL(Q) {_MANY}\nDEFINE CHANNEL(C) CHLTYPE(RCVR)")


def _compared(qmgr: QueueManager, calls: int, rounds: int) -> float:
    """Alternate the loop and the channel; the time of the channel includes its start and its
    end.
    """
    with qmgr.connect("benchmark") as connection:
        source = connection.open("FROM", MQOO.INPUT_SHARED | MQOO.OUTPUT)
        target = connection.open("TO", MQOO.OUTPUT)
        remote = connection.open("RQ", MQOO.OUTPUT)

        def loop(number: int) -> None:
            for _ in range(0, number, BATCH):
                for _ in range(BATCH):
                    message = source.get(GetMessageOptions(MQGMO.SYNCPOINT))
                    target.put(message, PutMessageOptions(MQPMO.SYNCPOINT))
                connection.commit()

        def channel(number: int) -> None:
            for _ in run_channel(qmgr, "C", RunSettings(until_empty=True)):
                raise AssertionError("a run until the queue is empty does not wait")

        def round_of(work: Callable[[int], None], filled: ObjectHandle) -> float:
            filled.put([Message(BODY, PERSISTENT)] * calls)
            return seconds(lambda: work(calls))

        pairs = [(round_of(loop, source), round_of(channel, remote)) for _ in range(rounds)]
    return report("channel, persistent, BATCHSZ(50)", calls, pairs, beside="get and put")


if __name__ == "__main__":
    given = options(__doc__, calls=CALLS, rounds=ROUNDS)
    compare_channel(given.calls, given.rounds)
