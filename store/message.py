"""Messages, and the options of MQGET and MQPUT, as programs pass and receive them."""

from __future__ import annotations

from msgspec import Struct, field

from mqsc.store.argument_checks import must_be
from mqsc.store.descriptor import BYTES_LIKE, ID_LENGTH, MessageDescriptor, padded


class Message(Struct, eq=False, gc=False):
    """Data and descriptor, and after a call its warning: completion 0 or 1, reason, and full length
    of the data.

    TypeError if the data is not bytes-like or the descriptor is not a MessageDescriptor.

    >>> mqsc.Message(b"one espresso machine", mqsc.MessageDescriptor(priority=5)).data_length
    20
    """

    body: bytes
    descriptor: MessageDescriptor = field(default_factory=MessageDescriptor)
    completion: int = 0
    reason: int = 0
    data_length: int = -1
    # The message with all its properties, if a get returned it in another form.
    stored: Message | None = None

    def __post_init__(self) -> None:
        if type(self.body) is not bytes:
            self.body = _as_bytes(self.body)
        if type(self.descriptor) is not MessageDescriptor:
            self.descriptor = _as_descriptor(self.descriptor)
        if self.data_length < 0:
            self.data_length = len(self.body)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Message):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in _COMPARED)

    def __repr__(self) -> str:
        shown = repr(self.body) if len(self.body) <= 40 else f"{self.body[:40]!r}..."
        return (
            f"Message({shown}, {self.descriptor!r}, completion={self.completion}, "
            f"reason={self.reason})"
        )


_COMPARED = tuple(name for name in Message.__struct_fields__ if name != "stored")


def _as_bytes(body: object) -> bytes:
    if isinstance(body, BYTES_LIKE):
        return bytes(body)
    raise TypeError(
        f"the data of a message must be bytes, not {type(body).__name__}; encode text first",
    )


def _as_descriptor(descriptor: object) -> MessageDescriptor:
    return (
        MessageDescriptor()
        if descriptor is None
        else must_be(MessageDescriptor, descriptor, "the descriptor of a message")
    )


class _Options(Struct, eq=False):
    options: int = 0

    def __repr__(self) -> str:
        fields = ", ".join(
            f"{name}={getattr(self, name)!r}" for name in sorted(self.__struct_fields__)
        )
        return f"{type(self).__name__}({fields})"


class GetMessageOptions(_Options, kw_only=True):
    """The MQGMO: options, the wait in milliseconds (-1: unlimited), and the values that
    `match_options` select.

    Identifiers are padded to 24 bytes; a longer one is a ValueError. Without `buffer_length`, any
    data fits.

    `message_handle` receives properties and MQMD. With `descriptor_in_handle` the program takes the
    MQMD from there, and a get that does not use the handle fails (2026). `property_control`
    replaces PROPCTL of the queue: ALL, COMPAT, FORCE, NONE, V6COMPAT, or STORED for the data as the
    store has it, which a program can put elsewhere with all properties. The wait counts from
    `waits_since`, a time of the queue manager's clock (microseconds UTC) at which the program
    decided how long to wait; without it, from the call.

    MQGMO.CONVERT converts to `coded_char_set_id` (0: the queue manager's) and `encoding`, which
    programs in C give in their MQMD. With `descriptor_version` 1, group and segment fields come in
    an MQMDE before the data.

    With `unless_backed_out` the get fails with 2033 when the next message has been backed out
    before.

    >>> mqsc.GetMessageOptions(mqsc.MQGMO.WAIT, wait_interval=1000).wait_interval
    1000
    """

    wait_interval: int = 0
    match_options: int = 0
    msg_id: bytes = b""
    correl_id: bytes = b""
    group_id: bytes = b""
    msg_seq_number: int = 1
    offset: int = 0
    buffer_length: int | None = None
    coded_char_set_id: int = 0
    encoding: int = 546
    message_handle: object | None = None
    descriptor_in_handle: bool = False
    property_control: str = ""
    descriptor_version: int = 2
    waits_since: int | None = None
    unless_backed_out: bool = False

    def __post_init__(self) -> None:
        self.msg_id = padded(self.msg_id, ID_LENGTH, "msg_id")
        self.correl_id = padded(self.correl_id, ID_LENGTH, "correl_id")
        self.group_id = padded(self.group_id, ID_LENGTH, "group_id")


class PutMessageOptions(_Options, kw_only=True):
    """The MQPMO: options, the handle whose context the MQPMO_PASS_* options use, and message
    handles.

    The message gets the properties of `message_handle` (NewMsgHandle). With `original_handle` it is
    made from another message, as `action` says (MQACTP). MQPMO.MD_FOR_OUTPUT_ONLY takes the MQMD
    from the handles too. `publication_level` (PubLevel, 0 to 9) decides which subscriptions a
    publication reaches: those with the highest level up to it.

    >>> mqsc.PutMessageOptions(mqsc.MQPMO.SYNCPOINT).options
    <MQPMO.SYNCPOINT: 2>
    """

    context: object | None = None
    message_handle: object | None = None
    original_handle: object | None = None
    action: int = 0
    publication_level: int = 9
