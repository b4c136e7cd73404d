"""The message descriptor (MQMD) as a value.

It is mutable, because every put and get changes some fields of one.
"""

from __future__ import annotations

import struct
from typing import Any

from msgspec import Struct
from msgspec.structs import astuple

from mqsc.store.constants import MQ, MQEI, MQENC, MQMT, MQOL, MQPER, MQPRI
from mqsc.store.message_times import put_date, put_time

ID_LENGTH, TOKEN_LENGTH = int(MQ.MSG_ID_LENGTH), int(MQ.ACCOUNTING_TOKEN_LENGTH)
NO_ID = bytes(ID_LENGTH)
NO_TOKEN = bytes(TOKEN_LENGTH)
DATAGRAM = int(MQMT.DATAGRAM)
UNLIMITED = int(MQEI.UNLIMITED)
NATIVE = int(MQENC.NATIVE)
PRIORITY_AS_Q_DEF = int(MQPRI.PRIORITY_AS_Q_DEF)
PERSISTENCE_AS_Q_DEF = int(MQPER.PERSISTENCE_AS_Q_DEF)
UNDEFINED_LENGTH = int(MQOL.UNDEFINED)
# Names and other texts come from fixed-length fields, whose padding is removed.
PADDING = " \0"

BYTES_LIKE = (bytes, bytearray, memoryview)
_TEXTS = (
    "format reply_to_q reply_to_q_mgr user_identifier appl_identity_data put_appl_name "
    "appl_origin_data"
).split()
_LENGTHS = {
    "msg_id": ID_LENGTH,
    "correl_id": ID_LENGTH,
    "accounting_token": TOKEN_LENGTH,
    "group_id": ID_LENGTH,
}
_pack_numbers = struct.Struct("14i").pack
# The values of a descriptor but its identifiers and times: all numbers in one value, and the
# others.
Likeness = tuple[object, ...]


class DescriptorFields(Struct, eq=False, gc=False):
    """The fields of the MQMD in their order, as they are stored: no date or time is one that
    comes from `put_at`.
    """

    report: int = 0
    msg_type: int = DATAGRAM
    expiry: int = UNLIMITED
    feedback: int = 0
    encoding: int = NATIVE
    coded_char_set_id: int = 0
    format: str = ""
    priority: int = PRIORITY_AS_Q_DEF
    persistence: int = PERSISTENCE_AS_Q_DEF
    msg_id: bytes = NO_ID
    correl_id: bytes = NO_ID
    backout_count: int = 0
    reply_to_q: str = ""
    reply_to_q_mgr: str = ""
    user_identifier: str = ""
    accounting_token: bytes = NO_TOKEN
    appl_identity_data: str = ""
    put_appl_type: int = 0
    put_appl_name: str = ""
    put_date: str | None = ""
    put_time: str | None = ""
    appl_origin_data: str = ""
    group_id: bytes = NO_ID
    msg_seq_number: int = 1
    offset: int = 0
    msg_flags: int = 0
    original_length: int = UNDEFINED_LENGTH


FIELDS = DescriptorFields.__struct_fields__


class MessageDescriptor(DescriptorFields, eq=False, gc=False):
    """The MQMD: defaults as in MQMD_DEFAULT, encoding 546 on every host, expiry in tenths of a
    second.

    Names are str without padding. Identifiers have 24 bytes and the accounting token 32; shorter
    values are padded with NUL, longer ones are a ValueError. `put_date` is YYYYMMDD and `put_time`
    HHMMSSth, both GMT; if they are None, they are computed from `put_at` (microseconds UTC, None
    before a put). Assignments are not checked: `copy()` pads and strips the fields again. One that
    is made with `put_at` comes from a store, where they are padded and stripped.

    >>> mqsc.MessageDescriptor(priority=5, expiry=300).format
    ''
    """

    put_at: int | None = None
    # In the descriptor that a put returns: where the message went, as in ResolvedQName and
    # ResolvedQMgrName.
    resolved_q_name: str = ""
    resolved_q_mgr_name: str = ""

    def __post_init__(self) -> None:
        if self.put_at is not None:
            return
        try:
            self.format = self.format and self.format.rstrip(PADDING)
            self.reply_to_q = self.reply_to_q and self.reply_to_q.rstrip(PADDING)
            self.reply_to_q_mgr = self.reply_to_q_mgr and self.reply_to_q_mgr.rstrip(PADDING)
            self.user_identifier = self.user_identifier and self.user_identifier.rstrip(PADDING)
            self.appl_identity_data = self.appl_identity_data and self.appl_identity_data.rstrip(
                PADDING,
            )
            self.put_appl_name = self.put_appl_name and self.put_appl_name.rstrip(PADDING)
            self.appl_origin_data = self.appl_origin_data and self.appl_origin_data.rstrip(PADDING)
            are_full = len(self.msg_id) == len(self.correl_id) == len(self.group_id) == ID_LENGTH
            if not are_full or len(self.accounting_token) != TOKEN_LENGTH:
                for name, length in _LENGTHS.items():
                    setattr(self, name, padded(getattr(self, name), length, name))
        except (AttributeError, TypeError):
            # Only from fields with padding; numbers are checked when the message is put.
            raise TypeError(_wrong_type(self)) from None

    @property  # type: ignore[misc]
    def put_date(self) -> str:
        """The date of the put: YYYYMMDD, GMT; blank before a put.

        >>> mqsc.MessageDescriptor(put_date="20260131").put_date
        '20260131'
        """
        if self.given_put_date is None:
            return "" if self.put_at is None else put_date(self.put_at)
        return self.given_put_date

    @put_date.setter
    def put_date(self, text: str | None) -> None:
        self.given_put_date = text

    @property  # type: ignore[misc]
    def put_time(self) -> str:
        """The time of the put: HHMMSSth (to hundredths of a second), GMT; blank before a put.

        >>> mqsc.MessageDescriptor(put_time="23595999").put_time
        '23595999'
        """
        if self.given_put_time is None:
            return "" if self.put_at is None else put_time(self.put_at)
        return self.given_put_time

    @put_time.setter
    def put_time(self, text: str | None) -> None:
        self.given_put_time = text

    # The put date and time that a program set, or None if they come from `put_at`; stored in this
    # form.
    given_put_date, given_put_time = DescriptorFields.put_date, DescriptorFields.put_time

    def copy(self) -> MessageDescriptor:
        """A copy with identifiers padded and names stripped; ValueError for an identifier that is
        too long.

        >>> mqsc.MessageDescriptor(correl_id=b"order 7").copy().correl_id == b"order 7".ljust(24, b"\\0")
        True
        """
        made = MessageDescriptor(*self.fields())
        made.put_at = self.put_at
        return made

    def fields(self) -> tuple[Any, ...]:
        """The values of FIELDS; None for a date or time that comes from `put_at`.

        >>> mqsc.MessageDescriptor(priority=5).fields()[7]
        5
        """
        return astuple(self)[: len(FIELDS)]

    def likeness(self) -> Likeness:
        """All fields but identifiers and times, to look up a descriptor that differs in those
        alone.

        Of the times, their types and lengths. TypeError when a number or an identifier does not fit
        its field.

        >>> mqsc.MessageDescriptor(msg_id=b"1").likeness() == mqsc.MessageDescriptor(msg_id=b"2").likeness()
        True
        """
        msg_id = self.msg_id
        correl_id = self.correl_id
        group_id = self.group_id
        if (
            not type(msg_id)
            is type(correl_id)
            is type(group_id)
            is type(self.accounting_token)
            is bytes
        ):
            raise TypeError("an identifier is not bytes")
        if not len(msg_id) == len(correl_id) == len(group_id) == ID_LENGTH:
            raise TypeError("an identifier has another length")
        try:
            numbers = _pack_numbers(
                self.report,
                self.msg_type,
                self.expiry,
                self.feedback,
                self.encoding,
                self.coded_char_set_id,
                self.priority,
                self.persistence,
                self.backout_count,
                self.put_appl_type,
                self.msg_seq_number,
                self.offset,
                self.msg_flags,
                self.original_length,
            )
        except struct.error as error:
            raise TypeError(str(error)) from None
        date, time = self.given_put_date, self.given_put_time
        return (
            numbers,
            self.format,
            self.reply_to_q,
            self.reply_to_q_mgr,
            self.user_identifier,
            self.accounting_token,
            self.appl_identity_data,
            self.put_appl_name,
            self.appl_origin_data,
            type(date),
            type(time),
            date and len(date),
            time and len(time),
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MessageDescriptor):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in FIELDS)

    def __repr__(self) -> str:
        fields = ((name, getattr(self, name)) for name in FIELDS)
        changed = ", ".join(
            f"{name}={value!r}" for name, value in fields if value != getattr(_DEFAULT, name)
        )
        return f"MessageDescriptor({changed})"


def padded(value: bytes, length: int, field: str) -> bytes:
    """A byte field padded with NUL to its length; ValueError if it is longer, TypeError if it is
    not bytes-like.
    """
    if not isinstance(value, BYTES_LIKE):
        raise TypeError(f"{field} must be bytes, not {type(value).__name__}")
    if len(value) > length:
        raise ValueError(f"{field} has {len(value)} bytes; at most {length} are allowed")
    return bytes(value).ljust(length, b"\0")


def _wrong_type(descriptor: MessageDescriptor) -> str:
    """The message about the first field whose value has the wrong type."""
    kinds = {**dict.fromkeys(_TEXTS, (str,)), **dict.fromkeys(_LENGTHS, BYTES_LIKE)}
    wrong = next(
        name for name, kind in kinds.items() if not isinstance(getattr(descriptor, name), kind)
    )
    has = type(getattr(descriptor, wrong))
    return f"{wrong} must be {kinds[wrong][0].__name__}, not {has.__name__}"


# A descriptor and the data that it describes.
DescribedData = tuple[MessageDescriptor, bytes]

_DEFAULT = MessageDescriptor()
