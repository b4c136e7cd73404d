"""What the person who runs a program reads on stderr about a queue that does not exist."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from mqsc.clients.connection_settings import VARIABLE
from mqsc.clients.process import LinkedConnection
from mqsc.store.constants import MQOT, MQRC
from mqsc.store.error import MQError


def missing_queue(qmgr: str, name: str, known: Iterable[str]) -> str:
    """The sentence, with the known name that is most like this one."""
    from mqsc.store.catalog.spelling import did_you_mean, similar_names

    question = did_you_mean(similar_names(name, known))
    return f"{qmgr} has no {name}" + (f"; {question}" if question else "")


@contextmanager
def explaining_unknown_queue(
    linked: LinkedConnection, object_type: int, name: str
) -> Iterator[None]:
    """A block in which an object of that type and name is opened: an MQError 2085 about a queue is
    explained, once for a name and connection, where the program runs under `mqsc client` or
    `pytest --mqsc`.
    """
    try:
        yield
    except MQError as error:
        is_unknown = error.reason == MQRC.UNKNOWN_OBJECT_NAME and object_type == MQOT.Q
        if is_unknown and name and name not in linked.explained and VARIABLE in os.environ:
            linked.explained.add(name)
            _explain(linked, name)
        raise


def _explain(linked: LinkedConnection, name: str) -> None:
    from mqsc.console.terminal import notice
    from mqsc.store.admin.known_names import defined_names

    manager = linked.connection.qmgr
    known = defined_names(manager.store, manager.name, "queue")
    sentence = missing_queue(manager.name, name, known)
    notice(f"mqsc: {int(MQRC.UNKNOWN_OBJECT_NAME)}: {sentence}")
