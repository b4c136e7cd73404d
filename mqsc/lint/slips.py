"""Recognises text that is not MQSC: comments of other languages, placeholders, shell commands."""

from __future__ import annotations

import re

COMMENT = "begin a comment with * in the first column"
PLACEHOLDER = "replace the placeholder by a value"
SHELL = "remove it: this is a shell command"

_BEGINNINGS = (
    (re.compile(r"#|--|//|/\*|<!--|rem\b", re.IGNORECASE), COMMENT),
    (re.compile(r"(?:echo|runmqsc|cat|sudo|kubectl|docker|eof)\b|\$ |<<|```", re.IGNORECASE), SHELL),
)
_PLACEHOLDERS = re.compile(r"'?[^\s()']*?(?:\$\{|\{\{|\$\(|\$\w|<[^<>]+>|‹|__\w+__|&lt;)")


# Words that MQ itself replaces, in service definitions and in the scripts that create a queue manager: +QMNAME+.
_INSERT = re.compile(r"'?[^\s()']*\+[A-Z_]+\+")


def has_insert(text: str) -> bool:
    """Whether the value at the start of the text has a word that MQ replaces."""
    return _INSERT.match(text) is not None


def suggestion_for(text: str, starts_command: bool) -> str:
    """A correction for the text where an error was found; blank when the text is not recognised."""
    if _PLACEHOLDERS.match(text):
        return PLACEHOLDER
    if not starts_command:
        return ""
    return next((suggestion for pattern, suggestion in _BEGINNINGS if pattern.match(text)), "")
