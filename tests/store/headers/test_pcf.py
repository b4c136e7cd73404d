"""MQCFH, MQCFIN and MQCFST bytes written by hand."""

from __future__ import annotations

import pytest

from store.headers import pcf
from store.headers.layout import HeaderError
from store.headers.pcf import CommandHeader, Parameter

NATIVE, BIG = 546, 273


def little(*values: int) -> bytes:
    return b"".join(value.to_bytes(4, "little", signed=True) for value in values)


def big(*values: int) -> bytes:
    return b"".join(value.to_bytes(4, "big", signed=True) for value in values)


HEADER = CommandHeader(pcf.EVENT, 45, 1, 2224)
PARAMETERS = [Parameter(2015, "QM1", 48), Parameter(36, 8), Parameter(3024, "amqsput")]
# Type, StrucLength, Version, Command, MsgSeqNumber, Control, CompCode, Reason, ParameterCount.
DATA = (
    little(7, 36, 1, 45, 1, 1, 1, 2224, 3)
    + little(4, 68, 2015, 1208, 48)
    + b"QM1".ljust(48)
    + little(3, 16, 36, 8)
    + little(4, 28, 3024, 1208, 7)
    + b"amqsput\0"
)


def test_an_event_as_it_is_written() -> None:
    assert pcf.pack(HEADER, PARAMETERS) == DATA
    assert len(DATA) % 4 == 0


def test_pack_and_unpack_ignoring_data_after_the_parameters() -> None:
    header, parameters = pcf.unpack(DATA + b"more")
    assert header == HEADER
    assert [each[:2] for each in parameters] == [(2015, "QM1"), (36, 8), (3024, "amqsput")]


def test_big_endian_and_ebcdic() -> None:
    data = pcf.pack(CommandHeader(7, 44, 1, 2051), [Parameter(2016, "Q1", 8)], BIG, 500)
    assert data == big(7, 36, 1, 44, 1, 1, 1, 2051, 1, 4, 28, 2016, 500, 8) + b"\xd8\xf1" + b"\x40" * 6
    assert pcf.unpack(data, BIG, 500)[1] == [Parameter(2016, "Q1", 8)]


@pytest.mark.parametrize("length", range(10))
def test_every_text_ends_on_a_multiple_of_four(length: int) -> None:
    data = pcf.pack(HEADER, [Parameter(1, "x" * length)])
    assert len(data) == 36 + 20 + (length + 3) // 4 * 4
    assert pcf.unpack(data)[1] == [Parameter(1, "x" * length, length)]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "0 bytes"),
        (DATA[:35], "35 bytes"),
        (little(7, 40, 1, 45, 1, 1, 1, 0, 0), "StrucLength 40"),
        (DATA[:36], "incomplete parameter at byte 36"),
        (DATA[:100], "StrucLength of 68"),
        (little(7, 36, 1, 45, 1, 1, 1, 0, 1) + little(5, 16, 1, 0), "type 5"),
        (little(7, 36, 1, 45, 1, 1, 1, 0, 1) + little(3, 0, 1, 0), "StrucLength of 0"),
    ],
)
def test_invalid_pcf(data: bytes, said: str) -> None:
    with pytest.raises(HeaderError, match=said):
        pcf.unpack(data)
