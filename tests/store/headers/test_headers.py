"""MQDLH, MQXQH, MQTM, MQTMC2, MQMDE and MQRFH2, compared with bytes written by hand; headers at
the start of data.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.headers import mqdlh, mqmd, mqmde, mqrfh2, mqtm, mqxqh
from mqsc.store.headers.chain import data_after_headers
from mqsc.store.headers.layout import HeaderError
from mqsc.store.headers.mqrfh2 import RulesHeader
from mqsc.store.headers.mqrfh2_folders import Element, FolderError, element, head_of, parse


def little(value: int) -> bytes:
    return value.to_bytes(4, "little", signed=True)


def big(value: int) -> bytes:
    return value.to_bytes(4, "big", signed=True)


BOTH = pytest.mark.parametrize(("encoding", "i"), [(546, little), (273, big)])


def test_a_dead_letter_header_in_ebcdic_and_big_endian() -> None:
    header = mqdlh.DeadLetterHeader(
        2053,
        "Q1",
        "QM1",
        785,
        500,
        "MQSTR",
        2,
        "JOB",
        "20231114",
        "22132012",
    )
    data = mqdlh.pack_mqdlh(header, 785, 500)
    assert data[:20] == b"\xc4\xd3\xc8\x40" + big(1) + big(2053) + b"\xd8\xf1" + b"\x40" * 6
    assert data[108:124] == big(785) + big(500) + b"\xd4\xd8\xe2\xe3\xd9\x40\x40\x40"
    assert mqdlh.unpack_mqdlh(data, 785, 500) == header


@BOTH
def test_every_byte_of_a_transmission_header(encoding: int, i: Callable[[int], bytes]) -> None:
    sent = MessageDescriptor(
        report=0x0100_0000,
        expiry=300,
        coded_char_set_id=819,
        format="MQSTR",
        priority=4,
        persistence=1,
        msg_id=b"M" * 24,
        correl_id=b"C" * 24,
        reply_to_q="REPLY",
        reply_to_q_mgr="QM1",
        user_identifier="alice",
        accounting_token=b"T" * 32,
        put_appl_type=6,
        put_appl_name="billing",
        put_date="20231114",
        put_time="22132000",
    )
    data = b"".join(
        [
            *[b"XQH ", i(1), b"Q1".ljust(48), b"QM2".ljust(48)],
            *[
                b"MD  ",
                i(1),
                i(0x0100_0000),
                i(8),
                i(300),
                i(0),
                i(546),
                i(819),
                b"MQSTR   ",
                i(4),
                i(1),
            ],
            *[
                b"M" * 24,
                b"C" * 24,
                i(0),
                b"REPLY".ljust(48),
                b"QM1".ljust(48),
                b"alice".ljust(12),
                b"T" * 32,
            ],
            *[b" " * 32, i(6), b"billing".ljust(28), b"20231114", b"22132000", b" " * 4],
        ],
    )
    header = mqxqh.TransmissionHeader("Q1", "QM2", sent)
    assert len(data) == 428
    assert mqxqh.pack(header, encoding) == data
    assert data[104:] == mqmd.pack(sent, 1, encoding)
    assert mqxqh.unpack(data + b"data", encoding) == header


@BOTH
def test_every_byte_of_a_dead_letter_header(encoding: int, i: Callable[[int], bytes]) -> None:
    header = mqdlh.DeadLetterHeader(
        2053,
        "Q1",
        "QM1",
        785,
        500,
        "MQSTR",
        7,
        "QM1",
        "20231114",
        "22132012",
    )
    data = b"".join(
        [
            *[
                b"DLH ",
                i(1),
                i(2053),
                b"Q1".ljust(48),
                b"QM1".ljust(48),
                i(785),
                i(500),
                b"MQSTR   ",
                i(7),
            ],
            *[b"QM1".ljust(28), b"20231114", b"22132012"],
        ],
    )
    assert len(data) == 172
    assert mqdlh.pack_mqdlh(header, encoding) == data
    assert mqdlh.unpack_mqdlh(data + b"hello", encoding) == header


@BOTH
def test_the_embedded_expiry_is_read_and_written_in_place(
    encoding: int,
    i: Callable[[int], bytes],
) -> None:
    data = bytes(range(120)) + i(20) + b"behind"
    assert mqxqh.embedded_expiry(data, encoding) == 20
    changed = mqxqh.with_embedded_expiry(data, -1, encoding)
    assert changed == bytes(range(120)) + b"\xff\xff\xff\xff" + b"behind"
    assert mqxqh.embedded_expiry(changed, encoding) == -1
    assert mqxqh.embedded_expiry(bytes(123), 546) is None
    assert mqxqh.embedded_expiry(bytes(124), 546) == 0


def test_a_transmission_header_around_another_structure_is_refused() -> None:
    data = mqxqh.pack(mqxqh.TransmissionHeader("Q", "QM", MessageDescriptor()))
    mqxqh.MQXQH.check(data, 546, 1208)
    with pytest.raises(HeaderError, match="not an MQMD: StrucId"):
        mqxqh.unpack(data[:104] + b"XX" + data[106:])
    with pytest.raises(HeaderError, match="not an MQXQH: 427 bytes instead of 428"):
        mqxqh.MQXQH.check(data[:427], 546, 1208)


TRIGGER = mqtm.TriggerMessage("APPQ", "P1", "some data", 6, "/bin/server", "-v &", "user")
_TEXTS = (b"/bin/server".ljust(256), b"-v &".ljust(128), b"user".ljust(128))
_NAMES = (b"APPQ".ljust(48), b"P1".ljust(48), b"some data".ljust(64))


@BOTH
def test_a_trigger_message(encoding: int, i: Callable[[int], bytes]) -> None:
    data = b"".join([b"TM  ", i(1), *_NAMES, i(6), *_TEXTS])
    assert len(data) == 684
    assert mqtm.pack_mqtm(TRIGGER, encoding) == data
    assert mqtm.unpack_mqtm(data, encoding) == TRIGGER


def test_t22_a_trigger_message_without_a_process_is_blank_and_unknown() -> None:
    data = mqtm.pack_mqtm(mqtm.TriggerMessage("XMIT.QM2", trigger_data="TO.QM2"))
    assert data[56:] == b" " * 48 + b"TO.QM2".ljust(64) + b"\xff\xff\xff\xff" + b" " * 512


def test_what_the_started_program_gets_is_all_characters() -> None:
    data = b"".join([b"TMC ", b"   2", *_NAMES, b"    ", *_TEXTS, b"QM1".ljust(48)])
    assert len(data) == 732
    assert mqtm.for_program(TRIGGER, "QM1") == data
    assert mqtm.for_program(TRIGGER, "QM1", 500)[:8] == b"\xe3\xd4\xc3\x40\x40\x40\x40\xf2"
    with pytest.raises(HeaderError, match="not an MQTMC2: Version '   1' instead of '   2'"):
        mqtm.MQTMC2.unpack(b"TMC    1" + b" " * 724, 546, 1208)


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


READ = [
    ("<usr><a>1</a><b dt='i4'>2</b></usr>  ", [(("a",), {}, "1"), (("b",), {"dt": "i4"}, "2")]),
    ('<f x="&lt;"><g><a/><b></b></g></f>', [(("g", "a"), {}, ""), (("g", "b"), {}, "")]),
    (" <usr> <a> 1 </a> </usr>\0", [(("a",), {}, " 1 ")]),
    ("<usr><a>&lt;&amp;&apos;&quot;&gt;</a></usr>", [(("a",), {}, "<&'\">")]),
    ("<usr/>", []),
    ("<usr></usr>", []),
]


@pytest.mark.parametrize(("text", "expected"), READ)
def test_folders_are_read(
    text: str,
    expected: list[tuple[tuple[str, ...], dict[str, str], str]],
) -> None:
    assert list(parse(text).elements) == [Element(*each) for each in expected]


WRONG = [
    ("", "a tag is missing at character 1"),
    ("junk", "a tag is missing at character 1"),
    ("<usr><a>1</usr>", "</usr> at character 10 ends no element that is open"),
    ("<usr>", "a tag is missing at character 6"),
    ("<usr><a>1<2</a></usr>", "not a tag at character 10"),
    ("<usr>x<a/></usr>", "text between elements before character 7"),
    ("<usr>x</usr>", "text outside an element before character 7"),
    ("<usr></usr>x", "text behind the folder at character 12"),
    ("<usr><a>&nbsp;</a></usr>", "unknown escape &nbsp;"),
    ("<a>" * 200, "more than 100 elements in each other at character 301"),
]


@pytest.mark.parametrize(("text", "fault"), WRONG)
def test_faults_say_where(text: str, fault: str) -> None:
    with pytest.raises(FolderError, match=re.escape(fault)):
        parse(text)


def test_elements_are_escaped() -> None:
    assert element("a", "<&'\">", [("dt", "i4")]) == "<a dt='i4'>&lt;&amp;&apos;&quot;&gt;</a>"
    assert head_of("</a>") is None


@pytest.mark.parametrize("ccsid", mqrfh2.NAME_VALUE_CCSIDS)
@pytest.mark.parametrize("encoding", [273, 546])
def test_a_header_comes_back_in_every_character_set(ccsid: int, encoding: int) -> None:
    folder = mqrfh2.folder_of("<usr><a>grün</a></usr>", ccsid, encoding)
    header = RulesHeader(273, 500, "MQSTR", (folder, b""), 7, ccsid)
    data = mqrfh2.pack(header, encoding)
    found = mqrfh2.unpack(data + b"rest", encoding)
    assert (found.struc_length, found.folders, found.flags) == (len(data), (folder, b""), 7)
    text = mqrfh2.text_of(found.folders[0], ccsid, encoding)
    assert text is not None
    assert text.rstrip() == "<usr><a>grün</a></usr>"


def test_a_header_with_a_wrong_length_is_refused() -> None:
    data = bytearray(mqrfh2.pack(RulesHeader(546, 1208, "MQSTR", (b"    ",))))
    data[36:40] = (8).to_bytes(4, "little")
    with pytest.raises(HeaderError, match="NameValueLength 8, with 4 bytes left"):
        mqrfh2.unpack(bytes(data))


def rfh2(format: str, length: int = 40) -> bytes:
    fixed = [
        b"RFH ",
        (2).to_bytes(4, "little"),
        length.to_bytes(4, "little"),
        (546).to_bytes(4, "little"),
    ]
    return b"".join([*fixed, (1208).to_bytes(4, "little"), format.ljust(8).encode(), bytes(12)])


DEAD = mqdlh.pack_mqdlh(mqdlh.DeadLetterHeader(2053, "Q", "QM", 273, 500, "MQSTR", 6, "", "", ""))
DEAD_EXTENDED = mqdlh.pack_mqdlh(
    mqdlh.DeadLetterHeader(2053, "Q", "QM", 273, 500, "MQHMDE", 6, "", "", ""),
)
EXTENSION = mqmde.pack_extension(
    mqmde.DescriptorExtension(546, 1208, "MQHRF2", bytes(24)), 273, 500
)
SENT = mqxqh.pack(
    mqxqh.TransmissionHeader("Q", "QM", MessageDescriptor(format="MQDEAD", encoding=546)),
)

ROWS = [
    ("none", "MQSTR", b"text", 0),
    ("blank format", "", b"text", 0),
    ("dead letter", "MQDEAD", DEAD + b"text", 172),
    (
        "dead letter, extension, RFH2",
        "MQDEAD",
        DEAD_EXTENDED + EXTENSION + rfh2("MQSTR") + b"text",
        172 + 72 + 40,
    ),
    ("transmission header, dead letter", "MQXMIT", SENT + DEAD + b"text", 428 + 172),
    ("RFH2 alone", "MQHRF2", rfh2("MQSTR"), 40),
    ("broken: too short", "MQDEAD", DEAD[:100], 0),
    ("broken: another structure", "MQXMIT", b"x" * 500, 0),
    ("broken: longer than the data", "MQHRF2", rfh2("MQSTR", 400), 0),
    ("broken: no length", "MQHRF2", rfh2("MQSTR", 0), 0),
    ("broken behind a good one", "MQDEAD", DEAD_EXTENDED + b"MDE?", 172),
]


@pytest.mark.parametrize(("id", "format", "data", "length"), ROWS)
def test_headers_at_the_start_of_data(id: str, format: str, data: bytes, length: int) -> None:
    assert data_after_headers(format, data, 546, 1208).at == length


def test_a_header_may_inherit_its_character_set_and_an_unknown_one_hides_it() -> None:
    inherits = rfh2("MQDEAD")[:16] + (-2).to_bytes(4, "little", signed=True) + rfh2("MQDEAD")[20:]
    assert data_after_headers("MQHRF2", inherits + DEAD, 546, 819).at == 40 + 172

    assert data_after_headers("MQHRF2", rfh2("MQSTR"), 546, 65535).at == 0
