"""Completion of words and names while a command is typed."""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import NamedTuple

from mqsc.grammar.diagnosis import Begun, Unfinished, unfinished
from mqsc.language import command_table, support
from mqsc.language.request import CommandSyntax, Naming
from mqsc.language.where import filter_type, is_filterable, operators_for
from mqsc.store.admin.inquiring import inquire
from mqsc.store.catalog import Attribute, Kind, kinds_of
from mqsc.store.catalog.types import Flag, Items, Name, Number
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.error import MQError, StoreError
from mqsc.verbs.syntax import syntax_of

# A longer list would not be read.
MAX_NAMES = 200
_UNQUOTED = re.compile(r"[A-Z0-9./_%]+")
# Types of status, and the type of the object they are named after.
_NAMED_AFTER: Mapping[str, str] = {
    "CHSTATUS": "CHANNEL",
    "LSSTATUS": "LISTENER",
    "QSTATS": "QLOCAL",
    "QSTATUS": "QLOCAL",
    "SBSTATUS": "SUB",
    "SVSTATUS": "SERVICE",
}
_NOUN_HELP = "type of object"


class Candidate(NamedTuple):
    """A word that the incomplete one may become, what is inserted after it, and what it means."""

    word: str
    about: str = ""
    after: str = ""


class Completions(NamedTuple):
    """The incomplete word at the cursor as typed, and its candidates, best first."""

    begun: str
    candidates: list[Candidate]


class CursorPlace(NamedTuple):
    """Where the cursor is in a command: the syntax of the command, if verb and object are known,
    and the parser.
    """

    state: Unfinished
    verb: str | None
    syntax: CommandSyntax | None

    @property
    def open_attribute(self) -> Attribute | None:
        """The attribute whose parentheses are open."""
        return self.attribute_of(self.state.opened)

    def attribute_of(self, parameter: Begun | None) -> Attribute | None:
        if self.syntax is None or parameter is None or parameter is self.noun:
            return None
        attribute, _ = self.syntax.words.get(parameter.keyword, (None, True))
        return attribute

    @property
    def noun(self) -> Begun | None:
        """The parameter that names the object."""
        parameters = (*self.state.parameters, *((self.state.opened,) if self.state.opened else ()))
        return parameters[1] if len(parameters) > 1 else None


def place_in(command: str) -> CursorPlace:
    """The place of the end of an unfinished command."""
    state = unfinished(command)
    parameters = [*state.parameters, *([state.opened] if state.opened else [])]
    verb = (
        command_table.verb_of(parameters[0].keyword)
        if parameters and parameters[0].values is None
        else None
    )
    noun = (
        command_table.noun_of(verb, parameters[1].keyword) if verb and len(parameters) > 1 else None
    )
    return CursorPlace(state, verb, syntax_of(verb, noun) if verb and noun else None)


def is_outside_values(command: str) -> bool:
    """Whether the end of an unfinished command is neither in quotes nor in parentheses."""
    state = unfinished(command)
    return state.opened is None and not state.quoted and state.takes_keyword


def completions(command: str, qmgr: QueueManager | None) -> Completions:
    """What may follow an unfinished command. Words are in lower case if the incomplete word is."""
    place = place_in(command)
    state = place.state
    if state.takes_value:
        candidates = [*_values(place), *_names(place, qmgr)]
    elif state.takes_keyword:
        candidates = [*_keywords(place)]
    else:
        candidates = []
    wanted = state.word.upper()
    fitting = [each for each in candidates if each.word.lstrip("'").upper().startswith(wanted)]
    if state.word.islower() and not state.quoted:
        fitting = [
            each if each.word.startswith("'") else each._replace(word=each.word.lower())
            for each in fitting
        ]
    return Completions(state.word, fitting)


def _keywords(place: CursorPlace) -> Iterator[Candidate]:
    parameters = place.state.parameters
    if not parameters:
        listed = command_table.LISTED_VERBS
        others = (
            [verb for verb in command_table.COMMANDS if verb not in listed]
            if place.state.word
            else []
        )
        yield from map(Candidate, (*listed, *others))
    elif len(parameters) == 1 and place.verb:
        yield from _nouns(place.verb, hidden=bool(place.state.word))
    elif place.syntax is not None:
        yield from _parameters(place, place.syntax)


def _nouns(verb: str, *, hidden: bool) -> Iterator[Candidate]:
    """The objects of a verb; those of commands that are not supported here only if a word has
    been begun.
    """
    for noun in sorted(command_table.COMMANDS[verb]):
        supported = (verb, noun) not in support.UNSUPPORTED
        if supported or hidden:
            named = syntax_of(verb, noun).naming is not Naming.NONE
            yield Candidate(
                noun,
                _NOUN_HELP if supported else "not supported here",
                "(" if named else "",
            )


def _parameters(place: CursorPlace, syntax: CommandSyntax) -> Iterator[Candidate]:
    """The parameters that were not given yet; those that the command needs come first."""
    used = {
        id(attribute)
        for parameter in place.state.parameters[2:]
        for attribute in [place.attribute_of(parameter)]
        if attribute is not None
    }
    requested = {
        parameter.keyword for parameter in place.state.parameters[2:] if parameter.values is None
    }
    subtype = _subtype(place, syntax)
    words = [
        (word, attribute)
        for word, (attribute, _) in syntax.words.items()
        if id(attribute) not in used
        and attribute.takes(subtype)
        and (word == attribute.keyword or isinstance(attribute.type, Flag))
    ]
    words.sort(key=lambda each: (not each[1].is_required(subtype), each[0]))
    for word, attribute in words:
        yield Candidate(
            word,
            attribute.help,
            "" if isinstance(attribute.type, Flag) or word in syntax.listed else "(",
        )
    taken = {word for word, _ in words}
    for word, keyword in syntax.listed.items():
        if word not in taken and word not in requested and word == keyword:
            yield Candidate(word, _help_of(syntax, keyword))


def _subtype(place: CursorPlace, syntax: CommandSyntax) -> str:
    selector = syntax.kinds[0].selector
    for each in place.state.parameters:
        if each.keyword == selector and each.values:
            return each.values[0]
    return ""


def _help_of(syntax: CommandSyntax, keyword: str) -> str:
    return next(
        (kind.attributes[keyword].help for kind in syntax.kinds if keyword in kind.attributes),
        "",
    )


def _values(place: CursorPlace) -> Iterator[Candidate]:
    """The words that the open parameter takes."""
    attribute, opened = place.open_attribute, place.state.opened
    if attribute is None or opened is None or place.syntax is None:
        return
    if attribute.keyword == "WHERE":
        yield from _filter_words(place.syntax, opened.values or ())
        return
    if opened.values and not isinstance(attribute.type, Items):
        return
    typed_values = set(opened.values or ())
    if attribute.default not in (None, "", []) and not isinstance(attribute.default, list):
        yield from (
            Candidate(str(attribute.default), "default")
            for _ in range(str(attribute.default) not in typed_values)
        )
    yield from (
        Candidate(word)
        for word in attribute.type.words
        if word not in typed_values and word != str(attribute.default)
    )


def _filter_words(syntax: CommandSyntax, values: tuple[str, ...]) -> Iterator[Candidate]:
    """The attributes, the operators of the attribute, or its values, as far as WHERE has been
    typed.
    """
    if not values:
        for word, keyword in syntax.listed.items():
            if word == keyword and is_filterable(syntax.noun, keyword):
                yield Candidate(word, _help_of(syntax, keyword))
        return
    kind = next((kind for kind in syntax.kinds if values[0] in kind.attributes), None)
    if kind is None:
        return
    type = filter_type(kind, kind.attributes[values[0]])
    if len(values) == 1:
        yield from (Candidate(word, about) for word, about in operators_for(type).items())
    elif len(values) == 2:
        yield from (
            Candidate(word) for word in (("YES", "NO") if isinstance(type, Flag) else type.words)
        )


def _names(place: CursorPlace, qmgr: QueueManager | None) -> Iterator[Candidate]:
    """Names of existing objects; one that would be folded to upper case or split is offered in
    quotes.
    """
    kinds = _kinds(place)
    state = place.state
    if qmgr is None or not kinds:
        return
    # A word in lower case may also begin a name that must be quoted.
    words = (state.word,) if state.quoted else dict.fromkeys((state.word.upper(), state.word))
    found = chain.from_iterable(existing_names(qmgr, kinds, f"{each}*") for each in words)
    for name, kind in dict(found).items():
        plain = state.quoted or _UNQUOTED.fullmatch(name)
        yield Candidate(name if plain else f"'{name}'", kind)


def existing_names(
    qmgr: QueueManager,
    kinds: tuple[Kind, ...],
    pattern: str,
) -> Iterable[tuple[str, str]]:
    """The names that match, each with the type of the object; at most MAX_NAMES."""
    try:
        rows = [*islice(inquire(qmgr, kinds, pattern), MAX_NAMES)]
    except (MQError, StoreError):
        # The queue manager has ended, or the store cannot be read; the next command reports why.
        return []
    names = (
        (str(next(iter(row.values()))), str(row.get("TYPE", kinds[0].keyword))) for row in rows
    )
    return dict(names).items()


def _kinds(place: CursorPlace) -> tuple[Kind, ...]:
    """The kinds of object whose names fit: that of the command for its noun, else as the catalog
    says.
    """
    opened, syntax = place.state.opened, place.syntax
    if syntax is None or opened is None:
        return ()
    if opened is place.noun:
        return () if opened.values or syntax.verb.keyword == "DEFINE" else _named_after(syntax)
    if opened.keyword == "LIKE":
        return () if opened.values else _named_after(syntax)
    attribute = place.open_attribute
    if attribute is None:
        return ()
    takes_several = isinstance(attribute.type, Items)
    taken = attribute.type.of if isinstance(attribute.type, Items) else attribute.type
    if isinstance(taken, Name) and (takes_several or not opened.values):
        return kinds_of(taken.of)
    return ()


def _named_after(syntax: CommandSyntax) -> tuple[Kind, ...]:
    return kinds_of(_NAMED_AFTER.get(syntax.noun, syntax.noun))


def limits_of(attribute: Attribute) -> str:
    """The values that an attribute takes, in short: a range for numbers, the words otherwise."""
    kind = attribute.type.of if isinstance(attribute.type, Items) else attribute.type
    if isinstance(kind, Number):
        return " | ".join((*kind.named, f"{kind.low} to {kind.high}"))
    return attribute.type.wanted
