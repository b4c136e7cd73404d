"""The chain of headers at the start of message data, and the headers that MQ passes over."""

from collections.abc import Sequence
from typing import NamedTuple

from mqsc.store.constants import MQCCSI, MQFMT
from mqsc.store.descriptor import DescribedData, MessageDescriptor
from mqsc.store.headers import mqmd, mqrfh2, mqxqh
from mqsc.store.headers.layout import HeaderError, byte_order, fitted, header_codec, read_integer
from mqsc.store.headers.mqrfh2 import RulesHeader

DEAD_LETTER_HEADER, XMIT_Q_HEADER = MQFMT.DEAD_LETTER_HEADER, MQFMT.XMIT_Q_HEADER
# Headers that begin with StrucId, Version, StrucLength, Encoding, CodedCharSetId and Format: they
# contain their own length and describe the data after them.
SELF_DESCRIBING = frozenset(
    (
        MQFMT.MD_EXTENSION,
        MQFMT.RF_HEADER_1,
        MQFMT.RF_HEADER_2,
        MQFMT.CICS,
        MQFMT.IMS,
        MQFMT.WORK_INFO_HEADER,
        MQFMT.DIST_HEADER,
        MQFMT.REF_MSG_HEADER,
        MQFMT.EMBEDDED_PCF,
    ),
)
_STRUC_LENGTH = 8
_ENCODING = 12
_CODED_CHAR_SET_ID = 16
_FORMAT = 20
_SHORTEST = 28
_INHERIT = int(MQCCSI.INHERIT)


class HeadersEnd(NamedTuple):
    """The offset at which the MQ headers end, and the format, encoding and CCSID of the data
    after them.
    """

    at: int
    format: str
    encoding: int
    ccsid: int


def data_after_headers(format: str, data: bytes, encoding: int, ccsid: int) -> HeadersEnd:
    """Where the application data begins, and its format, encoding and CCSID as given by the last
    header.

    A broken header counts as application data.
    """
    end = HeadersEnd(0, format, encoding, ccsid)
    while True:
        try:
            length, format, encoding, ccsid = header_at(
                end.format,
                data,
                end.at,
                end.encoding,
                end.ccsid,
            )
        except HeaderError:
            return end
        if not length:
            return end
        end = HeadersEnd(end.at + length, format, encoding, ccsid)


def header_at(
    format: str,
    data: bytes,
    at: int,
    encoding: int,
    ccsid: int,
) -> tuple[int, str, int, int]:
    """Length of the header at `at` and format, encoding and CCSID of the data after it; length 0
    without a header.
    """
    if format == DEAD_LETTER_HEADER:
        header = mqxqh.unpack_mqdlh(data[at : at + mqxqh.MQDLH_LENGTH], encoding, ccsid)
        return mqxqh.MQDLH_LENGTH, header.format, header.encoding, header.coded_char_set_id
    if format == XMIT_Q_HEADER:
        mqxqh.MQXQH.check(data[at : at + mqxqh.LENGTH], encoding, ccsid)
        sent = mqmd.unpack(data, encoding, ccsid, at + mqxqh.LENGTH - mqmd.MQMD_1.length)
        return mqxqh.LENGTH, sent.format, sent.encoding, sent.coded_char_set_id
    if format in SELF_DESCRIBING:
        return _self_described(data, at, encoding, ccsid)
    return 0, format, encoding, ccsid


def _self_described(data: bytes, at: int, encoding: int, ccsid: int) -> tuple[int, str, int, int]:
    length = read_integer(data, at + _STRUC_LENGTH, encoding)
    if not _SHORTEST <= length <= len(data) - at:
        raise HeaderError(f"StrucLength is {length}, but {len(data) - at} bytes of data remain")
    format = (
        data[at + _FORMAT : at + _SHORTEST].decode(header_codec(ccsid), "replace").rstrip(" \0")
    )
    own_ccsid = read_integer(data, at + _CODED_CHAR_SET_ID, encoding)
    return (
        length,
        format,
        read_integer(data, at + _ENCODING, encoding),
        ccsid if own_ccsid == _INHERIT else own_ccsid,
    )


# The MQRFH2 headers at the head of message data, after the headers that come before properties
# (properties §4).

# The headers in front of which no MQRFH2 is generated, and the fields in them that describe the
# data that follows: the offsets of Encoding, CodedCharSetId and Format.
_SELF_DESCRIBED = (12, 16, 20)
_EMBEDDED = mqxqh.LENGTH - mqmd.MQMD_1.length
_DESCRIBING: dict[str, tuple[int, int, int]] = {
    str(MQFMT.XMIT_Q_HEADER): (_EMBEDDED + 24, _EMBEDDED + 28, _EMBEDDED + 32),
    str(MQFMT.MD_EXTENSION): _SELF_DESCRIBED,
    str(MQFMT.DEAD_LETTER_HEADER): tuple(
        mqxqh.MQDLH.offset_of(name) for name in ("encoding", "coded_char_set_id", "format")
    ),  # type: ignore[dict-item]
    str(MQFMT.RF_HEADER_1): _SELF_DESCRIBED,
}
# The formats of data in which this module looks for an MQRFH2.
HOLDERS = frozenset((*_DESCRIBING, mqrfh2.FORMAT))
assert HOLDERS - {str(MQFMT.XMIT_Q_HEADER), str(MQFMT.DEAD_LETTER_HEADER)} <= SELF_DESCRIBING


class FollowingData(NamedTuple):
    """What a header says about the data that follows it."""

    encoding: int
    ccsid: int
    format: str


class FoundHeader(NamedTuple):
    """An MQRFH2, its bytes, and the description of it by the header before it."""

    header: RulesHeader
    raw: bytes
    described: FollowingData

    @property
    def describes(self) -> FollowingData:
        """What it says about the data after it; a CCSID of MQCCSI_INHERIT is that of the header
        itself.
        """
        ccsid = self.header.coded_char_set_id
        inherited = self.described.ccsid if ccsid == _INHERIT else ccsid
        return FollowingData(self.header.encoding, inherited, self.header.format)


# Replaces bytes that are not text.
_REPLACEMENT = "\ufffd"


class RulesHeaders(NamedTuple):
    """Where the MQRFH2s are, or where one would be put: from `start` to `end`.

    `before` is the offset of the header in front of them and its format, or None if that is the
    MQMD; `written` is how that header itself is written.
    """

    start: int
    end: int
    headers: tuple[FoundHeader, ...]
    before: tuple[int, str] | None
    written: FollowingData
    described: FollowingData


def locate(format: str, data: bytes, encoding: int, ccsid: int) -> RulesHeaders:
    """The MQRFH2s in data that has this description in the MQMD; HeaderError if one of them is
    invalid.
    """
    described = FollowingData(encoding, ccsid, format)
    before = None
    written = described
    at = 0
    while described.format in _DESCRIBING:
        try:
            length, *after = header_at(
                described.format,
                data,
                at,
                described.encoding,
                described.ccsid,
            )
        except HeaderError:
            break
        if _REPLACEMENT in str(after[0]):
            # A Format that is not text could not be written back unchanged.
            break
        before, written = (at, described.format), described
        described = FollowingData(after[1], after[2], after[0])  # type: ignore[arg-type]
        at += length
    start = at
    headers = []
    first = described
    while described.format == mqrfh2.FORMAT:
        header = mqrfh2.unpack(data, described.encoding, described.ccsid, at)
        headers.append(FoundHeader(header, data[at : at + header.struc_length], described))
        at += header.struc_length
        described = headers[-1].describes
    return RulesHeaders(start, at, tuple(headers), before, written, first)


def replaced(
    descriptor: MessageDescriptor,
    data: bytes,
    at: RulesHeaders,
    headers: Sequence[bytes],
    described: FollowingData,
) -> DescribedData:
    """The message with `headers` where its MQRFH2s are; `described` says what the first, or the
    data, is.
    """
    front, rest = data[: at.start], b"".join(headers) + data[at.end :]
    if described == at.described:
        return descriptor, front + rest
    if at.before is None:
        changed = descriptor.copy()
        changed.resolved_q_name = descriptor.resolved_q_name
        changed.resolved_q_mgr_name = descriptor.resolved_q_mgr_name
        changed.encoding, changed.coded_char_set_id, changed.format = described
        return changed, rest
    return descriptor, _redescribed(front, at.before, at.written, described) + rest


def _redescribed(
    front: bytes,
    before: tuple[int, str],
    written: FollowingData,
    described: FollowingData,
) -> bytes:
    """The headers with other values in those fields of the last one that describe the data after
    it.
    """
    at, format = before
    order = "big" if byte_order(written.encoding) == ">" else "little"
    offsets = (at + offset for offset in _DESCRIBING[format])
    values = (
        described.encoding.to_bytes(4, order, signed=True),  # type: ignore[arg-type]
        described.ccsid.to_bytes(4, order, signed=True),  # type: ignore[arg-type]
        fitted(described.format, 8, header_codec(written.ccsid)),
    )
    changed = bytearray(front)
    for offset, value in zip(offsets, values, strict=True):
        changed[offset : offset + len(value)] = value
    return bytes(changed)
