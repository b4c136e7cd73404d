"""Sessions, their queues and units of work. They share a file because each refers to the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Self

from mqsc.interface import errors
from mqsc.interface.messages import (
    NOTHING,
    Body,
    ReceivedMessage,
    get_options,
    handle_of,
    message_of,
    milliseconds_of,
    persistence_of,
    tenths_of,
)
from mqsc.store.argument_checks import must_be
from mqsc.store.client.connection import Connection
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQGMO, MQIA, MQMT, MQOO, MQPMO, MQRC, MQRO
from mqsc.store.descriptor import PERSISTENCE_AS_Q_DEF, MessageDescriptor
from mqsc.store.error import MQError
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.rules.command_message import response_descriptor
from mqsc.store.rules.properties.property_types import Value

if TYPE_CHECKING:
    from mqsc.language.reply import Reply

INPUT = int(MQOO.INPUT_AS_Q_DEF | MQOO.FAIL_IF_QUIESCING)
_OUTPUT = int(MQOO.OUTPUT | MQOO.FAIL_IF_QUIESCING)
_BROWSE = int(MQOO.BROWSE | MQOO.FAIL_IF_QUIESCING)
_INQUIRE = int(MQOO.INQUIRE | MQOO.FAIL_IF_QUIESCING)
_PUT = MQPMO.FAIL_IF_QUIESCING | MQPMO.SYNC_RESPONSE
_AT_ONCE = PutMessageOptions(int(_PUT | MQPMO.NO_SYNCPOINT))
_IN_UNIT = PutMessageOptions(int(_PUT | MQPMO.SYNCPOINT))
_BROWSE_NEXT = int(MQGMO.BROWSE_NEXT | MQGMO.FAIL_IF_QUIESCING | MQGMO.NO_PROPERTIES)
_REQUEST = int(MQMT.REQUEST)
_REPLY = int(MQMT.REPLY)
_REPLY_MODEL = "SYSTEM.DEFAULT.MODEL.QUEUE"
# What answers a request: text, bytes, or anything that is JSON; None for no reply.
Answer = Callable[[ReceivedMessage], object]


class Session:
    """A connection to a queue manager, for one thread at a time. Leave its block normally to commit
    and disconnect.

    >>> with mqsc.connect("shop.db") as qmgr:
    ...     qmgr
    <mqsc.Session with QM1>
    """

    __module__ = "mqsc"

    def __init__(self, connector: Callable[[], Connection], release: Callable[[], object]) -> None:
        """`connector` makes the connection, `release` is called when it has ended."""
        # The MQI connection, for everything that is not here.
        self.connection = connector()
        self._connector = connector
        self._failures = _Failures(self.manager)
        self._is_in_unit = False
        self._release = release
        self._replies: Queue | None = None

    @property
    def manager(self) -> QueueManager:
        """The queue manager.

        >>> qmgr.manager.name
        'QM1'
        """
        return self.connection.qmgr

    def queue(self, name: str) -> Queue:
        """A queue, which is opened when it is first used; a model queue is a new dynamic queue.

        >>> qmgr.queue("ORDERS")
        <mqsc.Queue ORDERS>
        """
        return Queue(self, name)

    def unit(self) -> Unit:
        """A unit of work, for a `with` block: all puts and gets in it, or none. UnitInProgress if
        one is open.

        >>> with qmgr.unit(), qmgr.queue("ORDERS") as orders:
        ...     _ = orders.put("one espresso machine")
        """
        return Unit(self)

    def run(self, mqsc: str) -> list[Reply]:
        """Run MQSC commands; CommandError for the first that fails.

        >>> qmgr.run("DISPLAY QLOCAL(ORDERS) MAXDEPTH")[0].rows[0]["MAXDEPTH"]
        5000
        """
        from mqsc.script import run

        if not self.connection.is_connected:
            raise errors.NotConnected(MQRC.HCONN_ERROR)
        return run(self.manager, must_be(str, mqsc, "mqsc"), check=True)

    def request(
        self,
        queue: str,
        body: Body = None,
        *,
        json: object = NOTHING,
        timeout: timedelta | None = None,
        **properties: Value,
    ) -> ReceivedMessage:
        """Put a request, which expires after `timeout`, and wait for its reply; NoReply. It is in
        no unit of work.

        >>> with serving("ORDERS", lambda message: f"{message.text} is ready"):
        ...     qmgr.request("ORDERS", "one espresso machine", timeout=timedelta(seconds=20)).text
        'one espresso machine is ready'
        """
        wait, expiry = milliseconds_of(timeout, "timeout"), tenths_of(timeout, "timeout")
        replies, options = self._ask(queue, message_of(body, json, expiry=expiry), properties, wait)
        try:
            with self._failures:
                return replies._received(replies._handle(INPUT).get(options), options)
        except errors.NoMessage:
            raise errors.NoReply(MQRC.NO_MSG_AVAILABLE, queue) from None

    def _ask(
        self,
        queue: str,
        message: Message,
        properties: Mapping[str, Value],
        wait: int,
    ) -> tuple[Queue, GetMessageOptions]:
        """Put a request; the queue of its reply, and the options that get it."""
        if self._replies is None:
            self._replies = self.queue(_REPLY_MODEL)
        with self._failures:
            self._replies._handle(INPUT)
            descriptor = message.descriptor
            descriptor.msg_type, descriptor.reply_to_q = _REQUEST, self._replies.name
            # A reply that comes too late expires, too.
            descriptor.report |= MQRO.PASS_DISCARD_AND_EXPIRY
            placed = self.connection.put1(queue, message, _with(properties, _AT_ONCE))
        return self._replies, get_options(
            wait,
            syncpoint=False,
            correl_id=placed.msg_id,
            in_handle=self._replies._sees_properties,
        )

    def reply(
        self,
        request: ReceivedMessage,
        body: Body = None,
        *,
        json: object = NOTHING,
        **properties: Value,
    ) -> MessageDescriptor:
        """Put the reply to a request, in the unit of work if one is open. ValueError if it asks for
        none.

        >>> qmgr.reply(first, "ready")
        Traceback (most recent call last):
        ValueError: the message names no queue for replies
        """
        descriptor = must_be(ReceivedMessage, request, "the request").descriptor
        if not descriptor.reply_to_q:
            raise ValueError("the message names no queue for replies")
        to = response_descriptor(descriptor)
        message = message_of(
            body,
            json,
            msg_type=_REPLY,
            report=to.report,
            expiry=to.expiry,
            priority=to.priority,
            msg_id=to.msg_id,
            correl_id=to.correl_id,
            persistence=PERSISTENCE_AS_Q_DEF,
        )
        options = _with(properties, self._put_options)
        with self._failures:
            return self.connection.put1(
                descriptor.reply_to_q,
                message,
                options,
                queue_manager=descriptor.reply_to_q_mgr,
            )

    def _answer(self, request: ReceivedMessage, answer: object) -> None:
        """Reply with what a function returned; None, or a message that names no queue for
        replies, is no reply.
        """
        if answer is None or not request.reply_to:
            return
        if isinstance(answer, (str, bytes, Message)):
            self.reply(request, answer)
        else:
            self.reply(request, json=answer)

    @property
    def _put_options(self) -> PutMessageOptions:
        """The options of a put: in the unit of work if one is open."""
        return _IN_UNIT if self._is_in_unit else _AT_ONCE

    def close(self) -> None:
        """Commit and disconnect.

        >>> another = mqsc.connect("shop.db")
        >>> another.close()
        """
        self.__exit__(None)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            with self._failures:
                self.connection.__exit__(kind)
        finally:
            release, self._release = self._release, nothing
            release()

    def __repr__(self) -> str:
        return (
            "<mqsc.Session with "
            f"{self.manager.name}{'' if self.connection.is_connected else ', closed'}>"
        )


def nothing() -> None:
    """What a session releases that was closed, or whose store the program has opened."""


class Unit:
    """A unit of work: committed at the end of its block, backed out by an exception.

    >>> with qmgr.unit() as unit, qmgr.queue("ORDERS") as orders:
    ...     _ = orders.put("one espresso machine")
    ...     unit.back()
    ...     orders.depth()
    0
    """

    __module__ = "mqsc"

    def __init__(self, session: Session) -> None:
        self._session = session

    def __enter__(self) -> Self:
        session = self._session
        if session._is_in_unit or session.connection.unit.is_open:
            raise errors.UnitInProgress(MQRC.UOW_IN_PROGRESS)
        session._is_in_unit = True
        return self

    def commit(self) -> None:
        """Commit what was done up to here; what follows is another unit of work.

        >>> with qmgr.unit() as unit:
        ...     unit.commit()
        """
        with self._session._failures:
            self._session.connection.commit()

    def back(self) -> None:
        """Back out what was done up to here; what follows is another unit of work.

        >>> with qmgr.unit() as unit:
        ...     unit.back()
        """
        with self._session._failures:
            self._session.connection.back()

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._session._is_in_unit = False
        if kind is None:
            self.commit()
            return
        # The other exception tells more than a connection that is broken, which backs out by
        # itself.
        with suppress(errors.NotConnected):
            self.back()

    def __repr__(self) -> str:
        return f"<mqsc.Unit of {self._session!r}>"


class Queue:
    """A queue of a session.

    >>> with qmgr.queue("ORDERS") as orders:
    ...     _ = orders.put("one espresso machine", priority=5, expiry=timedelta(minutes=1), color="red")
    ...     for message in orders.messages(wait=timedelta(0), where="color = 'red'"):
    ...         print(message.text, message.priority, message.properties["color"])
    one espresso machine 5 red
    """

    __module__ = "mqsc"

    def __init__(self, session: Session, name: str) -> None:
        # Of a model queue, once it is open, that of the dynamic queue.
        self.name = name
        self._session = session
        self._handles: dict[int, ObjectHandle] = {}
        # Whether the last message had properties, so that the next one is likely to.
        self._sees_properties = False

    def put(
        self,
        /,
        body: Body = None,
        *,
        json: object = NOTHING,
        priority: int | None = None,
        persistent: bool | None = None,
        expiry: timedelta | None = None,
        correl_id: bytes | None = None,
        reply_to: str | None = None,
        **properties: Value,
    ) -> MessageDescriptor:
        """Put text, bytes, a value as JSON, or a Message; the descriptor as it was placed. Other
        names are properties.

        A message that was got is put with its properties. QueueFull, MessageTooBig, Inhibited,
        NotFound; TypeError or ValueError for what cannot be put.

        >>> with qmgr.queue("ORDERS") as orders:
        ...     placed = orders.put("one espresso machine", priority=5, color="red", size=3)
        >>> placed.priority, len(placed.msg_id)
        (5, 24)
        """
        if isinstance(body, ReceivedMessage):
            properties = {**body.properties, **properties}
            body = body.message
        message = message_of(
            body,
            json,
            priority=priority,
            persistence=persistence_of(persistent),
            expiry=tenths_of(expiry),
            correl_id=correl_id,
            reply_to_q=reply_to,
        )
        session = self._session
        with session._failures:
            options = (
                _with(properties, session._put_options) if properties else session._put_options
            )
            return self._handle(_OUTPUT).put(message, options)

    def get(
        self,
        wait: timedelta | None = None,
        *,
        where: str = "",
        msg_id: bytes = b"",
        correl_id: bytes = b"",
    ) -> ReceivedMessage:
        """The next message that `where` and the identifiers select; NoMessage if none comes in
        time.

        Without `wait` it waits forever; timedelta(0) does not wait.

        >>> with qmgr.queue("ORDERS") as orders:
        ...     _ = orders.put("one espresso machine", size=3)
        ...     orders.get(timedelta(seconds=1), where="size > 2").text
        'one espresso machine'
        """
        options = self._options(milliseconds_of(wait), msg_id, correl_id)
        with self._selecting(INPUT, where) as handle, self._session._failures:
            return self._received(handle.get(options), options)

    def messages(
        self,
        wait: timedelta | None = None,
        *,
        where: str = "",
    ) -> Iterator[ReceivedMessage]:
        """Get messages one by one until none comes in time; without `wait`, forever.

        >>> with qmgr.queue("ORDERS") as orders:
        ...     _ = orders.put("one"), orders.put("two")
        ...     [message.text for message in orders.messages(wait=timedelta(0))]
        ['one', 'two']
        """
        milliseconds = milliseconds_of(wait)
        with self._selecting(INPUT, where) as handle:
            while True:
                try:
                    options = self._options(milliseconds)
                    with self._session._failures:
                        got = handle.get(options)
                except errors.NoMessage:
                    return
                yield self._received(got, options)

    def browse(self, *, where: str = "") -> Iterator[ReceivedMessage]:
        """Read the messages that are there, and leave them there.

        >>> with qmgr.queue("ORDERS") as orders:
        ...     _ = orders.put("one espresso machine")
        ...     [message.text for message in orders.browse()], orders.depth()
        (['one espresso machine'], 1)
        """
        with self._selecting(_BROWSE, where) as handle:
            while True:
                try:
                    with self._session._failures:
                        message = handle.get(GetMessageOptions(_BROWSE_NEXT))
                except errors.NoMessage:
                    return
                yield ReceivedMessage(message)

    def serve(
        self,
        function: Answer,
        *,
        wait: timedelta | None = None,
        limit: int | None = None,
    ) -> int:
        """Answer requests with what `function` returns for each, until none comes in time; how
        many.

        Text, bytes or a value in JSON is the reply, None is none. Request, reply and what
        `function` does are a unit of work, which an exception backs out; BOTHRESH and BOQNAME
        apply.

        >>> with qmgr.queue("ORDERS") as orders:
        ...     _ = orders.put("one espresso machine")
        ...     orders.serve(lambda message: print(message.text), wait=timedelta(0))
        one espresso machine
        1
        """
        session = self._session
        with session._failures:
            consumer = session.connection.consumer(
                self.name,
                wait=milliseconds_of(wait),
                limit=limit,
                property_control="NONE",
            )
            with consumer:
                while True:
                    with session.unit():
                        got = consumer.receive()
                        if got is None:
                            return consumer.delivered
                        request = ReceivedMessage(got)
                        session._answer(request, function(request))

    def depth(self) -> int:
        """How many messages the queue holds, uncommitted ones included.

        >>> with qmgr.queue("ORDERS") as orders:
        ...     orders.depth()
        0
        """
        with self._session._failures:
            inquired = self._handle(_INQUIRE).inquire(MQIA.CURRENT_Q_DEPTH)
        return int(inquired[MQIA.CURRENT_Q_DEPTH])

    def _options(self, wait: int, msg_id: bytes = b"", correl_id: bytes = b"") -> GetMessageOptions:
        in_unit, in_handle = self._session._is_in_unit, self._sees_properties
        return get_options(
            wait,
            syncpoint=in_unit,
            msg_id=msg_id,
            correl_id=correl_id,
            in_handle=in_handle,
        )

    def _received(self, message: Message, options: GetMessageOptions) -> ReceivedMessage:
        """The message that a get with these options returned."""
        self._sees_properties = message.stored is not None
        return ReceivedMessage(message, options.message_handle)

    def _handle(self, purpose: int) -> ObjectHandle:
        """The MQI handle for a purpose, opened when it is first used."""
        handle = self._handles.get(purpose)
        if handle is None or not handle.is_open:
            handle = self._handles[purpose] = self._session.connection.open(self.name, purpose)
            self.name = handle.name
        return handle

    @contextmanager
    def _selecting(self, purpose: int, where: str) -> Iterator[ObjectHandle]:
        """A handle for the messages that `where` selects; the queue's own serves all gets of any
        message.
        """
        with self._session._failures:
            if where or purpose == _BROWSE:
                handle = self._session.connection.open(self.name, purpose, selection=where)
            else:
                handle = self._handle(purpose)
        try:
            yield handle
        finally:
            # It has a selector or a cursor of its own.
            if self._handles.get(purpose) is not handle:
                _close(handle)

    def close(self) -> None:
        """Close the queue; the next use opens it again.

        >>> orders = qmgr.queue("ORDERS")
        >>> orders.close()
        """
        while self._handles:
            _close(self._handles.popitem()[1])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<mqsc.Queue {self.name}>"


def _close(handle: ObjectHandle) -> None:
    """Close a handle, unless its connection has ended, which closed it."""
    connection = handle.connection
    if handle.is_open and connection.is_connected and not connection.is_inherited:
        with suppress(MQError):
            handle.close()


def _with(properties: Mapping[str, Value], options: PutMessageOptions) -> PutMessageOptions:
    return (
        PutMessageOptions(options.options, message_handle=handle_of(properties))
        if properties
        else options
    )


class _Failures:
    """A block whose MQErrors become those of the interface, with the similar names of the queue
    manager.
    """

    __slots__ = ("_manager",)

    def __init__(self, manager: QueueManager) -> None:
        self._manager = manager

    def __enter__(self) -> None:
        """Nothing is prepared: a block costs little, and may be in another one."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, MQError):
            explained = errors.explained(error, self._known)
            if explained is not error:
                raise explained from None

    def _known(self) -> Iterable[str]:
        from mqsc.store.admin.known_names import defined_names

        return defined_names(self._manager.store, self._manager.name, "queue")
