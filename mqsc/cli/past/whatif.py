"""`mqsc whatif`: what would have been different with other definitions, rules or scans: the
recorded calls played twice on copies of the store as it was, once as they were and once with the
changes.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click

from mqsc.cli.past.whatif_text import lines
from mqsc.console import inputs, parameters, terminal
from mqsc.console.options import Choices, command
from mqsc.console.parameters import AnyPath, EventOrMoment
from mqsc.console.past import When, moment_of
from mqsc.console.target import CommandFailedError, failing, opened_queue_manager
from mqsc.console.text.reasons import name_of_code
from mqsc.dlq import entry, rules_table
from mqsc.dlq.handler import HANDLER_OPEN_OPTIONS, Handler
from mqsc.script import run
from mqsc.store.admin import expiry, history, put_preview, statistics
from mqsc.store.admin.event_search import EventSelection, events
from mqsc.store.client.api import QueueManager, Store
from mqsc.store.past.as_of import NoSuchMomentError, copy_as_of
from mqsc.store.past.calls import RecordedCall, changed_attributes, recorded_calls
from mqsc.store.past.clocks import Moment, clock_at, owners_with_clock
from mqsc.store.past.depths import change_of
from mqsc.store.past.replay import Departure, Intent, Replay, Replayed, open_copy
from mqsc.store.rules.message_trace import TracedEvent
from mqsc.store.sqlite import copies
from mqsc.store.sqlite.files import OWNER_ONLY

DIFFERS = 2
_CALLS = {
    "put": "MQPUT",
    "get": "MQGET",
    "open": "MQOPEN",
    "close": "MQCLOSE",
    "commit": "MQCMIT",
    "backout": "MQBACK",
}


class Every(parameters.TextType):
    """A schedule such as `every 5m`, in microseconds."""

    name = "schedule"

    def read(self, text: str) -> int:
        word, _, span = text.strip().partition(" ")
        if word.lower() != "every" or not span:
            raise ValueError(f"{text!r} is not a schedule; example: 'every 5m'")
        found = parameters.Span().read(span.strip())
        if not found:
            raise ValueError("a schedule needs some time between two scans")
        return found


class Changes(NamedTuple):
    """What is tried: MQSC commands, a rules table for the dead-letter queue, microseconds
    between two REFRESH.
    """

    commands: Sequence[str]
    rules: rules_table.RulesTable | None
    refresh: int | None


class Period(NamedTuple):
    """The calls after the moment `since`, up to `until`, and the queue manager that the changes are
    for.

    `owners`: the queue managers, and their groups, that have the same clock as that one.
    """

    calls: Sequence[RecordedCall]
    since: Moment
    until: Moment
    qmgr: str
    owners: set[str]


class Outcome(NamedTuple):
    """What happened in a replay: its events, and where programs would have gone on differently."""

    events: Sequence[TracedEvent]
    result: Replayed
    depths: Mapping[str, int]


@command()
@click.argument("commands", nargs=-1, metavar="['MQSC COMMAND'...]")
@click.option(
    "--since",
    type=EventOrMoment(),
    required=True,
    metavar="MOMENT|SEQ",
    help="From when the changes hold.",
)
@click.option(
    "--until",
    type=EventOrMoment(),
    metavar="MOMENT|SEQ",
    help="Up to when (default: now).",
)
@click.option(
    "--rules",
    type=AnyPath(),
    metavar="FILE",
    help="Handle the dead-letter queue with the rules table in FILE.",
)
@click.option(
    "--refresh",
    type=Every(),
    metavar="'every TIME'",
    help="REFRESH QMGR TYPE(EXPIRY) on this schedule.",
)
def whatif(
    choices: Choices,
    commands: tuple[str, ...],
    since: When,
    until: When | None,
    rules: str | None,
    refresh: int | None,
) -> int:
    """Show what would have been different if MQSC commands had been given at an earlier time.

    The calls and commands recorded since then are played again, with their times, users and MsgIds,
    on copies of the store as it was: as they were, and with the changes. A program whose call would
    have failed, or whose get would have received another message, would have gone on differently:
    it is named, and not followed any further. Exit code 0 if nothing differs, 2 if something does.
    The store itself is only read.
    """
    if not commands and rules is None and refresh is None:
        raise click.UsageError(
            "give an MQSC command, --rules or --refresh; example: 'ALTER QLOCAL(Q) MAXDEPTH(500)'",
        )
    changes = Changes(commands, None if rules is None else _table(rules), refresh)
    with opened_queue_manager(choices) as qmgr, failing(NoSuchMomentError):
        begin, end = _moment(qmgr, since), _moment(qmgr, until)
        if end.seq <= begin.seq:
            raise click.UsageError("no event is between --since and --until")
        found = events(qmgr.store, EventSelection(), first=begin.seq + 1, last=end.seq)
        period = Period(
            list(recorded_calls(found)),
            begin,
            end,
            qmgr.name,
            owners_with_clock(qmgr.store, qmgr.name),
        )
        before, after = _both(qmgr.store, period, changes, choices.inform)
    rows = [*differences(before, after)]
    terminal.print_rows(choices.format, rows, lines(rows, begin, end, after.result.played))
    return DIFFERS if rows else 0


def _moment(qmgr: QueueManager, when: When | None) -> Moment:
    """The moment, now by default, with the time that the clock of the queue manager showed."""
    if when is None:
        return Moment(qmgr.store.bound().seq, qmgr.now(), qmgr.name)
    found = moment_of(qmgr, when)
    return Moment(found.seq, clock_at(qmgr.store, found, qmgr.name), qmgr.name)


def _table(file: str) -> rules_table.RulesTable:
    source = inputs.InputSource(path=file)
    with inputs.opened_lines(source) as lines:
        parsed = entry.parse_table(lines, source.name)
    if parsed.table is None:
        raise CommandFailedError("\n".join(map(str, parsed.diagnostics)))
    return parsed.table


# The two replays.


def _both(
    store: Store,
    period: Period,
    changes: Changes,
    inform: Callable[[str], None],
) -> tuple[Outcome, Outcome]:
    with copy_as_of(store, period.since) as past:
        if past.unknown:
            inform(
                "mqsc: not known are puts and gets of queues with ACCTQ(OFF): "
                f"{', '.join(past.unknown[:5])}",
            )
        changed = past.file.with_name("changed.db")
        changed.touch(OWNER_ONLY)
        copies.copy_file(past.file, changed, changed)
        before, intent = _played(store, past.file, period, Changes((), None, None), None)
        if before.result.departures:
            first = before.result.departures[0].event.seq
            inform(
                f"mqsc: the history does not say enough to play everything after event {first} as "
                "it was",
            )
        after, _ = _played(store, changed, period, changes, intent)
    return before, after


def _played(
    original: Store,
    file: Path,
    period: Period,
    changes: Changes,
    intent: Intent | None,
) -> tuple[Outcome, Intent]:
    """One replay, with the changes made before; expired messages that are still there at the end
    are discarded then.
    """
    copy = open_copy(str(file), period.since.at)
    try:
        replay = Replay(original, copy, period.since.seq, intent)
        replay.prepare(period.calls)
        qmgr = copy.queue_manager(period.qmgr)
        with copy.database.one_transaction():
            replay.kept |= _changed(qmgr, changes.commands)
            first = copy.bound().seq + 1
            depths = {each.name: each.depth for each in statistics.load(qmgr).queues}
            work = _Schedule(replay, qmgr, period, changes)
            for call in period.calls:
                work.before(call)
                if not work.replaces(call):
                    replay.play(call)
                    work.after()
            work.until(period.until.at)
            replay.at(period.until.at)
            if qmgr.is_running:
                expiry.refresh_expiry(qmgr)
        made = list(events(copy, EventSelection(), first=first))
        return Outcome(made, replay.result, depths), replay.intent
    finally:
        copy.close()


def _changed(qmgr: QueueManager, commands: Iterable[str]) -> set[tuple[str, str, str]]:
    """Give the commands; the attributes that they changed."""
    first = qmgr.store.bound().seq + 1
    for each in commands:
        for reply in run(qmgr, each):
            if reply.completion:
                raise CommandFailedError(f"{each}: {reply.text}")
    made = events(qmgr.store, EventSelection(), first=first)
    return {
        (each.target or "", each.queue or "", word)
        for each in made
        for word in changed_attributes(each.detail)
    }


class _Schedule:
    """What happens between the recorded calls if the changes say so: scans, and the dead-letter
    handler.
    """

    def __init__(
        self,
        replay: Replay,
        qmgr: QueueManager,
        period: Period,
        changes: Changes,
    ) -> None:
        self._replay = replay
        self._qmgr = qmgr
        self._owners = period.owners
        self._refresh = changes.refresh
        self._due = period.since.at + (changes.refresh or 0)
        self._scans = any(word == "EXPRYINT" for _, _, word in replay.kept)
        self._handler: Handler | None = None
        self._queue = qmgr.row().dead_letter_queue
        # Events that the handler knows, and units of work that put dead letters.
        self._seen, self._units = qmgr.store.bound().seq, set[int | None]()
        self._table = changes.rules
        self._others = _handlers(period.calls) if changes.rules is not None else set()

    def before(self, call: RecordedCall) -> None:
        """Do what is due before a call; the time of another clock says nothing."""
        if call.event.qmgr in self._owners:
            self.until(call.event.at)

    def until(self, at: int) -> None:
        """Scan when it is due, up to a time."""
        while self._refresh is not None and self._due <= at:
            self._replay.at(self._due)
            if self._qmgr.is_running:
                expiry.refresh_expiry(self._qmgr)
            self._due += self._refresh
        while self._scans and self._qmgr.is_running:
            due = expiry.timer(self._qmgr).due
            if due is None or due > at:
                return
            self._replay.at(due)
            expiry.scan(self._qmgr)

    def replaces(self, call: RecordedCall) -> bool:
        """Whether a call is left out, because something else happens instead."""
        if call.kind == "scan":
            return self._scans if call.event.cause == "interval" else self._refresh is not None
        return call.event.connection in self._others

    def after(self) -> None:
        """Have the handler look when a dead letter has arrived: one that the history has, or
        that the changes made.
        """
        if self._table is None or not self._qmgr.is_running:
            return
        made = list(events(self._qmgr.store, EventSelection(), first=self._seen + 1))
        self._seen += len(made)
        self._units |= {
            each.unit for each in made if (each.kind, each.queue) == ("PUT", self._queue)
        }
        arrived = self._units & {None, *(each.unit for each in made if each.kind == "COMMIT")}
        self._units -= arrived
        if self._handler is None:
            self._handler = self._opened(self._table)
        elif not arrived:
            return
        self._handler.run(lambda: True)

    def _opened(self, table: rules_table.RulesTable) -> Handler:
        """The handler of the dead-letter queue; its retries follow at once, because no time
        passes while it runs.
        """
        control = type(table.control)(self._queue, "", 0, 0, table.control.line)
        own = put_preview.leads_to(self._qmgr, self._queue)
        queue = self._qmgr.connect("runmqdlq").open(
            self._queue,
            int(HANDLER_OPEN_OPTIONS),
            dynamic_name=None,
        )
        return Handler(
            queue,
            rules_table.RulesTable(control, table.rules, table.file, table.wide),
            lambda _: None,
            leads_back=lambda *target: put_preview.leads_to(self._qmgr, *target) == own,
            times_moved=lambda descriptor, target: history.times_moved(
                self._qmgr,
                own,
                descriptor,
                target=target,
            ),
        )


def _handlers(calls: Iterable[RecordedCall]) -> set[int | None]:
    """The connections of dead-letter handlers."""
    found = (
        each for call in calls for each in (*call.events, *call.before) if each.cause == "handler"
    )
    return {each.connection for each in found if each.connection is not None}


# What differs.

# The kinds of events whose message came by a put; others are about one that the queue manager made.
_OF_PUTS = frozenset({"DISCARD", "REQUEUE", "FORWARD", "EXPIRE"})


class Fate(NamedTuple):
    """What may become of a message: the words after "would have", the kinds and the cause of the
    events that say so (blank for any), and what two such events have in common if they are the
    same.
    """

    words: str
    kinds: frozenset[str]
    cause: str
    identity: Callable[[TracedEvent], tuple[Hashable, ...]]

    def events_in(self, outcome: Outcome) -> list[TracedEvent]:
        """The events of an outcome that say so."""
        return [
            each
            for each in outcome.events
            if each.kind in self.kinds and self.cause in ("", each.cause)
        ]


def _queue_and_message(event: TracedEvent) -> tuple[Hashable, ...]:
    return event.queue, event.msg_id


def _queue_and_moment(event: TracedEvent) -> tuple[Hashable, ...]:
    # A trigger message that is made again has another MsgId.
    return event.queue, event.at


def _removal(event: TracedEvent) -> tuple[Hashable, ...]:
    return event.queue, event.msg_id, event.kind, event.target


_REMOVALS = frozenset({"DISCARD", "REQUEUE", "FORWARD"})
_FATES = (
    Fate("expired", frozenset({"EXPIRE"}), "", _queue_and_message),
    Fate("been dead-lettered", frozenset({"DEAD_LETTER"}), "", _queue_and_message),
    Fate("gone to a backout queue", _REMOVALS, "poison", _removal),
    Fate("been moved or discarded by the handler", _REMOVALS, "handler", _removal),
    Fate("triggered", frozenset({"TRIGGER"}), "", _queue_and_moment),
    Fate("failed to trigger", frozenset({"TRIGGER_LOST"}), "", _queue_and_moment),
    Fate("been reported", frozenset({"REPORT", "REPORT_LOST"}), "", _queue_and_message),
)


def differences(before: Outcome, after: Outcome) -> Iterator[dict[str, Any]]:
    """What would have been different, as data: calls, programs, messages and depths, in this order.

    Of messages that would not have been put, nothing else is said, nor of dead letters of channels
    not followed.
    """
    known = {each.event.seq for each in before.result.departures}
    for departure in after.result.departures:
        if departure.event.seq not in known:
            yield _call_row(departure)
    names = {each.event.connection: each.event.application for each in after.result.departures}
    for connection, number in (after.result.skipped - before.result.skipped).items():
        yield {
            "type": "program",
            "connection": connection,
            "application": names.get(connection),
            "not_played": number,
        }
    never_put = _put(before) - _put(after)
    left = {each.event.connection: each.event.at for each in reversed(after.result.departures)}
    for fate in _FATES:
        was, would = fate.events_in(before), fate.events_in(after)
        for would_have, mine, others in ((True, would, was), (False, was, would)):
            same = Counter(map(fate.identity, others))
            for each in mine:
                if same[fate.identity(each)]:
                    same[fate.identity(each)] -= 1
                elif would_have or not (
                    (each.kind in _OF_PUTS and each.msg_id in never_put)
                    or (
                        each.cause == "channel"
                        and left.get(each.connection, each.at + 1) <= each.at
                    )
                ):
                    yield _message_row(each, fate.words, would_have=would_have)
    yield from _later(before, after)
    yield from _depth_rows(before, after)


def _put(outcome: Outcome) -> set[bytes | None]:
    return {each.msg_id for each in outcome.events if each.kind == "PUT"}


def _call_row(departure: Departure) -> dict[str, Any]:
    event = departure.event
    name = _name(departure.reason)
    received = None if departure.received is None else departure.received.hex()
    return {
        "type": "call",
        "call": _CALLS.get(event.kind.lower(), event.kind),
        "qmgr": event.qmgr,
        "queue": event.queue,
        "at": parameters.iso(event.at),
        "seq": event.seq,
        "application": event.application,
        "user": event.user,
        "connection": event.connection,
        "msg_id": event.msg_id and event.msg_id.hex(),
        "reason": departure.reason or None,
        "name": name,
        "received": received,
    }


def _name(reason: int) -> str | None:
    return next(iter(name_of_code(reason)), None) if reason else None


def _message_row(event: TracedEvent, fate: str, *, would_have: bool) -> dict[str, Any]:
    return {
        "type": "message",
        "fate": fate,
        "would_have": would_have,
        "qmgr": event.qmgr,
        "queue": event.queue,
        "target": event.target,
        "msg_id": event.msg_id and event.msg_id.hex(),
        "at": parameters.iso(event.at),
        "cause": event.cause,
        "reason": event.reason,
        "name": _name(event.reason or 0),
    }


def _later(before: Outcome, after: Outcome) -> Iterator[dict[str, Any]]:
    """Messages that expired in both cases, and would have been discarded at another time."""
    was = {(each.queue, each.msg_id): each.at for each in before.events if each.kind == "EXPIRE"}
    for each in after.events:
        at = was.get((each.queue, each.msg_id))
        if each.kind == "EXPIRE" and at is not None and at != each.at:
            row = _message_row(each, "been discarded at another time", would_have=True)
            yield {**row, "before": parameters.iso(at)}


def _depth_rows(before: Outcome, after: Outcome) -> Iterator[dict[str, Any]]:
    was, would = (_depths(each) for each in (before, after))
    for queue in sorted(was.keys() | would.keys()):
        (most, end), (would_most, would_end) = was.get(queue, (0, 0)), would.get(queue, (0, 0))
        if (most, end) != (would_most, would_end):
            yield {
                "type": "depth",
                "queue": queue,
                "greatest": most,
                "would_be_greatest": would_most,
                "at_end": end,
                "would_be_at_end": would_end,
            }


def _depths(outcome: Outcome) -> dict[str, tuple[int, int]]:
    """The greatest depth of each queue of the queue manager, and the last."""
    now, most = dict(outcome.depths), dict(outcome.depths)
    for event in outcome.events:
        names = event.detail if event.kind == "BACKOUT" else (event.queue, event.target)
        for queue in names:
            if queue and (queue in now or event.kind == "PUT"):
                now[queue] = now.get(queue, 0) + change_of(event, queue)
                most[queue] = max(most.get(queue, 0), now[queue])
    return {queue: (most[queue], now[queue]) for queue in now}
