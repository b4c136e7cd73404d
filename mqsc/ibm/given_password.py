"""The password that IBM's runmqsc -u reads before the commands (targets.md, Secrets)."""

from __future__ import annotations

import io
from typing import BinaryIO

from mqsc.language.command_table import ENDINGS, verb_of


def skip_password(stream: BinaryIO) -> bool:
    """Read past a first line that can only be a password; whether there was one.

    Nothing is read from a stream whose first line is not there yet.
    """
    if not isinstance(stream, io.BufferedReader):
        return False
    line, newline, _ = stream.peek().partition(b"\n")
    if not newline or not is_password(line.decode("utf-8", "replace")):
        return False
    stream.readline()
    return True


def is_password(line: str) -> bool:
    """Whether a line of a script can only be a password: one word, and neither a comment nor the
    beginning of a command.
    """
    words = line.split()
    if len(words) != 1 or words[0].startswith("*") or "(" in words[0]:
        return False
    word = words[0].rstrip(";+-").upper()
    return bool(word) and verb_of(word) is None and word not in ENDINGS
