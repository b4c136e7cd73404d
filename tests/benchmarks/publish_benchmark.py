"""Publications compared with puts, and with publications beside many subscriptions.

    python -m tests.benchmarks.publish_benchmark [--calls 300] [--rounds 31]

Each round measures one side and then the other; printed is the median ratio of the speed of a
publication to the speed of what is beside it: a put of the same message to a queue; a list of 100
puts in one call for 100 subscriptions that have their queue in common, or a queue each, a list of
messages like the copies, and 100 calls; publications where no other subscription is defined. Nobody
reads the queues.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import NamedTuple

from mqsc.store import Message, open_store
from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQOO, MQOT
from mqsc.store.descriptor import MessageDescriptor
from tests.benchmarks.bare import BODY, QUEUE
from tests.benchmarks.measuring import compare_each, each, options

CALLS = int(os.environ.get("MQSC_CALLS", "300"))
ROUNDS = 31
TOPIC = "prices/tea"
UNMATCHED = 10_000
MESSAGE = Message(BODY)
HUNDRED = [MESSAGE] * 100
DEEP = {"MAXDEPTH": 999_999_999}


class Measured(NamedTuple):
    """What is open to be measured: a queue, and a topic with its subscribers."""

    queue: ObjectHandle
    topic: ObjectHandle
    # Messages with the data, the format and the CorrelIds of the copies of a publication.
    copies: list[Message]

    def put(self) -> None:
        self.queue.put(MESSAGE)

    def put_hundred(self) -> None:
        self.queue.put(HUNDRED)

    def put_hundred_alone(self) -> None:
        each(100, self.put)

    def put_copies(self) -> None:
        self.queue.put(self.copies)

    def publish(self) -> None:
        self.topic.put(MESSAGE)

    def close(self) -> None:
        self.queue.connection.store.close()


def measured(
    folder: Path, name: str, subscribers: int, *, queues: int = 1, unmatched: int = 0
) -> Measured:
    """A store with a queue for puts, and `queues` that the subscribers of the topic have in turn;
    other topics have `unmatched` subscriptions.
    """
    qmgr = open_store(f"sqlite:///{folder}/{name}.db").create_queue_manager("QM1")
    create(qmgr, KINDS["QLOCAL"], QUEUE, DEEP)
    with qmgr.store.database.one_transaction():
        for number in range(queues):
            create(qmgr, KINDS["QLOCAL"], f"Q{number}", DEEP)
        for number in range(subscribers):
            _subscribe(qmgr, f"S{number}", TOPIC, f"Q{number % queues}")
        for number in range(unmatched):
            _subscribe(qmgr, f"U{number}", f"prices/{number}", QUEUE)
    connection = qmgr.connect()
    queue = connection.open(QUEUE, MQOO.OUTPUT)
    topic = connection.open("", MQOO.OUTPUT, object_type=MQOT.TOPIC, object_string=TOPIC)
    topic.put(MESSAGE)
    copies = [
        _like(connection.open(f"Q{number % queues}", MQOO.INPUT_SHARED).get())
        for number in range(subscribers)
    ]
    return Measured(queue, topic, copies)


def _like(copy: Message) -> Message:
    got = copy.descriptor
    return Message(copy.body, MessageDescriptor(format=got.format, correl_id=got.correl_id))


def _subscribe(qmgr: QueueManager, name: str, topic: str, queue: str) -> None:
    create(qmgr, KINDS["SUB"], name, {"TOPICSTR": topic, "DEST": queue})


def compare_publications(calls: int = CALLS, rounds: int = ROUNDS) -> dict[str, float]:
    """Return the median ratio of each comparison by its name."""
    with tempfile.TemporaryDirectory() as folder:
        one = measured(Path(folder), "one", 1)
        together = measured(Path(folder), "together", 100)
        apart = measured(Path(folder), "apart", 100, queues=100)
        beside = measured(Path(folder), "beside", 1, unmatched=UNMATCHED)
        many = max(1, calls // 50)
        ratios = {
            "one subscriber": compare_each(
                "publication to one subscriber",
                rounds,
                calls,
                one.publish,
                one.put,
                beside="put",
            ),
            "100 subscribers, one queue": compare_each(
                "publication to 100 subscribers, one queue",
                rounds,
                many,
                together.publish,
                together.put_hundred,
                beside="list of 100 puts",
            ),
            "100 subscribers, like copies": compare_each(
                "publication to 100 subscribers, one queue",
                rounds,
                many,
                together.publish,
                together.put_copies,
                beside="list of such messages",
            ),
            "100 subscribers, 100 queues, list": compare_each(
                "publication to 100 subscribers, 100 queues",
                rounds,
                many,
                apart.publish,
                apart.put_hundred,
                beside="list of 100 puts",
            ),
            "100 subscribers, 100 queues": compare_each(
                "publication to 100 subscribers, 100 queues",
                rounds,
                many,
                apart.publish,
                apart.put_hundred_alone,
                beside="100 puts",
            ),
            "unmatched": compare_each(
                f"publication beside {UNMATCHED:,} subscriptions that do not match",
                rounds,
                calls,
                beside.publish,
                one.publish,
                beside="without them",
            ),
            "put": compare_each(
                f"put beside {UNMATCHED:,} subscriptions",
                rounds,
                calls,
                beside.put,
                one.put,
                beside="without them",
            ),
        }
        for store in (one, together, apart, beside):
            store.close()
    return ratios


if __name__ == "__main__":
    chosen = options(__doc__, calls=CALLS, rounds=ROUNDS)
    compare_publications(chosen.calls, chosen.rounds)
