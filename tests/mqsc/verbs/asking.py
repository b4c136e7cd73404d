"""Runs commands for the tests of verbs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import mqsc
from mqsc.store import Message, MQError, PutMessageOptions
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQOO, MQPMO


def set_up(qmgr: QueueManager, text: str) -> None:
    """Run commands that must all succeed."""
    mqsc.run(qmgr, text, check=True)


def answer(qmgr: QueueManager, command: str) -> tuple[str, int]:
    """Return the message id and the reason code of one command."""
    (reply,) = mqsc.run(qmgr, command)
    assert reply.completion == 2 or not reply.reason
    return reply.message_id, reply.reason


def check(qmgr: QueueManager, wanted: Mapping[str, tuple[str, int]]) -> None:
    """Run commands in order, and check the message id and the reason code of each."""
    assert {command: answer(qmgr, command) for command in wanted} == wanted


def last_line(qmgr: QueueManager, command: str) -> str:
    """Return the last line of the reply to one command."""
    (reply,) = mqsc.run(qmgr, command)
    return reply.text.splitlines()[-1]


def values(qmgr: QueueManager, command: str, *words: str) -> list[tuple[Any, ...]]:
    """Return the values of some words in each row of a command."""
    (reply,) = mqsc.run(qmgr, command)
    return [tuple(row.get(word) for word in words) for row in reply.rows]


def names(qmgr: QueueManager, command: str) -> list[str]:
    """Return the first value of each row, which is the name of the object."""
    (reply,) = mqsc.run(qmgr, command)
    return [str(next(iter(row.values()))) for row in reply.rows]


def put(qmgr: QueueManager, queue: str, *bodies: bytes) -> None:
    """Put a message for each body."""
    with qmgr.connect() as connection:
        handle = connection.open(queue, MQOO.OUTPUT)
        handle.put([Message(body) for body in bodies], PutMessageOptions(MQPMO.NO_SYNCPOINT))


def bodies(qmgr: QueueManager, queue: str) -> list[bytes]:
    """Get all messages of a queue; return their bodies."""
    found = []
    with qmgr.connect() as connection:
        handle = connection.open(queue, MQOO.INPUT_SHARED)
        try:
            while True:
                found.append(handle.get().body)
        except MQError:
            return found
