"""Output for a terminal: its width, and text without control characters."""

from __future__ import annotations

import re
import shutil
import sys

from mqsc.console.options import is_terminal

# Control characters except tab, and the characters that reorder or hide text.
_CONTROL = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def printable(line: str) -> str:
    """`line` with control characters escaped as \\xNN or \\uNNNN, so that data cannot control the terminal."""
    return _CONTROL.sub(_escaped, line) if not line.isascii() or not line.isprintable() else line


def columns() -> int:
    """The maximum width of a table on stdout: the terminal's; unlimited elsewhere, because programs read lines."""
    return shutil.get_terminal_size().columns if is_terminal(sys.stdout) else sys.maxsize


def _escaped(found: re.Match[str]) -> str:
    number = ord(found.group())
    return f"\\x{number:02x}" if number < 256 else f"\\u{number:04x}"
