"""The scripts by which shells complete commands, where those of click do not work."""

from __future__ import annotations

from click.shell_completion import FishComplete, add_completion_class


class FishScript(FishComplete):
    """The script for fish: a completion or its description may contain commas."""

    source_template = FishComplete.source_template.replace('string split ","', 'string split --max 1 ","')


def register_scripts() -> None:
    add_completion_class(FishScript)
