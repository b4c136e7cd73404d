"""The origin of a message on a backout queue.

A consumer records its move (REQUEUE, cause `poison`). A plain MQI program does not, but its get of
the message and its put on the backout queue belong to one unit of work. A get that skipped a
backout belongs to the next unit of work.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from msgspec import Struct, field, structs

from mqsc.store.rules.message_trace import is_marked, skip_of

# Why the origin of a message is unknown.
UnknownOrigin = Literal["unrecorded", "put", "copy", "sent", "ambiguous"]
# MsgId and CorrelId; None for a zero CorrelId.
MessageIds = tuple[bytes, bytes | None]
# Units of work remembered before the ended ones among them are forgotten: programs may give every
# message one MsgId.
MOST_UNITS = 20_000


class MovingEvent(NamedTuple):
    """An event about a message, or the backout of a unit of work; the fields are columns of the
    history.
    """

    kind: str
    cause: str | None
    queue: str | None
    target: str | None
    msg_id: bytes | None
    correl_id: bytes | None
    put_at: int | None
    unit: int | None
    at: int
    application: str | None
    user: str | None
    detail: str | None

    @property
    def told(self) -> dict[str, Any]:
        """Its detail, a JSON object."""
        return dict(json.loads(self.detail)) if self.detail else {}


class Backouts(Struct, frozen=True):
    """How often gets of a message were backed out, and by whom and when the last time
    (microseconds UTC).
    """

    times: int
    application: str
    user: str
    at: int
    cause: str


class Origin(Struct, frozen=True):
    """The queue that a message was moved from, or `unknown`: why the history does not say.

    `queue_manager` is blank for the local one. `application` and `user` moved or put it, at `at`
    (microseconds UTC). `backouts` is None when the history records no backout of the message on
    that queue.
    """

    queue: str = ""
    queue_manager: str = ""
    application: str = ""
    user: str = ""
    at: int | None = None
    unknown: UnknownOrigin | None = None
    backouts: Backouts | None = None


class MoveRecord(Struct):
    """Learns from events, in their order, how the messages of `queue` arrived there.

    `leads_here` tells whether a put to a name arrives on the queue.
    """

    queue: str
    leads_here: Callable[[str], bool]
    # Where a unit of work took a message from; an outcome that it recorded replaces the get.
    _taken: dict[tuple[int, bytes], dict[bytes | None, Origin]] = field(
        default_factory=lambda: defaultdict(dict),
    )
    _arrivals: dict[tuple[MessageIds, int | None], list[MovingEvent]] = field(
        default_factory=lambda: defaultdict(list),
    )
    # Moves that name this queue as their target. They are all that is known with ACCTQ(OFF).
    _moves_here: dict[MessageIds, list[Origin]] = field(default_factory=lambda: defaultdict(list))
    _departures: Counter[tuple[MessageIds, int | None]] = field(default_factory=Counter)
    # With the origin of the message that is marked to skip the backout of the unit of work.
    _gets: dict[int, dict[tuple[str, MessageIds], Origin | None]] = field(
        default_factory=lambda: defaultdict(dict),
    )
    _backouts: dict[tuple[str, MessageIds], Backouts] = field(default_factory=dict)
    _most_units: int = MOST_UNITS

    def learn(self, event: MovingEvent) -> None:
        _LEARN[event.kind](self, event)

    def origin(self, msg_id: bytes, correl_id: bytes | None, put_at: int | None) -> Origin:
        """The origin of a message on the queue, which arrived at `put_at`."""
        ids = (msg_id, correl_id)
        found = self._recorded(ids, put_at)
        return (
            structs.replace(found, backouts=self._backouts.get((found.queue, ids)))
            if found.queue
            else found
        )

    def _recorded(self, ids: MessageIds, put_at: int | None) -> Origin:
        arrivals = self._arrivals.get((ids, put_at))
        if arrivals:
            return _only([self._arrived(each) for each in arrivals])
        moves = [
            each
            for each in self._moves_here.get(ids, ())
            if put_at is None or (each.at or 0) >= put_at
        ]
        return _only(moves) if moves else Origin(unknown="unrecorded")

    def _arrived(self, put: MovingEvent) -> Origin:
        by = Origin("", "", put.application or "", put.user or "", put.at)
        if put.cause == "stream":
            return structs.replace(by, unknown="copy")
        taken = {} if put.unit is None else self._taken.get((put.unit, put.msg_id or b""), {})
        if not taken:
            return structs.replace(by, unknown="put")
        exact = taken.get(put.correl_id)
        return exact or _only(list(taken.values()))

    def _learn_get(self, event: MovingEvent) -> None:
        if event.unit is None or event.queue in (None, self.queue):
            return
        if len(self._taken) >= self._most_units:
            self._forget_older_units()
        msg_id, queue = event.msg_id or b"", event.queue or ""
        origin = self._taken[event.unit, msg_id][event.correl_id] = _from_queue(event, queue)
        gets, got = self._gets[event.unit], (queue, (msg_id, event.correl_id))
        gets[got] = origin if is_marked(event.told) else gets.get(got)

    def _forget_older_units(self) -> None:
        """Forget the older half, except units that put a message here."""
        needed = {
            (put.unit, put.msg_id) for arrivals in self._arrivals.values() for put in arrivals
        }
        for key in list(self._taken)[: self._most_units // 2]:
            if key not in needed:
                del self._taken[key]
                self._gets.pop(key[0], None)
        self._most_units = max(self._most_units, 2 * len(self._taken))

    def _learn_put(self, event: MovingEvent) -> None:
        if event.queue == self.queue:
            self._arrivals[_ids(event), event.put_at].append(event)

    def _learn_move(self, event: MovingEvent) -> None:
        if event.queue == self.queue:
            self._learn_departure(event)
            return
        origin = _moved_from(event)
        if event.unit is not None:
            self._taken[event.unit, event.msg_id or b""][event.correl_id] = origin
        if event.target and self.leads_here(event.target):
            self._moves_here[_ids(event)].append(origin)

    def _learn_departure(self, event: MovingEvent) -> None:
        """Forget arrivals of messages that are no longer there: on a manual clock, later ones
        may look like them.
        """
        if event.queue != self.queue:
            return
        key = (_ids(event), event.put_at)
        self._departures[key] += 1
        if self._departures[key] == len(self._arrivals.get(key, ())):
            del self._departures[key], self._arrivals[key]

    def _learn_backout(self, event: MovingEvent) -> None:
        if event.unit not in self._gets:
            return
        gets = self._gets.pop(event.unit)
        for got in gets:
            times = self._backouts[got].times if got in self._backouts else 0
            self._backouts[got] = Backouts(
                times + 1,
                event.application or "",
                event.user or "",
                event.at,
                event.cause or "",
            )
            self._taken.pop((event.unit, got[1][0]), None)
        skip = skip_of(event.told)
        for got, origin in gets.items():
            msg_id, correl_id = got[1]
            if origin and skip and msg_id == skip.msg_id:
                self._taken[skip.unit, msg_id][correl_id] = origin
                self._gets[skip.unit][got] = None


_LEARN: dict[str, Callable[[MoveRecord, MovingEvent], None]] = {
    "GET": MoveRecord._learn_get,
    "PUT": MoveRecord._learn_put,
    "REQUEUE": MoveRecord._learn_move,
    "FORWARD": MoveRecord._learn_move,
    "DISCARD": MoveRecord._learn_departure,
    "BACKOUT": MoveRecord._learn_backout,
}


def _ids(event: MovingEvent) -> MessageIds:
    return event.msg_id or b"", event.correl_id


def _from_queue(event: MovingEvent, queue: str, queue_manager: str = "") -> Origin:
    return Origin(queue, queue_manager, event.application or "", event.user or "", event.at)


def _moved_from(event: MovingEvent) -> Origin:
    """The origin after a recorded move: its queue for a consumer's; for a move by hand or by rule,
    the queue that the message was meant for before.
    """
    if event.cause == "poison":
        return _from_queue(event, event.queue or "")
    meant = event.told
    moved = _from_queue(
        event,
        str(meant.get("destination") or ""),
        str(meant.get("destination_queue_manager") or ""),
    )
    return (
        moved
        if event.kind == "FORWARD" and moved.queue
        else structs.replace(moved, queue="", unknown="sent")
    )


def _only(origins: list[Origin]) -> Origin:
    """The last of origins that agree."""
    if len({(each.queue, each.queue_manager) for each in origins}) > 1:
        return Origin(unknown="ambiguous")
    return origins[-1]
