"""Where in a command an error is that only performing the command shows."""

from __future__ import annotations

from mqsc.diagnostic import Location
from mqsc.lint.script_command import ScriptCommand
from mqsc.lint.script_errors import ERRORS
from store.constants import MQRCCF
from store.rules import streaming

_STREAMING = frozenset(
    int(MQRCCF[f"STREAMQ_{word}"]) for word in ("DEST_NOT_SUPP", "DEST_CONFLICT", "NOT_SUPPORTED", "CONFLICT")
)


def error_location(command: ScriptCommand, message_id: str, reason: int) -> Location:
    """The last keyword of the command that the error is about, or the object if there is none."""
    words = [row.keyword for _, row in command.rows() if not row.leading and _is_about(row.keyword, message_id, reason)]
    return command.location_of(words[-1] if words else "")


def _is_about(keyword: str, message_id: str, reason: int) -> bool:
    """Whether the error can be about the keyword: if so, the example of the error has it."""
    if reason in _STREAMING:
        return keyword in streaming.WORDS
    return message_id in ERRORS and f"{keyword}(" in ERRORS[message_id].bad
