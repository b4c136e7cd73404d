"""MQSC commands for things that do not exist here. They are checked like other commands, then refused with a reason.

Each row of support.csv has the command, how far it is supported, how it names its object and the words that it takes if
it is refused, and the reason. To add a command, add a row.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from mqsc.language.request import Naming, Request
from store.table import table


class UnsupportedCommand(Struct, frozen=True):
    """A command that is refused. `parameters` are the words it takes, with any value; `sentence` is the reason."""

    verb: str
    noun: str
    naming: Naming
    parameters: tuple[str, ...]
    sentence: str


# How far each command is supported; one that is not listed is performed as in MQ.
SUPPORT_ROWS = table(__file__, "support.csv")
UNSUPPORTED: Mapping[tuple[str, str], UnsupportedCommand] = {
    (verb := row["verb"], noun := row["noun"]): UnsupportedCommand(
        verb, noun, Naming[row["naming"]], tuple(row["parameters"].split()), row["sentence"]
    )
    for row in SUPPORT_ROWS
    if row["effect"] == "refused"
}


def unsupported_here(request: Request) -> str:
    """Why a command is skipped when the user wants to skip what is not supported here; blank if it is supported."""
    row = UNSUPPORTED.get((request.verb, request.noun))
    return "" if row is None else f"not supported here: {row.sentence}"
