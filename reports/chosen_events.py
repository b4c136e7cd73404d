"""Which events before a period its tables need: those that are related to an event of the period or
to a message that is still on a queue, and a few that every period needs.

Each condition is the need of a table. More events than it needs do not change a table. But of a
message, of a unit of work and of a batch of a channel it needs all events, or none.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]

from mqsc.reports.dead_letter_events import LEFT_BY
from mqsc.reports.earlier_sums import is_of_depth
from mqsc.reports.endings import EMPTYING, OUTCOMES
from mqsc.reports.lasting_definitions import DEFINITIONS, can_last
from mqsc.reports.row_conditions import both, either, equals, found, has, is_in, neither

LUWID = '"luwid": ?"(?P<text>[^"]*)"'
# The kinds of events that tables look back to.
KINDS = (
    "PUT",
    "GET",
    *EMPTYING,
    "BACKOUT",
    *OUTCOMES,
    *DEFINITIONS,
    "OPEN",
    "TRIGGER",
    "TRIGGER_LOST",
    "PROGRAM",
    "CHANNEL",
)
# Neither is an event of a unit of work.
_OUTSIDE_UNITS = (*EMPTYING, *DEFINITIONS)
_IN_DOUBT = ("in-doubt", "resolved")
_IMPORTED = '^{"source":'
_OPTIONS = '"options": ?(?P<text>[0-9]+)'
# MQOO_INPUT_AS_Q_DEF, MQOO_INPUT_SHARED and MQOO_INPUT_EXCLUSIVE.
_FOR_INPUT = 7


class Needs(NamedTuple):
    """What the events of a period in a store are related to, and events that it needs itself.

    `first` is the number of the first event of the period, `msg_ids` and `queues` are those of its
    events and of the messages on queues. `dead_letter_queues` are those of which all dead letters
    are needed, `numbers` are single events. `luwids` are those of batches that were resolved; None
    if one has none. `batch_before` is the number of the last batch of each connection.
    """

    first: int
    msg_ids: pa.Array
    queues: set[str | None]
    dead_letter_queues: set[str]
    numbers: set[int]
    luwids: set[str | None]
    batch_before: Mapping[int, int]
    is_live: bool


class Divided(NamedTuple):
    """Events: those that are needed, definitions that may be, those of certain units of work, with
    the numbers of the units of which one is needed, and the rest.
    """

    needed: pa.Table
    definitions: pa.Table
    in_units: pa.Table
    needed_units: set[int]
    others: pa.Table


class Choice:
    """Divides the events before a period in one store.

    `units` are those that were backed out or say what became of messages; of the `needed_units` the
    period has events itself. `triggers` are trigger messages with the columns `seq`, `qmgr` and
    `queue`, of which it is needed when a program reacted to them.
    """

    def __init__(
        self,
        needs: Needs,
        units: set[int],
        needed_units: set[int],
        triggers: pa.Table,
    ) -> None:
        self._needs = needs
        self.needed_units = needed_units
        self._units = pa.array(units, pa.int64())
        self._queues = pa.array(needs.queues, pa.string())
        self._dead_letter_queues = pa.array(needs.dead_letter_queues, pa.string())
        self._connections = pa.array(needs.batch_before.keys(), pa.int64())
        self._batches = pa.array(needs.batch_before.values(), pa.int64())
        self._triggers: dict[tuple[str, str], list[int]] = defaultdict(list)
        for row in triggers.to_pylist():
            self._triggers[row["qmgr"], row["queue"]].append(row["seq"])

    def divided(self, events: pa.Table) -> Divided:
        """The events that tables look back to, divided."""
        known = events.filter(is_in(events["kind"], KINDS))
        is_needed = self._is_needed(known)
        is_definition = both(is_in(known["kind"], DEFINITIONS), can_last(known, self._queues))
        is_outside = is_in(known["kind"], _OUTSIDE_UNITS)
        in_unit = both(is_in(known["unit"], self._units), pc.invert(is_outside))
        needed_units = known["unit"].filter(both(is_needed, in_unit))
        return Divided(
            known.filter(both(is_needed, pc.invert(in_unit))),
            known.filter(both(is_definition, pc.invert(is_needed))),
            known.filter(in_unit),
            set(pc.unique(needed_units).to_pylist()),
            known.filter(neither(is_needed, in_unit)),
        )

    def _is_needed(self, events: pa.Table) -> pa.ChunkedArray:
        needs = self._needs
        kind = events["kind"]
        is_channel = equals(kind, "CHANNEL")
        numbers = needs.numbers | {*self._answers(events), *_first_imported(events)}
        return either(
            pc.greater_equal(events["seq"], needs.first),
            is_in(events["seq"], numbers),
            is_in(events["msg_id"], needs.msg_ids),
            both(equals(kind, "MOVE"), is_in(events["target"], self._dead_letter_queues)),
            both(is_in(kind, ("PUT", "DEAD_LETTER", *LEFT_BY)), self._is_of_dead_letter(events)),
            both(is_channel, is_in(events["cause"], _IN_DOUBT)),
            both(is_channel, self._is_resolved(events)),
            both(is_in(kind, ("PUT", "GET")), self._is_of_open_batch(events)),
        )

    def _is_of_dead_letter(self, events: pa.Table) -> pa.ChunkedArray:
        """Whether a message arrived on a dead-letter queue, left it, or had a header."""
        shows_header = pc.is_valid(events["reason"]) if self._needs.is_live else False
        return either(
            is_in(events["queue"], self._dead_letter_queues),
            is_in(events["target"], self._dead_letter_queues),
            shows_header,
        )

    def _is_resolved(self, events: pa.Table) -> pa.ChunkedArray:
        """Whether an event of a channel is about a batch that was resolved."""
        luwids = self._needs.luwids
        of_batch = found(events["detail"], LUWID)
        return pc.or_(is_in(of_batch, luwids), both(None in luwids, pc.is_null(of_batch)))

    def _is_of_open_batch(self, events: pa.Table) -> pa.ChunkedArray:
        """Whether a channel of the period put or got the message after its last batch."""
        place = pc.index_in(events["connection"], self._connections).combine_chunks()
        is_later = pc.greater(events["seq"], self._batches.take(place))
        return pc.fill_null(is_later, fill_value=False)

    def _answers(self, events: pa.Table) -> Iterator[int]:
        """The first get of each trigger message's queue after it, and the first open for input."""
        queues = pa.array({queue for _, queue in self._triggers}, pa.string())
        is_near = both(is_in(events["kind"], ("GET", "OPEN")), is_in(events["queue"], queues))
        near = events.filter(is_near)
        options = found(near["detail"], _OPTIONS).cast(pa.int64())
        for_input = pc.not_equal(pc.bit_wise_and(options, _FOR_INPUT), 0)
        is_answer = pc.or_(equals(near["kind"], "GET"), pc.fill_null(for_input, fill_value=False))
        by_kind = near.filter(is_answer).group_by(["qmgr", "queue", "kind"])
        for row in by_kind.aggregate([("seq", "list")]).to_pylist():
            numbers = sorted(row["seq_list"])
            for trigger in self._triggers.get((row["qmgr"], row["queue"]), ()):
                yield from numbers[bisect_right(numbers, trigger) :][:1]


def _first_imported(events: pa.Table) -> list[int]:
    """One imported event of each kind and queue: it says that the history of the queue is not
    whole.
    """
    is_imported = both(has(events["detail"], _IMPORTED), is_of_depth(events))
    of_queue = ["qmgr", "queue", "kind"]
    first = events.filter(is_imported).group_by(of_queue).aggregate([("seq", "min")])
    return list(first["seq_min"].to_pylist())
