"""The parser that Lark makes of `mqsc.lark`, and the lexer that divides a logical line into its
terminals.

Importing this module imports Lark.
"""

import os
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.util import cache_from_source
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

import lark
from lark import Lark
from lark.common import LexerConf
from lark.lexer import Lexer, Token

GRAMMAR = Path(__file__).with_name("mqsc.lark")
# The keyword of a parameter.
KEYWORDS = frozenset(("KEYWORD", "ACTION"))

_OUTSIDE = ("ACTION", "KEYWORD", "LPAR")
_INSIDE = ("WORD", "QUOTED", "RPAR")
# The first character that begins no terminal at its place.
_INVALID = "INVALID"

# A terminal, its text, and where it begins and ends in the line.
Word: TypeAlias = tuple[str, str, int, int]


class WordLexer(Lexer):
    """Finds some terminals outside parentheses and others inside, as the parser does, but without
    it.

    Lark's own lexer also counts lines, although a logical line is only one, and took half of the
    time of a parse.
    """

    def __init__(self, conf: LexerConf) -> None:
        self._terminals = {each.name: each.pattern.to_regexp() for each in conf.terminals}
        self._outside, self._inside = self._pattern(_OUTSIDE), self._pattern(_INSIDE)
        self._separators = re.compile(self._terminals["SEPARATORS"])
        parts = ("KEYWORD", "LPAR", "WORD|QUOTED", "RPAR")
        patterns = ("|".join(self._terminals[name] for name in part.split("|")) for part in parts)
        whole = re.compile(
            "".join(f"({each})(?:{self._terminals['SEPARATORS']})?" for each in patterns),
        )
        # A keyword with one value, which most parameters are.
        self._whole = None if "ACTION" in self._terminals else whole

    def words(self, text: str) -> list[Word]:
        """The words of a line. The last one is INVALID if there is no terminal at its place."""
        words: list[Word] = []
        blank = self._separators.match(text)
        match, start, length = self._outside.match, blank.end() if blank else 0, len(text)
        whole, outside = self._whole and self._whole.match, match
        while start < length:
            if whole and match is outside and (found := whole(text, start)):
                (_, start), first, opening, second, closing = found.regs
                keyword, _, value, _ = found.groups()
                words += (
                    ("KEYWORD", keyword, *first),
                    ("LPAR", "(", *opening),
                    ("QUOTED" if value[0] == "'" else "WORD", value, *second),
                    ("RPAR", ")", *closing),
                )
                continue
            found = match(text, start)
            if found is None:
                return [*words, (_INVALID, text[start], start, start + 1)]
            terminal, group = found.lastgroup or "", found.lastindex or 0
            words.append((terminal, found[group], start, found.end(group)))
            if terminal == "LPAR":
                match = self._inside.match
            elif terminal == "RPAR":
                match = self._outside.match
            start = found.end()
        return words

    def lex(self, text: str) -> Iterator[Token]:  # type: ignore[override]
        """The same words, for Lark."""
        for terminal, word, start, end in self.words(text):
            yield Token(terminal, word, start_pos=start, end_pos=end)

    def matcher(self, *names: str) -> re.Pattern[str]:
        """A pattern of one of these terminals."""
        return re.compile("|".join(self._terminals[name] for name in names))

    def _pattern(self, names: tuple[str, ...]) -> re.Pattern[str]:
        """One of these terminals, as far as the grammar has them, and the separators after it."""
        known = "|".join(
            f"(?P<{name}>{self._terminals[name]})" for name in names if name in self._terminals
        )
        return re.compile(f"(?:{known})(?:{self._terminals['SEPARATORS']})?")


@cache
def parser_of(shape: str) -> Lark:
    """The parser of a shape, "command" or "entry"."""
    text, file = GRAMMAR.read_text("utf-8"), cached_tables(shape)
    settings: Any = {
        "parser": "lalr",
        "lexer": WordLexer,
        "start": shape,
        "maybe_placeholders": False,
    }
    made_for = repr((lark.__version__, sys.version, settings, text)).encode()
    tables = _read(file, made_for)
    if tables is not None:
        return Lark.load(BytesIO(tables))
    parser, made = Lark(text, **settings), BytesIO()
    parser.save(made)
    # Only the owner of an installation may be able to write there.
    with suppress(OSError):
        _write(file, made_for, made.getvalue())
    return parser


@cache
def lexer_of(shape: str) -> WordLexer:
    return WordLexer(parser_of(shape).lexer_conf)


def cached_tables(shape: str) -> Path:
    """The file in which Lark saves a parser, because it takes 15 ms to make one.

    It is a pickle, so it is kept beside the bytecode of this package: anyone who can write there
    can already change the program itself.
    """
    return Path(cache_from_source(str(GRAMMAR.with_name(f"{shape}.py")))).with_suffix(".lark")


# Lark's option `cache` would write the file in place, where another program may be reading it, and
# unpickle it before it checks what it was made for. Here a checksum covers both, and a file gets
# its name when it is complete.
def _read(file: Path, made_for: bytes) -> bytes | None:
    """What Lark saved for the same grammar; None if there is nothing, or something else or
    damaged.
    """
    try:
        content = file.read_bytes()
    except OSError:
        return None
    checksum, tables = content[:_CHECKSUM], content[_CHECKSUM:]
    return tables if checksum == sha256(made_for + tables).digest() else None


def _write(file: Path, made_for: bytes, tables: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=file.parent) as folder:
        draft = Path(folder, file.name)
        draft.write_bytes(sha256(made_for + tables).digest() + tables)
        shutil.copymode(GRAMMAR, draft)
        os.replace(draft, file)


_CHECKSUM = sha256().digest_size
