"""The tables of channels, counted from the events one after the other."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.reports.counted_tables import Key, between, same, seconds
from tests.reports.facts import Facts, Row, hour_of

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]

RECORDS = "SYSTEM.CHANNEL.SYNCQ"
UNDELIVERED = {"DEAD_LETTER": "dead_lettered", "DISCARD": "discarded", "EXPIRE": "expired"}
WENT_WRONG = {"retry": "retries", "stopped": "stops", "failed": "failures"}
NUMBERS = (
    "batches messages bytes fast retries stops failures dead_lettered discarded expired in_doubt"
)


class End(NamedTuple):
    """An end of a channel. A sender has one partner, which it may not know yet."""

    qmgr: str
    channel: str | None
    role: str | None
    partner: str | None


class _Batch(NamedTuple):
    """A batch that was committed: when its first message was got or put, if that is known."""

    event: Row
    began: int | None


class Work:
    """What the ends of the channels of a store did."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self.ends = [each for each in facts.events if each["kind"] == "CHANNEL"]
        self.counts: dict[tuple[End, int], Counter[str]] = defaultdict(Counter)
        self.partners: dict[tuple[End, int], str] = {}
        self.batches: dict[tuple[End, int], list[_Batch]] = defaultdict(list)
        self._end_of_connection = {
            (each["qmgr"], each["connection"]): _end(each)
            for each in self.ends
            if each["connection"] is not None
        }
        self._partner_of_connection = {
            (each["qmgr"], each["connection"]): each["detail"].get("partner") for each in self.ends
        }
        self._count_ends()
        self._count_undelivered()
        self._find_batches()

    def _count_ends(self) -> None:
        for each in self.ends:
            key = (_end(each), hour_of(each))
            self.counts[key] += Counter()
            self._note_partner(key, each["detail"].get("partner"))
            word = WENT_WRONG.get(each["cause"], "")
            self.counts[key][word] += bool(word)
            self.counts[key]["in_doubt"] += each["cause"] == "in-doubt"

    def _note_partner(self, key: tuple[End, int], partner: str | None) -> None:
        self.partners[key] = max(self.partners.get(key, ""), partner or "")

    def _count_undelivered(self) -> None:
        for each in self._facts.events:
            if each["kind"] not in UNDELIVERED or each["cause"] != "channel":
                continue
            if each["unit"] in self._facts.undone:
                continue
            of_connection = (each["qmgr"], each["connection"])
            end = self._end_of_connection.get(of_connection) or self._end_of_queue(each)
            key = (end, hour_of(each))
            self._note_partner(key, self._partner_of_connection.get(of_connection) or end.partner)
            self.counts[key][UNDELIVERED[each["kind"]]] += 1

    def _end_of_queue(self, event: Row) -> End:
        """The sender that reads a transmission queue, by its last event."""
        of_queue = [
            each
            for each in self.ends
            if (each["qmgr"], each["queue"]) == (event["qmgr"], event["queue"]) and each["queue"]
        ]
        return _end(of_queue[-1]) if of_queue else End(event["qmgr"], None, None, None)

    def _find_batches(self) -> None:
        """Every batch that was committed, once: the batch event, or else that it was resolved."""
        told = {
            (_end(each), each["detail"].get("luwid"))
            for each in self.ends
            if each["cause"] == "batch"
        }
        first: dict[Key, int] = {}
        for each in self._facts.events:
            connection = (each["qmgr"], each["connection"])
            if each["kind"] in ("PUT", "GET") and each["queue"] != RECORDS:
                first.setdefault(connection, each["at"])
            elif each["kind"] == "CHANNEL":
                detail = each["detail"]
                is_resolved = each["cause"] == "resolved" and detail["decision"] == "commit"
                is_first = (_end(each), detail.get("luwid")) not in told
                if each["cause"] == "batch" or (is_resolved and is_first):
                    began = first.pop(connection, None)
                    # That of a batch that a command resolved is not known.
                    batch = _Batch(each, began if each["connection"] is not None else None)
                    self.batches[_end(each), hour_of(each)].append(batch)

    def rows(self) -> dict[Key, list[Any]]:
        """By queue manager, channel, role, partner and hour."""
        return {
            (*end[:3], self.partners[end, hour] or None, hour): [
                *self._numbers(end, hour),
                *_speed(self.batches[end, hour]),
            ]
            for end, hour in self.counts
        }

    def _numbers(self, end: End, hour: int) -> list[int]:
        batches = [each.event["detail"] for each in self.batches[end, hour]]
        counts = self.counts[end, hour]
        counts["batches"] = len(batches)
        for word in ("messages", "bytes", "fast"):
            counts[word] = sum(each.get(word) or 0 for each in batches)
        return [counts[word] for word in NUMBERS.split()]


def _end(event: Row) -> End:
    role = event["detail"].get("role")
    partner = event["detail"].get("partner") if role == "receiver" else ""
    return End(event["qmgr"], event["target"], role, partner)


def _speed(batches: Sequence[_Batch]) -> list[float | None]:
    """Messages per second, and the mean and the longest time from put to arrival."""
    timed = [each for each in batches if each.began is not None]
    busy = sum(between(each.began, each.event["at"]) or 0 for each in timed)
    moved = sum(each.event["detail"]["messages"] for each in timed)
    details = [each.event["detail"] for each in batches]
    waited = [each for each in details if each.get("waited_ms") is not None]
    arrived = sum(each["messages"] for each in waited)
    return [
        moved * 1e6 / busy if busy else None,
        sum(each["waited_ms"] for each in waited) / arrived / 1e3 if arrived else None,
        max((each["longest_ms"] / 1e3 for each in waited), default=None),
    ]


def failures(work: Work) -> dict[Key, list[Any]]:
    found: dict[Key, list[Row]] = defaultdict(list)
    for each in work.ends:
        if each["cause"] in WENT_WRONG:
            number = re.match(r"AMQ\d+[A-Z]?", each["detail"].get("message", ""))
            found[_end(each), number and number[0], each["cause"]].append(each)
    return {
        (*end[:3], _partner(rows), number, cause): [
            len(rows),
            min(each["at"] for each in rows),
            max(each["at"] for each in rows),
            rows[-1]["detail"].get("message"),
        ]
        for (end, number, cause), rows in found.items()
    }


def _partner(events: Sequence[Row]) -> str | None:
    return max(each["detail"].get("partner") or "" for each in events) or None


def in_doubt(work: Work, now: int) -> dict[Key, list[Any]]:
    found: dict[Key, list[Row]] = defaultdict(list)
    for each in work.ends:
        if each["cause"] in ("in-doubt", "resolved"):
            found[each["qmgr"], each["target"], each["detail"]["luwid"]].append(each)
    return {key: _doubt(work, rows, now) for key, rows in found.items()}


def _doubt(work: Work, events: Sequence[Row], now: int) -> list[Any]:
    since = min((each["at"] for each in events if each["cause"] == "in-doubt"), default=None)
    ends = [each for each in events if each["cause"] == "resolved"]
    until = max((each["at"] for each in ends), default=None)
    lasted = seconds(between(since, now if until is None else until))
    decision = ends[-1]["detail"]["decision"] if ends else None
    luwid = events[0]["detail"]["luwid"]
    # The receiver has it too, if it has committed the batch.
    both = [each["detail"] for each in work.ends if each["detail"].get("luwid") == luwid]
    sequences = {detail["sequence"] for detail in both}
    return [_partner(events), *sequences, since, until, lasted, decision]


def check_channels(built: dict[str, pa.Table], stores: list[Facts], now: int) -> None:
    works = [Work(each) for each in stores]
    end = "qmgr channel role partner"
    speed = "throughput latency_mean latency_longest"
    wanted = {key: row for work in works for key, row in work.rows().items()}
    same(built["channels"], f"{end} hour", f"{NUMBERS} {speed}", wanted)
    wanted = {key: row for work in works for key, row in failures(work).items()}
    same(built["failures"], f"{end} message_id outcome", "times first last message", wanted)
    wanted = {key: row for work in works for key, row in in_doubt(work, now).items()}
    names = "partner sequence since until lasted decision"
    same(built["in_doubt"], "qmgr channel luwid", names, wanted)
