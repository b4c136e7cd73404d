"""The values of properties as IBM's extension modules pass them: as Python has them, where the MQI
has bytes.
"""

from __future__ import annotations

import struct
from typing import Any

from mqsc.clients.properties import nul_ended
from mqsc.store.rules.properties.property_types import BYTE_STRING, STRING, TYPES


def to_bytes(type: int, value: Any, length: int) -> bytes:
    """The bytes of a value; numbers have the length of their type, others the length given.

    MQError 2005 for a length that is wrong. TypeError or OverflowError for a value that is not of
    the type.
    """
    if type == STRING and isinstance(value, str):
        return nul_ended(type, value.encode("utf-8", "ignore"), length)
    if type in (STRING, BYTE_STRING):
        # bytes() of a number would be that many NULs.
        return nul_ended(type, bytes(memoryview(value)), length)
    code = _code(type)
    if code in ("<f", "<d"):
        return struct.pack(code, value)
    bits = 8 * struct.calcsize(code)
    # As in C, a number that is too large loses its upper bits.
    return (int(value) & ((1 << bits) - 1)).to_bytes(bits // 8, "little") if bits else b""


def _code(type: int) -> str:
    """The code of a number for `struct`, with its byte order; none after that for another type."""
    return f"<{TYPES[type].code}" if type in TYPES else "<"


def from_bytes(type: int, data: bytes) -> Any:
    """The value in the bytes that MQINQMP returned, which may be fewer than the type has."""
    if type == STRING:
        return data.decode("utf-8", "replace")
    if type == BYTE_STRING:
        return data
    code = _code(type)
    return next(iter(struct.unpack(code, data.ljust(struct.calcsize(code), b"\0"))), None)
