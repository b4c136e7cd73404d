"""Archives of any size without a store: a seeded history, written as files and commits as `mqsc
archive` writes them.

    python -m tests.benchmarks.generated_archive FOLDER [--events 1000000] [--a-day 500000]

A history is played once and repeated, each time later and with other numbers, units of work and
identifiers.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Iterator
from typing import NamedTuple

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]

from mqsc.reports.archive.commit_files import Commit, encoded
from mqsc.reports.archive.content import MICROSECONDS_A_DAY, SCHEMA
from mqsc.reports.archive.place import open_place
from mqsc.reports.archive.worker import Request, _write, read_back
from tests.reports.played import played

STORE = "00000000-0000-8000-8000-00000000000{}"
RANGE = 2_000_000
DAY = 19_676  # 2023-11-15
STEPS = 800


class Block(NamedTuple):
    """Events with times from 0 to less than a part of a day, and the number of such parts."""

    events: pa.Table
    parts: int


def block(seed: int, a_day: int) -> Block:
    """The events of a history that was played."""
    table = pa.Table.from_pylist(played(seed, STEPS).event, schema=SCHEMA)
    start, end = (bound.as_py() for bound in pc.min_max(table.column("at")).values())
    parts = max(1, a_day // table.num_rows)
    scale = (end - start + 1) * parts // MICROSECONDS_A_DAY + 1
    for name in ("at", "put_at", "expires_at"):
        scaled = pc.divide(pc.subtract(table.column(name), start), scale)
        table = table.set_column(SCHEMA.get_field_index(name), SCHEMA.field(name), scaled)
    return Block(table, parts)


def shifted(events: pa.Table, number: int, parts: int) -> pa.Table:
    """The events of a block, as the block with this number of so many a day."""
    size, units = events.num_rows, pc.max(events.column("unit")).as_py() + 1
    later = DAY * MICROSECONDS_A_DAY + number * (MICROSECONDS_A_DAY // parts)
    steps = {
        "seq": number * size,
        "unit": number * units,
        **dict.fromkeys(("at", "put_at", "expires_at"), later),
    }
    for name, step in steps.items():
        moved = pc.add(events.column(name), step)
        events = events.set_column(SCHEMA.get_field_index(name), SCHEMA.field(name), moved)
    for name in ("msg_id", "correl_id"):
        start = pc.binary_slice(events.column(name), 0, 20)
        renamed = pc.binary_join_element_wise(
            start,
            pa.scalar(number.to_bytes(4, "big")),
            pa.scalar(b""),
        )
        events = events.set_column(SCHEMA.get_field_index(name), SCHEMA.field(name), renamed)
    return events


def generate(
    url: str,
    events: int,
    *,
    a_day: int = 500_000,
    seed: int = 1,
    store: int = 1,
    a_commit: int = RANGE,
    made: Block | None = None,
) -> int:
    """Write an archive with at least so many events, about `a_commit` in each commit; return how
    many it has. It repeats the block `made`, or else one of the `seed`.
    """
    place, identity = open_place(url), STORE.format(store)
    base, parts = made or block(seed, a_day)
    blocks, previous = -(-events // base.num_rows), ""
    a_range = max(1, min(a_commit, events) // base.num_rows)
    for begin in range(0, blocks, a_range):
        numbers = range(begin, min(begin + a_range, blocks))
        first, last = numbers[0] * base.num_rows + 1, (numbers[-1] + 1) * base.num_rows
        request = Request("", url, identity, first, last, "")
        days = list(range(DAY + numbers[0] // parts, DAY + numbers[-1] // parts + 1))

        def tables(numbers: range = numbers) -> Iterator[pa.Table]:
            return (shifted(base, number, parts) for number in numbers)

        files = [
            read_back(place, each)
            for each in _write(place, request, days, tables(), lambda step: None)
        ]
        commit = Commit(
            identity,
            f"generated{store}",
            first,
            last,
            last - first + 1,
            tuple(sorted(set(base.column("qmgr").to_pylist()))),
            (),
            tuple(files),
            previous,
            "2023-12-01T00:00:00Z",
            "0",
        )
        content = encoded(commit)
        place.write_new(commit.path, content)
        previous = hashlib.sha256(content).hexdigest()
    return int(blocks * base.num_rows)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder")
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--a-day", type=int, default=500_000)
    chosen = parser.parse_args()
    print(f"{generate(chosen.folder, chosen.events, a_day=chosen.a_day)} events")
