"""Exported definitions as MQSC, JSON and YAML."""

import json
import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Any

from mqsc.console.terminal import printable
from mqsc.grammar.printing import UNWRITABLE, print_tree
from mqsc.grammar.tree import Command, Parameter, Value
from mqsc.scripts.declarations import record_of
from mqsc.scripts.export import ExportCommand, can_be_deleted_again
from mqsc.store.admin.records import list_of
from mqsc.store.catalog import Attribute, Stored
from mqsc.store.catalog.types import Flag, Items, Number, Type, Word
from mqsc.store.rules.authority_profiles import SELF
from mqsc.store.rules.channel_auth import LISTS

# Writes an export as MQSC, in lines of at most 72 columns, for `mqsc run` and runmqsc.

# Not an attribute: what SET AUTHREC takes from a record.
REMOVED_RIGHTS = "AUTHRMV"
HEADING = "* Written by mqsc export. Run it to recreate these definitions."
LONGEST = 32_768
SECOND_LINE = "   "


class Lines(StrEnum):
    """How a command is broken into lines."""

    # At most COLUMNS characters each.
    SHORT = "short"
    # One line, up to LONGEST characters.
    ONE = "one"
    # A line that names the object, and one with the attributes.
    TWO = "two"


def script_lines(commands: Iterable[ExportCommand]) -> Iterator[str]:
    """The heading, then the commands, each after an empty line."""
    yield HEADING
    for command in commands:
        yield ""
        yield from command_lines(command)


def command_lines(command: ExportCommand, lines: Lines = Lines.SHORT) -> Iterator[str]:
    """A command, after a comment for each value that it leaves out."""
    yield from _remarks(command)
    given, left_out = _parameters(command)
    for word in left_out:
        yield _comment(
            f"{word} of {command.definition.title} has a value that MQSC cannot express",
        )
    if given or command.unknown or command.verb != "ALTER":
        if lines is Lines.SHORT:
            yield from wrapped(_text(command, given, COLUMNS))
        elif lines is Lines.ONE:
            yield from _text(command, given, LONGEST).split("\n")
        else:
            yield from _two_lines(command, given)


def one_line(command: ExportCommand) -> str:
    """The command as one line."""
    return _text(command, _parameters(command)[0], LONGEST)


def _text(command: ExportCommand, parameters: Iterable[Parameter], columns: int) -> str:
    text = print_tree(Command((*_beginning(command), *parameters, *_ending(command)), 0), columns)
    return " ".join((text, *command.unknown.values()))


def _two_lines(command: ExportCommand, parameters: Iterable[Parameter]) -> Iterator[str]:
    """The command with its attributes in the second line; one line if it has none."""
    named = print_tree(Command(_beginning(command), 0), LONGEST)
    attributes = (*parameters, *_ending(command))
    texts = [print_tree(Command(attributes, 0), LONGEST)] if attributes else []
    second = " ".join((*texts, *command.unknown.values()))
    if not second:
        yield named
        return
    yield f"{named} +"
    yield from f"{SECOND_LINE}{second}".split("\n")


def _beginning(command: ExportCommand) -> tuple[Parameter, ...]:
    """The verb, and what it is about."""
    verb = "SET" if command.definition.kind.keyword == "CHLAUTH" else command.verb
    return (_word(verb), *_subject(command))


def _remarks(command: ExportCommand) -> Iterator[str]:
    """Comments for what must be done by hand: set secrets, which are never shown, and define
    missing objects.
    """
    for word in command.secrets:
        yield _comment(f"{word} of {command.definition.title} is not shown. Set it by hand.")
    for word in command.missing:
        missing = command.definition.values[word]
        yield _comment(f"{word} of {command.definition.title} is missing. Define {missing} first.")


def _comment(sentence: str) -> str:
    """A comment of one line, whatever the names in it are."""
    return f"* {printable(sentence)}"


def _parameters(command: ExportCommand) -> tuple[list[Parameter], list[str]]:
    """The parameters of the command, and the attributes that MQSC cannot express."""
    parameters = [*_attribute_parameters(command)]
    left_out = [
        each.keyword
        for each in parameters
        if any(UNWRITABLE.search(value.text) for value in each.values or ())
    ]
    return [each for each in parameters if each.keyword not in left_out], left_out


def _subject(command: ExportCommand) -> tuple[Parameter, ...]:
    """The noun and the name; for an authority record, AUTHREC and its profile."""
    definition = command.definition
    if definition.kind.keyword != "AUTHREC":
        return (
            _named(definition.kind.keyword, definition.name)
            if definition.name
            else _word(definition.kind.keyword),
        )
    of_itself = definition.values["OBJTYPE"] == "QMGR" and definition.name == SELF
    profile = () if of_itself else (_named("PROFILE", definition.name),)
    return (_word("AUTHREC"), *profile)


def _attribute_parameters(command: ExportCommand) -> Iterator[Parameter]:
    """The attributes, first those that must follow the name."""
    definition = command.definition
    if definition.kind.keyword == "AUTHREC":
        yield from _authority(command)
        return
    rows = definition.kind.attributes
    values = dict(command.values)
    if command.verb == "DELETE":
        values = {
            word: definition.values[word]
            for word in definition.kind.identity
            if definition.values.get(word)
        }
        if definition.disposition and not command.repeatable:
            values["QSGDISP"] = definition.disposition
    for word in sorted(values, key=lambda each: (not rows[each].leading, each)):
        yield parameter(rows[word], values[word])


def _authority(command: ExportCommand) -> Iterator[Parameter]:
    """What tells the record from others, and the authorities that the command adds and removes."""
    identity = command.definition.values
    yield _word_of("OBJTYPE", str(identity["OBJTYPE"]))
    yield _named(str(identity["ENTTYPE"]), str(identity["ENTITY"]))
    if command.verb == "DELETE":
        return
    removed = list_of(command.values, REMOVED_RIGHTS)
    added = list_of(command.values, "AUTHLIST") or ([] if removed else ["NONE"])
    for word, rights in (("AUTHADD", added), (REMOVED_RIGHTS, removed)):
        if rights:
            yield Parameter(word, "", tuple(map(_bare, rights)), 0, 0)


def _ending(command: ExportCommand) -> tuple[Parameter, ...]:
    if command.definition.kind.keyword == "AUTHREC":
        return ()
    if command.definition.kind.keyword == "CHLAUTH":
        # REMOVE would remove only single items of a record that is a list.
        removed = "REMOVEALL" if command.definition.values["TYPE"] in LISTS else "REMOVE"
        return (_word_of("ACTION", removed if command.verb == "DELETE" else "REPLACE"),)
    if command.verb == "DELETE":
        table = (
            (_word_of("CHLTABLE", "CLNTTBL"),) if command.definition.subtype == "CLNTCONN" else ()
        )
        # So that the export can be run again.
        ignores = command.repeatable and can_be_deleted_again(command.definition.kind)
        return (*table, _word_of("IGNSTATE", "YES")) if ignores else table
    return (_word("REPLACE"),) if command.repeatable and command.verb == "DEFINE" else ()


def parameter(attribute: Attribute, stored: Stored) -> Parameter:
    if isinstance(attribute.type, Flag):
        return _word(str(stored))
    if not isinstance(attribute.type, Items):
        return Parameter(attribute.keyword, "", (_value(attribute.type, stored),), 0, 0)
    items = stored if isinstance(stored, list) else [str(stored)]
    values = tuple(_value(attribute.type.of, each) for each in items)
    return Parameter(attribute.keyword, "", values or (_quoted(" "),), 0, 0)


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


# Breaks long lines of MQSC, which may continue anywhere, even inside quotes.

# Every runmqsc reads 72 columns; z/OS silently drops the rest of a line.
COLUMNS = 72
INDENT = "      "
BLANKS = " \t\f\v"
# How far before the limit to look for a good place to break.
REACH = 16


def wrapped(text: str, columns: int = COLUMNS) -> Iterator[str]:
    """The lines of a command, broken into lines of at most `columns`.

    After `+` the next line continues at its first non-blank character, after `-` at its first
    column. So `-` is used before blanks.
    """
    inside = False
    for line in text.split("\n"):
        indent = ""
        while len(indent) + len(line) > columns:
            cut = _break_position(line, columns - len(indent) - 1, inside)
            inside ^= _is_odd(line.count("'", 0, cut))
            before_blank = line[cut] in BLANKS
            yield f"{indent}{line[:cut]}{'-' if before_blank else '+'}"
            line, indent = line[cut:], "" if before_blank else INDENT
        inside ^= _is_odd(line.count("'"))
        yield indent + line


def _break_position(line: str, last: int, inside: bool) -> int:
    """The last position between words up to `last`, else the last possible one; `inside` if the
    line is in quotes.
    """
    possible = [at for at in range(last, last - REACH, -1) if _may_break(line, at, inside)]
    # A line that begins with an asterisk could be taken for a comment, even in quotes.
    possible = [at for at in possible if not line[at:].strip(BLANKS).startswith("*")] or possible
    within = [at for at in possible if line[at] not in BLANKS]
    between = [at for at in within if line[at - 1] in BLANKS]
    return next(iter((*between, *within, *possible)))


def _may_break(line: str, at: int, inside: bool) -> bool:
    """Whether the rest may be on a line of its own."""
    quoted = inside ^ _is_odd(line.count("'", 0, at))
    # A quote outside quotes opens them, or is the second of two. A continuation mark alone would be
    # an empty line.
    return (quoted or line[at] != "'") and line[at:].strip(BLANKS) not in ("+", "-")


def _is_odd(number: int) -> bool:
    return number % 2 == 1


# Writes an export as data: a row for each object, for JSON and YAML.

# Must be escaped between double quotes in YAML 1.1 and 1.2; \x85, \u2028 and \u2029 end a line in
# YAML 1.1.
_UNSEEN = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]")


_ACTIONS = {"DEFINE": "CREATE", "SET": "CREATE", "ALTER": "UPDATE", "DELETE": "DELETE"}


def rows(commands: Iterable[ExportCommand]) -> Iterator[dict[str, Any]]:
    """Each definition as in a plan for a new queue manager: action, type, name, and the attributes
    it would have.

    Deleted objects are marked, secrets are listed by name.
    """
    for command in (each for each in commands if not each.restores):
        definition = command.definition
        as_data: dict[str, Any] = {
            "action": _ACTIONS[command.verb],
            "type": definition.kind.keyword,
        }
        if definition.name:
            as_data["name"] = definition.name
        if command.verb == "DELETE":
            as_data["deleted"] = True
        if definition.disposition:
            as_data["disposition"] = definition.disposition
        if record := record_of(definition.kind, definition.values):
            as_data["record"] = [*record]
        identity = {
            word: definition.values[word]
            for word in definition.kind.identity
            if definition.values.get(word)
        }
        as_data["attributes"] = dict(
            sorted({**identity, **_selected(command), **command.values}.items()),
        )
        if command.unknown:
            as_data["unknown"] = dict(command.unknown)
        if command.secrets:
            as_data["not_shown"] = list(command.secrets)
        yield as_data


def _selected(command: ExportCommand) -> dict[str, Stored]:
    """The subtype, without which the other attributes would be ambiguous."""
    selector = command.definition.kind.selector
    return (
        {selector: command.definition.values[selector]}
        if selector in command.definition.values
        else {}
    )


def yaml_lines(rows: Iterable[dict[str, Any]]) -> Iterator[str]:
    """A YAML list. Strings are in double quotes as in JSON, which every YAML parser reads in the
    same way.
    """
    empty = True
    for row in rows:
        empty = False
        mark = "- "
        for key, value in row.items():
            if isinstance(value, dict):
                yield f"{mark}{key}:" + ("" if value else " {}")
                yield from (f"    {word}: {_scalar(each)}" for word, each in value.items())
            else:
                yield f"{mark}{key}: {_scalar(value)}"
            mark = "  "
    if empty:
        yield "[]"


def _scalar(value: Any) -> str:
    return _UNSEEN.sub(
        lambda found: f"\\u{ord(found.group()):04x}",
        json.dumps(value, ensure_ascii=False),
    )
