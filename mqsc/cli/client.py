"""`mqsc client`: run a Python program for IBM MQ on a store."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

import click

from mqsc.agents.start_check import start_fault
from mqsc.clients.program_environment import installed_library, program_environment
from mqsc.console.json_output import print_json
from mqsc.console.options import Choices, command
from mqsc.console.target import NothingRunError, opened_store, path_of_file
from mqsc.console.terminal import printable


# Arguments after the program are its own, also without the two hyphens.
@command(context_settings={"allow_interspersed_args": False})
@click.argument("program", nargs=-1, type=click.UNPROCESSED, metavar="[-- PROGRAM [ARGUMENT]...]")
@click.option("--print-env", is_flag=True, help="Print the variables to set, for a shell or CI, and run nothing.")
@click.option("--replace", is_flag=True, help="Use the store even if IBM MQ's libraries are installed.")
def client(choices: Choices, program: tuple[str, ...], print_env: bool, replace: bool) -> None:
    """Run PROGRAM so that the Python packages ibmmq and pymqi use the store instead of IBM MQ.

    The program needs no change: it connects to a queue manager of the store by name, and its channel and host are
    ignored. It ends with its own exit code.

    For all programs of a shell: eval "$(mqsc client --print-env)"
    """
    if print_env == bool(program):
        raise click.UsageError("give either a program, such as `mqsc client -- python app.py`, or --print-env")
    path = path_of_file(choices)
    if not print_env and choices.store_is_missing():
        raise NothingRunError(f"there is no store in {path}; create one with `mqsc qmgr create QM1`")
    if choices.qmgr is not None and not choices.store_is_missing():
        with opened_store(choices):
            # An unknown queue manager is refused.
            pass
    url = f"sqlite:///{path}"
    library = None if replace else installed_library(os.environ)
    variables = program_environment(url, choices.qmgr_name(), os.environ, replace=library is None)
    _inform(choices, path, library)
    if print_env:
        _print(choices, variables)
        return
    why = start_fault(program[0])
    if why:
        raise NothingRunError(printable(f"cannot start {program[0]}: {why}"))
    sys.stdout.flush()
    sys.stderr.flush()
    os.execvpe(program[0], program, {**os.environ, **variables})


def _inform(choices: Choices, path: str, library: Path | None) -> None:
    """Say which of the two, IBM's library or the store, programs use."""
    if library is None:
        choices.inform(f"mqsc: ibmmq and pymqi use the store {printable(path)}")
    else:
        choices.inform(
            f"mqsc: IBM MQ is installed ({printable(str(library))}), so ibmmq and pymqi use it, not the store; "
            "--replace makes them use the store"
        )


def _print(choices: Choices, variables: dict[str, str]) -> None:
    if print_json(choices.format, [dict(variables)]):
        return
    for name, value in variables.items():
        click.echo(f"export {name}={shlex.quote(value)}")
