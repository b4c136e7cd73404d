"""`mqsc client`: run a Python program for IBM MQ on a store."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import click

from mqsc.agents.program_checks import start_fault
from mqsc.clients.connection_settings import (
    REFUSE_TLS,
    TLS,
    ClientSettings,
    KnownQueueManager,
    SettingError,
    known_queue_manager,
    words_of,
)
from mqsc.clients.environment import installed_library, program_environment
from mqsc.clients.pure_packages import InstallError, install
from mqsc.console import target
from mqsc.console.json_rows import print_rows
from mqsc.console.options import IN_SHELL, Choices, command
from mqsc.console.terminal import printable
from mqsc.store.client.store_url import url_of_file
from mqsc.store.error import MissingStoreError


# Arguments after the program are its own, also without the two hyphens.
@command(context_settings={"allow_interspersed_args": False})
@click.argument("program", type=click.UNPROCESSED, nargs=-1, metavar="[-- PROGRAM [ARGUMENT]...]")
@click.option(
    "--print-env",
    is_flag=True,
    help="Print the variables to set, for a shell or CI, and run nothing.",
)
@click.option(
    "--replace",
    is_flag=True,
    help="Use the store even if IBM MQ's libraries are installed.",
)
@click.option(
    "--connection",
    "connections",
    multiple=True,
    metavar="'QMGR [channel=NAME] [host=NAME(PORT)]'",
    help="Let clients reach QMGR only by these channels and hosts; repeatable.",
)
@click.option(
    "--tls",
    type=click.Choice(TLS),
    default=REFUSE_TLS,
    help="Refuse clients that ask for TLS (2393), or connect them without.",
)
@click.option(
    "--install",
    "requirement",
    metavar="PACKAGE[==VERSION]",
    help="Install ibmmq or pymqi without IBM's extension, for any machine, and run nothing.",
)
def client(
    choices: Choices,
    program: tuple[str, ...],
    print_env: bool,
    replace: bool,
    requirement: str | None,
    connections: tuple[str, ...],
    tls: str,
) -> int:
    """Run PROGRAM so that the Python packages ibmmq and pymqi use the store instead of IBM MQ.

    The program needs no change: it connects to a queue manager of the store by name, from any host
    and channel. It ends with its own exit code. With --connection, other hosts get 2538, other
    channels 2540, and a program that names only a host gets the queue manager there.

    For all programs of a shell: eval "$(mqsc client --print-env)"

    Where pip finds no wheel of ibmmq, as on ARM, `mqsc client --install ibmmq` lets pip download
    the package and installs its Python part, with a module of the store in place of its extension.
    """
    if requirement is not None:
        if program or print_env:
            raise click.UsageError("--install is given alone; it runs no program")
        return _install(choices, requirement)
    if choices.user_name() is not None:
        raise click.UsageError(
            "--user and MQSC_USER are for commands; a program gives its user itself, in an MQCSP",
        )
    if print_env == bool(program):
        raise click.UsageError(
            "give either a program, such as `mqsc client -- python app.py`, or --print-env",
        )
    settings = ClientSettings(tuple(map(_known, connections)), tls)
    path = target.path_of_file(choices)
    if not print_env and choices.store_is_missing():
        raise MissingStoreError(path)
    if choices.qmgr is not None and not choices.store_is_missing():
        with target.opened_store(choices):
            # An unknown queue manager is refused.
            pass
    url = url_of_file(path)
    library = None if replace else installed_library(os.environ)
    variables = program_environment(
        url,
        choices.qmgr_name(),
        os.environ,
        replace=library is None,
        settings=settings,
    )
    _inform(choices, path, library)
    if print_env:
        lines = (f"export {name}={shlex.quote(value)}" for name, value in variables.items())
        print_rows(choices.format, [variables], lines)
        return 0
    why = start_fault(program[0])
    if why:
        raise target.NothingRunError(printable(f"cannot start {program[0]}: {why}"))
    sys.stdout.flush()
    sys.stderr.flush()
    environment = {**os.environ, **variables}
    if click.get_current_context().meta[IN_SHELL]:
        # The shell goes on after the program.
        code = subprocess.run(program, env=environment, check=False).returncode
        return code if code >= 0 else 128 - code
    os.execvpe(program[0], program, environment)


def _install(choices: Choices, requirement: str) -> int:
    try:
        installed = install(requirement)
    except InstallError as error:
        raise target.NothingRunError(printable(str(error))) from error
    choices.inform(f"mqsc: {installed} is installed without IBM's extension; it uses the store")
    return 0


def _known(line: str) -> KnownQueueManager:
    try:
        return known_queue_manager(words_of(line))
    except SettingError as error:
        raise click.BadParameter(printable(str(error)), param_hint="--connection") from None


def _inform(choices: Choices, path: str, library: Path | None) -> None:
    """Say which of the two, IBM's library or the store, programs use."""
    if library is None:
        choices.inform(f"mqsc: ibmmq and pymqi use the store {printable(path)}")
    else:
        choices.inform(
            f"mqsc: IBM MQ is installed ({printable(str(library))}), so ibmmq and pymqi use it, "
            "not the store; "
            "--replace makes them use the store",
        )
