"""A consumer: gets messages in units of work, and moves those that were backed out too often
(poison messages).

It does what the JMS classes do over the MQI, in both of their modes: `receive`, iteration and
`units` are synchronous receives, whose moves belong to the program's unit of work; `listen` calls a
function and ends the units itself.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Self

from mqsc.store.client.call_guard import GuardedConnection
from mqsc.store.constants import MQGMO, MQOO, MQPMO, MQRC
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.engine.backout_queues import BackoutSettings, Target
from mqsc.store.engine.message_outcomes import MessageOutcome
from mqsc.store.error import MQError, refuse_if
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.mqi import backed_out_message, syncpoint
from mqsc.store.mqi.handles import OpenRequest
from mqsc.store.mqi.put1 import put1
from mqsc.store.mqi.state import HandleState
from mqsc.store.rules.poison_message import (
    LEADS_BACK,
    Action,
    PoisonFacts,
    decide,
    reports_exception,
)

OPEN_OPTIONS = MQOO.INPUT_AS_Q_DEF | MQOO.SAVE_ALL_CONTEXT | MQOO.FAIL_IF_QUIESCING
UNLIMITED = -1
# A put that fails with one of these says nothing about the queue it was meant for.
_CALL_FAILED = frozenset(
    MQRC[each]
    for each in (
        "CALL_IN_PROGRESS CONNECTION_BROKEN HCONN_ERROR Q_MGR_NOT_AVAILABLE Q_MGR_QUIESCING "
        "Q_MGR_STOPPING"
        " SYNCPOINT_LIMIT_REACHED UNEXPECTED_ERROR"
    ).split()
)
_NO_MESSAGE = frozenset({MQRC.NO_MSG_AVAILABLE})
# Another message does not fit in a unit of work of several either when MAXUMSGS is less than the
# batch.
_UNIT_ENDS = _NO_MESSAGE | {MQRC.SYNCPOINT_LIMIT_REACHED}
_log = logging.getLogger("mqsc.consumer")

OnMessage = Callable[[Message], object]
OnFailure = Callable[[Message, Exception], object]


class Consumer:
    """A queue that is open for input, with BOTHRESH and BOQNAME of its base queue acted on.

    A consumer that has to keep a message, because it can go nowhere, backs out, ends, and raises
    MQError 2362.

    >>> with qmgr.connection.consumer("ORDERS", wait=0) as consumer:
    ...     [message.body for message in consumer]
    []
    """

    def __init__(
        self,
        connection: GuardedConnection,
        handle: HandleState,
        get: Callable[[GetMessageOptions], Message],
        close: Callable[[], object],
        properties: tuple[object | None, str] = (None, ""),
        *,
        wait: int = UNLIMITED,
        limit: int | None = None,
        batch: int = 1,
    ) -> None:
        """Get by `get` through `handle`; everything else is as in `Connection.consumer`."""
        self._connection = connection
        self.handle = handle
        self._get = get
        self._close = close
        self._limit = limit
        self._batch = batch
        self._stopped = False
        self._settings: BackoutSettings | None = None
        common = MQGMO.SYNCPOINT | MQGMO.FAIL_IF_QUIESCING
        self._at_once = GetMessageOptions(common | MQGMO.NO_WAIT)
        # A unit of work that has a message ends before one that was backed out, which could make it
        # poison, too.
        self._further = GetMessageOptions(common | MQGMO.NO_WAIT, unless_backed_out=True)
        self._waiting = (
            GetMessageOptions(common | MQGMO.WAIT, wait_interval=wait) if wait else self._at_once
        )
        for each in (self._at_once, self._further, self._waiting):
            each.message_handle, each.property_control = properties
        # How many messages the program was given.
        self.delivered = 0
        # How many of these `listen` has committed.
        self.committed = 0
        # How many poison messages were requeued, dead-lettered or discarded; those of units later
        # backed out too.
        self.moved: Counter[Action] = Counter()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.handle!r}>"

    @property
    def queue(self) -> str:
        """The local queue that messages come from: the base queue of an alias.

        >>> connection.consumer("ORDERS").queue
        'ORDERS'
        """
        return backed_out_message.input_queue(self.handle).name

    def receive(self) -> Message | None:
        """The next message, got in the connection's unit of work; None if none came in time or the
        limit is reached.

        Poison messages in front of it are moved in the same unit of work. If that holds nothing
        else, because no message follows, it is committed here. MQError 2362 when a message must be
        kept: the unit is then backed out.

        >>> placed = handle.put(mqsc.Message(b"tea"))
        >>> connection.consumer("ORDERS").receive().body
        b'tea'
        >>> connection.commit()
        """
        return self._receive(self._waiting)

    def __iter__(self) -> Iterator[Message]:
        """Receive until no message comes in time, or the limit is reached. The program commits
        and backs out.
        """
        while (message := self.receive()) is not None:
            yield message

    def units(self) -> Iterator[list[Message]]:
        """Receive up to `batch` messages at a time, for one unit of work that the program then
        commits or backs out.

        A message that was backed out before has a unit of its own, so that a bad message does not
        raise the counts of others up to their threshold.

        >>> for unit in connection.consumer("ORDERS", wait=0, batch=10).units():
        ...     connection.commit()
        """
        while unit := list(self._unit()):
            yield unit

    def _unit(self, *, commits_moves: bool = False) -> Iterator[Message]:
        """The messages of one unit of work, each received when it is asked for."""
        first = self._receive(self._waiting, commits_moves=commits_moves)
        if first is None:
            return
        # Read first: the message may be changed by the program.
        was_backed_out = bool(first.descriptor.backout_count)
        yield first
        if was_backed_out:
            return
        for _ in range(self._batch_in_force() - 1):
            message = self._receive(self._further, _UNIT_ENDS)
            if message is None:
                return
            yield message

    def listen(self, deliver: OnMessage, failed: OnFailure | None = None) -> None:
        """Call `deliver` with each message until none comes in time, the limit is reached, or
        `stop` is called.

        A unit of work has up to `batch` messages, and what `deliver` does in it. It is committed,
        or backed out when `deliver` raises an Exception, which goes to `failed` (else to the log).
        Poison messages are moved in a unit that is committed at once. MQError 2362 when a message
        must be kept; 2128 when a unit of work is open already; TypeError for what cannot be called.

        >>> placed = handle.put(mqsc.Message(b"tea"))
        >>> connection.consumer("ORDERS", wait=0).listen(lambda message: print(message.body))
        b'tea'
        """
        for what, given in (("deliver", deliver), ("failed", failed)):
            if not callable(given) and not (what == "failed" and given is None):
                raise TypeError(f"{what} must be callable, not {type(given).__name__}")
        unit = self._connection.unit
        refuse_if(unit.number, MQRC.UOW_IN_PROGRESS, self.queue)
        try:
            self._listen(deliver, failed)
        except MQError:
            raise
        except BaseException:
            # Leaving the connection's block would commit a message that was got but not processed.
            if self._connection.is_connected and unit.is_open:
                self._back()
            raise

    def _listen(self, deliver: OnMessage, failed: OnFailure | None) -> None:
        while not self._is_over():
            before = self.delivered
            if all(
                self._is_delivered(message, deliver, failed)
                for message in self._unit(commits_moves=True)
            ):
                if self.delivered == before:
                    return
                self._commit()
                self.committed += self.delivered - before

    def _is_delivered(self, message: Message, deliver: OnMessage, failed: OnFailure | None) -> bool:
        """Whether `deliver` succeeded; the unit of work is backed out if not."""
        try:
            deliver(message)
        except Exception as error:
            self._back()
            if failed is None:
                _log.exception("%s: a message was backed out", self.queue)
            else:
                failed(message, error)
            return False
        return True

    def stop(self) -> None:
        """End `listen` and iteration after the message under way; from any thread. Ends a wait only
        if one began.

        >>> consumer = connection.consumer("ORDERS")
        >>> consumer.stop()
        >>> consumer.receive()
        """
        self._stopped = True
        cancel_wait = self._connection.cancel_wait
        if cancel_wait is not None:
            cancel_wait()

    def close(self) -> None:
        """Close the queue; the unit of work stays open.

        >>> connection.consumer("ORDERS").close()
        """
        if (
            self.handle.is_open
            and self._connection.is_connected
            and not self._connection.is_inherited
        ):
            self._close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.close()
            return
        # The other exception tells more than a connection that is broken.
        with suppress(MQError):
            self.close()

    def _is_over(self) -> bool:
        return self._stopped or (self._limit is not None and self.delivered >= self._limit)

    def _batch_in_force(self) -> int:
        """One where a single backout makes a message poison, and so would make all messages of a
        unit.
        """
        if self._batch == 1:
            return 1
        with self._connection.call():
            return (
                1
                if backed_out_message.backout_settings(self.handle).threshold == 1
                else self._batch
            )

    def _receive(
        self,
        options: GetMessageOptions,
        ends: frozenset[int] = _NO_MESSAGE,
        *,
        commits_moves: bool = False,
    ) -> Message | None:
        """The next message; `commits_moves`: the poison messages before it are moved in units of
        their own.
        """
        unit = self._connection.unit
        # The moves may then be committed without the program: none of its own work is in the unit.
        has_only_moves = not unit.is_open
        has_moved = False
        while has_moved or not self._is_over():
            # The moves are committed before the wait for a message.
            message = self._got(self._at_once if has_moved else options, ends)
            if message is None:
                if not has_moved:
                    return None
                self._commit()
                has_moved = False
            elif not self._is_moved(message):
                self.delivered += 1
                return message
            elif commits_moves:
                self._commit()
            elif has_only_moves:
                has_moved = True
                if unit.count > self._most_moves():
                    self._commit()
        return None

    def _most_moves(self) -> int:
        """A part of MAXUMSGS, as a move adds several messages to the unit of work."""
        manager = self._connection.manager
        return 0 if manager is None else manager.max_uncommitted // 3

    def _got(
        self,
        options: GetMessageOptions,
        ends: frozenset[int] = _NO_MESSAGE,
    ) -> Message | None:
        try:
            return self._get(options)
        except MQError as error:
            if error.reason in ends:
                return None
            raise

    def _is_moved(self, message: Message) -> bool:
        """Whether the message was poison: then it has been moved or discarded in the unit of
        work.
        """
        if not message.descriptor.backout_count:
            return False
        try:
            action = self._dealt_with(message)
        except BaseException:
            # Otherwise a commit by the program would lose the message.
            with suppress(MQError):
                self._back()
            raise
        return action is not Action.DELIVER

    def _dealt_with(self, message: Message) -> Action:
        if self._settings is None:
            with self._connection.call():
                self._settings = backed_out_message.backout_settings(self.handle)
        threshold, backout_queue = self._settings
        descriptor = message.descriptor
        count, fault = descriptor.backout_count, backout_queue.fault
        facts = PoisonFacts(
            count,
            threshold,
            fault,
            descriptor.report,
            descriptor.persistence,
            dead_letter=0,
        )
        queue = backout_queue.queue
        detail: dict[str, object] = {
            "backout_count": count,
            "threshold": threshold,
            "backout_queue": queue,
        }
        action = decide(facts)
        target = None
        if action is Action.REQUEUE:
            whole = message.stored or message
            refused = self._put(queue, whole.descriptor, whole.body)
            facts = facts._replace(requeue=refused)
            target, action = queue, decide(facts)
        if facts.requeue > 0 or facts.requeue == LEADS_BACK:
            detail["backout_queue_reason"] = facts.requeue
        if action is Action.DEAD_LETTER:
            dead_letters, refused = self._put_dead_letter(message)
            target = dead_letters.queue
            facts = facts._replace(dead_letter=refused)
            action = decide(facts)
            if refused:
                detail |= {"dead_letter_queue": target, "dead_letter_reason": refused}
            else:
                detail["put_event"] = self._connection.dead_letter_event
                if dead_letters.owner:
                    detail["target_owner"] = dead_letters.owner
        self._finish(action, message, target if action in _MOVES else None, detail)
        return action

    def _put(self, queue: str, descriptor: MessageDescriptor, body: bytes) -> int:
        """Put a message with its context in the unit of work: 0, or the MQRC with which the
        queue refused it.
        """
        options = PutMessageOptions(MQPMO.SYNCPOINT | MQPMO.PASS_ALL_CONTEXT, context=self.handle)
        try:
            with self._connection.call():
                put1(self._connection, OpenRequest(queue, 0), Message(body, descriptor), options)
        except MQError as refused:
            if refused.reason in _CALL_FAILED:
                raise
            return int(refused.reason)
        except ValueError:
            # The MQDLH has a Format that does not fit in a descriptor.
            return int(MQRC.FORMAT_ERROR)
        return 0

    def _put_dead_letter(self, message: Message) -> tuple[Target, int]:
        """The dead-letter queue, and the outcome of putting the message there."""
        with self._connection.call():
            target = backed_out_message.dead_letter_target(self.handle)
            if target.fault:
                return target, target.fault
            descriptor, body = backed_out_message.as_dead_letter(
                self.handle, message.stored or message
            )
        return target, self._put(target.queue, descriptor, body)

    def _finish(
        self,
        action: Action,
        message: Message,
        target: str | None,
        detail: dict[str, object],
    ) -> None:
        """Have the history record the action, and report it; MQError 2362 after a message that
        is kept.
        """
        if action is Action.DELIVER:
            return
        if action is Action.KEEP:
            self._back({"queue": self.queue, "msg_id": message.descriptor.msg_id.hex(), **detail})
            self.close()
            raise MQError(MQRC.BACKOUT_THRESHOLD_REACHED, self.queue)
        with self._connection.call():
            if (
                reports_exception(action, message.descriptor.report)
                and message.descriptor.reply_to_q
            ):
                backed_out_message.put_exception_report(self.handle, message.stored or message)
            # Of the others, the reason would be that of a dead letter which left its queue.
            reason = backed_out_message.REASON if action is Action.DEAD_LETTER else None
            backed_out_message.note(
                self.handle,
                MessageOutcome(_KINDS[action], "poison", target, reason, detail=detail),
            )
        self.moved[action] += 1

    def _commit(self) -> None:
        self._connection.reserved_call(lambda: syncpoint.commit(self._connection))

    def _back(self, kept: dict[str, object] | None = None) -> None:
        self._connection.reserved_call(lambda: syncpoint.back(self._connection, kept))


_MOVES = frozenset({Action.REQUEUE, Action.DEAD_LETTER})
# The kind of history event for each action.
_KINDS = {Action.REQUEUE: "REQUEUE", Action.DEAD_LETTER: "DEAD_LETTER", Action.DISCARD: "DISCARD"}
