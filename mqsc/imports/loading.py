"""Puts the messages of a file on queues, in batches, each of them one transaction with the place
where it ends.

The place has a hash of the file up to there: the same file goes on after it, and a file that grew
has only more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from hashlib import sha256
from typing import TYPE_CHECKING, Any, BinaryIO

from mqsc.console.target import CommandFailedError, NothingRunError, running
from mqsc.console.text.message_properties import handle_with
from mqsc.console.text.reasons import counted, error_text
from mqsc.imports import amqsbcg, source_text
from mqsc.imports.destination import destination, name_here
from mqsc.imports.qload import FoundMessages, MessageReader, Position
from mqsc.imports.recognition import Imported, ImportFile, ImportOptions, Remark
from mqsc.store.admin import history, imported_records, put_preview
from mqsc.store.constants import MQOO, MQPMO, MQRC
from mqsc.store.error import MQError
from mqsc.store.message import PutMessageOptions

if TYPE_CHECKING:
    from mqsc.store.client.connection import Connection
    from mqsc.store.client.object_handle import ObjectHandle
    from mqsc.store.client.queue_manager import QueueManager
    from mqsc.store.client.store import Store

# The most messages, and about the most bytes of the file, in one transaction.
BATCH, BATCH_BYTES = 1000, 32_000_000
_BLOCK = 1 << 20
_PUT = int(MQPMO.SET_ALL_CONTEXT | MQPMO.NO_SYNCPOINT)
_OPEN = int(MQOO.OUTPUT | MQOO.SET_ALL_CONTEXT | MQOO.FAIL_IF_QUIESCING)
# Reasons that also refuse all further messages.
_LASTING = frozenset((MQRC.Q_FULL, MQRC.PUT_INHIBITED))


def load_messages(
    format: str,
    files: Sequence[ImportFile],
    options: ImportOptions,
) -> Iterator[Imported]:
    """Put the messages of files of dmpmqmsg or qload, or those that amqsbcg printed, on their
    queues.
    """
    previews = dict[str, put_preview.PutPreview]()
    with destination(options, create=False) as store:
        for file in files:
            with ExitStack() as stack:
                load = _Load(store, options, file, stack)
                # What a file would put is in the way of the next one.
                load.previews = previews
                load.outcome.format = format
                try:
                    load.run(amqsbcg.READERS[format])
                except (CommandFailedError, NothingRunError) as refusal:
                    load.outcome.refusal = refusal
            yield load.outcome


class _Load:
    """The import of one file: the connection and the queue that it puts on, and how far it is."""

    def __init__(
        self,
        store: Store,
        options: ImportOptions,
        file: ImportFile,
        stack: ExitStack,
    ) -> None:
        self.store, self.options = store, options
        self.file = file
        self.outcome = Imported(file.name, "")
        self.stack = stack
        self.connections: dict[str, Connection] = {}
        self.handles: dict[tuple[str, str], ObjectHandle] = {}
        self.hash, self.hashed = sha256(), 0
        self.key, self.at = "", Position()
        # What the store has of the file by now.
        self.kept: Mapping[str, Any] = {}
        self.count = self.expiring = 0
        # Of a plan: what puts would find, by queue manager, and how many messages of the batch were
        # tried.
        self.previews: dict[str, put_preview.PutPreview] = {}
        self.tried = 0

    def run(self, read: MessageReader) -> None:
        """Import the file from where an earlier import ended."""
        with self.file.opened() as stream, self.file.opened() as again:
            self.at = at = self._beginning(stream, again, read)
            batch: list[FoundMessages] = []
            count = 0
            for chunk in read(stream, at):
                if chunk.fault and not self._goes_on(chunk):
                    self._put(batch, again)
                    self._stop(chunk.lines[0])
                    break
                if chunk.is_lost:
                    continue
                count += len(chunk.messages)
                if batch and (count > BATCH or not _fit_together(batch[0], chunk)):
                    if not self._put(batch, again):
                        break
                    batch, count = [], len(chunk.messages)
                batch.append(chunk)
            else:
                if batch and self.file.damage:
                    sentence = "left out: the last message before the damage, which may be cut"
                    self.outcome.faults.append(
                        Remark(f"{self.file.name}:{batch[-1].lines[-1]}", sentence),
                    )
                    batch = _without_last(batch)
                self._put(batch, again)
        self.outcome.counts = {"message": self.count} if self.count else {}
        if self.expiring:
            sentence = f"the Expiry of {counted(self.expiring, 'message')} counts from now"
            self.outcome.remarks.append(Remark(self.file.name, sentence))

    def _beginning(self, stream: BinaryIO, again: BinaryIO, read: MessageReader) -> Position:
        """Where to begin; the stream is there. An earlier import is known by the first message
        of the file.
        """
        with self.file.opened() as first:
            begin = next(read(first, Position()), None)
        if begin is None:
            return Position()
        name = self._queue_manager(begin)
        self.key = (
            f"messages {name} {self.options.queue or begin.queue} "
            f"{self._hash_to(again, begin.ends[0])}"
        )
        self.kept = kept = imported_records.position_of(self.store, self.key)
        if not kept or self._hash_to(again, kept["offset"]) != kept["hash"]:
            self.hash, self.hashed = sha256(), 0
            again.seek(0)
            return Position()
        self.outcome.qmgr = name
        known = f"{counted(kept['count'], 'message')} already there"
        self.outcome.remarks.append(Remark(self.file.name, known))
        source_text.skip(stream, kept["offset"])
        return Position(**{name: kept[name] for name in Position.__struct_fields__})

    def _goes_on(self, chunk: FoundMessages) -> bool:
        """Report a damaged message; whether the import goes on."""
        kept = "" if chunk.is_lost or not self.options.keep_going else "; what is there is put"
        self.outcome.faults.append(
            Remark(f"{self.file.name}:{chunk.fault_line}", f"{chunk.fault}{kept}"),
        )
        return self.options.keep_going

    def _stop(self, line: int) -> None:
        self.outcome.stopped = f"{self.file.name}:{line}"

    def _put(self, batch: list[FoundMessages], again: BinaryIO) -> bool:
        """Put a batch, and keep its end; whether the import goes on."""
        if not batch:
            return True
        lines = [line for chunk in batch for line in chunk.lines]
        messages = [message for chunk in batch for message in chunk.messages]
        joined, self.tried = batch[-1]._replace(lines=lines, messages=messages), 0
        while messages:
            try:
                self._put_all(joined, again)
            except (MQError, ValueError) as error:
                index = getattr(error, "index", None) or 0
                sentence = error_text(error) if isinstance(error, MQError) else str(error)
                self.outcome.faults.append(Remark(f"{self.file.name}:{lines[index]}", sentence))
                lasts = (
                    not isinstance(error, MQError)
                    or error.index is None
                    or error.reason in _LASTING
                )
                if lasts or not self.options.keep_going:
                    self._stop(lines[0])
                    return False
                del lines[index], messages[index]
                continue
            self.count += len(messages)
            self.expiring += sum(1 for message in messages if message.descriptor.expiry != -1)
            break
        return True

    def _put_all(self, chunk: FoundMessages, again: BinaryIO) -> None:
        self.outcome.qmgr = self._queue_manager(chunk)
        if self.options.plan and self.outcome.qmgr in self.options.defined:
            # Neither the queue manager nor its queues need be there yet.
            return
        handle = self._handle(chunk)
        if self.options.plan:
            self._try(chunk)
            return
        options = PutMessageOptions(_PUT)
        if chunk.properties:
            options.message_handle = handle_with(
                self.connections[self._queue_manager(chunk)],
                chunk.properties,
            )
        end = chunk.ends[-1]
        state = {
            "offset": end,
            "hash": self._hash_to(again, end),
            "count": self.count + len(chunk.messages),
        }
        state |= {"line": chunk.next_line, "qmgr": chunk.qmgr, "queue": chunk.queue}
        state |= {"cuts_returns": self.at.cuts_returns}
        with self.store.database.one_transaction():
            if imported_records.position_of(self.store, self.key) != self.kept:
                raise CommandFailedError(
                    f"{self.file.name}: another program imports it, too; nothing is put twice",
                )
            placed = handle.put(chunk.messages, options)
            counts = [
                (descriptor.msg_id, message.descriptor.backout_count)
                for descriptor, message in zip(placed, chunk.messages, strict=True)
                if message.descriptor.backout_count
            ]
            if counts:
                history.set_backout_counts(
                    self.store,
                    placed[0].resolved_q_mgr_name,
                    placed[0].resolved_q_name,
                    counts,
                )
            imported_records.add_records(self.store, (), (self.key, state))
        self.kept = state

    def _try(self, chunk: FoundMessages) -> None:
        """Raise the MQError with which the first message would be refused that was not tried
        yet.
        """
        name, queue = self.outcome.qmgr, self.options.queue or chunk.queue
        preview = self.previews.setdefault(
            name,
            put_preview.PutPreview(self.connections[name].qmgr),
        )
        for index, message in enumerate(chunk.messages[self.tried :], self.tried):
            reason = preview.put(queue, "", message.descriptor, len(message.body)).reason
            if reason and reason != MQRC.PRIORITY_EXCEEDS_MAXIMUM:
                raise MQError(MQRC(reason), queue, index=index)
            self.tried = index + 1

    def _handle(self, chunk: FoundMessages) -> ObjectHandle:
        """The queue for a message, opened; CommandFailedError if there is none."""
        qmgr = self._queue_manager(chunk)
        queue = self.options.queue or chunk.queue
        if not queue:
            raise NothingRunError(
                f"{self.file.name} does not name the queue of its messages; name it with --queue",
            )
        if (qmgr, queue) not in self.handles:
            if qmgr not in self.connections:
                self.connections[qmgr] = self.stack.enter_context(self._named(qmgr).connect())
            try:
                self.handles[qmgr, queue] = self.connections[qmgr].open(queue, _OPEN)
            except MQError as error:
                define = (
                    "define it with `mqsc import` of the definitions, or name another with --queue"
                )
                raise CommandFailedError(
                    f"{self.file.name}:{chunk.lines[0]}: {error_text(error)} {define}",
                ) from error
        return self.handles[qmgr, queue]

    def _queue_manager(self, chunk: FoundMessages) -> str:
        name = self.options.choices.qmgr_name() or name_here(self.store, chunk.qmgr)
        if not name:
            missing = "" if self.options.queue or chunk.queue else " and the queue with --queue"
            raise NothingRunError(
                f"{self.file.name} does not name its queue manager; name the one to import into "
                f"with -m{missing}",
            )
        return name

    def _named(self, name: str) -> QueueManager:
        if name not in [row.name for row in self.store.queue_managers()]:
            raise CommandFailedError(
                f"AMQ8118E: the queue manager {name} of {self.file.name} does not exist here; "
                "name another one with -m, or import its definitions first",
            )
        return running(self.store.queue_manager(name))

    def _hash_to(self, again: BinaryIO, end: int) -> str:
        """The hash of the file up to that offset, which is not before the last one."""
        while self.hashed < end and (block := again.read(min(_BLOCK, end - self.hashed))):
            self.hash.update(block)
            self.hashed += len(block)
        return self.hash.hexdigest()


def _fit_together(first: FoundMessages, second: FoundMessages) -> bool:
    """Whether both are for the same queue, with the same properties, and not too far apart for
    one batch.
    """
    are_alike = (second.qmgr, second.queue, second.properties) == (
        first.qmgr,
        first.queue,
        first.properties,
    )
    return are_alike and second.ends[-1] - first.ends[0] <= BATCH_BYTES


def _without_last(batch: Sequence[FoundMessages]) -> list[FoundMessages]:
    """The batch without its last message."""
    *others, last = batch
    lines = last.lines[:-1]
    ends = last.ends[:-1]
    messages = last.messages[:-1]
    rest = last._replace(lines=lines, ends=ends, next_line=last.lines[-1], messages=messages)
    return [*others, rest] if messages else others
