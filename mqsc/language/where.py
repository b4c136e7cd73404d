"""The WHERE filter of DISPLAY.

The type of an attribute determines its operators: LT, GT, EQ, NE, LE and GE for numbers and texts;
EQ and NE for words and flags; LK and NL, with a generic value, for texts; CT, EX, and with a
generic value CTG, EXG, for lists.

Some attributes that a DISPLAY shows cannot be filtered by. To add one, add it to the row of its
noun in filter_keywords.csv: under `never`, or under `selecting` if it cannot be filtered by only
where the command also gives it with a value (CHANNEL(*) CHLTYPE(SDR) WHERE(CHLTYPE NE RCVR)).
"""

import operator
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import Struct

from mqsc.language.reply import ReplyRow
from mqsc.store.catalog import Attribute, Kind, Stored
from mqsc.store.catalog.pcf import pcf_attributes
from mqsc.store.catalog.spelling import corrections, did_you_mean
from mqsc.store.catalog.types import Flag, InvalidValueError, Items, Number, Text, Type, Word
from mqsc.store.rules.names import matches
from mqsc.store.table import table

COMPARING: Mapping[str, Callable[[Any, Any], bool]] = {
    word: getattr(operator, word.lower()) for word in ("LT", "GT", "EQ", "NE", "LE", "GE")
}
MATCHING: Mapping[str, Callable[[str, str], bool]] = {
    "LK": lambda value, pattern: matches(pattern, value),
    "NL": lambda value, pattern: not matches(pattern, value),
}
CONTAINING: Mapping[str, Callable[[list[str], str], bool]] = {
    "CT": lambda items, wanted: wanted in items,
    "EX": lambda items, wanted: wanted not in items,
    "CTG": lambda items, wanted: any(matches(wanted, item) for item in items),
    "EXG": lambda items, wanted: not any(matches(wanted, item) for item in items),
}
OPERATORS: Mapping[str, Callable[[Any, Any], bool]] = {**COMPARING, **MATCHING, **CONTAINING}
EQUALITY = ("EQ", "NE")
OPERATOR_ROWS = table(
    __file__, "operators.csv", ("word", "meaning", "symbols", "pcf", "pcf_meaning")
)
MEANINGS: Mapping[str, str] = {row["word"]: row["meaning"] for row in OPERATOR_ROWS}
# The operators of other languages.
MEANT: Mapping[str, str] = {
    symbol: row["word"] for row in OPERATOR_ROWS for symbol in row["symbols"].split()
}
_ANYTHING = "ALL"
_JOINED = re.compile(r"(\w+)([<>=!]+)(.+)")
# UNCOM is NO or a number: UNCOM EQ YES means UNCOM NE NO.
SOME: Mapping[tuple[str, str], str] = {("UNCOM", "YES"): "NO"}
OPPOSITE: Mapping[str, str] = {"EQ": "NE", "NE": "EQ"}


class FilterError(Exception):
    """The filter is not valid; the text says what would be, and `index` is the word that is
    wrong.
    """

    def __init__(self, sentence: str, index: int) -> None:
        super().__init__(sentence)
        self.index = index


class WhereFilter(Struct, frozen=True):
    """A valid filter. A row without the attribute, or with a blank where a number is expected,
    never passes.
    """

    keyword: str
    operator: str
    value: int | str
    type: Type

    def passes(self, row: ReplyRow) -> bool:
        """Whether the row has the attribute with a value that satisfies the comparison."""
        if self.keyword not in row or (isinstance(self.type, Number) and row[self.keyword] == ""):
            return False
        return OPERATORS[self.operator](_comparable(self.type, row[self.keyword]), self.value)


class _Unfilterable(Struct, frozen=True):
    """The attributes that DISPLAY of a noun cannot filter by, and those by which it cannot both
    filter and select.
    """

    never: frozenset[str] = frozenset()
    selecting: frozenset[str] = frozenset()


_UNFILTERABLE: Mapping[str, _Unfilterable] = {
    noun: _Unfilterable(frozenset(row["never"].split()), frozenset(row["selecting"].split()))
    for row in table(__file__, "filter_keywords.csv", ("noun", "never", "selecting"))
    for noun in row["noun"].split()
}


def is_filterable(noun: str, keyword: str) -> bool:
    """Whether WHERE of DISPLAY for this noun takes the attribute, unless another parameter
    selects by it.
    """
    return noun not in _UNFILTERABLE or keyword not in _UNFILTERABLE[noun].never


def read_filter(
    words: Iterable[str],
    kinds: Iterable[Kind],
    noun: str,
    parameters: Mapping[str, Stored] | None = None,
) -> WhereFilter:
    """The filter made of three words; raises FilterError. `parameters` are those of the
    command with their values.

    `kinds` have the attributes, of which DISPLAY for the noun may exclude some.
    """
    words = tuple(words)
    if len(words) == 1 and (joined := _JOINED.fullmatch(words[0])) and joined[2] in MEANT:
        # CURDEPTH>4
        raise FilterError(
            f"WHERE takes three words: {joined[1].upper()} {MEANT[joined[2]]} {joined[3]}",
            0,
        )
    if len(words) != 3:
        raise FilterError("WHERE takes a keyword, an operator and a value", max(len(words) - 1, 0))
    keyword = words[0].upper()
    symbol = words[1].upper()
    text = words[2]
    attribute, kind = _attribute(keyword, tuple(kinds))
    _check_filterable(noun, attribute.keyword if attribute else keyword, parameters or {})
    allowed = _operators(kind)
    if symbol not in allowed:
        meant = f"; {words[1]} is written {MEANT[symbol]}" if MEANT.get(symbol) in allowed else ""
        raise FilterError(
            f"{keyword} takes the operators {', '.join(allowed)}, not {words[1]}{meant}",
            1,
        )
    if symbol in OPPOSITE and (keyword, text.upper()) in SOME:
        symbol, text = OPPOSITE[symbol], SOME[keyword, text.upper()]
    try:
        return WhereFilter(
            attribute.keyword if attribute else keyword,
            symbol,
            _value(kind, symbol, text),
            kind,
        )
    except InvalidValueError as refusal:
        raise FilterError(f"{keyword} takes {refusal.detail}", 2) from None


def _attribute(keyword: str, kinds: tuple[Kind, ...]) -> tuple[Attribute | None, Type]:
    """The row of the keyword and the type of its values; no row for the keyword of the name
    itself (QUEUE, PROCESS).
    """
    for kind in kinds:
        row, _ = kind.words.get(keyword, (None, True))
        if row is not None and "DISPLAY" in row.verbs and not row.option:
            return row, filter_type(kind, row)
    if any(keyword in kind.key for kind in kinds):
        return None, Text(10240)
    near = did_you_mean(corrections(keyword, [word for kind in kinds for word in kind.words])[:1])
    suggestion = f"; {near}" if near else ""
    raise FilterError(f"{keyword} is not an attribute that WHERE can test{suggestion}", 0)


def filter_type(kind: Kind, attribute: Attribute) -> Type:
    """The type of the values that WHERE compares: a status whose value is one of several words
    is a word.
    """
    numbered = pcf_attributes(kind.keyword).get(attribute.keyword)
    # A single word is an alternative to numbers: KAINT(AUTO).
    if isinstance(attribute.type, Text) and numbered is not None and len(numbered.words) > 1:
        return Word(tuple(numbered.words))
    return attribute.type


def _check_filterable(noun: str, keyword: str, parameters: Mapping[str, Stored]) -> None:
    if not is_filterable(noun, keyword):
        raise FilterError(f"DISPLAY {noun} cannot filter by {keyword}", 0)
    selecting = _UNFILTERABLE.get(noun, _Unfilterable()).selecting
    if keyword in selecting and parameters.get(keyword, _ANYTHING) != _ANYTHING:
        raise FilterError(
            f"{keyword}({parameters[keyword]}) already selects, so WHERE cannot test {keyword} too",
            0,
        )


def operators_for(kind: Type) -> dict[str, str]:
    """The operators that WHERE takes for an attribute of this type, with their meanings."""
    return {word: MEANINGS[word] for word in _operators(kind)}


def _operators(kind: Type) -> tuple[str, ...]:
    if isinstance(kind, Items):
        return tuple(CONTAINING)
    if isinstance(kind, (Flag, Word)):
        return EQUALITY
    if isinstance(kind, Number):
        return tuple(COMPARING)
    return (*COMPARING, *MATCHING)


def _value(kind: Type, symbol: str, text: str) -> int | str:
    if isinstance(kind, Number):
        return kind.number_of(kind.accept(text))
    if isinstance(kind, Flag):
        word = {"YES": kind.on, "NO": kind.off}.get(text.upper(), text.upper())
        if word not in kind.words:
            raise InvalidValueError("word", "YES or NO")
        return word
    if isinstance(kind, Word):
        return kind.accept(text)
    return text.rstrip(" ")


def _comparable(kind: Type, value: Any) -> Any:
    if isinstance(kind, Number):
        return kind.number_of(value)
    return value
