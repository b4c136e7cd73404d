"""`crtmqm`, `strmqm`, `endmqm`, `dltmqm` and `dspmq` with the arguments of IBM's commands."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NoReturn

import click

from mqsc.console.options import Choices, choices_of, long_options
from mqsc.console.target import CommandFailedError, NothingRunError, opened_queue_manager, opened_store
from mqsc.ibm.arguments import Given, choice, number_in, read
from mqsc.ibm.command import NamedCommand
from mqsc.ibm.manager_usages import CRTMQM, DLTMQM, DSPMQ, ENDMQM, NOT_SHOWN, SHOWN, STRMQM
from mqsc.reply import text_of

if TYPE_CHECKING:
    from store.client.api import QueueManager, Store
    from store.sql.rows import ManagerRow

_STATES: Mapping[str, str] = {"RUNNING": "Running", "QUIESCING": "Quiescing"}
_NAME_WIDTH = 58
# How often endmqm -w looks whether the last program has gone.
_LOOK_EVERY = 0.2
MICROSECONDS = 1_000_000

_command = partial(click.command, cls=NamedCommand)


@_command(options_metavar=CRTMQM.line.removeprefix("crtmqm "))
@long_options("store", "quiet")
@click.pass_context
def crtmqm(context: click.Context) -> None:
    """Create the queue manager QMgrName with its default objects; it is not started.

    -c describes it, -d and -u name its default transmission queue and dead-letter queue, -q makes it the default. -lc
    asks for a circular log, which SQLite's is.
    """
    from store.admin.queue_managers import create_queue_manager
    from store.catalog import SYSTEM_OBJECTS
    from store.constants import MQRC, MQRCCF
    from store.error import MQError

    given = read(CRTMQM, context.args)
    name, settings = given.name(0), _settings(given)
    with opened_store(choices_of(context), create=True) as store:
        try:
            create_queue_manager(store, name, default=given.has("-q"))
        except MQError as error:
            if error.reason == MQRCCF.OBJECT_ALREADY_EXISTS:
                raise CommandFailedError(f"AMQ8110E: {text_of('AMQ8110E', name)}") from error
            if error.reason == MQRC.Q_MGR_NAME_ERROR:
                raise NothingRunError(f"{name!r} is no name: 1 to 48 letters, digits and . / _ %") from error
            raise
        _set_up(store, name, settings)
    click.echo(text_of("AMQ8001I", name))
    _tell_of_objects(name, f"{len(SYSTEM_OBJECTS)} created. 0 replaced. 0 failed.")


def _tell_of_objects(name: str, statistics: str) -> None:
    click.echo(f"Creating or replacing default objects for queue manager '{name}'.")
    click.echo(f"Default objects statistics : {statistics}")
    click.echo("Completing setup.\nSetup completed.")


def _settings(given: Given) -> dict[str, int | str | list[str]]:
    """The attributes of the queue manager that options give, read as ALTER QMGR reads them."""
    from store.catalog import KINDS, AttributeValueError, read_value

    words = {"-c": "DESCR", "-d": "DEFXMITQ", "-h": "MAXHANDS", "-t": "TRIGINT", "-u": "DEADQ", "-x": "MAXUMSGS"}
    found: dict[str, int | str | list[str]] = {}
    for option, keyword in words.items():
        if given.has(option):
            if keyword in ("MAXHANDS", "TRIGINT", "MAXUMSGS"):
                number_in(CRTMQM, given, option)
            try:
                found[keyword] = read_value(KINDS["QMGR"].attributes[keyword], [given.options[option]])
            except AttributeValueError as fault:
                raise NothingRunError(f"{option} takes {fault.detail}") from fault
    return found


def _set_up(store: Store, name: str, settings: dict[str, int | str | list[str]]) -> None:
    """A queue manager is changed while it runs; it is not left running, nor left at all when that is refused."""
    from store.admin import change_queue_manager
    from store.admin.queue_managers import delete_queue_manager

    if not settings:
        return
    created = store.queue_manager(name)
    created.start()
    try:
        change_queue_manager(created, settings)
    except BaseException:
        created.end(immediate=True)
        delete_queue_manager(store, name)
        raise
    created.end(immediate=True)


@_command(options_metavar=STRMQM.line.removeprefix("strmqm "))
@long_options("store", "qmgr", "quiet")
@click.pass_context
def strmqm(context: click.Context) -> None:
    """Start the queue manager QMgrName, or the default one; one that runs already is left as it is.

    With -c its SYSTEM objects are made as they are on a new one, and it is ended again.
    """
    given = read(STRMQM, context.args)
    with opened_queue_manager(_named(choices_of(context), given)) as qmgr:
        if not qmgr.start():
            if given.has("-c"):
                raise CommandFailedError(f"IBM MQ queue manager '{qmgr.name}' is running; endmqm ends it")
            click.echo(f"IBM MQ queue manager '{qmgr.name}' running.")
            return
        click.echo(f"IBM MQ queue manager '{qmgr.name}' starting.")
        click.echo(text_of("AMQ8003I", qmgr.name))
        if given.has("-c"):
            _redefine(qmgr)


def _redefine(qmgr: QueueManager) -> None:
    from store.admin import redefine

    made = redefine(qmgr)
    _tell_of_objects(qmgr.name, f"{made.created} created. {made.replaced} replaced. {len(made.failed)} failed.")
    qmgr.end(immediate=True)
    _tell_of_the_end(qmgr)
    if made.failed:
        raise CommandFailedError("left as they are: " + ", ".join(str(error) for error in made.failed))


def _tell_of_the_end(qmgr: QueueManager) -> None:
    click.echo(f"IBM MQ queue manager '{qmgr.name}' ending.")
    click.echo(text_of("AMQ8004I", qmgr.name))


@_command(options_metavar=ENDMQM.line.removeprefix("endmqm "))
@long_options("store", "quiet")
@click.pass_context
def endmqm(context: click.Context) -> None:
    """End the queue manager QMgrName: with the last disconnect (-c, the default), after waiting for it (-w), or at once
    (-i, -p).

    With -t or -tp it is waited for, and ended at once after that many seconds.
    """
    given = read(ENDMQM, context.args)
    how = [word for word in ("-c", "-i", "-p", "-w") if given.has(word)]
    if len(how) > 1 or (given.has("-t") and given.has("-tp")):
        raise NothingRunError(f"only one of -c, -i, -p and -w, and of -t and -tp, can be given\nusage: {ENDMQM.line}")
    limits = [number_in(ENDMQM, given, word) for word in ("-t", "-tp") if given.has(word)]
    choices = _named(choices_of(context), given)
    with opened_queue_manager(choices) as qmgr:
        state = qmgr.end(immediate=bool({"-i", "-p"} & {*how}))
        if not limits and "-w" not in how and state != "ENDED":
            click.echo("Quiesce request accepted. The queue manager will stop when all outstanding work is complete.")
            return
        if state != "ENDED":
            click.echo(f"Waiting for queue manager '{qmgr.name}' to end.")
            _wait_for_end(choices, qmgr, limits)
        _tell_of_the_end(qmgr)


def _wait_for_end(choices: Choices, qmgr: QueueManager, limits: list[int]) -> None:
    """Return when it has ended: by itself, or by the first of `limits`, in seconds of its clock."""
    from mqsc.cli.get import tell_about_waiting

    sys.stdout.flush()
    if limits:
        tell_about_waiting(choices, qmgr)
    since = qmgr.now()
    while qmgr.row().state != "ENDED":
        if any(qmgr.now() - since >= limit * MICROSECONDS for limit in limits):
            _end_now(qmgr)
            return
        qmgr.store.recover()
        qmgr.store.environment.clock.pause(_LOOK_EVERY)


def _end_now(qmgr: QueueManager) -> None:
    from store.constants import MQRC
    from store.error import MQError

    try:
        qmgr.end(immediate=True)
    except MQError as error:
        # Its last program may have gone just now.
        if error.reason != MQRC.Q_MGR_NOT_AVAILABLE:
            raise


@_command(options_metavar="QMgrName")
@long_options("store", "quiet")
@click.pass_context
def dltmqm(context: click.Context) -> None:
    """Delete the queue manager QMgrName with its objects and messages. It must have ended."""
    from store.admin.queue_managers import delete_queue_manager
    from store.constants import MQRC
    from store.error import MQError

    given = read(DLTMQM, context.args)
    with opened_queue_manager(_named(choices_of(context), given)) as qmgr:
        try:
            delete_queue_manager(qmgr.store, qmgr.name)
        except MQError as error:
            if error.reason != MQRC.OBJECT_IN_USE:
                raise
            raise CommandFailedError(f"IBM MQ queue manager '{qmgr.name}' is running; endmqm ends it") from error
    click.echo(text_of("AMQ8002I", given.name(0)))


@_command(options_metavar=DSPMQ.line.removeprefix("dspmq "))
@long_options("store", "qmgr", "quiet")
@click.pass_context
def dspmq(context: click.Context) -> None:
    """Show the queue managers of the store and whether they run, with -a only those that run.

    -o default shows which is the default one, -o standby that there is no standby. Nothing is ever translated (-n).
    """
    given = read(DSPMQ, context.args)
    words = given.options.get("-o", "status").split(",") + (["status"] if given.has("-s") else [])
    shown = {choice(DSPMQ, "-o", word, SHOWN, NOT_SHOWN) for word in words}
    choices = choices_of(context)
    wanted = given.options.get("-m", choices.qmgr)
    with opened_store(choices) as store:
        rows = [row for row in store.queue_managers() if wanted in (None, row.name)]
        states = {row.name: _STATES.get(row.state) or _how_it_ended(store, row.name) for row in rows}
    if wanted is not None and not rows:
        raise NothingRunError(f"AMQ8118E: {text_of('AMQ8118E', wanted)}")
    for row in rows:
        if row.state != "ENDED" or not given.has("-a"):
            facts = [fact for what, fact in _facts(row, states[row.name]) if what in shown or "all" in shown]
            click.echo(f"{f'QMNAME({row.name})':<{_NAME_WIDTH}}{' '.join(facts)}")


def _how_it_ended(store: Store, name: str) -> str:
    from store.admin.queue_managers import how_it_ended

    # One that never ran counts as ended at once, as crtmqm of MQ leaves it.
    return "Ended normally" if how_it_ended(store, name) == "controlled" else "Ended immediately"


def _facts(row: ManagerRow, state: str) -> Iterator[tuple[str, str]]:
    """What -o shows, in its order, each with the word that asks for it."""
    yield "status", f"STATUS({state})"
    yield "default", f"DEFAULT({'yes' if row.is_default else 'no'})"
    yield "standby", f"STANDBY({'Not applicable' if row.state == 'ENDED' else 'Not permitted'})"


def _named(choices: Choices, given: Given) -> Choices:
    return replace(choices, qmgr=given.name(0) or choices.qmgr)


def _run(name: str) -> NoReturn:
    from mqsc.cli.main import main as command_line

    command_line([name, *sys.argv[1:]])


def main_crtmqm() -> NoReturn:
    """The command `crtmqm` with the arguments of this process."""
    _run("crtmqm")


def main_strmqm() -> NoReturn:
    """The command `strmqm` with the arguments of this process."""
    _run("strmqm")


def main_endmqm() -> NoReturn:
    """The command `endmqm` with the arguments of this process."""
    _run("endmqm")


def main_dltmqm() -> NoReturn:
    """The command `dltmqm` with the arguments of this process."""
    _run("dltmqm")


def main_dspmq() -> NoReturn:
    """The command `dspmq` with the arguments of this process."""
    _run("dspmq")
