"""What was most likely meant by text that is no MQSC: comments of other languages, placeholders, shell commands."""

from __future__ import annotations

import re

COMMENT = "* in the first column begins a comment"
PLACEHOLDER = "the value in place of the placeholder"
SHELL = "MQSC only: this is for the shell"

# At the beginning of a command, and in a value.
_BEGINNINGS = (
    (re.compile(r"#|--|//|/\*|<!--|rem\b", re.IGNORECASE), COMMENT),
    (re.compile(r"(?:echo|runmqsc|cat|sudo|kubectl|docker|eof)\b|\$ |<<|```", re.IGNORECASE), SHELL),
)
_PLACEHOLDERS = re.compile(r"'?[^\s()']*?(?:\$\{|\{\{|\$\(|\$\w|<[^<>]+>|‹|__\w+__|&lt;)")


# What MQ itself fills in: in scripts that it runs when a queue manager is made (+QMNAME+), in services.
_INSERT = re.compile(r"'?[^\s()']*\+[A-Z_]+\+")


def has_insert(text: str) -> bool:
    """Whether the value that the text begins with holds a word that MQ fills in."""
    return _INSERT.match(text) is not None


def slip(text: str, begins: bool) -> str:
    """What would be right in place of the text where a command went wrong; blank when nobody can tell.

    `begins` says whether the text begins the command.
    """
    if _PLACEHOLDERS.match(text):
        return PLACEHOLDER
    return next((right for pattern, right in _BEGINNINGS if pattern.match(text)), "") if begins else ""
