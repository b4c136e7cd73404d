"""The values of properties in bytes and as Python has them."""

from __future__ import annotations

from typing import Any

import pytest

from mqsc.clients.mqi import Mqi
from mqsc.clients.property_values import from_bytes, to_bytes
from mqsc.store.constants import MQTYPE
from mqsc.store.error import MQError
from tests.mqsc.clients.test_properties import ABOUT, SET
from tests.rows import rows


@rows(
    (MQTYPE.BOOLEAN, True, -1, b"\1\0\0\0"),
    (MQTYPE.INT8, -2, -1, b"\xfe"),
    (MQTYPE.INT16, 258, -1, b"\2\1"),
    (MQTYPE.INT32, -1, 4, b"\xff" * 4),
    (MQTYPE.INT64, -(2**63), 8, bytes(7) + b"\x80"),
    (MQTYPE.FLOAT64, 1.0, 8, b"\0\0\0\0\0\0\xf0?"),
    (MQTYPE.FLOAT32, 0.5, -1, b"\0\0\0?"),
    (MQTYPE.STRING, "caf\u00e9", -1, b"caf\xc3\xa9"),
    (MQTYPE.BYTE_STRING, b"a\0b", 3, b"a\0b"),
    (MQTYPE.NULL, None, 0, b""),
)
def test_there_and_back(type: int, value: Any, length: int, data: bytes) -> None:
    assert (to_bytes(type, value, length), from_bytes(type, data)) == (data, value)


def test_lengths() -> None:
    assert (to_bytes(MQTYPE.STRING, "abcdef", 3), to_bytes(MQTYPE.STRING, "ab\0cd", -1)) == (
        b"abc",
        b"ab",
    )
    assert (to_bytes(MQTYPE.INT8, 300, 1), from_bytes(MQTYPE.INT32, b"\1")) == (b"\x2c", 1)
    for type, length in ((MQTYPE.STRING, 9), (MQTYPE.BYTE_STRING, -1), (MQTYPE.STRING, -2)):
        with pytest.raises(MQError, match="2005"):
            to_bytes(type, b"abc", length)
        assert Mqi().set_value(0, 0, SET, b"p", ABOUT, type, b"abc", length) == (2, 2005)
