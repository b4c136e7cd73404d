"""A connection to a queue manager: its calls, and the objects that they open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

from mqsc.store.argument_checks import bits, checked_name, must_be, unit_names
from mqsc.store.client.call_guard import GuardedConnection
from mqsc.store.client.callback_registration import CallbackRequest, Function
from mqsc.store.client.callbacks import Callbacks
from mqsc.store.client.consumer import OPEN_OPTIONS, UNLIMITED, Consumer
from mqsc.store.client.message_handle import MessageHandle
from mqsc.store.client.object_handle import GET_DEFAULTS, ObjectHandle
from mqsc.store.client.subscription import Subscription, request_of
from mqsc.store.constants import MQCBT, MQCC, MQPMO, MQRC, MQSTAT
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.engine.channel_event import ChannelEvent
from mqsc.store.engine.message_outcomes import MessageOutcome
from mqsc.store.error import MQError, refuse_if
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.mqi import asynchronous, syncpoint
from mqsc.store.mqi.handles import QUEUE_TYPE, OpenRequest
from mqsc.store.mqi.open import open_object
from mqsc.store.mqi.put1 import put1
from mqsc.store.mqi.state import Opened, PutStatus
from mqsc.store.mqi.subscribe import subscribe
from mqsc.store.subscription_descriptor import SubscriptionDescriptor

if TYPE_CHECKING:
    from mqsc.store.client.queue_manager import QueueManager
    from mqsc.store.client.store import Store


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
        object_string: str = "",
    ) -> ObjectHandle:
        """MQOPEN `name` with MQOO options; a model queue creates a dynamic queue named by
        `dynamic_name`.

        With `dynamic_name` None no queue is created, and a model queue is MQError 2057, as it is
        for `put1`.

        With a `selection` string, such as `Color = 'red' AND n > 5`, gets and browses see only the
        messages it selects. SelectorError (2459, 2504, 2519) names the fault and its place; MQError
        2516 for an object without gets.

        A topic (`object_type` MQOT.TOPIC) is that of the topic object `name`, of the topic string
        `object_string`, or of both together.

        >>> connection.open("ORDERS", mqsc.MQOO.INPUT_SHARED).name
        'ORDERS'
        """
        with self.call():
            request = OpenRequest(
                checked_name(name, "the name of the object"),
                bits(options, "options"),
                checked_name(queue_manager, "queue_manager"),
                None if dynamic_name is None else checked_name(dynamic_name, "dynamic_name"),
                bits(object_type, "object_type"),
                checked_name(alternate_user, "alternate_user"),
                must_be(str, selection, "selection"),
                object_string=must_be(str, object_string, "object_string"),
            )
            return self._handle_of(
                self.store.database.with_reserve(lambda: open_object(self, request))
            )

    def _handle_of(self, opened: Opened) -> ObjectHandle:
        handle = ObjectHandle(self, opened)
        self.handles[handle.number] = handle
        return handle

    def subscribe(
        self, descriptor: SubscriptionDescriptor, queue: ObjectHandle | None = None
    ) -> Subscription:
        """MQSUB: make, resume or alter a subscription as its descriptor (MQSD) and MQSO options say.

        Publications go to a queue that the queue manager creates (MQSO.MANAGED), or to the one that
        `queue` has open for input. MQError 2428, 2429, 2432 for a name that is not known, in use or
        taken, 2434 for the subscription of another user, 2503 or 2436 where the topic does not
        allow it.

        >>> descriptor = mqsc.SubscriptionDescriptor(mqsc.MQSO.CREATE | mqsc.MQSO.MANAGED)
        >>> descriptor.object_string = "prices/+"
        >>> connection.subscribe(descriptor).queue.name[:24]
        'SYSTEM.MANAGED.NDURABLE.'
        """
        with self.call():
            wanted = must_be(SubscriptionDescriptor, descriptor, "the descriptor")
            if queue is not None:
                must_be(ObjectHandle, queue, "the queue")
            request = request_of(wanted, queue)
            subscribed = self.store.database.with_reserve(lambda: subscribe(self, request))
            opened = subscribed.queue
            of_queue = queue if opened is None else self._handle_of(opened)
            found = Subscription(self, subscribed, of_queue)
            self.handles[found.number] = found
            return found

    def put1(
        self,
        name: str,
        message: Message,
        options: PutMessageOptions | None = None,
        *,
        queue_manager: str = "",
        alternate_user: str = "",
        object_type: int = QUEUE_TYPE,
        object_string: str = "",
    ) -> MessageDescriptor:
        """MQPUT1: open, put one message and close in one call; the descriptor as it was placed.

        With MQOT.TOPIC as `object_type` the message is published, as by a handle that `open`
        returns.

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
            queue = checked_name(name, "the name of the queue")
            manager = checked_name(queue_manager, "queue_manager")
            request = OpenRequest(
                queue,
                0,
                manager,
                object_type=bits(object_type, "object_type"),
                alternate_user=checked_name(alternate_user, "alternate_user"),
                object_string=must_be(str, object_string, "object_string"),
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
                GET_DEFAULTS
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
        names = unit_names(name, luwid)
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
        names = unit_names(name, luwid)
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
