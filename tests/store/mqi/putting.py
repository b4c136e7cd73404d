"""A program that puts while others change what it puts to, and everything that came of it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, literal_column, select

from store.admin.altering import change, change_queue_manager
from store.admin.defining import create
from store.admin.deleting import delete
from store.catalog import KINDS
from store.client.api import ObjectHandle
from store.client.open_store import open_store
from store.constants import MQOO
from store.descriptor import FIELDS, MessageDescriptor
from store.environment import Environment
from store.error import MQError
from store.headers import mqdlh
from store.message import Message, PutMessageOptions
from store.sql.schema import event, message, queue
from store.sqlite.database import Reading
from store.sqlite.statement import Statement
from tests.conftest import START

# An identifier that the queue manager makes: the same name, and a number of 8 bytes.
MADE = re.compile(rb"AMQ QM1 {9}.{8}", re.DOTALL)
_MADE_IN_JSON = re.compile(f"{b'AMQ QM1'.hex()}(20){{9}}[0-9a-f]{{16}}", re.IGNORECASE)
OUTPUT = MQOO.OUTPUT | MQOO.SET | MQOO.SET_ALL_CONTEXT
OBJECTS: Sequence[tuple[str, str, Mapping[str, Any]]] = [
    ("QLOCAL", "Q", {"MAXMSGL": 200}),
    ("QALIAS", "A", {"TARGET": "Q"}),
    ("QLOCAL", "REPLIES", {}),
    ("QREMOTE", "REPLY", {"RNAME": "ANSWERS", "RQMNAME": "QM2"}),
    ("QLOCAL", "XQ", {"USAGE": "XMITQ"}),
    ("QREMOTE", "FAR", {"RNAME": "THERE", "RQMNAME": "QM2", "XMITQ": "XQ"}),
    ("QMODEL", "TEMP", {"DEFTYPE": "TEMPDYN"}),
]
HEADER = mqdlh.DeadLetterHeader(2053, "LOST", "QM1", 546, 1208, "", 6, "app", "20231114", "22132000")
# The data of messages, by name: of every length that matters, with a dead-letter header or without.
BODIES = {"none": b"", "short": b"x", "fits": b"x" * 180, "long": b"x" * 201, "dead": mqdlh.pack(HEADER) + b"x"}
_HAPPENED = select(*(column for column in event.columns if column.name != "seq")).order_by(event.c.seq)
# The event of the queue manager's start is not the program's.
_EVENT_QUEUE: ColumnElement[str] = literal_column("'SYSTEM.ADMIN.QMGR.EVENT'")
_OTHERS = message.c.queue != select(queue.c.id).where(queue.c.name == _EVENT_QUEUE).scalar_subquery()
_KEPT = {
    "messages": Statement(select(message).where(_OTHERS).order_by(message.c.id)),
    "queues": Statement(select(queue).order_by(queue.c.id)),
    # However often the program opens a queue.
    "history": Statement(
        _HAPPENED.where(
            event.c.kind.not_in([literal_column("'OPEN'"), literal_column("'CLOSE'")]),
            event.c.queue.is_distinct_from(_EVENT_QUEUE) | (event.c.kind != literal_column("'PUT'")),
        )
    ),
}


class Given(NamedTuple):
    """A message that a program puts: the fields it sets one by one, and which data."""

    fields: Mapping[str, Any]
    body: str

    def message(self) -> Message:
        """A new one."""
        descriptor = MessageDescriptor()
        for name, value in self.fields.items():
            setattr(descriptor, name, value)
        return Message(BODIES[self.body], descriptor)


class World:
    """A store in memory and one program, which has every queue open; what it is told and keeps can be compared."""

    def __init__(self) -> None:
        self.environment = Environment.frozen(at=START)
        self.store = open_store("sqlite://", environment=self.environment)
        self.qmgr = self.store.create_queue_manager("QM1")
        for kind, name, attributes in OBJECTS:
            create(self.qmgr, KINDS[kind], name, attributes)
        self.connection = self.qmgr.connect()
        names = ("Q", "A", "XQ", "FAR", "TEMP")
        self.handles = {name: self.connection.open(name, OUTPUT, dynamic_name="T.*") for name in names}

    def handle(self, name: str) -> ObjectHandle:
        """The handle to put through."""
        return self.handles[name]

    def put(self, name: str, asked: int, given: Sequence[Given]) -> list[Any]:
        """What a put of these messages returns or is refused with, and what it notes on them."""
        messages = [each.message() for each in given]
        try:
            placed = self.handle(name).put(messages, PutMessageOptions(asked))
        except (MQError, TypeError, ValueError) as refused:
            return [repr(refused), getattr(refused, "index", None)]
        told = [as_told(each) for each in placed]
        for descriptor in placed:
            overwrite(descriptor)
        return [told, [(each.completion, each.reason) for each in messages]]

    def alter(self, kind: str, name: str, attributes: Mapping[str, Any]) -> str:
        """ALTER, or why it is refused; a REPLY of another kind is another object."""
        try:
            if kind == "QMGR":
                change_queue_manager(self.qmgr, attributes)
            elif name == "REPLY":
                self.replace(kind, name, attributes)
            else:
                change(self.qmgr, KINDS[kind], name, attributes)
        except MQError as refused:
            return repr(refused)
        return ""

    def replace(self, kind: str, name: str, attributes: Mapping[str, Any]) -> None:
        """DELETE whatever has the name, and DEFINE it anew."""
        for before in ("QREMOTE", "QLOCAL"):
            try:
                delete(self.qmgr, KINDS[before], name)
            except MQError:
                continue
        create(self.qmgr, KINDS[kind], name, attributes)

    def set(self, name: str, values: Mapping[int, int]) -> None:
        """MQSET."""
        self.handles[name].set(values)

    def end(self, commit: bool) -> None:
        """MQCMIT or MQBACK."""
        if commit:
            self.connection.commit()
        else:
            self.connection.back()

    def advance(self, seconds: float) -> None:
        """Time passes."""
        self.environment.clock.advance(seconds)

    def kept(self) -> Mapping[str, list[Any]]:
        """Every message, event and queue, but for identifiers that were made."""
        with Reading(self.store.database) as reading:
            return {name: [tuple(map(masked, row)) for row in reading.all(rows)] for name, rows in _KEPT.items()}

    def close(self) -> None:
        """The program ends."""
        self.connection.disconnect()
        self.store.close()


def as_told(descriptor: MessageDescriptor) -> list[Any]:
    """The fields of a descriptor as a program sees them."""
    # An enumeration, or True, is not shown as the number that it is equal to.
    return [*(repr(masked(getattr(descriptor, name))) for name in FIELDS), descriptor.put_at]


def overwrite(descriptor: MessageDescriptor) -> None:
    """A program does what it likes with a descriptor that it was given."""
    for name in FIELDS:
        setattr(descriptor, name, "overwritten")


def masked(value: Any) -> Any:
    """A value, of identifiers that were made only that they were; they stand in data too, and as digits in JSON."""
    if isinstance(value, bytes):
        return MADE.sub(b"made", value)
    return _MADE_IN_JSON.sub("made", value) if isinstance(value, str) else value
