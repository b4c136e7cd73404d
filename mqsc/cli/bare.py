"""`mqsc` without a command: a shell on a terminal, else the commands come from standard input."""

from __future__ import annotations

import sys

import click

from mqsc.console.inputs import Source
from mqsc.console.options import choices_of, is_terminal


def start(context: click.Context) -> int:
    """Start whichever fits; its exit code."""
    if is_terminal(sys.stdin) and is_terminal(sys.stdout):
        from mqsc.shell.prompt import run_shell

        return run_shell(choices_of(context))
    from mqsc.scripts.session import run_sources

    return run_sources(choices_of(context), [Source(path="-")])
