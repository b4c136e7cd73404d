"""Steps as MQSC: one command after the other, in lines of at most 72 columns, readable by `mqsc run` and runmqsc."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from grammar.printing import text_of
from grammar.tree import Command, Parameter, Value
from mqsc.export.steps import Step
from mqsc.export.wrapping import COLUMNS, wrapped
from mqsc.verbs.rights import SELF
from store.catalog import Attribute, Kind, Stored
from store.catalog.types import Flag, Items, Number, Type, Word
from store.rules.channel_rules import LISTS

HEADING = "* Written by mqsc export, to make a queue manager like it again."
LONGEST = 32_768
_UNWRITABLE = re.compile("[\0\r\n\ud800-\udfff]")


def script_lines(steps: Iterable[Step], *, one_line: bool = False) -> Iterator[str]:
    """The lines of a script, the heading first; with `one_line` every command is one, as far as lines go."""
    yield HEADING
    for step in steps:
        if not one_line:
            yield ""
        yield from _remarks(step)
        given, left_out = _parameters(step)
        yield from (f"* {word} of {step.definition.title} holds what MQSC cannot say" for word in left_out)
        if given or step.verb != "ALTER":
            command = Command((_word(_verb(step)), *_subject(step), *given, *_ending(step)), 0)
            text = text_of(command, LONGEST if one_line else COLUMNS)
            yield from text.split("\n") if one_line else wrapped(text)


def _remarks(step: Step) -> Iterator[str]:
    """A comment for what must be done by hand: secrets, which nobody is shown, and objects that are gone."""
    for word in step.secrets:
        yield f"* {word} of {step.definition.title} is not shown: give it by hand"
    for word in step.missing:
        yield f"* {word} of {step.definition.title} is missing: define {step.definition.values[word]} before"


def _parameters(step: Step) -> tuple[list[Parameter], list[str]]:
    """What the command gives, and the attributes that cannot be written."""
    given = [*_given(step)]
    left_out = [each.keyword for each in given if not _is_writable(each)]
    return [each for each in given if each.keyword not in left_out], left_out


def _is_writable(parameter: Parameter) -> bool:
    """Whether MQSC can say it: no value holds NUL, the end of a line or half a character."""
    return not any(_UNWRITABLE.search(value.text) for value in parameter.values or ())


def _verb(step: Step) -> str:
    return "SET" if step.definition.kind.keyword == "CHLAUTH" else step.verb


def _subject(step: Step) -> tuple[Parameter, ...]:
    """The noun with the name; of an authority record, what takes the place of a name."""
    definition = step.definition
    if definition.kind.keyword != "AUTHREC":
        return (
            _named(definition.kind.keyword, definition.name) if definition.name else _word(definition.kind.keyword),
        )
    of_itself = definition.values["OBJTYPE"] == "QMGR" and definition.name == SELF
    profile = () if of_itself else (_named("PROFILE", definition.name),)
    return (_word("AUTHREC"), *profile)


def _given(step: Step) -> Iterator[Parameter]:
    """The attributes, those first that follow the name."""
    definition = step.definition
    if definition.kind.keyword == "AUTHREC":
        yield from _authority(definition.values)
        return
    rows = definition.kind.attributes
    values = dict(step.values) if step.verb != "DELETE" else _identity(definition.kind, definition.values)
    for word in sorted(values, key=lambda each: (not rows[each].leading, each)):
        yield parameter(rows[word], values[word])


def _identity(kind: Kind, values: Mapping[str, Stored]) -> dict[str, Stored]:
    return {word: values[word] for word in kind.identity if values.get(word)}


def _authority(values: Mapping[str, Stored]) -> Iterator[Parameter]:
    yield _word_of("OBJTYPE", str(values["OBJTYPE"]))
    yield _named(str(values["ENTTYPE"]), str(values["ENTITY"]))
    rights = values["AUTHLIST"] if isinstance(values["AUTHLIST"], list) else []
    yield Parameter("AUTHADD", "", tuple(_bare(each) for each in rights or ["NONE"]), 0, 0)


def _ending(step: Step) -> tuple[Parameter, ...]:
    if step.definition.kind.keyword == "AUTHREC":
        return ()
    if step.definition.kind.keyword == "CHLAUTH":
        # A record that is a list goes item by item with REMOVE.
        removed = "REMOVEALL" if step.definition.values["TYPE"] in LISTS else "REMOVE"
        return (_word_of("ACTION", removed if step.verb == "DELETE" else "REPLACE"),)
    return (_word("REPLACE"),) if step.verb == "DEFINE" else ()


def parameter(row: Attribute, stored: Stored) -> Parameter:
    """An attribute with its value, as a command gives it."""
    if isinstance(row.type, Flag):
        return _word(str(stored))
    if not isinstance(row.type, Items):
        return Parameter(row.keyword, "", (_value(row.type, stored),), 0, 0)
    items = stored if isinstance(stored, list) else [str(stored)]
    values = tuple(_value(row.type.of, each) for each in items)
    return Parameter(row.keyword, "", values or (_quoted(" "),), 0, 0)


def _value(kind: Type, stored: Stored) -> Value:
    if isinstance(kind, (Number, Word)):
        return _bare(str(stored))
    # A zero-length text is meant only where it is no padded field.
    return _quoted(str(stored) or ("" if getattr(kind, "varying", False) else " "))


def _word(keyword: str) -> Parameter:
    return Parameter(keyword, "", None, 0, 0)


def _word_of(keyword: str, word: str) -> Parameter:
    return Parameter(keyword, "", (_bare(word),), 0, 0)


def _named(keyword: str, name: str) -> Parameter:
    return Parameter(keyword, "", (_quoted(name),), 0, 0)


def _bare(text: str) -> Value:
    return Value(text, "", False, 0, 0)


def _quoted(text: str) -> Value:
    return Value(text, "", True, 0, 0)
