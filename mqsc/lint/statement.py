"""One command of a script, with the place of everything in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from grammar.tree import Command, Parameter, Value
from mqsc.language.command_table import noun_of, verb_of
from mqsc.language.request import Request
from store.catalog import Attribute, Kind, Stored


class Place(NamedTuple):
    """Where something stands; line and column count from 1, the file is blank for standard input and texts."""

    file: str
    line: int
    column: int


class Hit(NamedTuple):
    """One place where advice applies: what is the case there, and what would be better (may be blank)."""

    place: Place
    message: str
    right: str = ""


@dataclass(frozen=True, slots=True)
class Statement:
    """A command whose verb and noun are known.

    `request` is what it asks for, None when that cannot be said; where parameters were wrong, it is what the others
    ask for.
    """

    file: str
    command: Command
    request: Request | None
    verb: str
    noun: str

    @property
    def kind(self) -> Kind | None:
        """The one kind of object that it is about."""
        kinds = self.request.kinds if self.request else ()
        return kinds[0] if len(kinds) == 1 else None

    @property
    def name(self) -> str:
        """The object's name, blank where there is none."""
        return self.request.name if self.request else ""

    @property
    def given(self) -> Mapping[str, Stored]:
        """The attributes that it gives."""
        return self.request.given if self.request else {}

    @property
    def options(self) -> Mapping[str, Stored]:
        """Its parameters that are no attributes."""
        return self.request.options if self.request else {}

    @property
    def title(self) -> str:
        """Verb, noun and name as one says them: DEFINE QLOCAL(A)."""
        return f"{self.verb} {self.noun}({self.name})" if self.name else f"{self.verb} {self.noun}"

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What follows the noun."""
        return self.command.parameters[2:]

    def rows(self) -> Iterator[tuple[Parameter, Attribute]]:
        """The parameters after the noun that name an attribute of the object, with its row."""
        kind = self.kind
        for parameter in self.parameters if kind else ():
            row, _ = kind.words.get(parameter.keyword, (None, True)) if kind else (None, True)
            if row is not None:
                yield parameter, row

    def at(self, keyword: str = "") -> Place:
        """Where the value of a keyword stands (a flag, the keyword itself), else where the object is named."""
        for parameter, row in self.rows() if keyword else ():
            if row.keyword == keyword:
                return self.place(parameter.values[0] if parameter.values else parameter)
        return self.place(self.command.parameters[min(1, len(self.command.parameters) - 1)])

    def place(self, word: Parameter | Value) -> Place:
        """Where a word stands."""
        return Place(self.file, word.line, word.column)


def statement_of(file: str, command: Command, request: Request | None) -> Statement | None:
    """The statement that a command makes; None when its verb or noun is unknown."""
    verb = verb_of(command.parameters[0].keyword)
    noun = noun_of(verb, command.parameters[1].keyword) if verb and len(command.parameters) > 1 else None
    return Statement(file, command, request, verb, noun) if verb and noun else None
