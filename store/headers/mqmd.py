"""The message descriptor, MQMD version 1 (324 bytes) and 2 (364 bytes)."""

from __future__ import annotations

from store.descriptor import MessageDescriptor
from store.headers.layout import BYTES, INTEGER, NATIVE, TEXT, HeaderFault, Layout, header_codec, rows

_FIRST = rows(
    (0, 4, TEXT, "struc_id"),
    (4, 4, INTEGER, "version"),
    (8, 4, INTEGER, "report"),
    (12, 4, INTEGER, "msg_type"),
    (16, 4, INTEGER, "expiry"),
    (20, 4, INTEGER, "feedback"),
    (24, 4, INTEGER, "encoding"),
    (28, 4, INTEGER, "coded_char_set_id"),
    (32, 8, TEXT, "format"),
    (40, 4, INTEGER, "priority"),
    (44, 4, INTEGER, "persistence"),
    (48, 24, BYTES, "msg_id"),
    (72, 24, BYTES, "correl_id"),
    (96, 4, INTEGER, "backout_count"),
    (100, 48, TEXT, "reply_to_q"),
    (148, 48, TEXT, "reply_to_q_mgr"),
    (196, 12, TEXT, "user_identifier"),
    (208, 32, BYTES, "accounting_token"),
    (240, 32, TEXT, "appl_identity_data"),
    (272, 4, INTEGER, "put_appl_type"),
    (276, 28, TEXT, "put_appl_name"),
    (304, 8, TEXT, "put_date"),
    (312, 8, TEXT, "put_time"),
    (320, 4, TEXT, "appl_origin_data"),
)
_SECOND = rows(
    (324, 24, BYTES, "group_id"),
    (348, 4, INTEGER, "msg_seq_number"),
    (352, 4, INTEGER, "offset"),
    (356, 4, INTEGER, "msg_flags"),
    (360, 4, INTEGER, "original_length"),
)
MQMD_1 = Layout("MQMD", "MD  ", 1, _FIRST)
MQMD_2 = Layout("MQMD", "MD  ", 2, _FIRST + _SECOND)
VERSIONS = {1: MQMD_1, 2: MQMD_2}
_PLACES = {each.name: each for each in MQMD_2.fields}
_LOWEST, _HIGHEST = -(1 << 31), (1 << 31) - 1


def pack(descriptor: MessageDescriptor, version: int = 1, encoding: int = NATIVE, ccsid: int = 1208) -> bytes:
    """The MQMD of a descriptor; in version 1 group, segment and original length are left out."""
    return VERSIONS[version].pack(descriptor, encoding, ccsid)


def unpack(data: bytes, encoding: int = NATIVE, ccsid: int = 1208, at: int = 0) -> MessageDescriptor:
    """The descriptor that the MQMD at offset `at` holds, of either version; HeaderFault when there is none."""
    return MessageDescriptor(**_layout_of(data, encoding, ccsid, at).unpack(data, encoding, ccsid, at))


def version_of(data: bytes, encoding: int = NATIVE, ccsid: int = 1208, at: int = 0) -> int:
    """The version, 1 or 2, of the MQMD at offset `at`; HeaderFault when there is none."""
    layout = _layout_of(data, encoding, ccsid, at)
    layout.check(data, encoding, ccsid, at)
    return int(layout.version)


def value_fault(name: str, value: int | str | bytes) -> str:
    """Why a value does not fit its field, with what would be right; blank when it fits. KeyError for no field at all.

    For values that come from outside: a descriptor itself checks ids only.
    """
    place = _PLACES[name]
    if isinstance(value, int):
        fits = _LOWEST <= value <= _HIGHEST
        return "" if fits else f"{name} is {value}; a number from {_LOWEST} to {_HIGHEST} is right"
    length = len(value if isinstance(value, bytes) else value.encode("utf-8", "surrogatepass"))
    return "" if length <= place.length else f"{name} has {length} bytes; at most {place.length} are right"


def _layout_of(data: bytes, encoding: int, ccsid: int, at: int) -> Layout:
    if len(data) < at + 8:
        raise HeaderFault(f"not an MQMD: {len(data) - at} bytes where it has {MQMD_1.length} or {MQMD_2.length}")
    try:
        codec = header_codec(ccsid)
    except ValueError as fault:
        raise HeaderFault(f"not an MQMD: {fault}") from None
    version = MQMD_2.read_version(data, encoding, codec, at)
    return MQMD_2 if version == MQMD_2.version else MQMD_1
