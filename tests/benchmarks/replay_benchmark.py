"""A replay beside the same calls through the API: processor time for each call.

    python -m tests.benchmarks.replay_benchmark [--messages 5000] [--rounds 3]

Each message is put and got, in a unit of work with ten others. A replay half as fast as the calls
is wanted.
"""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path
from statistics import median

from mqsc import run
from mqsc.store.admin.event_search import EventSelection, events
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import open_store
from mqsc.store.constants import MQGMO, MQOO, MQPMO
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.past.as_of import copy_as_of, moment_of_event
from mqsc.store.past.calls import RecordedCall, recorded_calls
from mqsc.store.past.replay import Replay, open_copy
from tests.benchmarks.measuring import Took, options, took

_UNIT = 10


def work(qmgr: QueueManager, messages: int) -> None:
    """Put and get messages."""
    put, get = PutMessageOptions(int(MQPMO.SYNCPOINT)), GetMessageOptions(int(MQGMO.SYNCPOINT))
    with qmgr.connect("shop") as shop, qmgr.connect("billing") as billing:
        target, source = shop.open("Q", int(MQOO.OUTPUT)), billing.open("Q", int(MQOO.INPUT_SHARED))
        for _ in range(messages // _UNIT):
            for _ in range(_UNIT):
                target.put(Message(b"x" * 200), put)
            shop.commit()
            for _ in range(_UNIT):
                source.get(get)
            billing.commit()


def replay(replayed: Replay, calls: list[RecordedCall]) -> None:
    """Play the calls again."""
    with replayed.copy.database.one_transaction():
        for each in calls:
            replayed.play(each)


def measured(folder: Path, messages: int) -> tuple[Took, Took]:
    """The calls, and their replay."""
    with open_store(f"sqlite:///{folder / 'store.db'}") as store:
        qmgr = store.create_queue_manager("QM1")
        run(qmgr, "DEFINE QLOCAL(Q) MAXDEPTH(100000)", check=True)
        moment = moment_of_event(store, store.bound().seq)
        called = took(partial(work, qmgr, messages))
        calls = list(recorded_calls(events(store, EventSelection(), first=moment.seq + 1)))
        with copy_as_of(store, moment) as past:
            copy = open_copy(str(past.file), moment.at)
            replayed = Replay(store, copy, moment.seq)
            replayed.prepare(calls)
            again = took(partial(replay, replayed, calls))
            assert not replayed.result.departures
            copy.close()
    return called, again


if __name__ == "__main__":
    arguments = options(__doc__, messages=5_000, rounds=3)
    ratios = []
    for _ in range(arguments.rounds):
        with tempfile.TemporaryDirectory() as made:
            called, again = measured(Path(made), arguments.messages)
        ratios.append(called.processor / again.processor)
        number = 2 * arguments.messages
        print(
            f"call {1e6 * called.processor / number:.0f} µs, in a replay "
            f"{1e6 * again.processor / number:.0f} µs",
        )
    print(f"a replay is {median(ratios):.2f} times as fast as the calls")
