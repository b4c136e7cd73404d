"""The message descriptor, which programs hand over with a message and get back.

The descriptor is mutable with slots: one is made for every put and every get, and a frozen one costs several times as
much.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter

from store.put_timestamp import put_date, put_time

NO_ID = bytes(24)
NO_TOKEN = bytes(32)
ID_LENGTH, TOKEN_LENGTH = 24, 32
# Names and texts come out of fixed-length fields: the padding is no part of them.
PADDING = " \0"

BYTES_LIKE = (bytes, bytearray, memoryview)
# The fields in the order of the MQMD, which is the order of the constructor.
FIELDS = (
    "report",
    "msg_type",
    "expiry",
    "feedback",
    "encoding",
    "coded_char_set_id",
    "format",
    "priority",
    "persistence",
    "msg_id",
    "correl_id",
    "backout_count",
    "reply_to_q",
    "reply_to_q_mgr",
    "user_identifier",
    "accounting_token",
    "appl_identity_data",
    "put_appl_type",
    "put_appl_name",
    "put_date",
    "put_time",
    "appl_origin_data",
    "group_id",
    "msg_seq_number",
    "offset",
    "msg_flags",
    "original_length",
)
_TEXTS = "format reply_to_q reply_to_q_mgr user_identifier appl_identity_data put_appl_name appl_origin_data".split()
_IDS = ("msg_id", "correl_id", "accounting_token", "group_id")
# Beside numbers and ids: what a program mostly leaves as it is.
texts_of = attrgetter(*_TEXTS, "accounting_token", "_put_date", "_put_time")
_SLOTS = tuple(f"_{name}" if name in ("put_date", "put_time") else name for name in FIELDS)


class MessageDescriptor:
    """The MQMD: defaults as MQMD_DEFAULT, encoding 546 on every host, expiry in tenths of a second.

    Names are str without padding; ids are 24 bytes and the accounting token 32, shorter ones padded with NUL, longer
    ones a ValueError. `put_date` is YYYYMMDD and `put_time` HHMMSSth, both GMT; given as None they are told by `put_at`
    (microseconds UTC, None before a put). Assigning checks nothing: `copy()` brings the fields into form again.
    """

    __slots__ = (*_SLOTS, "put_at")
    __hash__ = None  # type: ignore[assignment]

    def __init__(
        self,
        report: int = 0,
        msg_type: int = 8,
        expiry: int = -1,
        feedback: int = 0,
        encoding: int = 546,
        coded_char_set_id: int = 0,
        format: str = "",
        priority: int = -1,
        persistence: int = 2,
        msg_id: bytes = NO_ID,
        correl_id: bytes = NO_ID,
        backout_count: int = 0,
        reply_to_q: str = "",
        reply_to_q_mgr: str = "",
        user_identifier: str = "",
        accounting_token: bytes = NO_TOKEN,
        appl_identity_data: str = "",
        put_appl_type: int = 0,
        put_appl_name: str = "",
        put_date: str | None = "",
        put_time: str | None = "",
        appl_origin_data: str = "",
        group_id: bytes = NO_ID,
        msg_seq_number: int = 1,
        offset: int = 0,
        msg_flags: int = 0,
        original_length: int = -1,
    ) -> None:
        try:
            self.report = report
            self.msg_type = msg_type
            self.expiry = expiry
            self.feedback = feedback
            self.encoding = encoding
            self.coded_char_set_id = coded_char_set_id
            self.format = format and format.rstrip(PADDING)
            self.priority = priority
            self.persistence = persistence
            self.msg_id = msg_id if len(msg_id) == ID_LENGTH else padded(msg_id, ID_LENGTH, "msg_id")
            self.correl_id = correl_id if len(correl_id) == ID_LENGTH else padded(correl_id, ID_LENGTH, "correl_id")
            self.backout_count = backout_count
            self.reply_to_q = reply_to_q and reply_to_q.rstrip(PADDING)
            self.reply_to_q_mgr = reply_to_q_mgr and reply_to_q_mgr.rstrip(PADDING)
            self.user_identifier = user_identifier and user_identifier.rstrip(PADDING)
            self.accounting_token = (
                accounting_token
                if len(accounting_token) == TOKEN_LENGTH
                else padded(accounting_token, TOKEN_LENGTH, "accounting_token")
            )
            self.appl_identity_data = appl_identity_data and appl_identity_data.rstrip(PADDING)
            self.put_appl_type = put_appl_type
            self.put_appl_name = put_appl_name and put_appl_name.rstrip(PADDING)
            self._put_date = put_date
            self._put_time = put_time
            self.appl_origin_data = appl_origin_data and appl_origin_data.rstrip(PADDING)
            self.group_id = group_id if len(group_id) == ID_LENGTH else padded(group_id, ID_LENGTH, "group_id")
            self.msg_seq_number = msg_seq_number
            self.offset = offset
            self.msg_flags = msg_flags
            self.original_length = original_length
        except (AttributeError, TypeError):
            # Of the fields with padding; that of numbers is looked at when the message is put.
            raise TypeError(_wrong_type(locals())) from None
        self.put_at: int | None = None

    @property
    def put_date(self) -> str:
        """When the message was put: YYYYMMDD, GMT; blank in a descriptor that was never put."""
        if self._put_date is None:
            return "" if self.put_at is None else put_date(self.put_at)
        return self._put_date

    @put_date.setter
    def put_date(self, text: str | None) -> None:
        self._put_date = text

    @property
    def put_time(self) -> str:
        """When the message was put: HHMMSSth (to hundredths), GMT; blank in a descriptor that was never put."""
        if self._put_time is None:
            return "" if self.put_at is None else put_time(self.put_at)
        return self._put_time

    @put_time.setter
    def put_time(self, text: str | None) -> None:
        self._put_time = text

    @property
    def given_put_date(self) -> str | None:
        """The put date as a program set it, or None when `put_at` tells it: the form that is stored."""
        return self._put_date

    @property
    def given_put_time(self) -> str | None:
        """The put time as a program set it, or None when `put_at` tells it: the form that is stored."""
        return self._put_time

    def copy(self) -> MessageDescriptor:
        """Another descriptor with the same fields, ids padded and names without padding; ValueError for a long id."""
        twin = MessageDescriptor(
            self.report,
            self.msg_type,
            self.expiry,
            self.feedback,
            self.encoding,
            self.coded_char_set_id,
            self.format,
            self.priority,
            self.persistence,
            self.msg_id,
            self.correl_id,
            self.backout_count,
            self.reply_to_q,
            self.reply_to_q_mgr,
            self.user_identifier,
            self.accounting_token,
            self.appl_identity_data,
            self.put_appl_type,
            self.put_appl_name,
            self._put_date,
            self._put_time,
            self.appl_origin_data,
            self.group_id,
            self.msg_seq_number,
            self.offset,
            self.msg_flags,
            self.original_length,
        )
        twin.put_at = self.put_at
        return twin

    def twin(self) -> MessageDescriptor:
        """Another descriptor with the same fields as they are: half the work of copy(), for one that is in form."""
        twin = MessageDescriptor.__new__(MessageDescriptor)
        twin.report = self.report
        twin.msg_type = self.msg_type
        twin.expiry = self.expiry
        twin.feedback = self.feedback
        twin.encoding = self.encoding
        twin.coded_char_set_id = self.coded_char_set_id
        twin.format = self.format
        twin.priority = self.priority
        twin.persistence = self.persistence
        twin.msg_id = self.msg_id
        twin.correl_id = self.correl_id
        twin.backout_count = self.backout_count
        twin.reply_to_q = self.reply_to_q
        twin.reply_to_q_mgr = self.reply_to_q_mgr
        twin.user_identifier = self.user_identifier
        twin.accounting_token = self.accounting_token
        twin.appl_identity_data = self.appl_identity_data
        twin.put_appl_type = self.put_appl_type
        twin.put_appl_name = self.put_appl_name
        twin._put_date = self._put_date
        twin._put_time = self._put_time
        twin.appl_origin_data = self.appl_origin_data
        twin.group_id = self.group_id
        twin.msg_seq_number = self.msg_seq_number
        twin.offset = self.offset
        twin.msg_flags = self.msg_flags
        twin.original_length = self.original_length
        twin.put_at = self.put_at
        return twin

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MessageDescriptor):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in FIELDS)

    def __repr__(self) -> str:
        told = ((name, getattr(self, name)) for name in FIELDS)
        changed = ", ".join(f"{name}={value!r}" for name, value in told if value != getattr(_DEFAULT, name))
        return f"MessageDescriptor({changed})"


def padded(given: bytes, length: int, field: str) -> bytes:
    """A shorter byte field, padded with NUL to its length; ValueError when it is longer, TypeError when it is none."""
    if not isinstance(given, BYTES_LIKE):
        raise TypeError(f"{field} is {type(given).__name__}; bytes is right")
    if len(given) > length:
        raise ValueError(f"{field} has {len(given)} bytes; at most {length} are right")
    return bytes(given).ljust(length, b"\0")


def _wrong_type(given: Mapping[str, object]) -> str:
    """Which field was given a value of another type, and what would be right."""
    kinds = {**dict.fromkeys(_TEXTS, (str,)), **dict.fromkeys(_IDS, BYTES_LIKE)}
    wrong = next(name for name, kind in kinds.items() if not isinstance(given[name], kind))
    return f"{wrong} is {type(given[wrong]).__name__}; {kinds[wrong][0].__name__} is right"


_DEFAULT = MessageDescriptor()
