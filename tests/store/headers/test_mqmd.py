"""MQMD, compared with bytes written by hand."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from mqsc.store.descriptor import FIELDS, MessageDescriptor
from mqsc.store.headers import mqmd
from mqsc.store.headers.layout import HeaderError

DESCRIPTOR = MessageDescriptor(
    report=0x0120_0000,
    msg_type=1,
    expiry=300,
    feedback=0,
    encoding=273,
    coded_char_set_id=819,
    format="MQSTR",
    priority=5,
    persistence=1,
    msg_id=b"AMQ QM1         12345678",
    correl_id=b"C",
    backout_count=2,
    reply_to_q="REPLY",
    reply_to_q_mgr="QM2",
    user_identifier="alice",
    accounting_token=b"\x16\x01",
    appl_identity_data="id",
    put_appl_type=6,
    put_appl_name="billing",
    put_date="20231114",
    put_time="22132000",
    appl_origin_data="or",
)


@dataclass
class Written:
    """Writes integers in one of the byte orders and texts in one of two character sets."""

    encoding: int
    ccsid: int
    order: str
    codec: str

    def integer(self, value: int) -> bytes:
        return value.to_bytes(4, "big" if self.order == "big" else "little", signed=True)

    def text(self, text: str, length: int) -> bytes:
        return text.ljust(length).encode(self.codec)

    def first(self) -> bytes:
        i, t = self.integer, self.text
        return b"".join(
            [
                *[
                    t("MD", 4),
                    i(1),
                    i(0x0120_0000),
                    i(1),
                    i(300),
                    i(0),
                    i(273),
                    i(819),
                    t("MQSTR", 8),
                    i(5),
                    i(1),
                ],
                *[
                    b"AMQ QM1         12345678",
                    b"C" + bytes(23),
                    i(2),
                    t("REPLY", 48),
                    t("QM2", 48),
                    t("alice", 12),
                ],
                *[
                    b"\x16\x01" + bytes(30),
                    t("id", 32),
                    i(6),
                    t("billing", 28),
                    t("20231114", 8),
                    t("22132000", 8),
                ],
                t("or", 4),
            ],
        )


WRITTEN = [
    Written(546, 1208, "little", "utf_8"),
    Written(273, 819, "big", "latin_1"),
    Written(785, 500, "big", "cp500"),
    Written(785, 37, "big", "cp037"),
    Written(546, 850, "little", "cp850"),
    Written(546, 437, "little", "cp437"),
]


@pytest.mark.parametrize("written", WRITTEN, ids=lambda row: f"{row.encoding}-{row.ccsid}")
def test_version_1_both_ways(written: Written) -> None:
    data = written.first()
    assert len(data) == 324
    assert mqmd.pack(DESCRIPTOR, 1, written.encoding, written.ccsid) == data
    assert mqmd.unpack(data, written.encoding, written.ccsid) == DESCRIPTOR
    assert mqmd.layout_of(data, written.encoding, written.ccsid).version == 1


def test_the_first_bytes_are_those_of_a_dump() -> None:
    data = mqmd.pack(MessageDescriptor(), 1, 546, 1208)
    assert data[:24] == b"MD  \x01\0\0\0\0\0\0\0\x08\0\0\0\xff\xff\xff\xff\0\0\0\0"
    assert data[24:48] == b"\x22\x02\0\0\0\0\0\0        \xff\xff\xff\xff\x02\0\0\0"
    assert data[48:100] == bytes(52)
    assert data[100:208] == b" " * 108


@pytest.mark.parametrize("written", WRITTEN[:3], ids=lambda row: f"{row.encoding}-{row.ccsid}")
def test_version_2_has_group_and_segment_behind(written: Written) -> None:
    i = written.integer
    first = written.first()
    data = first[:4] + i(2) + first[8:] + b"G" * 24 + i(7) + i(100) + i(2) + i(-1)
    descriptor = DESCRIPTOR.copy()
    descriptor.group_id, descriptor.msg_seq_number, descriptor.offset, descriptor.msg_flags = (
        b"G" * 24,
        7,
        100,
        2,
    )
    assert len(data) == 364
    assert mqmd.pack(descriptor, 2, written.encoding, written.ccsid) == data
    assert mqmd.unpack(data, written.encoding, written.ccsid) == descriptor
    assert mqmd.layout_of(data, written.encoding, written.ccsid).version == 2


def test_version_1_leaves_group_and_segment_at_their_defaults() -> None:
    descriptor = MessageDescriptor(
        group_id=b"G",
        msg_seq_number=9,
        offset=4,
        msg_flags=1,
        original_length=5,
    )
    assert mqmd.unpack(mqmd.pack(descriptor, 1), at=0) == MessageDescriptor()
    assert mqmd.unpack(b"...." + mqmd.pack(descriptor, 2), at=4) == descriptor


def test_every_field_of_a_descriptor_has_a_place() -> None:
    assert {each.name for each in mqmd.MQMD_2.fields} == {*FIELDS, "struc_id", "version"}


FAULTS = [
    (b"MD  ", 1208, "4 bytes instead of 324 or 364"),
    (b"MD  \x01\0\0\0", 1208, "8 bytes instead of 324"),
    (b"MD  \x03\0\0\0" + bytes(400), 1208, "Version 3 instead of 1"),
    (b"MD  \x02\0\0\0" + bytes(320), 1208, "328 bytes instead of 364"),
    (b"XQH \x01\0\0\0" + bytes(400), 1208, "StrucId b'XQH ' instead of 'MD  ' in CCSID 1208"),
    (bytes(400), 1200, "CCSID 1200 cannot be used in a header; use 1208, 819 or 500, for example"),
]


@pytest.mark.parametrize(("data", "ccsid", "difference"), FAULTS)
def test_other_data_is_refused_with_the_difference(
    data: bytes,
    ccsid: int,
    difference: str,
) -> None:
    with pytest.raises(HeaderError) as caught:
        mqmd.unpack(data, 546, ccsid)
    assert str(caught.value) == f"not an MQMD: {difference}"


RANGE = "it must be from -2147483648 to 2147483647"
# Of each field, values and what is wrong with them.
VALUES: dict[str, dict[object, str]] = {
    "priority": {2**31 - 1: "", 2**31: f"priority is 2147483648; {RANGE}"},
    "report": {-(2**31) - 1: f"report is -2147483649; {RANGE}"},
    "reply_to_q": {
        **{"Q" * 48: "", "é" * 24: "", "Q" * 49: "reply_to_q has 49 bytes; at most 48 are allowed"},
        None: "reply_to_q must be str, not NoneType",
    },
    "format": {
        "Mééééé": "format has 11 bytes; at most 8 are allowed",
        "M\ud800": "format has an unpaired surrogate at position 1, which cannot be encoded",
    },
    "put_date": {
        "2023-11-14": "put_date has 10 bytes; at most 8 are allowed",
        20231114: "put_date must be str, not int",
    },
    "msg_id": {b"x" * 24: "", "x" * 24: "msg_id must be bytes, not str"},
    "accounting_token": {b"x" * 33: "accounting_token has 33 bytes; at most 32 are allowed"},
    "expiry": {"5": "expiry must be int, not str", 5.0: "expiry must be int, not float"},
}


@pytest.mark.parametrize("name", VALUES)
def test_invalid_values(name: str) -> None:
    for value, fault in VALUES[name].items():
        descriptor = MessageDescriptor()
        setattr(descriptor, name, value)
        assert (mqmd.value_fault(name, value), mqmd.descriptor_fault(descriptor)) == (fault, fault)


def test_the_first_invalid_field_of_a_descriptor() -> None:
    assert mqmd.descriptor_fault(MessageDescriptor()) == ""
    both = MessageDescriptor(priority=1 << 31, reply_to_q="Q" * 49)
    assert mqmd.descriptor_fault(both).startswith("priority is")
