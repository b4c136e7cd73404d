"""The messages of recorded puts, made again: with the data that the store still has, or with as
many zero bytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from typing import NamedTuple

from mqsc.store.descriptor import NO_ID, MessageDescriptor
from mqsc.store.engine import state, stored_message
from mqsc.store.headers import mqdlh
from mqsc.store.past.calls import RecordedCall
from mqsc.store.rules import dead_letter, message_trace, report_message
from mqsc.store.sql import messages, past
from mqsc.store.sqlite.database import Reading, Transaction
from mqsc.store.sqlite.disk_map import DiskMap

_REPORTS = {
    "coa": report_message.COA,
    "cod": report_message.COD,
    "expiration": report_message.EXPIRATION,
}
# Where a report goes of which only the dead letter is recorded.
_NOWHERE = "UNKNOWN.REPLY.QUEUE"
# A message by its MsgId and the time of its put.
Key = tuple[bytes, int]


class RequestedReports(NamedTuple):
    """The report options that a message must have had, and where the reports went."""

    options: int
    queue: str


class MessagesPut:
    """What is known about the messages that calls put, from the store and from what came of the
    messages.

    It grows with the messages that are on queues. What grows with the calls is on disk.
    """

    def __init__(
        self,
        store: state.StoreState,
        calls: Iterable[RecordedCall],
        before: Set[Key] = frozenset(),
    ) -> None:
        """Reads the calls once, and keeps none of them. `before`: messages put before them."""
        self._store = store
        self._before = before
        # Those of the messages before that the calls put again, at the same time.
        self._put_again: set[Key] = set()
        self._requested_reports = DiskMap(RequestedReports)
        self._present: dict[Key, int] = {}
        on_queues = dict(_on_queues(store))
        for call in calls:
            self._note_reports(call)
            if call.kind == "put":
                self._note_puts(call, on_queues)

    def _note_reports(self, call: RecordedCall) -> None:
        for original, options, queue in _reports_of(call):
            about = next((event for event in call.events if event.msg_id == original), None)
            if about is not None and about.put_at is not None:
                key = original, about.put_at
                known = self._requested_reports.get(key)
                self._requested_reports[key] = RequestedReports(
                    options | (known.options if known else 0), queue
                )

    def _note_puts(self, call: RecordedCall, on_queues: Mapping[Key, int]) -> None:
        for event in call.events:
            key = event.msg_id or NO_ID, event.put_at or 0
            if key in on_queues:
                self._present[key] = on_queues[key]
            if key in self._before:
                self._put_again.add(key)

    def close(self) -> None:
        """Remove what is on disk."""
        self._requested_reports.close()

    def ask_for_reports(self, tx: Transaction) -> None:
        """Have messages that were put before, and are gone since, ask for the reports that they
        got.
        """
        for key in self._before - self._put_again:
            asked = self._requested_reports.get(key)
            if asked is not None:
                past.ask_for_reports(tx, *key, asked.options, asked.queue)

    def message(self, event: message_trace.TracedEvent) -> tuple[MessageDescriptor, bytes]:
        """Descriptor, but for the expiry, and data of the message that a PUT event is about."""
        key = event.msg_id or NO_ID, event.put_at or event.at
        descriptor, body = MessageDescriptor(), bytes(event.length or 0)
        read = None
        if key in self._present:
            with Reading(self._store.database) as reading:
                read = messages.by_id(reading, self._present[key])
        if read is not None and read.length == event.length:
            descriptor, body = stored_message.descriptor_of(read, key[1]), bytes(read.body)
        elif "destination" in event.detail:
            descriptor.format, body = dead_letter.DEAD_LETTER_HEADER, _dead_letter(event)
        asked = self._requested_reports.get(key)
        if asked is not None and not descriptor.report:
            descriptor.report, descriptor.reply_to_q = asked.options, asked.queue
        descriptor.msg_id, descriptor.correl_id = key[0], event.correl_id or NO_ID
        descriptor.priority, descriptor.persistence = event.priority or 0, event.persistence or 0
        descriptor.put_appl_name = event.put_application or ""
        descriptor.user_identifier = event.put_user or ""
        # Derived from the time of the put.
        descriptor.put_date = descriptor.put_time = None
        return descriptor, body


def _on_queues(store: state.StoreState) -> Iterator[tuple[Key, int]]:
    """The messages that are on queues now, by number."""
    with Reading(store.database) as reading:
        for _, _, number, *_ in past.local_queues(reading):
            for id, msg_id, put_at, *_ in past.present(reading, number):
                yield (msg_id, put_at), id


def keys_on_queues(store: state.StoreState) -> set[Key]:
    """The messages that are on queues now."""
    return {key for key, _ in _on_queues(store)}


def _reports_of(call: RecordedCall) -> Iterator[tuple[bytes, int, str]]:
    """For each report that a call brought about: the MsgId of the message, its report option and
    reply queue.
    """
    for event in call.caused:
        kind, original = _REPORTS.get(event.cause or ""), event.detail.get("original")
        if kind is not None and original is not None:
            headers = [
                caused.detail.get("destination")
                for caused in call.caused
                if caused.msg_id == event.msg_id
            ]
            queue = next(
                filter(None, headers),
                _NOWHERE if event.kind == "DEAD_LETTER" else event.target,
            )
            amounts = {"data": kind.with_data, "full": kind.with_full_data}
            yield (
                bytes.fromhex(original),
                amounts.get(event.detail.get("data", ""), kind.plain),
                str(queue),
            )


def ask_when_moved(tx: Transaction, number: int, call: RecordedCall) -> None:
    """Have messages of a queue ask for the reports that they got when they were moved from it."""
    seen: Counter[bytes] = Counter()
    for original, asked, queue in _reports_of(call):
        past.ask_when_moved(tx, number, original, seen[original], asked, queue)
        seen[original] += 1


def _dead_letter(event: message_trace.TracedEvent) -> bytes:
    """Data that begins with the header that the event of the put describes."""
    header = mqdlh.DeadLetterHeader(
        event.reason or 0,
        str(event.detail["destination"]),
        str(event.detail["destination_queue_manager"]),
        546,
        1208,
        "",
        6,
        event.put_application or "",
        "",
        "",
    )
    data = mqdlh.pack_mqdlh(header)
    return data + bytes(max(0, (event.length or 0) - len(data)))
