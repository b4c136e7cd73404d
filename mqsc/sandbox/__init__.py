"""Tools for agents: they read a queue manager and try changes on a copy, over the Model Context
Protocol. Nothing here writes to a store that exists, or to a queue manager elsewhere.
"""

import os
import signal
from pathlib import Path
from types import FrameType

import click

from mqsc.console.options import Choices, command
from mqsc.console.target import NothingRunError

# The exit code of a program that a signal has ended, as shells show it.
_BY_SIGNAL = 128


@command(name="mcp", common=("store", "qmgr"))
@click.option(
    "--plans",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Save the plans of changes that were tried in this folder, for `mqsc apply`.",
)
def mcp(choices: Choices, plans: Path | None) -> None:
    """Let an agent look at a queue manager, and try changes on a copy: a server of the Model
    Context Protocol on standard input and output, which agents start.

    Its tools display, browse, explain, show the history and the life of a message, and try MQSC.
    None of them changes the store: each works on a copy, which SQLite makes from the file opened
    for reading alone. What was tried is applied by a person, from a plan in the FOLDER.
    """
    try:
        from mqsc.sandbox.server import made_server
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("mcp", "mcp_types", "pydantic"):
            raise
        raise NothingRunError(
            f"the server needs {error.name}, which is not installed; in the source tree of mqsc, "
            "run: pip install '.[mcp]'",
        ) from error
    from mqsc.sandbox.sandbox import Sandbox

    server = made_server(Sandbox.of(choices, plans))
    former = {
        number: signal.signal(number, _end_at_once) for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        server.run("stdio")
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)


def _end_at_once(number: int, _: FrameType | None) -> None:
    """End the process: a thread that waits for standard input cannot be ended alone. The next copy
    removes what is left of one that was being made.
    """
    os._exit(_BY_SIGNAL + number)
