"""Three members of a queue-sharing group against a model, in random sequences of calls by their
programs.
"""

from __future__ import annotations

import gc
import os
import random
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import seed, strategies as st
from hypothesis.stateful import invariant, precondition, rule

import mqsc
from mqsc.store import Environment, GetMessageOptions, open_store
from mqsc.store.admin.expiry import refresh_expiry
from mqsc.store.admin.statistics import queue_status
from mqsc.store.client.connection import Connection
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQGMO, MQMO, MQOO
from mqsc.store.sql import queues
from mqsc.store.sqlite.database import Reading
from tests.garbage import only_new_garbage
from tests.store.reference_model import Item, Wanted
from tests.store.sharing_model import (
    BROWSING,
    INPUT,
    MEMBERS,
    NOT_FOR_BROWSE,
    NOT_FOR_INPUT,
    NOT_FOR_OUTPUT,
    PUTTING,
    GroupModel,
    member_of,
)
from tests.store.state_machine import (
    NO_MESSAGE,
    NO_MESSAGE_UNDER_CURSOR,
    Q_FULL,
    START,
    EngineMachine,
    refusal_of,
    run_machine,
)

# B selects by CorrelId, and is soon full.
QUEUES = {"A": "", "B": "INDXTYPE(CORRELID) MAXDEPTH(6)"}
CONNECTIONS = 6
NOT_RUNNING, CONNECTION_BROKEN = 2059, 2009
OPTIONS = {
    "shared": MQOO.INPUT_SHARED | MQOO.OUTPUT | MQOO.BROWSE,
    "exclusive": MQOO.INPUT_EXCLUSIVE | MQOO.OUTPUT | MQOO.BROWSE,
    "output": MQOO.OUTPUT,
    "browse": MQOO.BROWSE,
}
FIRST_MODES = {"A": "shared", "B": "output"}
# Examples times steps: 400 by default, 20 000 with MQSC_MODEL_EXAMPLES=200.
STEPS = 100
EXAMPLES = int(os.environ.get("MQSC_MODEL_EXAMPLES", "4"))

queue_names = st.sampled_from(sorted(QUEUES))
numbers = st.integers(0, CONNECTIONS - 1)
members = st.integers(0, MEMBERS - 1)
correl_ids = st.sampled_from((b"", b"", b"one"))


class Group(EngineMachine):
    """Every rule makes one call at a member and does the same to the model; results and depths
    must agree.
    """

    model: GroupModel

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.environment = Environment.frozen(at=START)
        url = f"sqlite:///{Path(self.folder.name) / 'model.db'}"
        # The file is open once for each member, as by three processes.
        self.stores = [open_store(url, environment=self.environment) for _ in range(MEMBERS)]
        for member in range(MEMBERS):
            self.stores[0].create_queue_manager(f"QM{member}", group="QSG1")
        shared = "QSGDISP(SHARED) CFSTRUCT(APPL1)"
        commands = [
            f"DEFINE QLOCAL({name}) {shared} {attributes}" for name, attributes in QUEUES.items()
        ]
        mqsc.run(
            self.qmgr(0),
            "\n".join(["DEFINE CFSTRUCT(APPL1) CFLEVEL(5) RECOVER(YES)", *commands]),
            check=True,
        )
        empty: dict[str, list[Item]] = {name: [] for name in QUEUES}
        self.model = GroupModel(
            empty,
            START,
            most={"B": 6},
            by_correl_id=frozenset("B"),
            running=set(range(MEMBERS)),
        )
        self.connections: dict[int, Connection] = {}
        self.handles: dict[tuple[int, str], ObjectHandle] = {}
        for number in range(CONNECTIONS):
            self.connect(number)

    def qmgr(self, member: int) -> QueueManager:
        return self.stores[member].queue_manager(f"QM{member}")

    def connect(self, number: int, modes: Mapping[str, str] = FIRST_MODES) -> None:
        """A program of that number; the queues are open in these modes if that is possible."""
        self.connections[number] = self.qmgr(member_of(number)).connect(application=f"p{number}")
        for queue, mode in modes.items():
            self.open(number, queue, mode)

    def open(self, number: int, queue: str, mode: str) -> None:
        """MQOPEN, whether or not other handles of the group permit it."""
        refusal = self.model.open(number, queue, mode)

        def call() -> None:
            self.handles[number, queue] = self.connections[number].open(queue, OPTIONS[mode])

        assert refusal_of(call) == refusal

    def programs(self, member: int) -> list[int]:
        """The connections of a member."""
        return [number for number in self.connections if member_of(number) == member]

    def forget(self, number: int) -> None:
        """Drop the objects of a connection that is gone."""
        del self.connections[number]
        for queue in QUEUES:
            self.handles.pop((number, queue), None)

    def program(self, number: int) -> int:
        """One of the programs that are connected, for any number."""
        return sorted(self.connections)[number % len(self.connections)]

    def handle(self, number: int) -> tuple[int, str]:
        """One of the open handles, for any number; first the programs that can get."""
        order = sorted(self.handles, key=lambda each: (self.model.handles[each] not in INPUT, each))
        return order[number % len(order)]

    @precondition(lambda self: self.connections)
    @rule(number=numbers, queue=queue_names, mode=st.sampled_from(sorted(OPTIONS)))
    def open_again(self, number: int, queue: str, mode: str) -> None:
        """MQCLOSE of the handle, if there is one, and MQOPEN."""
        number = self.program(number)
        handle = self.handles.pop((number, queue), None)
        if handle is not None:
            handle.close()
            self.model.close(number, queue)
        self.open(number, queue, mode)

    @precondition(lambda self: self.handles)
    @rule(number=numbers)
    def close(self, number: int) -> None:
        """MQCLOSE."""
        connection, queue = self.handle(number)
        self.handles.pop((connection, queue)).close()
        self.model.close(connection, queue)

    @precondition(lambda self: self.handles)
    @rule(
        any_handle=numbers,
        priority=st.integers(0, 2),
        persistent=st.booleans(),
        correl_id=correl_ids,
        expiry=st.sampled_from((-1, -1, 5, 30)),
        in_unit=st.booleans(),
        many=st.integers(1, 3),
    )
    def put(self, any_handle: int, in_unit: bool, many: int, **fields: Any) -> None:
        """A list of messages: all or nothing."""
        number, queue = self.handle(any_handle)
        refusal = 0 if self.model.handles[number, queue] in PUTTING else NOT_FOR_OUTPUT
        refusal = refusal or (0 if self.model.has_room(queue, many) else Q_FULL)
        self.put_both(
            self.handles[number, queue],
            number if in_unit else None,
            many,
            refusal,
            **fields,
        )

    @precondition(lambda self: self.handles)
    @rule(any_handle=numbers, correl_id=correl_ids, known=st.integers(0, 60), in_unit=st.booleans())
    def get(self, any_handle: int, correl_id: bytes, known: int, in_unit: bool) -> None:
        """A destructive get, by MsgId, by CorrelId or neither."""
        number, queue = self.handle(any_handle)
        mode = self.model.handles[number, queue]
        wanted = Wanted(str(self.tokens - known).encode() if known < 8 else b"", correl_id)
        refusal = (0 if mode in INPUT else NOT_FOR_INPUT) or self.model.selection_fault(
            queue,
            wanted,
        )
        theirs = None if refusal else self.model.choose(number, queue, wanted)
        options = GetMessageOptions(
            MQGMO.SYNCPOINT if in_unit else MQGMO.NO_SYNCPOINT,
            match_options=MQMO.MATCH_MSG_ID | MQMO.MATCH_CORREL_ID,
            msg_id=wanted.msg_id,
            correl_id=correl_id,
        )
        self.compare(
            theirs,
            self.taken(self.handles[number, queue], options, refusal or NO_MESSAGE),
        )
        if theirs is not None:
            self.model.take(queue, theirs, number if in_unit else None)

    @precondition(lambda self: self.handles)
    @rule(any_handle=numbers, first=st.booleans(), lock=st.booleans())
    def browse(self, any_handle: int, first: bool, lock: bool) -> None:
        """From the head, or on from the cursor; a lock holds on every member."""
        number, queue = self.handle(any_handle)
        mode = self.model.handles[number, queue]
        options = (MQGMO.BROWSE_FIRST if first else MQGMO.BROWSE_NEXT) | (MQGMO.LOCK if lock else 0)
        refusal = 0 if mode in BROWSING else NOT_FOR_BROWSE
        theirs = None if refusal else self.model.browse(number, queue, first=first, lock=lock)
        self.compare(
            theirs,
            self.taken(
                self.handles[number, queue],
                GetMessageOptions(options),
                refusal or NO_MESSAGE,
            ),
        )

    @precondition(lambda self: self.handles)
    @rule(any_handle=numbers, in_unit=st.booleans())
    def get_under_cursor(self, any_handle: int, in_unit: bool) -> None:
        """The message browsed last, if no other member got it."""
        number, queue = self.handle(any_handle)
        if self.model.handles[number, queue] not in INPUT:
            return
        theirs = self.model.under_cursor(number, queue)
        options = MQGMO.MSG_UNDER_CURSOR | (MQGMO.SYNCPOINT if in_unit else MQGMO.NO_SYNCPOINT)
        self.compare(
            theirs,
            self.taken(
                self.handles[number, queue],
                GetMessageOptions(options),
                NO_MESSAGE_UNDER_CURSOR,
            ),
        )
        if theirs is not None:
            self.model.take(queue, theirs, number if in_unit else None)

    @precondition(lambda self: self.connections)
    @rule(number=numbers, commits=st.booleans())
    def end_unit(self, number: int, commits: bool) -> None:
        """MQCMIT or MQBACK."""
        number = self.program(number)
        if commits:
            self.connections[number].commit()
            self.model.commit(number)
        else:
            self.connections[number].back()
            self.model.back(number)

    @precondition(lambda self: self.connections)
    @rule(number=numbers, way=st.sampled_from(("disconnects", "is killed", "is forgotten")))
    def leave(self, number: int, way: str) -> None:
        """MQDISC commits; a program that is killed, or has lost its Connection, is backed out.
        Another follows it.
        """
        number = self.program(number)
        if way == "disconnects":
            self.connections[number].disconnect()
            self.model.commit(number)
        else:
            if way == "is killed":
                self.connections[number].abend()
            self.model.back(number)
        self.model.disconnect(number)
        self.forget(number)
        if way == "is forgotten":
            # It and its handles hold each other.
            gc.collect()
        self.connect(number)

    @rule(member=members, by=members, ends=st.sampled_from((False, False, True)))
    def end_or_start(self, member: int, by: int, ends: bool) -> None:
        """A member is started, or if it runs ended at once; another one's program may do it."""
        if member in self.model.running and not ends:
            return
        qmgr = self.stores[by].queue_manager(f"QM{member}")
        if member not in self.model.running:
            qmgr.start()
            self.model.start(member)
            for number in range(CONNECTIONS):
                if member_of(number) == member:
                    self.connect(number)
            return
        qmgr.end(immediate=True)
        programs = self.programs(member)
        self.model.end(member, programs)
        for number in programs:
            assert refusal_of(self.connections[number].commit) == CONNECTION_BROKEN
            self.forget(number)

    @rule(member=members)
    def refresh(self, member: int) -> None:
        """REFRESH QMGR TYPE(EXPIRY) at any member."""
        if member not in self.model.running:
            assert refusal_of(lambda: refresh_expiry(self.qmgr(member))) == NOT_RUNNING
            return
        for queue in QUEUES:
            [scan] = refresh_expiry(self.qmgr(member), queue)
            assert scan.discarded == self.model.refresh(queue)

    @rule(tenths=st.integers(1, 10))
    def wait(self, tenths: int) -> None:
        """Time passes."""
        self.environment.clock.advance(tenths / 10)
        self.model.now += tenths * 100_000

    @rule(member=members, queue=queue_names)
    def display(self, member: int, queue: str) -> None:
        """QSTATUS counts the handles of the member that answers, and those of the group."""
        if member not in self.model.running:
            return
        [row] = queue_status(self.qmgr(member), queue)
        modes = [
            (number, mode)
            for (number, name), mode in self.model.handles.items()
            if name == queue and mode in INPUT
        ]
        own = [mode for number, mode in modes if member_of(number) == member]
        assert (row["IPPROCS"], row["IPGROUP"]) == (len(own), len(modes))
        assert row["CURDEPTH"] == self.model.depth(queue)

    @invariant()
    def depths_agree(self) -> None:
        with Reading(self.stores[0].database) as reading:
            rows = [queues.by_name(reading, "QSG1", name) for name in QUEUES]
        assert [row and row.depth for row in rows] == [self.model.depth(name) for name in QUEUES]

    def teardown(self) -> None:
        """What is left is the same, message by message, in the same order, wherever it is got."""
        for number in list(self.connections):
            self.connections[number].abend()
            self.model.back(number)
            self.model.disconnect(number)
            self.forget(number)
        if not self.model.running:
            self.qmgr(1).start()
            self.model.start(1)
        last = max(self.model.running)
        self.connect(last, dict.fromkeys(QUEUES, "shared"))
        for name in QUEUES:
            theirs: Item | None = self.model.choose(last, name)
            while theirs is not None:
                self.compare(theirs, self.taken(self.handles[last, name], GetMessageOptions()))
                self.model.take(name, theirs, None)
                theirs = self.model.choose(last, name)
            assert self.taken(self.handles[last, name], GetMessageOptions()) is None
        self.connections[last].disconnect()
        for store in self.stores:
            store.close()
        self.folder.cleanup()


@pytest.mark.long
def test_the_members_of_a_group_do_what_the_model_does() -> None:
    """No difference; one is printed as the shortest sequence of calls that shows it."""
    chosen = int(os.environ.get("MQSC_MODEL_SEED") or random.SystemRandom().randrange(1 << 32))
    print(f"MQSC_MODEL_SEED={chosen}")
    seed(chosen)(Group)
    with only_new_garbage():
        run_machine(Group, EXAMPLES, STEPS)
