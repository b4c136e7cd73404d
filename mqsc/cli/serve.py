"""`mqsc serve`: programs beside a queue manager."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING

import click

from mqsc.agents.background_work import ASKED_SECONDS, lock_for, run_background_work
from mqsc.agents.channel_service import ChannelService
from mqsc.agents.command_server import run_command_server
from mqsc.agents.stopping import until_signalled
from mqsc.channels.store_watch import StoreWatch
from mqsc.cli.serve_http import Endpoint, HttpChoices, http_options, http_server
from mqsc.console import target
from mqsc.console.archive_errors import archive_errors
from mqsc.console.object_names import QMGR, ObjectName
from mqsc.console.options import Choices, command
from mqsc.console.parameters import KEEP, UNITS, TimeOfDay, iso
from mqsc.console.terminal import printable
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store

if TYPE_CHECKING:
    from mqsc.agents.archive_service import ArchiveService

ARCHIVE_AT = 2 * UNITS["h"]


@command()
@click.argument("names", type=ObjectName(QMGR), nargs=-1, metavar="[QMGR]...")
@click.option(
    "--archive",
    "url",
    metavar="URL",
    help="Archive the history to URL, now and every day, and prune it.",
)
@click.option(
    "--keep",
    type=KEEP,
    metavar="DAYS",
    help="With --archive: keep the last DAYS days in the store too.",
)
@click.option(
    "--archive-at",
    type=TimeOfDay(),
    metavar="HH:MM",
    help="With --archive: when, UTC (default: 02:00).",
)
@click.option(
    "--metrics",
    "endpoint",
    type=Endpoint(),
    help="Answer Prometheus here (ADDRESS: 127.0.0.1).",
)
@http_options
def serve(
    choices: Choices,
    names: tuple[str, ...],
    url: str | None,
    keep: int | None,
    archive_at: int | None,
    endpoint: tuple[str, int] | None,
    http: tuple[str, int] | None,
    tls_cert: str | None,
    tls_key: str | None,
    hosts: tuple[str, ...],
    max_body: int | None,
    no_auth: bool,
) -> None:
    """Run background work for the queue managers QMGR (default: all in the store) until SIGTERM or
    SIGINT.

    Expired messages are discarded every EXPRYINT seconds; a changed attribute takes effect at once.
    Channels are started by trigger messages, START CHANNEL and their retries, and run inside this
    program; a signal ends them after their batches. PCF commands that no other program has
    performed are performed too. With --metrics, depths, ages and counts of events are at
    http://ADDRESS:PORT/metrics. With --http, IBM MQ's REST API is at http://ADDRESS:PORT/ibmmq/rest
    for all queue managers of the store. Only one `mqsc serve` can run for a queue manager. Each scan, each
    message from a channel and each change of state is a line on stdout, except with --quiet.
    """
    if url is None and (keep is not None or archive_at is not None):
        raise click.UsageError("--keep and --archive-at need --archive")
    http_choices = HttpChoices(http, tls_cert, tls_key, hosts, max_body, no_auth)
    http_choices.check()
    chosen = choices.qmgr_name()
    with until_signalled() as stop, ExitStack() as held, target.opened_store(choices) as store:
        managers = _managers(store, names or ((chosen,) if chosen else ()))
        _lock(held, store, managers)
        log = _log(store, choices)

        def log_from_thread(sentence: str) -> None:
            try:
                log(sentence)
            except BrokenPipeError:
                # The log is no longer read. The main thread notices that too, and ends.
                stop.set()

        for qmgr in managers:
            target.inform_about_manual_clock(choices, qmgr, "scans run when `mqsc clock` moves it")
        watch = StoreWatch()
        services = [
            Thread(target=ChannelService(each, log_from_thread, stop, watch).run_all)
            for each in managers
        ]
        services += [
            Thread(target=run_command_server, args=(each, log_from_thread, stop, watch))
            for each in managers
        ]
        if url is not None:
            archive = _archive_service(store, url, keep or 0, archive_at, log_from_thread, stop)
            services.append(Thread(target=archive.run_all))
        if endpoint is not None:
            held.enter_context(_metrics(managers, endpoint, log))
        with _running(services, stop), http_server(store, http_choices, log_from_thread):
            run_background_work(managers, log, stop)
        log("ended")


def _lock(held: ExitStack, store: Store, managers: Sequence[QueueManager]) -> None:
    """Keep other `mqsc serve` from the queue managers; NothingRunError when one works for them
    already.
    """
    for qmgr in managers:
        lock = lock_for(store, qmgr.name)
        if not lock.acquire_within(ASKED_SECONDS):
            raise target.NothingRunError(f"another `mqsc serve` is already running for {qmgr.name}")
        held.callback(lock.release)


def _log(store: Store, choices: Choices) -> Callable[[str], None]:
    """A function that writes a line with the time to stdout, from any thread."""
    one_line = Lock()

    def log(sentence: str) -> None:
        if choices.quiet:
            return
        with one_line:
            click.echo(printable(f"{iso(store.environment.clock.now())} {sentence}"))
            sys.stdout.flush()

    return log


@contextmanager
def _running(services: Sequence[Thread], stop: Event) -> Iterator[None]:
    """Run the threads; afterwards ask them to stop, and wait for them."""
    for thread in services:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in services:
            thread.join()


@contextmanager
def _metrics(
    managers: Sequence[QueueManager],
    endpoint: tuple[str, int],
    log: Callable[[str], None],
) -> Iterator[None]:
    address, port = endpoint
    try:
        from mqsc.agents.metrics import served
    except ModuleNotFoundError as error:
        if error.name != "prometheus_client":
            raise
        raise target.NothingRunError(
            "--metrics needs prometheus-client, which is not installed; in the source tree of "
            "mqsc, run: pip install '.[metrics]'",
        ) from error
    with ExitStack() as held:
        try:
            chosen = held.enter_context(served(managers, address, port))
        except OSError as error:
            raise target.NothingRunError(
                f"metrics on {address} port {port}: {error.strerror or error}",
            ) from error
        log(f"metrics at http://{address}:{chosen}/metrics")
        yield


def _archive_service(
    store: Store,
    url: str,
    keep: int,
    at: int | None,
    log: Callable[[str], None],
    stop: Event,
) -> ArchiveService:
    """The service, after a look at the archive: an impossible one is refused at once."""
    from mqsc.agents.archive_service import ArchiveService

    with archive_errors():
        from mqsc.reports.archive.writing import url_of

        return ArchiveService(store, url_of(url), keep, ARCHIVE_AT if at is None else at, log, stop)


def _managers(store: Store, names: tuple[str, ...]) -> list[QueueManager]:
    present = [row.name for row in store.queue_managers()]
    missing = next((name for name in names if name not in present), None)
    if missing is not None:
        target.refuse_group(store, missing)
        raise target.unknown_queue_manager(missing)
    if not present:
        raise target.no_queue_manager()
    return [store.queue_manager(name) for name in dict.fromkeys(names or present)]
