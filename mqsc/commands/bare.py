"""`mqsc` without a command: a shell on a terminal, else the commands come from standard input."""

from __future__ import annotations

import sys

import click

from mqsc.inputs import Source
from mqsc.options import choices_of, is_terminal


def start(context: click.Context) -> int:
    """Start whichever fits; its exit code."""
    if is_terminal(sys.stdin) and is_terminal(sys.stdout):
        from mqsc.shell import run_shell

        return run_shell(choices_of(context))
    from mqsc.commands.running import run_sources

    return run_sources(choices_of(context), [Source(path="-")])
