"""The handle of an open object: put, get, inquire and set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, overload

from mqsc.store.argument_checks import bits, checked_list, must_be
from mqsc.store.constants import MQCBT, MQPMO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.error import DiskFullError, MQError, at_exit
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.mqi import asynchronous
from mqsc.store.mqi.get import get, get_many
from mqsc.store.mqi.inquire import InquiredValues, inquire, set_attributes
from mqsc.store.mqi.open import close
from mqsc.store.mqi.put import put
from mqsc.store.mqi.state import HandleState
from mqsc.store.rules.putting import ASYNC_RESPONSE
from mqsc.store.sql.messages import AT_ONCE

if TYPE_CHECKING:
    from mqsc.store.client.connection import Connection


_PUT_DEFAULTS = PutMessageOptions()
GET_DEFAULTS = GetMessageOptions()


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
                GET_DEFAULTS if options is None else must_be(GetMessageOptions, options, "options")
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
        asked = GET_DEFAULTS if options is None else must_be(GetMessageOptions, options, "options")
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
