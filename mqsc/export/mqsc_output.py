"""Writes an export as MQSC, in lines of at most 72 columns, for `mqsc run` and runmqsc."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from grammar.printing import print_tree
from grammar.tree import Command, Parameter, Value
from mqsc.export.definition import Definition
from mqsc.export.export_commands import ExportCommand, can_be_deleted_again
from mqsc.export.wrapping import COLUMNS, wrapped
from mqsc.verbs.authority_parameters import SELF
from store.catalog import Attribute, Stored
from store.catalog.types import Flag, Items, Number, Type, Word
from store.rules.channel_auth import LISTS

HEADING = "* Written by mqsc export. Run it to recreate these definitions."
LONGEST = 32_768
_UNWRITABLE = re.compile("[\0\r\n\ud800-\udfff]")


def script_lines(commands: Iterable[ExportCommand], *, one_line: bool = False) -> Iterator[str]:
    """The heading, then the commands. With `one_line`, each command is a single line, up to LONGEST characters."""
    yield HEADING
    for command in commands:
        if not one_line:
            yield ""
        yield from _remarks(command)
        given, left_out = _parameters(command)
        yield from (f"* {word} of {command.definition.title} has a value that MQSC cannot express" for word in left_out)
        if given or command.verb != "ALTER":
            text = _text(command, given, LONGEST if one_line else COLUMNS)
            yield from text.split("\n") if one_line else wrapped(text)


def deletion(definition: Definition) -> str:
    """The command that deletes the object or record, as one line."""
    command = ExportCommand("DELETE", definition, {})
    return _text(command, _parameters(command)[0], LONGEST)


def _text(command: ExportCommand, given: Iterable[Parameter], columns: int) -> str:
    verb = "SET" if command.definition.kind.keyword == "CHLAUTH" else command.verb
    return print_tree(Command((_word(verb), *_subject(command), *given, *_ending(command)), 0), columns)


def _remarks(command: ExportCommand) -> Iterator[str]:
    """Comments for what must be done by hand: set secrets, which are never shown, and define missing objects."""
    for word in command.secrets:
        yield f"* {word} of {command.definition.title} is not shown. Set it by hand."
    for word in command.missing:
        yield f"* {word} of {command.definition.title} is missing. Define {command.definition.values[word]} first."


def _parameters(command: ExportCommand) -> tuple[list[Parameter], list[str]]:
    """The parameters of the command, and the attributes that MQSC cannot express."""
    given = [*_given(command)]
    left_out = [each.keyword for each in given if any(_UNWRITABLE.search(value.text) for value in each.values or ())]
    return [each for each in given if each.keyword not in left_out], left_out


def _subject(command: ExportCommand) -> tuple[Parameter, ...]:
    """The noun and the name; for an authority record, AUTHREC and its profile."""
    definition = command.definition
    if definition.kind.keyword != "AUTHREC":
        return (
            _named(definition.kind.keyword, definition.name) if definition.name else _word(definition.kind.keyword),
        )
    of_itself = definition.values["OBJTYPE"] == "QMGR" and definition.name == SELF
    profile = () if of_itself else (_named("PROFILE", definition.name),)
    return (_word("AUTHREC"), *profile)


def _given(command: ExportCommand) -> Iterator[Parameter]:
    """The attributes, first those that must follow the name."""
    definition = command.definition
    if definition.kind.keyword == "AUTHREC":
        yield from _authority(definition.values, deleted=command.verb == "DELETE")
        return
    rows = definition.kind.attributes
    values = dict(command.values)
    if command.verb == "DELETE":
        values = {word: definition.values[word] for word in definition.kind.identity if definition.values.get(word)}
    for word in sorted(values, key=lambda each: (not rows[each].leading, each)):
        yield parameter(rows[word], values[word])


def _authority(values: Mapping[str, Stored], *, deleted: bool) -> Iterator[Parameter]:
    yield _word_of("OBJTYPE", str(values["OBJTYPE"]))
    yield _named(str(values["ENTTYPE"]), str(values["ENTITY"]))
    if deleted:
        return
    rights = values["AUTHLIST"] if isinstance(values["AUTHLIST"], list) else []
    yield Parameter("AUTHADD", "", tuple(_bare(each) for each in rights or ["NONE"]), 0, 0)


def _ending(command: ExportCommand) -> tuple[Parameter, ...]:
    if command.definition.kind.keyword == "AUTHREC":
        return ()
    if command.definition.kind.keyword == "CHLAUTH":
        # REMOVE would remove only single items of a record that is a list.
        removed = "REMOVEALL" if command.definition.values["TYPE"] in LISTS else "REMOVE"
        return (_word_of("ACTION", removed if command.verb == "DELETE" else "REPLACE"),)
    if command.verb == "DELETE":
        table = (_word_of("CHLTABLE", "CLNTTBL"),) if command.definition.subtype == "CLNTCONN" else ()
        # So that the export can be run again.
        return (*table, _word_of("IGNSTATE", "YES")) if can_be_deleted_again(command.definition.kind) else table
    return (_word("REPLACE"),) if command.verb == "DEFINE" else ()


def parameter(row: Attribute, stored: Stored) -> Parameter:
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
    # An empty value of a padded field is a blank.
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
