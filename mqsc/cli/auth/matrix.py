"""`mqsc auth matrix`: what every user or group may do with each object."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import click

from mqsc.console.json_rows import print_data, print_rows
from mqsc.console.object_names import USER, GivenName, ObjectName, remember_name
from mqsc.console.options import Choices, command
from mqsc.console.target import opened_queue_manager
from mqsc.console.terminal import columns, packed, print_line, printable
from mqsc.language.command_table import meant
from mqsc.store.admin import authority, authority_matrix, reached_queues
from mqsc.store.rules.authority_profiles import SELF
from mqsc.store.rules.authorization import GROUP, PRINCIPAL
from mqsc.targets.on_target import on_target

# Letters of the cells of the matrix.
LETTERS = {
    "CONNECT": "c",
    "GET": "g",
    "PUT": "p",
    "BROWSE": "b",
    "INQ": "i",
    "SET": "s",
    "DSP": "d",
    "PUB": "P",
    "SUB": "S",
    **dict.fromkeys(("PASSID", "PASSALL", "SETID", "SETALL", "ALTUSR"), "x"),
    **dict.fromkeys(("CHG", "CLR", "DLT", "CTRL", "CTRLX", "CRT"), "A"),
}
_LEGEND = (
    *("c connect", "g get", "p put", "b browse", "i inquire", "s set", "d display", "x context"),
    *("A administration", "- nothing"),
)


@command(reads=True)
@click.option(
    "--queue",
    "pattern",
    default="*",
    metavar="NAME",
    help="Only these objects; may end with *.",
)
@click.option(
    "--type",
    "type_",
    type=click.Choice(("queue", "topic", "process", "namelist", "channel")),
    default="queue",
    help="Type of the objects.",
)
@click.option(
    "--user",
    "users",
    type=ObjectName(USER, is_filter=True),
    multiple=True,
    metavar="NAME",
    help="Only these users; repeatable.",
)
@click.option(
    "--by",
    type=click.Choice(("user", "group")),
    default="user",
    help="What each column is.",
)
@click.option("--who", metavar="WORD", help="List the users with this authority, for example put.")
@click.option(
    "--reach",
    type=ObjectName(USER, is_filter=True),
    metavar="NAME",
    help="List the queues that this user reaches, also through aliases.",
)
@on_target
def matrix(
    choices: Choices,
    pattern: str,
    type_: str,
    users: Sequence[str],
    by: str,
    who: str | None,
    reach: str | None,
) -> None:
    """Show what every user, or group, may do with the queue manager and each object; system
    objects only if named.
    """
    column = PRINCIPAL if by == "user" else GROUP
    with opened_queue_manager(choices) as qmgr:
        if reach is not None:
            _print_reached(choices, reach, reached_queues.reached(qmgr, reach))
            return
        remember_name(GivenName(pattern, type_, click.get_current_context(), is_filter=True))
        table_cells = authority_matrix.matrix(
            qmgr, pattern, users=users, by=column, type=type_.upper()
        )
        admins = authority.status(qmgr).administrators
    shown = [
        row
        for row in table_cells.rows
        if pattern.startswith("SYSTEM") or not row[0][1].startswith("SYSTEM.")
    ]
    names = [name for _, name in table_cells.columns]
    if who is not None:
        _print_who(choices, qmgr.name, names, shown, who.upper())
        return
    every = (
        {"type": type, "name": name, **dict(zip(names, map(sorted, words), strict=True))}
        for (type, name), words in shown
    )
    if print_data(choices.format, every):
        return
    print_line(f"administrators: {', '.join(map(printable, admins))}")
    _print_cells(qmgr.name, names, shown)


def _print_cells(qmgr: str, names: Sequence[str], rows: Sequence[Any]) -> None:
    title = [_title(qmgr, type, name) for (type, name), _ in rows]
    widths = [max(len(each), 8) for each in names]
    first = max(map(len, title), default=0)
    heading = "  ".join(
        printable(name).ljust(width) for name, width in zip(names, widths, strict=True)
    )
    print_line(f"{'':<{first}}  {heading}".rstrip())
    for name, (_, words) in zip(title, rows, strict=True):
        cells = "  ".join(
            _cell(each).ljust(width) for each, width in zip(words, widths, strict=True)
        )
        print_line(f"{name:<{first}}  {cells}".rstrip())
    for line in packed(_LEGEND, ", ", columns()):
        print_line(line)


def _cell(words: Iterable[str]) -> str:
    granted = {*words}
    return (
        "".join(dict.fromkeys(letter for word, letter in LETTERS.items() if word in granted)) or "-"
    )


def _print_who(
    choices: Choices, qmgr: str, names: Sequence[str], rows: Sequence[Any], word: str
) -> None:
    if word not in LETTERS:
        raise click.UsageError(f"{word} is not an authority{meant(word, [*LETTERS])}")
    holders = [
        {
            "type": type,
            "name": name,
            "holders": [each for each, found in zip(names, words, strict=True) if word in found],
        }
        for (type, name), words in rows
    ]
    print_rows(choices.format, holders, (_holders_line(qmgr, each) for each in holders))


def _holders_line(qmgr: str, holders: Mapping[str, Any]) -> str:
    name = _title(qmgr, holders["type"], holders["name"])
    return f"{name}: {', '.join(holders['holders']) or 'nobody'}"


def _title(qmgr: str, type: str, name: str) -> str:
    """The name of an object for people: a queue manager has its own, not that of its profile."""
    return qmgr if name == SELF and type == "QMGR" else name


def _print_reached(
    choices: Choices, user: str, queues_reached: Sequence[reached_queues.Reached]
) -> None:
    rows = ({**each._asdict(), "words": sorted(each.words)} for each in queues_reached)
    print_rows(choices.format, rows, (_reached_line(user, each) for each in queues_reached))
    if not queues_reached:
        choices.inform(f"mqsc: {printable(user)} reaches no queue")


def _reached_line(user: str, reached: reached_queues.Reached) -> str:
    words = ", ".join(sorted(reached.words)).lower()
    at = f" at {reached.elsewhere}" if reached.elsewhere else ""
    through = "" if reached.name == reached.queue and not at else f" through {reached.name}"
    behind = ", and so every queue of a partner" if reached.is_transmission else ""
    return f"{user} can {words}: {reached.queue}{at}{through}{behind}"
