"""`crtmqm`, `strmqm`, `endmqm`, `dltmqm` and `dspmq`, with IBM's arguments."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from mqsc.cli.main import run_program
from mqsc.console.options import Choices, choices_of, confirm, long_options
from mqsc.console.target import (
    CommandFailedError,
    NothingRunError,
    inform_about_manual_clock,
    opened_queue_manager,
    opened_store,
    unknown_queue_manager,
)
from mqsc.console.terminal import print_line
from mqsc.console.text.reasons import error_text
from mqsc.ibm.arguments import Given, IbmCommand, choice, number_in, read_arguments
from mqsc.ibm.manager_usages import CRTMQM, DLTMQM, DSPMQ, ENDMQM, NOT_SHOWN, SHOWN, STRMQM
from mqsc.language.messages import message_text
from mqsc.verbs.group_copies import refresh_lines
from store.admin.altering import change_queue_manager
from store.admin.copies import not_refreshed
from store.admin.queue_managers import create_queue_manager, delete_queue_manager, how_it_ended
from store.admin.system_objects import redefine
from store.catalog import KINDS, SYSTEM_OBJECTS, AttributeValueError, read_value
from store.constants import MQRC, MQRCCF
from store.environment import MICROSECONDS
from store.error import MQError

if TYPE_CHECKING:
    from store.client.api import QueueManager, Store
    from store.sql.rows import ManagerRow

_STATES: Mapping[str, str] = {"RUNNING": "Running", "QUIESCING": "Quiescing"}
_NAME_WIDTH = 58
# Seconds between two checks whether the queue manager has ended.
_CHECK_SECONDS = 0.2

_command = partial(click.command, cls=IbmCommand)


@_command(options_metavar=CRTMQM.line.removeprefix("crtmqm "))
@long_options("store", "quiet")
@click.pass_context
def crtmqm(context: click.Context) -> None:
    """Create the queue manager QMgrName with its default objects, without starting it.

    -c sets its description, -d its default transmission queue, -u its dead-letter queue, -h MAXHANDS, -t TRIGINT and -x
    MAXUMSGS; -q makes it the default. -lc, circular logging, is always in effect.
    """
    given = read_arguments(CRTMQM, context.args)
    name, settings = given.name(0), _settings(given)
    with opened_store(choices_of(context), create=True) as store:
        try:
            create_queue_manager(store, name, default=given.has("-q"))
        except MQError as error:
            if error.reason == MQRCCF.OBJECT_ALREADY_EXISTS:
                raise CommandFailedError(f"AMQ8110E: {message_text('AMQ8110E', name)}") from error
            if error.reason == MQRC.Q_MGR_NAME_ERROR:
                raise NothingRunError(
                    f"{name!r} is not a valid queue manager name: use 1 to 48 letters, digits and . / _ %"
                ) from error
            raise
        _set_up(store, name, settings)
    confirm(message_text("AMQ8001I", name))
    _print_object_statistics(name, f"{len(SYSTEM_OBJECTS)} created. 0 replaced. 0 failed.")


def _print_object_statistics(name: str, statistics: str) -> None:
    confirm(f"Creating or replacing default objects for queue manager '{name}'.")
    confirm(f"Default objects statistics : {statistics}")
    confirm("Completing setup.\nSetup completed.")


def _settings(given: Given) -> dict[str, int | str | list[str]]:
    """The queue manager attributes set by options, validated as for ALTER QMGR."""

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
    """Set attributes, for which the queue manager must run. It is ended again, and deleted when this fails."""

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
    """Start the queue manager QMgrName, or the default one. If it is already running, nothing changes.

    -c redefines its SYSTEM objects as on a new queue manager, and ends it again.
    """
    given = read_arguments(STRMQM, context.args)
    with opened_queue_manager(_named(choices_of(context), given), group=False) as qmgr:
        if not qmgr.start():
            if given.has("-c"):
                raise CommandFailedError(f"IBM MQ queue manager '{qmgr.name}' is running; end it first with endmqm")
            confirm(f"IBM MQ queue manager '{qmgr.name}' running.")
            return
        confirm(f"IBM MQ queue manager '{qmgr.name}' starting.")
        confirm(message_text("AMQ8003I", qmgr.name))
        for line in refresh_lines(not_refreshed(qmgr)):
            choices_of(context).inform(line)
        if given.has("-c"):
            _redefine(qmgr)


def _redefine(qmgr: QueueManager) -> None:

    made = redefine(qmgr)
    _print_object_statistics(qmgr.name, f"{made.created} created. {made.replaced} replaced. {len(made.failed)} failed.")
    qmgr.end(immediate=True)
    _print_end(qmgr)
    if made.failed:
        raise CommandFailedError("not redefined: " + "; ".join(map(error_text, made.failed)))


def _print_end(qmgr: QueueManager) -> None:
    confirm(f"IBM MQ queue manager '{qmgr.name}' ending.")
    confirm(message_text("AMQ8004I", qmgr.name))


@_command(options_metavar=ENDMQM.line.removeprefix("endmqm "))
@long_options("store", "quiet")
@click.pass_context
def endmqm(context: click.Context) -> None:
    """End the queue manager QMgrName: when the last program disconnects (-c, the default) or immediately (-i, -p).

    -w waits until it has ended. -t and -tp wait too, and end it immediately after that many seconds.
    """
    given = read_arguments(ENDMQM, context.args)
    how = [word for word in ("-c", "-i", "-p", "-w") if given.has(word)]
    if len(how) > 1 or (given.has("-t") and given.has("-tp")):
        raise NothingRunError(f"give only one of -c, -i, -p and -w, and only one of -t and -tp\nusage: {ENDMQM.line}")
    limits = [number_in(ENDMQM, given, word) for word in ("-t", "-tp") if given.has(word)]
    choices = _named(choices_of(context), given)
    with opened_queue_manager(choices, group=False) as qmgr:
        state = qmgr.end(immediate=bool({"-i", "-p"} & {*how}))
        if not limits and "-w" not in how and state != "ENDED":
            confirm("Quiesce request accepted. The queue manager will stop when all outstanding work is complete.")
            return
        if state != "ENDED":
            confirm(f"Waiting for queue manager '{qmgr.name}' to end.")
            _wait_for_end(choices, qmgr, limits)
        _print_end(qmgr)


def _wait_for_end(choices: Choices, qmgr: QueueManager, limits: list[int]) -> None:
    """Wait until the queue manager has ended; end it immediately after a limit, in seconds of its clock."""

    sys.stdout.flush()
    if limits:
        inform_about_manual_clock(choices, qmgr)
    since = qmgr.now()
    while qmgr.row().state != "ENDED":
        if any(qmgr.now() - since >= limit * MICROSECONDS for limit in limits):
            _end_now(qmgr)
            return
        qmgr.store.recover()
        qmgr.store.environment.clock.pause(_CHECK_SECONDS)


def _end_now(qmgr: QueueManager) -> None:

    try:
        qmgr.end(immediate=True)
    except MQError as error:
        # The last program may have disconnected in the meantime.
        if error.reason != MQRC.Q_MGR_NOT_AVAILABLE:
            raise


@_command(options_metavar="QMgrName")
@long_options("store", "quiet")
@click.pass_context
def dltmqm(context: click.Context) -> None:
    """Delete the queue manager QMgrName with its objects and messages. It must have been ended."""

    given = read_arguments(DLTMQM, context.args)
    with opened_queue_manager(_named(choices_of(context), given), group=False) as qmgr:
        try:
            delete_queue_manager(qmgr.store, qmgr.name)
        except MQError as error:
            if error.reason != MQRC.OBJECT_IN_USE:
                raise
            raise CommandFailedError(
                f"IBM MQ queue manager '{qmgr.name}' is running; end it first with endmqm"
            ) from error
    confirm(message_text("AMQ8002I", given.name(0)))


@_command(options_metavar=DSPMQ.line.removeprefix("dspmq "))
@long_options("store", "qmgr", "quiet")
@click.pass_context
def dspmq(context: click.Context) -> None:
    """Show the queue managers of the store and their status; with -a, only those that are running.

    -o default shows which one is the default, -o standby the standby status, -o all everything. -n is accepted and
    changes nothing: output is never translated.
    """
    given = read_arguments(DSPMQ, context.args)
    words = given.options.get("-o", "status").split(",") + (["status"] if given.has("-s") else [])
    shown = {choice(DSPMQ, "-o", word, SHOWN, NOT_SHOWN) for word in words}
    choices = choices_of(context)
    wanted = given.options.get("-m", choices.qmgr)
    with opened_store(choices) as store:
        rows = [row for row in store.queue_managers() if wanted in (None, row.name)]
        states = {row.name: _STATES.get(row.state) or _how_it_ended(store, row.name) for row in rows}
    if wanted is not None and not rows:
        raise unknown_queue_manager(wanted)
    for row in rows:
        if row.state != "ENDED" or not given.has("-a"):
            facts = [fact for keyword, fact in _facts(row, states[row.name]) if keyword in shown or "all" in shown]
            print_line(f"{f'QMNAME({row.name})':<{_NAME_WIDTH}}{' '.join(facts)}")


def _how_it_ended(store: Store, name: str) -> str:

    # MQ shows "Ended immediately" for a queue manager that has never run.
    return "Ended normally" if how_it_ended(store, name) == "controlled" else "Ended immediately"


def _facts(row: ManagerRow, state: str) -> Iterator[tuple[str, str]]:
    """The facts that -o can show, in their order, each with its keyword."""
    yield "status", f"STATUS({state})"
    yield "default", f"DEFAULT({'yes' if row.is_default else 'no'})"
    yield "standby", f"STANDBY({'Not applicable' if row.state == 'ENDED' else 'Not permitted'})"


def _named(choices: Choices, given: Given) -> Choices:
    return replace(choices, qmgr=given.name(0) or choices.qmgr)


main_crtmqm = partial(run_program, "crtmqm")
main_strmqm = partial(run_program, "strmqm")
main_endmqm = partial(run_program, "endmqm")
main_dltmqm = partial(run_program, "dltmqm")
main_dspmq = partial(run_program, "dspmq")
