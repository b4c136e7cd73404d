"""Endings and times of messages, depths, expiry and refusals, counted from the events one after the
other: what the tables of reports must say.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from tests.reports.counted_tables import between, percentiles, plain, same
from tests.reports.facts import Facts, Row, hour_of, identity, was_on_queue

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]

OUTCOMES = {
    "REQUEUE": "requeued",
    "FORWARD": "forwarded",
    "DEAD_LETTER": "dead-lettered",
    "DISCARD": "discarded",
    "EXPIRE": "expired",
}
EMPTYING = {"CLEAR": "cleared", "MOVE": "moved"}
MINUTE = 60_000_000
BUSIEST = 10


class Measured:
    """Messages, their bytes, and times in microseconds."""

    def __init__(self) -> None:
        self.messages = self.bytes = 0
        self.has_bytes = False
        self.times: list[int] = []

    def add(self, messages: int, size: int | None, *times: int | None) -> None:
        self.messages += messages
        self.bytes += size or 0
        self.has_bytes |= size is not None
        self.times += [time for time in times if time is not None]

    @property
    def row(self) -> list[float | None]:
        return [self.messages, self.bytes if self.has_bytes else None, *percentiles(self.times)]


def removed(event: Row) -> int:
    """How many messages a CLEAR or MOVE took."""
    return int(event["detail"].get("messages", 0) - event["detail"].get("got", 0))


class Backouts:
    """What the backout of each unit of work undid."""

    def __init__(self, facts: Facts) -> None:
        self._of_unit = {
            each["unit"]: each
            for each in facts.events
            if each["kind"] == "BACKOUT" and each["unit"]
        }

    def unit_of(self, event: Row) -> int | None:
        """The unit of work in which an event ended: a message can have skipped a backout."""
        unit: int | None = event["unit"]
        skipped = self._detail(unit).get("skipped message")
        is_marked = event["kind"] == "GET" and "mark" in event["detail"]
        if skipped and is_marked and skipped["msg_id"].lower() == event["msg_id"].hex():
            return int(skipped["unit"])
        return unit

    def of(self, event: Row) -> Row | None:
        """The backout that undid puts or gets of the kind of an event on its queue."""
        unit = self.unit_of(event)
        number = self._detail(unit).get(event["queue"], {}).get(f"{event['kind'].lower()}s", 0)
        return self._of_unit[unit] if number else None

    def number(self, event: Row) -> int:
        detail = self._detail(self.unit_of(event))
        return int(detail[event["queue"]][f"{event['kind'].lower()}s"])

    def _detail(self, unit: int | None) -> Row:
        backout = self._of_unit.get(unit) if unit is not None else None
        return backout["detail"] if backout else {}


# Endings of messages.


def endings(facts: Facts, now: int) -> dict[tuple[Any, ...], Measured]:
    """By queue manager, queue, ending, cause and hour."""
    found: dict[tuple[Any, ...], Measured] = defaultdict(Measured)
    backouts = Backouts(facts)
    undone: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    told = _told(facts, backouts)
    for each in facts.events:
        if each["kind"] not in ("PUT", "GET", "EXPIRE", "DISCARD", *EMPTYING):
            continue
        ending, cause = _ending(each, told, backouts)
        if each["kind"] in ("PUT", "GET") and (backout := backouts.of(each)):
            unit = backouts.unit_of(each)
            key = (each["qmgr"], each["queue"], ending, cause, hour_of(backout), unit)
            undone[key].append(each)
        elif ending and ending != "put":
            _add_final(found[each["qmgr"], each["queue"], ending, cause, hour_of(each)], each)
    for key, events in undone.items():
        _add_undone(found, key, events, backouts)
    for each in facts.pending:
        if each["state"] != "GOT":
            there = found[each["qmgr"], each["queue"], "there", None, None]
            there.add(1, each["length"], between(each["put_at"], now))
    return {key: measured for key, measured in found.items() if measured.messages}


def _told(facts: Facts, backouts: Backouts) -> dict[tuple[Any, ...], list[tuple[str, Any]]]:
    """What units of work recorded about messages that they got."""
    told: dict[tuple[Any, ...], list[tuple[str, Any]]] = defaultdict(list)
    for each in facts.events:
        if each["kind"] in OUTCOMES and each["unit"] is not None and each["put_at"] is not None:
            told[each["unit"], *identity(each)].append((OUTCOMES[each["kind"]], each["cause"]))
    return told


def _ending(
    event: Row, told: dict[tuple[Any, ...], list[tuple[str, Any]]], backouts: Backouts
) -> tuple[str, Any]:
    """What the event meant to its message, and the cause; blank if nothing by itself."""
    kind, cause = event["kind"], event["cause"]
    if kind == "GET":
        outcomes = told.get((backouts.unit_of(event), *identity(event)))
        outcome, why = outcomes[0] if outcomes else ("got", None)
        return outcome, why or cause
    if kind in ("EXPIRE", "DISCARD"):
        is_alone = event["unit"] is None and was_on_queue(event) and event["put_at"] is not None
        return ({"EXPIRE": "expired", "DISCARD": "dropped"}[kind] if is_alone else "", cause)
    return EMPTYING.get(kind, "put"), cause


def _add_final(measured: Measured, event: Row) -> None:
    if event["kind"] in EMPTYING:
        measured.add(removed(event), None)
        return
    measured.add(1, event["length"] or 0, between(event["put_at"], event["at"]))


def _add_undone(
    found: dict[tuple[Any, ...], Measured],
    key: tuple[Any, ...],
    events: Sequence[Row],
    backouts: Backouts,
) -> None:
    """Count a unit's puts or gets of a queue: those undone, and the others, which were final."""
    qmgr, queue, ending, cause, hour, _ = key
    number = min(len(events), backouts.number(events[0]))
    if ending == "put":
        backout = backouts.of(events[0])
        assert backout is not None
        found[qmgr, queue, "backed out", backout["cause"], hour].add(number, None)
    elif len(events) > number:
        measured = found[qmgr, queue, ending, cause, hour]
        measured.add(len(events) - number, 0)
        for each in events:
            measured.add(0, each["length"], between(each["put_at"], each["at"]))


def check_endings(built: dict[str, pa.Table], stores: list[Facts], now: int) -> None:
    wanted = {key: found.row for each in stores for key, found in endings(each, now).items()}
    names = "messages bytes lifetime_min lifetime_median lifetime_p95 lifetime_max"
    same(built["endings"], "qmgr queue ending cause hour", names, wanted)


# Depths and stays.


def hours(facts: Facts) -> dict[tuple[Any, ...], list[float | None]]:
    """By queue manager, queue and hour: depths at the start and the end, the highest and the
    lowest, whether the clock was set back, and percentiles of stays.
    """
    steps = sorted(_steps(facts), key=lambda step: step[1])
    there = Counter(
        (each["qmgr"], each["queue"]) for each in facts.pending if each["state"] != "GOT"
    )
    by_queue: dict[tuple[str, str], list[tuple[int, int, int, int | None]]] = defaultdict(list)
    for key, *step in steps:
        by_queue[key].append(tuple(step))  # type: ignore[arg-type]
    found: dict[tuple[Any, ...], list[float | None]] = {}
    for key, of_queue in by_queue.items():
        depth = there[key] - sum(change for _, _, change, _ in of_queue)
        depths: dict[int, list[int]] = defaultdict(list)
        stays: dict[int, list[int]] = defaultdict(list)
        order: list[int] = []
        for _, hour, change, stay in of_queue:
            if hour not in depths:
                depths[hour].append(depth)
            if not order or order[-1] != hour:
                order.append(hour)
            depth += change
            depths[hour].append(depth)
            stays[hour] += [] if stay is None else [stay]
        for hour, each in depths.items():
            lines: list[float | None] = [each[0], each[-1], max(each), min(each)]
            set_back = int(order.count(hour) > 1)
            found[*key, hour] = [*lines, set_back, *percentiles(stays[hour])]
    return found


def _steps(facts: Facts) -> Iterator[tuple[tuple[str, str], int, int, int, int | None]]:
    """Each event that changes a depth: the queue, the number, the hour, the change, and how long
    a message that was got for good had stayed.
    """
    backouts = Backouts(facts)
    undone: Counter[tuple[Any, ...]] = Counter()
    for each in facts.events:
        key, place = (each["qmgr"], each["queue"]), (each["seq"], hour_of(each))
        backout = backouts.of(each) if each["kind"] in ("PUT", "GET") else None
        if each["kind"] == "PUT":
            yield key, *place, 1, None
        elif each["kind"] == "GET":
            yield key, *place, -1, None if backout else between(each["put_at"], each["at"])
        elif each["kind"] in ("EXPIRE", "DISCARD"):
            if each["unit"] is None and each["put_at"] is not None:
                yield key, *place, -1, None
        elif each["kind"] in EMPTYING:
            yield key, *place, -removed(each), None
            if each["kind"] == "MOVE":
                yield (each["qmgr"], each["target"]), *place, removed(each), None
        if backout:
            sign = -1 if each["kind"] == "PUT" else 1
            counted = (*key, backout["seq"], sign)
            undone[counted] += 1
            if undone[counted] <= backouts.number(each):
                yield key, backout["seq"], hour_of(backout), sign, None


def busiest_minutes(facts: Facts) -> dict[tuple[Any, ...], list[float | None]]:
    """By queue manager, queue and rank."""
    minutes: dict[tuple[str, str], dict[int, list[int]]] = defaultdict(dict)
    for each in facts.events:
        if each["kind"] in ("PUT", "GET"):
            minute = each["at"] - each["at"] % MINUTE
            counts = minutes[each["qmgr"], each["queue"]].setdefault(minute, [0] * 4)
            first = 0 if each["kind"] == "PUT" else 2
            counts[first] += 1
            counts[first + 1] += each["length"]

    def rank(item: tuple[int, list[int]]) -> tuple[int, int, int]:
        minute, (puts, put, gets, got) = item
        return -(puts + gets), -(put + got), minute

    return {
        (*key, place): [minute, *counts]
        for key, of_queue in minutes.items()
        for place, (minute, counts) in enumerate(sorted(of_queue.items(), key=rank)[:BUSIEST], 1)
    }


def check_depths(built: dict[str, pa.Table], stores: list[Facts], now: int) -> None:
    """Of all queues, also those whose puts and gets are not recorded."""
    wanted = {key: row for each in stores for key, row in hours(each).items()}
    names = (
        "depth_start depth_end depth_high depth_low set_back residence_min residence_median "
        "residence_p95 residence_max"
    )
    same(built["hours"], "qmgr queue hour", names, wanted)
    minutes = {key: row for each in stores for key, row in busiest_minutes(each).items()}
    names = "minute puts bytes_put gets bytes_got"
    same(built["busiest_minutes"], "qmgr queue rank", names, minutes)


# What expired.


def check_expiry(built: dict[str, pa.Table], stores: list[Facts], now: int) -> None:
    whole: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    by_cause: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    for each in (event for facts in stores for event in facts.events):
        key = (each["qmgr"], each["queue"], hour_of(each))
        if each["kind"] == "EXPIRE":
            detail = each["detail"]
            application = detail.get("application", each["put_application"])
            by_cause[*key, each["cause"], application, detail.get("member")].append(each)
            whole[key].append(each)
        elif each["kind"] in ("REPORT", "DEAD_LETTER", "REPORT_LOST"):
            whole[key] += [each] if each["cause"] == "expiration" else []
    names = (
        "messages bytes lifetime_min lifetime_median lifetime_p95 lifetime_max lateness_min "
        "lateness_median lateness_p95 lateness_max reports_asked"
    )
    causes = {key: _expired(events) for key, events in by_cause.items()}
    same(built["expired_by_cause"], "qmgr queue hour cause application member", names, causes)
    wanted = {key: _expired(events) + _reports(events) for key, events in whole.items() if events}
    reports = "reports_put reports_dead_lettered reports_lost"
    same(built["expired"], "qmgr queue hour", f"{names} {reports}", wanted)
    _check_overdue(built, stores, now)


def _expired(events: Sequence[Row]) -> list[float | None]:
    expired = [each for each in events if each["kind"] == "EXPIRE"]
    lifetimes = [between(each["put_at"], each["at"]) for each in expired]
    latenesses = [between(each["expires_at"], each["at"]) for each in expired]
    return [
        len(expired),
        sum(each["detail"].get("length", each["length"]) or 0 for each in expired),
        *percentiles([time for time in lifetimes if time is not None]),
        *percentiles([time for time in latenesses if time is not None]),
        sum("report" in each["detail"] for each in expired),
    ]


def _reports(events: Sequence[Row]) -> list[float | None]:
    kinds = Counter(each["kind"] for each in events)
    return [kinds[kind] for kind in ("REPORT", "DEAD_LETTER", "REPORT_LOST")]


def _check_overdue(built: dict[str, pa.Table], stores: list[Facts], now: int) -> None:
    overdue = [
        each
        for facts in stores
        for each in facts.pending
        if each["expires_at"] is not None and each["expires_at"] <= now
    ]
    by_queue: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    for each in overdue:
        by_queue[each["qmgr"], each["queue"]].append(each)
    wanted = {
        key: [
            len(rows),
            sum(each["length"] for each in rows),
            sum(each["state"] != "AVAILABLE" for each in rows),
            min(each["expires_at"] for each in rows),
            max((now - each["expires_at"]) / 1e6 for each in rows),
        ]
        for key, rows in by_queue.items()
    }
    names = "messages bytes in_units oldest_expiry longest_overdue"
    same(built["overdue"], "qmgr queue", names, wanted)
    columns = (
        "qmgr queue msg_id correl_id priority persistence length put_at expires_at overdue "
        "put_application put_user state"
    ).split()
    found = sorted(
        (
            tuple(plain(row[name]) for name in columns)
            for row in built["overdue_messages"].to_pylist()
        ),
        key=repr,
    )
    assert found == sorted((_overdue_message(each, columns, now) for each in overdue), key=repr)


def _overdue_message(message: Row, columns: Sequence[str], now: int) -> tuple[Any, ...]:
    shown = {**message, "overdue": (now - message["expires_at"]) / 1e6}
    for name in ("msg_id", "correl_id"):
        shown[name] = None if message[name] is None else message[name].hex()
    return tuple(shown[name] for name in columns)


# Who was refused what.


def check_refusals(built: dict[str, pa.Table], stores: list[Facts], now: int) -> None:
    refused: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    of_users: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    for facts in stores:
        for each in facts.events:
            if each["kind"] == "REFUSE":
                refused[_refusal(each)].append(each)
                of_users[each["qmgr"], each["user"], each["cause"]].append(each)
    by = "qmgr hour user application object call cause missing channel"
    opens = [each for facts in stores for each in facts.events if each["kind"] == "OPEN"]
    wanted = {
        key: [_times(rows), max(each["at"] for each in rows), _cured(rows, opens)]
        for key, rows in refused.items()
    }
    same(built["refusals"], by, "refusals last cured_at", wanted)
    users: dict[tuple[Any, ...], list[float | None]] = {
        key: [
            _times(rows),
            len({each["queue"] for each in rows} - {None}),
            len({each["application"] for each in rows} - {None}),
            min(each["at"] for each in rows),
            max(each["at"] for each in rows),
        ]
        for key, rows in of_users.items()
    }
    same(built["users"], "qmgr user cause", "refusals objects programs since last", users)


def _refusal(event: Row) -> tuple[Any, ...]:
    detail = event["detail"]
    missing = ", ".join(detail["missing"]) if "missing" in detail else None
    who = (event["user"], event["application"], event["queue"])
    what = (detail.get("call"), event["cause"], missing, detail.get("channel"))
    return (event["qmgr"], hour_of(event), *who, *what)


def _times(refusals: Iterable[Row]) -> int:
    return sum(each["detail"].get("repeated", 1) for each in refusals)


def _cured(refusals: Sequence[Row], opens: Sequence[Row]) -> int | None:
    """When the user opened the object for the first time after the last refusal, or any object."""
    last = max(refusals, key=lambda each: each["seq"])
    for each in opens:
        is_same = (each["qmgr"], each["user"]) == (last["qmgr"], last["user"])
        is_later = each["store"] == last["store"] and each["seq"] > last["seq"]
        if is_same and is_later and last["queue"] in (None, each["queue"]):
            return int(each["at"])
    return None
