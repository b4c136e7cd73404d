"""`mqsc trace`: the life of one message, across queue managers and stores."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager

import click

from mqsc.console.json_rows import print_rows
from mqsc.console.options import Choices, command, format_option
from mqsc.console.parameters import EventNumber, MsgIdPrefix
from mqsc.console.past import When, as_of as as_of_then, check_archive
from mqsc.console.removed import READ_REMOVED, inform_about_removed
from mqsc.console.shared_options import past_options
from mqsc.console.target import CommandFailedError, store_to_look_up
from mqsc.console.terminal import columns, json_text, print_line
from mqsc.console.text.reasons import counted
from mqsc.history.message_argument import the_id
from mqsc.history.output import with_kept_data
from mqsc.history.trace_text import life_lines, life_rows
from mqsc.store import StoreError
from mqsc.store.admin.message_trace import MessageLife, life_of, partner_urls
from mqsc.store.client.store_url import path_of, url_of_file
from mqsc.store.engine.state import StoreState
from mqsc.store.rules.message_trace import TraceStep

# The format that only this command has.
OTLP = "otlp"


@command(common=("quiet",))
@click.argument("msg_id", type=MsgIdPrefix(), metavar="MSGID")
@click.option(
    "--store",
    "stores",
    multiple=True,
    metavar="URL",
    help="A store: sqlite:///PATH (environment: MQSC_STORE). Repeatable.",
)
@click.option("--limit", type=click.IntRange(min=0), metavar="N", help="Only the newest N events.")
@past_options
@format_option(OTLP)
def trace(
    choices: Choices,
    msg_id: str,
    stores: Sequence[str],
    limit: int | None,
    as_of: When | None,
    as_of_archive: str | None,
) -> None:
    """Show the life of the message with this MsgId: every event in order, its cause, and where the
    message is now.

    MSGID is hexadecimal; the first digits are enough if no other MsgId begins with them. The
    message is followed through transmission queues, dead-letter queues and backout queues, to all
    queue managers of the stores, together with its copies, reports and replies. The stores that
    channels lead to are read as well, unless --as-of is given. Changes nothing.

    --format otlp prints spans as OTLP in JSON, one request in a line, as collectors of
    OpenTelemetry read them.
    """
    check_archive(as_of, as_of_archive)
    if choices.format == OTLP and limit is not None:
        raise click.UsageError("--limit and --format otlp cannot be used together")
    if isinstance(as_of, EventNumber) and len(stores) > 1:
        raise click.UsageError("the number of an event belongs to one store; give --as-of a time")
    with ExitStack() as opened:
        named = {
            _url_of(Choices(store=each).store_url()): each
            for each in stores or [choices.store_url()]
        }
        if as_of is None:
            lives = _opened(choices, [*named.values()], opened)
        else:
            lives = {
                url: opened.enter_context(_as_it_was(choices, each, as_of, as_of_archive))
                for url, each in named.items()
            }
        urls, read = [*lives], [*lives.values()]
        life = life_of(read, the_id(read, msg_id, choices))
        paths = [path_of(url) or url for url in urls]
        _inform_about_removed(choices, dict(zip(paths, read, strict=True)), life)
        if choices.format == OTLP:
            from mqsc.history.message_spans import otlp_request, spans_of  # one format needs it

            print_line(json_text(otlp_request(spans_of(life, read))))
            return
        life, hidden = _newest(life, limit)
        life = life._replace(steps=[(at, _with_data(read[at], step)) for at, step in life.steps])
    print_rows(choices.format, life_rows(life, paths), life_lines(life, paths, columns()))
    if hidden:
        choices.inform(f"mqsc: {counted(hidden, 'earlier event')} not shown")


def _newest(life: MessageLife, limit: int | None) -> tuple[MessageLife, int]:
    """The life with only its newest events, and how many others it has."""
    hidden = 0 if limit is None else max(0, len(life.steps) - limit)
    return life._replace(steps=life.steps[hidden:]), hidden


@contextmanager
def _as_it_was(choices: Choices, url: str, when: When, archive: str | None) -> Iterator[StoreState]:
    with (
        as_of_then(
            Choices(store=url, quiet=choices.quiet, user=choices.user),
            when,
            archive,
        ) as past,
        store_to_look_up(past) as store,
    ):
        yield store


def _inform_about_removed(
    choices: Choices, stores: Mapping[str, StoreState], life: MessageLife
) -> None:
    """Say in which stores, by the paths of their files, events of the message may be missing."""
    for at, (path, store) in enumerate(stores.items()):
        if not _begins_with_a_put(life, at):
            where = f"earlier events of {path}" if len(stores) > 1 else "earlier events"
            consequence = f"{where} may be missing here; {READ_REMOVED} reads them, too"
            inform_about_removed(choices, store, consequence)


def _begins_with_a_put(life: MessageLife, at: int) -> bool:
    """Whether the history of store number `at` has the put: of what followed it, nothing was
    removed.
    """
    kinds = (step.event.kind for number, step in life.steps if number == at)
    return next(kinds, None) == "PUT"


def _with_data(store: StoreState, step: TraceStep) -> TraceStep:
    return (
        step._replace(event=with_kept_data(store, step.event)) if step.event.kind == "PUT" else step
    )


def _opened(choices: Choices, urls: Sequence[str], opened: ExitStack) -> dict[str, StoreState]:
    """The given stores, and those that their channels lead to, by URL; all are closed by
    `opened`.
    """
    stores: dict[str, StoreState] = {}
    for each in urls:
        chosen = Choices(store=each, quiet=choices.quiet, user=choices.user, only_reads=True)
        url = _url_of(chosen.store_url())
        if url not in stores:
            stores[url] = opened.enter_context(store_to_look_up(chosen))
    tried, waiting = set(stores), [*stores.values()]
    while waiting:
        for url in _partners(waiting.pop()):
            if url in tried:
                continue
            tried.add(url)
            chosen = Choices(store=url, quiet=True, user=choices.user, only_reads=True)
            try:
                store = opened.enter_context(store_to_look_up(chosen))
            except (CommandFailedError, StoreError) as error:
                choices.inform(
                    "mqsc: a channel leads to a store that cannot be read, so part may be "
                    f"missing: {error}",
                )
                continue
            stores[url] = store
            waiting.append(store)
    return stores


def _url_of(url: str) -> str:
    """The URL with an absolute path; the same for a store in memory."""
    path = path_of(url)
    return url if path is None else url_of_file(path)


def _partners(store: StoreState) -> Iterator[str]:
    """The URLs of the stores in files that the channels of a store lead to."""
    for text in partner_urls(store):
        try:
            if path_of(text) is not None:
                yield _url_of(text)
        except StoreError:
            # Not a store's address; the channel says so when it starts.
            continue
