"""Questions before a command removes or replaces something. They are asked only on a terminal."""

from __future__ import annotations

import sys

import click

from mqsc.console.terminal import is_terminal, notice


def is_agreed(question: str, *, yes: bool) -> bool:
    """Whether to go on: without a question for --yes or without a terminal, otherwise as the user
    answers.

    If not, a line says that nothing was changed.
    """
    if yes or not is_terminal(sys.stdin):
        return True
    if click.confirm(question, err=True):
        return True
    notice("mqsc: nothing was changed")
    return False
