"""`mqsc export`: the definitions of a queue manager, to make them again."""

from __future__ import annotations

import sys

import click

from mqsc.console.json_output import Rows
from mqsc.console.options import choices_of, is_terminal, options_without_format
from mqsc.console.target import opened_queue_manager
from mqsc.console.terminal import printable

FORMATS = ("mqsc", "text", "json", "jsonl", "yaml")


@click.command()
@click.option("--all", "everything", is_flag=True, help="Write attributes that are as by default, too.")
@click.option("--format", "format_", type=click.Choice(FORMATS), help="mqsc (or text), json, jsonl or yaml.")
@options_without_format
@click.pass_context
def export(context: click.Context, /, everything: bool, format_: str | None) -> None:
    """Write the definitions of a queue manager: commands that make them on a new one, or data.

    Only what differs from the defaults, unless --all; SYSTEM objects only where they differ from what a new queue
    manager has. Secrets are left out: a comment says which.
    """
    from mqsc.export.data_output import rows, yaml_lines
    from mqsc.export.export_commands import ExportSelection, export_commands
    from mqsc.export.mqsc_output import script_lines

    choices = choices_of(context)
    wanted = format_ or choices.format or "mqsc"
    with opened_queue_manager(choices) as qmgr:
        found = export_commands(qmgr, ExportSelection(everything))
        if wanted in ("json", "jsonl"):
            with Rows(sys.stdout, array=wanted == "json") as out:
                for row in rows(found):
                    out.write(row)
            return
        for line in yaml_lines(rows(found)) if wanted == "yaml" else script_lines(found):
            sys.stdout.write(f"{printable(line) if is_terminal(sys.stdout) else line}\n")
