"""The errors in scripts by id, and where in a command an error is that only performing it shows."""

from collections.abc import Mapping

from mqsc.diagnostic import Description, Location, descriptions_beside
from mqsc.lint.script_command import ScriptCommand
from mqsc.store.constants import MQRCCF
from mqsc.store.rules import streaming

_ROWS = descriptions_beside(__file__)
ERRORS: Mapping[str, Description] = {
    rule_id: each for rule_id, each in _ROWS.items() if each.severity == "error"
}
FOUND_ELSEWHERE = [row for row in _ROWS.values() if row.severity != "error"]


_STREAMING = frozenset(
    int(MQRCCF[f"STREAMQ_{word}"])
    for word in ("DEST_NOT_SUPP", "DEST_CONFLICT", "NOT_SUPPORTED", "CONFLICT")
)


def error_location(command: ScriptCommand, message_id: str, reason: int) -> Location:
    """The last keyword of the command that the error is about, or the object if there is none."""
    words = [
        row.keyword
        for _, row in command.rows()
        if not row.leading and _is_about(row.keyword, message_id, reason)
    ]
    return command.location_of(words[-1] if words else "")


def _is_about(keyword: str, message_id: str, reason: int) -> bool:
    """Whether the error can be about the keyword: if so, the example of the error has it."""
    if reason in _STREAMING:
        return keyword in streaming.STREAMING_WORDS
    return message_id in ERRORS and f"{keyword}(" in ERRORS[message_id].bad
