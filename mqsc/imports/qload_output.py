"""Writing messages as qload does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mqsc.console.terminal import printable
from mqsc.imports.qload import BYTES, CODES, TEXT_AS_HEX
from mqsc.store.message import Message

WIDTH = 25
_DIGITS = 2 * WIDTH


def heading(qmgr: str, queue: str, created: str) -> Iterator[str]:
    """The lines at the beginning of a file; `created` is as C's ctime writes it."""
    yield f"* DMPMQMSG Version:9.4.0.0 Created:{created}"
    yield f"* Qmgr  = {qmgr}"
    yield f"* Queue = {queue}"
    yield ""


def qload_lines(message: Message) -> Iterator[str]:
    """The lines of a message: all attributes of version 2, the data in hexadecimal, an empty
    line.
    """
    yield "A VER 2"
    for code, name, length in CODES:
        yield from _attribute_lines(code, getattr(message.descriptor, name), length)
    digits = message.body.hex().upper()
    for at in range(0, max(1, len(digits)), _DIGITS):
        yield f"X {digits[at : at + _DIGITS]}"
    yield ""


def _attribute_lines(code: str, value: Any, length: int) -> Iterator[str]:
    """The line of an attribute, and a comment if it is a text with control characters."""
    if not length:
        yield f"A {code} {value}"
        return
    data = value if isinstance(value, bytes) else str(value).encode().ljust(length)
    if code in BYTES or code in TEXT_AS_HEX:
        yield f"A {code} {data.hex().upper()}"
        return
    text = data.decode()
    if printable(text) == text:
        yield f"A {code} {text}"
        return
    yield f"A {code} {''.join(each if printable(each) == each else _UNWRITTEN for each in text)}"
    yield f"* {code} in hexadecimal: {data.hex().upper()}"


# In place of a control character.
_UNWRITTEN = "?"
