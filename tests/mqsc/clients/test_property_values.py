"""Values of properties as Python has them, and as the MQI does."""

from __future__ import annotations

from typing import Any

import pytest

from mqsc.clients.properties import from_bytes, refused, to_bytes
from store.constants import MQTYPE
from store.error import MQError

ROWS = [
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
]


@pytest.mark.parametrize(("type", "value", "length", "data"), ROWS)
def test_there_and_back(type: int, value: Any, length: int, data: bytes) -> None:
    assert to_bytes(type, value, length) == data
    assert from_bytes(type, data) == value


def test_lengths() -> None:
    assert to_bytes(MQTYPE.STRING, "abcdef", 3) == b"abc"
    assert to_bytes(MQTYPE.STRING, "ab\0cd", -1) == b"ab"
    assert to_bytes(MQTYPE.INT8, 300, 1) == b"\x2c"
    assert from_bytes(MQTYPE.INT32, b"\1") == 1
    for type, length in ((MQTYPE.STRING, 9), (MQTYPE.BYTE_STRING, -1), (MQTYPE.STRING, -2)):
        with pytest.raises(MQError) as fault:
            to_bytes(type, b"abc", length)
        assert refused(fault.value) == (2, 2005)


@pytest.mark.parametrize("value", [42, True, 1.5, None])
@pytest.mark.parametrize("type", [MQTYPE.STRING, MQTYPE.BYTE_STRING])
def test_a_value_of_another_type_is_refused(type: int, value: Any) -> None:
    with pytest.raises(TypeError) as fault:
        to_bytes(type, value, -1)
    assert refused(fault.value) == (2, 2004)
