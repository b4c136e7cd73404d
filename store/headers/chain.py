"""The MQ headers that stand one behind the other at the start of message data."""

from __future__ import annotations

from typing import NamedTuple

from store.headers import mqdlh, mqmd, mqxqh
from store.headers.layout import HeaderError, header_codec, read_integer

# Formats whose structure begins StrucId, Version, StrucLength, Encoding, CodedCharSetId, Format: it tells its own
# length and what the data behind it is.
SELF_DESCRIBING = frozenset(("MQHMDE", "MQHRF", "MQHRF2", "MQCICS", "MQIMS", "MQHWIH", "MQHDIST", "MQHREF", "MQHEPCF"))
_STRUC_LENGTH, _ENCODING, _CODED_CHAR_SET_ID, _FORMAT, _SHORTEST = 8, 12, 16, 20, 28
_INHERIT = -2  # MQCCSI_INHERIT


class Behind(NamedTuple):
    """Where the MQ headers end, and what the data behind them is."""

    at: int
    format: str
    encoding: int
    ccsid: int


def headers_length(format: str, data: bytes, encoding: int, ccsid: int) -> int:
    """How many bytes of the data are MQ headers; a broken header counts as application data."""
    return behind_headers(format, data, encoding, ccsid).at


def behind_headers(format: str, data: bytes, encoding: int, ccsid: int) -> Behind:
    """Where the application data begins, and its format, encoding and CCSID as the last header tells them."""
    behind = Behind(0, format, encoding, ccsid)
    while True:
        try:
            length, format, encoding, ccsid = _header_at(behind.format, data, behind.at, behind.encoding, behind.ccsid)
        except HeaderError:
            return behind
        if not length:
            return behind
        behind = Behind(behind.at + length, format, encoding, ccsid)


def _header_at(format: str, data: bytes, at: int, encoding: int, ccsid: int) -> tuple[int, str, int, int]:
    """Length of the header at `at`, and format, encoding and CCSID of what follows; length 0 when there is none."""
    if format == "MQDEAD":
        letter = mqdlh.unpack(data[at : at + mqdlh.LENGTH], encoding, ccsid)
        return mqdlh.LENGTH, letter.format, letter.encoding, letter.coded_char_set_id
    if format == "MQXMIT":
        mqxqh.check(data[at : at + mqxqh.LENGTH], encoding, ccsid)
        sent = mqmd.unpack(data, encoding, ccsid, at + mqxqh.LENGTH - mqmd.MQMD_1.length)
        return mqxqh.LENGTH, sent.format, sent.encoding, sent.coded_char_set_id
    if format in SELF_DESCRIBING:
        return _self_described(data, at, encoding, ccsid)
    return 0, format, encoding, ccsid


def _self_described(data: bytes, at: int, encoding: int, ccsid: int) -> tuple[int, str, int, int]:
    length = read_integer(data, at + _STRUC_LENGTH, encoding)
    if not _SHORTEST <= length <= len(data) - at:
        raise HeaderError(f"a header of {length} bytes where the data has {len(data) - at}")
    try:
        codec = header_codec(ccsid)
    except ValueError as fault:
        raise HeaderError(str(fault)) from None
    format = data[at + _FORMAT : at + _SHORTEST].decode(codec, "replace").rstrip(" \0")
    behind = read_integer(data, at + _CODED_CHAR_SET_ID, encoding)
    return length, format, read_integer(data, at + _ENCODING, encoding), ccsid if behind == _INHERIT else behind
