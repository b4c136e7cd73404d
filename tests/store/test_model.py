"""The store against a reference model, in random sequences of calls by several connections."""

from __future__ import annotations

import os
import random
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from store import Environment, GetMessageOptions, Message, MessageDescriptor, MQError, PutMessageOptions, open_store
from store.admin import create, inquire, refresh_expiry
from store.catalog import KINDS
from store.connection import Connection
from store.constants import MQGMO, MQMO, MQOO, MQPMO
from store.handle import ObjectHandle
from tests.store.reference_model import Item, Model

START = 1_700_000_000_000_000
QUEUES = ("A", "B")
CONNECTIONS = 3
NO_MESSAGE = 2033
# Examples times steps: 50 000 by default.
EXAMPLES, STEPS = int(os.environ.get("MQSC_MODEL_EXAMPLES", "500")), 100

queue_names = st.sampled_from(QUEUES)
numbers = st.integers(0, CONNECTIONS - 1)
correl_ids = st.sampled_from((b"", b"one", b"two"))


class Machine(RuleBasedStateMachine):
    """Every rule makes one call and does the same to the model; results and depths must agree."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.url = f"sqlite:///{Path(self.folder.name) / 'model.db'}"
        self.environment = Environment.frozen(at=START)
        self.store = open_store(self.url, environment=self.environment)
        qmgr = self.store.create_queue_manager("QM1")
        for name in QUEUES:
            create(qmgr, KINDS["QLOCAL"], name, {})
        self.model = Model({name: [] for name in QUEUES}, START)
        self.tokens = 0
        self.connect_all()

    def teardown(self) -> None:
        """What is left is the same, message by message, in the same order."""
        for number in range(CONNECTIONS):
            self.connections[number].back()
            self.model.back(number)
        for name in QUEUES:
            while True:
                theirs, ours = self.model.get(name, None), self.taken(0, name, GetMessageOptions())
                self.compare(theirs, ours)
                if theirs is None:
                    break
        for connection in self.connections:
            connection.disconnect()
        self.store.close()
        self.folder.cleanup()

    def connect_all(self) -> None:
        """Connections of one program each, with both queues open."""
        qmgr = self.store.queue_manager("QM1")
        self.connections: list[Connection] = [qmgr.connect(application=f"p{n}") for n in range(CONNECTIONS)]
        self.handles = [self.open_both(connection) for connection in self.connections]

    def open_both(self, connection: Connection) -> dict[str, ObjectHandle]:
        """Handles by queue name."""
        options = MQOO.INPUT_SHARED | MQOO.BROWSE | MQOO.OUTPUT
        return {name: connection.open(name, options) for name in QUEUES}

    def taken(self, number: int, queue: str, options: GetMessageOptions) -> Message | None:
        """A get, with None for 2033."""
        try:
            return self.handles[number][queue].get(options)
        except MQError as error:
            if error.reason != NO_MESSAGE:
                raise
            return None

    def compare(self, theirs: Item | None, ours: Message | None) -> None:
        """The same message, or none."""
        if theirs is None or ours is None:
            assert (theirs is None) == (ours is None)
            return
        assert ours.body == theirs.token
        assert ours.descriptor.backout_count == theirs.backout_count
        assert ours.descriptor.priority == theirs.priority

    @rule(
        number=numbers,
        queue=queue_names,
        priority=st.integers(0, 9),
        persistent=st.booleans(),
        correl_id=correl_ids,
        expiry=st.sampled_from((-1, -1, 1, 20, 100)),
        in_unit=st.booleans(),
        many=st.integers(1, 3),
    )
    def put(
        self,
        number: int,
        queue: str,
        priority: int,
        persistent: bool,
        correl_id: bytes,
        expiry: int,
        in_unit: bool,
        many: int,
    ) -> None:
        """One message, or a list."""
        messages = []
        for _ in range(many):
            self.tokens += 1
            token = str(self.tokens).encode()
            descriptor = MessageDescriptor(
                priority=priority, persistence=int(persistent), correl_id=correl_id, expiry=expiry
            )
            messages.append(Message(token, descriptor))
            unit = number if in_unit else None
            self.model.put(queue, token, priority, persistent, correl_id, expiry, unit)
        options = PutMessageOptions(MQPMO.SYNCPOINT if in_unit else MQPMO.NO_SYNCPOINT)
        if many == 1:
            self.handles[number][queue].put(messages[0], options)
        else:
            self.handles[number][queue].put(messages, options)

    @rule(number=numbers, queue=queue_names, correl_id=correl_ids, in_unit=st.booleans())
    def get(self, number: int, queue: str, correl_id: bytes, in_unit: bool) -> None:
        """A destructive get, by CorrelId or not."""
        options = GetMessageOptions(
            MQGMO.SYNCPOINT if in_unit else MQGMO.NO_SYNCPOINT,
            match_options=MQMO.MATCH_CORREL_ID if correl_id else MQMO.NONE,
            correl_id=correl_id,
        )
        theirs = self.model.get(queue, number if in_unit else None, correl_id)
        self.compare(theirs, self.taken(number, queue, options))

    @rule(number=numbers, queue=queue_names, first=st.booleans())
    def browse(self, number: int, queue: str, first: bool) -> None:
        """From the head, or on from the cursor."""
        options = GetMessageOptions(MQGMO.BROWSE_FIRST if first else MQGMO.BROWSE_NEXT)
        theirs = self.model.browse(number, queue, first=first)
        self.compare(theirs, self.taken(number, queue, options))

    @rule(number=numbers)
    def commit(self, number: int) -> None:
        """MQCMIT."""
        self.connections[number].commit()
        self.model.commit(number)

    @rule(number=numbers)
    def back(self, number: int) -> None:
        """MQBACK."""
        self.connections[number].back()
        self.model.back(number)

    @rule(number=numbers, dies=st.booleans())
    def leave(self, number: int, dies: bool) -> None:
        """MQDISC commits, a program that dies is backed out; another takes its place."""
        leaving = self.connections[number]
        if dies:
            leaving.abend()
            self.model.back(number)
        else:
            leaving.disconnect()
            self.model.commit(number)
        for queue in QUEUES:
            self.model.cursors.pop((number, queue), None)
        self.connections[number] = self.store.queue_manager("QM1").connect(application=f"p{number}")
        self.handles[number] = self.open_both(self.connections[number])

    @rule(tenths=st.integers(1, 30))
    def wait(self, tenths: int) -> None:
        """Time passes."""
        self.environment.clock.advance(tenths / 10)
        self.model.now += tenths * 100_000

    @rule(queue=queue_names)
    def refresh(self, queue: str) -> None:
        """REFRESH QMGR TYPE(EXPIRY)."""
        scan = refresh_expiry(self.store.queue_manager("QM1"), queue)[0]
        assert scan.discarded == self.model.refresh(queue)

    @precondition(lambda self: self.tokens > 5)
    @rule(reopen=st.booleans())
    def restart(self, reopen: bool) -> None:
        """The queue manager is ended at once and started, perhaps with the file closed in between."""
        self.store.queue_manager("QM1").end(immediate=True)
        if reopen:
            self.store.close()
            self.store = open_store(self.url, environment=self.environment)
        self.store.queue_manager("QM1").start()
        self.model.restart(list(range(CONNECTIONS)))
        self.connect_all()

    @invariant()
    def depths_agree(self) -> None:
        """CURDEPTH counts what the model counts."""
        qmgr = self.store.queue_manager("QM1")
        for name in QUEUES:
            row = next(inquire(qmgr, (KINDS["QLOCAL"],), name))
            assert row["CURDEPTH"] == self.model.depth(name)


def test_the_store_does_what_the_model_does() -> None:
    """No difference in at least 50 000 steps; one is printed as the shortest sequence of calls that shows it."""
    chosen = int(os.environ.get("MQSC_MODEL_SEED") or random.SystemRandom().randrange(1 << 32))
    print(f"MQSC_MODEL_SEED={chosen}")
    seed(chosen)(Machine)
    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=STEPS,
            deadline=None,
            print_blob=True,
            suppress_health_check=list(HealthCheck),
        ),
    )
