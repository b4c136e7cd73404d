"""Seeded histories of a busy store: several days of bursts, expiry, triggers, backouts, dead letters and channels.

The rows keep the store's own invariants: a message is put once and leaves once, a unit of work ends once, and a backout
records what it undid. `balance_of` counts what became of the messages without any of the events.
"""

from __future__ import annotations

import json
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from tests.reports.history import SECOND, Row, at

QM, GROUP = "QM1", "QSG1"
ORDERS, COPIES, REPLIES, INIT, SENT = "ORDERS", "ORDERS.COPY", "REPLIES", "INIT", "TO.QM2"
BACKOUTS, DEAD, SHARED, OLD = "ORDERS.BACKOUT", "DLQ", "SHARED.WORK", "ORDERS.OLD"
QUEUES = (ORDERS, COPIES, REPLIES, INIT, SENT, BACKOUTS, DEAD, SHARED, OLD)
BUSY_HOURS = range(8, 18)
THRESHOLD, MINUTE, HOUR = 3, 60 * SECOND, 3600 * SECOND
# Names and users that are hard to write: not ASCII, quotes, a formula, a line feed.
APPLICATIONS = ("billing", "web", "Ünïcode, 'quoted\"", "=cmd|'/c calc'!A1", "two\nlines")


@dataclass
class Held:
    """A message on a queue; `unit` holds it if it is PUT or GOT there."""

    msg_id: bytes
    put_at: int
    length: int
    persistence: int
    expires_at: int | None
    application: str
    backouts: int = 0
    unit: int | None = None
    state: str = "AVAILABLE"


@dataclass
class RealisticHistory:
    """A store whose programs, scans, handlers and channels act by chance; `events` and `pending` are its rows."""

    seed: int
    events: list[Row] = field(default_factory=list)
    now: int = at(0)

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)
        self.queues: dict[str, list[Held]] = {queue: [] for queue in QUEUES}
        # For each queue, how often each thing happened to its messages.
        self.counts: dict[str, Counter[str]] = defaultdict(Counter)
        self._messages = 0
        self._connection = 1
        self._serial = 0

    def owner(self, queue: str) -> str:
        return GROUP if queue == SHARED else QM

    @property
    def pending(self) -> list[Row]:
        """The messages still on queues."""
        return [
            {"qmgr": self.owner(queue), "queue": queue, "put_application": each.application, "state": each.state}
            | {name: getattr(each, name) for name in _OF_MESSAGE}
            for queue, held in self.queues.items()
            for each in held
        ]

    def record(self, kind: str, queue: str | None, message: Held | None = None, **columns: Any) -> None:
        """Append an event, now; about a shared queue, it belongs to the group and names the member."""
        owner = self.owner(queue or "")
        detail = columns.pop("detail", None) or {}
        if owner != QM:
            detail = {"member": QM, **detail}
        of_message = {} if message is None else {name: getattr(message, name) for name in _OF_MESSAGE}
        application = columns.pop("application", self.chance.choice(APPLICATIONS[:2]))
        about = {"application": application, "user": "ann", "connection": self._connection}
        if message is not None:
            about["put_application"] = message.application
        row = {"seq": len(self.events) + 1, "at": self.now, "qmgr": owner, "kind": kind, "queue": queue}
        written = json.dumps(detail, ensure_ascii=False) if detail else None
        self.events.append({**row, **of_message, **about, **columns, "detail": written})

    def new_unit(self) -> int:
        """A unit of work of a new connection."""
        self._connection += 1
        self._serial = 0
        return self.next_unit()

    def next_unit(self) -> int:
        self._serial += 1
        return (self._connection << 20) + self._serial

    def put(self, queue: str, unit: int | None = None, *, copied: bool = True, **columns: Any) -> Held:
        """Put a new message, or with `message` one that was got elsewhere; the stream queue gets a copy if `copied`."""
        message = columns.pop("message", None) or self._new(queue)
        held = replace(message, backouts=0, unit=unit, state="AVAILABLE" if unit is None else "PUT")
        held.put_at = self.now
        self.queues[queue].append(held)
        self.counts[queue]["put"] += 1
        self.record("PUT", queue, held, unit=unit, **columns)
        if queue == ORDERS and copied:
            self.put(COPIES, unit, message=replace(held), cause="stream")
            self.counts[COPIES]["streamed"] += 1
        return held

    def _new(self, queue: str) -> Held:
        self._messages += 1
        expires = self.now + self.chance.randint(1, 5) * HOUR if self.chance.random() < 0.3 else None
        length = int(self.chance.lognormvariate(6, 1.5))
        application = self.chance.choice(APPLICATIONS)
        persistence = int(queue != REPLIES and self.chance.random() < 0.7)
        return Held(self._messages.to_bytes(24, "big"), self.now, length, persistence, expires, application)

    def available(self, queue: str) -> list[Held]:
        return [each for each in self.queues[queue] if each.state == "AVAILABLE"]

    def get(self, queue: str, message: Held, unit: int | None = None) -> None:
        self.record("GET", queue, message, unit=unit)
        if unit is None:
            self.gone(queue, message, "got")
        else:
            message.unit, message.state = unit, "GOT"

    def gone(self, queue: str, message: Held, ending: str) -> None:
        self.queues[queue] = [each for each in self.queues[queue] if each is not message]
        self.counts[queue][ending] += 1

    def commit(self, unit: int, outcome: tuple[str, str, dict[str, Any]] | None = None) -> None:
        """`outcome` says what became of the messages got: the kind of event, the ending and the columns."""
        for queue, held in list(self.queues.items()):
            for each in [each for each in held if each.unit == unit]:
                if each.state == "PUT":
                    each.unit, each.state = None, "AVAILABLE"
                    continue
                if outcome is None:
                    self.gone(queue, each, "got")
                    continue
                kind, ending, columns = outcome
                self.record(kind, queue, each, unit=unit, **columns)
                self.gone(queue, each, ending)
        self.record("COMMIT", None, unit=unit)

    def back(self, unit: int, cause: str = "application", kept: Sequence[Held] = ()) -> None:
        """Back out a unit; the trigger messages in `kept` stay."""
        shares: dict[str, dict[str, int]] = {}
        for queue, held in list(self.queues.items()):
            share = {"puts": 0, "gets": 0}
            for each in [each for each in held if each.unit == unit]:
                if each.state == "PUT" and not any(each is stays for stays in kept):
                    self.gone(queue, each, "backed out")
                    share["puts"] += 1
                elif each.state == "GOT":
                    each.backouts += 1
                    share["gets"] += 1
                each.unit, each.state = None, "AVAILABLE"
            if any(share.values()):
                shares[queue] = share
        self.record("BACKOUT", None, unit=unit, cause=cause, detail=shares)


_OF_MESSAGE = ("msg_id", "put_at", "expires_at", "length", "persistence")


def realistic(seed: int, days: int = 3) -> RealisticHistory:
    """A history of that many days from 22:00 UTC on; the last programs are still in their units of work."""
    history = RealisticHistory(seed)
    _define(history)
    for moment in _moments(history.chance, days):
        # A clock that is set back a little, now and then.
        history.now = moment - (20 * MINUTE if history.chance.random() < 0.1 else 0)
        history.chance.choices(list(_ACTIONS), list(_ACTIONS.values()))[0](history)
    _leave_open(history)
    return history


def _moments(chance: random.Random, days: int) -> Iterator[int]:
    """Times of bursts, to the microsecond: many in the busy hours, few at night."""
    for hour in range(24 * days):
        of_day = (22 + hour) % 24
        bursts = chance.randint(6, 14) if of_day in BUSY_HOURS else chance.randint(0, 2)
        yield from sorted(at(0) + hour * HOUR + chance.randrange(HOUR) for _ in range(bursts))


def _define(history: RealisticHistory) -> None:
    history.record("CREATE", None)
    history.record("JOIN", None, target=GROUP, detail={"number": 1})
    history.record("START", None)
    for queue in QUEUES:
        history.record("DEFINE", queue, target="QLOCAL", detail={"BOTHRESH": [None, THRESHOLD]})


def _orders_arrive(history: RealisticHistory) -> None:
    """A burst of orders, some of them in a unit of work that is backed out; the first triggers."""
    chance = history.chance
    unit = history.new_unit() if chance.random() < 0.5 else None
    triggers = not history.queues[ORDERS]
    for _ in range(chance.randint(1, 25)):
        history.put(ORDERS, unit)
        history.now += chance.randrange(SECOND)
    kept = []
    if triggers:
        detail = {"process": "SERVE", "type": "FIRST"}
        message = history.put(INIT, unit)
        history.record("TRIGGER", ORDERS, message, cause="put", target=INIT, unit=unit, detail=detail)
        kept = [message]
    if unit is not None:
        history.back(unit, kept=kept) if chance.random() < 0.15 else history.commit(unit)


def _orders_are_served(history: RealisticHistory) -> None:
    """A program gets orders, replies, and backs out now and then; poison goes to the backout queue."""
    chance = history.chance
    unit = history.new_unit()
    history.record("OPEN", ORDERS, detail={"handle": history._connection, "options": 2})
    for message in history.available(ORDERS)[: chance.randint(5, 60)]:
        history.now += chance.randrange(SECOND // 2)
        history.get(ORDERS, message, unit)
        if message.backouts >= THRESHOLD:
            history.put(BACKOUTS, unit, message=message)
            detail = {"backout_count": message.backouts, "threshold": THRESHOLD}
            columns = {"cause": "poison", "target": BACKOUTS, "detail": detail}
            history.commit(unit, ("REQUEUE", "requeued", columns))
        elif chance.random() < (0.8 if message.backouts else 0.1):
            history.put(REPLIES, unit)
            history.back(unit, chance.choice(("application", "abend")))
        else:
            history.put(REPLIES, unit)
            history.commit(unit)
        unit = history.next_unit()
    history.record("CLOSE", ORDERS, detail={"handle": history._connection})


def _copies_or_replies_are_got(queue: str, most: int, history: RealisticHistory) -> None:
    for message in history.available(queue)[: history.chance.randint(1, most)]:
        history.now += history.chance.randrange(SECOND // 4)
        history.get(queue, message)


def _monitor_starts(history: RealisticHistory) -> None:
    for message in history.available(INIT):
        history.get(INIT, message)
        for cause in ("started", "ended"):
            detail = {"process": "SERVE", "program": "serve", "process_id": 17}
            history.record("PROGRAM", ORDERS, message, cause=cause, detail=detail)


def _scan(history: RealisticHistory) -> None:
    for queue in QUEUES:
        for message in history.available(queue):
            if message.expires_at is not None and message.expires_at <= history.now:
                history.record("EXPIRE", queue, message, cause="interval", detail={"report": "plain"})
                history.gone(queue, message, "expired")
                report = history.put(REPLIES)
                history.record("REPORT", queue, report, cause="expiration", target=REPLIES, reason=258)


def _letters_arrive(history: RealisticHistory) -> None:
    for _ in range(history.chance.randint(1, 4)):
        history.put(DEAD, reason=2053, detail={"destination": ORDERS})


def _handler_runs(history: RealisticHistory) -> None:
    """Retries, forwards or discards every dead letter."""
    for message in history.available(DEAD):
        unit = history.new_unit()
        history.get(DEAD, message, unit)
        kind, ending, target = history.chance.choice(
            (("REQUEUE", "requeued", ORDERS), ("FORWARD", "forwarded", OLD), ("DISCARD", "discarded", None))
        )
        if target:
            history.put(target, unit, message=message, copied=False)
        history.commit(unit, (kind, ending, {"cause": "handler", "target": target, "rule": "3"}))


def _channel(history: RealisticHistory) -> None:
    """A sender sends a batch, or cannot deliver one message; what a receiver discards was on no queue here."""
    chance = history.chance
    for _ in range(chance.randint(0, 8)):
        history.put(SENT)
    batch = history.available(SENT)[:5]
    if not batch:
        return
    if chance.random() < 0.2:
        unit = history.new_unit()
        history.get(SENT, batch[0], unit)
        history.put(DEAD, unit, message=batch[0])
        history.commit(unit, ("DEAD_LETTER", "dead-lettered", {"cause": "channel", "target": DEAD}))
        history.record("DISCARD", "ELSEWHERE", cause="channel", msg_id=bytes(24), length=5)
        history.record("EXPIRE", ORDERS, cause="channel", msg_id=bytes(24), length=5)
        return
    unit = history.new_unit()
    for message in batch:
        history.get(SENT, message, unit)
    if chance.random() < 0.1:
        history.back(unit, "resolved")
        return
    history.commit(unit)
    detail = {"role": "sender", "messages": len(batch), "bytes": sum(each.length for each in batch)}
    history.record("CHANNEL", SENT, cause="batch", target="QM1.QM2", detail=detail)


def _shared_work(history: RealisticHistory) -> None:
    """Members put to a shared queue and get from it; the backout belongs to the member."""
    unit = history.new_unit()
    for message in history.available(SHARED)[:10]:
        history.get(SHARED, message, unit)
    for _ in range(history.chance.randint(1, 12)):
        history.put(SHARED, unit)
    history.back(unit, "abend") if history.chance.random() < 0.25 else history.commit(unit)


def _dynamic(history: RealisticHistory) -> None:
    """A program uses a temporary queue, and ends while messages are on it; one of them was got in its unit of work."""
    queue = f"AMQ.{len(history.events):X}"
    history.queues[queue] = []
    history.record("DEFINE", queue, target="QLOCAL", cause="dynamic", rule="SYSTEM.DEFAULT.MODEL.QUEUE")
    for _ in range(4):
        history.put(queue)
    unit = history.new_unit()
    for message in history.available(queue)[:2]:
        history.get(queue, message, unit)
    if history.chance.random() < 0.5:
        history.back(unit)
    left = history.queues[queue]
    held = [each for each in left if each.state == "GOT"]
    detail = {"messages": len(left), **({"got": len(held)} if held else {})}
    history.record("CLEAR", queue, cause="dynamic", target="QLOCAL", detail=detail)
    history.record("DELETE", queue, cause="dynamic", target="QLOCAL", detail={"messages": len(left)})
    for each in list(left):
        history.gone(queue, each, "got" if each.state == "GOT" else "cleared")
    if held:
        history.record("COMMIT", None, unit=unit)


def _administer(history: RealisticHistory) -> None:
    chance = history.chance
    depth = chance.randint(1000, 9000)
    history.record("ALTER", ORDERS, target="QLOCAL", detail={"MAXDEPTH": [5000, depth], "DESCR": ["", "x\r\ny"]})
    history.record("SET", SENT, target="QLOCAL", cause="channel", detail={"GET": ["ENABLED", "DISABLED"]})
    if chance.random() < 0.5:
        count = len(history.available(BACKOUTS))
        for each in history.available(BACKOUTS):
            history.gone(BACKOUTS, each, "moved")
            history.queues[OLD].append(each)
        history.counts[OLD]["moved in"] += count
        history.record("MOVE", BACKOUTS, target=OLD, detail={"messages": count})
    elif not any(each.unit for each in history.queues[OLD]):
        count = len(history.queues[OLD])
        for each in list(history.queues[OLD]):
            history.gone(OLD, each, "cleared")
        history.record("CLEAR", OLD, target="QLOCAL", detail={"messages": count})


def _restart(history: RealisticHistory) -> None:
    """The queue manager ends and starts again: non-persistent messages of its own queues are lost."""
    history.record("END", None, cause="immediate")
    for queue in QUEUES:
        for each in history.available(queue):
            if not each.persistence and queue != SHARED:
                history.record("DISCARD", queue, each, cause="nonpersistent")
                history.gone(queue, each, "dropped")
    history.record("START", None)


def _leave_open(history: RealisticHistory) -> None:
    unit = history.new_unit()
    for queue in (ORDERS, SHARED):
        history.put(queue, unit)
        for message in history.available(queue)[:2]:
            history.get(queue, message, unit)


_ACTIONS: Mapping[Callable[[RealisticHistory], None], int] = {
    _orders_arrive: 10,
    _orders_are_served: 10,
    partial(_copies_or_replies_are_got, COPIES, 40): 6,
    partial(_copies_or_replies_are_got, REPLIES, 40): 5,
    _monitor_starts: 5,
    _scan: 4,
    _letters_arrive: 2,
    _handler_runs: 2,
    _channel: 5,
    _shared_work: 4,
    _dynamic: 2,
    _administer: 1,
    _restart: 1,
}


def balance_of(history: RealisticHistory) -> dict[tuple[str, str], dict[str, int]]:
    """What became of the messages of every queue, counted while it happened; `there` and `held` from its messages."""
    return {
        (history.owner(queue), queue): {
            **history.counts[queue],
            "there": sum(each.state != "GOT" for each in held),
            "held": sum(each.state == "GOT" for each in held),
        }
        for queue, held in history.queues.items()
    }
