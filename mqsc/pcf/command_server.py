"""The command server: performs the commands on SYSTEM.ADMIN.COMMAND.QUEUE and puts the responses
(PCF §2).

It runs in every program that puts or commits a command, after that call, and in `mqsc serve`. One
server at a time works for a queue manager, and the others wait for it, so that a program finds the
responses when its call returns. A command is got in the unit of work that puts its responses: if
the program is killed, the next server performs the command again, and there is still one set of
responses. A command that changes objects is one transaction with them.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from itertools import islice
from pathlib import Path
from weakref import WeakKeyDictionary

from mqsc.pcf import commands, refusals
from mqsc.store.admin import command_queue, history
from mqsc.store.client.connection import Connection
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.constants import MQAT, MQGMO, MQOO, MQPMO, MQRCCF, MQRO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.error import MQError, StoreError
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.rules.command_message import (
    COMMAND_QUEUE,
    COMMAND_SERVER,
    Fate,
    issuer_of,
    response_descriptor,
    verdict,
)
from mqsc.store.rules.dead_letter import DeliveryFailure, dead_letter, put_by_program
from mqsc.store.sqlite.locks import SingleInstanceLock, lock_beside

# How long a program waits for the server of another program before it leaves its commands to that.
PATIENCE_SECONDS = 30.0
# How many responses are put in one transaction, and held in memory.
_PAGE = 200
_GET = GetMessageOptions(int(MQGMO.SYNCPOINT | MQGMO.FAIL_IF_QUIESCING))
_IN_UNIT = PutMessageOptions(int(MQPMO.SYNCPOINT))
_WITH_CONTEXT = PutMessageOptions(int(MQPMO.SYNCPOINT | MQPMO.SET_ALL_CONTEXT))
_CAUSE = "command"

# For stores in memory, which only the threads of this process have.
_in_memory: WeakKeyDictionary[Store, threading.Lock] = WeakKeyDictionary()
_of_thread = threading.local()


def answer_commands(qmgr: QueueManager) -> None:
    """Perform the commands on the queue until it is empty. Does nothing if this thread is already
    doing so.

    A queue manager that ends, or a store that cannot be written, leaves the commands where they
    are.
    """
    if getattr(_of_thread, "serves", False):
        return
    _of_thread.serves = True
    try:
        if command_queue.has_commands(qmgr):
            with _alone(qmgr) as granted:
                if granted:
                    _serve(qmgr)
    except (MQError, StoreError):
        # The call that put the command has succeeded, and the next server will find it.
        return
    finally:
        _of_thread.serves = False


@contextmanager
def _alone(qmgr: QueueManager) -> Iterator[bool]:
    """Whether this is the only server of the queue manager, in all programs."""
    path = qmgr.store.path
    if path is None:
        with _in_memory.setdefault(qmgr.store, threading.Lock()):
            yield True
        return
    lock = SingleInstanceLock(lock_beside(path, COMMAND_SERVER, qmgr.name), Path(path))
    granted = lock.acquire_within(PATIENCE_SECONDS)
    try:
        yield granted
    finally:
        lock.release()


def _serve(qmgr: QueueManager) -> None:
    """Perform the commands on the queue, unless gets are inhibited. MQError 2033 when the queue
    is empty.
    """
    serving = type(qmgr)(qmgr.store, qmgr.name)
    serving.is_agent = True
    with serving.connect(COMMAND_SERVER) as connection:
        connection.is_command_server = True
        queue = connection.open(COMMAND_QUEUE, int(MQOO.INPUT_SHARED | MQOO.FAIL_IF_QUIESCING))
        while command_queue.has_commands(qmgr):
            _answer(connection, queue.get(_GET))


def _answer(connection: Connection, message: Message) -> None:
    """Perform one command and commit."""
    decided = verdict(message.descriptor)
    if decided.fate in (Fate.DROP, Fate.DEAD_LETTER):
        if decided.fate is Fate.DEAD_LETTER:
            failure = DeliveryFailure(decided.reason, COMMAND_QUEUE, connection.qmgr.name)
            _dead_letter(connection, message.descriptor, message.body, failure)
        connection.commit()
        return
    qmgr = connection.qmgr
    performing = type(qmgr)(qmgr.store, qmgr.name)
    performing.issuer = issuer_of(message.descriptor)
    if decided.fate is Fate.REFUSE:
        command = commands.refused(refusals.PcfRefusedError(MQRCCF.MD_FORMAT_ERROR))
    else:
        command = commands.read_command(performing, message.descriptor, message.body)
    with qmgr.store.database.one_transaction() if command.changes else nullcontext():
        with _Replies(connection, message.descriptor) as replies:
            data = commands.messages_of(command, commands.responses_of(performing, command))
            while page := list(islice(data, _PAGE)):
                replies.put(page)
        connection.commit()


class _Replies:
    """The queue for the responses to one command; a response that is refused becomes a dead
    letter, or is dropped.
    """

    def __init__(self, connection: Connection, request: MessageDescriptor) -> None:
        self._connection = connection
        self._request = request
        self._handle: ObjectHandle | None = None
        self._fault = 0

    def __enter__(self) -> _Replies:
        request = self._request
        manager = (
            "" if request.reply_to_q_mgr == self._connection.qmgr.name else request.reply_to_q_mgr
        )
        options = int(MQOO.OUTPUT)
        # The user of the command is asked, who could have responses put on any queue otherwise.
        self._connection.authority_user = issuer_of(request).user
        try:
            self._handle = self._connection.open(
                request.reply_to_q,
                options,
                queue_manager=manager,
                dynamic_name=None,
            )
        except MQError as error:
            self._fault = int(error.reason)
        finally:
            self._connection.authority_user = None
        return self

    def __exit__(self, *_: object) -> None:
        if self._handle is not None:
            self._handle.close()

    def put(self, page: list[bytes]) -> None:
        """Put responses: together, or one by one if one of them is refused."""
        if self._handle is not None:
            try:
                self._handle.put(
                    [Message(response, response_descriptor(self._request)) for response in page],
                    _IN_UNIT,
                )
            except MQError:
                for response in page:
                    self._put_one(self._handle, response)
            return
        for response in page:
            self._give_up(response, self._fault)

    def _put_one(self, handle: ObjectHandle, data: bytes) -> None:
        try:
            handle.put(Message(data, response_descriptor(self._request)), _IN_UNIT)
        except MQError as error:
            self._give_up(data, int(error.reason))

    def _give_up(self, data: bytes, reason: int) -> None:
        request = self._request
        if request.report & MQRO.DISCARD_MSG:
            return
        descriptor = response_descriptor(request)
        qmgr = self._connection.qmgr
        descriptor.put_appl_type, descriptor.put_appl_name = int(MQAT.UNIX), COMMAND_SERVER
        failure = DeliveryFailure(reason, request.reply_to_q, request.reply_to_q_mgr or qmgr.name)
        _dead_letter(self._connection, descriptor, data, failure)


def _dead_letter(
    connection: Connection,
    descriptor: MessageDescriptor,
    body: bytes,
    failure: DeliveryFailure,
) -> None:
    """Put a message on the dead-letter queue in the unit of work; it is lost if that is
    impossible.
    """
    qmgr = connection.qmgr
    row = qmgr.row()
    if not row.dead_letter_queue or row.dead_letter_queue == COMMAND_QUEUE:
        return
    by = put_by_program(COMMAND_SERVER, qmgr.now(), row.ccsid)
    placed, data = dead_letter(descriptor, body, failure, by)
    try:
        put = connection.put1(row.dead_letter_queue, Message(data, placed), _WITH_CONTEXT)
    except MQError:
        return
    where = {
        "queue": failure.queue,
        "target": row.dead_letter_queue,
        "unit": connection.unit.number or None,
    }
    what = {
        "msg_id": put.msg_id,
        "length": len(data),
        "reason": failure.reason,
        "application": COMMAND_SERVER,
    }
    twin = {"put_event": connection.dead_letter_event}
    history.record(qmgr, "DEAD_LETTER", _CAUSE, detail=twin, **where, **what)
