"""`foreach OBJECT(NAME) [WHERE(...)] DO COMMAND`: a command for each object that DISPLAY finds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from mqsc.language.reply import Answer
from mqsc.language.request import Request
from mqsc.language.secrets import masked
from mqsc.scripts.one_command import fault_of, is_command

FOREACH = "foreach"
PLACE = "{}"
_DO = re.compile(r"\sDO\s+", re.IGNORECASE)
_MOST_LISTED = 20


class ForEachError(ValueError):
    """The text is not a complete `foreach`; the error says what is missing."""


def selection_of(text: str) -> re.Match[str] | None:
    """The DO after a valid selection; None if there is none."""
    return next(
        (found for found in _DO.finditer(text) if is_command(_display(text[: found.start()]))),
        None,
    )


def _display(text: str) -> str:
    """The DISPLAY that a foreach begins with."""
    return f"DISPLAY {text.split(maxsplit=1)[1] if ' ' in text.strip() else ''}"


def split_foreach(text: str) -> tuple[str, str]:
    """The DISPLAY that selects the objects, and the command for each; ForEachError."""
    condition = selection_of(text)
    if condition is None:
        selected = _DO.search(text)
        fault = fault_of(_display(text[: selected.start()])) if selected else ""
        if fault:
            raise ForEachError(fault)
        example = "foreach QLOCAL(APP.*) WHERE(CURDEPTH GT 0) DO CLEAR QLOCAL({})"
        raise ForEachError(f"foreach takes an object, a condition and a command: {example}")
    command = text[condition.end() :].strip()
    if PLACE not in command:
        raise ForEachError(
            f"the command after DO needs {PLACE} where the name goes, such as DO CLEAR "
            f"QLOCAL({PLACE})",
        )
    return _display(text[: condition.start()]), command


def commands_for(command: str, answer: Answer) -> list[str]:
    """The command for each object that the DISPLAY answered."""
    return [with_name(command, str(next(iter(row.values())))) for row in answer.rows]


def with_name(command: str, name: str) -> str:
    """The command for an object, whose name is in quotes unless they are there already."""
    quoted = "'" + name.replace("'", "''") + "'"
    return command.replace(f"'{PLACE}'", quoted).replace(PLACE, quoted)


def listed(commands: Sequence[str]) -> Iterator[str]:
    """A line for each of the commands that a question is about, or for the first of them."""
    yield from (f"  {masked(each)}" for each in commands[:_MOST_LISTED])
    if len(commands) > _MOST_LISTED:
        yield f"  … and {len(commands) - _MOST_LISTED} more"


def without_system(answer: Answer, request: Request | None) -> tuple[Answer, int]:
    """The answer to a request for all names without SYSTEM objects, and how many were left out."""
    if request is None or not answer.shows_rows or not request.name.startswith("*"):
        return answer, 0
    rows = [*answer.rows]
    kept = [row for row in rows if not str(next(iter(row.values()), "")).startswith("SYSTEM.")]
    return replace(answer, rows=kept), len(rows) - len(kept)
