"""Message groups and segments: which place a message takes, and what may follow it (mqi-semantics §4.5).

A group is a row of logical messages, a logical message is one physical message or a row of segments. A handle
remembers where it stands in one, for its puts, for its gets and for its browses.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

from store.constants import MQMF
from store.descriptor import NO_ID, MessageDescriptor
from store.headers import mqdlh, mqmde, mqxqh
from store.headers.chain import behind_headers
from store.headers.layout import HeaderError

SEGMENTATION_ALLOWED = int(MQMF.SEGMENTATION_ALLOWED)
SEGMENT, LAST_SEGMENT = int(MQMF.SEGMENT), int(MQMF.LAST_SEGMENT)
MSG_IN_GROUP, LAST_MSG_IN_GROUP = int(MQMF.MSG_IN_GROUP), int(MQMF.LAST_MSG_IN_GROUP)
IN_GROUP, SEGMENTED = MSG_IN_GROUP | LAST_MSG_IN_GROUP, SEGMENT | LAST_SEGMENT
# Every one of them gives the message a GroupId.
_KNOWN = IN_GROUP | SEGMENTED | SEGMENTATION_ALLOWED
_REJECTED, _REJECTED_HERE = int(MQMF.REJECT_UNSUP_MASK), int(MQMF.ACCEPT_UNSUP_IF_XMIT_MASK)

MSG_FLAGS_ERROR, MSG_SEQ_NUMBER_ERROR, OFFSET_ERROR, ORIGINAL_LENGTH_ERROR = 2249, 2250, 2251, 2252
SEGMENT_LENGTH_ZERO, INCONSISTENT_PERSISTENCE, INCONSISTENT_UOW = 2253, 2185, 2245
INCOMPLETE_GROUP, INCOMPLETE_MSG = 2241, 2242
REPORT = 4
_HIGHEST = 999_999_999
# The queue manager splits data where the offset is a multiple of so many bytes, behind the MQ headers.
GRAIN = 16


class GroupPosition(NamedTuple):
    """Where a handle stands: the last physical message that it put, or got, or browsed.

    `ordered`: it was in logical order. For browses `rank` and `sequence` are the place of the logical order, which is
    that of the first message of the group.
    """

    flags: int = 0
    group_id: bytes = NO_ID
    msg_seq_number: int = 1
    offset: int = 0
    length: int = 0
    persistence: int = 0
    in_unit: bool = False
    ordered: bool = False
    rank: int = 0
    sequence: int = 0

    @property
    def in_message(self) -> bool:
        """Whether segments of a logical message are missing."""
        return self.flags & SEGMENTED == SEGMENT

    @property
    def in_group(self) -> bool:
        """Whether messages of a group, or segments of its last one, are missing."""
        return bool(self.flags & IN_GROUP) and (self.in_message or not self.flags & LAST_MSG_IN_GROUP)

    @property
    def is_open(self) -> bool:
        """Whether anything is missing."""
        return self.in_message or self.in_group

    @property
    def incomplete(self) -> int:
        """2242 when segments are missing, else 2241 when messages of the group are, else 0."""
        if self.in_message:
            return INCOMPLETE_MSG
        return INCOMPLETE_GROUP if self.in_group else 0

    @property
    def next_place(self) -> tuple[bytes, int, int]:
        """GroupId, MsgSeqNumber and Offset of the message that comes next."""
        if self.in_message:
            return self.group_id, self.msg_seq_number, self.offset + self.length
        return (self.group_id, self.msg_seq_number + 1, 0) if self.in_group else (NO_ID, 1, 0)


NOWHERE = GroupPosition()


def flags_fault(flags: int, *, transmission: bool) -> int:
    """2249 for MsgFlags that must not be ignored and have no meaning here; some may pass on a transmission queue."""
    refused = _REJECTED if transmission else _REJECTED | _REJECTED_HERE
    return MSG_FLAGS_ERROR if flags & ~_KNOWN & refused else 0


def complete_flags(flags: int) -> int:
    """The flags as they are stored: the last of a row is one of it."""
    if flags & LAST_MSG_IN_GROUP:
        flags |= MSG_IN_GROUP
    return flags | SEGMENT if flags & LAST_SEGMENT else flags


def place(descriptor: MessageDescriptor, standing: GroupPosition, new_group_id: bytes, *, ordered: bool) -> None:
    """Decide GroupId, MsgSeqNumber and Offset of a put; in logical order `standing` tells them, else the program does.

    Without flags they have no meaning and become their defaults. A blank GroupId becomes `new_group_id`.
    """
    d = descriptor
    d.msg_flags = flags = complete_flags(d.msg_flags)
    if not flags & _KNOWN:
        d.group_id, d.msg_seq_number, d.offset = NO_ID, 1, 0
    elif ordered:
        group_id, d.msg_seq_number, d.offset = standing.next_place
        d.group_id = group_id if standing.is_open else new_group_id
    else:
        d.group_id = new_group_id if d.group_id == NO_ID else d.group_id
        d.msg_seq_number = d.msg_seq_number if flags & IN_GROUP else 1
        d.offset = d.offset if flags & SEGMENTED else 0


def place_fault(descriptor: MessageDescriptor, body: bytes) -> int:
    """The reason why a message cannot have the place it was given, or 0; OriginalLength is decided with it."""
    d = descriptor
    if not 1 <= d.msg_seq_number <= _HIGHEST:
        return MSG_SEQ_NUMBER_ERROR
    if not 0 <= d.offset <= _HIGHEST - len(body):
        return OFFSET_ERROR
    is_last = d.msg_flags & SEGMENTED != SEGMENT
    if not is_last and not data_behind_headers(d, body):
        return SEGMENT_LENGTH_ZERO
    if not d.msg_flags & SEGMENTED:
        d.original_length = -1
    elif d.msg_type != REPORT:
        d.original_length = len(body)
    elif d.original_length < max(len(body), 0 if is_last else 1):
        return ORIGINAL_LENGTH_ERROR
    return 0


# What a format promises at the start of the data, and the reason when it is not there.
_HEADERS: dict[str, tuple[Callable[[bytes, int, int], object], int]] = {
    "MQXMIT": (mqxqh.check, 2260),
    "MQHMDE": (mqmde.unpack, 2248),
    "MQDEAD": (mqdlh.unpack, 2141),
}


def header_fault(descriptor: MessageDescriptor, body: bytes) -> int:
    """2260, 2248 or 2141 for an MQ header that is none; looked at where a message has an MQMD version 2 (§3.3)."""
    check, reason = _HEADERS.get(descriptor.format, (None, 0))
    if check is None:
        return 0
    try:
        check(body, descriptor.encoding, descriptor.coded_char_set_id)
    except HeaderError:
        return reason
    return 0


def data_behind_headers(descriptor: MessageDescriptor, body: bytes) -> int:
    """How many bytes of application data there are."""
    d = descriptor
    return len(body) - behind_headers(d.format, body, d.encoding, d.coded_char_set_id).at


def breaks(standing: GroupPosition, descriptor: MessageDescriptor, *, in_unit: bool) -> int:
    """2241, 2242, 2185 or 2245 when a message that has its place does not go on where the handle stands, else 0.

    In logical order the put fails with it; otherwise it is a warning, if the put before was in logical order.
    """
    if not standing.is_open:
        return 0
    flags = descriptor.msg_flags
    if standing.in_message and not flags & SEGMENTED:
        return INCOMPLETE_MSG
    if standing.in_message and (flags ^ standing.flags) & IN_GROUP:
        return INCOMPLETE_MSG
    if standing.in_group and not flags & IN_GROUP:
        return INCOMPLETE_GROUP
    if (descriptor.group_id, descriptor.msg_seq_number, descriptor.offset) != standing.next_place:
        return standing.incomplete
    if descriptor.persistence != standing.persistence:
        return INCONSISTENT_PERSISTENCE
    return INCONSISTENT_UOW if in_unit != standing.in_unit else 0


def leaves(standing: GroupPosition, descriptor: MessageDescriptor, *, in_unit: bool) -> int:
    """2242, 2241 or 2245 when a message that is got does not go on where the handle stands, else 0."""
    if (descriptor.group_id, descriptor.msg_seq_number, descriptor.offset) != standing.next_place:
        return standing.incomplete
    return INCONSISTENT_UOW if in_unit != standing.in_unit else 0


def after(descriptor: MessageDescriptor, length: int, *, in_unit: bool, ordered: bool) -> GroupPosition:
    """Where a handle stands behind a message."""
    d = descriptor
    return GroupPosition(
        d.msg_flags, d.group_id, d.msg_seq_number, d.offset, length, d.persistence, in_unit=in_unit, ordered=ordered
    )


def segments(descriptor: MessageDescriptor, body: bytes, limit: int) -> list[tuple[MessageDescriptor, bytes]]:
    """A message as segments of at most `limit` bytes each; none when it cannot be split so finely.

    MQ headers stay whole at the start of the first segment; the others are described as the data behind them is.
    """
    d = descriptor
    behind = behind_headers(d.format, body, d.encoding, d.coded_char_set_id)
    first, others = (limit - behind.at) // GRAIN * GRAIN + behind.at, limit // GRAIN * GRAIN
    if first < behind.at + GRAIN:
        return []
    cuts = [0, *range(first, len(body), others), len(body)]
    last_flags = d.msg_flags if d.msg_flags & SEGMENT else d.msg_flags | SEGMENTED
    parts = []
    for start, end in pairwise(cuts):
        part = d.copy()
        part.offset = d.offset + start
        part.msg_flags = last_flags if end == len(body) else (d.msg_flags | SEGMENT) & ~LAST_SEGMENT
        part.original_length = end - start
        if start:
            part.format, part.encoding, part.coded_char_set_id = behind.format, behind.encoding, behind.ccsid
        parts.append((part, body[start:end]))
    return parts
