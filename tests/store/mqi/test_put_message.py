"""Messages as they will be stored: what the queue manager decides, and what it refuses
(mqi-semantics §3, §12).

A prepared put is reused for messages with equal descriptors, identifiers aside, and for no others.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from mqsc.store.admin.altering import change, change_queue_manager
from mqsc.store.catalog import KINDS
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import open_store
from mqsc.store.constants import MQMF, MQOO, MQPMO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.message import Message, PutMessageOptions
from mqsc.store.mqi.known_puts import MOST_KNOWN
from tests.scenarios.play import Play
from tests.store.mqi.putting import HEADER, MADE, OUTPUT, Given, World
from tests.store.mqi.stories import IN_ORDER, OPTIONS, Number, Step, stories
from tests.store.plays import plays

EXAMPLES = int(os.environ.get("MQSC_DECISIONS_EXAMPLES", "50"))
OBJECTS = """
    DEFINE QLOCAL(Q) DEFPRTY(4) DEFPSIST(YES) · DEFINE QALIAS(AL) TARGET(Q) DEFPRTY(2) DEFPSIST(NO)
    DEFINE QLOCAL(SHORT) MAXMSGL(32) · DEFINE QLOCAL(XQ) USAGE(XMITQ)
    DEFINE QREMOTE(FAR) RNAME(THERE) RQMNAME(QM2) XMITQ(XQ) · DEFINE QMODEL(TEMP) DEFTYPE(TEMPDYN)
    DEFINE QLOCAL(CAP) CAPEXPRY(50) · DEFINE QALIAS(CAP.AL) TARGET(CAP) CUSTOM('CAPEXPRY(30)')
"""
SCENARIOS = {
    "defaults come from the object opened": """
        put m · get => priority=4 persistence=1 coded_char_set_id=1208 backout_count=0
        put m on AL · get => priority=2 persistence=0
        put m priority=0 persistence=0 coded_char_set_id=819 bc=9
        get => priority=0 persistence=0 coded_char_set_id=819 backout_count=0
    """,
    "a blank reply queue manager is filled": """
        put m reply_to_q=Q · get => reply_to_q=Q reply_to_q_mgr=QM1
        put m reply_to_q=FAR · get => reply_to_q=THERE reply_to_q_mgr=QM2
        put m reply_to_q=FAR reply_to_q_mgr=QM7 · get => reply_to_q=FAR reply_to_q_mgr=QM7
        put m · get => reply_to_q= reply_to_q_mgr=QM1
    """,
    "the lowest CAPEXPRY on the way counts": """
        put m on CAP · get from CAP => expiry=50
        put m on CAP.AL · get from CAP => expiry=30
        put m on CAP.AL expiry=20 · get from CAP => expiry=20
    """,
    "refusals and warnings": """
        put m expiry=0 => 2/2013 · put m priority=10 => 1/2049 · put m priority=-2 => 2/2050
        put m length=33 on SHORT => 2/2030 · put m report=0x20000000 => 1/2104
        open TEMP output dynamic=D as D · put m on D persistence=1 => 2/2048
        put m on D persistence=0 · put m on D => 0/0
    """,
    "a message that may be segmented is split to the length of the queue": """
        put m length=80 on SHORT flags=SEGMENTATION_ALLOWED · depth SHORT => 3
        get from SHORT => m length=32 offset=0 flags=SEGMENTATION_ALLOWED+SEGMENT
        get from SHORT => offset=32 length=32
        get from SHORT => offset=64 length=16 flags=SEGMENTATION_ALLOWED+SEGMENT+LAST_SEGMENT
        put m length=32 on SHORT flags=SEGMENTATION_ALLOWED · depth SHORT => 1
    """,
    "a direct put on a transmission queue must carry a valid header": """
        put m on XQ embedded=-1 · put m on XQ embedded=-1 expiry=10 => 2/2013 · put m on XQ embedded=10 => 2/2013
        put m on XQ embedded=-1 cut=100 => 2/2260
        put m on XQ · put m on FAR · depth XQ => 3
    """,
    "identifiers are kept, or made": """
        put m msg_id=M correl_id=C · get => msg_id=M correl_id=C
        put m · put n msg_id=M new-msg-id · get => msg_id=m · get => msg_id=n
    """,
}

test_put = plays(OBJECTS, SCENARIOS)


@pytest.mark.parametrize("first", ["put m", "put m priority=1"])
def test_a_prepared_put_holds_only_for_data_that_fits(qmgr: QueueManager, first: str) -> None:
    Play(qmgr).run(
        OBJECTS
        + f"{first} on SHORT · put m on SHORT length=33 => 2/2030 · put m on SHORT length=32",
    )


class Afresh(World):
    """A program that opens the queue anew for every put."""

    def handle(self, name: str) -> ObjectHandle:
        """Close the previous handle and open a new one, which has nothing prepared."""
        opened = self.handles[name].destination
        assert opened is not None
        other = self.handles.pop("other", None)
        if other is not None:
            other.close()
        self.handles["other"] = self.connection.open(
            opened.queue.name if name == "TEMP" else name,
            OUTPUT,
        )
        return self.handles["other"]


class Forgetful(World):
    """A program that keeps its handle, with its position in a group, but without its known
    puts.
    """

    def handle(self, name: str) -> ObjectHandle:
        """Clear the handle's known puts, and return it."""
        self.handles[name].known_puts.clear()
        return self.handles[name]


def told_the_same(other: Callable[[], World], steps: Sequence[Step]) -> None:
    """Check that both worlds return the same at every step, and end with the same contents."""
    worlds = [World(), other()]
    try:
        for name, values in steps:
            ours, theirs = (getattr(world, name)(*values) for world in worlds)
            assert ours == theirs
        ours, theirs = (world.kept() for world in worlds)
        assert ours == theirs
    finally:
        for world in worlds:
            world.close()


@settings(max_examples=EXAMPLES)
@given(stories(OPTIONS))
def test_a_handle_that_puts_again_and_again_decides_as_one_just_opened(steps: list[Step]) -> None:
    told_the_same(Afresh, steps)


@settings(max_examples=EXAMPLES)
@given(stories(OPTIONS + IN_ORDER))
def test_a_handle_in_a_group_decides_as_one_that_forgets(steps: list[Step]) -> None:
    told_the_same(Forgetful, steps)


@pytest.fixture
def world() -> Iterator[World]:
    with closing(World()) as made:
        yield made


def test_what_another_process_alters_holds_from_the_next_put_on(
    qmgr: QueueManager,
    tmp_path: Path,
) -> None:
    with open_store(
        f"sqlite:///{tmp_path / 'test.db'}",
        environment=qmgr.store.environment,
    ) as other:
        there, queue = other.queue_manager("QM1"), "SYSTEM.DEFAULT.LOCAL.QUEUE"
        with qmgr.connect() as connection:
            handle = connection.open(queue, MQOO.OUTPUT)

            def placed() -> list[Any]:
                found = handle.put([Message(b"x"), Message(b"x")])[1]
                return [found.priority, found.persistence, found.expiry, found.coded_char_set_id]

            before = placed()
            change(there, KINDS["QLOCAL"], queue, {"DEFPRTY": 7})
            assert placed() == [7, *before[1:]]
            change(there, KINDS["QLOCAL"], queue, {"DEFPSIST": "YES", "CAPEXPRY": 20})
            assert placed() == [7, 1, 20, before[3]]
            change_queue_manager(there, {"CCSID": 819})
            assert placed() == [7, 1, 20, 819]


@pytest.mark.parametrize("no_queue_manager", ["", " " * 48, "\0"])
def test_a_reply_to_q_is_looked_up_for_every_message(world: World, no_queue_manager: str) -> None:
    message = Given({"reply_to_q": "REPLY", "reply_to_q_mgr": no_queue_manager}, "short").message()
    handle = world.handle("Q")

    def reply_to() -> tuple[str, str]:
        placed = handle.put(message)
        return placed.reply_to_q, placed.reply_to_q_mgr

    assert reply_to() == ("ANSWERS", "QM2")
    world.alter("QREMOTE", "REPLY", {"RNAME": "OTHERS", "RQMNAME": "QM3"})
    assert reply_to() == ("OTHERS", "QM3")
    world.alter("QLOCAL", "REPLY", {})
    assert reply_to() == ("REPLY", "QM1")


class Index:
    """An integer type of another library."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __index__(self) -> int:
        return self.number

    def __lt__(self, other: int) -> bool:
        return self.number < other

    def __gt__(self, other: int) -> bool:
        return self.number > other


@pytest.mark.parametrize("called", [Number.FIVE, Index(5)])
def test_a_number_of_another_kind_is_placed_as_a_plain_one(world: World, called: Any) -> None:
    handle = world.handle("Q")
    for given_first in (called, 5):
        placed = handle.put(Message(b"x", MessageDescriptor(priority=given_first)))
        assert repr(placed.priority) == "5"
    assert [row[19] for row in world.kept()["messages"]] == [5, 5]


def test_neither_the_descriptor_given_nor_the_one_returned_is_what_was_decided(
    world: World,
) -> None:
    handle, message = world.handle("Q"), Message(b"x", MessageDescriptor(priority=5))
    for _ in range(3):
        placed = handle.put(message)
        assert (placed.priority, placed.format) == (5, "")
        placed.priority, placed.format = 9, "MQDEAD"
        assert (message.descriptor.priority, message.descriptor.msg_id) == (5, bytes(24))
    message.descriptor.priority = 6
    assert handle.put(message).priority == 6


def test_a_message_refused_in_the_middle_leaves_nothing_but_what_was_decided(world: World) -> None:
    fits, long = Given({}, "fits"), Given({}, "long")
    before = world.kept()
    for _ in range(2):
        assert world.put("Q", 0, [fits, fits, long, fits]) == [
            "MQError(<MQRC.MSG_TOO_BIG_FOR_Q: 2030>, 'Q', 2, 2)",
            2,
        ]
        assert world.kept() == before
    world.alter("QLOCAL", "Q", {"MAXMSGL": 201})
    world.put("Q", 0, [fits, fits, long, fits])
    assert [row[11] for row in world.kept()["messages"]] == [180, 180, 201, 180]


def test_a_list_whose_group_is_broken_off_leaves_the_handle_where_it_stood(world: World) -> None:
    first, plain = Given({"msg_flags": int(MQMF.MSG_IN_GROUP)}, "short"), Given({}, "short")
    world.put("Q", 0, [plain])
    assert world.put("Q", MQPMO.LOGICAL_ORDER, [first, plain])[1] == 1
    assert world.handle("Q").positions == {}
    assert world.put("Q", 0, [plain, plain])[1] == [(0, 0), (0, 0)]


def test_dead_letters_among_others_are_told_with_their_reason_in_their_order(world: World) -> None:
    dead, claims = Given({"format": "MQDEAD"}, "dead"), Given({"format": "MQDEAD"}, "short")
    other = Given({}, "short")
    for given_together in ([dead, other, other, dead, claims, dead], [other, dead]):
        world.put("Q", 0, given_together)
    rows = [row[19:] for row in world.kept()["history"] if row[2] == "PUT"]
    told = [
        (*row, detail and re.sub(r', "message_number": \d+', "", detail)) for *row, detail in rows
    ]
    why = (HEADER.reason, None, '{"destination": "LOST", "destination_queue_manager": "QM1"}')
    nothing = (None, None, None)
    assert told == [why, nothing, nothing, why, nothing, why, nothing, why]


def test_two_handles_of_two_users_decide_for_themselves(world: World) -> None:
    options = MQOO.OUTPUT | MQOO.ALTERNATE_USER_AUTHORITY
    handles = [
        world.connection.open("Q", options, alternate_user=user) for user in ("alice", "bob")
    ]
    for _ in range(2):
        assert [each.put(Message(b"x")).user_identifier for each in handles] == ["alice", "bob"]


def test_a_temporary_queue_takes_no_persistent_message_however_many_it_took(world: World) -> None:
    plain, persistent = Given({"persistence": 0}, "short"), Given({"persistence": 1}, "short")
    for _ in range(2):
        world.put("TEMP", 0, [plain])
        assert world.put("TEMP", 0, [plain, persistent])[1] == 1


def test_identifiers_are_made_where_they_are_asked_for(world: World) -> None:
    handle, own = world.handle("Q"), b"own".ljust(24)
    for asked, made in [
        (0, (False, False)),
        (MQPMO.NEW_MSG_ID, (True, False)),
        (MQPMO.NEW_CORREL_ID, (False, True)),
        (MQPMO.NEW_MSG_ID | MQPMO.NEW_CORREL_ID, (True, True)),
    ]:
        placed = [
            handle.put(
                Message(b"x", MessageDescriptor(msg_id=own, correl_id=own)),
                PutMessageOptions(asked),
            )
            for _ in range(2)
        ]
        assert [(each.msg_id != own, each.correl_id != own) for each in placed] == [made, made]
        ids = {id for each in placed for id in (each.msg_id, each.correl_id) if MADE.fullmatch(id)}
        assert len(ids) == 2 * sum(made)


def test_a_handle_keeps_no_more_decisions_than_it_should(world: World) -> None:
    handle = world.handle("Q")
    for _ in range(2):
        placed = handle.put(
            [Message(b"", MessageDescriptor(feedback=each)) for each in range(2 * MOST_KNOWN)],
        )
        assert [each.feedback for each in placed] == list(range(2 * MOST_KNOWN))
        assert 0 < len(handle.known_puts) <= MOST_KNOWN
