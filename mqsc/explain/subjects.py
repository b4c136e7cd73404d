"""What is explained, by subject, and every explanation of the words that a user asks about."""

import re
import textwrap
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

from msgspec.structs import replace

from mqsc.console.shell_words import shell_words, usage_of
from mqsc.diagnostic import Description
from mqsc.dlq.entry import DESCRIPTIONS as TABLES
from mqsc.dlq.keywords import KEYWORDS, Keyword
from mqsc.dlq.notices import CATALOG
from mqsc.explain.concepts import CONCEPTS, Concept
from mqsc.language import codes, command_table
from mqsc.language.codes import SYNTAX, Explanation, Part, explain_message, inserts_shown, parts_of
from mqsc.language.command_table import (
    COMMANDS,
    INERT_OBJECTS,
    NOUN_SYNONYMS,
    VERB_SYNONYMS,
    noun_of,
    verb_of,
)
from mqsc.lint.script_check import DESCRIPTIONS as SCRIPTS
from mqsc.store.catalog import KINDS, Attribute, Kind, Stored, kind_of
from mqsc.store.catalog.spelling import corrections, did_you_mean
from mqsc.store.catalog.status import STATUS_KINDS
from mqsc.store.catalog.types import Flag
from mqsc.store.rules.trigger.conditions import CONDITIONS
from mqsc.store.table import cells
from mqsc.verbs import VERBS
from mqsc.verbs.analysis import syntax_begun_by

# Explains concepts of MQ that are neither keywords nor codes: poison messages, backout, syncpoint.

_BETWEEN = re.compile(r"[\s_-]+")


def explain_concept(word: str) -> Iterator[Explanation]:
    """Explain a concept by its name or another word for it, in singular or plural."""
    key = _key(word)
    found = concepts().get(key) or concepts().get(key.removesuffix("s"))
    if found is not None:
        yield Explanation(
            "concept",
            found.name,
            f"{found.name}: {found.text}",
            (Part("try", "; ".join(_attempts(found))),),
        )


def _attempts(concept: Concept) -> Iterator[str]:
    for command in concept.in_shell:
        yield f"{command} (in the shell)"
    yield from concept.commands


@cache
def concepts() -> Mapping[str, Concept]:
    """The concepts by each of their words."""
    return {_key(word): concept for concept in CONCEPTS for word in concept.words}


def concept_words() -> list[str]:
    """The words for all concepts."""
    return [word.upper() for concept in CONCEPTS for word in concept.words]


def _key(word: str) -> str:
    return _BETWEEN.sub(" ", word.strip()).lower()


# Explains the conditions for a trigger event, which `mqsc trigger explain` calls triggering C1 to
# C14.

PARTS = (
    Part("of", "the fourteen conditions for a trigger event, under IBM's numbers"),
    Part("action", "`mqsc trigger explain QUEUE` says whether it holds, why, and what would help."),
)


def explain_condition(word: str) -> Iterator[Explanation]:
    """Explain a condition by its number."""
    name = word.upper()
    for number, condition in CONDITIONS.items():
        if name == f"C{number}":
            yield Explanation("condition", name, f"{name}: {condition.name}", PARTS)


# Explains the messages of the dead-letter queue handler and the keywords of rules tables.

OF = "rules table of the dead-letter queue handler"
PLACES: Mapping[str, str] = {
    "control": "control data",
    "pattern": "pattern of a rule",
    "action": "action of a rule",
}


def explain_notice(word: str) -> Iterator[Explanation]:
    """Explain a message of the handler."""
    notice_id = word.upper()
    row = CATALOG.get(notice_id)
    if row is not None:
        parts = (Part("cause", row.cause), Part("action", row.action))
        yield Explanation("message", notice_id, f"{notice_id}: {inserts_shown(row.text)}", parts)


def explain_table_keyword(word: str) -> Iterator[Explanation]:
    """Explain a keyword of rules tables."""
    row = KEYWORDS.get(word.upper())
    if row is not None:
        of, default = f"{OF}, {PLACES[row.part]}", _default(row)
        parts = parts_of(of=of, takes=row.type.wanted, default=default, field=row.source)
        yield Explanation("keyword", row.keyword, f"{row.keyword}: {row.help}", parts)


def _default(attribute: Keyword) -> str:
    # ACTION, which every rule must have, and FWDQ, which FWD needs, have no default.
    return (
        ""
        if attribute.default == "" and attribute.part == "action" and attribute.keyword != "FWDQM"
        else attribute.write(attribute.default)
    )


# Explains the rules of `mqsc check` and `mqsc dlq check`, and the errors in scripts and rules
# tables.


DESCRIPTIONS: tuple[Description, ...] = (*SCRIPTS, *TABLES)


def explain_rule(word: str) -> Iterator[Explanation]:
    """Explain a rule, with its examples; `MQSC-` and the severity of an error can be left out."""
    wanted = word.upper()
    for rule in DESCRIPTIONS:
        short = (
            rule.rule_id.rstrip("IWES")
            if rule.severity == "error"
            else rule.rule_id.removeprefix("MQSC-")
        )
        if wanted in (rule.rule_id, short):
            yield _explained(rule)


def _explained(rule: Description) -> Explanation:
    parts = [Part("severity", rule.severity), Part("why", rule.reason), Part("bad", rule.bad, True)]
    if rule.good:
        parts.append(Part("good", rule.good, True))
    kind = "error" if rule.severity == "error" else "rule"
    return Explanation(kind, rule.rule_id, f"{rule.rule_id}: {rule.title}", tuple(parts))


def rule_ids() -> list[str]:
    """The ids of all rules and errors."""
    return [each.rule_id for each in DESCRIPTIONS]


# Explains keywords, values, objects and verbs of MQSC from the catalog and the verbs.

ALL_KINDS = {**KINDS, **STATUS_KINDS}
PLATFORMS = dict(cells(__file__, "platforms.csv", ("platform", "meaning")))


def explain_keyword(word: str) -> Iterator[Explanation]:
    """Explain a keyword, once for each group of objects for which it has the same meaning."""
    groups: defaultdict[Explanation, list[str]] = defaultdict(list)
    for where, row in _rows(word.upper()):
        places = groups[_meaning(where, row)]
        if where not in places:
            places.append(where)
    for meaning, places in groups.items():
        yield replace(meaning, parts=(Part("of", ", ".join(places)), *meaning.parts))


def _meaning(where: str, attribute: Attribute) -> Explanation:
    """The explanation of an attribute of an object, without the object."""
    words = _words(attribute)
    inert = command_table.inert_because(KINDS[where], attribute) if where in KINDS else ""
    parts = parts_of(
        takes=attribute.type.wanted,
        default="" if attribute.default is None else _shown(attribute.default),
        verbs=", ".join(sorted(attribute.verbs)),
        platform=PLATFORMS.get(attribute.platform, ""),
        here=inert and f"no effect: {inert}",
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


def _rows(word: str) -> Iterator[tuple[str, Attribute]]:
    """The rows with that word, each with its object or verb."""
    for kind in ALL_KINDS.values():
        row, _ = kind.words.get(word, (None, True))
        if row is not None and not (row.option and _is_shared(row)):
            yield kind.keyword, row
    for verb in VERBS.values():
        for option in verb.options:
            if word in _words(option.parameter):
                yield verb.keyword, option.parameter


def _is_shared(attribute: Attribute) -> bool:
    """Whether a verb has an option with the same keyword."""
    return any(
        option.parameter.keyword == attribute.keyword
        for verb in VERBS.values()
        for option in verb.options
    )


def _words(attribute: Attribute) -> tuple[str, ...]:
    """All words for a row, the keyword first."""
    off = (attribute.type.off,) if isinstance(attribute.type, Flag) and attribute.type.off else ()
    return (attribute.keyword, *off, *attribute.synonyms, *attribute.display_synonyms)


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
        Part(SYNTAX, "\n".join(command_table.syntax_lines(syntax)), is_script=True),
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


def all_words() -> list[str]:
    """The words of MQSC and of the shell, the concepts, and the message ids and keywords of the
    dead-letter queue handler.
    """
    keywords = {word for kind in ALL_KINDS.values() for word in kind.words}
    options = {
        word
        for verb in VERBS.values()
        for option in verb.options
        for word in _words(option.parameter)
    }
    nouns = {noun for verb in COMMANDS for noun in COMMANDS[verb] if noun_of(verb, noun)}
    of_mqsc = sorted({*keywords, *options, *nouns, *COMMANDS, *NOUN_SYNONYMS, *VERB_SYNONYMS})
    of_shell = [word.upper() for word in shell_words()]
    return [*of_mqsc, *of_shell, *concept_words(), *CATALOG, *KEYWORDS]


# What explains a word, in the order in which the explanations are shown.
MESSAGES: tuple[Callable[[str], Iterator[Explanation]], ...] = (
    explain_message,
    explain_notice,
    explain_rule,
)
WORDS = (
    explain_concept,
    explain_condition,
    explain_verb,
    explain_object,
    explain_keyword,
    explain_table_keyword,
)


# Every explanation of the words that a user asks about.

# The greatest distance of a number to the code that is suggested instead.
CLOSE = 5

EXPLAINERS = (codes.explain_code, *MESSAGES, *WORDS)


def _in_another_severity(word: str) -> Iterator[Explanation]:
    message = codes.MESSAGE_ID.fullmatch(word.upper())
    if message and message[2]:
        yield from _joined([each for explain in MESSAGES for each in explain(message[1])])


# Tried if the explainers above find nothing.
FALLBACKS = (
    explain_shell_word,
    explain_value,
    codes.explain_constant,
    codes.explain_format,
    _in_another_severity,
)


def explanations(word: str) -> list[Explanation]:
    """All explanations of a word, in any case: as a code, message, rule, verb, object or keyword.

    A word that has none is looked up further, until something is found: as a command or setting of
    the shell, as a value of attributes, as a constant of the MQI, as a format, and as a message with another severity.
    """
    wanted = word.strip().rstrip(":")
    found = _joined([each for explain in EXPLAINERS for each in explain(wanted)])
    return found or next(filter(None, ([*explain(wanted)] for explain in FALLBACKS)), [])


def _joined(explanations_found: list[Explanation]) -> list[Explanation]:
    """A message that is also an error in scripts is explained once, with the example of the
    error.
    """
    errors = {each.name: each for each in explanations_found if each.kind == "error"}
    messages = {each.name for each in explanations_found if each.kind == "message"}
    return [
        replace(
            each,
            parts=(
                *each.parts,
                *(part for part in errors[each.name].parts if part.is_script),
            ),
        )
        if each.kind == "message" and each.name in errors
        else each
        for each in explanations_found
        if not (each.kind == "error" and each.name in messages)
    ]


def topics(words: Sequence[str]) -> Iterator[tuple[str, list[Explanation]]]:
    """The subjects of several words, with their explanations: DEFINE QLOCAL is a command, QUEUE
    FULL a concept. It makes no difference whether several words are one argument.
    """
    yield from _topics([part for word in words for part in _parts(word)])


def _parts(word: str) -> list[str]:
    """The words of one argument, if it is no subject as a whole but each of them belongs to one."""
    parts = word.split()
    if len(parts) < 2 or any(found for _, found in _topics([word])):
        return [word]
    return parts if all(found for _, found in _topics(parts)) else [word]


def _topics(words: Sequence[str]) -> Iterator[tuple[str, list[Explanation]]]:
    start = 0
    while start < len(words):
        for beyond in range(len(words), start, -1):
            several = " ".join(words[start:beyond])
            found = [*explain_command(several), *explain_concept(several)]
            if found:
                break
        else:
            beyond, several = start + 1, words[start]
            found = explanations(several)
        yield several, found
        start = beyond


def topic_lines(words: Sequence[str], width: int) -> Iterator[str]:
    """The explanations of several words as text; an unknown word has a message in its place."""
    for number, (word, explanations_of_word) in enumerate(topics(words)):
        if number:
            yield ""
        for index, explanation in enumerate(explanations_of_word):
            if index:
                yield ""
            yield from explanation.lines(width)
        if not explanations_of_word:
            yield from textwrap.wrap(
                unknown(word),
                width,
                break_long_words=False,
                break_on_hyphens=False,
            )


def unknown(word: str) -> str:
    """The message for an unknown word, with a suggestion if one is close."""
    if codes.MESSAGE_ID.fullmatch(word.upper()):
        return (
            f"{word!r} is never printed here, and is not among the messages of IBM MQ that are "
            "explained"
        )
    near = close_to(word)
    return f"{word!r} is not a known code, message, rule, keyword, object, verb or concept" + (
        f"; {did_you_mean([near])}" if near else ""
    )


def close_to(word: str) -> str | None:
    """The known word that is closest to an unknown one; None if none is close."""
    if codes.codes_of(f"0x{word}"):
        return f"0x{word}"
    number = codes.number_of(word)
    if number is not None:
        near = min(
            codes.all_codes(),
            key=lambda code: (abs(code.number - number), code.number),
        ).number
        return str(near) if abs(near - number) <= CLOSE else None
    return next(iter(corrections(word, known_words())), None)


def known_words() -> list[str]:
    """Every word that can be explained, numbers aside."""
    names = (code.name for code in codes.all_codes())
    return [*all_words(), *names, *codes.all_message_ids(), *rule_ids()]
