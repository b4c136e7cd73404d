"""The MQRFH2 headers at the head of message data, after the headers that come before properties (properties §4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mqsc.store.constants import MQFMT
from mqsc.store.descriptor import DescribedData, MessageDescriptor
from mqsc.store.headers import mqdlh, mqmd, mqrfh2, mqxqh
from mqsc.store.headers.chain import INHERIT, SELF_DESCRIBING, header_at
from mqsc.store.headers.layout import HeaderError, byte_order, fitted, header_codec
from mqsc.store.headers.mqrfh2 import RulesHeader

# The headers in front of which no MQRFH2 is generated, and the fields in them that describe the
# data that follows: the offsets of Encoding, CodedCharSetId and Format.
_SELF_DESCRIBED = (12, 16, 20)
_EMBEDDED = mqxqh.LENGTH - mqmd.MQMD_1.length
_DESCRIBING: dict[str, tuple[int, int, int]] = {
    str(MQFMT.XMIT_Q_HEADER): (_EMBEDDED + 24, _EMBEDDED + 28, _EMBEDDED + 32),
    str(MQFMT.MD_EXTENSION): _SELF_DESCRIBED,
    str(MQFMT.DEAD_LETTER_HEADER): tuple(
        mqdlh.MQDLH.offset_of(name) for name in ("encoding", "coded_char_set_id", "format")
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
        inherited = self.described.ccsid if ccsid == INHERIT else ccsid
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
