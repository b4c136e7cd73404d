"""The option --on of the commands that have no meaning for a queue manager elsewhere."""

from __future__ import annotations

from typing import Any

import click

ON = "--on"
NOT_ON_TARGETS = "{path} works on queue managers of the store only; it takes no --on"


def _refused_on(context: click.Context, _: click.Parameter, value: Any) -> None:
    if value is not None:
        raise click.UsageError(NOT_ON_TARGETS.format(path=context.command_path), context)


# Refuses --on by name, for a command that has no meaning elsewhere.
not_elsewhere = click.option(ON, hidden=True, expose_value=False, callback=_refused_on)
