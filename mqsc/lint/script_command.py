"""A command of a script, as lint rules see it.

It also declares the lint rules that have no function in `rules`, because the code that reads,
suppresses or performs commands finds them.
"""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from mqsc.diagnostic import Location
from mqsc.grammar.tree import Command, Parameter, Value
from mqsc.language.command_table import noun_of, verb_of
from mqsc.language.request import Request
from mqsc.store.catalog import Attribute, Kind, Stored


class ScriptCommand(Struct, frozen=True):
    """A command whose verb and noun are known.

    `request` leaves out parameters with errors, which `has_errors` reports. It is None when the
    object that the command is about is unknown.
    """

    file: str
    parsed: Command
    request: Request | None
    verb: str
    noun: str
    has_errors: bool = False

    @property
    def kind(self) -> Kind | None:
        """The kind of object, when the command is about exactly one kind."""
        kinds = self.request.kinds if self.request else ()
        return kinds[0] if len(kinds) == 1 else None

    @property
    def name(self) -> str:
        """The name of the object, or blank."""
        return self.request.name if self.request else ""

    @property
    def attributes(self) -> Mapping[str, Stored]:
        """The attributes with their values."""
        return self.request.attributes if self.request else {}

    @property
    def options(self) -> Mapping[str, Stored]:
        """The parameters that are not attributes."""
        return self.request.options if self.request else {}

    @property
    def disposition(self) -> str:
        """QSGDISP, by default QMGR."""
        return str(self.options.get("QSGDISP", "QMGR"))

    @property
    def title(self) -> str:
        """Verb, noun and name: DEFINE QLOCAL(A)."""
        return f"{self.verb} {self.noun}({self.name})" if self.name else f"{self.verb} {self.noun}"

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters after the noun."""
        return self.parsed.parameters[2:]

    def rows(self) -> Iterator[tuple[Parameter, Attribute]]:
        """The parameters that name an attribute of the object, with the catalog row of that
        attribute.
        """
        kind = self.kind
        for parameter in self.parameters if kind else ():
            row, _ = kind.words.get(parameter.keyword, (None, True)) if kind else (None, True)
            if row is not None:
                yield parameter, row

    def location_of(self, keyword: str = "") -> Location:
        """The location of the keyword's value, or of the keyword if it is a flag; by default of
        the object's name.
        """
        for parameter, row in self.rows() if keyword else ():
            if row.keyword == keyword:
                return self.location(parameter.values[0] if parameter.values else parameter)
        return self.location(self.parsed.parameters[min(1, len(self.parsed.parameters) - 1)])

    def location(self, word: Parameter | Value) -> Location:
        return Location(self.file, word.line, word.column)


def script_command(
    file: str,
    parsed: Command,
    request: Request | None,
    *,
    has_errors: bool = False,
) -> ScriptCommand | None:
    """The command with its verb and noun; None when one of them is unknown."""
    verb = verb_of(parsed.parameters[0].keyword)
    noun = (
        noun_of(verb, parsed.parameters[1].keyword) if verb and len(parsed.parameters) > 1 else None
    )
    return ScriptCommand(file, parsed, request, verb, noun, has_errors) if verb and noun else None
