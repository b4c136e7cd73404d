"""An explanation: a heading and labelled parts."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any, NamedTuple

from msgspec import Struct

from mqsc.language.syntax_text import fitted

LABEL = 10
# Of a script.
INDENT = 6
SYNTAX = "syntax"


def inserts_shown(text: str) -> str:
    """The text of a message with its inserts written as <name>."""
    return text.replace("{", "<").replace("}", ">")


class Part(NamedTuple):
    """A text under a label. A script is printed without wrapping, a syntax in one column where
    two are too wide.
    """

    label: str
    text: str
    is_script: bool = False


def parts_of(**texts: str) -> tuple[Part, ...]:
    """The parts that have a text, by label."""
    return tuple(Part(label.replace("_", " "), text) for label, text in texts.items() if text)


class Explanation(Struct, frozen=True):
    """The explanation of `name`. `kind`: reason, message, rule, error, condition, concept, command,
    keyword, value, object, verb, constant.
    """

    kind: str
    name: str
    heading: str
    parts: tuple[Part, ...] = ()

    def lines(self, width: int) -> Iterator[str]:
        """The explanation as text, wrapped at `width` columns."""
        yield from textwrap.wrap(self.heading, width)
        for label, text, is_script in self.parts:
            if is_script:
                yield f"  {label}:"
                lines = text.splitlines()
                shown = fitted(lines, width - INDENT) if label == SYNTAX else lines
                yield from (f"{'':{INDENT}}{line}" for line in shown)
            else:
                first = f"  {label + ':':<{LABEL}} "
                yield from textwrap.wrap(
                    text,
                    width,
                    initial_indent=first,
                    subsequent_indent=" " * len(first),
                )

    def as_json(self) -> dict[str, Any]:
        """The explanation as a JSON object: kind, name, heading, and a key for every part."""
        head = {"kind": self.kind, "name": self.name, "heading": self.heading}
        return {**head, **{part.label: part.text for part in self.parts}}
