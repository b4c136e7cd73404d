"""The position of a message in a group, what may follow it, and how a message is split."""

from __future__ import annotations

from mqsc.store.constants import MQMF
from mqsc.store.descriptor import NO_ID, MessageDescriptor
from mqsc.store.headers import mqdlh
from mqsc.store.rules import grouping
from mqsc.store.rules.grouping import NO_GROUP, GroupPosition
from tests.rows import rows
from tests.store.tables import giving, named_rows, verdicts

MEMBER, LAST = int(MQMF.MSG_IN_GROUP), int(MQMF.MSG_IN_GROUP | MQMF.LAST_MSG_IN_GROUP)
SEGMENT, LAST_SEGMENT = int(MQMF.SEGMENT), int(MQMF.SEGMENT | MQMF.LAST_SEGMENT)
ALLOWED = int(MQMF.SEGMENTATION_ALLOWED)
NEW, OLD, GIVEN = b"new".ljust(24), b"old".ljust(24), b"given".ljust(24)

IN_GROUP = GroupPosition(MEMBER, OLD, 4, 0, 10, ordered=True)
IN_MESSAGE = GroupPosition(SEGMENT, OLD, 1, 20, 10, ordered=True)
IN_BOTH = GroupPosition(MEMBER | SEGMENT, OLD, 4, 20, 10, ordered=True)
IN_LAST = GroupPosition(LAST | SEGMENT, OLD, 4, 20, 10, ordered=True)


# (case, last message, whether its group and its logical message are incomplete, the fields expected
# next)
@named_rows(
    ("no group", NO_GROUP, False, False, (NO_ID, 1, 0)),
    ("in a group", IN_GROUP, True, False, (OLD, 5, 0)),
    ("in a message", IN_MESSAGE, False, True, (OLD, 1, 30)),
    ("in a message of a group", IN_BOTH, True, True, (OLD, 4, 30)),
    ("in the last message of a group", IN_LAST, True, True, (OLD, 4, 30)),
    (
        "after a segment of a group",
        IN_BOTH._replace(flags=MEMBER | LAST_SEGMENT),
        True,
        False,
        (OLD, 5, 0),
    ),
    ("behind a group", IN_GROUP._replace(flags=LAST), False, False, (NO_ID, 1, 0)),
    (
        "behind a group's last segment",
        IN_LAST._replace(flags=LAST | LAST_SEGMENT),
        False,
        False,
        (NO_ID, 1, 0),
    ),
    ("behind a message", IN_MESSAGE._replace(flags=LAST_SEGMENT), False, False, (NO_ID, 1, 0)),
)
def test_the_position_of_a_handle(
    position: GroupPosition,
    in_group: bool,
    in_message: bool,
    following: tuple[bytes, int, int],
) -> None:
    assert (position.in_group, position.in_message) == (in_group, in_message)
    assert position.is_open == (in_group or in_message)
    assert position.expected_next == following
    assert position.incomplete == (2242 if in_message else 2241 if in_group else 0)


# The manual's table for MQPUT: (case, in logical order, flags, position before, GroupId given,
# place).
@named_rows(
    ("order, none", True, 0, NO_GROUP, GIVEN, (NO_ID, 1, 0)),
    ("order, allowed", True, ALLOWED, NO_GROUP, GIVEN, (NEW, 1, 0)),
    ("order, first segment", True, SEGMENT, NO_GROUP, GIVEN, (NEW, 1, 0)),
    ("order, next segment", True, SEGMENT | ALLOWED, IN_MESSAGE, GIVEN, (OLD, 1, 30)),
    ("order, first of a group", True, MEMBER, NO_GROUP, GIVEN, (NEW, 1, 0)),
    ("order, next of a group", True, MEMBER | SEGMENT, IN_GROUP, GIVEN, (OLD, 5, 0)),
    ("order, next segment in a group", True, MEMBER | SEGMENT, IN_BOTH, GIVEN, (OLD, 4, 30)),
    ("none", False, 0, IN_BOTH, GIVEN, (NO_ID, 1, 0)),
    ("allowed, no GroupId", False, ALLOWED, IN_BOTH, NO_ID, (NEW, 1, 0)),
    ("allowed, GroupId", False, ALLOWED, NO_GROUP, GIVEN, (GIVEN, 1, 0)),
    ("segment, no GroupId", False, SEGMENT, NO_GROUP, NO_ID, (NEW, 1, 9)),
    ("segment, GroupId", False, SEGMENT, NO_GROUP, GIVEN, (GIVEN, 1, 9)),
    ("member, no GroupId", False, MEMBER, NO_GROUP, NO_ID, (NEW, 7, 0)),
    ("member, GroupId", False, MEMBER, NO_GROUP, GIVEN, (GIVEN, 7, 0)),
    ("both, GroupId", False, MEMBER | SEGMENT, NO_GROUP, GIVEN, (GIVEN, 7, 9)),
)
def test_the_place_of_a_put(
    ordered: bool,
    flags: int,
    position: GroupPosition,
    group_id: bytes,
    expected: tuple[bytes, int, int],
) -> None:
    descriptor = MessageDescriptor(msg_flags=flags, group_id=group_id, msg_seq_number=7, offset=9)
    grouping.set_group_fields(descriptor, position, NEW, ordered=ordered)
    assert (descriptor.group_id, descriptor.msg_seq_number, descriptor.offset) == expected


def member(flags: int, position: GroupPosition, persistence: int = 0) -> MessageDescriptor:
    """Return the message that comes next after `position`."""
    made = MessageDescriptor(msg_flags=flags, persistence=persistence)
    made.group_id, made.msg_seq_number, made.offset = position.expected_next
    return made


# (position, flags of the next message, its persistence, in a unit of work, reason)
@rows(
    *giving(
        0,
        (NO_GROUP, 0, 1, True),
        (IN_GROUP, MEMBER, 0, False),
        (IN_GROUP, MEMBER | SEGMENT, 0, False),
    ),
    *giving(0, (IN_MESSAGE, LAST_SEGMENT, 0, False), (IN_BOTH, MEMBER | SEGMENT, 0, False)),
    (IN_LAST, LAST | LAST_SEGMENT, 0, False, 0),
    *giving(
        2241,
        (IN_GROUP, 0, 0, False),
        (IN_GROUP, ALLOWED, 0, False),
        (IN_GROUP, SEGMENT, 0, False),
    ),
    *giving(2185, (IN_GROUP, MEMBER, 1, False), (IN_GROUP, MEMBER, 1, True)),
    (IN_GROUP, MEMBER, 0, True, 2245),
    *giving(
        2242,
        (IN_MESSAGE, 0, 0, False),
        (IN_MESSAGE, MEMBER | SEGMENT, 0, False),
        (IN_BOTH, MEMBER, 0, False),
    ),
    *giving(2242, (IN_BOTH, SEGMENT, 0, False), (IN_BOTH, LAST | LAST_SEGMENT, 0, False)),
    (IN_LAST, MEMBER | LAST_SEGMENT, 0, False, 2242),
)
def test_puts_out_of_sequence(
    position: GroupPosition,
    flags: int,
    persistence: int,
    in_unit: bool,
    reason: int,
) -> None:
    assert (
        grouping.put_sequence_fault(position, member(flags, position, persistence), in_unit=in_unit)
        == reason
    )


def test_another_group_is_out_of_sequence() -> None:
    other = MessageDescriptor(msg_flags=MEMBER, group_id=GIVEN, msg_seq_number=5)
    assert grouping.put_sequence_fault(IN_GROUP, other, in_unit=False) == 2241
    assert (
        grouping.get_sequence_fault(IN_BOTH, MessageDescriptor(group_id=GIVEN), in_unit=False)
        == 2242
    )
    assert (
        grouping.get_sequence_fault(
            IN_GROUP,
            member(MEMBER, IN_GROUP, persistence=1),
            in_unit=False,
        )
        == 0
    )
    assert grouping.get_sequence_fault(IN_GROUP, member(MEMBER, IN_GROUP), in_unit=True) == 2245


test_the_last_message_belongs_to_its_group = verdicts(
    grouping.complete_flags,
    (16, 24),
    (4, 6),
    (1, 1),
)


@rows(
    *giving(0, (31, False), (4096, True), (1 << 20, False), (-1 << 20, False)),
    *giving(2249, (32, False), (32, True), (2048, True), (4096, False)),
)
def test_flags(flags: int, transmission: bool, reason: int) -> None:
    assert grouping.flags_fault(flags, transmission=transmission) == reason


# (flags, MsgSeqNumber, Offset, MsgType, OriginalLength, bytes of data), by reason and the resulting
# OriginalLength
@rows(
    *giving((0, -1), (MEMBER, 1, 0, 8, 5, 10), (MEMBER, 999_999_999, 0, 8, -1, 10)),
    *giving((2250, -1), (MEMBER, 0, 0, 8, -1, 10), (MEMBER, 1_000_000_000, 0, 8, -1, 10)),
    *giving((2251, -1), (SEGMENT, 1, -1, 8, -1, 10), (SEGMENT, 1, 999_999_990, 8, -1, 10)),
    *giving((0, 10), (SEGMENT, 1, 999_999_989, 8, -1, 10), (SEGMENT, 1, 0, 8, 99, 10)),
    (SEGMENT, 1, 0, 8, -1, 0, (2253, -1)),
    *giving((0, 0), (LAST_SEGMENT, 1, 0, 8, -1, 0), (LAST_SEGMENT, 1, 0, 4, 0, 0)),
    (SEGMENT, 1, 0, 4, 99, 10, (0, 99)),
    (SEGMENT, 1, 0, 4, 9, 10, (2252, 9)),
    (LAST_SEGMENT, 1, 0, 4, -1, 0, (2252, -1)),
)
def test_group_fields(
    flags: int,
    number: int,
    offset: int,
    kind: int,
    original: int,
    length: int,
    ends: tuple[int, int],
) -> None:
    given = MessageDescriptor(msg_flags=flags, msg_seq_number=number, offset=offset, msg_type=kind)
    given.original_length = original
    assert (grouping.group_fields_fault(given, b"x" * length), given.original_length) == ends


def test_a_segment_of_headers_alone_has_no_data() -> None:
    dead_letter = mqdlh.pack_mqdlh(
        mqdlh.DeadLetterHeader(2053, "Q", "QM1", 546, 1208, "", 7, "", "", ""),
    )
    given = MessageDescriptor(msg_flags=SEGMENT, format="MQDEAD", coded_char_set_id=1208)
    assert grouping.group_fields_fault(given, dead_letter) == 2253


# (flags, offset, bytes of data, limit, offsets and lengths of the segments, flags of the last)
@rows(
    (ALLOWED, 0, 33, 16, [(0, 16), (16, 16), (32, 1)], ALLOWED | LAST_SEGMENT),
    (ALLOWED, 0, 32, 16, [(0, 16), (16, 16)], ALLOWED | LAST_SEGMENT),
    (ALLOWED, 0, 40, 31, [(0, 16), (16, 16), (32, 8)], ALLOWED | LAST_SEGMENT),
    (ALLOWED | SEGMENT, 100, 20, 16, [(100, 16), (116, 4)], ALLOWED | SEGMENT),
    (ALLOWED | LAST_SEGMENT, 100, 20, 16, [(100, 16), (116, 4)], ALLOWED | LAST_SEGMENT),
    (ALLOWED | LAST, 0, 20, 16, [(0, 16), (16, 4)], ALLOWED | LAST | LAST_SEGMENT),
    (ALLOWED, 0, 20, 15, [], 0),
)
def test_a_message_is_split(
    flags: int,
    offset: int,
    length: int,
    limit: int,
    places: list[tuple[int, int]],
    last: int,
) -> None:
    body = bytes(range(length))
    parts = grouping.segments(
        MessageDescriptor(msg_flags=flags, offset=offset, msg_id=NEW),
        body,
        limit,
    )
    assert [(part.offset, len(data)) for part, data in parts] == places
    assert b"".join(data for _, data in parts) == (body if parts else b"")
    assert [part.original_length for part, _ in parts] == [length for _, length in places]
    assert all(part.msg_id == NEW and part.msg_flags & SEGMENT for part, _ in parts)
    assert [part.msg_flags for part, _ in parts[-1:]] == [last] * bool(parts)
    assert not any(part.msg_flags & MQMF.LAST_SEGMENT for part, _ in parts[:-1])


def test_the_position_after_a_message() -> None:
    descriptor = MessageDescriptor(msg_flags=MEMBER, group_id=OLD, msg_seq_number=4, persistence=1)
    after = grouping.position_after(descriptor, 10, in_unit=True, ordered=False)
    assert after == GroupPosition(MEMBER, OLD, 4, 0, 10, 1, in_unit=True)
