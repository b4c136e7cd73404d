"""Calls with structures in their newest versions, and what they answer."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from mqsc.clients import message_descriptors
from mqsc.clients.mqi import Mqi
from mqsc.clients.structures import MQCNO, MQGMO, MQOD, MQPMO
from mqsc.store.constants import MQCNO as Connect, MQOO
from mqsc.store.descriptor import MessageDescriptor

SHARED = int(Connect.HANDLE_SHARE_BLOCK)
BOTH_WAYS = int(MQOO.INPUT_SHARED | MQOO.OUTPUT | MQOO.BROWSE | MQOO.INQUIRE | MQOO.SET)


def od(name: str, version: int = 4, **fields: Any) -> bytes:
    return MQOD.new(
        version,
        object_name=name,
        **{"object_type": 1, "dynamic_q_name": "AMQ.*", **fields},
    )


def pmo(version: int = 3, **fields: Any) -> bytes:
    return MQPMO.new(version, **fields)


def gmo(version: int = 4, **fields: Any) -> bytes:
    return MQGMO.new(version, **fields)


def cno(version: int = 8, **fields: Any) -> bytes:
    return MQCNO.new(version, **fields)


def md(version: int = 2, **fields: Any) -> bytes:
    empty = b"MD  " + version.to_bytes(4, "little")
    return message_descriptors.write_descriptor(
        empty.ljust(message_descriptors.MQMD.lengths[version], b"\0"),
        version,
        MessageDescriptor(**fields),
    )


class Caller:
    """A connection: its calls answer their values without the codes, which must be 0 unless others
    are expected.

    The calls by their names, as in `caller.MQCMIT()`, answer everything.
    """

    def __init__(self, mqi: Mqi, name: bytes = b"QM1", options: bytes | None = None) -> None:
        self.mqi = mqi
        self.number, _, completion, reason = mqi.MQCONNX(name, options or cno(options=SHARED))
        assert (completion, reason) == (0, 0)

    def __getattr__(self, call: str) -> Callable[..., Any]:
        return partial(getattr(self.mqi, call), self.number)

    def open(self, name: str, options: int = BOTH_WAYS) -> int:
        handle, _, completion, reason = self.MQOPEN(od(name), options)
        assert (completion, reason) == (0, 0)
        return int(handle)

    def put(
        self,
        queue: int,
        body: bytes,
        code: tuple[int, int] = (0, 0),
        *,
        options: int = 0,
        **fields: Any,
    ) -> bytes:
        """The MQMD after the put."""
        placed, _, *answered = self.MQPUT(queue, md(**fields), pmo(options=options), body)
        assert tuple(answered) == code
        return bytes(placed)

    def get(
        self,
        queue: int,
        code: tuple[int, int] = (0, 0),
        *,
        length: int = 100,
        **fields: Any,
    ) -> bytes:
        """The data."""
        body, _, _, _, *answered = self.MQGET(queue, md(), gmo(**fields), length)
        assert tuple(answered) == code
        return bytes(body)
