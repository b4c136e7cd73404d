"""`crtmqm`, `strmqm`, `endmqm`, `dltmqm` and `dspmq` with the arguments of IBM's commands."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NoReturn

import click

from mqsc.named.arguments import FLAG, VALUE, Given, Usage, number_in, pointless, read
from mqsc.named.command import NamedCommand
from mqsc.options import Choices, choices_of, common_options
from mqsc.reply import text_of
from mqsc.resolve import Failed, Refused, opened_queue_manager, opened_store

if TYPE_CHECKING:
    from store.queue_manager import QueueManager
    from store.store import Store

_LOG = "the log is SQLite's own"
_PATH = "a store is one file; --store says where"
_SECURITY = "no authority is enforced"
_INSTANCE = "a store has no standby instances"
CRTMQM = Usage(
    "crtmqm",
    "crtmqm [-c Text] [-d DefXmitQ] [-h MaxHandles] [-q] [-t TrigInterval] [-u DeadQ] [-x MaxUMsgs] QMgrName",
    {
        "-c": VALUE, "-d": VALUE, "-h": VALUE, "-q": FLAG, "-t": VALUE, "-u": VALUE, "-x": VALUE,
        "-g": pointless(_SECURITY, value=True),
        "-oa": pointless(_SECURITY, value=True),
        **dict.fromkeys(("-lc", "-ll", "-lla", "-lln"), pointless(_LOG)),
        **dict.fromkeys(("-lf", "-lp", "-ls", "-ld"), pointless(_LOG, value=True)),
        "-md": pointless(_PATH, value=True),
        "-p": pointless("no port is listened on", value=True),
        "-r": pointless("automatic configuration comes with the product's own service"),
        **dict.fromkeys(("-ic", "-ii", "-iv"), pointless("write the commands to a script and run it", value=True)),
        **dict.fromkeys(("-sa", "-sax", "-si", "-ss"), pointless("nothing is started by the system")),
        "-z": pointless("errors are always told"),
    },
    1,
    1,
)  # fmt: skip
STRMQM = Usage(
    "strmqm",
    "strmqm [QMgrName]",
    {
        "-a": pointless(_SECURITY),
        "-c": pointless("default objects come with crtmqm; DEFINE with REPLACE resets one"),
        "-d": pointless("starting says no more than that it is done", value=True),
        "-f": pointless(_LOG),
        "-ns": pointless("neither channels nor listeners are started"),
        "-r": pointless(_LOG),
        "-si": pointless("nothing is started by the system"),
        "-ss": pointless("nothing is started by the system"),
        "-x": pointless(_INSTANCE),
        "-z": pointless("errors are always told"),
    },
    0,
    1,
)
ENDMQM = Usage(
    "endmqm",
    "endmqm [-c | -i | -p | -w] QMgrName",
    {
        "-c": FLAG, "-i": FLAG, "-p": FLAG, "-w": FLAG,
        "-r": pointless("clients cannot be told to reconnect: programs open the store themselves"),
        **dict.fromkeys(("-s", "-x"), pointless(_INSTANCE)),
        **dict.fromkeys(("-t", "-tp"), pointless("-i ends it at once", value=True)),
        "-z": pointless("errors are always told"),
    },
    1,
    1,
)  # fmt: skip
DLTMQM = Usage("dltmqm", "dltmqm QMgrName", {"-z": pointless("errors are always told")}, 1, 1)
_SHOWN = ("status", "s", "default", "d", "all")
DSPMQ = Usage(
    "dspmq",
    "dspmq [-m QMgrName] [-s] [-o status | default | all]",
    {
        "-m": VALUE, "-o": VALUE, "-s": FLAG,
        **dict.fromkeys(("-c", "-f", "-x"), pointless(_INSTANCE)),
        **dict.fromkeys(("-a", "-i"), pointless("every queue manager of the store is shown")),
        "-n": pointless("nothing is translated"),
    },
    0,
    0,
)  # fmt: skip
_STATES: Mapping[str, str] = {"RUNNING": "Running", "QUIESCING": "Quiescing", "ENDED": "Ended normally"}
_NAME_WIDTH = 58
# How often endmqm -w looks whether the last program has gone.
_LOOK_EVERY = 0.2

_command = partial(click.command, cls=NamedCommand)


@_command(options_metavar=CRTMQM.line.removeprefix("crtmqm "))
@common_options
@click.pass_context
def crtmqm(context: click.Context) -> None:
    """Create the queue manager QMgrName with its default objects; it is not started.

    -c describes it, -d and -u name its default transmission queue and dead-letter queue, -q makes it the default.
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
                raise Failed(f"AMQ8110E: {text_of('AMQ8110E', name)}") from error
            if error.reason == MQRC.Q_MGR_NAME_ERROR:
                raise Refused(f"{name!r} is no name: 1 to 48 letters, digits and . / _ %") from error
            raise
        _set_up(store, name, settings)
    click.echo(text_of("AMQ8001I", name))
    click.echo(f"Creating or replacing default objects for queue manager '{name}'.")
    click.echo(f"Default objects statistics : {len(SYSTEM_OBJECTS)} created. 0 replaced. 0 failed.")
    click.echo("Completing setup.\nSetup completed.")


def _settings(given: Given) -> dict[str, int | str | list[str]]:
    """The attributes of the queue manager that options give, read as ALTER QMGR reads them."""
    from store.catalog import KINDS, AttributeFault, read_value

    words = {"-c": "DESCR", "-d": "DEFXMITQ", "-h": "MAXHANDS", "-t": "TRIGINT", "-u": "DEADQ", "-x": "MAXUMSGS"}
    found: dict[str, int | str | list[str]] = {}
    for option, keyword in words.items():
        if given.has(option):
            if keyword in ("MAXHANDS", "TRIGINT", "MAXUMSGS"):
                number_in(CRTMQM, given, option)
            try:
                found[keyword] = read_value(KINDS["QMGR"].attributes[keyword], [(given.options[option], True)])
            except AttributeFault as fault:
                raise Refused(f"{option} takes {fault.detail}") from fault
    return found


def _set_up(store: Store, name: str, settings: dict[str, int | str | list[str]]) -> None:
    """A queue manager is changed while it runs; it is not left running."""
    from store.admin import change_queue_manager

    if settings:
        created = store.queue_manager(name)
        created.start()
        change_queue_manager(created, settings)
        created.end(immediate=True)


@_command(options_metavar="[QMgrName]")
@common_options
@click.pass_context
def strmqm(context: click.Context) -> None:
    """Start the queue manager QMgrName, or the default one; one that runs already is left as it is."""
    given = read(STRMQM, context.args)
    with opened_queue_manager(_named(choices_of(context), given)) as qmgr:
        if not qmgr.start():
            click.echo(f"IBM MQ queue manager '{qmgr.name}' running.")
            return
        click.echo(f"IBM MQ queue manager '{qmgr.name}' starting.")
        click.echo(text_of("AMQ8003I", qmgr.name))


@_command(options_metavar=ENDMQM.line.removeprefix("endmqm "))
@common_options
@click.pass_context
def endmqm(context: click.Context) -> None:
    """End the queue manager QMgrName: with the last disconnect (-c, the default), after waiting for it (-w), or at once
    (-i, -p).
    """
    given = read(ENDMQM, context.args)
    if len(given.options) > 1:
        raise Refused(f"only one of -c, -i, -p and -w can be given\nusage: {ENDMQM.line}")
    with opened_queue_manager(_named(choices_of(context), given)) as qmgr:
        state = qmgr.end(immediate=given.has("-i") or given.has("-p"))
        if state == "ENDED":
            click.echo(text_of("AMQ8004I", qmgr.name))
            return
        click.echo("Quiesce request accepted. The queue manager will stop when all outstanding work is complete.")
        if given.has("-w"):
            _wait_for_end(qmgr)
            click.echo(text_of("AMQ8004I", qmgr.name))


def _wait_for_end(qmgr: QueueManager) -> None:
    sys.stdout.flush()
    while qmgr.row().state != "ENDED":
        qmgr.store.recover()
        qmgr.store.environment.clock.pause(_LOOK_EVERY)


@_command(options_metavar="QMgrName")
@common_options
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
            raise Failed(f"IBM MQ queue manager '{qmgr.name}' is running; endmqm ends it") from error
    click.echo(text_of("AMQ8002I", given.name(0)))


@_command(options_metavar="[-m QMgrName] [-s] [-o status | default | all]")
@common_options
@click.pass_context
def dspmq(context: click.Context) -> None:
    """Show the queue managers of the store and whether they run; -o default shows which is the default one."""
    given = read(DSPMQ, context.args)
    shown = given.options.get("-o", "status")
    if shown not in _SHOWN:
        raise Refused(f"-o {shown} has no meaning here: there are {', '.join(_SHOWN)}")
    wanted = given.options.get("-m")
    with opened_store(choices_of(context)) as store:
        rows = [row for row in store.queue_managers() if wanted in (None, row.name)]
    if wanted is not None and not rows:
        raise Refused(f"AMQ8118E: {text_of('AMQ8118E', wanted)}")
    for row in rows:
        facts = []
        if shown in ("status", "s", "all"):
            facts.append(f"STATUS({_STATES[row.state]})")
        if shown in ("default", "d", "all"):
            facts.append(f"DEFAULT({'YES' if row.is_default else 'NO'})")
        click.echo(f"{f'QMNAME({row.name})':<{_NAME_WIDTH}}{' '.join(facts)}")


def _named(choices: Choices, given: Given) -> Choices:
    return replace(choices, qmgr=given.name(0) or choices.qmgr)


def _run(name: str) -> NoReturn:
    from mqsc.cli import main as command_line

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
