"""Units of work that ended before a period, and that it does not need: what they did to the balance
of queues.

The report message-lifetimes decides the same with Spark, for units that a period needs. Spark needs
much longer for all earlier units than this process, and cannot be left out, because a history can
be larger than one process holds. Tests compare both on random histories
(tests/reports/test_looking_back.py) and on the cases of each report
(tests/reports/test_chosen_events.py).
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import pyarrow as pa  # type: ignore[import-untyped]

from mqsc.reports.earlier_rows import EARLIER, schema_of
from mqsc.reports.endings import ENDINGS, OUTCOMES
from mqsc.reports.row_conditions import is_in
from mqsc.reports.units import SKIPPED

# The key under which the detail of an imported backout says where it is from.
_SOURCE = "source"
_UNDONE: Mapping[str, str] = {"PUT": "puts", "GET": "gets"}
_COLUMNS = ("qmgr", "kind", "cause", "queue", "msg_id", "put_at", "unit", "detail")

Row = Mapping[str, Any]


class _Calls(NamedTuple):
    """The puts or gets of a unit of work on one queue."""

    unit: int
    qmgr: str
    queue: str
    kind: str

    @property
    def by_queue(self) -> tuple[int, str, str]:
        """Backouts do not tell queue managers apart."""
        return self.unit, self.queue, self.kind


class _End(NamedTuple):
    """What became of messages."""

    ending: str
    cause: str | None


class Settled(NamedTuple):
    """The events of units of work that are needed, and the sums of the others as EARLIER."""

    needed: pa.Table
    sums: pa.Table


def settled(events: pa.Table, needed_units: set[int]) -> Settled:
    """Divide all events of some units of work in a store. Of the units that are not needed, those
    that are not simple are needed nevertheless.
    """
    rows = events.select(_COLUMNS).to_pylist()
    backouts = [row for row in rows if row["kind"] == "BACKOUT"]
    undone = _undone(backouts)
    ends_of = _ends(rows)
    needed = needed_units | _awkward(backouts)
    needed |= {of.unit for of, ends in ends_of.items() if undone[of.by_queue] and len(ends) > 1}
    sums: dict[tuple[Any, ...], Counter[str]] = defaultdict(Counter)
    for of, ends in ends_of.items():
        if of.unit in needed:
            continue
        for end, messages in ends.items():
            counts = {"messages": messages, "undone": min(messages, undone[of.by_queue])}
            sums[of.qmgr, of.queue, *end].update(counts)
    return Settled(events.filter(is_in(events["unit"], needed)), _table(sums))


def _awkward(backouts: Iterable[Row]) -> set[int]:
    """The units of work that have to do with other ones, that have several ends, or whose end was
    imported.
    """
    times = Counter(row["unit"] for row in backouts)
    units = {unit for unit, number in times.items() if number > 1}
    for row in backouts:
        told = json.loads(row["detail"] or "{}")
        if SKIPPED in told:
            units |= {row["unit"], told[SKIPPED]["unit"]}
        if _SOURCE in told:
            units.add(row["unit"])
    return units


def _undone(backouts: Iterable[Row]) -> Counter[tuple[int, str, str]]:
    """How many puts and gets the backout of a unit undid on a queue."""
    undone: Counter[tuple[int, str, str]] = Counter()
    for row in backouts:
        for queue, told in json.loads(row["detail"] or "{}").items():
            if isinstance(told, dict):
                for kind, name in _UNDONE.items():
                    undone[row["unit"], queue, kind] = told.get(name) or 0
    return undone


def _ends(rows: Iterable[Row]) -> dict[_Calls, Counter[_End]]:
    """What became of the messages of each unit's puts and gets on a queue, and of how many."""
    outcomes: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    for row in rows:
        # As in a join of Spark, NULL is equal to nothing.
        if row["kind"] in OUTCOMES and None not in _message(row):
            outcomes[_message(row)].append(row)
    ends: dict[_Calls, Counter[_End]] = defaultdict(Counter)
    for row in rows:
        if row["kind"] in _UNDONE:
            of = _Calls(row["unit"], row["qmgr"], row["queue"], row["kind"])
            ends[of][_end(row, outcomes.get(_message(row), ()))] += 1
    return ends


def _message(row: Row) -> tuple[Any, ...]:
    return row["unit"], row["queue"], row["msg_id"], row["put_at"]


def _end(call: Row, outcomes: Iterable[Row]) -> _End:
    """What a put or get meant for its message; `outcomes` are the events in which the same unit of
    work says more of it.
    """
    became = min((OUTCOMES[row["kind"]] for row in outcomes), default=ENDINGS["GET"])
    causes = [row["cause"] for row in outcomes if row["cause"] is not None]
    ending = became if call["kind"] == "GET" else ENDINGS["PUT"]
    return _End(ending, min(causes, default=call["cause"]))


def _table(sums: Mapping[tuple[Any, ...], Mapping[str, int]]) -> pa.Table:
    names = ("qmgr", "queue", "ending", "cause")
    rows = [{**dict(zip(names, key, strict=True)), **counts} for key, counts in sums.items()]
    return pa.Table.from_pylist(rows, schema_of(EARLIER))
