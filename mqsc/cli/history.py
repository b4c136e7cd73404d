"""`mqsc history`: the events of the history."""

import sys
from collections.abc import Callable, Iterable
from functools import partial

import click
from msgspec import Struct

from mqsc.console.commands import commands_in
from mqsc.console.json_rows import CSV_FORMAT
from mqsc.console.object_names import GenericQueueName
from mqsc.console.options import WITHOUT_FORMAT, Choices, CommandOrGroup, command
from mqsc.console.parameters import Ago, CollectorUrl, MsgIdPrefix, PastMoment, Words
from mqsc.console.removed import inform_about_removed
from mqsc.console.target import (
    CommandFailedError,
    NothingRunError,
    store_to_look_up,
    unknown_queue_manager,
)
from mqsc.console.text.reasons import counted
from mqsc.history.message_argument import inform_about_index, the_id
from mqsc.history.output import OUTPUTS, Write, raise_if_unread, with_kept_data
from mqsc.history.period import period
from mqsc.store.admin import event_search
from mqsc.store.admin.event_search import (
    EventSelection,
    chosen,
    events,
    is_known,
    last_event,
    newest,
)
from mqsc.store.admin.message_puts import MessagePuts
from mqsc.store.admin.message_trace import life_of
from mqsc.store.admin.read_only_store import managers_of
from mqsc.store.engine.state import StoreState
from mqsc.store.published import KINDS
from mqsc.store.rules.message_trace import TracedEvent

KIND = Words("a kind of event", [*KINDS])
CAUSE = Words(
    "a cause of events",
    sorted({cause for kind in KINDS.values() for cause in kind.causes}),
)
# SQLite has no greater number.
GREATEST = 2**63 - 1
# Events before the new ones with --follow, unless --limit or --since is given.
BEFORE_NEW = 10


@command(cls=CommandOrGroup, rows=commands_in("history"), common=WITHOUT_FORMAT, reads=True)
@click.argument("queue", type=GenericQueueName(), required=False, metavar="[QUEUE|GENERIC]")
@click.option(
    "--msg-id",
    type=MsgIdPrefix(),
    metavar="HEX",
    help="The life of the message with this MsgId.",
)
@click.option(
    "--unit",
    type=click.IntRange(min=1),
    metavar="N",
    help="Only events of this unit of work.",
)
@click.option(
    "--connection",
    type=click.IntRange(min=1),
    metavar="N",
    help="Only events of this connection.",
)
@click.option("--since", type=PastMoment(), help="Only events at or after this time.")
@click.option("--until", type=PastMoment(), help="Only events before this time.")
@click.option(
    "--kind",
    "kinds",
    type=KIND,
    multiple=True,
    metavar="KIND",
    help="Only events of this kind, such as EXPIRE or PUT,GET; repeatable.",
)
@click.option(
    "--cause",
    "causes",
    type=CAUSE,
    multiple=True,
    metavar="CAUSE",
    help="Only events with this cause, such as interval; repeatable.",
)
@click.option("--limit", type=click.IntRange(min=0), metavar="N", help="Only the newest N events.")
@click.option(
    "--data",
    is_flag=True,
    help="With the data of messages, as far as `mqsc history keep` has kept it.",
)
@click.option("--follow", is_flag=True, help="Keep printing new events until Ctrl-C.")
@click.option(
    "--otlp",
    type=CollectorUrl(),
    metavar="URL",
    help="Print nothing; send what happened to messages as spans to this OpenTelemetry collector.",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice([*OUTPUTS]),
    help="Output format (default: text).",
)
def history(
    choices: Choices,
    queue: str | None,
    msg_id: str | None,
    unit: int | None,
    connection: int | None,
    since: int | Ago | None,
    until: int | Ago | None,
    kinds: tuple[frozenset[str], ...],
    causes: tuple[frozenset[str], ...],
    limit: int | None,
    data: bool,
    follow: bool,
    otlp: str | None,
    format_: str | None,
) -> None:
    """Show the history: every event on QUEUE, or on all queues that match a name such as 'APP.*',
    newest last.

    Without QUEUE, --msg-id, --unit or --connection, shows the events of the whole store, or of the
    queue manager that -m names. --msg-id shows the life of a message: its first digits are enough.
    MOMENT is an ISO time (UTC) such as 2026-03-01T09:00, a date, a time of the last 24 hours such
    as 09:14, or a length of time before now such as 90s, 2h or 1d, by the queue manager's clock.

    With --otlp, puts, gets, backouts, expiries, dead letters and triggers become spans, in the
    trace that the message property traceparent names. Sent again, an event is the same span.
    """
    wanted = _EventsWanted(
        queue=queue,
        msg_id=msg_id,
        unit=unit,
        connection=connection,
        since=since,
        until=until,
        kinds=frozenset[str]().union(*kinds),
        causes=frozenset[str]().union(*causes),
        limit=limit,
        data=data,
    )
    _check(wanted, follow=follow)
    if otlp is not None and (format_ or choices.format or data):
        raise click.UsageError(
            "--otlp prints nothing and sends no data; leave --format, --data out"
        )
    # What is followed must be the store itself.
    with store_to_look_up(choices._replace(only_reads=not follow)) as store:
        _check_manager(store, choices.qmgr_name())
        search = _Search(store, choices, wanted)
        if otlp is not None:
            _export(search, store, otlp, choices, follow=follow)
            return
        format = format_ or choices.format or "text"
        if format == CSV_FORMAT and follow:
            raise click.UsageError("--format csv has an end, so it cannot --follow; use jsonl")
        with OUTPUTS[format]() as write:
            if follow:
                search.follow(write)
            else:
                search.write(write)


class _EventsWanted(Struct, frozen=True):
    """Which events the options choose: the newest `limit` of them, with the `data` of messages."""

    queue: str | None
    msg_id: str | None
    unit: int | None
    connection: int | None
    since: int | Ago | None
    until: int | Ago | None
    kinds: frozenset[str]
    causes: frozenset[str]
    limit: int | None
    data: bool


def _check(wanted: _EventsWanted, *, follow: bool) -> None:
    """UsageError for options that contradict each other."""
    if follow and wanted.until is not None:
        raise click.UsageError(
            "--until is for events of the past, --follow for new ones; leave one out",
        )
    if wanted.limit == 0 and not follow:
        raise click.UsageError("--limit 0 shows nothing; with --follow it shows new events only")
    if (wanted.unit or 0) > GREATEST:
        raise CommandFailedError(_unknown(EventSelection(unit=wanted.unit)))
    if (wanted.connection or 0) > GREATEST:
        raise CommandFailedError(_unknown(EventSelection(connection=wanted.connection)))
    possible = {cause for kind in wanted.kinds for cause in KINDS[kind].causes}
    for cause in sorted(wanted.causes) if wanted.kinds else ():
        if cause not in possible:
            names = " or ".join(sorted(wanted.kinds))
            other = f"use {', '.join(sorted(possible))}" if possible else "no such event has one"
            raise click.UsageError(f"{names} has no cause {cause!r}; {other}")


def _check_manager(store: StoreState, name: str | None) -> None:
    if name is None or name in managers_of(store).now:
        return
    # It may have been deleted.
    if not is_known(store, EventSelection(qmgr=name)):
        raise unknown_queue_manager(name)


class _Search:
    """The events that the options choose in a store, up to now and from now on."""

    def __init__(self, store: StoreState, choices: Choices, wanted: _EventsWanted) -> None:
        self._store = store
        self._choices = choices
        self._data = wanted.data
        self._inform = partial(inform_about_index, choices)
        self._limit = None if wanted.limit is None else min(wanted.limit, GREATEST)
        since, until = period(wanted.since, wanted.until, store, choices)
        self._selection = EventSelection(
            qmgr=choices.qmgr_name(),
            since=since,
            until=until,
            queue=wanted.queue,
            unit=wanted.unit,
            connection=wanted.connection,
            kinds=wanted.kinds,
            causes=wanted.causes,
        )
        digits = wanted.msg_id
        self._msg_id = None if digits is None else the_id([store], digits, choices)

    def write(self, write: Write, last: int | None = None) -> None:
        """Write the events up to number `last`, by default the last one."""
        number = self._write_all(
            self._events(last_event(self._store) if last is None else last),
            write,
        )
        # The newest ones that were asked for are all there.
        if self._limit is None or number < self._limit:
            self._inform_about_removed()
        if not number:
            self._check_subject()
            self._choices.inform("mqsc: no event matches")

    def follow(self, write: Write, flush: Callable[[], None] | None = None) -> None:
        """Write the events, then new ones as they are recorded, until Ctrl-C or until nobody
        reads them.

        `flush` is called after the events that are there, by default that of stdout.
        """
        if self._limit is None and self._selection.since is None and self._msg_id is None:
            self._limit = BEFORE_NEW
        try:
            last = last_event(self._store)
            if not self._write_all(self._events(last), write):
                self._check_subject()
            while True:
                (flush or sys.stdout.flush)()
                event_search.wait_for_event(self._store, last, raise_if_unread)
                seen, last = last, last_event(self._store)
                self._write_all(self._after(seen, last), write)
        except KeyboardInterrupt:
            return

    def _events(self, last: int) -> Iterable[TracedEvent]:
        if self._msg_id is not None:
            found = self._life(self._msg_id, 0, last)
            return found if self._limit is None else found[max(len(found) - self._limit, 0) :]
        if self._limit is not None:
            return newest(self._store, self._selection, self._limit, last=last, inform=self._inform)
        return events(self._store, self._selection, last=last, inform=self._inform)

    def _after(self, seen: int, last: int) -> Iterable[TracedEvent]:
        if self._msg_id is not None:
            return self._life(self._msg_id, seen, last)
        return events(self._store, self._selection, first=seen + 1, last=last)

    def _life(self, msg_id: bytes, seen: int, last: int) -> list[TracedEvent]:
        """The events of the life of a message after number `seen`, up to `last`."""
        steps = [
            step.event
            for _, step in life_of([self._store], msg_id).steps
            if seen < step.event.seq <= last
        ]
        kept = chosen(self._store, self._selection, [each.seq for each in steps])
        return [each for each in steps if each.seq in kept]

    def _inform_about_removed(self) -> None:
        selection = self._selection
        inform_about_removed(
            self._choices,
            self._store,
            "earlier events may be missing here",
            since=selection.since,
            qmgr=selection.qmgr,
        )

    def _write_all(self, traced_events: Iterable[TracedEvent], write: Write) -> int:
        """Write events; their number."""
        number = 0
        for number, event in enumerate(traced_events, 1):  # noqa: B007
            write(with_kept_data(self._store, event) if self._data else event)
        return number

    def _check_subject(self) -> None:
        """CommandFailedError when what was asked for has never been there."""
        selection = self._selection
        if self._msg_id is not None or is_known(self._store, selection, inform=self._inform):
            return
        raise CommandFailedError(_unknown(selection))


def _export(
    search: _Search,
    store: StoreState,
    url: str,
    choices: Choices,
    *,
    follow: bool,
) -> None:
    """Send the events as spans; CommandFailedError if the collector does not take them."""
    try:
        # Takes longer to load than all other look-ups together.
        from mqsc.history.message_spans import MessageSpans
        from mqsc.history.span_export import SpanExport
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "opentelemetry":
            raise
        raise NothingRunError(
            "--otlp needs the SDK of OpenTelemetry, which is not installed; in the source tree of "
            "mqsc, run: pip install '.[otlp]'",
        ) from error
    export = SpanExport(url, MessageSpans(MessagePuts(store)))
    try:
        if follow:
            search.follow(export.take, export.send)
        else:
            search.write(export.take)
            export.send()
        export.end()
    finally:
        until = f", up to event {export.last}" if export.sent else ""
        choices.inform(f"mqsc: {counted(export.sent, 'span')} sent to {url}{until}")


def _unknown(selection: EventSelection) -> str:
    if selection.unit is not None or selection.connection is not None:
        unit = f"unit of work {selection.unit}" if selection.unit is not None else ""
        connection = (
            f"connection {selection.connection}" if selection.connection is not None else ""
        )
        queue = f" on {selection.queue}" if selection.queue is not None else ""
        return f"the history has no {' of '.join(filter(None, (unit, connection)))}{queue}"
    if selection.queue is not None:
        from mqsc.language.reply import message_line

        missing = message_line("AMQ8147E", selection.queue).removesuffix(".")
        return f"{missing}, and the history has no event of such a queue."
    return "the history has no event"
