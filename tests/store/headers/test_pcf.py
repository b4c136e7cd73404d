"""MQCFH and its parameters, compared with bytes written by hand."""

from __future__ import annotations

import re

import pytest

from mqsc.store.headers import pcf
from mqsc.store.headers.layout import HeaderError
from mqsc.store.headers.pcf import CommandHeader, Filter, Integer64, Parameter, PcfError

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


def test_an_event_as_it_is_written_and_read_without_data_after_the_parameters() -> None:
    assert pcf.pack(HEADER, PARAMETERS) == DATA
    assert len(DATA) % 4 == 0
    header, parameters = pcf.unpack(DATA + b"more")
    assert header == HEADER
    assert [each[:2] for each in parameters] == [(2015, "QM1"), (36, 8), (3024, "amqsput")]


def test_big_endian_and_ebcdic() -> None:
    data = pcf.pack(CommandHeader(7, 44, 1, 2051), [Parameter(2016, "Q1", 8)], BIG, 500)
    assert (
        data == big(7, 36, 1, 44, 1, 1, 1, 2051, 1, 4, 28, 2016, 500, 8) + b"\xd8\xf1" + b"\x40" * 6
    )
    assert pcf.unpack(data, BIG, 500)[1] == [Parameter(2016, "Q1", 8)]


NESTED = Parameter(8001, (Parameter(1021, 8), Parameter(8002, (Parameter(1, 2),))))
# (parameter, its bytes after the header)
STRUCTURES: list[tuple[Parameter, bytes]] = [
    (Parameter(1115, [1, -2]), little(5, 24, 1115, 2, 1, -2)),
    (Parameter(1115, []), little(5, 16, 1115, 0)),
    (Parameter(2020, ["Q1", "Q22"], 4), little(6, 32, 2020, 1208, 2, 4) + b"Q1  Q22 "),
    (Parameter(2020, [], 48), little(6, 24, 2020, 1208, 0, 48)),
    (Parameter(3, Filter(4, -1)), little(13, 20, 3, 4, -1)),
    (Parameter(2013, Filter(18, "IBM*"), 4), little(14, 28, 2013, 18, 1208, 4) + b"IBM*"),
    (Parameter(7006, Filter(2, b"abcde")), little(15, 28, 7006, 2, 5) + b"abcde\0\0\0"),
    (Parameter(745, Integer64(1 << 40)), little(23, 24, 745, 0, 0, 256)),
    (Parameter(745, [Integer64(-2), Integer64(1)]), little(25, 32, 745, 2, -2, -1, 1, 0)),
    (Parameter(7001, b"abcde"), little(9, 24, 7001, 5) + b"abcde\0\0\0"),
    (NESTED, little(20, 16, 8001, 2, 3, 16, 1021, 8, 20, 16, 8002, 1, 3, 16, 1, 2)),
]


@pytest.mark.parametrize(("parameter", "data"), STRUCTURES)
def test_lists_bytes_and_groups(parameter: Parameter, data: bytes) -> None:
    after = Parameter(36, 8)
    packed = pcf.pack(HEADER, [parameter, after])
    assert packed[36:] == data + little(3, 16, 36, 8)
    assert pcf.unpack(packed)[1] == [parameter, after]


def test_the_version_of_the_header() -> None:
    data = pcf.pack(CommandHeader(pcf.EVENT, 43, 1, 2367, version=2), [])
    assert data == little(7, 36, 2, 43, 1, 1, 1, 2367, 0)
    assert pcf.unpack(data)[0].version == 2


def test_every_text_ends_on_a_multiple_of_four() -> None:
    for length in range(10):
        data = pcf.pack(HEADER, [Parameter(1, "x" * length)])
        assert len(data) == 36 + 20 + (length + 3) // 4 * 4
        assert pcf.unpack(data)[1] == [Parameter(1, "x" * length, length)]


ONE = little(1, 36, 1, 45, 1, 1, 0, 0, 1)
INVALID = [
    *(
        (b"", "0 bytes"),
        (DATA[:35], "35 bytes"),
        (little(7, 40, 1, 45, 1, 1, 1, 0, 0), "StrucLength 40"),
    ),
    *((DATA[:36], "incomplete parameter at byte 36"), (DATA[:100], "StrucLength of 68")),
    *(
        (ONE + little(99, 20, 1, 0, 0), "type 99"),
        (ONE + little(5, 20, 1, 2, 0), "2 items of 4 bytes"),
    ),
    (ONE + little(6, 24, 1, 0, 1, -4), "1 items of -4 bytes"),
    (ONE + little(20, 16, 1, 1), "incomplete parameter at byte 52"),
    (ONE + little(20, 16, 1, 1) * 2000, "groups inside one another"),
    (ONE + little(3, 0, 1, 0), "StrucLength of 0"),
]


@pytest.mark.parametrize(("data", "said"), INVALID)
def test_invalid_pcf(data: bytes, said: str) -> None:
    with pytest.raises(HeaderError, match=said):
        pcf.unpack(data)


# Reasons, and the numbers of a structure that gets them.
MALFORMED_HEADERS = """
    3002: 1 35 1 45 1 1 0 0 0    3003: 1 36 0 45 1 1 0 0 0    3006: 1 36 1 45 1 1 0 0 -1
"""
MALFORMED_PARAMETERS = """
    3009: 3 20 1 0 0    3010: 4 16 1 0 0    3011: 4 20 1 0 1       3049: 4 20 1 9 0               3013: 12 16 1 0
    3028: 5 12 1 0      3027: 5 16 1 -1     3024: 6 20 1 0 0 0     3068: 6 24 1 0 -1 0            3255: 9 12 1 0
    3067: 6 24 1 0 2 4  3257: 9 16 1 4      3069: 6 24 1 0 2147483647 0  3241: 13 16 1 2 0        3258: 20 12 1 2
    3245: 14 20 1 2 0 0 3244: 14 24 1 2 0 4 3264: 15 16 1 2 0      3267: 15 20 1 2 4              3259: 20 16 1 -2
    3016: 3 16 1        3016: 4 2000 1 0 0
"""


@pytest.mark.parametrize(
    ("before", "structures"),
    [(b"", MALFORMED_HEADERS), (ONE, MALFORMED_PARAMETERS)],
)
def test_the_reason_for_each_malformed_structure(before: bytes, structures: str) -> None:
    for reason, numbers in re.findall(
        r"(\d{4}):([-\d ]+?)(?= \d{4}:|\s*$)",
        structures,
        re.MULTILINE,
    ):
        assert reason_of(before + little(*map(int, numbers.split()))) == int(reason), numbers
    assert reason_of(b"x" * 20) == 3016


def test_character_sets_and_encodings_that_are_not_supported() -> None:
    data = ONE + little(3, 16, 1, 2)
    assert (reason_of(data, 0, 1208), reason_of(data, 546, 99)) == (3050, 3049)


def reason_of(data: bytes, encoding: int = NATIVE, ccsid: int = 1208) -> int:
    with pytest.raises(PcfError) as raised:
        pcf.unpack(data, encoding, ccsid)
    return raised.value.reason
