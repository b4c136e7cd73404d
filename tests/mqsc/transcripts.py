"""Reads transcripts of runmqsc: the commands that were typed, and the messages that answered them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_NUMBERED = re.compile(r"\s*(\d+) : ?(.*)")
_CONTINUED = re.compile(r"\s+: ?(.*)")
_MESSAGE = re.compile(r"\s*AMQ(\d{4})[A-Z]?: ")
_ENDED = re.compile(r"\s*\S+ MQSC commands? read\.")
_SHOWN = re.compile(r"([A-Z0-9]+)\((?:[^()]|\([^()]*\))*\)|\b(SHARE|NOTRIGGER|TRIGGER|HARDENBO|SYNCPT|CURRENT)\b")


@dataclass
class Exchange:
    """A command: its number, its lines, the numbers of the messages in the answer, and the words displayed."""

    number: int
    lines: list[str]
    messages: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)

    @property
    def command(self) -> str:
        """The command as typed."""
        return "\n".join(self.lines)


def exchanges(text: str) -> Iterator[Exchange]:
    """Yield the commands of a transcript that were echoed and answered, in order."""
    current: Exchange | None = None
    for line in text.splitlines():
        if found := _NUMBERED.fullmatch(line):
            if current and current.messages:
                yield current
            current = Exchange(int(found[1]), [found[2]])
        elif current is None:
            continue
        elif message := _MESSAGE.match(line):
            current.messages.append(message[1])
        elif _ENDED.match(line):
            break
        elif current.messages:
            if line.startswith("   ") and not _CONTINUED.fullmatch(line):
                current.words += [each[1] or each[2] for each in _SHOWN.finditer(line)]
        elif continued := _CONTINUED.fullmatch(line):
            current.lines.append(continued[1])
    if current and current.messages:
        yield current
