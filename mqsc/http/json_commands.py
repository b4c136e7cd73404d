"""From a command in JSON to the request that the same command of MQSC makes (rest §3.2).

The fields become words and values of a parsed command, so that they are checked like those of MQSC
and never read as text: a quote or a parenthesis in a value is data. Each parameter has its place
among the others as the column, so that a refusal leads back to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mqsc.grammar.tree import Command, Parameter as Word, Value
from mqsc.http.errors import invalid
from mqsc.http.json_body import text_of
from mqsc.language import command_table
from mqsc.language.refusal import CommandRefusal
from mqsc.language.request import CommandSyntax, Naming, Request
from mqsc.language.value_types import WordList
from mqsc.store.admin.inquiring import inquire
from mqsc.store.catalog import KINDS, Attribute
from mqsc.store.catalog.pcf import INTEGER, pcf_attributes
from mqsc.store.catalog.types import Flag, Items, Number, Text
from mqsc.store.client.queue_manager import QueueManager
from mqsc.verbs.analysis import analyse
from mqsc.verbs.syntax import syntax_of

FIELDS = ("type", "command", "qualifier", "name", "parameters", "responseParameters")
# DISPLAY of these is accepted as text only.
_TEXT_ONLY = frozenset(
    "ARCHIVE CHINIT GROUP LOG SECURITY SYSTEM THREAD TRACE USAGE".split(),
)
_YES, _NO = "YES", "NO"
_CLIENT = "CLNTCONN"


def read_command(qmgr: QueueManager, body: Mapping[str, Any]) -> Request | CommandRefusal:
    """The request in a body, or why MQSC refuses it; RestError 400 if the body is not a command."""
    verb = text_of(dict(body), "command").strip().upper()
    noun = text_of(dict(body), "qualifier").strip().upper()
    name = text_of(dict(body), "name", "")
    parameters = body.get("parameters", {})
    if not isinstance(parameters, dict):
        raise invalid("the field 'parameters' must be an object")
    _check_values(parameters)
    shown = _shown(body, verb)
    syntax = _syntax(verb, noun)
    words: list[Word] = []
    if syntax is not None:
        _check(syntax, name)
        words = [*_words(syntax, parameters)]
        words += _type_of_channel(qmgr, syntax, name, words)
    words += [_word(keyword, None, len(words) + 1) for keyword in shown]
    named = _named(syntax, noun, name)
    return analyse(Command((_word(verb), named, *words), 1))


def _check_values(parameters: Mapping[str, Any]) -> None:
    """RestError 400 for a parameter with a value that none can have, whatever the command is."""
    for name, value in parameters.items():
        if isinstance(value, dict) or value is None:
            raise invalid(
                f"the parameter '{name}' must be a string, a number, a boolean or an array"
            )


def _shown(body: Mapping[str, Any], verb: str) -> list[str]:
    """The attributes that the command asks for."""
    if "responseParameters" not in body:
        return []
    shown = body["responseParameters"]
    if not isinstance(shown, list) or not all(isinstance(each, str) for each in shown):
        raise invalid("the field 'responseParameters' must be an array of strings")
    if command_table.verb_of(verb) != "DISPLAY":
        raise invalid("the field 'responseParameters' is for DISPLAY only")
    return [each.strip().upper() for each in shown]


def _syntax(verb_word: str, noun_word: str) -> CommandSyntax | None:
    """The syntax of the command; None if there is none, which the analysis then explains."""
    verb = command_table.verb_of(verb_word)
    noun = command_table.noun_of(verb, noun_word) if verb else None
    return syntax_of(verb, noun) if verb and noun else None


def _check(syntax: CommandSyntax, name: str) -> None:
    if syntax.verb.keyword == "DISPLAY" and syntax.noun in _TEXT_ONLY:
        raise invalid(f"{syntax.title} is accepted as text only: use the type runCommand")
    if name and syntax.naming is Naming.NONE:
        raise invalid(f"{syntax.title} takes no name: leave out the field 'name'")


def _named(syntax: CommandSyntax | None, noun: str, name: str) -> Word:
    """The noun with the name of the object, as it is given."""
    takes_blank = syntax is not None and syntax.naming is Naming.TOPIC
    return _word(noun, [name] if name or takes_blank else None)


def _words(syntax: CommandSyntax, parameters: Mapping[str, Any]) -> Iterator[Word]:
    """The parameters as words of a command."""
    for column, (name, value) in enumerate(parameters.items(), 1):
        keyword = name.strip().upper()
        known = syntax.words.get(keyword)
        if known is None:
            # The analysis refuses the keyword, and says what is meant.
            yield _word(keyword, ["?"], column)
            continue
        attribute, is_on = known
        if isinstance(attribute.type, Flag):
            word = _flag(attribute.type, keyword, value, name, is_on=is_on)
            if word:
                yield _word(word, None, column)
        elif isinstance(attribute.type, WordList):
            yield _word(keyword, _filter(name, value), column)
        else:
            yield _word(keyword, _texts(attribute, name, value), column)


def _flag(type_: Flag, keyword: str, value: object, name: str, *, is_on: bool) -> str:
    """The word that a flag with the value yes, no or one of its own words stands for; blank to
    leave it out.
    """
    text = {True: _YES, False: _NO}.get(value, "") if isinstance(value, bool) else ""
    if isinstance(value, str):
        text = value.strip().upper()
    if text in type_.words:
        return text
    if text not in (_YES, _NO):
        raise invalid(f"the parameter '{name}' takes yes or no")
    opposite = type_.off if is_on else type_.on
    return keyword if text == _YES else opposite


def _filter(name: str, value: object) -> list[str]:
    """The words of WHERE."""
    if not isinstance(value, str):
        raise invalid(f"the parameter '{name}' must be a string such as 'CURDEPTH GT 0'")
    return value.split(None, 2)


def _texts(attribute: Attribute, name: str, value: object) -> list[str]:
    """The values of a parameter."""
    if not isinstance(value, list):
        return [_text(attribute, name, value)]
    if not isinstance(attribute.type, Items) and len(value) != 1:
        raise invalid(f"the parameter '{name}' takes one value and no array")
    return [_text(attribute, name, each) for each in value]


def _text(attribute: Attribute, name: str, value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool) and set(attribute.type.words) >= {_YES, _NO}:
        return _YES if value else _NO
    is_number = isinstance(value, int) and not isinstance(value, bool)
    if is_number and _takes_numbers(attribute):
        return str(value)
    raise invalid(f"the parameter '{name}' takes {attribute.type.wanted}")


def _takes_numbers(attribute: Attribute) -> bool:
    """Whether a number may be given: texts that hold one beside words count (KAINT)."""
    if not isinstance(attribute.type, Text):
        return isinstance(attribute.type, Number)
    rows = (pcf_attributes(kind).get(attribute.keyword) for kind in KINDS)
    return any(row is not None and row.type == INTEGER for row in rows)


def _type_of_channel(
    qmgr: QueueManager,
    syntax: CommandSyntax,
    name: str,
    words: list[Word],
) -> list[Word]:
    """CHLTYPE for an ALTER CHANNEL without it: the type that the channel has, as clients of REST
    rely on (rest §3.2).
    """
    is_given = any(word.keyword in ("CHLTYPE", "TYPE") for word in words)
    if syntax.title != "ALTER CHANNEL" or is_given:
        return []
    types = [str(row["CHLTYPE"]) for row in inquire(qmgr, (KINDS["CHANNEL"],), name)]
    message_types = [each for each in types if each != _CLIENT]
    found = next(iter(message_types or types), "")
    return [_word("CHLTYPE", [found], len(words) + 1)] if found else []


def _word(keyword: str, texts: list[str] | None = None, column: int = 0) -> Word:
    """A word of a command; its values count as quoted, so that nothing in them is syntax."""
    values = None if texts is None else tuple(Value(text, text, True, 1, column) for text in texts)
    return Word(keyword, keyword, values, 1, column)
