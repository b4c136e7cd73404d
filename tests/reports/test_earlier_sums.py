"""Sums over events that the tables of a period do not need."""

from __future__ import annotations

import pyarrow as pa  # type: ignore[import-untyped]

from mqsc.reports.earlier_rows import EARLIER, schema_of
from mqsc.reports.earlier_sums import counted, summed
from mqsc.reports.held_events import with_store
from mqsc.store.published import EVENT
from tests.reports.history import Row, count, event, expire, got, put

EVENTS = [
    put(1, cause="stream"),
    put(2),
    put(3),
    put(4, unit=7),
    got(2),
    expire(),
    # In a unit of work it describes a get.
    expire(unit=7),
    # A message that a channel carried was on no queue.
    event("DISCARD", "Q", cause="channel"),
    count("CLEAR", 5, got=2),
    count("MOVE", 4, target="TO"),
    count("MOVE", 3, target="TO", detail='{"messages": 3, "target_owner": "GROUP"}'),
    event("COMMIT", None),
]
SUMS = {
    ("QM1", "Q", "put", "stream"): 1,
    ("QM1", "Q", "put", None): 3,
    ("QM1", "Q", "got", None): 1,
    ("QM1", "Q", "expired", "get"): 1,
    ("QM1", "Q", "cleared", None): 3,
    ("QM1", "Q", "moved", None): 7,
    ("QM1", "TO", "moved in", None): 4,
    ("GROUP", "TO", "moved in", None): 3,
}


def sums_of_events() -> pa.Table:
    numbered = [{**row, "seq": number} for number, row in enumerate(EVENTS, 1)]
    return counted(pa.Table.from_pylist(numbered, schema_of(EVENT)))


def messages(rows: list[Row]) -> dict[tuple[str | None, ...], int]:
    names = ("qmgr", "queue", "ending", "cause")
    return {tuple(row[name] for name in names): row["messages"] for row in rows}


def test_messages_that_came_and_left_are_counted() -> None:
    assert messages(sums_of_events().to_pylist()) == SUMS


def test_sums_of_a_queue_are_added_up() -> None:
    once = with_store(sums_of_events(), 1)
    twice = summed(pa.concat_tables([once, once]))
    assert twice.schema.names == [*schema_of(EARLIER).names, "store"]
    assert messages(twice.to_pylist()) == {
        key: 2 * number for key, number in messages(once.to_pylist()).items()
    }
