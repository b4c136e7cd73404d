"""Messages of the interface: data, properties and fields as Python values, in both directions."""

from __future__ import annotations

import json as json_module
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final, TypeAlias, TypedDict, Unpack

from mqsc.store.argument_checks import must_be
from mqsc.store.client.message_handle import MessageHandle
from mqsc.store.constants import MQFMT, MQGMO, MQMO, MQPER
from mqsc.store.descriptor import UNLIMITED, MessageDescriptor
from mqsc.store.headers.character_sets import codec_of
from mqsc.store.message import GetMessageOptions, Message
from mqsc.store.message_times import MICROSECONDS, put_moment
from mqsc.store.rules.properties.property_types import Value

_STRING = str(MQFMT.STRING)
_NONE = str(MQFMT.NONE)
_UTF_8 = 1208
_PERSISTENT, _NOT_PERSISTENT = int(MQPER.PERSISTENT), int(MQPER.NOT_PERSISTENT)
_GET, _IN_HANDLE = int(MQGMO.FAIL_IF_QUIESCING), int(MQGMO.PROPERTIES_IN_HANDLE)
_NO_PROPERTIES = int(MQGMO.NO_PROPERTIES)
_WAIT = int(MQGMO.WAIT)
_BROWSE_NEXT = int(MQGMO.BROWSE_NEXT | MQGMO.FAIL_IF_QUIESCING | MQGMO.NO_PROPERTIES)
_SYNCPOINT = int(MQGMO.SYNCPOINT)
_NO_SYNCPOINT = int(MQGMO.NO_SYNCPOINT)
_MATCH_MSG_ID, _MATCH_CORREL_ID = int(MQMO.MATCH_MSG_ID), int(MQMO.MATCH_CORREL_ID)
_MILLISECOND, _TENTH = timedelta(milliseconds=1), timedelta(milliseconds=100)
_FOR_EVER, _LONGEST = -1, (1 << 31) - 1


class Nothing:
    """The default of `json`, where None is a value."""

    def __repr__(self) -> str:
        return "NOTHING"


NOTHING: Final = Nothing()
Body: TypeAlias = "str | bytes | Message | ReceivedMessage | None"


class ReceivedMessage:
    """A message that was got or browsed: its data, its properties and the fields of its descriptor.

    >>> with qmgr.queue("ORDERS") as orders:
    ...     _ = orders.put(json={"item": "espresso machine"}, priority=5, color="red")
    ...     message = orders.get()
    >>> message.json(), message.priority, message.properties
    ({'item': 'espresso machine'}, 5, {'color': 'red'})
    >>> message
    <mqsc.ReceivedMessage of 28 bytes, priority 5: b'{"item": "espresso machine"}'>
    """

    __module__ = "mqsc"
    __slots__ = ("_properties", "_received", "message")

    def __init__(self, message: Message, received: object | None = None) -> None:
        """`message` is the one that the MQI returned, `received` the message handle with its
        properties, if any.
        """
        self.message = message
        self._received = received
        self._properties: Mapping[str, Value] | None = None

    @property
    def topic(self) -> str:
        """The topic string of a publication; blank for another message.

        >>> with qmgr.queue("ORDERS") as orders:
        ...     _ = orders.put("one espresso machine")
        ...     orders.get().topic
        ''
        """
        return str(self.properties.get("MQTopicString", ""))

    @property
    def body(self) -> bytes:
        """The data.

        >>> first.body
        b'one espresso machine'
        """
        return self.message.body

    @property
    def text(self) -> str:
        """The data as text, by its CCSID. ValueError if it is not text in that.

        >>> first.text
        'one espresso machine'
        """
        descriptor = self.message.descriptor
        codec = codec_of(max(descriptor.coded_char_set_id, 0), descriptor.encoding)
        if codec is None:
            raise ValueError(
                f"the text is in CCSID {descriptor.coded_char_set_id}, which is unknown; read body",
            )
        return self.message.body.decode(codec)

    def json(self) -> Any:
        """The value that the data is in JSON. ValueError if it is not JSON.

        >>> with qmgr.queue("ORDERS") as orders:
        ...     _ = orders.put(json=[1, 2])
        ...     orders.get().json()
        [1, 2]
        """
        return json_module.loads(self.text)

    @property
    def properties(self) -> Mapping[str, Value]:
        """The properties by name; None is the null value.

        >>> first.properties["color"]
        'red'
        """
        if self._properties is None:
            handle = self._received
            if not isinstance(handle, MessageHandle):
                handle = MessageHandle(None)
                if self.message.stored is not None:
                    handle.from_buffer(self.message.stored)
            self._properties = handle.values
        return self._properties

    @property
    def descriptor(self) -> MessageDescriptor:
        """All fields, as in MQ.

        >>> first.descriptor.format
        'MQSTR'
        """
        return self.message.descriptor

    @property
    def msg_id(self) -> bytes:
        """The identifier, 24 bytes.

        >>> len(first.msg_id)
        24
        """
        return self.message.descriptor.msg_id

    @property
    def correl_id(self) -> bytes:
        """The identifier that relates it to another message, 24 bytes; of a reply, the `msg_id` of
        the request.

        >>> any(first.correl_id)
        False
        """
        return self.message.descriptor.correl_id

    @property
    def reply_to(self) -> str:
        """The queue for replies; blank if none is wanted.

        >>> first.reply_to
        ''
        """
        return self.message.descriptor.reply_to_q

    @property
    def priority(self) -> int:
        """The priority, from 0 to 9.

        >>> first.priority
        5
        """
        return self.message.descriptor.priority

    @property
    def persistent(self) -> bool:
        """Whether the message survives a restart of the queue manager.

        >>> first.persistent
        False
        """
        return self.message.descriptor.persistence == _PERSISTENT

    @property
    def expiry(self) -> timedelta | None:
        """How long it would still have lived, to a tenth of a second; None: forever.

        >>> first.expiry <= timedelta(minutes=1)
        True
        """
        tenths = self.message.descriptor.expiry
        return None if tenths == UNLIMITED else tenths * _TENTH

    @property
    def put_at(self) -> datetime | None:
        """When it was put, in UTC; None if its descriptor has no valid time.

        >>> first.put_at.tzinfo
        datetime.timezone.utc
        """
        descriptor = self.message.descriptor
        at = descriptor.put_at
        if at is None:
            at = put_moment(descriptor.put_date or "", descriptor.put_time or "")
        return (
            None
            if at is None
            else datetime.fromtimestamp(0, UTC) + timedelta(seconds=at / MICROSECONDS)
        )

    @property
    def backout_count(self) -> int:
        """How often a unit of work that got it was backed out.

        >>> first.backout_count
        0
        """
        return self.message.descriptor.backout_count

    def __repr__(self) -> str:
        shown = repr(self.body) if len(self.body) <= 40 else f"{self.body[:40]!r}..."
        return (
            f"<mqsc.ReceivedMessage of {len(self.body)} bytes, priority {self.priority}: {shown}>"
        )


class DescriptorFields(TypedDict, total=False):
    """The fields of a descriptor that the interface sets; None leaves one as it is."""

    msg_type: int | None
    report: int | None
    expiry: int | None
    priority: int | None
    persistence: int | None
    msg_id: bytes | None
    correl_id: bytes | None
    reply_to_q: str | None


def message_of(body: Body, json: object, **fields: Unpack[DescriptorFields]) -> Message:
    """The message to put: text as UTF-8 with Format MQSTR, bytes as they are, `json` as its text.

    `fields` are those of a descriptor; None leaves the default, or what a Message given says.
    TypeError for other data.
    """
    if json is not NOTHING:
        if body is not None:
            raise TypeError("give the data as text, bytes or json, not two of them")
        body = json_module.dumps(json)
    present: dict[str, Any] = {name: value for name, value in fields.items() if value is not None}
    if isinstance(body, str):
        return Message(
            body.encode(),
            MessageDescriptor(format=_STRING, coded_char_set_id=_UTF_8, **present),
        )
    if isinstance(body, bytes | bytearray | memoryview):
        return Message(body, MessageDescriptor(**present))
    if not isinstance(body, Message):
        raise TypeError(
            f"what is the data? give text, bytes, json= or a Message, not {type(body).__name__}",
        )
    descriptor = body.descriptor.copy()
    for name, value in present.items():
        setattr(descriptor, name, value)
    return Message(body.body, descriptor.copy())


def persistence_of(persistent: bool | None) -> int | None:
    """The Persistence of a message; None: as the queue says."""
    if persistent is None:
        return None
    return _PERSISTENT if must_be(bool, persistent, "persistent") else _NOT_PERSISTENT


def handle_of(properties: Mapping[str, Value]) -> MessageHandle:
    """A message handle with these properties; MQError 2442 or 2513 for a name that is not
    allowed.
    """
    handle = MessageHandle(None)
    for name, value in properties.items():
        try:
            handle.set(name, value)
        except (TypeError, ValueError) as fault:
            # All names that `put` does not know are properties: a wrong one should be found.
            raise type(fault)(f"{name}: {fault}") from None
    return handle


def tenths_of(expiry: timedelta | None, what: str = "expiry") -> int | None:
    """The Expiry of a message, at least a tenth of a second; ValueError for a time that is not
    after now.
    """
    return None if expiry is None else _counted(what, expiry, _TENTH, 1)


def milliseconds_of(wait: timedelta | None, what: str = "wait") -> int:
    """The wait interval of a get; -1, forever, for None. ValueError for a negative or too long
    time.
    """
    return _FOR_EVER if wait is None else _counted(what, wait, _MILLISECOND, 0)


def _counted(what: str, time: object, unit: timedelta, least: int) -> int:
    """How many units, the last one begun, a time has; at least so many."""
    if not isinstance(time, timedelta):
        raise TypeError(f"{what} must be a timedelta, such as timedelta(seconds=5), not {time!r}")
    number = -(-time // unit)
    if not least <= number <= _LONGEST:
        raise ValueError(
            f"{what} must be from {least * unit} to {_LONGEST * unit}, or None forever; it is "
            f"{time}",
        )
    return number


def get_options(
    wait: int,
    *,
    syncpoint: bool,
    msg_id: bytes = b"",
    correl_id: bytes = b"",
    in_handle: bool = False,
) -> GetMessageOptions:
    """The options of a get that waits so many milliseconds; blank identifiers match any message.

    Properties come `in_handle`, or are decoded from the stored message when they are asked for,
    which costs a get of a message without any nothing.
    """
    options = _GET | (_SYNCPOINT if syncpoint else _NO_SYNCPOINT) | (_WAIT if wait else 0)
    options |= _IN_HANDLE if in_handle else _NO_PROPERTIES
    handle = MessageHandle(None) if in_handle else None
    matched = (_MATCH_MSG_ID if msg_id else 0) | (_MATCH_CORREL_ID if correl_id else 0)
    return GetMessageOptions(
        options,
        wait_interval=wait,
        match_options=matched,
        msg_id=msg_id,
        correl_id=correl_id,
        message_handle=handle,
    )


def browse_options(wait: int) -> GetMessageOptions:
    """The options that read the next message, waiting so many milliseconds, and leave it there."""
    return GetMessageOptions(_BROWSE_NEXT | (_WAIT if wait else 0), wait_interval=wait)


def without_wait(options: GetMessageOptions) -> GetMessageOptions:
    """The same get for a caller that waits by itself, as long as these options say."""
    options.options &= ~_WAIT
    return options
