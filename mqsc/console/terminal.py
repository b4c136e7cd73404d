"""Text from messages and objects must not steer the terminal it is shown on."""

from __future__ import annotations

import re
import shutil
import sys

from mqsc.console.options import is_terminal

# Control characters without tab, and the marks that reorder or hide text.
_STEERING = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def printable(line: str) -> str:
    """`line` with every control character written as \\xNN or \\uNNNN."""
    return _STEERING.sub(_escaped, line) if not line.isascii() or not line.isprintable() else line


def columns() -> int:
    """How wide a table on stdout may be: as wide as the terminal, else without bound, for programs read whole lines."""
    return shutil.get_terminal_size().columns if is_terminal(sys.stdout) else sys.maxsize


def _escaped(found: re.Match[str]) -> str:
    number = ord(found.group())
    return f"\\x{number:02x}" if number < 256 else f"\\u{number:04x}"
