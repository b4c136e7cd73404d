"""Each structure of the MQI has the length and the offsets that IBM's own classes have."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from mqsc.clients import messages, structures
from mqsc.clients.structures import Structure

# IBM's class, our structure, and fields of both.
ROWS = [
    (
        "OD",
        structures.MQOD,
        {
            "ObjectType": "object_type",
            "ObjectName": "object_name",
            "ObjectQMgrName": "object_q_mgr_name",
            "DynamicQName": "dynamic_q_name",
            "AlternateUserId": "alternate_user_id",
            "RecsPresent": "records_present",
            "KnownDestCount": "known_dest_count",
            "UnknownDestCount": "unknown_dest_count",
            "InvalidDestCount": "invalid_dest_count",
            "ResolvedQName": "resolved_q_name",
            "ResolvedQMgrName": "resolved_q_mgr_name",
            "ObjectStringVSPtr": "object_string_pointer",
            "SelectionStringVSPtr": "selection_string_pointer",
            "SelectionStringVSOffset": "selection_string_offset",
            "SelectionStringVSLength": "selection_string_length",
            "SelectionStringVSCCSID": "selection_string_ccsid",
            "ResolvedType": "resolved_type",
        },
    ),
    (
        "PMO",
        structures.MQPMO,
        {
            "Options": "options",
            "Context": "context",
            "KnownDestCount": "known_dest_count",
            "UnknownDestCount": "unknown_dest_count",
            "InvalidDestCount": "invalid_dest_count",
            "ResolvedQName": "resolved_q_name",
            "ResolvedQMgrName": "resolved_q_mgr_name",
            "RecsPresent": "records_present",
            "OriginalMsgHandle": "original_msg_handle",
            "NewMsgHandle": "new_msg_handle",
            "Action": "action",
        },
    ),
    (
        "GMO",
        structures.MQGMO,
        {
            "Options": "options",
            "WaitInterval": "wait_interval",
            "ResolvedQName": "resolved_q_name",
            "MatchOptions": "match_options",
            "ReturnedLength": "returned_length",
            "MsgHandle": "msg_handle",
        },
    ),
    ("CNO", structures.MQCNO, {"Options": "options", "ConnectionId": "connection_id", "ApplName": "application_name"}),
    (
        "CSP",
        structures.MQCSP,
        {
            "AuthenticationType": "authentication_type",
            "CSPUserId": "user_id_pointer",
            "_CSPUserIdLength": "user_id_length",
            "CSPPassword": "password_pointer",
            "_CSPPasswordLength": "password_length",
        },
    ),
    (
        "STS",
        structures.MQSTS,
        {
            "CompCode": "completion",
            "Reason": "reason",
            "PutSuccessCount": "success_count",
            "PutWarningCount": "warning_count",
            "PutFailureCount": "failure_count",
            "ObjectName": "object_name",
            "ResolvedQMgrName": "resolved_q_mgr_name",
            "OpenOptions": "open_options",
            "SubOptions": "sub_options",
        },
    ),
    (
        "CBD",
        structures.MQCBD,
        {
            "CallbackType": "callback_type",
            "Options": "options",
            "CallbackFunction": "callback_function",
            "CallbackName": "callback_name",
            "MaxMsgLength": "max_msg_length",
        },
    ),
    (
        "CBC",
        structures.MQCBC,
        {
            "CallType": "call_type",
            "Hobj": "object_handle",
            "CompCode": "completion",
            "Reason": "reason",
            "State": "state",
            "DataLength": "data_length",
            "BufferLength": "buffer_length",
            "Flags": "flags",
        },
    ),
    ("CTLO", structures.MQCTLO, {"Options": "options", "ConnectionArea": "connection_area"}),
]


def other(value: Any, at: int) -> Any:
    return (f"NAME{at}" if isinstance(value, str) else b"x" * len(value)) if isinstance(value, str | bytes) else 7 + at


@pytest.mark.parametrize(("name", "structure", "fields"), ROWS, ids=[name for name, _, _ in ROWS])
def test_against_ibms_classes(ibmmq: ModuleType, name: str, structure: Structure, fields: dict[str, str]) -> None:
    theirs = getattr(ibmmq, name)()
    version = max(structure.lengths)
    theirs.Version = version
    ours = structure.new(version)
    for at, (given, read) in enumerate(fields.items()):
        value = other(structure.read(ours)[read], at)
        ours = structure.write(ours, **{read: value})
        theirs[given] = value.encode().ljust(48 if "Name" in given else 12) if isinstance(value, str) else value
    packed = theirs.pack()
    assert 0 <= len(packed) - structure.lengths[version] <= 4
    found = structure.read(packed)
    assert {read: found[read] for read in fields.values()} == {
        read: structure.read(ours)[read] for read in fields.values()
    }


def test_the_descriptor_against_ibms_class(ibmmq: ModuleType) -> None:
    packed = ibmmq.MD(Priority=4, MsgId=b"m" * 24, ReplyToQ=b"R", GroupId=b"g" * 24, OriginalLength=9).pack()
    version, found = messages.read(packed)
    assert (version, len(packed)) == (2, 364)
    assert (found.priority, found.msg_id, found.reply_to_q) == (4, b"m" * 24, "R")
    assert (found.group_id, found.original_length) == (b"g" * 24, 9)
    assert ibmmq.MD().unpack(messages.write(packed, version, found)).get() == {
        **ibmmq.MD().unpack(packed).get(),
        **{
            name: value.rstrip(b"\0").ljust(len(value))
            for name, value in ibmmq.MD().unpack(packed).get().items()
            if isinstance(value, bytes) and name in TEXTS
        },
    }


TEXTS = {
    *("Format", "ReplyToQ", "ReplyToQMgr", "UserIdentifier", "ApplIdentityData", "PutApplName", "PutDate", "PutTime"),
    "ApplOriginData",
}
