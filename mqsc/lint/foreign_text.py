"""Recognises text that is not MQSC: comments of other languages, placeholders, shell commands, JCL."""

import re

from mqsc.language.foreign_marks import INTERPRETER, JOB_CONTROL, SHELL_COMMAND
from mqsc.language.placeholders import placeholder_at

COMMENT = "begin a comment with * in the first column"
SHELL = "remove it: this is a shell command"
JCL = "remove it: this is JCL"
SCRIPT = "check only the MQSC in the script"

_BEGINNINGS = (
    (INTERPRETER, SCRIPT),
    (re.compile(r"#|--|//|/\*|<!--|rem\b", re.IGNORECASE), COMMENT),
    # The message already names the text.
    (SHELL_COMMAND, "remove it"),
    (re.compile(r"\$ |<<|```"), SHELL),
)


def suggestion_for(text: str, starts_command: bool, at: int = 0) -> str:
    """A correction for the text where an error was found at the offset; blank when the text is
    not recognised.
    """
    placeholder = placeholder_at(text, at)
    if placeholder is not None:
        return placeholder.remedy
    if JOB_CONTROL.match(text):
        return JCL
    if not starts_command:
        return ""
    return next((suggestion for pattern, suggestion in _BEGINNINGS if pattern.match(text, at)), "")
