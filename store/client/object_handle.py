"""An open object: what MQOPEN returns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, overload

from store.argument_checks import bits, must_be, several
from store.descriptor import MessageDescriptor
from store.engine.name_resolution import Destination
from store.error import MQError
from store.message import GetMessageOptions, Message, PutMessageOptions
from store.mqi.get import get
from store.mqi.put import put
from store.mqi.put_cache import PreparedPuts
from store.rules.grouping import GroupPosition

if TYPE_CHECKING:
    from store.client.connection import Connection


class Cursor(NamedTuple):
    """Where a browse stands: the message last browsed, by its place in the queue."""

    message: int
    rank: int
    sequence: int


class ObjectHandle:
    """An open queue, process, namelist or queue manager. Open until close() or the end of its connection."""

    def __init__(
        self,
        connection: Connection,
        number: int,
        name: str,
        options: int,
        destination: Destination | None,
        namespace: str = "queue",
    ) -> None:
        self.connection = connection
        self.number = number
        self.name = name
        self.options = options
        self.namespace = namespace
        self.alternate_user = ""
        self.cursor: Cursor | None = None
        self.holds_lock = False
        # Sequence numbers of the messages marked by MQGMO_MARK_BROWSE_HANDLE.
        self.marked: set[int] = set()
        # The descriptor of the last destructive get, for MQPMO_PASS_*_CONTEXT; None when there is none.
        self.saved_context: MessageDescriptor | None = None
        # Where it stands in a message group, by kind of call, and whether its last get was in logical order.
        self.standings: dict[str, GroupPosition] = {}
        self.in_logical_order: bool | None = None
        self.is_open = True
        # The objects that a name led to; None for a process, namelist or queue manager.
        self.destination = destination
        self.decisions = PreparedPuts()
        # The guess whether the next message is persistent, so that its get begins as a synced transaction.
        self.expects_persistent = destination is not None and bool(destination.first.default_persistence)

    @overload
    def put(self, message: Message, options: PutMessageOptions | None = None) -> MessageDescriptor: ...
    @overload
    def put(self, message: Sequence[Message], options: PutMessageOptions | None = None) -> list[MessageDescriptor]: ...
    def put(
        self, message: Message | Sequence[Message], options: PutMessageOptions | None = None
    ) -> MessageDescriptor | list[MessageDescriptor]:
        """MQPUT: one message, or a list in one transaction, all or nothing (MQError.index says which was refused).

        Returns the descriptor, or descriptors, as placed; a completion of MQCC_WARNING is on the Message given.
        """
        connection = self.connection
        connection.begin_call()
        try:
            asked = _PUT_DEFAULTS if options is None else must_be(PutMessageOptions, options, "options")
            if isinstance(message, Message):
                return put(self, (message,), asked)[0]
            return put(self, several(Message, message, "a Message, or a list of them, can be put"), asked)
        except MQError as error:
            if error.index is None and not isinstance(message, Message):
                # What refuses the queue or the call refuses the first of the list.
                error.index = 0
            raise
        finally:
            connection.end_call()

    def get(self, options: GetMessageOptions | None = None) -> Message:
        """MQGET, destructive or browse as the options say; MQError 2033 when there is no message."""
        connection = self.connection
        connection.begin_call()
        try:
            return get(self, _GET_DEFAULTS if options is None else must_be(GetMessageOptions, options, "options"))
        finally:
            connection.end_call()

    def inquire(self, *selectors: int) -> dict[int, int | str]:
        """MQINQ: the values of MQIA and MQCA selectors, -1 or asterisks for one that this object does not have."""
        from store.mqi.inquire import inquire

        with self.connection.call():
            return inquire(self, several(int, selectors, "selectors are MQIA and MQCA numbers"))

    def set(self, values: Mapping[int, int | str]) -> None:
        """MQSET: change attributes at once, never undone by MQBACK; all or none."""
        from store.mqi.set import set_attributes

        with self.connection.call():
            if not isinstance(values, Mapping):
                raise TypeError(f"values by their selectors can be set, not {type(values).__name__}")
            several(int, values, "selectors are MQIA and MQCA numbers")
            set_attributes(self, values)

    def close(self, options: int = 0) -> int:
        """MQCLOSE with MQCO options; a temporary dynamic queue goes with the handle that made it.

        Returns the reason of a warning: 2241 or 2242 when a group or message was left incomplete, else 0.
        """
        from store.mqi.close import close

        with self.connection.call():
            return close(self, bits(options, "options"))


_PUT_DEFAULTS = PutMessageOptions()
_GET_DEFAULTS = GetMessageOptions()
