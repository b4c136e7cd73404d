"""Finds every explanation of the words that a user asks about."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from mqsc.explain.subjects import MESSAGES, WORDS, all_words, explain_command, explain_concept, explain_value, rule_ids
from mqsc.language import codes
from mqsc.language.codes import Explanation, Part
from store.catalog import nearest

# The greatest distance of a number to the code that is suggested instead.
CLOSE = 5

EXPLAINERS = (codes.explain_code, *MESSAGES, *WORDS)


def _in_another_severity(word: str) -> Iterator[Explanation]:
    message = codes.MESSAGE_ID.fullmatch(word.upper())
    if message and message[2]:
        yield from _joined([each for explain in MESSAGES for each in explain(message[1])])


# Tried if the explainers above find nothing.
FALLBACKS = (explain_value, codes.explain_constant, codes.explain_format, _in_another_severity)


def explanations(word: str) -> list[Explanation]:
    """All explanations of a word, in any case: as a code, message, rule, verb, object or keyword.

    A word that has none is looked up further, until something is found: as a value of attributes, as a constant of
    the MQI, as a format, and as a message with another severity.
    """
    wanted = word.strip().rstrip(":")
    found = _joined([each for explain in EXPLAINERS for each in explain(wanted)])
    return found or next(filter(None, ([*explain(wanted)] for explain in FALLBACKS)), [])


def _joined(found: list[Explanation]) -> list[Explanation]:
    """A message that is also an error in scripts is explained once, with the example of the error."""
    errors = {each.name: each for each in found if each.kind == "error"}
    messages = {each.name for each in found if each.kind == "message"}
    return [
        replace(each, parts=(*each.parts, *_examples(errors[each.name])))
        if each.kind == "message" and each.name in errors
        else each
        for each in found
        if not (each.kind == "error" and each.name in messages)
    ]


def _examples(error: Explanation) -> list[Part]:
    return [part for part in error.parts if part.is_script]


def topics(words: Sequence[str]) -> Iterator[tuple[str, list[Explanation]]]:
    """The subjects of several words, with their explanations: DEFINE QLOCAL is a command, QUEUE FULL a concept."""
    start = 0
    while start < len(words):
        for beyond in range(len(words), start + 1, -1):
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
    for number, (word, found) in enumerate(topics(words)):
        if number:
            yield ""
        for index, each in enumerate(found):
            if index:
                yield ""
            yield from each.lines(width)
        if not found:
            yield from textwrap.wrap(unknown(word), width, break_long_words=False, break_on_hyphens=False)


def unknown(word: str) -> str:
    """The message for an unknown word, with a suggestion if one is close."""
    if codes.MESSAGE_ID.fullmatch(word.upper()):
        return f"{word!r} is never printed here, and is not among the messages of IBM MQ that are explained"
    near = close_to(word)
    return f"{word!r} is not a known code, message, rule, keyword, object, verb or concept" + (
        f"; did you mean {near}?" if near else ""
    )


def close_to(word: str) -> str | None:
    """The known word that is closest to an unknown one; None if none is close."""
    if codes.codes_of(f"0x{word}"):
        return f"0x{word}"
    number = codes.number_of(word)
    if number is not None:
        near = min(codes.all_codes(), key=lambda code: (abs(code.number - number), code.number)).number
        return str(near) if abs(near - number) <= CLOSE else None
    return nearest(word, known_words())


def known_words() -> list[str]:
    """Every word that can be explained, numbers aside."""
    names = (code.name for code in codes.all_codes())
    return [*all_words(), *names, *codes.all_message_ids(), *rule_ids()]
