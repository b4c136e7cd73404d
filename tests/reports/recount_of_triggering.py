"""The tables of trigger-history, counted from the events one after the other."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mqsc.store.constants import MQOO
from mqsc.store.published import KINDS, reason_names
from tests.reports.counted_tables import Key, between, percentiles, same, same_rows, seconds
from tests.reports.facts import Facts, Row, hour_of

if TYPE_CHECKING:
    import pyarrow as pa  # type: ignore[import-untyped]

INPUT = int(MQOO.INPUT_AS_Q_DEF | MQOO.INPUT_SHARED | MQOO.INPUT_EXCLUSIVE)
CAUSES = frozenset(KINDS["TRIGGER"].causes)
FATES = ("placed", "backed_out", "dead_lettered", "refused", "lost", "uncommitted")


@dataclass
class TriggerMessage:
    """A trigger message: the events about it, and the first open and get of its queue after it."""

    events: list[Row] = field(default_factory=list)
    opened: Row | None = None
    got: Row | None = None
    fates: set[str] = field(default_factory=set)
    is_duplicate: bool = False

    @property
    def first(self) -> Row:
        return self.events[0]

    @property
    def created(self) -> Row | None:
        """The event of the queue manager that created it; None if another program put it."""
        return next((each for each in self.events if _is_creation(each)), None)

    @property
    def placed_at(self) -> Row | None:
        return next((each for each in self.events if each["kind"] == "TRIGGER"), None)

    def told(self, name: str) -> Any:
        return next(
            (each["detail"][name] for each in self.events if each["detail"].get(name) is not None),
            None,
        )

    @property
    def owner(self) -> str:
        """The queue manager that created it: of a shared queue, the member."""
        event = self.created or self.first
        members = [each["detail"].get("member") for each in [event, *self.events]]
        is_member = self.created is None or event["detail"].get("member")
        return str(next(filter(None, members), event["qmgr"]) if is_member else event["qmgr"])

    @property
    def loop(self) -> int | None:
        text = self.told("loop")
        return int(re.match(r"\d+", text)[0]) if text else None  # type: ignore[index]

    @property
    def process(self) -> str | None:
        process: str | None = self.told("process")
        return process

    def runs(self) -> Iterator[list[Row]]:
        """The events of each start of a program, or failure to start one."""
        runs: dict[Key, list[Row]] = defaultdict(list)
        for each in self.events:
            if each["kind"] == "PROGRAM":
                runs[each["detail"].get("program"), each["detail"].get("process_id")].append(each)
        return iter(runs.values())


def _is_creation(event: Row) -> bool:
    return event["kind"] in ("TRIGGER", "TRIGGER_LOST", "DEAD_LETTER") and event["cause"] in CAUSES


def trigger_messages(facts: Facts) -> list[TriggerMessage]:
    """The trigger messages of a store, with what became of them."""
    messages: dict[bytes, TriggerMessage] = defaultdict(TriggerMessage)
    waiting: dict[Key, list[TriggerMessage]] = defaultdict(list)
    for each in facts.events:
        kind, queue = each["kind"], (each["qmgr"], each["queue"])
        is_refusal = kind == "DEAD_LETTER" and each["cause"] == "monitor"
        if _is_creation(each) or is_refusal or kind == "PROGRAM":
            messages[each["msg_id"]].events.append(each)
        if kind == "TRIGGER":
            waiting[queue].append(messages[each["msg_id"]])
        is_open = kind == "OPEN" and each["detail"].get("options", 0) & INPUT
        if is_open or kind == "GET":
            for message in waiting[queue]:
                message.opened = message.opened or (each if is_open else None)
                message.got = message.got or (each if kind == "GET" else None)
    there = {each["msg_id"] for each in facts.pending if each["state"] == "PUT"}
    for msg_id, message in messages.items():
        message.fates = _fates(message, facts, is_uncommitted=msg_id in there)
    _mark_duplicates([*messages.values()])
    return [*messages.values()]


def _fates(message: TriggerMessage, facts: Facts, *, is_uncommitted: bool) -> set[str]:
    refusals = [each for each in message.events if each["cause"] == "monitor"]
    fates = {"refused"} if refusals else set()
    created = message.created
    if created is None:
        return fates
    if is_uncommitted:
        return fates | {"uncommitted"}
    # FIRST and DEPTH survive the backout of their unit of work.
    if created["unit"] in facts.undone and created["detail"]["type"] == "EVERY":
        return fates | {"backed_out"}
    words = {"TRIGGER": "placed", "DEAD_LETTER": "dead_lettered", "TRIGGER_LOST": "lost"}
    return fates | {words[created["kind"]]}


def _mark_duplicates(messages: Sequence[TriggerMessage]) -> None:
    """Mark those to whose predecessor no program had reacted."""
    before: dict[Key, TriggerMessage] = {}
    placed = [message for message in messages if "placed" in message.fates]
    for message in sorted(placed, key=lambda each: each.first["seq"]):
        queue = (message.owner, message.first["queue"])
        if queue in before and message.told("type") != "EVERY":
            reactions = (before[queue].opened, before[queue].got)
            seqs = [each["seq"] for each in reactions if each is not None]
            message.is_duplicate = not seqs or min(seqs) > message.first["seq"]
        before[queue] = message


def _by_cause(messages: Sequence[TriggerMessage]) -> dict[Key, list[Any]]:
    found: dict[Key, list[TriggerMessage]] = defaultdict(list)
    for message in messages:
        if message.fates:
            created = message.created
            cause = None if created is None else created["cause"]
            hour = hour_of(message.first)
            of_queue = (message.owner, message.first["queue"], message.process)
            found[*of_queue, hour, message.told("type"), cause].append(message)
    return {key: _sums(of_group) for key, of_group in found.items()}


def _sums(messages: Sequence[TriggerMessage]) -> list[Any]:
    loops = [message.loop for message in messages if message.loop is not None]
    return [
        *(sum(fate in message.fates for message in messages) for fate in FATES),
        sum(message.is_duplicate for message in messages),
        len(loops),
        max(loops, default=None),
    ]


def _responses(messages: Sequence[TriggerMessage]) -> dict[Key, list[Any]]:
    found: dict[Key, list[TriggerMessage]] = defaultdict(list)
    for message in messages:
        if "placed" in message.fates:
            found[message.owner, message.first["queue"], message.process].append(message)
    return {
        key: [
            len(of_queue),
            *_times([(each.placed_at, each.opened) for each in of_queue]),
            *_times([(each.placed_at, each.got) for each in of_queue]),
        ]
        for key, of_queue in found.items()
    }


def _times(pairs: Sequence[tuple[Row | None, Row | None]]) -> list[Any]:
    times = [between(first["at"], then["at"]) for first, then in pairs if first and then]
    return [len(times), *percentiles([time for time in times if time is not None])]


def _runs(messages: Sequence[TriggerMessage]) -> Iterator[Key]:
    """The rows of `program_runs`, in the order of its columns."""
    for message in messages:
        for events in message.runs():
            start, end = events[0], events[-1]
            placed_at = message.placed_at
            waited = None if placed_at is None else between(placed_at["at"], start["at"])
            run_time = end["detail"].get("run_time")
            of_queue = (start["detail"].get("member", start["qmgr"]), start["queue"])
            yield (
                *(*of_queue, start["detail"].get("process"), start["detail"].get("program")),
                *(start["at"], start["msg_id"].hex(), seconds(waited)),
                "timed out" if end["detail"].get("timed_out") else end["cause"],
                start["detail"].get("process_id"),
                end["detail"].get("exit_status"),
                seconds(run_time),
                start["reason"],
                reason_names().get(start["reason"]),
                start["detail"].get("why"),
            )


def _programs(runs: Sequence[Key]) -> dict[Key, list[Any]]:
    found: dict[Key, list[Key]] = defaultdict(list)
    for run in runs:
        found[run[:4]].append(run)
    return {key: _program(of_program) for key, of_program in found.items()}


def _program(runs: Sequence[Key]) -> list[Any]:
    states = [run[7] for run in runs]
    times = [round(run[10] * 10**6) for run in runs if run[10] is not None]
    return [
        len(states) - states.count("failed"),
        states.count("ended") + states.count("timed out"),
        sum(bool(run[9]) for run in runs),
        states.count("timed out"),
        states.count("failed"),
        *percentiles(times),
    ]


def check_triggering(built: dict[str, pa.Table], stores: list[Facts], now: int) -> None:
    found = [trigger_messages(each) for each in stores]
    names = (
        "trigger_messages backed_out dead_lettered refused lost uncommitted duplicates looped "
        "longest_loop"
    )
    wanted = {key: row for each in found for key, row in _by_cause(each).items()}
    same(built["triggers"], "qmgr queue process hour type cause", names, wanted)
    names = (
        "trigger_messages opened to_open_min to_open_median to_open_p95 to_open_max got "
        "to_get_min to_get_median to_get_p95 to_get_max"
    )
    wanted = {key: row for each in found for key, row in _responses(each).items()}
    same(built["responses"], "qmgr queue process", names, wanted)
    runs = [run for each in found for run in _runs(each)]
    names = (
        "qmgr queue process program at msg_id waited state process_id exit_status run_time "
        "reason reason_name why"
    )
    same_rows(built["program_runs"], names, runs)
    names = (
        "started ended ended_badly timed_out failed run_time_min run_time_median run_time_p95 "
        "run_time_max"
    )
    same(built["programs"], "qmgr queue process program", names, _programs(runs))
