"""Where an error in a script is, and what is suggested for it.

It also declares the lint rules that have no function in `rules`, because the code that reads, suppresses or performs
commands finds them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from mqsc.diagnostic import Description, Location, descriptions_beside
from mqsc.language.refusal import JOB_CONTROL, SHELL_COMMAND
from mqsc.language.request import placeholder_at
from mqsc.lint.script_command import ScriptCommand
from store.constants import MQRCCF
from store.rules import conflicts

_ROWS = descriptions_beside(__file__)
ERRORS: Mapping[str, Description] = {rule_id: each for rule_id, each in _ROWS.items() if each.severity == "error"}
FOUND_ELSEWHERE = [each for each in _ROWS.values() if each.severity != "error"]


# Recognises text that is not MQSC: comments of other languages, placeholders, shell commands, JCL.

COMMENT = "begin a comment with * in the first column"
SHELL = "remove it: this is a shell command"
JCL = "remove it: this is JCL"

_BEGINNINGS = (
    (re.compile(r"#|--|//|/\*|<!--|rem\b", re.IGNORECASE), COMMENT),
    # The message already names the text.
    (SHELL_COMMAND, "remove it"),
    (re.compile(r"\$ |<<|```"), SHELL),
)


def suggestion_for(text: str, starts_command: bool, at: int = 0) -> str:
    """A correction for the text where an error was found at the offset; blank when the text is not recognised."""
    placeholder = placeholder_at(text, at)
    if placeholder is not None:
        return placeholder.remedy
    if JOB_CONTROL.match(text):
        return JCL
    if not starts_command:
        return ""
    return next((suggestion for pattern, suggestion in _BEGINNINGS if pattern.match(text, at)), "")


# Where in a command an error is that only performing the command shows.

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
        return keyword in conflicts.STREAMING_WORDS
    return message_id in ERRORS and f"{keyword}(" in ERRORS[message_id].bad
