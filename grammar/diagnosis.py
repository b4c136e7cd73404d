"""Why a parser stopped where it did, as one SyntaxFault: what was found, what would be right, and where."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from grammar.fault import SyntaxFault
from grammar.lines import BLANKS, LogicalLine

SEPARATORS = BLANKS + ","
SHOWN = 40

_QUOTED_OR_PARENTHESIS = re.compile(r"'[^']*'|[()]")
_QUOTED = re.compile(r"'[^']*(?:''[^']*)*'(?!')")
_WORD = re.compile(r"[^\s,()';\x00-\x1f\x7f-\x9f\ufeff]+")
# How comments begin, here and elsewhere.
_REMARK = re.compile(r"\*|#|--|/[/*]")
_LAST_WORD = re.compile(r"([^\s,()';=]+)[ ,\t\f\v]*\Z")

# By what was found, and whether inside parentheses: what would be right, and the sentence.
# {shape} is "command" or "entry", {opened} the place of the parenthesis that is open, {keyword} the word before.
_REASONS: Mapping[tuple[str, bool], tuple[tuple[str, ...], str]] = {
    ("end", False): (("a keyword",), "the {shape} has no word in it"),
    ("end", True): ((")",), "the parenthesis that opens at {opened} is never closed"),
    ("(", False): (("a keyword",), "a parenthesis stands after a keyword only"),
    ("(", True): (
        (")", "a value"),
        "the parenthesis that opens at {opened} is not closed yet; a value that holds a parenthesis stands in quotes",
    ),
    (")", False): (("a keyword",), "this parenthesis closes none"),
    (")", True): (("a value",), "{keyword} needs a value between its parentheses"),
    ("quote", False): (("'",), "the quote that opens here is never closed"),
    ("quote", True): (("'",), "the quote that opens here is never closed; a quote inside quotes is written twice"),
    ("quoted", False): (("a keyword",), "a text in quotes stands between parentheses only: KEYWORD('text')"),
    ("=", False): (("(",), "a value stands between parentheses, not after an equals sign: {keyword}(value)"),
    (";", False): (("a keyword",), "an entry ends with its line; no semicolon may follow"),
    (";", True): ((")", "'"), "a value that holds a semicolon stands in quotes"),
    ("word", False): (("(",), "{found} needs a value between parentheses after it"),
    ("remark", False): (("a line of its own",), "a comment is a line that begins with an asterisk"),
    ("second", True): ((")",), "{keyword} takes one value; a value with blanks or commas stands in quotes"),
    ("touching", True): ((",", ")"), "the value before it ends too early; a quote inside quotes is written twice"),
    ("unseen", False): (("a blank",), "{found} is no blank and belongs to no word"),
    ("unseen", True): (("a blank", "'"), "{found} is no blank and stands in quotes only"),
}


def diagnose(shape: str, line: LogicalLine, offset: int) -> SyntaxFault:
    """The fault at `offset` of the text of `line`, which is no `shape` ("command" or "entry") because of it."""
    text = line.text.rstrip(SEPARATORS)
    opened = _open_parenthesis(text, offset)
    kind, offset, found = _what_stands_at(text, min(offset, len(text)), opened is not None)
    expected, reason = _REASONS[kind, opened is not None]
    row, column = line.position(offset)
    opened_row, opened_column = line.position(opened or 0)
    near = "" if opened_row == row else f"line {opened_row}, "
    sentence = reason.format(
        shape=shape,
        found=found,
        opened=f"{near}column {opened_column}",
        keyword=_keyword_before(text, offset if opened is None else opened),
    )
    return SyntaxFault(row, column, f"end of the {shape}" if kind == "end" else found, expected, sentence)


def _open_parenthesis(text: str, offset: int) -> int | None:
    """Where the parenthesis stands that is open at `offset`; everything before `offset` is right."""
    opened = None
    for found in _QUOTED_OR_PARENTHESIS.finditer(text, 0, offset):
        if found.group() in ("(", ")"):
            opened = found.start() if found.group() == "(" else None
    return opened


def _what_stands_at(text: str, offset: int, inside: bool) -> tuple[str, int, str]:
    """Its kind, as _REASONS has it, where it stands exactly, and what people should see of it."""
    character = text[offset : offset + 1]
    if not character:
        return "end", offset, ""
    if character in "();" or (character == "=" and not inside):
        return character, offset, character
    word = _WORD.match(text, offset) or _QUOTED.match(text, offset)
    if word is None:
        return ("quote", offset, "'") if character == "'" else ("unseen", offset, _name_of(character))
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
    found = _LAST_WORD.search(text[max(offset - SHOWN, 0) : offset])
    return found.group(1).upper() if found else "KEYWORD"
