"""Strings in the memory of a program, and pointers that lead nowhere."""

from __future__ import annotations

import ctypes

import pytest

from mqsc.clients.memory_strings import variable_string
from mqsc.store.error import MQError
from tests.rows import rows

STRUCTURE = b"HEAD" + b"inside\0more"


def string(pointer: int, offset: int, length: int) -> bytes:
    fields = {"text_pointer": pointer, "text_offset": offset, "text_length": length}
    return variable_string(fields, "text", STRUCTURE, 2519)


def test_a_string_is_behind_a_pointer_or_in_the_structure() -> None:
    memory = ctypes.create_string_buffer(b"outside\0 " + b"x" * 9000)
    at = ctypes.addressof(memory)
    assert [string(at, 0, 3), string(at, 0, -1), string(at + 9, 0, -1)] == [
        b"out",
        b"outside",
        b"x" * 9000,
    ]
    assert [string(0, 4, 6), string(0, 4, -1), string(0, 0, 5), string(at, 0, 0)] == [
        b"inside",
        b"inside",
        b"",
        b"",
    ]


@rows(
    (8, 0, 4),
    (8, 0, -1),
    (-8, 0, 4),
    (1 << 62, 0, -1),
    (8, 4, 2),
    (0, -4, 2),
    (0, 99, -1),
    (0, 4, 99),
    (8, 0, -2),
)
def test_a_wrong_string_is_refused(pointer: int, offset: int, length: int) -> None:
    with pytest.raises(MQError, match="2519"):
        string(pointer, offset, length)
