"""A program that keeps putting messages which have expired already, and discards them by gets and scans."""

from __future__ import annotations

import sys
from contextlib import suppress
from itertools import count

import mqsc
from store import Environment, GetMessageOptions, Message, MessageDescriptor, MQError
from store.client.api import open_store
from store.constants import MQGMO, MQOO, MQPMO
from store.message import PutMessageOptions
from tests.conftest import START

LIVELY, SLOW = "LIVELY", "SLOW"


def main(url: str) -> None:
    """Until it is killed. Every message that is put is discarded as expired sooner or later, and none is got."""
    past = open_store(url, environment=Environment.frozen(at=START)).queue_manager("QM1").connect()
    present = open_store(url).queue_manager("QM1")
    reader = present.connect()
    puts = {queue: past.open(queue, MQOO.OUTPUT) for queue in (LIVELY, SLOW)}
    gets = reader.open(LIVELY, MQOO.INPUT_SHARED)
    for turn in count():
        expiring = MessageDescriptor(expiry=1)
        for queue in puts.values():
            queue.put([Message(b"", expiring.copy()) for _ in range(7)])
        # Backed out, so that nothing of it may be seen.
        puts[SLOW].put(Message(b"", expiring.copy()), PutMessageOptions(MQPMO.SYNCPOINT))
        past.back()
        if turn % 3 == 0:
            with suppress(MQError):
                gets.get(GetMessageOptions(MQGMO.NO_WAIT))
        # Not when the other queue has just been emptied: there is always something overdue.
        if turn % 42 == 1:
            mqsc.run(present, f"REFRESH QMGR TYPE(EXPIRY) NAME({SLOW})")
        if turn == 50:
            print("ready", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
