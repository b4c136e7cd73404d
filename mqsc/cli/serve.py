"""`mqsc serve`: keeps queue managers at work."""

from __future__ import annotations

import signal
import sys
from contextlib import ExitStack
from threading import Event
from typing import TYPE_CHECKING

import click

from mqsc.console.options import choices_of, common_options
from mqsc.console.parameter_types import iso
from mqsc.console.target import NothingRunError, opened_store

if TYPE_CHECKING:
    from store.client.api import QueueManager, Store


@click.command()
@click.argument("names", nargs=-1, metavar="[QMGR]...")
@common_options
@click.pass_context
def serve(context: click.Context, names: tuple[str, ...]) -> None:
    """Keep the queue managers QMGR (all of the store unless named) at work until SIGTERM or SIGINT.

    Messages past their expiry are discarded every EXPRYINT seconds; changed attributes count from the next look. Only
    one `serve` attends to a queue manager.
    """
    from mqsc.agents.expiry_scanner import lock_for
    from mqsc.agents.expiry_scanner import serve as attend

    choices = choices_of(context)
    chosen = choices.qmgr_name()
    stop = Event()
    with ExitStack() as held, opened_store(choices) as store:
        managers = _managers(store, names or ((chosen,) if chosen else ()))
        for qmgr in managers:
            lock = lock_for(store, qmgr.name)
            if not lock.acquire():
                raise NothingRunError(f"another `mqsc serve` attends to {qmgr.name} already")
            held.callback(lock.release)
        for number in (signal.SIGTERM, signal.SIGINT):
            held.callback(signal.signal, number, signal.signal(number, lambda *_: stop.set()))

        def log(sentence: str) -> None:
            click.echo(f"{iso(store.environment.clock.now())} {sentence}")
            sys.stdout.flush()

        for qmgr in managers:
            if qmgr.row().clock_at is not None:
                choices.talk(f"mqsc: {qmgr.name} has a manual clock; scans wait for `mqsc clock advance`")
        attend(managers, log, stop)
        log("ended")


def _managers(store: Store, names: tuple[str, ...]) -> list[QueueManager]:
    present = [row.name for row in store.queue_managers()]
    missing = next((name for name in names if name not in present), None)
    if missing is not None:
        raise NothingRunError(f"AMQ8118E: IBM MQ queue manager '{missing}' does not exist.")
    if not present:
        raise NothingRunError("the store holds no queue manager; `mqsc qmgr create QM1` creates one")
    return [store.queue_manager(name) for name in dict.fromkeys(names or present)]
