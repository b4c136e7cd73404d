"""Colours for a command while it is typed, and the line of help under the prompt."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct, field

from mqsc.language.command_table import COMMANDS, ENDINGS, name_notation, notation, noun_of, verb_of
from mqsc.language.request import CommandSyntax
from mqsc.shell.completion import CursorPlace, limits_of, place_in
from mqsc.shell.own_commands import OWN_COMMANDS, SETTINGS, first_word, is_own_command
from mqsc.verbs.analysis import syntax_of
from store.catalog.types import Flag

Fragment = tuple[str, str]
VERB, NOUN, KEYWORD, TEXT, NUMBER = "class:verb", "class:noun", "class:keyword", "class:text", "class:number"
NAME, COMMENT, OWN, UNKNOWN, PLAIN, MARK = (
    "class:name", "class:comment", "class:own", "class:unknown", "", "class:mark",
)  # fmt: skip

_TOKEN = re.compile(r"'(?:[^']|'')*'?|[();]|[\s,]+|[^\s,()';]+")
_END_OF_QUOTED = re.compile(r"(?:[^']|'')*'?(?!')")
_OWN_TOKEN = re.compile(r"'(?:[^']|'')*'?|\"[^\"]*\"?|\s+|\S+")


class _State(Struct):
    """The command being read, from line to line."""

    words: list[str] = field(default_factory=list)
    inside: bool = False
    quoted: bool = False
    is_own: bool = False

    def syntax(self) -> CommandSyntax | None:
        verb = verb_of(self.words[0]) if self.words else None
        noun = noun_of(verb, self.words[1]) if verb and len(self.words) > 1 else None
        return syntax_of(verb, noun) if verb and noun else None


def highlighted(text: str) -> list[list[Fragment]]:
    """The fragments of each line with their styles. A word at the very end may be incomplete and is never unknown."""
    state = _State()
    lines = text.split("\n")
    found = []
    for number, line in enumerate(lines):
        if line.startswith("*") or (not state.quoted and line.lstrip().startswith("*")):
            found.append([(COMMENT, line)])
            continue
        found.append([*_fragments(state, line, is_last=number == len(lines) - 1)])
        if not line.rstrip().endswith(("+", "-")):
            state = _State()
    return found


def _fragments(state: _State, line: str, *, is_last: bool) -> Iterator[Fragment]:
    if not state.words and is_own_command(line):
        yield from _of_own_command(line)
        return
    start = 0
    if state.quoted and (end := _END_OF_QUOTED.match(line)):
        start = end.end()
        state.quoted = not end.group().endswith("'")
        yield TEXT, end.group()
    for found in _TOKEN.finditer(line, start):
        token = found.group()
        if is_last and found.end() == len(line) and token[0] not in "'();, \t":
            yield _style(state, token) if _style(state, token) != UNKNOWN else PLAIN, token
        else:
            yield _style(state, token), token
        _advance(state, token)


def _style(state: _State, token: str) -> str:
    if token[0] == "'":
        return TEXT
    if token[0] in "();, \t":
        return PLAIN
    if token in ("+", "-"):
        return MARK
    if state.inside:
        return NUMBER if token.isdigit() else NAME
    word = token.upper().rstrip("+-") or token.upper()
    if not state.words:
        return VERB if verb_of(word) or word in ENDINGS else UNKNOWN
    verb, syntax = verb_of(state.words[0]), state.syntax()
    if len(state.words) == 1:
        return NOUN if verb is None or noun_of(verb, word) else UNKNOWN
    return KEYWORD if syntax is None or word in syntax.words or word in syntax.listed else UNKNOWN


def _advance(state: _State, token: str) -> None:
    if token == ";":
        state.words, state.inside = [], False
    elif token in ("(", ")"):
        state.inside = token == "("
    elif token[0] == "'":
        state.quoted = token.count("'") % 2 == 1
    elif token[0] not in ", \t" and token not in ("+", "-") and not state.inside:
        state.words.append(token.upper())


def _of_own_command(line: str) -> Iterator[Fragment]:
    named = False
    for found in _OWN_TOKEN.finditer(line):
        token = found.group()
        if token.isspace():
            yield PLAIN, token
            continue
        yield (_own_style(token) if named else OWN), token
        named = True


def _own_style(token: str) -> str:
    if token[0] in "'\"":
        return TEXT
    return KEYWORD if token.startswith(("-", "\\")) else PLAIN


# The line of help under the prompt: what the command or the open parameter takes.

NOTHING = "Tab completes, Ctrl-R searches the history, help explains"


def hint(command: str) -> str:
    """What may follow an unfinished command, in one line; the toolbar cuts what does not fit."""
    word = first_word(command)
    if not word:
        return NOTHING
    if word in OWN_COMMANDS:
        row = OWN_COMMANDS[word]
        return f"{row.name} {row.takes}".rstrip() + f" — {row.about}"
    if word.startswith("\\"):
        values, about = SETTINGS.get(word[1:], ((), "settings: " + ", ".join(f"\\{name}" for name in SETTINGS)))
        return f"{word} {' | '.join(values)}".rstrip() + f" — {about}"
    return _of_command(place_in(command))


def _of_command(place: CursorPlace) -> str:
    if place.verb is None:
        return ""
    if place.syntax is None:
        return f"{place.verb} {' | '.join(sorted(COMMANDS[place.verb]))}"
    row = place.row
    opened = place.state.opened
    if row is not None and not isinstance(row.type, Flag):
        return f"{row.keyword}( {limits_of(row)} ) — {row.help}"
    if opened is not None and opened is not place.noun:
        return f"{opened.keyword} is not a parameter of {place.syntax.title}"
    return _summary(place.syntax)


def _summary(syntax: CommandSyntax) -> str:
    rows = {id(row): row for row, _ in syntax.words.values()}.values()
    needed = [notation(row) for row in rows if row.required]
    others = len(rows) - len(needed)
    parts = [f"{syntax.title}{name_notation(syntax)}", *needed]
    return " ".join(parts) + (f" … and {others} parameters" if others else "")
