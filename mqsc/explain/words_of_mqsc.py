"""Explains keywords, values, objects and verbs of MQSC from the catalog and the verbs."""

from collections import defaultdict
from collections.abc import Iterator
from functools import cache

from msgspec.structs import replace

from mqsc.console.shell_words import usage_of
from mqsc.language import syntax_text
from mqsc.language.command_table import COMMANDS, NOUN_SYNONYMS, VERB_SYNONYMS, verb_of
from mqsc.language.explanation import SYNTAX, Explanation, Part, parts_of
from mqsc.language.inert import INERT_OBJECTS, inert_because
from mqsc.store.catalog import KINDS, Attribute, Kind, Stored, kind_of
from mqsc.store.catalog.status import STATUS_KINDS
from mqsc.store.catalog.types import Flag
from mqsc.store.table import cells
from mqsc.verbs import VERBS
from mqsc.verbs.syntax import syntax_begun_by

ALL_KINDS = {**KINDS, **STATUS_KINDS}
PLATFORMS = dict(cells(__file__, "platforms.csv", ("platform", "meaning")))


def explain_keyword(word: str) -> Iterator[Explanation]:
    """Explain a keyword, once for each group of objects for which it has the same meaning."""
    groups: defaultdict[Explanation, list[str]] = defaultdict(list)
    for where, row in _attributes_named(word.upper()):
        places = groups[_meaning(where, row)]
        if where not in places:
            places.append(where)
    for meaning, places in groups.items():
        yield replace(meaning, parts=(Part("of", ", ".join(places)), *meaning.parts))


def _meaning(where: str, attribute: Attribute) -> Explanation:
    """The explanation of an attribute of an object, without the object."""
    words = words_for(attribute)
    no_effect = inert_because(KINDS[where], attribute) if where in KINDS else ""
    parts = parts_of(
        takes=attribute.type.wanted,
        default="" if attribute.default is None else _default_text(attribute.default),
        verbs=", ".join(sorted(attribute.verbs)),
        platform=PLATFORMS.get(attribute.platform, ""),
        here=no_effect and f"no effect: {no_effect}",
        also=", ".join(words[1:]),
    )
    return Explanation("keyword", words[0], f"{words[0]}: {attribute.help}", parts)


def is_attribute(word: str) -> bool:
    """Whether a word is a keyword of objects or of their status, or the name by which DISPLAY
    shows them.
    """
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
        shown = ", ".join(
            f"{keyword} ({', '.join(kinds)})" for keyword, kinds in sorted(places.items())
        )
        yield Explanation("value", value, f"{value}: a value of attributes", (Part("of", shown),))


def _attributes_named(word: str) -> Iterator[tuple[str, Attribute]]:
    """The rows with that word, each with its object or verb."""
    for kind in ALL_KINDS.values():
        row, _ = kind.words.get(word, (None, True))
        if row is not None and not (row.option and _is_shared(row)):
            yield kind.keyword, row
    for verb in VERBS.values():
        for option in verb.options:
            if word in words_for(option.parameter):
                yield verb.keyword, option.parameter


def _is_shared(attribute: Attribute) -> bool:
    """Whether a verb has an option with the same keyword."""
    return any(
        option.parameter.keyword == attribute.keyword
        for verb in VERBS.values()
        for option in verb.options
    )


def words_for(attribute: Attribute) -> tuple[str, ...]:
    """All words for a row, the keyword first."""
    off = (attribute.type.off,) if isinstance(attribute.type, Flag) and attribute.type.off else ()
    return (attribute.keyword, *off, *attribute.synonyms, *attribute.display_synonyms)


def _default_text(value: Stored) -> str:
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
    parts = (
        *parts_of(verbs=", ".join(verbs)),
        *_kind_parts(kind),
        *parts_of(also=", ".join(synonyms)),
    )
    yield Explanation("object", noun, f"{noun}: {_sentences()['object', noun]}", parts)


def _kind_parts(kind: Kind | None) -> tuple[Part, ...]:
    if kind is None:
        return ()
    attributes = sorted(
        row.keyword for row in kind.attributes.values() if not row.option and not row.display_only
    )
    return parts_of(
        name=kind.name_type.wanted if kind.keyword != "QMGR" else "",
        starts_as=", ".join(sorted({*kind.default_objects.values()})),
        keywords=", ".join(attributes),
        platform=PLATFORMS.get(kind.platform, ""),
        here=f"no effect: {INERT_OBJECTS[kind.keyword]}" if kind.keyword in INERT_OBJECTS else "",
    )


def explain_verb(word: str) -> Iterator[Explanation]:
    """Explain a verb: its objects and its own parameters."""
    verb = verb_of(word.upper())
    if verb is None:
        return
    options = (
        sorted({option.parameter.keyword for option in VERBS[verb].options})
        if verb in VERBS
        else []
    )
    synonyms = sorted(short for short, long in VERB_SYNONYMS.items() if long == verb)
    parts = parts_of(
        objects=", ".join(sorted(COMMANDS[verb])),
        options=", ".join(options),
        also=", ".join(synonyms),
    )
    yield Explanation("verb", verb, f"{verb}: {_sentences()['verb', verb]}", parts)


@cache
def _sentences() -> dict[tuple[str, str], str]:
    """A sentence about each object and each verb."""
    return {
        (kind, word): sentence
        for kind, word, sentence in cells(
            __file__, "objects_and_verbs.csv", ("kind", "word", "sentence")
        )
    }


def explain_command(text: str) -> Iterator[Explanation]:
    """Explain a verb with its object, such as DEFINE QLOCAL: what it does, and its syntax."""
    syntax = syntax_begun_by(text)
    if syntax is None or len(text.split()) != 2:
        return
    sentence = (
        f"{_sentences()['verb', syntax.verb.keyword]} {syntax.noun}: "
        f"{_sentences()['object', syntax.noun]}"
    )
    parts = (
        Part("about", sentence),
        Part(SYNTAX, "\n".join(syntax_text.syntax_lines(syntax)), is_script=True),
    )
    yield Explanation("command", syntax.title, syntax.title, parts)


def explain_shell_word(word: str) -> Iterator[Explanation]:
    """Explain a command or setting of the shell."""
    usage = usage_of(word)
    if usage is not None:
        typed, about = usage
        name = word.lower().removeprefix("\\")
        parts = (Part("of", "the shell, which `mqsc` without a command starts"),)
        yield Explanation("shell", name, f"{typed}: {about}", parts)
