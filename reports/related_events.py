"""What the events of a period are related to: learned from them, from the messages on queues, and
from earlier events.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]

from mqsc.reports.chosen_events import LUWID, Choice, Needs
from mqsc.reports.dead_letter_events import BY_HANDLER, LEFT_BY
from mqsc.reports.endings import OUTCOMES
from mqsc.reports.row_conditions import both, equals, found, has, is_in, neither

# The events of these are about messages on queues.
_MESSAGES = ("PUT", "GET", "CLEAR", "MOVE", *OUTCOMES)
# The connections of these belong to channels.
_OF_CHANNELS = ("CHANNEL", "DEAD_LETTER", "DISCARD", "EXPIRE")
# The causes of those that say that a batch was committed.
_BATCHES = ("batch", "resolved")
_NEVER = (1 << 63) - 1
_MEMBER = '"member": ?"(?P<text>[^"]*)"'
_TARGET_OWNER = '"target_owner": ?"(?P<text>[^"]*)"'
_OF_TRIGGER = ("seq", "qmgr", "queue", "member", "unit", "msg_id")
_NO_TRIGGERS = pa.schema(
    [
        ("seq", pa.int64()),
        *((name, pa.string()) for name in ("qmgr", "queue", "member")),
        ("unit", pa.int64()),
        ("msg_id", pa.binary()),
    ],
).empty_table()
# The columns that are learned from.
LEARNED = (
    "seq",
    "qmgr",
    "kind",
    "cause",
    "queue",
    "target",
    "msg_id",
    "unit",
    "connection",
    "reason",
    "detail",
)


class _OfChannel(NamedTuple):
    """Which events of channels are alike."""

    qmgr: str
    connection: int | None
    cause: str | None
    queue: str | None
    target: str | None
    has_role: bool


class RelatedEvents:
    """What the events of a period in one store, and the messages on its queues, are related to.

    First it learns the events of the period and the messages, then all earlier events, and then
    says which of these the period needs. Of a store that is not `live` only the archive is read, so
    that nothing is known of messages on its queues.
    """

    def __init__(self, *, is_live: bool) -> None:
        self._is_live = is_live
        self._first = _NEVER
        self._msg_ids: list[pa.Array] = []
        self._pending = pa.array([], pa.binary())
        self._queues: set[str | None] = set()
        self._connections: set[int] = set()
        self._connections_of_batches: set[int] = set()
        self._units_of_period: set[int] = set()
        self._backed_out: set[int] = set()
        self._with_outcome: set[int] = set()
        self._dead_letter_queues: set[str] = set()
        self._numbers: set[int] = set()
        self._luwids: set[str | None] = set()
        self._last_of_channels: dict[_OfChannel, int] = {}
        self._last_marks: dict[tuple[Any, ...], int] = {}
        self._triggers = [_NO_TRIGGERS]

    def learn_messages(self, pending: pa.Table) -> None:
        """Learn the messages on queues."""
        self._pending = pc.unique(pending["msg_id"]).drop_null()
        self._msg_ids.append(self._pending)
        self._queues.update(pending["queue"].to_pylist())

    def learn_period(self, events: pa.Table) -> None:
        """Learn events of the period."""
        if not events.num_rows:
            return
        self._first = min(self._first, pc.min(events["seq"]).as_py())
        self._msg_ids.append(pc.unique(events["msg_id"]).drop_null())
        self._units_of_period.update(_values(events["unit"]))
        moving = events.filter(is_in(events["kind"], _MESSAGES))
        for name in ("queue", "target"):
            self._queues.update(_values(moving[name]))
        of_channels = events.filter(is_in(events["kind"], _OF_CHANNELS))
        self._connections.update(_values(of_channels["connection"]))
        is_batch = both(equals(events["kind"], "CHANNEL"), is_in(events["cause"], _BATCHES))
        self._connections_of_batches.update(_values(events["connection"].filter(is_batch)))
        self._learn(events)

    def learn_earlier(self, events: pa.Table) -> None:
        """Learn events of earlier days. Those that came after one of the period belong to it: the
        clock was set back.
        """
        is_late = pc.greater_equal(events["seq"], self._first)
        self.learn_period(events.filter(is_late))
        earlier = events.filter(pc.invert(is_late))
        self._learn(earlier)
        self._learn_channels(earlier.filter(equals(earlier["kind"], "CHANNEL")))
        self._learn_triggers(earlier.filter(equals(earlier["kind"], "TRIGGER")))
        self._learn_marks(earlier)

    def _learn(self, events: pa.Table) -> None:
        """Learn what units of work undid or did to messages, and what dead letters name."""
        kind = events["kind"]
        self._backed_out.update(_values(events["unit"].filter(equals(kind, "BACKOUT"))))
        outcomes = events.filter(is_in(kind, OUTCOMES))
        self._with_outcome.update(_values(outcomes["unit"]))
        dead_letters = outcomes.filter(equals(outcomes["kind"], "DEAD_LETTER"))
        self._dead_letter_queues.update(_values(dead_letters["target"]))
        by_handler = both(is_in(outcomes["cause"], BY_HANDLER), pc.is_valid(outcomes["reason"]))
        self._dead_letter_queues.update(_values(outcomes["queue"].filter(by_handler)))
        for detail in dead_letters["detail"].drop_null().to_pylist():
            self._numbers.add(json.loads(detail).get("put_event") or 0)
        is_resolved = both(equals(kind, "CHANNEL"), equals(events["cause"], "resolved"))
        self._luwids.update(found(events["detail"].filter(is_resolved), LUWID).to_pylist())

    def _learn_channels(self, events: pa.Table) -> None:
        """Note the last event of each channel's connection, cause and queue: what it says, later
        events of the connection or the queue may not.
        """
        told = events.append_column("has_role", has(events["detail"], '"role"'))
        for values, number in _last(told, _OfChannel._fields):
            of_channel = _OfChannel(*values)
            before = self._last_of_channels.get(of_channel, 0)
            self._last_of_channels[of_channel] = max(number, before)

    def _learn_marks(self, events: pa.Table) -> None:
        """Note the last event of each kind that shows each dead-letter queue."""
        kind = events["kind"]
        by_program = both(is_in(kind, LEFT_BY), is_in(events["cause"], BY_HANDLER))
        with_header = both(pc.is_valid(events["reason"]), pc.or_(equals(kind, "PUT"), by_program))
        marks = events.filter(pc.or_(equals(kind, "DEAD_LETTER"), with_header))
        marks = marks.append_column("owner", found(marks["detail"], _TARGET_OWNER))
        for values, number in _last(marks, ("qmgr", "kind", "queue", "target", "owner")):
            self._last_marks[values] = max(number, self._last_marks.get(values, 0))

    def _learn_triggers(self, triggers: pa.Table) -> None:
        members = found(triggers["detail"], _MEMBER)
        named = triggers.append_column("member", members).select(_OF_TRIGGER)
        for place, name in enumerate(_OF_TRIGGER[1:4], start=1):
            named = named.set_column(place, name, pc.fill_null(named[name], ""))
        # Whether a unit of work was backed out is known later.
        settled = both(pc.is_null(named["unit"]), neither(is_in(named["msg_id"], self._pending)))
        self._triggers.append(_from_last(named, settled))

    def choice(self) -> Choice:
        """What chooses from the earlier events, after all were learned."""
        triggers = self._last_triggers()
        msg_ids = pa.chunked_array([*self._msg_ids, *triggers["msg_id"].chunks], pa.binary())
        numbers = self._numbers | self._numbers_of_channels() | {*self._last_marks.values()}
        needs = Needs(
            self._first,
            pc.unique(msg_ids.drop_null()),
            self._queues,
            # Without messages on queues, no table counts all that was on a dead-letter queue.
            self._dead_letter_queues if self._is_live else set(),
            numbers,
            self._luwids,
            self._batches_before(),
            self._is_live,
        )
        units = self._backed_out | self._with_outcome
        return Choice(needs, units, units & self._units_of_period, triggers)

    def _last_triggers(self) -> pa.Table:
        """The last trigger message of each queue that is sure to have been one, and those after
        it.
        """
        triggers = pa.concat_tables(self._triggers)
        undone = is_in(triggers["unit"], self._backed_out)
        return _from_last(triggers, neither(undone, is_in(triggers["msg_id"], self._pending)))

    def _numbers_of_channels(self) -> set[int]:
        """The last events of the connections of the period, and the last ones of each queue."""
        of_queues: dict[tuple[Any, ...], int] = {}
        for key, number in self._last_of_channels.items():
            of_queue = (key.qmgr, key.queue, key.has_role)
            of_queues[of_queue] = max(number, of_queues.get(of_queue, 0))
        of_connections = {
            number
            for key, number in self._last_of_channels.items()
            if key.connection in self._connections
        }
        return of_connections | {*of_queues.values()}

    def _batches_before(self) -> dict[int, int]:
        """The number of the last batch before the period of each connection that has one in the
        period; 0 for none.
        """
        before = dict.fromkeys(self._connections_of_batches, 0)
        for key, number in self._last_of_channels.items():
            if key.cause == "batch" and key.connection in before:
                before[key.connection] = max(before[key.connection], number)
        return before


def _values(column: pa.ChunkedArray) -> list[Any]:
    """The different values that are not NULL."""
    return list(pc.unique(column).drop_null().to_pylist())


def _last(rows: pa.Table, by: Sequence[str]) -> Iterable[tuple[tuple[Any, ...], int]]:
    """The values of each group, and the number of its last event."""
    last = rows.group_by([*by]).aggregate([("seq", "max")])
    for row in last.select([*by, "seq_max"]).to_pylist():
        *values, number = row.values()
        yield tuple(values), number


def _from_last(triggers: pa.Table, is_settled: pa.ChunkedArray) -> pa.Table:
    """The last settled event of each queue and member, and those after it."""
    of_queue = ["qmgr", "queue", "member"]
    last = triggers.filter(is_settled).group_by(of_queue).aggregate([("seq", "max")])
    joined = triggers.join(last, of_queue, join_type="left outer")
    is_earlier = pc.fill_null(pc.less(joined["seq"], joined["seq_max"]), fill_value=False)
    return joined.filter(pc.invert(is_earlier)).select(_OF_TRIGGER)
