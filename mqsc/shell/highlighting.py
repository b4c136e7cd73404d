"""Colours for a command while it is typed."""

import re
from collections.abc import Iterator

from msgspec import Struct, field

from mqsc.language import command_table
from mqsc.language.request import CommandSyntax
from mqsc.shell.own_commands import is_own_command
from mqsc.verbs.syntax import syntax_begun_by

Fragment = tuple[str, str]
VERB = "class:verb"
NOUN = "class:noun"
KEYWORD = "class:keyword"
TEXT = "class:text"
NUMBER = "class:number"
NAME = "class:name"
COMMENT = "class:comment"
OWN = "class:own"
UNKNOWN = "class:unknown"
PLAIN = ""
MARK = "class:mark"

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
        return syntax_begun_by(" ".join(self.words[:2]))


def highlighted(text: str) -> list[list[Fragment]]:
    """The fragments of each line with their styles. A word at the very end may be incomplete and
    is never unknown.
    """
    state = _State()
    lines = text.split("\n")
    fragments = []
    for number, line in enumerate(lines):
        if line.startswith("*") or (not state.quoted and line.lstrip().startswith("*")):
            fragments.append([(COMMENT, line)])
            continue
        fragments.append([*_fragments(state, line, is_last=number == len(lines) - 1)])
        if not line.rstrip().endswith(("+", "-")):
            state = _State()
    return fragments


def _fragments(state: _State, line: str, *, is_last: bool) -> Iterator[Fragment]:
    if not state.words and is_own_command(line):
        yield from _of_own_command(line)
        return
    start = 0
    if state.quoted and (end := _END_OF_QUOTED.match(line)):
        start = end.end()
        state.quoted = not end.group().endswith("'")
        yield TEXT, end.group()
    for token_match in _TOKEN.finditer(line, start):
        token = token_match.group()
        if is_last and token_match.end() == len(line) and token[0] not in "'();, \t":
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
        return VERB if command_table.verb_of(word) or word in command_table.ENDINGS else UNKNOWN
    verb, syntax = command_table.verb_of(state.words[0]), state.syntax()
    if len(state.words) == 1:
        return NOUN if verb is None or command_table.noun_of(verb, word) else UNKNOWN
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
    for token_match in _OWN_TOKEN.finditer(line):
        token = token_match.group()
        if token.isspace():
            yield PLAIN, token
            continue
        yield (_own_style(token) if named else OWN), token
        named = True


def _own_style(token: str) -> str:
    if token[0] in "'\"":
        return TEXT
    return KEYWORD if token.startswith(("-", "\\")) else PLAIN
