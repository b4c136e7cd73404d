"""An explanation: a heading, and what there is to say, part by part."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

LABEL = 10


def inserts_shown(text: str) -> str:
    """The text of a message with its inserts as people write them: <name>."""
    return text.replace("{", "<").replace("}", ">")


class Part(NamedTuple):
    """One thing to say, under a label; a script is shown as it is."""

    label: str
    text: str
    is_script: bool = False


@dataclass(frozen=True, slots=True)
class Explanation:
    """What `name` means. `kind` says what it is: reason, message, rule, error, keyword, object, verb."""

    kind: str
    name: str
    heading: str
    parts: tuple[Part, ...] = ()

    def lines(self, width: int) -> Iterator[str]:
        """The explanation as text, wrapped at `width` columns where that is possible."""
        yield from textwrap.wrap(self.heading, width)
        for label, text, is_script in self.parts:
            if is_script:
                yield f"  {label}:"
                yield from (f"      {line}" for line in text.splitlines())
            else:
                first = f"  {label + ':':<{LABEL}} "
                yield from textwrap.wrap(text, width, initial_indent=first, subsequent_indent=" " * len(first))

    def as_json(self) -> dict[str, Any]:
        """The explanation as an object of JSON: kind, name, heading, and a key for every part."""
        head = {"kind": self.kind, "name": self.name, "heading": self.heading}
        return {**head, **{part.label: part.text for part in self.parts}}
