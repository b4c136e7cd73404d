"""A second program for the figures of reports: plain Python over the published rows, without Spark.

It follows the messages of each queue through the events, one after the other, so nothing is computed as the reports
compute it. Figures are Counters by the columns of a table.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

Row = dict[str, Any]
Figures = Counter[tuple[Any, ...]]
HOUR = 3_600_000_000
LEFT = ("REQUEUE", "FORWARD", "DISCARD", "EXPIRE")
HANDLED = ("handler", "command")
WORDS = {
    "REQUEUE": "requeued",
    "FORWARD": "forwarded",
    "DEAD_LETTER": "dead-lettered",
    "DISCARD": "discarded",
    "EXPIRE": "expired",
}


class Facts(NamedTuple):
    """The events of a store with what every figure needs: details, and which units of work were backed out or end."""

    events: Sequence[Row]
    pending: Sequence[Row]
    undone: frozenset[int]
    put_of: dict[int, Row]


def facts_of(events: Sequence[Row], pending: Sequence[Row]) -> Facts:
    told = [{**each, "detail": json.loads(each["detail"] or "{}")} for each in events]
    undone = frozenset(each["unit"] for each in told if each["kind"] == "BACKOUT" and each["unit"] is not None)
    return Facts(told, pending, undone, {each["seq"]: each for each in told if each["kind"] == "PUT"})


def was_on_queue(event: Row) -> bool:
    """Not what a channel discarded or found expired on the way."""
    return event["kind"] not in ("DISCARD", "EXPIRE") or event["put_at"] is not None


def hour_of(event: Row) -> int:
    return int(event["at"]) // HOUR * HOUR


class DeadLetters:
    """What arrived on dead-letter queues, how it left, and what is left."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self.arrivals: Figures = Counter()
        self.outcomes: Figures = Counter()
        self.outcome_bytes: Figures = Counter()
        self.gone: Figures = Counter()
        self.left: Figures = Counter()
        self.left_bytes: Figures = Counter()
        self._named = set(self._names())
        # For each message with a header on another queue, by queue, MsgId and time of the put.
        self._headers = {
            (each["qmgr"], each["queue"], each["msg_id"], each["put_at"])
            for each in facts.events
            if each["kind"] == "PUT" and each["reason"] is not None
        }
        self._moved_here: Figures = Counter()
        self._count_arrivals()
        self._count_departures()
        self._count_left()

    @property
    def ambiguous(self) -> set[tuple[str, str]]:
        """Queues of other messages with one that only its header tells from another, or that MOVE may have returned."""
        puts = (each for each in self._facts.events if each["kind"] == "PUT" and each["reason"] is None)
        keys = ((each["qmgr"], each["queue"], each["msg_id"], each["put_at"]) for each in puts)
        returned = {(each["qmgr"], each["target"]) for each in self._facts.events if each["kind"] == "MOVE"}
        return ({key[:2] for key in keys if key in self._headers} | returned) - self._named

    def _names(self) -> Iterator[tuple[str, str]]:
        for each in self._facts.events:
            if each["kind"] == "DEAD_LETTER":
                yield each["detail"].get("target_owner", each["qmgr"]), each["target"]
            elif each["kind"] in LEFT and each["cause"] in HANDLED and each["reason"] is not None:
                yield each["qmgr"], each["queue"]

    def _counts(self, event: Row) -> bool:
        """Whether the message of an event about a queue is a dead letter."""
        queue = (event["qmgr"], event["queue"])
        if queue in self._named or event["kind"] == "PUT":
            return queue in self._named or event["reason"] is not None
        return (*queue, event["msg_id"], event["put_at"]) in self._headers

    def _count_arrivals(self) -> None:
        puts = {each["detail"]["put_event"] for each in self._facts.events if each["kind"] == "DEAD_LETTER"}
        for each in self._facts.events:
            queue = (each["qmgr"], each["queue"])
            if each["kind"] == "DEAD_LETTER":
                put = self._facts.put_of.get(each["detail"]["put_event"])
                unit = each["unit"] if put is None else put["unit"]
                if unit not in self._facts.undone:
                    header = {} if put is None else put["detail"]
                    self._arrived(each["qmgr"], each["target"], each, header, each["cause"])
            elif each["kind"] == "PUT" and each["seq"] not in puts and self._counts(each):
                if each["unit"] not in self._facts.undone:
                    self._arrived(*queue, each, each["detail"], None)
            elif each["kind"] == "MOVE" and (each["qmgr"], each["target"]) in self._named:
                number = each["detail"]["messages"] - each["detail"].get("got", 0)
                self.arrivals[each["qmgr"], each["target"], hour_of(each), None, None, None, "move"] += number

    def _arrived(self, qmgr: str, queue: str, event: Row, header: Row, cause: str | None) -> None:
        destination = header.get("destination"), header.get("destination_queue_manager")
        self.arrivals[qmgr, queue, hour_of(event), event["reason"], *destination, cause] += 1

    def _count_departures(self) -> None:
        """Departures one by one: those with an event of their own, other gets, and CLEAR and MOVE."""
        held = {
            (each["qmgr"], each["queue"], each["msg_id"], each["put_at"])
            for each in self._facts.pending
            if each["state"] == "GOT"
        }
        told = Counter(
            (each["qmgr"], each["queue"], each["unit"], each["msg_id"], each["put_at"])
            for each in self._facts.events
            if each["kind"] in (*LEFT, "DEAD_LETTER") and each["unit"] is not None and each["put_at"] is not None
        )
        for each in self._facts.events:
            queue = (each["qmgr"], each["queue"])
            if each["kind"] in LEFT and was_on_queue(each) and self._counts(each):
                if each["unit"] not in self._facts.undone:
                    detail = each["detail"].get("attempt")
                    key = (*queue, each["kind"], each["cause"], each["rule"], detail, each["target"])
                    self.outcomes[key] += 1
                    self.outcome_bytes[key] += each["length"]
            elif each["kind"] == "GET" and self._counts(each) and each["unit"] not in self._facts.undone:
                ids = (each["msg_id"], each["put_at"])
                if told[(*queue, each["unit"], *ids)]:
                    told[(*queue, each["unit"], *ids)] -= 1
                elif not (each["unit"] is not None and (*queue, *ids) in held and not self._ended(each["unit"])):
                    self.gone[*queue, "GET"] += 1
            elif each["kind"] in ("CLEAR", "MOVE") and queue in self._named:
                self.gone[*queue, each["kind"]] += each["detail"]["messages"] - each["detail"].get("got", 0)
            elif each["kind"] in ("CLEAR", "MOVE"):
                self.gone[*queue, each["kind"]] += self._there_before(*queue, each["seq"])

    def _there_before(self, qmgr: str, queue: str, seq: int) -> int:
        """How many messages with a header were on another queue when an event removed all that could be got."""
        there: Counter[tuple[bytes, int]] = Counter()
        for each in self._facts.events:
            ids = (each["msg_id"], each["put_at"])
            if each["seq"] >= seq or (each["qmgr"], each["queue"]) != (qmgr, queue):
                continue
            if each["kind"] in ("CLEAR", "MOVE"):
                there.clear()
            elif each["unit"] not in self._facts.undone and (qmgr, queue, *ids) in self._headers:
                there[ids] += {"PUT": 1, "GET": -1, "EXPIRE": -1}[each["kind"]]
        return sum(there.values())

    def _ended(self, unit: int) -> bool:
        return any(each["kind"] == "COMMIT" and each["unit"] == unit for each in self._facts.events)

    def _count_left(self) -> None:
        by_number = {}
        causes = {each["detail"]["put_event"]: each for each in self._facts.events if each["kind"] == "DEAD_LETTER"}
        for each in self._facts.events:
            if each["kind"] == "PUT" and "message_number" in each["detail"]:
                by_number[each["qmgr"], each["queue"], each["detail"]["message_number"], each["msg_id"]] = each
        for each in self._facts.pending:
            queue = (each["qmgr"], each["queue"])
            put = by_number.get((*queue, each["id"], each["msg_id"]))
            if queue not in self._named and put is None:
                continue
            assert put is None or put["seq"] not in causes or causes[put["seq"]]["reason"] == put["reason"]
            detail = {} if put is None else put["detail"]
            reason = None if put is None else put["reason"]
            key = (*queue, reason, detail.get("destination"), detail.get("destination_queue_manager"))
            self.left[key] += 1
            self.left_bytes[key] += each["length"]


def balances(facts: Facts) -> dict[tuple[str, str], Counter[str]]:
    """For each queue, the puts and what became of them, as the columns of `balance`, but without lost and surplus."""
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    told: dict[tuple[Any, ...], list[str]] = defaultdict(list)
    for each in facts.events:
        if each["kind"] in WORDS and each["unit"] is not None and each["put_at"] is not None:
            key = (each["qmgr"], each["queue"], each["unit"], each["msg_id"], each["put_at"])
            told[key].append(WORDS[each["kind"]])
    for each in facts.events:
        queue, kind = counts[each["qmgr"], each["queue"]], each["kind"]
        is_undone = each["unit"] in facts.undone
        if kind == "PUT":
            queue["put"] += 1
            queue["backed_out"] += is_undone
            queue["streamed"] += each["cause"] == "stream"
        elif kind == "GET" and not is_undone:
            outcomes = told[each["qmgr"], each["queue"], each["unit"], each["msg_id"], each["put_at"]]
            queue[outcomes.pop().replace("-", "_") if outcomes else "got"] += 1
        elif kind in ("EXPIRE", "DISCARD") and each["unit"] is None and each["put_at"] is not None:
            queue["expired" if kind == "EXPIRE" else "dropped"] += 1
        elif kind in ("CLEAR", "MOVE"):
            number = each["detail"].get("messages", 0) - each["detail"].get("got", 0)
            queue["cleared" if kind == "CLEAR" else "moved_out"] += number
            if kind == "MOVE":
                counts[each["qmgr"], each["target"]]["moved_in"] += number
    for each in facts.pending:
        queue = counts[each["qmgr"], each["queue"]]
        queue["held" if each["state"] == "GOT" else "there"] += 1
        queue["got"] -= each["state"] == "GOT"
    return {key: +number for key, number in counts.items() if any(number.values())}


def depths(facts: Facts) -> dict[tuple[str, str, int], Counter[str]]:
    """For each queue and hour, how often each thing happened to the depth, as the columns of `hours`."""
    hours: dict[tuple[str, str, int], Counter[str]] = defaultdict(Counter)
    for each in facts.events:
        kind = each["kind"]
        hour = hours[each["qmgr"], each["queue"], hour_of(each)] if each["queue"] is not None else Counter()
        if kind in ("PUT", "GET"):
            hour["puts" if kind == "PUT" else "gets"] += 1
            hour["bytes_put" if kind == "PUT" else "bytes_got"] += each["length"]
        elif kind in ("EXPIRE", "DISCARD") and each["unit"] is None and each["put_at"] is not None:
            hour["removed"] += 1
        elif kind in ("CLEAR", "MOVE"):
            number = each["detail"].get("messages", 0) - each["detail"].get("got", 0)
            hour["removed"] += number
            if kind == "MOVE":
                hours[each["qmgr"], each["target"], hour_of(each)]["moved_in"] += number
        elif kind == "BACKOUT":
            for queue, undone in each["detail"].items():
                if " " not in queue:
                    there = hours[each["qmgr"], queue, hour_of(each)]
                    there["puts_backed_out"] += undone["puts"]
                    there["gets_backed_out"] += undone["gets"]
    return {key: +number for key, number in hours.items() if any(number.values())}
