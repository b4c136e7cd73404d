"""The tables of backouts, counted from the events one after the other."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.reports.counted_tables import Key, between, same, seconds
from tests.reports.facts import Facts, Row, hour_of, identity

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]

MOVES = ("REQUEUE", "DEAD_LETTER", "DISCARD")
# Fewer backouts are not a loop.
LOOP = 2


class Tried(NamedTuple):
    """A get that was backed out, with the backout count of its message from then on."""

    event: Row
    number: int
    is_kept: bool


class Backouts:
    """What was backed out in a store, and what consumers did about it."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        backouts = [each for each in facts.events if each["kind"] == "BACKOUT"]
        self._of_unit = {each["unit"]: each["detail"] for each in backouts if each["unit"]}
        self.gets = [*self._gets()]
        self.moves = [
            each
            for each in facts.events
            if each["kind"] in MOVES
            and each["cause"] == "poison"
            and each["unit"] not in facts.undone
        ]
        self.there = {identity(each) for each in facts.pending}
        self.thresholds = thresholds(facts)

    def _gets(self) -> Iterator[Tried]:
        counts: Counter[Key] = Counter()
        for each in self._facts.events:
            unit = self._last_unit(each) if each["kind"] == "GET" else None
            if unit in self._of_unit:
                counts[identity(each)] += 1
                kept = self._of_unit[unit].get("kept message", {})
                message = (each["queue"], each["msg_id"].hex())
                is_kept = (kept.get("queue"), kept.get("msg_id", "").lower()) == message
                yield Tried(each, counts[identity(each)], is_kept)

    def _last_unit(self, event: Row) -> int | None:
        """The unit of work in which a message that was got ended: it may have skipped a backout."""
        unit: int | None = event["unit"]
        skipped = self._of_unit.get(unit, {}).get("skipped message")
        is_marked = "mark" in event["detail"] and skipped is not None
        if is_marked and skipped["msg_id"].lower() == event["msg_id"].hex():
            return int(skipped["unit"])
        return unit

    def by_hour(self) -> dict[Key, list[Any]]:
        """By queue manager, queue, program and hour."""
        gets: dict[Key, list[Tried]] = defaultdict(list)
        for tried in self.gets:
            gets[_of_program(tried.event)].append(tried)
        moves: dict[Key, list[Row]] = defaultdict(list)
        for each in self.moves:
            moves[_of_program(each)].append(each)
        return {key: _hour(gets[key], moves[key]) for key in gets.keys() | moves.keys()}

    def loops(self) -> dict[Key, list[Any]]:
        """By message and program."""
        found: dict[Key, list[Row]] = defaultdict(list)
        for tried in self.gets:
            found[*identity(tried.event), tried.event["application"]].append(tried.event)
        moved = {identity(each): each["kind"] for each in self.moves}
        return {
            _shown(key): [
                len(events),
                *_span(events),
                seconds(between(*_span(events))),
                "THERE" if key[:4] in self.there else moved.get(key[:4]),
                self.thresholds.get(key[:2], 0),
            ]
            for key, events in found.items()
            if len(events) >= LOOP
        }

    def spinning(self) -> dict[Key, list[Any]]:
        """By queue without a threshold."""
        of_messages: dict[Key, list[Tried]] = defaultdict(list)
        for tried in self.gets:
            of_messages[identity(tried.event)].append(tried)
        of_queues: dict[Key, list[Tried]] = defaultdict(list)
        for message, gets in of_messages.items():
            if len(gets) >= LOOP and not self.thresholds.get(message[:2]):
                of_queues[message[:2]] += gets
        return {queue: self._spin(gets) for queue, gets in of_queues.items()}

    def _spin(self, gets: Sequence[Tried]) -> list[Any]:
        messages = {identity(tried.event) for tried in gets}
        return [
            len(messages),
            len(gets),
            max(tried.number for tried in gets),
            len(messages & self.there),
            *_span([tried.event for tried in gets]),
        ]


def _of_program(event: Row) -> Key:
    return event["qmgr"], event["queue"], event["application"], hour_of(event)


def _hour(gets: Sequence[Tried], moves: Sequence[Row]) -> list[Any]:
    counts = [tried.number for tried in gets]
    counts += [each["detail"]["backout_count"] for each in moves]
    kinds = Counter(each["kind"] for each in moves)
    return [
        len(gets),
        len({identity(tried.event) for tried in gets}),
        max(counts),
        *(kinds[kind] for kind in MOVES),
        sum(tried.is_kept for tried in gets),
    ]


def _span(events: Sequence[Row]) -> tuple[int, int]:
    times = [each["at"] for each in events]
    return min(times), max(times)


def _shown(key: Key) -> Key:
    qmgr, queue, msg_id, put_at, application = key
    return qmgr, queue, msg_id.hex(), put_at, application


def thresholds(facts: Facts) -> dict[Key, int]:
    """BOTHRESH of each queue when the history ends; a dynamic queue has that of its model when it
    was made.
    """
    queues: dict[Key, int] = {}
    models: dict[Key, int] = {}
    for each in facts.events:
        name = each["qmgr"], each["queue"]
        if each["kind"] == "DEFINE" and each["cause"] == "dynamic":
            queues[name] = models.get((each["qmgr"], each["rule"]), 0)
        elif each["kind"] in ("DEFINE", "ALTER") and each["target"] in ("QLOCAL", "QMODEL"):
            values = queues if each["target"] == "QLOCAL" else models
            if each["kind"] == "DEFINE":
                values[name] = 0
            if "BOTHRESH" in each["detail"]:
                values[name] = each["detail"]["BOTHRESH"][1]
    return queues


def check_backouts(built: dict[str, pa.Table], stores: list[Facts], now: int) -> None:
    found = [Backouts(each) for each in stores]
    names = "gets_backed_out messages highest_backout_count requeued dead_lettered discarded kept"
    wanted = {key: row for each in found for key, row in each.by_hour().items()}
    same(built["backouts"], "qmgr queue application hour", names, wanted)
    names = "backouts since last lasted outcome threshold"
    wanted = {key: row for each in found for key, row in each.loops().items()}
    same(built["loops"], "qmgr queue msg_id put_at application", names, wanted)
    names = "messages gets_backed_out highest_backout_count there since last"
    wanted = {key: row for each in found for key, row in each.spinning().items()}
    same(built["spinning"], "qmgr queue", names, wanted)
