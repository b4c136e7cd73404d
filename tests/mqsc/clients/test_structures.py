"""Structures in bytes: fields at their places, lengths as in IBM's own classes, strings behind
pointers, the MQMD.
"""

from __future__ import annotations

import re
from types import ModuleType
from typing import Any

import pytest

from mqsc.clients import message_descriptors, structures
from mqsc.clients.structures import Structure, padded, text
from mqsc.store.error import MQError
from mqsc.store.headers.layout import BYTES, INTEGER, TEXT
from tests.rows import rows

# IBM's classes, our structures, and fields of both.
ROWS = {
    "OD": (
        structures.MQOD,
        "ObjectType ObjectName ObjectQMgrName DynamicQName AlternateUserId RecsPresent "
        "KnownDestCount UnknownDestCount "
        "InvalidDestCount ResolvedQName ResolvedQMgrName ObjectStringVSPtr SelectionStringVSPtr "
        "SelectionStringVSOffset SelectionStringVSLength SelectionStringVSCCSID ResolvedType",
    ),
    "PMO": (
        structures.MQPMO,
        "Options Context KnownDestCount UnknownDestCount InvalidDestCount ResolvedQName "
        "ResolvedQMgrName RecsPresent "
        "OriginalMsgHandle NewMsgHandle Action",
    ),
    "GMO": (
        structures.MQGMO,
        "Options WaitInterval ResolvedQName MatchOptions ReturnedLength MsgHandle",
    ),
    "CNO": (structures.MQCNO, "Options ConnectionId ApplName"),
    "CSP": (
        structures.MQCSP,
        "AuthenticationType CSPUserId _CSPUserIdLength CSPPassword _CSPPasswordLength",
    ),
    "STS": (
        structures.MQSTS,
        "CompCode Reason PutSuccessCount PutWarningCount PutFailureCount ObjectName "
        "ResolvedQMgrName OpenOptions "
        "SubOptions",
    ),
    "CBD": (structures.MQCBD, "CallbackType Options CallbackFunction CallbackName MaxMsgLength"),
    "CBC": (structures.MQCBC, "CallType Hobj CompCode Reason State DataLength BufferLength Flags"),
    "CTLO": (structures.MQCTLO, "Options ConnectionArea"),
}
# Where our names are not IBM's in lower case, with these words replaced.
REPLACED = {
    "VSPtr": "Pointer",
    "VS": "",
    "_CSPUserId": "UserId",
    "_CSPPassword": "Password",
    "Put": "",
    "CompCode": "Completion",
    "Appl": "Application",
}
REPLACED |= {
    "Recs": "Records",
    "Hobj": "ObjectHandle",
    "CSPUserId": "UserIdPointer",
    "CSPPassword": "PasswordPointer",
}


def ours(name: str) -> str:
    for word in sorted(REPLACED, key=len, reverse=True):
        name = name.replace(word, REPLACED[word])
    return re.sub("(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def other(value: Any, at: int) -> Any:
    return (
        (f"NAME{at}" if isinstance(value, str) else b"x" * len(value))
        if isinstance(value, str | bytes)
        else 7 + at
    )


@pytest.mark.parametrize("name", ROWS)
def test_against_ibms_classes(ibmmq: ModuleType, name: str) -> None:
    structure, fields = ROWS[name]
    theirs, version = getattr(ibmmq, name)(), max(structure.lengths)
    theirs.Version = version
    written = structure.new(version)
    for at, given in enumerate(fields.split()):
        value = other(structure.read(written)[ours(given)], at)
        written = structure.write(written, **{ours(given): value})
        theirs[given] = (
            value.encode().ljust(48 if "Name" in given else 12) if isinstance(value, str) else value
        )
    packed = theirs.pack()
    assert 0 <= len(packed) - structure.lengths[version] <= 4
    read = structure.read(packed), structure.read(written)
    assert [read[0][ours(each)] for each in fields.split()] == [
        read[1][ours(each)] for each in fields.split()
    ]


def test_the_descriptor_against_ibms_class(ibmmq: ModuleType) -> None:
    packed = ibmmq.MD(
        Priority=4,
        MsgId=b"m" * 24,
        ReplyToQ=b"R",
        GroupId=b"g" * 24,
        OriginalLength=9,
    ).pack()
    version, found = message_descriptors.read_descriptor(packed)
    assert (version, len(packed), found.priority, found.msg_id, found.reply_to_q) == (
        2,
        364,
        4,
        b"m" * 24,
        "R",
    )
    assert (found.group_id, found.original_length) == (b"g" * 24, 9)
    theirs = ibmmq.MD().unpack(packed).get()
    cut = {name: theirs[name].rstrip(b"\0").ljust(len(theirs[name])) for name in TEXTS}
    assert ibmmq.MD().unpack(
        message_descriptors.write_descriptor(packed, version, found)
    ).get() == {**theirs, **cut}


TEXTS = (
    *(
        "Format",
        "ReplyToQ",
        "ReplyToQMgr",
        "UserIdentifier",
        "ApplIdentityData",
        "PutApplName",
        "PutDate",
        "PutTime",
    ),
    "ApplOriginData",
)


SAMPLE = Structure(
    "ABC",
    2044,
    {1: 12, 2: 20},
    (8, 4, INTEGER, "number"),
    (12, 4, TEXT, "name"),
    (16, 4, BYTES, "token"),
)
FIRST = b"ABC \x01\0\0\0\xfe\xff\xff\xff"
SECOND = b"ABC \x02\0\0\0\x05\0\0\0XY\0Z\1\2\3\4"


def test_the_version_decides_which_fields_there_are() -> None:
    assert SAMPLE.read(FIRST) == {"number": -2, "name": "", "token": b""}
    assert SAMPLE.read(SECOND) == {"number": 5, "name": "XY", "token": b"\1\2\3\4"}


@rows(
    None,
    b"",
    b"ABC ",
    FIRST[:11],
    SECOND[:19],
    b"ABD " + FIRST[4:],
    b"ABC \0\0\0\0" + bytes(20),
    b"ABC \3" + bytes(99),
)
def test_what_is_no_such_structure(data: object) -> None:
    with pytest.raises(MQError, match="2044"):
        SAMPLE.read(data)


def test_what_is_written_and_how_texts_end() -> None:
    """Only the fields that are named; a text ends at a NUL, has no padding and is cut between
    characters.
    """
    assert SAMPLE.write(SECOND + b"more", name="Q") == b"ABC \x02\0\0\0\x05\0\0\0Q   \1\2\3\4more"
    assert SAMPLE.write(FIRST, name="Q", number=1) == b"ABC \x01\0\0\0\1\0\0\0"
    assert [text(each) for each in (b"A\0B ", b"A  ", b" A\0", b"", b"A\xffB")] == [
        "A",
        "A",
        " A",
        "",
        "A?B",
    ]
    assert (padded("a\u00e9", 2), padded("ab", 4)) == (b"a ", b"ab  ")


# By hand: Report 0, MsgType 8, Expiry -1, Feedback 0, Encoding 546, CCSID 1208, MQSTR, Priority 5,
# Persistence 1.
HEAD = bytes.fromhex(
    "4d442020 01000000 00000000 08000000 ffffffff 00000000 22020000 b8040000 4d51535452202020 "
    "05000000 01000000",
)
FIRST_MD = (
    HEAD
    + b"M" * 24
    + b"C" * 24
    + bytes(4)
    + b"REPLY".ljust(48)
    + b"QM1".ljust(48)
    + b"me".ljust(12)
)
FIRST_MD += (
    bytes(32)
    + b" " * 32
    + bytes.fromhex("06000000")
    + b"prog".ljust(28)
    + b"20231114"
    + b"22132000"
    + b"    "
)


def test_version_1_by_hand() -> None:
    version, found = message_descriptors.read_descriptor(FIRST_MD)
    assert (version, len(FIRST_MD), found.format, found.priority, found.persistence) == (
        1,
        324,
        "MQSTR",
        5,
        1,
    )
    assert (found.msg_type, found.expiry, found.encoding, found.coded_char_set_id) == (
        8,
        -1,
        546,
        1208,
    )
    assert (found.msg_id, found.correl_id, found.put_appl_type) == (b"M" * 24, b"C" * 24, 6)
    assert (found.reply_to_q, found.reply_to_q_mgr, found.user_identifier) == ("REPLY", "QM1", "me")
    assert (found.put_appl_name, found.put_date, found.put_time) == ("prog", "20231114", "22132000")
    assert message_descriptors.write_descriptor(FIRST_MD, version, found) == FIRST_MD


def test_version_2_has_forty_bytes_more() -> None:
    grouped = b"G" * 24 + bytes.fromhex("02000000 00000000 08000000 ffffffff")
    second = FIRST_MD[:4] + bytes.fromhex("02000000") + FIRST_MD[8:] + grouped
    version, found = message_descriptors.read_descriptor(second)
    assert (version, found.group_id, found.msg_seq_number, found.msg_flags) == (2, b"G" * 24, 2, 8)
    assert message_descriptors.write_descriptor(second, version, found) == second


@rows(None, b"", FIRST_MD[:323], b"MD1 " + FIRST_MD[4:], FIRST_MD[:4] + b"\3" + FIRST_MD[5:])
def test_what_is_no_descriptor(data: object) -> None:
    with pytest.raises(MQError, match="2026"):
        message_descriptors.read_descriptor(data)
