"""The option --on: a command reads a copy of a queue manager elsewhere, which is removed when the
command ends (targets §1).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from mqsc.console.decorators import combined
from mqsc.console.options import Choices
from mqsc.console.parameters import FILE_PATH, TextType
from mqsc.console.refused_on import ON
from mqsc.targets.target import MOST_MESSAGES


class TargetName(TextType):
    """The name of a target, completed to those that are declared."""

    name = "target"

    def read(self, text: str) -> str:
        return text

    def shell_complete(
        self,
        ctx: click.Context,
        param: click.Parameter,
        incomplete: str,
    ) -> list[CompletionItem]:
        """The targets whose names begin so; none if a declaration is wrong."""
        from mqsc.targets.declared import targets

        with suppress(click.ClickException):
            return [CompletionItem(name) for name in targets() if name.startswith(incomplete)]
        return []


target_option = click.option(
    ON,
    "on",
    type=TargetName(),
    metavar="TARGET",
    help="A queue manager of IBM MQ elsewhere, as it is now (see mqsc target).",
)
on_options = combined(
    target_option,
    click.option(
        "--from-file",
        type=FILE_PATH,
        metavar="DUMP",
        help="Read this output of dmpmqcfg -a; call no program.",
    ),
)

sending_options = combined(
    click.option(
        "--undo",
        type=click.Path(file_okay=False, path_type=Path),
        default=Path(),
        metavar="DIR",
        help="With --on: the folder for the script that undoes the change (default: this one).",
    ),
    click.option(
        "--journal",
        metavar="URL",
        help="With --on: the store that records the change (default: the default store, if any).",
    ),
)

most_option = click.option(
    "--most",
    type=click.IntRange(min=1),
    metavar="N",
    help=f"With --on: the most messages to read of a queue (default: {MOST_MESSAGES}).",
)


def on_snapshots(function: Callable[..., int | None]) -> Callable[..., int | None]:
    """Give the function of a command the option --on: then it gets the queue manager of this store
    that has the snapshots of the target.
    """

    @click.option(
        ON,
        "on",
        type=TargetName(),
        metavar="TARGET",
        help="From the snapshots of a queue manager elsewhere (see mqsc snapshot).",
    )
    @wraps(function)
    def perform(choices: Choices, on: str | None, **values: object) -> int | None:
        if on is None:
            return function(choices, **values)
        from mqsc.targets.declared import target_named

        return function(choices._replace(qmgr=target_named(on).queue_manager), **values)

    return perform


def on_target(function: Callable[..., int | None]) -> Callable[..., int | None]:
    """Give the function of a command the option --on: then it gets the choices with the copy.

    Write it below `@command`. With `most_option` below it, --most limits the messages.
    """

    @on_options
    @wraps(function)
    def perform(
        choices: Choices,
        on: str | None,
        from_file: Path | None,
        most: int | None = None,
        **values: object,
    ) -> int | None:
        if on is None and from_file is None:
            if most is not None:
                raise click.UsageError("--most is for --on: it limits what is read there")
            return function(choices, **values)
        from mqsc.targets.reading import read_target, target_of

        files = values.get("files", ())
        target = target_of(choices, on, from_file, files if isinstance(files, tuple) else ())
        with read_target(choices, target, from_file, most=most or MOST_MESSAGES) as state:
            return function(state.choices, **values)

    return perform
