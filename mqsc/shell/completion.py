"""Completion of MQSC keywords and values in the shell, from the vocabulary."""

from __future__ import annotations

import re

from mqsc.language.command_table import COMMANDS, LISTED_VERBS, noun_of, verb_of
from mqsc.language.syntax import syntax_of

_BEGUN = re.compile(r"[^\s,()']*$")
_PARENTHESISED = re.compile(r"\((?:'(?:[^']|'')*'|[^'()])*\)")
_OPEN = re.compile(r"([A-Z0-9]+)\s*\(\s*([^\s,()']*)$")


def candidates(text: str) -> tuple[str, list[str]]:
    """The incomplete word at the end of `text`, and the words that it may become.

    After an opening parenthesis these are the values of the keyword, otherwise verbs, object types or keywords.
    """
    command = last_command(text).upper()
    begun = _begun(command)
    words = [word for word in command[: len(command) - len(begun)].split() if word]
    value = _OPEN.search(_PARENTHESISED.sub(" ", command))
    if value:
        return _as_typed(text, begun), _fitting(begun, _values(words, value[1]))
    return _as_typed(text, begun), _fitting(begun, _keywords(_PARENTHESISED.sub(" ", " ".join(words)).split()))


def last_command(text: str) -> str:
    """The unfinished command at the end of `text`, with its lines joined."""
    return text.rpartition(";")[2].replace("+\n", " ").replace("-\n", " ")


def plain_words(command: str) -> list[str]:
    """The words of a command, without parentheses and their contents."""
    return _PARENTHESISED.sub(" ", command).upper().split()


def _begun(command: str) -> str:
    found = _BEGUN.search(command)
    return found.group() if found else ""


def _as_typed(text: str, begun: str) -> str:
    return text[len(text) - len(begun) :] if begun else ""


def _fitting(begun: str, words: list[str]) -> list[str]:
    return [word for word in words if word.startswith(begun)]


def _keywords(words: list[str]) -> list[str]:
    """The words that may follow `words`."""
    if not words:
        return [*LISTED_VERBS]
    verb = verb_of(words[0])
    if verb is None:
        return []
    if len(words) == 1:
        return sorted(COMMANDS[verb])
    noun = noun_of(verb, words[1])
    form = syntax_of(verb, noun) if noun else None
    return sorted({*form.words, *form.listed} - set(words[2:])) if form else []


def _values(words: list[str], keyword: str) -> list[str]:
    plain = _PARENTHESISED.sub(" ", " ".join(words)).replace("(", " ").split()
    verb = verb_of(plain[0]) if plain else None
    noun = noun_of(verb, plain[1]) if verb and len(plain) > 1 else None
    form = syntax_of(verb, noun) if verb and noun else None
    row, _ = form.words.get(keyword, (None, True)) if form else (None, True)
    return sorted(row.type.words) if row else []
