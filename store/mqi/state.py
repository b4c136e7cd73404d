"""The state of connections, handles and units of work, and whether it is still valid."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, NoReturn

from msgspec import Struct, field

from mqsc.store.constants import MQOO, MQRC
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.engine.known_publications import KnownPublications
from mqsc.store.engine.known_topic import KnownTopic
from mqsc.store.engine.message_outcomes import MessageOutcome
from mqsc.store.engine.name_resolution import Destination
from mqsc.store.engine.state import CallContext, QueueManagerState, StoreState, identifiers, time_of
from mqsc.store.error import MQError
from mqsc.store.mqi.known_puts import KnownPuts
from mqsc.store.mqi.message_handle import MessageHandleState
from mqsc.store.mqi.selection_strings import HandleSelector
from mqsc.store.rules.grouping import GroupPosition
from mqsc.store.sql import connections, managers, queues
from mqsc.store.sql.managers import ENDED, QUIESCING
from mqsc.store.sql.rows import UNIT_BITS, ManagerRow, QueueRow
from mqsc.store.sqlite.database import Reading, Transaction
from mqsc.store.sqlite.queries import Queries


class UnitOfWork:
    """The open unit of work of a connection; the messages it put and got are rows of the store."""

    __slots__ = (
        "commands count durable marked misses_put number on_shared outcomes positions_before "
        "recorded retains serial"
    ).split()

    def __init__(self, connection: int) -> None:
        self.serial = connection << UNIT_BITS
        self.number = 0
        self.reset()

    def reset(self) -> None:
        """Forget the unit of work: none is open."""
        self.number = 0
        # Messages put and got, and the trigger and report messages they caused: MAXUMSGS limits
        # this.
        self.count = 0
        # The message got with MQGMO_MARK_SKIP_BACKOUT, or 0.
        self.marked = 0
        self.recorded = False
        self.durable = False
        # It may have put messages on shared queues: the commit looks whether they trigger.
        self.on_shared = False
        # It has retained publications: the commit removes what they replace.
        self.retains = False
        # It has put a command on the queue of the command server.
        self.commands = False
        # An asynchronous put in it failed: it can only be backed out.
        self.misses_put = False
        # What the commit records about messages that it removes, by the number of the message.
        self.outcomes: tuple[tuple[int, MessageOutcome], ...] = ()
        # Positions of handles in message groups when the unit began, by handle and kind of call;
        # restored at backout.
        self.positions_before: dict[tuple[int, str], GroupPosition] = {}

    def begin(self) -> int:
        """The number of the open unit of work; opens one when there is none."""
        if self.number == 0:
            self.serial += 1
            self.number = self.serial
        return self.number

    @property
    def is_open(self) -> bool:
        """Whether a syncpoint call has been made since the last commit or backout."""
        return self.number != 0

    @property
    def snapshot(self) -> tuple[int, int, int, bool, bool]:
        """The state that a failed call must not change; pass it to `restore`."""
        return self.number, self.count, self.marked, self.durable, self.recorded

    def restore(self, before: tuple[int, int, int, bool, bool]) -> None:
        """Undo a failed call: it put and got nothing, and opened no unit of work."""
        self.number, self.count, self.marked, self.durable, self.recorded = before


class ConnectionState:
    """A connection to a queue manager."""

    def __init__(
        self,
        qmgr: QueueManagerState,
        number: int,
        run: int,
        application: str,
        user: str,
        agent: str = "",
    ) -> None:
        self.qmgr = qmgr
        self.store: StoreState = qmgr.store
        self.number = number
        # The run of the queue manager that the connection belongs to: another run means 2009.
        self.run = run
        self.application = application
        self.user = user
        # The cause recorded for expired messages that calls of this connection discard; blank: the
        # call itself.
        self.agent = agent
        # The user whose authorities the calls need; None for the owner of the store, who is never
        # asked.
        self.authority_user: str | None = None
        # Where a connection of a client or channel comes from, for the history and the events about
        # refusals.
        self.authority_facts: dict[str, Any] = {}
        self.unit = UnitOfWork(number)
        # New identifiers for messages that the connection puts.
        self.identifiers = identifiers(qmgr.name, self.store.environment.salt, number)
        # The queue manager's row as last read; its version tells whether it is still current.
        self.manager: ManagerRow | None = None
        self.handles: dict[int, HandleState] = {}
        # Message handles, which end with the connection.
        self.message_handles: set[MessageHandleState] = set()
        # A command was put, or committed, and is to be performed when the call has ended.
        self.has_commands = False
        # The same for a unit of work that is in doubt.
        self.has_prepared_commands = False
        # The command server: MAXUMSGS does not limit its responses.
        self.is_command_server = False
        self.asynchronous = Recorded()
        # The number of the PUT event of the message put last, if that was a dead letter on a queue
        # that records puts.
        self.dead_letter_event = 0
        # How many expired messages its gets and browses have discarded.
        self.expired_discarded = 0
        # What is known of topic strings that were published to, and when their use was noted.
        self.known_topics: dict[str, KnownTopic] = {}
        self.noted_topics: dict[str, int] = {}
        # Ends the wait of the get that is under way, from any thread; None when no get waits.
        self.cancel_wait: Callable[[], None] | None = None

    def __repr__(self) -> str:
        return (
            f"<{type(self).__name__} {self.number} to {self.qmgr.name}, application "
            f"{self.application!r}>"
        )

    def is_in_store(self) -> bool:
        """Whether the store still knows the connection: it does not when the queue manager broke
        it.
        """
        with Reading(self.store.database) as reading:
            return connections.by_id(reading, self.number) is not None


class Cursor(NamedTuple):
    """A browse cursor: the message last browsed, and its place in the queue."""

    message: int
    rank: int
    sequence: int


class Opened(NamedTuple):
    """What MQOPEN opened: the handle's row number, the name and options given, and the objects the
    name resolved to.

    `destination` is None for a process, namelist or queue manager.
    """

    number: int
    name: str
    options: int
    destination: Destination | None
    namespace: str = "queue"
    alternate_user: str = ""
    selector: HandleSelector | None = None
    # Whether opening the handle created the queue.
    created: bool = False
    # The full string of a topic, and the alias queue that it was opened by.
    topic: str = ""
    alias: str = ""


class HandleState:
    """An open queue, topic, subscription, process, namelist or queue manager."""

    def __init__(self, connection: ConnectionState, opened: Opened) -> None:
        self.connection = connection
        self.number, self.name, self.options, destination, self.namespace, self.alternate_user = (
            opened[:6]
        )
        self.selector, self.created, self.topic, self.alias = opened[6:]
        self.destination = destination
        self.cursor: Cursor | None = None
        self.holds_lock = False
        # Sequence numbers of the messages marked by MQGMO_MARK_BROWSE_HANDLE.
        self.marked: set[int] = set()
        # The descriptor of the last destructive get, for MQPMO_PASS_*_CONTEXT; None when there is
        # none.
        self.saved_context: MessageDescriptor | None = None
        # The number of the message of that get.
        self.saved_message = 0
        # Positions in message groups by kind of call, and whether the last get was in logical
        # order.
        self.positions: dict[str, GroupPosition] = {}
        self.in_logical_order: bool | None = None
        self.is_open = True
        # What earlier puts to `destination` have decided.
        self.known_puts = KnownPuts()
        # The same of publications to a topic.
        self.known_publications = KnownPublications()
        # PROPCTL of the object opened, with its number and version when that was read.
        self.property_control: tuple[int, int, str] | None = None
        # Whether DEFPRESP of the object opened says ASYNC; None as long as that has not been read.
        self.is_asynchronous: bool | None = None
        # A guess whether the next message is persistent, so that its get can begin as a synced
        # transaction.
        self.expects_persistent = destination is not None and bool(
            destination.opened.default_persistence,
        )

    def __repr__(self) -> str:
        state = f"open with {MQOO(self.options)!r}" if self.is_open else "closed"
        return f"<{type(self).__name__} {self.namespace} {self.name}, {state}>"


# A call first reads whether its connection still exists, and the objects that its handle was opened
# through.
#
# A handle keeps the rows it was opened through. The columns that every call changes are read each
# time, the others only when `version` shows that an attribute changed. The transaction holds the
# write lock, so nothing is stale.


def call_context(
    tx: Transaction | Reading,
    connection: ConnectionState,
    *,
    fail_if_quiescing: int = 0,
) -> CallContext:
    """The context of a call of this connection; the errors are those of `_as_seen`."""
    seen: managers.HotColumns | None = managers.read_hot_columns(tx, connection.qmgr.name)
    if seen is None:
        raise MQError(MQRC.CONNECTION_BROKEN, connection.qmgr.name)
    return _as_seen(tx, connection, *seen, fail_if_quiescing)


def context_beside_queue(
    tx: Transaction,
    connection: ConnectionState,
    queue: QueueRow,
    *,
    fail_if_quiescing: int = 0,
) -> tuple[CallContext, bool]:
    """The context of a call, and whether no attribute of a queue has changed: the columns of the
    queue that every call changes are read with it. The errors are those of `_as_seen`.
    """
    seen = queues.read_hot_columns(tx, queue.id, connection.qmgr.name)
    if seen is None:
        return call_context(tx, connection, fail_if_quiescing=fail_if_quiescing), False
    version, queue.depth, queue.next_sequence, queue.earliest_expiry = seen[:4]
    call = _as_seen(tx, connection, *seen[4:], fail_if_quiescing)
    return call, version == queue.version


@contextmanager
def transaction(
    connection: ConnectionState,
    *,
    durable: bool = False,
) -> Iterator[tuple[Transaction, CallContext]]:
    """A transaction of a call, and its context; errors as `call_context`."""
    with Transaction(connection.store.database, durable=durable) as tx:
        yield tx, call_context(tx, connection)


@contextmanager
def read(connection: ConnectionState) -> Iterator[tuple[Reading, CallContext]]:
    """A read for a call, and its context; errors as `call_context`."""
    with Reading(connection.store.database) as reading:
        yield reading, call_context(reading, connection)


def _as_seen(
    tx: Queries,
    connection: ConnectionState,
    version: int,
    run: int,
    state: str,
    clock_at: int | None,
    fail_if_quiescing: int,
) -> CallContext:
    """The connection as the cause of a call that has read these columns of its queue manager.

    MQError 2009 when the queue manager ended under the connection, or the connection was broken;
    2161 when the queue manager is quiescing and the call asked to fail then.
    """
    name = connection.qmgr.name
    if run != connection.run or state == ENDED:
        raise MQError(MQRC.CONNECTION_BROKEN, name)
    manager = connection.manager
    if manager is None or manager.version != version:
        manager = managers.by_name(tx, name)
        # Breaking a connection raises the version of the queue manager's row, so calls need not
        # look otherwise.
        if manager is None or connections.by_id(tx, connection.number) is None:
            raise MQError(MQRC.CONNECTION_BROKEN, name)
        connection.manager = manager
    manager.state, manager.clock_at = state, clock_at
    environment = connection.store.environment
    now = time_of(manager, environment)
    user = connection.authority_user
    asking = None if user is None else (connection.store, user)
    who = connection.number, connection.application, connection.user
    call = CallContext(manager, now, environment, *who, None, "", asking)
    if fail_if_quiescing:
        refuse_while_quiescing(call, fail_if_quiescing)
    return call


def refuse_while_quiescing(call: CallContext, fail_if_quiescing: int) -> None:
    """MQError 2161 when the queue manager is quiescing and the call asked to fail then."""
    if fail_if_quiescing and call.qmgr.state == QUIESCING:
        raise MQError(MQRC.Q_MGR_QUIESCING, call.qmgr.name)


def revalidate(
    tx: Transaction,
    handle: HandleState,
    fail_if_quiescing: int,
) -> tuple[CallContext, Destination]:
    """The call context, and the objects that `handle` was opened through as they are now.

    MQError 2009 when the queue manager ended meanwhile, 2161 when it is quiescing and the call
    asked to fail then, 2052 when an object was deleted, 2041 when it was changed with FORCE.
    """
    connection, destination = handle.connection, handle.destination
    assert destination is not None
    call = None
    changed = False
    for queue in destination.rows:
        seen = queues.read_hot_columns(tx, queue.id, connection.qmgr.name)
        if seen is None:
            _gone(tx, handle)
        (
            version,
            queue.depth,
            queue.next_sequence,
            queue.earliest_expiry,
            qmgr_version,
            run,
            state,
            clock_at,
        ) = seen
        call = call or _as_seen(
            tx,
            connection,
            qmgr_version,
            run,
            state,
            clock_at,
            fail_if_quiescing,
        )
        changed = changed or version != queue.version
    assert call is not None
    if changed:
        destination = _reread(tx, handle, destination)
    return call, destination


def _reread(tx: Transaction, handle: HandleState, was: Destination) -> Destination:
    rows: list[QueueRow] = []
    for old in was.rows:
        row = queues.by_id(tx, old.id, handle.connection.qmgr.name)
        if row is None or row.logically_deleted:
            raise MQError(MQRC.Q_DELETED, handle.name)
        if row.generation != old.generation:
            raise MQError(MQRC.OBJECT_CHANGED, handle.name)
        rows.append(row)
    becomes = Destination(tuple(rows[:-1]), rows[-1], was.remote_queue, was.remote_queue_manager)
    handle.destination = becomes
    handle.known_puts.clear()
    handle.is_asynchronous = None
    return becomes


def _gone(tx: Transaction, handle: HandleState) -> NoReturn:
    """The queue no longer exists: deleted with its queue manager, with the connection (temporary
    dynamic), or alone.
    """
    call_context(tx, handle.connection)
    raise MQError(MQRC.Q_DELETED, handle.name)


class PutStatus(Struct, frozen=True):
    """What MQSTAT returns: the first failure, or else the first warning, and counts of
    asynchronous puts.
    """

    completion: int = 0
    reason: int = 0
    put_success_count: int = 0
    put_warning_count: int = 0
    put_failure_count: int = 0
    object_type: int = 0
    object_name: str = ""
    object_q_mgr_name: str = ""
    resolved_object_name: str = ""
    resolved_q_mgr_name: str = ""


class Recorded(Struct):
    """The asynchronous puts of a connection since MQSTAT was last called."""

    succeeded: int = 0
    warned: int = 0
    failed: int = 0
    first: PutStatus = field(default_factory=PutStatus)

    def note(self, problem: PutStatus) -> None:
        """Keep the first problem of the more serious kind."""
        if problem.completion > self.first.completion:
            self.first = problem
