"""The store compared with a reference model, in random sequences of calls by several
connections.
"""

from __future__ import annotations

import gc
import os
import random
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import seed
from hypothesis.stateful import invariant, precondition

from mqsc.store import Environment, GetMessageOptions, open_store
from mqsc.store.admin.defining import create
from mqsc.store.admin.expiry import refresh_expiry
from mqsc.store.admin.inquiring import inquire
from mqsc.store.catalog import KINDS
from mqsc.store.client.connection import Connection
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQGMO, MQMO, MQOO
from mqsc.store.sql import queues
from mqsc.store.sqlite.database import Reading
from tests.garbage import only_new_garbage
from tests.store.reference_model import ANY, Model, Wanted
from tests.store.state_machine import (
    NO_MESSAGE,
    NO_MESSAGE_UNDER_CURSOR,
    Q_FULL,
    START,
    EngineMachine,
    combined_rule,
    run_machine,
)

# B is a FIFO queue, and soon full.
QUEUES: dict[str, dict[str, int | str | list[str]]] = {
    "A": {},
    "B": {"MSGDLVSQ": "FIFO", "MAXDEPTH": 6},
}
CONNECTIONS = 3
SECOND_MARK, NOT_LOCKED, TRUNCATED, NOT_REMOVED = 2062, 2209, 2079, 2080
# Split into tests, so that the workers of a run share them. Parts times runs times examples times
# steps: 15 000 by default; MQSC_MODEL_EXAMPLES=500 makes 50 000. After ten examples, hypothesis
# mostly repeats parts of earlier ones, and makes fewer steps.
PARTS, EXAMPLES, STEPS = 5, 10, 100
RUNS = int(os.environ.get("MQSC_MODEL_EXAMPLES", "150")) // (PARTS * EXAMPLES)

queue_names = sorted(QUEUES)
numbers = range(CONNECTIONS)
booleans = (False, True)
correl_ids = (b"", b"one", b"two")
# For each option of a get, the persistence of the messages that it gets in the unit of work.
SYNCPOINTS = {
    MQGMO.NO_SYNCPOINT: (),
    MQGMO.SYNCPOINT: (False, True),
    MQGMO.SYNCPOINT_IF_PERSISTENT: (True,),
}


@cache
def new_store() -> bytes:
    """Return the file of a store with the queues."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "new.db"
        with open_store(f"sqlite:///{path}", environment=Environment.frozen(at=START)) as store:
            qmgr = store.create_queue_manager("QM1")
            for name, attributes in QUEUES.items():
                create(qmgr, KINDS["QLOCAL"], name, attributes)
        return path.read_bytes()


class Machine(EngineMachine):
    """Each rule makes one call and its equivalent in the model; results and depths must agree."""

    # The folder of the test, which may be in memory.
    above: Path

    def __init__(self) -> None:
        super().__init__()
        # What is there already need not be searched whenever a Connection is forgotten.
        gc.freeze()
        self.folder = tempfile.TemporaryDirectory(dir=self.above)
        path = Path(self.folder.name) / "model.db"
        path.write_bytes(new_store())
        self.url = f"sqlite:///{path}"
        self.environment = Environment.frozen(at=START)
        self.open_stores()
        self.model = Model({name: [] for name in QUEUES}, START, frozenset("B"), {"B": 6})
        self.connect_all()

    def open_stores(self) -> None:
        """Open the file twice, as two processes would."""
        self.stores = [open_store(self.url, environment=self.environment) for _ in range(2)]

    def close_stores(self) -> None:
        for store in self.stores:
            store.close()

    def qmgr(self, number: int = 0) -> QueueManager:
        """Return the queue manager in the store that connection `number` uses."""
        return self.stores[number % len(self.stores)].queue_manager("QM1")

    def teardown(self) -> None:
        """Check that depths agree, and that the messages left are the same in the same order."""
        for name in QUEUES:
            row = next(inquire(self.qmgr(), (KINDS["QLOCAL"],), name))
            assert row["CURDEPTH"] == self.model.depth(name)
        for number in range(CONNECTIONS):
            self.connections[number].abend()
            self.model.back(number)
            self.model.leave(number)
        self.connect_all()
        for name in QUEUES:
            while True:
                theirs, ours = (
                    self.model.choose(0, name),
                    self.taken(self.handles[0][name], GetMessageOptions()),
                )
                self.compare(theirs, ours)
                if theirs is None:
                    break
                self.model.take(name, theirs, None)
        for connection in self.connections:
            connection.disconnect()
        self.close_stores()
        self.folder.cleanup()

    def connect_all(self) -> None:
        """Connect one program each, with both queues open."""
        self.connections: list[Connection] = [self.connect(number) for number in range(CONNECTIONS)]
        self.handles = [self.open_both(connection) for connection in self.connections]

    def connect(self, number: int) -> Connection:
        return self.qmgr(number).connect(application=f"p{number}")

    def open_both(self, connection: Connection) -> dict[str, ObjectHandle]:
        """Return open handles by queue name."""
        options = MQOO.INPUT_SHARED | MQOO.BROWSE | MQOO.OUTPUT
        return {name: connection.open(name, options) for name in QUEUES}

    @combined_rule(
        number=numbers,
        queue=queue_names,
        priority=range(10),
        persistent=booleans,
        correl_id=correl_ids,
        expiry=(-1, -1, 1, 20, 100),
        in_unit=booleans,
        many=(1, 2, 3),
    )
    def put(self, number: int, queue: str, in_unit: bool, many: int, **fields: Any) -> None:
        """Put one message, or a list of which all or none are put."""
        refusal = 0 if self.model.has_room(queue, many) else Q_FULL
        self.put_both(
            self.handles[number][queue],
            number if in_unit else None,
            many,
            refusal,
            **fields,
        )

    @combined_rule(
        number=numbers,
        queue=queue_names,
        correl_id=correl_ids,
        known=range(41),
        syncpoint=sorted(SYNCPOINTS),
        accepts=(None, None, False, True),
    )
    def get(
        self,
        number: int,
        queue: str,
        correl_id: bytes,
        known: int,
        syncpoint: int,
        accepts: bool | None,
    ) -> None:
        """Get by MsgId, CorrelId or neither. Unless `accepts` is None the buffer is too short."""
        msg_id = str(self.tokens - known).encode() if known < 20 else b""
        wanted = Wanted(msg_id, correl_id)
        theirs = self.model.choose(number, queue, wanted)
        options = GetMessageOptions(
            syncpoint | (MQGMO.ACCEPT_TRUNCATED_MSG if accepts else 0),
            match_options=MQMO.MATCH_MSG_ID | MQMO.MATCH_CORREL_ID,
            msg_id=msg_id,
            correl_id=correl_id,
            buffer_length=None if accepts is None else 0,
        )
        ours = self.taken(self.handles[number][queue], options)
        self.compare(theirs, ours)
        if theirs is None or ours is None:
            return
        assert ours.reason == {None: 0, False: NOT_REMOVED, True: TRUNCATED}[accepts]
        if accepts is not False:
            self.model.take(
                queue,
                theirs,
                number if theirs.persistent in SYNCPOINTS[MQGMO(syncpoint)] else None,
            )

    @combined_rule(number=numbers, queue=queue_names)
    def get_marked(self, number: int, queue: str) -> None:
        """Get with MARK_SKIP_BACKOUT, which a unit of work allows once."""
        second = number in self.model.marked
        theirs = None if second else self.model.choose(number, queue, ANY)
        options = GetMessageOptions(MQGMO.SYNCPOINT | MQGMO.MARK_SKIP_BACKOUT)
        self.compare(
            theirs,
            self.taken(self.handles[number][queue], options, SECOND_MARK if second else NO_MESSAGE),
        )
        if theirs is not None:
            self.model.take(queue, theirs, number)
            self.model.marked[number] = theirs

    @combined_rule(number=numbers, queue=queue_names, first=booleans, lock=booleans)
    def browse(self, number: int, queue: str, first: bool, lock: bool) -> None:
        """Browse the first message, or the next after the cursor."""
        options = (MQGMO.BROWSE_FIRST if first else MQGMO.BROWSE_NEXT) | (MQGMO.LOCK if lock else 0)
        theirs = self.model.browse(number, queue, first=first, lock=lock)
        self.compare(theirs, self.taken(self.handles[number][queue], GetMessageOptions(options)))

    @combined_rule(number=numbers, queue=queue_names, in_unit=booleans)
    def get_under_cursor(self, number: int, queue: str, in_unit: bool) -> None:
        """Get the message browsed last, if it is still available."""
        theirs = self.model.under_cursor(number, queue)
        options = MQGMO.MSG_UNDER_CURSOR | (MQGMO.SYNCPOINT if in_unit else MQGMO.NO_SYNCPOINT)
        self.compare(
            theirs,
            self.taken(
                self.handles[number][queue],
                GetMessageOptions(options),
                NO_MESSAGE_UNDER_CURSOR,
            ),
        )
        if theirs is not None:
            self.model.take(queue, theirs, number if in_unit else None)

    @combined_rule(number=numbers, queue=queue_names)
    def browse_again(self, number: int, queue: str) -> None:
        """Browse the message under the cursor again, which releases a lock."""
        theirs = self.model.under_cursor(number, queue)
        options = GetMessageOptions(MQGMO.BROWSE_MSG_UNDER_CURSOR)
        self.compare(
            theirs,
            self.taken(self.handles[number][queue], options, NO_MESSAGE_UNDER_CURSOR),
        )
        if theirs is not None:
            self.model.unlock(number, queue)

    @combined_rule(number=numbers, queue=queue_names)
    def unlock(self, number: int, queue: str) -> None:
        answer = self.handles[number][queue].get(GetMessageOptions(MQGMO.UNLOCK))
        assert answer.reason == (0 if self.model.unlock(number, queue) else NOT_LOCKED)

    @combined_rule(number=numbers)
    def commit(self, number: int) -> None:
        self.connections[number].commit()
        self.model.commit(number)

    @combined_rule(number=numbers)
    def back(self, number: int) -> None:
        self.connections[number].back()
        self.model.back(number, skipping=True)

    @combined_rule(number=numbers, way=("disconnects", "dies", "is forgotten"))
    def leave(self, number: int, way: str) -> None:
        """Disconnect, which commits, or end without disconnecting, which backs out; then connect
        a new program.
        """
        if way == "disconnects":
            self.connections[number].disconnect()
            self.model.commit(number)
        else:
            if way == "dies":
                self.connections[number].abend()
            self.model.back(number)
        self.model.leave(number)
        del self.connections[number], self.handles[number]
        if way == "is forgotten":
            # The connection and its handles refer to each other.
            gc.collect()
        self.connections.insert(number, self.connect(number))
        self.handles.insert(number, self.open_both(self.connections[number]))

    @combined_rule(tenths=range(1, 31))
    def wait(self, tenths: int) -> None:
        """Advance the clock."""
        self.environment.clock.advance(tenths / 10)
        self.model.now += tenths * 100_000

    @combined_rule(queue=queue_names)
    def refresh(self, queue: str) -> None:
        scan = refresh_expiry(self.qmgr(), queue)[0]
        assert scan.discarded == self.model.refresh(queue)

    @precondition(lambda self: self.tokens > 5)
    @combined_rule(reopen=booleans)
    def restart(self, reopen: bool) -> None:
        """End the queue manager immediately and start it, optionally reopening the file in
        between.
        """
        self.qmgr().end(immediate=True)
        if reopen:
            self.close_stores()
            self.open_stores()
        self.qmgr().start()
        self.model.restart(list(range(CONNECTIONS)))
        self.connect_all()

    @invariant()
    def depths_agree(self) -> None:
        """Compare the depths."""
        with Reading(self.stores[0].database) as reading:
            rows = [queues.by_name(reading, "QM1", name) for name in QUEUES]
        assert [row and row.depth for row in rows] == [self.model.depth(name) for name in QUEUES]


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
def test_the_store_does_what_the_model_does(
    part: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Thousands of steps show no difference; a failure is printed as a shortest sequence of
    calls.
    """
    chosen = int(os.environ.get("MQSC_MODEL_SEED") or random.SystemRandom().randrange(1 << 32))
    print(f"MQSC_MODEL_SEED={chosen}")
    monkeypatch.setattr(Machine, "above", tmp_path, raising=False)
    with only_new_garbage():
        for number in range(RUNS):
            seed(chosen + part * RUNS + number)(Machine)
            run_machine(Machine, EXAMPLES, STEPS)
