"""From a word to everything that it can mean."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from mqsc.explain.codes import (
    all_codes,
    all_message_ids,
    codes_of,
    explain_code,
    explain_constant,
    explain_message,
    number_of,
)
from mqsc.explain.dead_letters import explain_notice, explain_table_keyword, letter_words
from mqsc.explain.explanation import Explanation
from mqsc.explain.rules import explain_rule, rule_ids
from mqsc.explain.words import all_words, explain_keyword, explain_object, explain_value, explain_verb
from store.catalog import nearest

# How far a code may be from the one that was meant.
CLOSE = 5

EXPLAINERS: tuple[Callable[[str], Iterator[Explanation]], ...] = (
    explain_code,
    explain_message,
    explain_notice,
    explain_rule,
    explain_verb,
    explain_object,
    explain_keyword,
    explain_table_keyword,
)


def _in_another_severity(word: str) -> Iterator[Explanation]:
    return explain_message(word[:-1])


# What a word is taken for when it is nothing of the above.
ELSE: tuple[Callable[[str], Iterator[Explanation]], ...] = (explain_value, explain_constant, _in_another_severity)


def explanations(word: str) -> list[Explanation]:
    """Everything that a word means: a code, a message, a rule, a verb, an object, a keyword; any case.

    Else the attributes that take it as a value, the number of a name of the MQI, or a message in another severity.
    """
    wanted = word.strip().rstrip(":")
    found = [each for explain in EXPLAINERS for each in explain(wanted)]
    return found or next(filter(None, ([*explain(wanted)] for explain in ELSE)), [])


def unknown(word: str) -> str:
    """The sentence about a word that means nothing, with what was most likely meant."""
    near = close_to(word)
    return f"nothing is known as {word!r}" + (f"; did you mean {near}?" if near else "")


def close_to(word: str) -> str | None:
    """What was most likely meant by a word that means nothing; None when nothing is close."""
    if codes_of(f"0x{word}"):
        return f"0x{word}"
    number = number_of(word)
    if number is not None:
        near = min(all_codes(), key=lambda code: (abs(code.number - number), code.number)).number
        return str(near) if abs(near - number) <= CLOSE else None
    names = (code.name for code in all_codes())
    return nearest(word, [*all_words(), *letter_words(), *names, *all_message_ids(), *rule_ids()])
