"""The message descriptor extension, MQMDE (72 bytes)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.headers import mqmde
from mqsc.store.headers.layout import HeaderError
from tests.store.headers.byte_orders import BOTH


@BOTH
def test_a_descriptor_extension(encoding: int, i: Callable[[int], bytes]) -> None:
    data = b"".join(
        [
            b"MDE ",
            i(2),
            i(72),
            i(546),
            i(819),
            b"MQSTR   ",
            i(0),
            b"G" * 24,
            i(3),
            i(50),
            i(2),
            i(-1),
        ],
    )
    extension = mqmde.DescriptorExtension(546, 819, "MQSTR", b"G" * 24, 3, 50, 2)
    assert len(data) == 72
    assert mqmde.pack_extension(extension, encoding) == data
    assert mqmde.unpack_extension(b".." + data, encoding, at=2) == extension
    with pytest.raises(HeaderError, match="not an MQMDE: StrucLength 73 instead of 72"):
        mqmde.unpack_extension(data[:8] + i(73) + data[12:], encoding)


def test_a_descriptor_is_whole_again_without_its_extension() -> None:
    carried = MessageDescriptor(encoding=546, coded_char_set_id=1208, format="MQHMDE", priority=4)
    data = (
        mqmde.pack_extension(mqmde.DescriptorExtension(273, 819, "MQSTR", b"G" * 24, 3, 50, 2, 900))
        + b"text"
    )
    whole = MessageDescriptor(
        encoding=273,
        coded_char_set_id=819,
        format="MQSTR",
        priority=4,
        group_id=b"G" * 24,
        msg_seq_number=3,
        offset=50,
        msg_flags=2,
        original_length=900,
    )
    assert mqmde.merge_extension(carried, data) == (whole, b"text")
    assert carried.format == "MQHMDE"
    for format, data in (("MQSTR", b"text"), ("MQHMDE", b"MDE "), ("MQHMDE", b"x" * 72)):
        descriptor = MessageDescriptor(format=format)
        assert mqmde.merge_extension(descriptor, data) == (descriptor, data)
