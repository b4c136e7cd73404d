"""The classes that a program uses: Store, QueueManager, Connection, ObjectHandle.

These classes check arguments, admit one call at a time, and pass the call on to `store.mqi` or
`store.admin`. They share a file because each refers to the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Self, overload

from mqsc.store.admin import queue_managers, sharing_groups, user_accounts
from mqsc.store.admin.channel import sync_records
from mqsc.store.admin.queue_managers import create_queue_manager
from mqsc.store.client import call_guard
from mqsc.store.client.call_guard import GuardedConnection
from mqsc.store.client.callback_registration import CallbackRequest, Function
from mqsc.store.client.callbacks import Callbacks
from mqsc.store.client.command_server import answer_commands
from mqsc.store.client.consumer import OPEN_OPTIONS, UNLIMITED, Consumer
from mqsc.store.client.message_handle import MessageHandle
from mqsc.store.client.store_url import path_of
from mqsc.store.constants import MQCBT, MQCC, MQPMO, MQRC, MQSTAT
from mqsc.store.descriptor import (
    MessageDescriptor,
    bits,
    checked_list,
    must_be,
    must_be_writable,
    name as name_of,
)
from mqsc.store.engine import refusals
from mqsc.store.engine.channel_event import ChannelEvent
from mqsc.store.engine.dequeue import MessageOutcome
from mqsc.store.engine.recovery import recover
from mqsc.store.engine.state import QueueManagerState, StoreState
from mqsc.store.environment import Clock, Environment
from mqsc.store.error import DiskFullError, MQError, at_exit, refuse_if
from mqsc.store.headers.mqmd import text_fault
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.mqi import asynchronous, syncpoint
from mqsc.store.mqi.connect import Origin, connect
from mqsc.store.mqi.get import get, get_many
from mqsc.store.mqi.inquire import InquiredValues, inquire, set_attributes
from mqsc.store.mqi.open import OpenRequest, close, open_object
from mqsc.store.mqi.put import put, put1
from mqsc.store.mqi.state import HandleState, PutStatus
from mqsc.store.published import Bound
from mqsc.store.rules.putting import ASYNC_RESPONSE
from mqsc.store.sql import connections, managers, schema_version
from mqsc.store.sql.managers import RUNNING
from mqsc.store.sql.messages import AT_ONCE
from mqsc.store.sql.rows import ManagerRow
from mqsc.store.sql.units_of_work import UnitInDoubt
from mqsc.store.sqlite.database import Reading, Transaction
from mqsc.store.sqlite.interruptions import Uninterrupted

_PUT_DEFAULTS = PutMessageOptions()
_GET_DEFAULTS = GetMessageOptions()


def _of_unit(name: str, luwid: str) -> tuple[str, str]:
    """The two names of a unit in doubt; ValueError for a blank one, or one that cannot be
    stored.
    """
    names = name_of(name, "the name of the unit of work"), name_of(luwid, "luwid")
    for given, what in zip(names, ("the name of the unit of work", "luwid"), strict=True):
        must_be_writable(given, what)
        if not given:
            raise ValueError(f"{what} is blank")
    return names


class Store(StoreState):
    """One SQLite file, opened by this process.

    >>> with mqsc.open_store("shop.db") as store:
    ...     [row.name for row in store.queue_managers()]
    ['QM1']
    """

    def __init__(
        self,
        path: str | None,
        environment: Environment[Any],
        *,
        create: bool = True,
    ) -> None:
        with Uninterrupted():
            super().__init__(path, environment, create=create)
            self.database.with_reserve(lambda: schema_version.create_or_upgrade(self.database))
            call_guard.open_stores.add(self)

    def create_queue_manager(
        self,
        name: str,
        *,
        manual_clock_at: int | None = None,
        default: bool = False,
        group: str = "",
    ) -> QueueManager:
        """Create a queue manager with its SYSTEM objects and start it; the first of a store becomes
        the default.

        With `group` it is a member of that queue-sharing group. SharingGroupError when the rules of
        groups forbid it.

        >>> mqsc.open_store("sqlite://").create_queue_manager("QM1").is_running
        True
        """
        at = None if manual_clock_at is None else bits(manual_clock_at, "manual_clock_at")
        create_queue_manager(self, name, manual_clock_at=at, default=default, group=group)
        created = QueueManager(self, name)
        created.start()
        return created

    def queue_manager(self, name: str = "") -> QueueManager:
        """The queue manager of that name, or the default one for a blank name; MQError 2058 when
        there is none.

        The name of a queue-sharing group leads to the running member with the fewest connections;
        MQError 2059 when none runs, 2161 when all that run are quiescing.

        >>> store.queue_manager().name
        'QM1'
        """
        with Reading(self.database) as reading:
            row = managers.by_name(reading, name) if name else managers.default(reading)
        return QueueManager(
            self,
            sharing_groups.member_for(self, name) if row is None else row.name,
        )

    join_group = sharing_groups.join_group
    leave_group = sharing_groups.leave_group

    def add_user(
        self,
        name: str,
        password: str,
        *,
        administrator: bool = False,
        groups: Sequence[str] = (),
    ) -> None:
        """Add a user whose password CONNAUTH checks, as a member of groups.

        UserAccountError if the name is taken, or something is invalid.

        >>> store.add_user("alice", "a long password", groups=["billing"])
        """
        user_accounts.add_user(
            self,
            name,
            password,
            administrator=administrator,
            groups=checked_list(str, groups, "groups are names"),
        )

    change_password = user_accounts.change_password
    remove_user = user_accounts.remove_user
    users = user_accounts.users

    def queue_managers(self) -> list[ManagerRow]:
        """Every queue manager of the store, by name. One that was quiescing only for dead programs
        has ended.

        >>> store.queue_managers()[0].name
        'QM1'
        """
        self.recover()
        return self.read(managers.all)

    def bound(self) -> Bound:
        """The limits of a report that starts now: last event, last message, the time of every queue
        manager.

        >>> store.bound().seq > 0
        True
        """
        from mqsc.store.admin import archiving

        return self.read(archiving.bound_of, self)

    def freeze(self, file: str | PathLike[str], *, with_kept: bool = False) -> Bound:
        """The bound of a report that starts now, after dead programs were recovered.

        Data that later calls change, such as the messages on queues, is copied into the new file
        `file`, from the same state of the store; `with_kept` also the beginning of the data that
        `mqsc history keep` kept of messages that are gone. StoreError if the file cannot be
        written.

        >>> store.freeze("frozen.db").frozen
        '...frozen.db'
        """
        from mqsc.store.admin import archiving

        return archiving.freeze(self, Path(file), with_kept=with_kept)

    def recover(self) -> bool:
        """Back out the units of work of dead processes, and close their handles; whether there were
        any.

        >>> store.recover()
        False
        """
        return self.database.with_reserve(lambda: recover(self))

    def close(self) -> None:
        """Close the file. Connections that are still open are abandoned: the next program backs
        them out.

        >>> mqsc.open_store("sqlite://").close()
        """
        with Uninterrupted():
            try:
                if self.refusals:
                    self.database.with_reserve(self._write_refusals)
                if self._alive is not None:
                    self.database.with_reserve(self._drop_process)
            finally:
                self.database.close()
                if self._alive is not None:
                    self._alive.release()
                    self._alive = None
                    self.process = 0

    def _write_refusals(self) -> None:
        with Transaction(self.database, durable=False) as tx:
            refusals.flush(tx, self)

    def _drop_process(self) -> None:
        with Transaction(self.database, durable=False) as tx:
            if not connections.of_process(tx, self.process):
                connections.drop_process(tx, self.process)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class QueueManager(QueueManagerState):
    """A queue manager of a store, by name.

    >>> mqsc.open_store("shop.db").queue_manager().is_running
    True
    """

    store: Store

    def connect(
        self,
        application: str = "",
        user: str = "",
        *,
        password: str | None = None,
        client: bool = False,
        channel: str = "",
        address: str = "127.0.0.1",
        agent: str = "",
    ) -> Connection:
        """MQCONN: every call makes an independent connection (2002 never occurs). MQError 2035,
        2058, 2059, 2161.

        `password` is that of an MQCSP, None for a program that gives none; CONNAUTH says whether it
        is checked: by CHCKLOCL, or by CHCKCLNT with `client`. The records of CHLAUTH decide about a
        client that names a `channel` of type SVRCONN; it comes from `address`. ValueError for an
        application or user that no character set can encode. `agent` is the cause of EXPIRE events
        (see `published`) for expired messages that its calls discard.

        >>> with manager.connect(application="billing") as connection:
        ...     connection.application
        'billing'
        """
        environment = self.store.environment
        application = application or environment.application
        for what, given in (("application", application), ("user", user)):
            unfit = text_fault(what, given)
            if unfit:
                raise ValueError(unfit)
        if password is not None:
            must_be(str, password, "password")
            must_be_writable(password, "password")
        with Uninterrupted():
            admitted = connect(self, application, user, password, Origin(client, channel, address))
            connection = Connection(
                self,
                admitted.number,
                admitted.run,
                application,
                admitted.user,
                agent,
            )
            connection.authority_user = admitted.authority_user
            connection.authority_facts = admitted.facts
            return connection

    def start(self, *, with_services: bool = True) -> bool:
        """Start the queue manager (strmqm); False when it was running already. Without services
        (strmqm -ns), its command server, listeners and services do not start.

        Design §3.11: units of work are backed out, non-persistent messages are dropped except as
        NPMCLASS(HIGH) says, expired ones are discarded, the TRIGINT timer is reset, in batches.

        >>> manager.start()
        False
        """
        started = queue_managers.start(self, with_services=with_services)
        if started:
            answer_commands(self)
        return started

    def end(self, *, immediate: bool = False) -> str:
        """End it (endmqm): QUIESCING until the last disconnect, or ENDED; `immediate` breaks
        connections.

        >>> mqsc.open_store("sqlite://").create_queue_manager("QM1").end(immediate=True)
        'ENDED'
        """
        return self.store.database.with_reserve(
            lambda: queue_managers.end(self, immediate=immediate),
        )

    def in_doubt(self) -> list[UnitInDoubt]:
        """The units of work that were prepared and not resolved yet, oldest first.

        >>> manager.in_doubt()
        []
        """
        return sync_records.in_doubt(self)

    def resolve(
        self,
        name: str,
        luwid: str,
        *,
        commit: bool,
        noted: Sequence[ChannelEvent] = (),
    ) -> None:
        """End a unit in doubt: commit it, or back it out as MQBACK does. MQError 2255 when there is
        none.

        The history has the events `noted` from the same transaction.

        >>> manager.resolve("billing", "unit 1", commit=False)
        Traceback (most recent call last):
        mqsc.MQError: 2255 ...
        """
        names = _of_unit(name, luwid)
        with_reserve = self.store.database.with_reserve
        with_reserve(lambda: sync_records.resolve(self, *names, commit=commit, noted=noted))

    def set_clock(self, at: int) -> None:
        """Set a manual clock to `at` (microseconds UTC, years 1000 to 9995); ValueError for a clock
        that is not manual.

        >>> mqsc.open_store("sqlite://").create_queue_manager("QM1", manual_clock_at=0).set_clock(1_700_000_000_000_000)
        """
        queue_managers.set_clock(self, bits(at, "the time"))

    def advance_clock(self, microseconds: int) -> None:
        """Move a manual clock forward; ValueError for a negative time.

        >>> mqsc.open_store("sqlite://").create_queue_manager("QM1", manual_clock_at=0).advance_clock(1_000_000)
        """
        queue_managers.advance_clock(self, bits(microseconds, "the number of microseconds"))

    @property
    def is_running(self) -> bool:
        """Whether the queue manager accepts connections.

        >>> manager.is_running
        True
        """
        return bool(self.row().state == RUNNING)


class Connection(GuardedConnection):
    """A connection. Leaving a `with` block normally is MQDISC; leaving it by an exception is an
    abend.

    >>> with mqsc.open_store("shop.db").queue_manager().connect(application="billing") as connection:
    ...     placed = connection.put1("ORDERS", mqsc.Message(b"one espresso machine"))
    """

    qmgr: QueueManager
    store: Store

    def open(
        self,
        name: str,
        options: int,
        *,
        queue_manager: str = "",
        dynamic_name: str | None = "AMQ.*",
        object_type: int = 1,
        alternate_user: str = "",
        selection: str = "",
    ) -> ObjectHandle:
        """MQOPEN `name` with MQOO options; a model queue creates a dynamic queue named by
        `dynamic_name`.

        With `dynamic_name` None no queue is created, and a model queue is MQError 2057, as it is
        for `put1`.

        With a `selection` string, such as `Color = 'red' AND n > 5`, gets and browses see only the
        messages it selects. SelectorError (2459, 2504, 2519) names the fault and its place; MQError
        2516 for an object without gets.

        >>> connection.open("ORDERS", mqsc.MQOO.INPUT_SHARED).name
        'ORDERS'
        """
        with self.call():
            request = OpenRequest(
                name_of(name, "the name of the object"),
                bits(options, "options"),
                name_of(queue_manager, "queue_manager"),
                None if dynamic_name is None else name_of(dynamic_name, "dynamic_name"),
                bits(object_type, "object_type"),
                name_of(alternate_user, "alternate_user"),
                must_be(str, selection, "selection"),
            )
            handle = ObjectHandle(
                self,
                self.store.database.with_reserve(lambda: open_object(self, request)),
            )
            self.handles[handle.number] = handle
            return handle

    def put1(
        self,
        name: str,
        message: Message,
        options: PutMessageOptions | None = None,
        *,
        queue_manager: str = "",
        alternate_user: str = "",
    ) -> MessageDescriptor:
        """MQPUT1: open, put one message and close in one call; the descriptor as it was placed.

        >>> connection.put1("ORDERS", mqsc.Message(b"tea")).priority
        0
        """
        with self.call():
            put_options = (
                PutMessageOptions()
                if options is None
                else must_be(PutMessageOptions, options, "options")
            )
            checked_message = must_be(Message, message, "the message")
            queue = name_of(name, "the name of the queue")
            manager = name_of(queue_manager, "queue_manager")
            request = OpenRequest(
                queue,
                0,
                manager,
                alternate_user=name_of(alternate_user, "alternate_user"),
            )
            is_asynchronous = bits(put_options.options, "options") & MQPMO.ASYNC_RESPONSE
            return (asynchronous.put1 if is_asynchronous else put1)(
                self, request, checked_message, put_options
            )

    def consumer(
        self,
        queue: str,
        *,
        wait: int = UNLIMITED,
        limit: int | None = None,
        batch: int = 1,
        selection: str = "",
        message_handle: MessageHandle | None = None,
        property_control: str = "",
    ) -> Consumer:
        """Open `queue` to get messages in units of work, with BOTHRESH and BOQNAME acted on as the
        JMS classes do.

        `wait` is how long to wait for a message, in milliseconds, -1 forever. `limit` ends the
        consumer after so many messages. `batch` is the most messages that `units` and `listen` take
        in a unit of work. `selection` is that of `open`; `message_handle` and `property_control`
        are those of GetMessageOptions.

        >>> with connection.consumer("ORDERS", wait=0) as consumer:
        ...     consumer.receive()
        """
        checked = (
            bits(wait, "wait"),
            None if limit is None else bits(limit, "limit"),
            bits(batch, "batch"),
        )
        for what, value, least in zip(
            ("wait", "limit", "batch"),
            checked,
            (UNLIMITED, 0, 1),
            strict=True,
        ):
            if value is not None and value < least:
                raise ValueError(f"{what} must be {least} or more, not {value}")
        handle = self.open(queue, OPEN_OPTIONS, selection=selection, dynamic_name=None)
        properties = message_handle, property_control
        return Consumer(
            self,
            handle,
            handle.get,
            handle.close,
            properties,
            wait=wait,
            limit=limit,
            batch=batch,
        )

    def create_message_handle(self, options: int = 0) -> MessageHandle:
        """MQCRTMH: a handle for the properties of messages, with MQCMHO options; it ends with the
        connection.

        >>> connection.create_message_handle().values
        {}
        """
        with self.call():
            handle = MessageHandle(self, options)
            self.message_handles.add(handle)
            return handle

    def callback(
        self,
        operation: int,
        function: Function | None = None,
        *,
        handle: ObjectHandle | None = None,
        callback_type: int = MQCBT.MESSAGE_CONSUMER,
        options: int = 0,
        get_options: GetMessageOptions | None = None,
        max_message_length: int = -1,
    ) -> None:
        """MQCB: register, deregister, suspend or resume (MQOP) a function for the messages of a
        queue, or for events.

        `control` starts the calls. `options` (MQCBDO) says which control calls the function gets
        too.

        >>> connection.callback(mqsc.MQOP.REGISTER, print, handle=handle)
        >>> connection.callback(mqsc.MQOP.DEREGISTER, handle=handle)
        """
        with self.call():
            callbacks = self.callbacks = self.callbacks or Callbacks(self)
            operation_bits = bits(operation, "operation")
            kind = bits(callback_type, "callback_type")
            wanted = (
                _GET_DEFAULTS
                if get_options is None
                else must_be(GetMessageOptions, get_options, "get_options")
            )
            longest = bits(max_message_length, "max_message_length")
            controls = bits(options, "options")
            if handle is not None:
                must_be(ObjectHandle, handle, "handle")
            request = CallbackRequest(
                operation_bits, function, handle, kind, controls, wanted, longest
            )
            taken_out = callbacks.change(request)
        if taken_out is not None:
            callbacks.deregister_call(taken_out)

    def control(self, operation: int, options: int = 0) -> None:
        """MQCTL: START, START_WAIT, STOP, SUSPEND or RESUME (MQOP) the calls of functions
        registered by `callback`.

        MQError 2488 when there is nothing to start, 2534 where the operation is not allowed, 2446
        when START_WAIT has no active function (left), 1/2521 when its calls were suspended.

        >>> connection.control(mqsc.MQOP.START)
        Traceback (most recent call last):
        mqsc.MQError: 2488 ...
        """
        refuse_if(not self.is_connected or self.is_inherited, MQRC.HCONN_ERROR)
        self.callbacks = self.callbacks or Callbacks(self)
        self.callbacks.control(bits(operation, "operation"), bits(options, "options"))

    def begin(self) -> int:
        """MQBEGIN: start a unit of work; 2128 when one is open. Returns the reason of the warning,
        2121.

        There are no other resource managers here (MQRC_NO_EXTERNAL_PARTICIPANTS).

        >>> connection.begin() == mqsc.MQRC.NO_EXTERNAL_PARTICIPANTS
        True
        >>> connection.back()
        """
        with self.call():
            return syncpoint.begin(self)

    def commit(
        self,
        outcome: MessageOutcome | None = None,
        *,
        noted: Sequence[ChannelEvent] = (),
    ) -> None:
        """MQCMIT: messages put in the unit of work become available, messages got are removed.

        `outcome` is recorded in the same transaction for every message that the unit got, and so
        are the events `noted`, even when no unit of work is open.

        >>> placed = handle.put(mqsc.Message(b"tea"), mqsc.PutMessageOptions(mqsc.MQPMO.SYNCPOINT))
        >>> connection.commit()
        """
        self.reserved_call(lambda: syncpoint.commit(self, outcome, noted))

    def prepare(self, name: str, luwid: str) -> bool:
        """Put the open unit of work in doubt, until `resolve` commits it or backs it out under the
        same two names.

        It leaves the connection and survives it. False when it held no messages: it has ended, and
        there is nothing to resolve. MQError 2100 when a unit is in doubt under these names, 2354
        while a message is marked to skip backout.

        >>> connection.prepare("billing", "unit 1")
        False
        """
        names = _of_unit(name, luwid)
        return self.reserved_call(lambda: syncpoint.prepare(self, *names))

    def resolve(
        self,
        name: str,
        luwid: str,
        *,
        commit: bool,
        noted: Sequence[ChannelEvent] = (),
    ) -> None:
        """`QueueManager.resolve` with this connection as its cause; its own unit of work stays
        open.

        >>> connection.resolve("billing", "unit 1", commit=True)
        Traceback (most recent call last):
        mqsc.MQError: 2255 ...
        """
        names = _of_unit(name, luwid)
        self.reserved_call(lambda: syncpoint.resolve(self, *names, commit=commit, noted=noted))

    def back(self) -> None:
        """MQBACK: messages put are removed, messages got return; a marked message joins the next
        unit of work.

        >>> placed = handle.put(mqsc.Message(b"tea"), mqsc.PutMessageOptions(mqsc.MQPMO.SYNCPOINT))
        >>> connection.back()
        """
        self.reserved_call(lambda: syncpoint.back(self))

    def stat(self, type: int = MQSTAT.TYPE_ASYNC_ERROR) -> PutStatus:
        """MQSTAT: the outcome of the asynchronous puts since the last call, or since the connection
        was made.

        >>> placed = handle.put(mqsc.Message(b"tea"), mqsc.PutMessageOptions(mqsc.MQPMO.ASYNC_RESPONSE))
        >>> connection.stat().put_success_count
        1
        """
        with self.call():
            return asynchronous.status(self, bits(type, "type"))

    def cancel(self) -> bool:
        """End the waiting get of another thread: it fails with MQError 2033, and the connection
        accepts calls again.

        Returns whether a get with MQGMO_WAIT was under way. If that finds a message first, it
        returns the message.

        >>> connection.cancel()
        False
        """
        cancel_wait = self.cancel_wait
        if cancel_wait is None:
            return False
        cancel_wait()
        return True

    def disconnect(self) -> None:
        """MQDISC: close all handles and commit the open unit of work.

        MQError 1/2003 when that was backed out, because an asynchronous put in it failed. Functions
        registered by `callback` are stopped first, and MQError 2500 is what they get themselves.

        >>> manager.connect().disconnect()
        """
        if self.callbacks is not None and self.is_connected and not self.is_inherited:
            self.callbacks.close()
        with self.call():
            is_backed_out = self.unit.misses_put
            self.store.database.with_reserve(lambda: syncpoint.disconnect(self))
            self._forget()
        if is_backed_out:
            raise MQError(MQRC.BACKED_OUT, completion=MQCC.WARNING)

    def abend(self) -> None:
        """End as if the program had died: the unit of work is backed out first, then the handles
        close.

        >>> manager.connect().abend()
        """
        if self.callbacks is not None and self.is_connected and not self.is_inherited:
            self.callbacks.close()
        with self.call():
            self.store.database.with_reserve(lambda: syncpoint.abend(self))
            self._forget()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if not self.is_connected or self.is_inherited:
            return
        if kind is None:
            self.disconnect()
            return
        try:
            self.abend()
        except MQError as broken:
            # The exception under way propagates; a connection that is already broken has nothing
            # left to undo.
            if broken.reason != MQRC.CONNECTION_BROKEN:
                raise
            self._forget()


class ObjectHandle(HandleState):
    """An open queue, process, namelist or queue manager. Open until close() or the end of its
    connection.

    >>> handle = qmgr.connection.open("ORDERS", mqsc.MQOO.INPUT_SHARED | mqsc.MQOO.OUTPUT)
    >>> placed = handle.put(mqsc.Message(b"one espresso machine"))
    >>> handle.get().body
    b'one espresso machine'
    """

    connection: Connection

    @property
    def resolved_q_name(self) -> str:
        """The name of the queue that the handle's name resolved to; blank for an object that is not
        a queue.

        >>> handle.resolved_q_name
        'ORDERS'
        """
        return self._resolved_names()[0]

    @property
    def resolved_q_mgr_name(self) -> str:
        """The queue manager of that queue.

        >>> handle.resolved_q_mgr_name
        'QM1'
        """
        return self._resolved_names()[1]

    def _resolved_names(self) -> tuple[str, str]:
        return ("", "") if self.destination is None else self.destination.resolved_names

    @overload
    def put(
        self,
        message: Message,
        options: PutMessageOptions | None = None,
    ) -> MessageDescriptor: ...
    @overload
    def put(
        self,
        message: Sequence[Message],
        options: PutMessageOptions | None = None,
    ) -> list[MessageDescriptor]: ...
    def put(
        self,
        message: Message | Sequence[Message],
        options: PutMessageOptions | None = None,
    ) -> MessageDescriptor | list[MessageDescriptor]:
        """MQPUT: one message, or a list in one transaction, all or nothing (MQError.index says
        which was refused).

        Returns the descriptor, or descriptors, as placed; a completion of MQCC_WARNING is on the
        Message given.

        >>> [each.priority for each in handle.put([mqsc.Message(b"tea"), mqsc.Message(b"coffee")])]
        [0, 0]
        """
        connection = self.connection
        connection.begin_call()
        try:
            put_options = (
                _PUT_DEFAULTS if options is None else must_be(PutMessageOptions, options, "options")
            )
            option_bits = put_options.options
            if type(option_bits) is not int:
                option_bits = bits(option_bits, "options")
            may_be_asynchronous = option_bits & ASYNC_RESPONSE or self.is_asynchronous is not False
            if may_be_asynchronous and asynchronous.is_asynchronous(self, option_bits):
                return self._put_asynchronously(message, put_options, option_bits)
            if isinstance(message, Message):
                return put(self, (message,), put_options, option_bits)[0]
            messages = checked_list(Message, message, "a Message, or a list of them, can be put")
            return put(self, messages, put_options, option_bits)
        except MQError as error:
            if error.index is None and not isinstance(message, Message):
                # An error about the queue or the call is reported for the first message.
                error.index = 0
            raise
        except (ImportError, LookupError) as error:
            raise at_exit(error) from None
        finally:
            connection.end_call()

    def _put_asynchronously(
        self,
        message: Message | Sequence[Message],
        options: PutMessageOptions,
        option_bits: int,
    ) -> MessageDescriptor | list[MessageDescriptor]:
        """Put; MQSTAT reports errors in the messages or the queue, and the descriptors stay as
        given.
        """
        messages = (
            [message]
            if isinstance(message, Message)
            else checked_list(Message, message, "Messages can be put")
        )
        about, in_unit = asynchronous.names_of(self), bool(option_bits & MQPMO.SYNCPOINT)
        put_all = partial(put, self, messages, options, option_bits)
        placed = asynchronous.recorded(self.connection, about, messages, put_all, in_unit)
        return placed[0] if isinstance(message, Message) else placed

    def get(self, options: GetMessageOptions | None = None) -> Message:
        """MQGET, destructive or browse as the options say; MQError 2033 when there is no message.

        >>> placed = handle.put(mqsc.Message(b"tea"))
        >>> handle.get().body
        b'tea'
        """
        connection = self.connection
        connection.begin_call()
        try:
            get_options = (
                _GET_DEFAULTS if options is None else must_be(GetMessageOptions, options, "options")
            )
            return get(self, get_options)
        except DiskFullError:
            # A removal must be possible: without it, nobody could make room.
            return connection.store.database.with_reserve(lambda: get(self, get_options))
        except (ImportError, LookupError) as error:
            raise at_exit(error) from None
        finally:
            connection.end_call()

    def get_many(self, most: int, options: GetMessageOptions | None = None) -> list[Message]:
        """MQGET of up to `most` messages (1 to 1000) in one transaction, in order; MQError 2033
        when there is none.

        Fewer come where one has to be got alone: to browse it, for its group, or for a report or
        event about the get. Outside a unit of work all of them are off the queue when the call
        returns.

        >>> placed = handle.put([mqsc.Message(b"tea"), mqsc.Message(b"coffee")])
        >>> [each.body for each in handle.get_many(100)]
        [b'tea', b'coffee']
        """
        asked = _GET_DEFAULTS if options is None else must_be(GetMessageOptions, options, "options")
        if not 1 <= must_be(int, most, "most") <= AT_ONCE:
            raise ValueError(f"most must be from 1 to {AT_ONCE}, not {most}")
        return self.connection.reserved_call(lambda: get_many(self, asked, most))

    def inquire(self, *selectors: int) -> InquiredValues:
        """MQINQ: the values of MQIA and MQCA selectors.

        -1 or asterisks, and the warning 2068, for a selector that does not apply to this type of
        object.

        >>> handle.inquire(mqsc.MQIA.MAX_Q_DEPTH)[mqsc.MQIA.MAX_Q_DEPTH]
        5000
        """
        with self.connection.call():
            return inquire(
                self, checked_list(int, selectors, "selectors are MQIA and MQCA numbers")
            )

    def set(self, values: Mapping[int, int | str]) -> None:
        """MQSET: change attributes at once, never undone by MQBACK; all or none.

        >>> handle.set({mqsc.MQIA.INHIBIT_PUT: 0})
        """
        with self.connection.call():
            if not isinstance(values, Mapping):
                raise TypeError(
                    f"values by their selectors can be set, not {type(values).__name__}",
                )
            checked_list(int, values, "selectors are MQIA and MQCA numbers")
            set_attributes(self, values)

    def close(self, options: int = 0) -> int:
        """MQCLOSE with MQCO options; closing the handle that created a temporary dynamic queue
        deletes the queue.

        Returns the reason of a warning: 2241 or 2242 when a group or message was left incomplete,
        else 0.

        >>> connection.open("ORDERS", mqsc.MQOO.OUTPUT).close()
        0
        """
        connection = self.connection
        reason = connection.reserved_call(lambda: close(self, bits(options, "options")))
        if connection.callbacks is not None:
            found = connection.callbacks.forget(MQCBT.MESSAGE_CONSUMER, self)
            if found is not None:
                connection.callbacks.deregister_call(found, closed=True)
        return reason


# Open a store by its URL.


def open_store(
    url: str | PathLike[str],
    environment: Environment[Clock] | None = None,
    *,
    create: bool = True,
) -> Store:
    """Open the store at `url` (a path, `sqlite:///path`, or `sqlite://` for one in memory), or
    create a missing one.

    Raises StoreError when there is no usable store: not a database, read-only folder, written by a
    newer version, missing while `create` is false.

    >>> mqsc.open_store("sqlite://")
    <Store in memory>
    """
    return Store(
        path_of(must_be(str, fspath(url), "url")),
        environment or Environment.system(),
        create=create,
    )
