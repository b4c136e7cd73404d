"""Every explanation of the words that a user asks about."""

import textwrap
from collections.abc import Callable, Iterator, Sequence

from msgspec.structs import replace

from mqsc.console.shell_words import shell_words
from mqsc.dlq.keywords import KEYWORDS
from mqsc.dlq.notices import CATALOG
from mqsc.explain.concepts import concept_words, explain_concept
from mqsc.explain.lint_rules import explain_rule, rule_ids
from mqsc.explain.rules_tables import explain_notice, explain_table_keyword
from mqsc.explain.trigger_conditions import explain_condition
from mqsc.explain.words_of_mqsc import (
    ALL_KINDS,
    explain_command,
    explain_keyword,
    explain_object,
    explain_shell_word,
    explain_value,
    explain_verb,
    words_for,
)
from mqsc.language import codes
from mqsc.language.codes import explain_message
from mqsc.language.command_table import COMMANDS, NOUN_SYNONYMS, VERB_SYNONYMS, noun_of
from mqsc.language.explanation import Explanation
from mqsc.store.catalog.spelling import corrections, did_you_mean
from mqsc.verbs import VERBS


def all_words() -> list[str]:
    """The words of MQSC and of the shell, the concepts, and the message ids and keywords of the
    dead-letter queue handler.
    """
    keywords = {word for kind in ALL_KINDS.values() for word in kind.words}
    options = {
        word
        for verb in VERBS.values()
        for option in verb.options
        for word in words_for(option.parameter)
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
            phrase = " ".join(words[start:beyond])
            topic_explanations = [*explain_command(phrase), *explain_concept(phrase)]
            if topic_explanations:
                break
        else:
            beyond, phrase = start + 1, words[start]
            topic_explanations = explanations(phrase)
        yield phrase, topic_explanations
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
