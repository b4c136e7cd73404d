"""What may stand in a command: its form, read off the catalog and the verb's own parameters."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

from mqsc.language.command_table import noun_of, verb_of
from mqsc.language.generic_names import Anything
from mqsc.language.nouns import bare
from mqsc.language.request import Form, Verb, same_namespace, words_of
from mqsc.language.unsupported import ELSEWHERE, Elsewhere
from mqsc.verbs import VERBS, refuse
from mqsc.verbs.options import option
from store.catalog import Attribute, Kind
from store.catalog.types import Text

# Kept in the catalog for their help; each verb says itself which objects take them.
_OF_A_GROUP = frozenset({"CMDSCOPE", "QSGDISP"})


@cache
def form_of(verb: str, noun: str) -> Form:
    """What a command may consist of; KeyError when MQSC has no such command."""
    elsewhere = ELSEWHERE.get((verb, noun))
    if elsewhere is not None:
        return _form(_not_here(elsewhere), noun)
    return _form(VERBS[verb], noun)


def begun_form(text: str) -> Form | None:
    """The command that a text begins with, though the rest of it cannot be read."""
    words = re.findall(r"[^\s,()';]+", text.upper())[:2]
    verb = verb_of(words[0]) if words else None
    noun = noun_of(verb, words[1]) if verb and len(words) > 1 else None
    return form_of(verb, noun) if verb and noun else None


def _form(entry: Verb, noun: str) -> Form:
    kinds = entry.objects[noun]
    words: dict[str, tuple[Attribute, bool]] = {}
    for kind in kinds:
        words |= _given(entry, kind)
        if entry.lists_attributes:
            words |= words_of(_choosers(kind, alone=len(kinds) == 1))
    for each in entry.options:
        known = any(each.row.keyword in kind.attributes for kind in kinds)
        if (not each.nouns or noun in each.nouns) and (known or not each.of_kind):
            words |= words_of((each.row,))
    demanded = tuple(row for row, _ in words.values() if row.required or row.required_for)
    return Form(entry, noun, kinds, words, _listed(kinds) if entry.lists_attributes else {}, demanded)


def _given(entry: Verb, kind: Kind) -> dict[str, tuple[Attribute, bool]]:
    """The words of a kind that take a value in commands of this verb."""
    return {
        word: (row, on)
        for word, (row, on) in kind.words.items()
        if entry.keyword in row.verbs and word not in row.display_synonyms and _takes_value(entry, kind, row)
    }


def _takes_value(entry: Verb, kind: Kind, row: Attribute) -> bool:
    """Attributes, where the verb sets them; the parameters of commands on records, which are rows of the record."""
    if row.option:
        return bool(kind.identity) and row.keyword not in _OF_A_GROUP
    return entry.takes_attributes


def _choosers(kind: Kind, *, alone: bool) -> list[Attribute]:
    """What DISPLAY takes with a value, to choose objects; the type of a queue only where several are covered."""
    return [
        replace(
            row, type=row.display_filter, synonyms=(*row.synonyms, *row.display_synonyms), option=True, required=False
        )
        for row in kind.attributes.values()
        if row.display_filter is not None and not (alone and row.constant is not None)
    ]


def _listed(kinds: tuple[Kind, ...]) -> dict[str, str]:
    """What DISPLAY may be asked for: whatever any kind of the namespace shows (TARGET of a QLOCAL is just left out)."""
    alike = same_namespace(kinds[0])
    return {word: word for kind in alike for word in kind.key} | {
        word: row.keyword
        for kind in alike
        for word, (row, _) in kind.words.items()
        if "DISPLAY" in row.verbs and not row.option
    }


def _not_here(row: Elsewhere) -> Verb:
    """A verb that reads the parameters of such a command and carries out nothing."""
    options = tuple(option(word, Anything(), "For a command that is refused here.") for word in row.parameters)
    return Verb(row.verb, {row.noun: (bare(row.noun, Text(64)),)}, row.naming, refuse, options)
