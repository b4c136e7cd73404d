"""The meanings of PCF's numbers in each command: the tables of `store.catalog.pcf`, read from
number to keyword.
"""

from collections.abc import Iterable, Mapping
from functools import cache

from msgspec import Struct

from mqsc.language.pcf_data import OPTION, option_keys
from mqsc.language.request import CommandSyntax, Naming
from mqsc.language.support import UNSUPPORTED
from mqsc.store.catalog import KINDS, QUEUES, Attribute, Kind
from mqsc.store.catalog.pcf import INTEGER, NAME, PcfAttribute, PcfCommandRow, pcf_attributes
from mqsc.store.constants import MQBACF, MQIA, value_of
from mqsc.store.rules.object_events import QUEUE_TYPES
from mqsc.store.table import cells
from mqsc.verbs.syntax import syntax_of

# What is displayed of authorities: the name and the type of an entity are one parameter of MQSC.
OF_ENTITIES = frozenset({"AUTHREC", "ENTAUTH"})
# Commands without a counterpart in PCF here: those that are not supported, and inquiries whose
# attributes have no numbers.
WITHOUT_COMMAND = frozenset((*UNSUPPORTED, ("DISPLAY", "CFSTATUS"), ("DISPLAY", "GROUP")))
# Parameters of commands whose kinds have no rows for them.
_FURTHER: dict[tuple[str, str], dict[str, PcfAttribute]] = {}
for _verb, _noun, _keyword, _constant, _type, _length in cells(
    __file__, "further_parameters.csv", ("verb", "noun", "keyword", "constant", "type", "length")
):
    _of_command = _FURTHER.setdefault((_verb, _noun), {})
    _of_command[_keyword] = PcfAttribute(value_of(_constant), _type, int(_length), {})
_AGENTS = frozenset({"CHINIT", "CMDSERV"})


def agent_rows(noun: str) -> Mapping[str, PcfAttribute]:
    """The rows of an agent of the queue manager, which are attributes of its status."""
    return (
        {"STATUS": pcf_attributes("QMSTATUS")[noun], **_FURTHER["START", "CHINIT"]}
        if noun in _AGENTS
        else {}
    )


class KeywordMeaning(Struct, frozen=True):
    """A keyword that a number can stand for."""

    keyword: str
    pcf_attribute: PcfAttribute
    attribute: Attribute


class CommandVocabulary(Struct, frozen=True):
    """A command of MQSC with the numbers of its name, parameters, attributes to ask for, and groups
    of these.

    Several keywords can have one number; its value then decides.
    """

    syntax: CommandSyntax
    command: PcfCommandRow
    name: int
    parameters: Mapping[int, tuple[KeywordMeaning, ...]]
    selectable: Mapping[int, tuple[str, ...]]


@cache
def vocabulary(command: PcfCommandRow) -> CommandVocabulary:
    """The meanings of the numbers in a command; KeyError if MQSC has no such command."""
    syntax = syntax_of(command.verb, command.noun)
    meanings: dict[int, list[KeywordMeaning]] = {}
    for attribute in {each.keyword: each for each, _ in syntax.words.values()}.values():
        pcf_attribute = _pcf_attribute(syntax, attribute)
        if pcf_attribute is not None and (attribute.keyword != "LIKE" or command.like):
            meanings.setdefault(pcf_attribute.number, []).append(
                KeywordMeaning(attribute.keyword, pcf_attribute, attribute),
            )
    parameters = {number: tuple(each) for number, each in meanings.items()}
    return CommandVocabulary(
        syntax,
        command,
        _name(command, syntax),
        parameters,
        _selectable(syntax),
    )


def rows_of(kinds: Iterable[Kind]) -> Mapping[str, PcfAttribute]:
    """The rows of several kinds that share their names, the first kind's first."""
    merged: dict[str, PcfAttribute] = {}
    for kind in kinds:
        merged = {**pcf_attributes(kind.keyword), **merged}
    return merged


def type_row(kind: Kind) -> PcfAttribute | None:
    """The row of TYPE, which is called QTYPE for queues."""
    rows = pcf_attributes(kind.keyword)
    return rows.get("QTYPE") or rows.get("TYPE")


def _pcf_attribute(syntax: CommandSyntax, attribute: Attribute) -> PcfAttribute | None:
    verb = syntax.verb.keyword
    noun = syntax.noun
    word = attribute.keyword
    further = _FURTHER.get((verb, noun), {})
    if word in further:
        return further[word]
    rows = rows_of(syntax.kinds)
    if word == "TYPE" and syntax.kinds[0] in QUEUES:
        return PcfAttribute(MQIA.Q_TYPE, INTEGER, 0, QUEUE_TYPES)
    if attribute.option:
        options = pcf_attributes(OPTION)
        for key in option_keys(word, verb, noun, syntax.kinds[0]):
            if key in options:
                return options[key]
    return rows.get(word)


def _name(command: PcfCommandRow, syntax: CommandSyntax) -> int:
    """The number of the name of the object, 0 if the command has none."""
    if syntax.naming is Naming.NONE:
        return 0
    if command.noun == "CONN":
        return MQBACF.CONNECTION_ID
    if len(command.required) > command.like:
        return command.required[command.like][0]
    row = rows_of(syntax.kinds).get(NAME)
    return row.number if row else 0


def rows_to_ask_for(syntax: CommandSyntax) -> Mapping[str, PcfAttribute]:
    """The rows of the attributes that an inquiry can ask for or filter by."""
    return rows_of([*_alike(syntax), *syntax.kinds])


def _selectable(syntax: CommandSyntax) -> Mapping[int, tuple[str, ...]]:
    """The keywords of attributes that can be asked for, by number."""
    rows = rows_to_ask_for(syntax)
    keywords: dict[int, list[str]] = {}
    for keyword in dict.fromkeys(syntax.listed.values()):
        row = rows.get(keyword)
        if row is not None:
            keywords.setdefault(row.number, []).append(keyword)
    return {number: tuple(words) for number, words in keywords.items()}


def _alike(syntax: CommandSyntax) -> Iterable[Kind]:
    """The kinds whose attributes can be asked for, too: a cluster queue manager has those of its
    channel.
    """
    if syntax.noun == "CLUSQMGR":
        return (KINDS["CHANNEL"],)
    return QUEUES if syntax.kinds[0] in QUEUES else ()
