"""Figures of the reports about messages, recounted by a second program over random histories of
real stores.

It follows the messages of each queue through the events, one after the other, so nothing is
computed as the reports compute it. MQSC_HISTORIES is how many histories there are;
MQSC_FIRST_HISTORY is the first of them.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from mqsc.reports.catalog import report
from mqsc.reports.declaration import Report
from mqsc.reports.identities import Ledger
from tests.reports.facts import (
    Facts,
    Figures,
    Row,
    facts_of_stores,
    hour_of,
    identity,
    rows_of_histories,
    was_on_queue,
)
from tests.reports.history import at
from tests.reports.recounts import check_depths, check_endings, check_expiry
from tests.reports.tables import tables_of

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]
    from pyspark.sql import SparkSession

# Whether tables have the figures of these stores; clocks are at the time, in microseconds.
Check = Callable[[dict[str, "pa.Table"], list[Facts], int], None]
LEFT = ("REQUEUE", "FORWARD", "DISCARD", "EXPIRE")
HANDLED = ("handler", "command")
WORDS = {
    "REQUEUE": "requeued",
    "FORWARD": "forwarded",
    "DEAD_LETTER": "dead_lettered",
    "DISCARD": "discarded",
}
WORDS["EXPIRE"] = "expired"


class DeadLetters:
    """What arrived on dead-letter queues, how it left, and what is left."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self.arrivals, self.outcomes, self.gone, self.left = (Figures() for _ in range(4))
        self.outcome_bytes, self.left_bytes = Figures(), Figures()
        self._named = set(self._names())
        # For each message with a header on another queue, by queue, MsgId and time of the put.
        puts = (
            each for each in facts.events if each["kind"] == "PUT" and each["reason"] is not None
        )
        self._headers = {identity(each) for each in puts}
        self._count_arrivals()
        self._count_departures()
        self._count_left()

    @property
    def ambiguous(self) -> set[tuple[str, str]]:
        """Queues of other messages with one that only its header tells from another, or that
        MOVE may have returned.
        """
        puts = (
            each for each in self._facts.events if each["kind"] == "PUT" and each["reason"] is None
        )
        keys = map(identity, puts)
        returned = {
            (each["qmgr"], each["target"]) for each in self._facts.events if each["kind"] == "MOVE"
        }
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
        return identity(event) in self._headers

    def _count_arrivals(self) -> None:
        puts = {
            each["detail"]["put_event"]
            for each in self._facts.events
            if each["kind"] == "DEAD_LETTER"
        }
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
                self.arrivals[
                    each["qmgr"],
                    each["target"],
                    hour_of(each),
                    None,
                    None,
                    None,
                    "move",
                ] += number

    def _arrived(self, qmgr: str, queue: str, event: Row, header: Row, cause: str | None) -> None:
        destination = header.get("destination"), header.get("destination_queue_manager")
        self.arrivals[qmgr, queue, hour_of(event), event["reason"], *destination, cause] += 1

    def _count_departures(self) -> None:
        """Departures one by one: those with an event of their own, other gets, and CLEAR and
        MOVE.
        """
        held = {identity(each) for each in self._facts.pending if each["state"] == "GOT"}
        told = Counter(
            (each["unit"], *identity(each))
            for each in self._facts.events
            if each["kind"] in (*LEFT, "DEAD_LETTER")
            and each["unit"] is not None
            and each["put_at"] is not None
        )
        for each in self._facts.events:
            queue = (each["qmgr"], each["queue"])
            if each["kind"] in LEFT and was_on_queue(each) and self._counts(each):
                if each["unit"] not in self._facts.undone:
                    detail = each["detail"].get("attempt")
                    key = (
                        *queue,
                        each["kind"],
                        each["cause"],
                        each["rule"],
                        detail,
                        each["target"],
                    )
                    self.outcomes[key] += 1
                    self.outcome_bytes[key] += each["length"]
            elif (
                each["kind"] == "GET"
                and self._counts(each)
                and each["unit"] not in self._facts.undone
            ):
                key = (each["unit"], *identity(each))
                if told[key]:
                    told[key] -= 1
                elif not (
                    each["unit"] is not None and key[1:] in held and not self._ended(each["unit"])
                ):
                    self.gone[*queue, "GET", each["application"], each["user"]] += 1
            elif each["kind"] in ("CLEAR", "MOVE") and queue in self._named:
                number = each["detail"]["messages"] - each["detail"].get("got", 0)
                self.gone[*queue, each["kind"], each["application"], each["user"]] += number
            elif each["kind"] in ("CLEAR", "MOVE"):
                number = self._there_before(*queue, each["seq"])
                self.gone[*queue, each["kind"], each["application"], each["user"]] += number

    def _there_before(self, qmgr: str, queue: str, seq: int) -> int:
        """How many messages with a header were on another queue when an event removed all that
        could be got.
        """
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
        causes = {
            each["detail"]["put_event"]: each
            for each in self._facts.events
            if each["kind"] == "DEAD_LETTER"
        }
        for each in self._facts.events:
            if each["kind"] == "PUT" and "message_number" in each["detail"]:
                by_number[
                    each["qmgr"],
                    each["queue"],
                    each["detail"]["message_number"],
                    each["msg_id"],
                ] = each
        for each in self._facts.pending:
            queue = (each["qmgr"], each["queue"])
            put = by_number.get((*queue, each["id"], each["msg_id"]))
            if queue not in self._named and put is None:
                continue
            assert (
                put is None
                or put["seq"] not in causes
                or causes[put["seq"]]["reason"] == put["reason"]
            )
            detail = {} if put is None else put["detail"]
            reason = None if put is None else put["reason"]
            key = (
                *queue,
                reason,
                detail.get("destination"),
                detail.get("destination_queue_manager"),
            )
            self.left[key] += 1
            self.left_bytes[key] += each["length"]


def balances(facts: Facts) -> dict[tuple[str, str], Counter[str]]:
    """For each queue, the puts and what became of them, as the columns of `balance`, but without
    lost and surplus.
    """
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    told: dict[tuple[Any, ...], list[str]] = defaultdict(list)
    for each in facts.events:
        if each["kind"] in WORDS and each["unit"] is not None and each["put_at"] is not None:
            told[each["unit"], *identity(each)].append(WORDS[each["kind"]])
    for each in facts.events:
        queue, kind = counts[each["qmgr"], each["queue"]], each["kind"]
        is_undone = each["unit"] in facts.undone
        if kind == "PUT":
            queue["put"] += 1
            queue["backed_out"] += is_undone
            queue["streamed"] += each["cause"] == "stream"
        elif kind == "GET" and not is_undone:
            outcomes = told[each["unit"], *identity(each)]
            queue[outcomes.pop() if outcomes else "got"] += 1
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
    """For each queue and hour, how often each thing happened to the depth, as the columns of
    `hours`.
    """
    hours: dict[tuple[str, str, int], Counter[str]] = defaultdict(Counter)
    for each in facts.events:
        kind = each["kind"]
        hour = (
            hours[each["qmgr"], each["queue"], hour_of(each)]
            if each["queue"] is not None
            else Counter()
        )
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


FIRST = int(os.environ.get("MQSC_FIRST_HISTORY", "1"))
HISTORIES = int(os.environ.get("MQSC_HISTORIES", "2"))
# The time of the clocks, in seconds after the start: in the middle of most histories.
NOW = 8_000
# At once in Spark.
TOGETHER = 25
ENDINGS = (
    "put streamed moved_in backed_out got requeued forwarded dead_lettered discarded dropped "
    "expired moved_out cleared "
    "there held"
).split()
CHANGES = (
    "puts",
    "bytes_put",
    "gets",
    "bytes_got",
    "puts_backed_out",
    "gets_backed_out",
    "moved_in",
    "removed",
)


@pytest.mark.parametrize(
    "name",
    # What the test of queue-activity counts again.
    [
        "dead-letters",
        "message-lifetimes",
        pytest.param("queue-activity", marks=pytest.mark.long),
        pytest.param("expired-messages", marks=pytest.mark.long),
    ],
)
@pytest.mark.parametrize("first", range(FIRST, FIRST + HISTORIES, TOGETHER))
def test_every_figure(spark: SparkSession, first: int, name: str) -> None:
    rows = rows_of_histories(range(first, min(first + TOGETHER, FIRST + HISTORIES)))
    by_store = facts_of_stores(rows)
    built = _built(spark, name, rows)
    for check in CHECKS[name]:
        check(built, by_store, at(NOW))


def _built(
    spark: SparkSession,
    name: str,
    rows: dict[str, list[dict[str, Any]]],
) -> dict[str, pa.Table]:
    """The tables of a report, whose identities hold."""
    wanted: Report = report(name)
    built = tables_of(spark, wanted, rows, *(table.name for table in wanted.tables), now=NOW)
    ledger = Ledger(wanted, is_whole=True)
    for table in wanted.tables:
        ledger.take(table, built[table.name])
    assert [str(each) for each in ledger.broken()] == []
    return built


def _figures(table: pa.Table, keys: str, number: str = "messages") -> Figures:
    import pyarrow as pa

    names = keys.split()
    plain = [
        (
            table[name].cast(pa.int64()) if pa.types.is_timestamp(table[name].type) else table[name]
        ).to_pylist()
        for name in (*names, number)
    ]
    return _added((tuple(key), amount) for *key, amount in zip(*plain, strict=True))


def _added(pairs: Iterable[tuple[tuple[Any, ...], int | None]]) -> Figures:
    """Blank names count as none: a message without a header names no destination."""
    figures: Figures = Counter()
    for key, amount in pairs:
        figures[tuple(each if each != "" else None for each in key)] += amount or 0
    return +figures


def _together(each: list[Figures]) -> Figures:
    return _added(pair for figures in each for pair in figures.items())


def _check_dead_letters(built: dict[str, pa.Table], stores: list[Facts], now: int) -> None:
    counted = [DeadLetters(each) for each in stores]
    header = "reason destination destination_queue_manager"
    silent = _silent(stores)

    def heard(figures: Figures) -> Figures:
        return Counter({key: number for key, number in figures.items() if key[:2] not in silent})

    arrivals = _figures(built["arrivals"], f"qmgr queue hour {header} cause")
    # Without an event of the put, a later one may tell the destination.
    assert heard(arrivals) == heard(_together([each.arrivals for each in counted]))
    without = _figures(built["arrivals"], "qmgr queue hour reason cause")
    assert without == _added(
        ((*key[:4], key[6]), number) for each in counted for key, number in each.arrivals.items()
    )
    left = f"qmgr queue {header}"
    for table in ("left", "left_messages"):
        number, size = ("messages", "bytes") if table == "left" else ("one", "length")
        rows = built[table]
        if table == "left_messages":
            rows = rows.append_column("one", [[1] * rows.num_rows])
        assert heard(_figures(rows, left, number)) == heard(
            _together([each.left for each in counted]),
        )
        assert heard(_figures(rows, left, size)) == heard(
            _together([each.left_bytes for each in counted]),
        )
    keys = "qmgr queue outcome cause rule attempt target"
    told = _figures(built["outcomes"], keys)
    by_event = Counter({key: number for key, number in told.items() if key[2] != "GONE"})
    assert by_event == _together([each.outcomes for each in counted])
    assert _figures(built["outcomes"], keys, "bytes") == _together(
        [each.outcome_bytes for each in counted],
    )
    by_whom = "qmgr queue outcome removed_by application user"
    gone = _added(
        ((*key[:2], *key[3:]), number)
        for key, number in _figures(built["outcomes"], by_whom).items()
        if key[2] == "GONE"
    )
    of_queues = _added((key[:2], number) for key, number in gone.items())
    counted_gone = _together([each.gone for each in counted])
    silent |= {queue for each in counted for queue in each.ambiguous}
    assert heard(of_queues) == heard(
        _added((key[:2], number) for key, number in counted_gone.items()),
    )
    moved_to = {
        (each["qmgr"], each["target"])
        for facts in stores
        for each in facts.events
        if each["kind"] == "MOVE"
    }

    def named(figures: Figures) -> Figures:
        # MOVE does not name the messages that it brought, so nothing tells who removed these.
        return heard(Counter({key: n for key, n in figures.items() if key[:2] not in moved_to}))

    assert named(gone) == named(counted_gone)


def _silent(stores: list[Facts]) -> set[tuple[str, str]]:
    return {
        (each["qmgr"], each["queue"])
        for facts in stores
        for each in facts.events
        if each["kind"] in ("DEFINE", "ALTER") and "OFF" in each["detail"].get("ACCTQ", ())
    }


def _check_lifetimes(built: dict[str, pa.Table], stores: list[Facts], now: int) -> None:
    counted = {key: counts for each in stores for key, counts in balances(each).items()}
    rows = {(each["qmgr"], each["queue"]): each for each in built["balance"].to_pylist()}
    assert rows.keys() >= counted.keys()
    silent = _silent(stores)
    for key, row in rows.items():
        assert row["unrecorded"] == (key in silent)
        if key in silent:
            assert (row["lost"], row["surplus"]) == (None, None)
            continue
        # A CLEAR of an empty queue is a row, too.
        assert {name: row[name] for name in ENDINGS if row[name]} == dict(counted.get(key, {}))
        assert (row["lost"], row["surplus"]) == (0, 0)


def _check_activity(built: dict[str, pa.Table], stores: list[Facts], now: int) -> None:
    hours = {key: counts for each in stores for key, counts in depths(each).items()}
    silent = _silent(stores)
    for name in CHANGES:
        found = _figures(built["hours"], "qmgr queue hour", name)
        wanted = _added((key, counts[name]) for key, counts in hours.items())
        for key in found.keys() | wanted.keys():
            # Of what was not recorded, nothing is undone either.
            assert found[key] == wanted[key] or key[:2] in silent, (name, key)


CHECKS: dict[str, tuple[Check, ...]] = {
    "dead-letters": (_check_dead_letters,),
    "message-lifetimes": (_check_lifetimes, check_endings),
    "queue-activity": (_check_activity, check_depths),
    "expired-messages": (check_expiry,),
}
