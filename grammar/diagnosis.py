"""Where the parser stopped: why, as one SyntaxFault, and what may follow an unfinished command."""

import re
import unicodedata

from lark import Token, UnexpectedInput
from msgspec import Struct

from mqsc.grammar.lark_parser import parser, pattern_of_values, single_words
from mqsc.grammar.lines import BLANKS, LogicalLine
from mqsc.grammar.reasons import REASONS
from mqsc.grammar.tree import SyntaxFault

SEPARATORS = BLANKS + ","
SHOWN = 40

_QUOTED_OR_PARENTHESIS = re.compile(r"'[^']*'|[()]")
# How comments begin in MQSC and in other languages.
_REMARK = re.compile(r"\*|#|--|/[/*]")
_LAST_WORD = re.compile(r"([^\s,()';=]+)[ ,\t\f\v]*\Z")


def diagnose(shape: str, line: LogicalLine, offset: int) -> SyntaxFault:
    """The fault that stops `line` at `offset` from being a `shape` ("command" or "entry")."""
    text = line.text.rstrip(SEPARATORS)
    opened = _open_parenthesis(text, offset)
    kind, offset, token_text = _token_at(text, min(offset, len(text)), opened is not None)
    reason = REASONS[kind, opened is not None]
    number, column = line.position(offset)
    opened_row, opened_column = line.position(opened or 0)
    near = "" if opened_row == number else f"line {opened_row}, "
    sentence = reason.sentence.format(
        shape=shape,
        found=token_text,
        opened=f"{near}column {opened_column}",
        keyword=_keyword_before(text, offset if opened is None else opened),
    )
    return SyntaxFault(
        number,
        column,
        f"end of the {shape}" if kind == "end" else token_text,
        reason.expected,
        sentence,
    )


def _open_parenthesis(text: str, offset: int) -> int | None:
    """The offset of the parenthesis that is open at `offset`; the text before `offset` is valid."""
    opened = None
    for match in _QUOTED_OR_PARENTHESIS.finditer(text, 0, offset):
        if match.group() in ("(", ")"):
            opened = match.start() if match.group() == "(" else None
    return opened


def _token_at(text: str, offset: int, inside: bool) -> tuple[str, int, str]:
    """The kind of the token at `offset` as in REASONS, its exact offset, and its text as shown
    to people.
    """
    character = text[offset : offset + 1]
    if not character:
        return "end", offset, ""
    if character in "();" or (character == "=" and not inside):
        return character, offset, character
    word = pattern_of_values().match(text, offset)
    if word is None:
        return (
            ("quote", offset, "'") if character == "'" else ("unseen", offset, _name_of(character))
        )
    shown = word.group() if len(word.group()) <= SHOWN else f"{word.group()[:SHOWN]}…"
    if inside:
        return "second" if text[offset - 1] in SEPARATORS else "touching", offset, shown
    if character == "'":
        return "quoted", offset, shown
    if _REMARK.match(shown):
        return "remark", offset, shown
    equals = text.find("=", offset, word.end())
    return ("word", offset, shown) if equals < 0 else ("=", equals, "=")


def _name_of(character: str) -> str:
    return f"U+{ord(character):04X} ({unicodedata.name(character, 'a control character').lower()})"


def _keyword_before(text: str, offset: int) -> str:
    match = _LAST_WORD.search(text[max(offset - SHOWN, 0) : offset])
    return match.group(1).upper() if match else "KEYWORD"


# What may follow an unfinished command, as the parser itself sees it: for completion and
# highlighting.

_QUOTED = re.compile(r"'(?:[^']|'')*('?)")
_BEGUN_WORD = re.compile(r"[^\s,()';]*\Z")


class Begun(Struct, frozen=True):
    """A parameter before the cursor: its keyword and values in upper case unless quoted; None
    without parentheses.
    """

    keyword: str
    values: tuple[str, ...] | None = None


class Unfinished(Struct, frozen=True):
    """An unfinished command: its parameters, the incomplete word at its end, and what the parser
    accepts there.

    `opened` is the parameter whose parentheses are still open. `word` is the text as typed, without
    an opening quote; `quoted` tells whether there is one. `accepts` are names of terminals:
    KEYWORD, LPAR, WORD, QUOTED, RPAR, $END; empty if the text before the word is not valid.
    """

    parameters: tuple[Begun, ...]
    opened: Begun | None
    word: str
    quoted: bool
    accepts: frozenset[str]

    @property
    def takes_keyword(self) -> bool:
        return "KEYWORD" in self.accepts

    @property
    def takes_value(self) -> bool:
        return "WORD" in self.accepts


def unfinished(text: str) -> Unfinished:
    """The state of the parser at the end of `text`, the beginning of one logical line."""
    start, quoted = _word_at_end(text)
    interactive = parser().parse_interactive(text[:start], start="command")
    try:
        tokens = interactive.exhaust_lexer()
        accepts = frozenset[str](interactive.accepts()) - {"SIMPLE"}  # type: ignore[no-untyped-call]
    except UnexpectedInput:
        return Unfinished((), None, text[start:], quoted, frozenset())
    parameters, opened = _parameters(single_words(tokens))
    return Unfinished(parameters, opened, text[start + quoted :], quoted, accepts)


def _word_at_end(text: str) -> tuple[int, bool]:
    """The offset of the incomplete word at the end, and whether it begins with a quote."""
    for match in _QUOTED.finditer(text):
        if not match[1]:
            return match.start(), True
    last = _BEGUN_WORD.search(text)
    return (last.start() if last else len(text)), False


def _parameters(tokens: list[Token]) -> tuple[tuple[Begun, ...], Begun | None]:
    begun: list[Begun] = []
    opened: Begun | None = None
    for token in tokens:
        if token.type == "KEYWORD":
            begun.append(Begun(token.value.upper()))
        elif token.type == "LPAR":
            opened = Begun(begun.pop().keyword, ())
        elif token.type == "RPAR" and opened is not None:
            begun.append(opened)
            opened = None
        elif opened is not None:
            text = (
                token.value[1:-1].replace("''", "'")
                if token.type == "QUOTED"
                else token.value.upper()
            )
            opened = Begun(opened.keyword, (*(opened.values or ()), text))
    return tuple(begun), opened
