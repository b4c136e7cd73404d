"""The options that several commands have: each is a decorator for the function of a command."""

from __future__ import annotations

import click

from mqsc.console.decorators import combined
from mqsc.console.parameters import FILE_PATH, EventOrMoment, HexBytes, MsgIdPrefix

no_subfolders_option = click.option(
    "--no-subfolders",
    is_flag=True,
    help="Do not read the subfolders of a FOLDER.",
)

skip_unsupported_option = click.option(
    "--skip-unsupported",
    is_flag=True,
    help="List commands that are not supported here; do not fail.",
)

# How FILEs are read: the variables in them, and whether a folder has subfolders.
input_options = combined(
    click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="NAME=VALUE",
        help="Set ${NAME} in FILEs; repeatable.",
    ),
    click.option(
        "--set-file",
        "setting_files",
        type=FILE_PATH,
        multiple=True,
        metavar="YAML",
        help="Set the variables in a YAML file; --set wins.",
    ),
    no_subfolders_option,
)

past_options = combined(
    click.option(
        "--as-of",
        type=EventOrMoment(),
        metavar="MOMENT|SEQ",
        help="As it was: at a time, so long ago, or after the event with that number.",
    ),
    click.option(
        "--archive",
        "as_of_archive",
        metavar="URL",
        help="With --as-of: where removed events are.",
    ),
)

# Which messages of a queue are meant, by their identifiers.
identifier_options = combined(
    click.option(
        "--msg-id",
        type=MsgIdPrefix(),
        metavar="HEX",
        help="Only messages with this MsgId; the first digits are enough.",
    ),
    click.option(
        "--correl-id",
        type=HexBytes(),
        help="Only messages with this correlation identifier.",
    ),
    click.option("--group-id", type=HexBytes(), help="Only messages of this group."),
)

selector_option = click.option(
    "--selector",
    default="",
    metavar="TEXT",
    help=(
        "Only messages that this selection string selects, such as \"color = 'red' AND size > 5\"."
    ),
)
