"""The reports of a period read the events of earlier days only as far as these matter to it.

This process reads the files of earlier days as Arrow, which takes much less time than Spark needs
to relate these events to each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import pyarrow as pa  # type: ignore[import-untyped]

from mqsc.reports.archive.merging import ArchivedPart, ArchivedStore
from mqsc.reports.archived_rows import may_hold
from mqsc.reports.chosen_events import Choice
from mqsc.reports.earlier_rows import NOTHING_EARLIER, Earlier
from mqsc.reports.earlier_sums import counted, summed
from mqsc.reports.held_events import archived_events, with_store
from mqsc.reports.held_rows import held_rows
from mqsc.reports.lasting_definitions import lasting
from mqsc.reports.related_events import LEARNED, RelatedEvents
from mqsc.reports.selection import ReportSelection
from mqsc.reports.settled_units import settled
from mqsc.reports.sources import Sources, range_of
from mqsc.store.published import EVENT, PENDING

# More rows are not held in this process: then Spark reads the whole history.
MOST_HELD = 500_000
# Of more events, this process does not look for those that matter: it notes their identifiers.
MOST_EXAMINED = 50_000_000
_ALL = [column.name for column in EVENT.columns]


def related(read: Sources, since: int, most: int = MOST_HELD) -> Sources:
    """The sources without the events of days before `since` that no table of a period which begins
    there needs. The same ones if more than `most` rows were to be held.

    ReportFailedError if a file or the store cannot be read.
    """
    period = ReportSelection(since=since)
    earlier_stores = [_with_files(store, period, within=False) for store in read.archives]
    live_rows = max(read.bound.seq - read.after, read.bound.message)
    is_large = live_rows > most or read.rows > MOST_EXAMINED
    if is_large or not any(store.rows for store in earlier_stores):
        return read
    of_period = tuple(_with_files(store, period, within=True) for store in read.archives)
    choices = _choices(replace(read, archives=of_period), earlier_stores)
    earlier = _chosen(earlier_stores, read.numbers, choices, most)
    return read if earlier is None else replace(read, archives=of_period, earlier=earlier)


def _with_files(store: ArchivedStore, period: ReportSelection, *, within: bool) -> ArchivedStore:
    """The archived store with the files of the days of the period, or with the others."""
    parts = (
        ArchivedPart(part.after, tuple(f for f in part.files if may_hold(f, period) == within))
        for part in store.parts
    )
    return replace(store, parts=tuple(parts))


def _choices(of_period: Sources, earlier: list[ArchivedStore]) -> dict[int, Choice]:
    """What the period needs of each store, by the number of the store."""
    numbers = of_period.numbers
    known = {number: RelatedEvents(is_live=False) for number in numbers.values()}
    if of_period.path is not None:
        live = known[numbers[of_period.live]] = RelatedEvents(is_live=True)
        ranges = [range_of(of_period, relation.name) for relation in (PENDING, EVENT)]
        messages, events = held_rows(of_period.path, ranges)
        live.learn_messages(messages)
        live.learn_period(events)
    for rows in _events(of_period.archives, numbers, LEARNED):
        known[_store_of(rows)].learn_period(rows)
    for rows in _events(earlier, numbers, LEARNED):
        known[_store_of(rows)].learn_earlier(rows)
    return {number: each.choice() for number, each in known.items()}


def _chosen(
    stores: list[ArchivedStore],
    numbers: Mapping[str, int],
    choices: Mapping[int, Choice],
    most: int,
) -> Earlier | None:
    """The chosen events of these stores and the sums of the others; None if they are too many."""
    of_stores = [
        _chosen_of(store, numbers, choices[numbers[store.store]], most) for store in stores
    ]
    chosen = [each for each in of_stores if each is not None]
    if len(chosen) < len(of_stores) or sum(each.events.num_rows for each in chosen) > most:
        return None
    return Earlier(
        *(pa.concat_tables(tables) for tables in zip(NOTHING_EARLIER, *chosen, strict=True))
    )


def _chosen_of(
    store: ArchivedStore,
    numbers: Mapping[str, int],
    choice: Choice,
    most: int,
) -> Earlier | None:
    number = numbers[store.store]
    needed = [NOTHING_EARLIER.events]
    definitions = [NOTHING_EARLIER.events]
    in_units = [NOTHING_EARLIER.events]
    needed_units = {*choice.needed_units}
    sums = []
    for rows in _events([store], numbers, _ALL):
        divided = choice.divided(rows)
        needed.append(divided.needed)
        definitions.append(divided.definitions)
        in_units.append(divided.in_units)
        needed_units |= divided.needed_units
        sums.append(counted(divided.others))
        if sum(each.num_rows for each in (*needed, *definitions, *in_units)) > most:
            return None
    of_units = settled(pa.concat_tables(in_units), needed_units)
    all_sums = with_store(pa.concat_tables([*sums, of_units.sums]), number)
    lasting_definitions = lasting(pa.concat_tables(definitions))
    return Earlier(
        pa.concat_tables([*needed, lasting_definitions, of_units.needed]),
        summed(all_sums),
    )


def _events(
    stores: Sequence[ArchivedStore],
    numbers: Mapping[str, int],
    columns: Sequence[str],
) -> Iterator[pa.Table]:
    """Their events, in tables that are not empty."""
    return filter(len, archived_events(stores, numbers, columns))


def _store_of(rows: pa.Table) -> int:
    """The number of the store that all of these rows are from."""
    return int(rows["store"][0].as_py())
