"""A queue manager with a dead-letter queue, dead letters to put on it, and a handler that waits
without real time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event
from typing import Any, NamedTuple

from msgspec.structs import replace
from sqlalchemy import select

from mqsc.agents.stopping import StopRequested
from mqsc.dlq.handler_run import HandlerArguments, HandlerOutput, TableSource, run_handler
from mqsc.dlq.notices import ENDING, RULE_TOTALS, STARTED, TOTALS, Notice
from mqsc.store.admin.altering import change, change_queue_manager
from mqsc.store.admin.defining import create
from mqsc.store.admin.deleting import delete
from mqsc.store.admin.peeking import PeekedMessage, peek
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.constants import MQGMO, MQMO, MQOO, MQPMO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.environment import Environment, FrozenClock
from mqsc.store.headers import mqdlh
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.sql.core.compiling import text_of
from mqsc.store.sql.core.schema import event
from mqsc.store.sqlite.database import Reading

SECOND = 1_000_000
DLQ = "DEAD.LETTERS"
HEADER = mqdlh.DeadLetterHeader(
    2053,
    "Q1",
    "QM1",
    546,
    1208,
    "MQSTR",
    6,
    "mover",
    "20240102",
    "03040506",
)
# Fields of the header that can be given together with fields of the descriptor, because no names
# coincide.
HEADER_FIELDS = ("reason", "dest_q_name", "dest_q_mgr_name")
ORDINARY = (STARTED, ENDING, RULE_TOTALS, TOTALS)
_HISTORY = text_of(select(event).order_by(event.c.seq))
_COLUMNS = [column.name for column in event.columns]


class SteppingClock(FrozenClock):
    """A clock that advances by a second whenever a program pauses.

    Actions can be scheduled. A program that still waits at `end` is stopped.
    """

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.began = at
        self.end = 86_400
        self._scheduled: dict[int, list[Callable[[], object]]] = {}

    @property
    def seconds(self) -> int:
        """Seconds since the start."""
        return (self.now() - self.began) // SECOND

    def schedule(self, seconds: int, action: Callable[[], object]) -> None:
        """Run the action when that many seconds have passed since the start."""
        self._scheduled.setdefault(seconds, []).append(action)

    def pause(self, seconds: float) -> None:
        self.advance(1)
        for action in self._scheduled.pop(self.seconds, ()):
            action()
        if self.seconds >= self.end:
            raise StopRequested


class Ran(NamedTuple):
    """The result of a run: exit code, messages as (seconds, id, text), and other output."""

    code: int
    said: list[tuple[int, str, str]]
    talk: list[str]

    @property
    def ids(self) -> list[str]:
        """The ids of the messages, without "started", "ending" and the totals."""
        return [message_id for _, message_id, _ in self.said if message_id not in ORDINARY]

    @property
    def timeline(self) -> str:
        """The ids of the messages with their seconds, as in `0 AMQ8722, 60 end`, without
        "started" and the totals.
        """
        told = [(seconds, "end" if said == ENDING else said) for seconds, said, _ in self.said]
        return ", ".join(f"{seconds} {said}" for seconds, said in told if said not in ORDINARY)

    @property
    def totals(self) -> list[str]:
        """The texts of the totals."""
        return [text for _, message_id, text in self.said if message_id in (RULE_TOTALS, TOTALS)]

    def times(self, message_id: str) -> list[int]:
        """Return the seconds at which the handler wrote this message."""
        return [seconds for seconds, said, _ in self.said if said == message_id]


class HandlerSystem:
    """QM1 with DEAD.LETTERS as its dead-letter queue."""

    def __init__(self, store: Store, qmgr: QueueManager, clock: SteppingClock) -> None:
        self.store, self.qmgr, self.clock = store, qmgr, clock
        self.define(DLQ)
        change_queue_manager(qmgr, {"DEADQ": DLQ})
        self._dead_letters = 0

    def define(self, *names: str, kind: str = "QLOCAL", **attributes: Any) -> None:
        for name in names:
            create(self.qmgr, KINDS[kind], name, attributes)

    def alter(self, name: str, *, kind: str = "QLOCAL", **attributes: Any) -> None:
        change(self.qmgr, KINDS[kind], name, attributes)

    def delete(self, name: str) -> None:
        delete(self.qmgr, KINDS["QLOCAL"], name, purge=True)

    def put_dead_letter(
        self,
        data: bytes | str = "",
        queue: str = DLQ,
        *,
        header: mqdlh.DeadLetterHeader | None = None,
        header_encoding: int = 546,
        header_ccsid: int = 1208,
        **fields: Any,
    ) -> MessageDescriptor:
        """Put a dead letter with the given fields of MQDLH and MQMD, and by default with a MsgId
        of its own.
        """
        self._dead_letters += 1
        body = data.encode() if isinstance(data, str) else data
        told = {name: fields.pop(name) for name in HEADER_FIELDS if name in fields}
        packed = mqdlh.pack_mqdlh(header or replace(HEADER, **told), header_encoding, header_ccsid)
        given = {
            "format": "MQDEAD",
            "encoding": header_encoding,
            "coded_char_set_id": header_ccsid,
            "persistence": 0,
        }
        fields = {"msg_id": b"letter %d" % self._dead_letters, **given, **fields}
        return self.put(queue, packed + body, **fields)

    def put_dead_letters(self, *data: str, **fields: Any) -> None:
        for each in data:
            self.put_dead_letter(each, **fields)

    def put(self, queue: str, body: bytes, **fields: Any) -> MessageDescriptor:
        """Put a message with the given context."""
        with self.qmgr.connect("mover", "mover") as connection:
            handle = connection.open(queue, MQOO.OUTPUT | MQOO.SET_ALL_CONTEXT)
            return handle.put(
                Message(body, MessageDescriptor(**fields)),
                PutMessageOptions(MQPMO.SET_ALL_CONTEXT),
            )

    @contextmanager
    def locking(self, msg_id: bytes) -> Iterator[None]:
        """Another program has locked this dead letter with a browse, for the block."""
        with self.qmgr.connect() as connection:
            options = GetMessageOptions(
                MQGMO.BROWSE_FIRST | MQGMO.LOCK,
                match_options=MQMO.MATCH_MSG_ID,
                msg_id=msg_id,
            )
            connection.open(DLQ, MQOO.BROWSE).get(options)
            yield

    def take(self, most: int = 1_000) -> None:
        """Get dead letters as another program."""
        with self.qmgr.connect() as connection:
            handle = connection.open(DLQ, MQOO.INPUT_SHARED)
            for _ in range(min(most, len(self.seen(DLQ)))):
                handle.get()

    def run(
        self,
        table: str,
        asked: HandlerArguments | None = None,
        *,
        end: int | None = None,
    ) -> Ran:
        """Run the handler with a table until it ends, or stop it after `end` seconds."""
        said: list[tuple[int, str, str]] = []
        talk: list[str] = []
        if end is not None:
            self.clock.end = end

        def log(at: int, notice: Notice) -> None:
            said.append(((at - self.clock.began) // SECOND, notice.message_id, notice.text))

        rules = TableSource("rules", lambda: [table])
        code = run_handler(
            self.store,
            rules,
            asked or HandlerArguments(),
            HandlerOutput(log, talk.append),
            Event(),
        )
        return Ran(code, said, talk)

    def seen(self, queue: str) -> list[PeekedMessage]:
        return list(peek(self.qmgr, queue))

    def on(self, queue: str) -> list[str]:
        """Return the data of the messages on a queue, without dead-letter headers."""
        bodies = [each.body for each in self.seen(queue)]
        return [
            (body[mqdlh.MQDLH_LENGTH :] if body.startswith(b"DLH ") else body).decode()
            for body in bodies
        ]

    def history(self, *kinds: str) -> list[dict[str, Any]]:
        """Return the events of these kinds, in order."""
        with Reading(self.store.database) as reading:
            rows = [dict(zip(_COLUMNS, row, strict=True)) for row in reading.all(_HISTORY)]
        return [row for row in rows if row["kind"] in kinds]


def dead_letter(data: str, number: int, *, whole: bytes | None = None, **told: Any) -> Message:
    """Return a dead letter whose MsgId is its number; `whole` replaces header and data."""
    body = mqdlh.pack_mqdlh(replace(HEADER, **told)) + data.encode() if whole is None else whole
    format = "MQDEAD" if whole is None else ""
    return Message(
        body,
        MessageDescriptor(
            format=format,
            persistence=0,
            msg_id=b"%d" % number,
            coded_char_set_id=1208,
        ),
    )


def stepping(at: int) -> Environment[SteppingClock]:
    return Environment(SteppingClock(at), "tester", "mqsc")
