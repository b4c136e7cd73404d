"""Every MQI call, for tests of what they have in common."""

from __future__ import annotations

from collections.abc import Callable

from mqsc.store.client.connection import Connection
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.constants import MQGMO, MQIA, MQOO
from mqsc.store.error import MQError
from mqsc.store.message import GetMessageOptions, Message

Call = Callable[[Connection, ObjectHandle], object]
CALLS: dict[str, Call] = {
    "MQOPEN": lambda connection, _: connection.open("Q", MQOO.OUTPUT),
    "MQCLOSE": lambda _, handle: handle.close(),
    "MQPUT": lambda _, handle: handle.put(Message(b"")),
    "MQPUT1": lambda connection, _: connection.put1("Q", Message(b"")),
    "MQGET": lambda _, handle: handle.get(),
    "MQGET unlock": lambda _, handle: handle.get(GetMessageOptions(MQGMO.UNLOCK)),
    "MQINQ": lambda _, handle: handle.inquire(MQIA.INHIBIT_PUT),
    "MQSET": lambda _, handle: handle.set({MQIA.INHIBIT_PUT: 0}),
    "MQBEGIN": lambda connection, _: connection.begin(),
    "MQCMIT": lambda connection, _: connection.commit(),
    "MQBACK": lambda connection, _: connection.back(),
    "MQDISC": lambda connection, _: connection.disconnect(),
}
FOR_ALL_CALLS = MQOO.INPUT_SHARED | MQOO.BROWSE | MQOO.OUTPUT | MQOO.INQUIRE | MQOO.SET


def reason_of(call: Callable[[], object]) -> int:
    """Return the reason code of a call that fails, 0 if it succeeds, or -1 if it only warns."""
    try:
        call()
    except MQError as refused:
        return int(refused.reason) if refused.completion == 2 else -1
    return 0
