"""`mqsc export`: the definitions of a queue manager, as commands or as data."""

from __future__ import annotations

import sys

import click

from mqsc.console.json_output import print_json
from mqsc.console.options import WITHOUT_FORMAT, Choices, command
from mqsc.console.target import opened_queue_manager
from mqsc.console.terminal import is_terminal, printable
from mqsc.export.data_output import rows, yaml_lines
from mqsc.export.export_commands import ExportSelection, export_commands
from mqsc.export.mqsc_output import script_lines

FORMATS = ("mqsc", "text", "json", "jsonl", "yaml")


@command(common=WITHOUT_FORMAT)
@click.option("--all", "everything", is_flag=True, help="Include attributes at their default values.")
@click.option("--format", "format_", type=click.Choice(FORMATS), help="Output format; text means mqsc.")
def export(choices: Choices, everything: bool, format_: str | None) -> None:
    """Write the definitions of a queue manager, as commands that recreate them on a new one or as data.

    Without --all, only attributes that differ from their defaults are written. SYSTEM objects are written only where
    they differ from those of a new queue manager. Secrets are left out; a comment names each of them.
    """
    wanted = format_ or choices.format or "mqsc"
    with opened_queue_manager(choices) as qmgr:
        found = export_commands(qmgr, ExportSelection(everything))
        if print_json(wanted, rows(found)):
            return
        for line in yaml_lines(rows(found)) if wanted == "yaml" else script_lines(found):
            sys.stdout.write(f"{printable(line) if is_terminal(sys.stdout) else line}\n")
