"""The values of properties as IBM's extension modules pass them: as Python has them, where the MQI has bytes."""

from __future__ import annotations

import struct
from typing import Any

from mqsc.clients.properties import nul_ended
from store.constants import MQRC, MQTYPE
from store.error import MQError

_FLOATS = {int(MQTYPE.FLOAT32): "<f", int(MQTYPE.FLOAT64): "<d"}
_INTEGERS = {
    int(MQTYPE.BOOLEAN): "<i",
    int(MQTYPE.INT8): "<b",
    int(MQTYPE.INT16): "<h",
    int(MQTYPE.INT32): "<i",
    int(MQTYPE.INT64): "<q",
}
_STRING, _BYTES = int(MQTYPE.STRING), int(MQTYPE.BYTE_STRING)


def to_bytes(type: int, value: Any, length: int) -> bytes:
    """The bytes of a value; numbers have the length of their type, others the length given.

    MQError 2005 for a length that is wrong. TypeError or OverflowError for a value that is not of the type.
    """
    code = _INTEGERS.get(type)
    if code is not None:
        bits = 8 * struct.calcsize(code)
        # As in C, a number that is too large loses its upper bits.
        return (int(value) & ((1 << bits) - 1)).to_bytes(bits // 8, "little")
    if type in _FLOATS:
        return struct.pack(_FLOATS[type], value)
    if type == _STRING and isinstance(value, str):
        return nul_ended(type, value.encode("utf-8", "ignore"), length)
    # bytes() of a number would be that many NULs.
    return nul_ended(type, bytes(memoryview(value)), length) if type in (_STRING, _BYTES) else b""


def from_bytes(type: int, data: bytes) -> Any:
    """The value in the bytes that MQINQMP returned, which may be fewer than the type has."""
    code = _INTEGERS.get(type) or _FLOATS.get(type)
    if code is not None:
        (value,) = struct.unpack(code, data.ljust(struct.calcsize(code), b"\0"))
        return value
    if type == _STRING:
        return data.decode("utf-8", "replace")
    return data if type == _BYTES else None


def refused(error: Exception) -> tuple[int, int]:
    """Completion code and reason for a value that cannot be converted."""
    return 2, int(error.reason) if isinstance(error, MQError) else int(MQRC.BUFFER_ERROR)
