"""Message groups and segments: the position of a message, and what may follow it (mqi-semantics
§4.5).

A group is a sequence of logical messages; a logical message is one physical message or a sequence
of segments. A handle remembers its position in a group, separately for puts, gets and browses.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

from mqsc.store.constants import MQFMT, MQMF, MQMT, MQOL, MQRC
from mqsc.store.descriptor import NO_ID, DescribedData, MessageDescriptor
from mqsc.store.headers import chain, layout, mqdlh, mqmde, mqxqh

SEGMENTATION_ALLOWED = int(MQMF.SEGMENTATION_ALLOWED)
SEGMENT = int(MQMF.SEGMENT)
LAST_SEGMENT = int(MQMF.LAST_SEGMENT)
MSG_IN_GROUP, LAST_MSG_IN_GROUP = int(MQMF.MSG_IN_GROUP), int(MQMF.LAST_MSG_IN_GROUP)
IN_GROUP, SEGMENTED = MSG_IN_GROUP | LAST_MSG_IN_GROUP, SEGMENT | LAST_SEGMENT
# Each of these flags gives the message a GroupId.
_KNOWN = IN_GROUP | SEGMENTED | SEGMENTATION_ALLOWED
_REJECTED, _REJECTED_HERE = int(MQMF.REJECT_UNSUP_MASK), int(MQMF.ACCEPT_UNSUP_IF_XMIT_MASK)

MSG_FLAGS_ERROR, MSG_SEQ_NUMBER_ERROR = int(MQRC.MSG_FLAGS_ERROR), int(MQRC.MSG_SEQ_NUMBER_ERROR)
OFFSET_ERROR, ORIGINAL_LENGTH_ERROR = int(MQRC.OFFSET_ERROR), int(MQRC.ORIGINAL_LENGTH_ERROR)
SEGMENT_LENGTH_ZERO, INCONSISTENT_UOW = int(MQRC.SEGMENT_LENGTH_ZERO), int(MQRC.INCONSISTENT_UOW)
INCONSISTENT_PERSISTENCE = int(MQRC.INCONSISTENT_PERSISTENCE)
INCOMPLETE_GROUP, INCOMPLETE_MSG = int(MQRC.INCOMPLETE_GROUP), int(MQRC.INCOMPLETE_MSG)
REPORT, UNDEFINED_LENGTH = int(MQMT.REPORT), int(MQOL.UNDEFINED)
_HIGHEST = 999_999_999
# The queue manager splits the data after the MQ headers where the offset is a multiple of this
# number of bytes.
SEGMENT_ALIGNMENT = 16


class GroupPosition(NamedTuple):
    """The position of a handle in a group: the last physical message that it put, got or browsed.

    `ordered`: that call used logical order. For browses, `rank` and `sequence` are those of the
    first message of the group, which define the logical order.
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
        """Whether further segments of the logical message are expected."""
        return self.flags & SEGMENTED == SEGMENT

    @property
    def in_group(self) -> bool:
        """Whether further messages of the group, or segments of its last message, are expected."""
        return bool(self.flags & IN_GROUP) and (
            self.in_message or not self.flags & LAST_MSG_IN_GROUP
        )

    @property
    def is_open(self) -> bool:
        """Whether anything further is expected."""
        return self.in_message or self.in_group

    @property
    def incomplete(self) -> int:
        """INCOMPLETE_MSG if segments are missing, INCOMPLETE_GROUP if messages of the group are,
        else 0.
        """
        if self.in_message:
            return INCOMPLETE_MSG
        return INCOMPLETE_GROUP if self.in_group else 0

    @property
    def expected_next(self) -> tuple[bytes, int, int]:
        """GroupId, MsgSeqNumber and Offset of the next message in logical order."""
        if self.in_message:
            return self.group_id, self.msg_seq_number, self.offset + self.length
        return (self.group_id, self.msg_seq_number + 1, 0) if self.in_group else (NO_ID, 1, 0)


NO_GROUP = GroupPosition()


def flags_fault(flags: int, *, transmission: bool) -> int:
    """MSG_FLAGS_ERROR for unknown MsgFlags that must be refused; a transmission queue accepts
    some of them. Else 0.
    """
    refused = _REJECTED if transmission else _REJECTED | _REJECTED_HERE
    return MSG_FLAGS_ERROR if flags & ~_KNOWN & refused else 0


def complete_flags(flags: int) -> int:
    """The flags as stored: the last message of a group is also in the group, the last segment is
    also a segment.
    """
    if flags & LAST_MSG_IN_GROUP:
        flags |= MSG_IN_GROUP
    return flags | SEGMENT if flags & LAST_SEGMENT else flags


def set_group_fields(
    descriptor: MessageDescriptor,
    position: GroupPosition,
    new_group_id: bytes,
    *,
    ordered: bool,
) -> None:
    """Set GroupId, MsgSeqNumber and Offset of a put: from `position` in logical order, else from
    the program.

    Without flags these fields have no meaning and are reset to their defaults. A blank GroupId
    becomes `new_group_id`.
    """
    d = descriptor
    d.msg_flags = flags = complete_flags(d.msg_flags)
    if not flags & _KNOWN:
        d.group_id = NO_ID
        d.msg_seq_number = 1
        d.offset = 0
    elif ordered:
        group_id, d.msg_seq_number, d.offset = position.expected_next
        d.group_id = group_id if position.is_open else new_group_id
    else:
        d.group_id = new_group_id if d.group_id == NO_ID else d.group_id
        d.msg_seq_number = d.msg_seq_number if flags & IN_GROUP else 1
        d.offset = d.offset if flags & SEGMENTED else 0


def group_fields_fault(descriptor: MessageDescriptor, body: bytes) -> int:
    """The MQRC for invalid group fields of a put, or 0. Sets OriginalLength, which depends on
    them.
    """
    d = descriptor
    if not 1 <= d.msg_seq_number <= _HIGHEST:
        return MSG_SEQ_NUMBER_ERROR
    if not 0 <= d.offset <= _HIGHEST - len(body):
        return OFFSET_ERROR
    is_last = d.msg_flags & SEGMENTED != SEGMENT
    if not is_last and not application_data_length(d, body):
        return SEGMENT_LENGTH_ZERO
    if not d.msg_flags & SEGMENTED:
        d.original_length = UNDEFINED_LENGTH
    elif d.msg_type != REPORT:
        d.original_length = len(body)
    elif d.original_length < len(body):
        return ORIGINAL_LENGTH_ERROR
    return 0


# Formats whose data begins with an MQ header: the check of the header, and the reason when it
# fails.
_HEADERS: dict[str, tuple[Callable[[bytes, int, int], object], int]] = {
    MQFMT.XMIT_Q_HEADER: (mqxqh.MQXQH.check, int(MQRC.XQH_ERROR)),
    MQFMT.MD_EXTENSION: (mqmde.unpack_extension, int(MQRC.MDE_ERROR)),
    MQFMT.DEAD_LETTER_HEADER: (mqdlh.unpack_mqdlh, int(MQRC.DLH_ERROR)),
}


def header_fault(descriptor: MessageDescriptor, body: bytes) -> int:
    """XQH_ERROR, MDE_ERROR or DLH_ERROR for an invalid MQ header, else 0. Only for an MQMD
    version 2 (§3.3).
    """
    check, reason = _HEADERS.get(descriptor.format, (None, 0))
    if check is None:
        return 0
    try:
        check(body, descriptor.encoding, descriptor.coded_char_set_id)
    except layout.HeaderError:
        return reason
    return 0


def application_data_length(descriptor: MessageDescriptor, body: bytes) -> int:
    """The number of bytes after the MQ headers."""
    d = descriptor
    return len(body) - chain.data_after_headers(d.format, body, d.encoding, d.coded_char_set_id).at


def put_sequence_fault(
    position: GroupPosition,
    descriptor: MessageDescriptor,
    *,
    in_unit: bool,
) -> int:
    """The MQRC for a put message that does not follow the handle's position, or 0.

    INCOMPLETE_GROUP, INCOMPLETE_MSG, INCONSISTENT_PERSISTENCE or INCONSISTENT_UOW. A put in logical
    order fails with this reason; for other puts it is a warning if the previous put was in logical
    order.
    """
    if not position.is_open:
        return 0
    flags = descriptor.msg_flags
    if position.in_message and not flags & SEGMENTED:
        return INCOMPLETE_MSG
    if position.in_message and (flags ^ position.flags) & IN_GROUP:
        return INCOMPLETE_MSG
    if position.in_group and not flags & IN_GROUP:
        return INCOMPLETE_GROUP
    if (
        descriptor.group_id,
        descriptor.msg_seq_number,
        descriptor.offset,
    ) != position.expected_next:
        return position.incomplete
    if descriptor.persistence != position.persistence:
        return INCONSISTENT_PERSISTENCE
    return INCONSISTENT_UOW if in_unit != position.in_unit else 0


def get_sequence_fault(
    position: GroupPosition,
    descriptor: MessageDescriptor,
    *,
    in_unit: bool,
) -> int:
    """The MQRC for a message to get that does not follow the handle's position, or 0.

    INCOMPLETE_MSG, INCOMPLETE_GROUP or INCONSISTENT_UOW.
    """
    if (
        descriptor.group_id,
        descriptor.msg_seq_number,
        descriptor.offset,
    ) != position.expected_next:
        return position.incomplete
    return INCONSISTENT_UOW if in_unit != position.in_unit else 0


def position_after(
    descriptor: MessageDescriptor,
    length: int,
    *,
    in_unit: bool,
    ordered: bool,
) -> GroupPosition:
    """The position of a handle after a message with `length` bytes of data."""
    d = descriptor
    return GroupPosition(
        d.msg_flags,
        d.group_id,
        d.msg_seq_number,
        d.offset,
        length,
        d.persistence,
        in_unit=in_unit,
        ordered=ordered,
    )


def segments(descriptor: MessageDescriptor, body: bytes, limit: int) -> list[DescribedData]:
    """A message split into segments of at most `limit` bytes each; an empty list if it cannot be
    split that finely.

    MQ headers are not split: they start the first segment. The other segments have the format,
    encoding and CCSID of the data after the headers.
    """
    d = descriptor
    data = chain.data_after_headers(d.format, body, d.encoding, d.coded_char_set_id)
    first = (limit - data.at) // SEGMENT_ALIGNMENT * SEGMENT_ALIGNMENT + data.at
    others = limit // SEGMENT_ALIGNMENT * SEGMENT_ALIGNMENT
    if first < data.at + SEGMENT_ALIGNMENT:
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
            part.format = data.format
            part.encoding = data.encoding
            part.coded_char_set_id = data.ccsid
        parts.append((part, body[start:end]))
    return parts
