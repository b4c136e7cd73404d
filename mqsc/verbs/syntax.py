"""The syntax of each command, derived from the catalog and from the verb's own parameters."""

import re
from functools import cache

from msgspec.structs import replace

from mqsc.language import command_table, support
from mqsc.language.request import CommandSyntax, Naming, Verb, same_namespace, words_of
from mqsc.language.support import UnsupportedCommand
from mqsc.language.value_types import Anything, GenericName
from mqsc.store.catalog import Attribute, Kind
from mqsc.store.catalog.object_kind import make_kind
from mqsc.store.catalog.types import Text
from mqsc.verbs import VERBS, refuse
from mqsc.verbs.command_options import option

# In the catalog only for their help; each verb declares which objects take them.
_OF_A_GROUP = frozenset({"CMDSCOPE", "QSGDISP"})


@cache
def syntax_of(verb: str, noun: str) -> CommandSyntax:
    """The syntax of a command; KeyError if MQSC has no such command."""
    unsupported = support.UNSUPPORTED.get((verb, noun))
    return _syntax(VERBS[verb] if unsupported is None else _refused(unsupported), noun)


def syntax_begun_by(text: str) -> CommandSyntax | None:
    """The syntax of the command that a text begins with, even if the rest of the text is not
    valid.
    """
    words = re.findall(r"[^\s,()';]+", text.upper())[:2]
    verb = command_table.verb_of(words[0]) if words else None
    noun = command_table.noun_of(verb, words[1]) if verb and len(words) > 1 else None
    return syntax_of(verb, noun) if verb and noun else None


def _syntax(entry: Verb, noun: str) -> CommandSyntax:
    kinds = entry.objects[noun]
    words: dict[str, tuple[Attribute, bool]] = {}
    for kind in kinds:
        words |= _settable_words(entry, kind)
        if entry.lists_attributes:
            words |= words_of(_selectors(kind, alone=len(kinds) == 1))
    for own_option in entry.options:
        known = any(own_option.parameter.keyword in kind.attributes for kind in kinds)
        if (not own_option.nouns or noun in own_option.nouns) and (known or not own_option.of_kind):
            words |= words_of((own_option.parameter,))
    demanded = tuple(
        attribute for attribute, _ in words.values() if attribute.required or attribute.required_for
    )
    naming = entry.naming_of(noun)
    generic = naming is Naming.GENERIC or (naming is Naming.OPTIONAL and entry.lists_attributes)
    names = tuple(GenericName(kind.name_type) if generic else kind.name_type for kind in kinds)
    listed = _listed(kinds) if entry.lists_attributes else {}
    return CommandSyntax(entry, noun, kinds, naming, names, words, listed, demanded)


def _settable_words(entry: Verb, kind: Kind) -> dict[str, tuple[Attribute, bool]]:
    """The words of a kind that commands of this verb accept with a value."""
    return {
        word: (attribute, on)
        for word, (attribute, on) in kind.words.items()
        if entry.keyword in attribute.verbs
        and word not in attribute.display_synonyms
        and _takes_value(entry, kind, attribute)
    }


def _takes_value(entry: Verb, kind: Kind, attribute: Attribute) -> bool:
    """Whether the verb sets the attribute, or the row is a parameter of commands on records."""
    if attribute.option:
        return bool(kind.identity) and attribute.keyword not in _OF_A_GROUP
    return entry.takes_attributes


def _selectors(kind: Kind, *, alone: bool) -> list[Attribute]:
    """The attributes that DISPLAY takes with a value to select objects; TYPE only if several
    kinds are covered.
    """
    return [
        replace(
            row,
            type=row.display_filter,
            synonyms=(*row.synonyms, *row.display_synonyms),
            option=True,
            required=False,
        )
        for row in kind.attributes.values()
        if row.display_filter is not None and not (alone and row.constant is not None)
    ]


def _listed(kinds: tuple[Kind, ...]) -> dict[str, str]:
    """The words that DISPLAY can ask for: those of every kind in the namespace; an object leaves
    out foreign ones.
    """
    alike = same_namespace(kinds[0])
    return {word: word for kind in alike for word in kind.key} | {
        word: row.keyword
        for kind in alike
        for word, (row, _) in kind.words.items()
        if "DISPLAY" in row.verbs and not row.option
    }


def _refused(command: UnsupportedCommand) -> Verb:
    """A verb that accepts the parameters of an unsupported command and refuses it."""
    options = tuple(
        option(word, Anything(), "For a command that is not supported here.")
        for word in command.parameters
    )
    return Verb(
        command.verb,
        {command.noun: (make_kind(command.noun, Text(64)),)},
        command.naming,
        refuse,
        options,
    )
