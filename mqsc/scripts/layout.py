"""The canonical layout of MQSC and of rules tables; comments stay, and so does what the commands
mean.

A command is one line if that has at most 72 columns; otherwise its verb and object are, and each
parameter is on a line of its own. Keywords and unquoted values are in upper case, as MQSC reads
them. Placeholders of templates are kept as they are written, and what begins with one is kept as a
whole. What follows END is not read, and is kept too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, count, zip_longest
from typing import NamedTuple

from msgspec.structs import replace

from mqsc.dlq.keywords import ACTIONS, CONTROLS, KEYWORDS
from mqsc.grammar.lines import BLANKS, LogicalLine, Remark, blocks, logical_lines, physical_lines
from mqsc.grammar.parse import parse_command, parse_entry
from mqsc.grammar.tree import Command, Entry, Parameter, SyntaxFault, Value
from mqsc.language.command_table import COMMANDS, VERB_SYNONYMS, meant, noun_of, verb_of
from mqsc.script import is_ending
from mqsc.scripts.export_output import COLUMNS, wrapped

INDENT = "   "
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
# The suffixes of files in a folder; a file of any name is taken for what its first command is.
SUFFIXES = (".mqsc", ".rul")
TABLE_WORDS = frozenset({*KEYWORDS, *(each.keyword for each in (*CONTROLS, *ACTIONS))})
# Placeholders that may contain blanks, quotes or parentheses. While a command is parsed, each is
# replaced by a run of one character of the private use area. Such characters that a file has
# already are kept as placeholders are.
_PLACEHOLDER = re.compile(
    r"\$\{[^}]*\}|\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}|\$\([^)]*\)|#\{[^}]*\}|[\ue000-\uf8ff]+",
)
_FIRST_STAND_IN, _STAND_INS = 0xE000, 0x1900
_STAND_IN = re.compile("([\ue000-\uf8ff])\\1*")
# Words that are the same in upper case; others may have placeholders, whose names are not.
_PLAIN = re.compile(r"(?!.*__)[A-Za-z0-9._/%*?-]+")
# A line of z/OS that is blank but for its number.
_BLANK_BUT_NUMBERED, _NEVER = re.compile(r"[ \t\f\v;]{72}[0-9]{8}"), re.compile("(?!)")
# Values that are no list.
_PHRASES = frozenset({"WHERE"})


def laid_out(content: bytes) -> bytes:
    """The canonical form of a file; raises SyntaxFault for the first place at which it cannot be
    read.

    Line ends are those of its first line, and a byte order mark stays. Commands that were laid out
    lately are not read again: a file in which one command changes takes a tenth of the time.
    """
    body = content.removeprefix(BYTE_ORDER_MARK)
    lines = "\n".join(_lines(body)).strip("\n")
    end = next((each for each in (b"\r\n", b"\n", b"\r") if each in body), b"\n")
    new = (lines + "\n" if lines else "").encode("utf-8", "surrogateescape")
    return content[: len(content) - len(body)] + new.replace(b"\n", end)


def _lines(body: bytes) -> Iterator[str]:
    """The lines of a layout, of which more than one in succession are never blank before END."""
    first = next((each for each in logical_lines(body) if isinstance(each, LogicalLine)), None)
    word = "" if first is None else re.split(r"[\s,(=]", first.text.strip(), maxsplit=1)[0]
    is_table = word.upper() in TABLE_WORDS
    source = [*physical_lines(body)]
    number, was_blank = 0, True
    for block in blocks(source):
        try:
            made, end = _lines_of_block(is_table, block)
        except SyntaxFault as fault:
            raise SyntaxFault(number + fault.line, *fault.args[1:]) from None
        for line in made:
            if line or not was_blank:
                yield line
            was_blank = not line
        if end is not None:
            yield from "\n".join(source[number + end :]).strip().split("\n")
            return
        number += len(block)


@lru_cache(20_000)
def _lines_of_block(is_table: bool, source: tuple[str, ...]) -> tuple[tuple[str, ...], int | None]:
    """The layout of lines that hold whole commands, and the index of the line with END, from
    which they stay.
    """
    block = _Block(is_table, source)
    laid_out = tuple(block.lines())
    rest = source[len(source) if block.end is None else block.end :]
    if laid_out + rest != source:
        # Only a mistake of ours could make these differ; then the file must stay as it is.
        pairs = zip_longest(
            block.meaning(),
            _Block(is_table, laid_out + rest).meaning(),
            fillvalue=(1,),
        )
        for (line, *was), (_, *now) in pairs:
            if was != now:
                raise SyntaxFault(
                    line,
                    1,
                    "",
                    (),
                    "this cannot be laid out without a change of its meaning",
                )
    return laid_out, block.end


class _Parsed(NamedTuple):
    """A command, its tree with stand-ins, and what these stand for."""

    line: LogicalLine
    tree: Command | Entry
    placeholders: dict[str, str]

    @property
    def is_template(self) -> bool:
        return _STAND_IN.match(self.tree.parameters[0].keyword) is not None

    def restored(self, text: str) -> str:
        return _STAND_IN.sub(lambda found: self.placeholders.get(found[1], found[0]), text)


class _Block:
    """Lines that hold whole commands. `end` is the index of the line with END; what follows it
    is not read.
    """

    def __init__(self, is_table: bool, source: tuple[str, ...]) -> None:
        self._is_table = is_table
        blank = _NEVER if is_table else _BLANK_BUT_NUMBERED
        self._source = ["" if blank.fullmatch(text) else text for text in source]
        self._items, self.end = [*logical_lines(source, semicolon=not is_table)], None
        for index, item in enumerate(self._items):
            if isinstance(item, LogicalLine) and is_ending(item) and not is_table:
                self._items, self.end = self._items[:index], item.source[0].number - 1
                break

    def meaning(self) -> Iterator[tuple[int, object, object]]:
        """The commands, then all comments in any order; each with its line."""
        for each in self.commands():
            yield each.line.source[0].number, each.tree, [*each.placeholders.values()]
        yield 1, sorted(self.comments()), self.end is None

    def commands(self) -> Iterator[_Parsed]:
        """The commands; SyntaxFault for the first that is none."""
        yield from (self._parsed(item) for item in self._items if isinstance(item, LogicalLine))

    def comments(self) -> Iterator[str]:
        """All comments, also those inside commands and behind them."""
        for item in self._items:
            if isinstance(item, Remark):
                yield from filter(None, map(self._comment, (each.number for each in item.source)))
            else:
                yield from (text for _, text in self._inside(item))
                yield from self._behind(item)

    def lines(self) -> Iterator[str]:
        """The lines of the layout before END."""
        return chain.from_iterable(map(self._lines_of, self._items))

    def _lines_of(self, item: LogicalLine | Remark) -> Iterator[str]:
        if isinstance(item, Remark):
            texts = [self._source[each.number - 1].strip() for each in item.source]
            # A semicolon alone is not worth a line.
            yield from (
                text.lstrip(";" + BLANKS)
                for text in texts
                if not text.startswith(";") or "*" in text
            )
            return
        parsed = self._parsed(item)
        if parsed.is_template:
            yield from (self._source[number - 1].rstrip() for number in _numbers(item))
            return
        yield from self._behind(item)
        yield from self._lines_of_command(parsed)

    def _parsed(self, line: LogicalLine) -> _Parsed:
        hidden, placeholders = _hidden(line)
        tree = parse_entry(hidden) if self._is_table else parse_command(hidden)
        if not self._is_table:
            _check_words(tree.parameters)
        return _Parsed(line, tree, placeholders)

    def _lines_of_command(self, parsed: _Parsed) -> Iterator[str]:
        parameters = parsed.tree.parameters
        texts = [parsed.restored(_parameter_text(each)) for each in parameters]
        comments: dict[int, list[str]] = {}
        for number, text in self._inside(parsed.line):
            comments.setdefault(_index_after(number, parsed), []).append(text)
        yield from comments.pop(0, ())
        whole = " ".join(texts)
        if len(whole) <= COLUMNS and not comments:
            yield _ended(whole)
            return
        start = 1 if self._is_table else min(2, len(texts))
        pieces = [(0, " ".join(texts[:start])), *enumerate(texts[start:], start)]
        joined: list[tuple[int, str]] = []
        for index, text in pieces:
            # At the start of a line it would be a comment.
            if text.startswith("*") and joined:
                joined[-1] = (joined[-1][0], f"{joined[-1][1]} {text}")
            else:
                joined.append((index, text))
        for index, text in joined:
            yield from comments.pop(index, ())
            is_last = index == joined[-1][0]
            line = (INDENT if index else "") + (_ended(text) if is_last else f"{text} +")
            yield from [line] if parsed.placeholders and _PLACEHOLDER.search(line) else _short(line)

    def _inside(self, line: LogicalLine) -> Iterator[tuple[int, str]]:
        """The comments inside a command, each with its line."""
        with_text = {number for _, number, _ in line.pieces}
        for number in _numbers(line):
            if number not in with_text and (text := self._comment(number)):
                yield number, text

    def _behind(self, line: LogicalLine) -> Iterator[str]:
        """The comment after the semicolon that ends a command."""
        last = line.source[-1]
        start, _, column = line.pieces[-1]
        rest = self._source[last.number - 1][column - 1 + len(line.text) - start :].lstrip(BLANKS)
        if rest.startswith(";") and last.column + len(last.text) > len(
            self._source[last.number - 1],
        ):
            text = rest.lstrip(";" + BLANKS).rstrip()
            if text.startswith("*"):
                yield text

    def _comment(self, number: int) -> str:
        """The comment on a line, blank if there is none."""
        return self._source[number - 1].strip().lstrip(";" + BLANKS)


def _numbers(line: LogicalLine) -> list[int]:
    return [*dict.fromkeys(each.number for each in line.source)]


def _hidden(line: LogicalLine) -> tuple[LogicalLine, dict[str, str]]:
    """The command with stand-ins of the same length for its placeholders, and what each stands
    for.
    """
    placeholders: dict[str, str] = {}
    numbers = count()

    def hide(placeholder: re.Match[str]) -> str:
        stand_in = chr(_FIRST_STAND_IN + next(numbers) % _STAND_INS)
        placeholders[stand_in] = placeholder.group()
        return stand_in * len(placeholder.group())

    return replace(line, text=_PLACEHOLDER.sub(hide, line.text)), placeholders


def _check_words(parameters: tuple[Parameter, ...]) -> None:
    """Raise SyntaxFault for a verb or an object that MQSC does not have: then this is another
    language.
    """
    verb, *others = parameters
    if _STAND_IN.match(verb.keyword):
        return
    known = verb_of(verb.keyword)
    if known is None:
        near = meant(verb.keyword, (*COMMANDS, *VERB_SYNONYMS))
        reason = f"{verb.raw} is not a verb of MQSC, or a keyword that begins a rule{near}"
        raise SyntaxFault(verb.line, verb.column, verb.raw, (), reason)
    noun = others[0] if others else verb
    if _PLAIN.fullmatch(noun.raw) and noun_of(known, noun.keyword) is None:
        reason = f"{noun.raw} is not an object of {known}{meant(noun.keyword, COMMANDS[known])}"
        raise SyntaxFault(
            noun.line,
            noun.column,
            noun.raw,
            (),
            reason if others else f"{verb.raw} of what?",
        )


def _parameter_text(parameter: Parameter) -> str:
    word = _upper(parameter.raw)
    if parameter.values is None:
        return word
    between = " " if word in _PHRASES else ","
    return f"{word}({between.join(map(_value_text, parameter.values))})"


def _value_text(value: Value) -> str:
    return value.raw if value.quoted else _upper(value.raw)


def _upper(raw: str) -> str:
    return raw.upper() if _PLAIN.fullmatch(raw) else raw


def _index_after(number: int, parsed: _Parsed) -> int:
    """The parameter that a comment at a line comes before, or that it is in; 0 for the verb and
    the object.
    """
    following = next((line, column) for _, line, column in parsed.line.pieces if line > number)
    places = [(each.line, each.column) for each in parsed.tree.parameters]
    begun = sum(place < following for place in places)
    index = begun if following in places else begun - 1
    return index if index > 1 or (index == 1 and isinstance(parsed.tree, Entry)) else 0


def _ended(text: str) -> str:
    """The end of a command, which must not look as if it continued."""
    return f"{text};" if text.endswith(("+", "-")) else text


def _short(line: str) -> Iterable[str]:
    """A line, in several if it is too long: values begin on lines of their own, and longer ones
    are broken.
    """
    if len(line) <= COLUMNS:
        return (line,)
    lines, current = list[str](), ""
    for part in re.findall(r"(?:'[^']*'|[^',])+,?|,", line):
        if current.strip() and len(current) + len(part) + 1 > COLUMNS:
            lines.append(f"{current}+")
            current = INDENT * 2
        current += part
    return (each for text in (*lines, current) for each in wrapped(text))
