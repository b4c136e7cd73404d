"""A test case as data: definitions, and steps that are calls of public names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from mqsc.scripts.export import ExportCommand
from mqsc.scripts.export_output import one_line
from mqsc.store.constants import MQGMO, MQOO, MQPMO

QUEUE_MANAGER, CLOCK = "queue_manager", "mqsc_clock"
FLAGS: Mapping[str, Any] = {"MQOO": MQOO, "MQPMO": MQPMO, "MQGMO": MQGMO}
LONG, WIDTH = 20, 80


class Variable(NamedTuple):
    """The value of a variable."""

    name: str


class Flags(NamedTuple):
    """Options of a family such as MQOO."""

    family: str
    value: int


class NewObject(NamedTuple):
    """An object of a public class, made with these arguments by name, and data before them if it
    is a message.
    """

    name: str
    named: Mapping[str, Any]
    data: bytes | None = None


class Step(NamedTuple):
    """A call: of a method of a variable, or of a function. The result goes to `into`, and must be
    `expected`.

    `expected` is a MsgId for a message, None for no message, and blank bytes for anything. `note`
    is a comment.
    """

    method: str
    args: tuple[Any, ...]
    on: str = ""
    named: Mapping[str, Any] = {}
    into: str = ""
    expected: bytes | None = b""
    note: str = ""


class Case(NamedTuple):
    """A test: the commands that define objects, and the steps."""

    definitions: tuple[ExportCommand, ...]
    steps: tuple[Step, ...]

    @property
    def script(self) -> list[str]:
        """The definitions as lines of MQSC."""
        return [one_line(each) for each in self.definitions]
