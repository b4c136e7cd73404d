"""Explains keywords, values, objects and verbs of MQSC from the catalog and the verbs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cache

from msgspec.structs import replace

from mqsc.explain.explanation import SYNTAX, Explanation, Part, parts_of
from mqsc.language.command_table import COMMANDS, NOUN_SYNONYMS, VERB_SYNONYMS, noun_of, verb_of
from mqsc.language.inert import INERT_OBJECTS, INERT_RECORDS, inert_because
from mqsc.language.syntax import syntax_begun_by
from mqsc.language.syntax_help import syntax_lines
from mqsc.verbs import VERBS
from store.catalog import KINDS, Attribute, Kind, Stored, kind_of
from store.catalog.status import STATUS_KINDS
from store.catalog.types import Flag
from store.table import cells

ALL_KINDS = {**KINDS, **STATUS_KINDS}
PLATFORMS = {
    "zos": "z/OS only",
    "multi": "not on z/OS",
    "alw": "AIX, Linux and Windows",
    "unix": "AIX and Linux",
    "windows": "Windows only",
    "nsk": "HPE NonStop only",
}


def explain_keyword(word: str) -> Iterator[Explanation]:
    """Explain a keyword, once for each group of objects for which it has the same meaning."""
    groups: defaultdict[Explanation, list[str]] = defaultdict(list)
    for where, row in _rows(word.upper()):
        places = groups[_meaning(where, row)]
        if where not in places:
            places.append(where)
    for meaning, places in groups.items():
        yield replace(meaning, parts=(Part("of", ", ".join(places)), *meaning.parts))


def _meaning(where: str, row: Attribute) -> Explanation:
    """The explanation of an attribute of an object, without the object."""
    words = _words(row)
    inert = inert_because(KINDS[where], row) if where in KINDS else ""
    parts = parts_of(
        takes=row.type.wanted,
        default="" if row.default is None else _shown(row.default),
        verbs=", ".join(sorted(row.verbs)),
        platform=PLATFORMS.get(row.platform, ""),
        here=inert and f"no effect: {inert}",
        also=", ".join(words[1:]),
    )
    return Explanation("keyword", words[0], f"{words[0]}: {row.help}", parts)


def is_attribute(word: str) -> bool:
    """Whether a word is a keyword of objects or of their status, or the name by which DISPLAY shows them."""
    return any(word in kind.words or word in kind.key for kind in ALL_KINDS.values())


def explain_value(word: str) -> Iterator[Explanation]:
    """List the attributes that take a word as their value, with their objects."""
    value = word.upper()
    places: defaultdict[str, list[str]] = defaultdict(list)
    for kind in ALL_KINDS.values():
        for row in kind.attributes.values():
            if value in row.type.words:
                places[row.keyword].append(kind.keyword)
    if places:
        shown = ", ".join(f"{keyword} ({', '.join(kinds)})" for keyword, kinds in sorted(places.items()))
        yield Explanation("value", value, f"{value}: a value of attributes", (Part("of", shown),))


def _rows(word: str) -> Iterator[tuple[str, Attribute]]:
    """The rows with that word, each with its object or verb."""
    for kind in ALL_KINDS.values():
        row, _ = kind.words.get(word, (None, True))
        if row is not None and not (row.option and _is_shared(row)):
            yield kind.keyword, row
    for verb in VERBS.values():
        for option in verb.options:
            if word in _words(option.row):
                yield verb.keyword, option.row


def _is_shared(row: Attribute) -> bool:
    """Whether a verb has an option with the same keyword."""
    return any(option.row.keyword == row.keyword for verb in VERBS.values() for option in verb.options)


def _words(row: Attribute) -> tuple[str, ...]:
    """All words for a row, the keyword first."""
    off = (row.type.off,) if isinstance(row.type, Flag) and row.type.off else ()
    return (row.keyword, *off, *row.synonyms, *row.display_synonyms)


def _shown(value: Stored) -> str:
    if isinstance(value, list):
        return ", ".join(value) or "none"
    return str(value) if value != "" else "blank"


def explain_object(word: str) -> Iterator[Explanation]:
    """Explain a type of object: its verbs, default objects and attributes."""
    kind = kind_of(word)
    noun = kind.keyword if kind else NOUN_SYNONYMS.get(word.upper(), word.upper())
    verbs = [verb for verb in sorted(COMMANDS) if noun in COMMANDS[verb]]
    if not verbs:
        return
    synonyms = sorted(short for short, long in NOUN_SYNONYMS.items() if long == noun)
    parts = (*parts_of(verbs=", ".join(verbs)), *_kind_parts(kind), *parts_of(also=", ".join(synonyms)))
    yield Explanation("object", noun, f"{noun}: {_sentences()['object', noun]}", parts)


def _kind_parts(kind: Kind | None) -> tuple[Part, ...]:
    if kind is None:
        return ()
    attributes = sorted(row.keyword for row in kind.attributes.values() if not row.option and not row.display_only)
    return parts_of(
        name=kind.name_type.wanted if kind.keyword != "QMGR" else "",
        starts_as=", ".join(sorted({*kind.default_objects.values()})),
        keywords=", ".join(attributes),
        platform=PLATFORMS.get(kind.platform, ""),
        here=_inert_object(kind.keyword),
    )


def _inert_object(keyword: str) -> str:
    """Why nothing acts on objects of a kind; blank if something does."""
    why = INERT_OBJECTS.get(keyword)
    return f"no effect: {why}" if why else INERT_RECORDS.get(keyword, "")


def explain_verb(word: str) -> Iterator[Explanation]:
    """Explain a verb: its objects and its own parameters."""
    verb = verb_of(word.upper())
    if verb is None:
        return
    options = sorted({option.row.keyword for option in VERBS[verb].options}) if verb in VERBS else []
    synonyms = sorted(short for short, long in VERB_SYNONYMS.items() if long == verb)
    parts = parts_of(objects=", ".join(sorted(COMMANDS[verb])), options=", ".join(options), also=", ".join(synonyms))
    yield Explanation("verb", verb, f"{verb}: {_sentences()['verb', verb]}", parts)


@cache
def _sentences() -> dict[tuple[str, str], str]:
    """What each object is and what each verb does."""
    return {(kind, word): sentence for kind, word, sentence in cells(__file__, "objects_and_verbs.csv")}


def explain_command(text: str) -> Iterator[Explanation]:
    """Explain a verb with its object, such as DEFINE QLOCAL: what it does, and its syntax."""
    found = syntax_begun_by(text)
    if found is None or len(text.split()) != 2:
        return
    sentence = f"{_sentences()['verb', found.verb.keyword]} {found.noun}: {_sentences()['object', found.noun]}"
    parts = (Part("about", sentence), Part(SYNTAX, "\n".join(syntax_lines(found)), is_script=True))
    yield Explanation("command", found.title, found.title, parts)


def all_words() -> list[str]:
    """All words that this module explains."""
    keywords = {word for kind in ALL_KINDS.values() for word in kind.words}
    options = {word for verb in VERBS.values() for option in verb.options for word in _words(option.row)}
    nouns = {noun for verb in COMMANDS for noun in COMMANDS[verb] if noun_of(verb, noun)}
    return sorted({*keywords, *options, *nouns, *COMMANDS, *NOUN_SYNONYMS, *VERB_SYNONYMS})
