"""Tables for a terminal.

Widths are those of the terminal: a Chinese character takes two columns, as rich.cells says. The
lines are not laid out by rich.table: it takes 1.9 ms for a row where this takes 0.06, so that
DISPLAY of 3,000 queues would take 5.7 s instead of 0.2; it wants all rows before it prints the
first; and loading it takes 45 ms, a tenth of a short command.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from itertools import chain, count, islice, zip_longest
from typing import Any

from msgspec import Struct

from mqsc.console.terminal import printable

# So many rows determine the widths of the columns, so that a long table begins at once.
SAMPLE = 200
GAP = "  "
# A column of texts is not made narrower than this to make the table fit.
LEAST_WIDTH = 16
# A longer value in a block gets lines of its own.
SHORT_VALUE = 30
MOST_ACROSS = 5
BAR_COLUMN = "FULL"
BAR_WIDTH = 8
_BOLD = "\x1b[1m"
# Of the 256 colours, those that can be read on black and on white.
_RED = "\x1b[38;5;160m"
_YELLOW = "\x1b[38;5;130m"
_GREEN = "\x1b[38;5;28m"
_DIM = "\x1b[2m"
_NORMAL = "\x1b[0m"

TableRow = Mapping[str, Any]
_Pair = tuple[str, str]


class Screen(Struct, frozen=True):
    """What the terminal can show: its width, whether in colour and bold, and whether block
    characters.
    """

    width: int
    styled: bool = False
    blocks: bool = True

    def style(self, code: str, text: str) -> str:
        return f"{code}{text}{_NORMAL}" if self.styled and text else text


class _Column(Struct, frozen=True):
    keyword: str
    width: int
    right: bool


def cell_len(text: str) -> int:
    """How many columns of a terminal the text takes."""
    if text.isascii() and text.isprintable():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def padded(text: str, width: int, *, right: bool = False) -> str:
    """The text with blanks after it, or before it, up to the width; a longer one as it is."""
    blanks = " " * (width - cell_len(text))
    return blanks + text if right else text + blanks


def cut(text: str, width: int) -> str:
    """The text, or as much of it as fits into so many columns before an ellipsis."""
    if cell_len(text) <= width:
        return text
    from rich.cells import set_cell_size

    return f"{set_cell_size(text, width - 1).rstrip()}…"


def aligned(lines: Sequence[Sequence[str]], right: Sequence[bool] | None = None) -> Iterator[str]:
    """The cells of each line in columns; `right` says which of them are set to the right."""
    widths = [max(map(cell_len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        cells = zip(line, widths, right or [False] * len(widths), strict=True)
        yield GAP.join(
            padded(cell, width, right=is_right) for cell, width, is_right in cells
        ).rstrip()


def table_lines(
    headings: Sequence[str],
    rows: Sequence[Sequence[Any]],
    width: int,
) -> Iterator[str]:
    """The lines of a table of at most `width` characters, exceeded only by a single value that is
    wider.

    If it is too wide, texts are broken between words; if that is not enough, rows become columns.
    Control characters are escaped.
    """
    cells = [[printable(cell_text(value)) for value in row] for row in rows]
    right = [
        all(isinstance(row[column], (int, float, Decimal)) for row in rows)
        for column in range(len(headings))
    ]
    upright = [*aligned([headings, *cells], right)]
    if not rows or max(map(cell_len, upright)) <= width:
        yield from upright
        return
    widths = _widths_that_fit([*zip(headings, *cells, strict=True)], width)
    if widths is not None:
        for row in (headings, *cells):
            yield from _lines_of_cells(row, widths, right)
        return
    remaining = iter(cells)
    for group in count():
        taken = list(islice(remaining, _fitting(headings, cells, width)))
        if not taken:
            return
        yield from [""] if group else []
        yield from aligned([*zip(headings, *taken, strict=True)])


def cell_text(value: Any) -> str:
    """A value as text: times in ISO format with Z, None as a dash."""
    if value is None:
        return "-"
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, Decimal):
        return f"{value.normalize():f}"
    return str(value)


def _widths_that_fit(columns: Sequence[Sequence[str]], width: int) -> list[int] | None:
    """The widths of columns, of which all but the first may be broken between words; None if they
    do not fit.
    """
    least = [max(cell_len(word) for text in texts for word in text.split(" ")) for texts in columns]
    return _narrowed(
        [max(map(cell_len, texts)) for texts in columns],
        [sys.maxsize, *(max(words, LEAST_WIDTH) for words in least[1:])],
        width,
    )


def _narrowed(widths: Sequence[int], least: Sequence[int], width: int) -> list[int] | None:
    """The widths of columns that take at most `width` together, the widest narrowed first; None if
    that needs less than the least width of each.
    """
    narrowed = [*widths]
    excess = sum(widths) + len(GAP) * (len(widths) - 1) - width
    for number in sorted(range(len(widths)), key=lambda number: -widths[number]):
        taken = max(min(excess, widths[number] - least[number]), 0)
        narrowed[number] -= taken
        excess -= taken
    return narrowed if excess <= 0 else None


def _lines_of_cells(
    cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]
) -> Iterator[str]:
    """A row as lines, its cells broken between words where they are wider than their column."""
    broken = [
        [text] if cell_len(text) <= width else _broken(text, width)
        for text, width in zip(cells, widths, strict=True)
    ]
    for parts in zip_longest(*broken, fillvalue=""):
        line = zip(parts, widths, right, strict=True)
        yield GAP.join(
            padded(part, width, right=is_right) for part, width, is_right in line
        ).rstrip()


def _fitting(headings: Sequence[str], cells: list[list[str]], width: int) -> int:
    """How many rows of a transposed table fit next to the headings; at least one."""
    widest = max(cell_len(cell) for row in cells for cell in row) + len(GAP)
    return max((width - max(map(cell_len, headings))) // widest, 1)


def table(
    rows: Iterable[TableRow],
    screen: Screen,
    hidden: frozenset[str] = frozenset(),
) -> Iterator[str]:
    """A line per row under headings; blocks if that does not fit. `hidden` keywords are only
    read for depth bars.
    """
    remaining = iter(rows)
    sample = [*islice(remaining, SAMPLE)]
    if not sample:
        return
    columns = _columns(sample, screen.width, hidden)
    if columns is None:
        yield from blocks(chain(sample, remaining), screen, hidden)
        return
    heading = GAP.join(padded(each.keyword, each.width, right=each.right) for each in columns)
    yield screen.style(_BOLD, heading.rstrip())
    for row in chain(sample, remaining):
        yield from _row_lines(row, columns, screen)


def blocks(
    rows: Iterable[TableRow],
    screen: Screen,
    hidden: frozenset[str] = frozenset(),
) -> Iterator[str]:
    """A block for each row: its name, then keyword and value in as many columns as fit."""
    for index, row in enumerate(rows):
        if index:
            yield ""
        (name, value), *others = [
            (word, value) for word, value in row.items() if word not in hidden
        ]
        yield f"{screen.style(_DIM, name)}{GAP}{screen.style(_BOLD, value_text(value))}"
        yield from _pairs(
            [
                (word, _text_of(row, word, with_blocks=screen.blocks))
                for word, _ in _with_bar(others, row)
            ],
            screen,
        )


def value_text(value: Any) -> str:
    """A value in one line; control characters are escaped."""
    if isinstance(value, (list, tuple)):
        return ", ".join(map(value_text, value))
    return printable(str(value))


def fraction_full(row: TableRow) -> float | None:
    """How full the queue of a row is, from 0 to 1; None if the row does not say."""
    depth, most = row.get("CURDEPTH"), row.get("MAXDEPTH")
    if not isinstance(depth, int) or not isinstance(most, int):
        return None
    return min(depth / most, 1.0) if most else float(depth > 0)


def bar(fraction: float, *, with_blocks: bool) -> str:
    """A bar with the percentage after it. A queue with a message never shows an empty bar."""
    filled = min(max(round(fraction * BAR_WIDTH), int(fraction > 0)), BAR_WIDTH)
    full, empty = ("█", "░") if with_blocks else ("#", ".")
    percent = "<1" if 0 < fraction < 0.01 else f"{int(fraction * 100)}"
    return f"{full * filled}{empty * (BAR_WIDTH - filled)} {percent:>3}%"


def _with_bar(items: Iterable[tuple[str, Any]], row: TableRow) -> Iterator[tuple[str, Any]]:
    for word, value in items:
        yield word, value
        if word == "CURDEPTH" and fraction_full(row) is not None:
            yield BAR_COLUMN, None


def _text_of(row: TableRow, keyword: str, *, with_blocks: bool = True) -> str:
    if keyword == BAR_COLUMN and keyword not in row:
        fraction = fraction_full(row)
        return "" if fraction is None else bar(fraction, with_blocks=with_blocks)
    return value_text(row.get(keyword, ""))


def _columns(
    sample: Sequence[TableRow], width: int, hidden: frozenset[str]
) -> list[_Column] | None:
    """The columns with their widths; None if they do not fit.

    Texts are broken between words first. Then the depth bar is left out, which repeats what is
    shown, and a TYPE that is the same in every row.
    """
    items = dict.fromkeys(
        word for row in sample for word, _ in _with_bar(row.items(), row) if word not in hidden
    )
    same_type = len({value_text(row.get("TYPE", "")) for row in sample}) == 1
    for left_out in ((), (BAR_COLUMN,), (BAR_COLUMN, "TYPE") if same_type else (BAR_COLUMN,)):
        fitted = _fitted(sample, [word for word in items if word not in left_out], width)
        if fitted is not None:
            return fitted
    return None


def _fitted(sample: Sequence[TableRow], words: Sequence[str], width: int) -> list[_Column] | None:
    texts = {word: [_text_of(row, word) for row in sample] for word in words}
    widths = {
        word: max(cell_len(word), *map(cell_len, column_texts))
        for word, column_texts in texts.items()
    }
    narrowable = {
        word
        for word, column_texts in texts.items()
        if any(" " in text for text in column_texts) and word != BAR_COLUMN
    }
    least = [
        max(LEAST_WIDTH, cell_len(word)) if word in narrowable else sys.maxsize for word in words
    ]
    narrowed = _narrowed([*widths.values()], least, width)
    if narrowed is None:
        return None
    return [
        _Column(
            word,
            column_width,
            all(isinstance(row.get(word, 0), int) for row in sample) and word != BAR_COLUMN,
        )
        for word, column_width in zip(words, narrowed, strict=True)
    ]


def _row_lines(row: TableRow, columns: Sequence[_Column], screen: Screen) -> Iterator[str]:
    texts = [_text_of(row, column.keyword, with_blocks=screen.blocks) for column in columns]
    cells = [
        [text] if cell_len(text) <= column.width or " " not in text else _broken(text, column.width)
        for text, column in zip(texts, columns, strict=True)
    ]
    for line in range(max(map(len, cells))):
        parts = [
            _styled(
                padded(cell[line] if line < len(cell) else "", column.width, right=column.right),
                column,
                row,
                screen,
            )
            for cell, column in zip(cells, columns, strict=True)
        ]
        yield GAP.join(parts).rstrip()


def _styled(text: str, column: _Column, row: TableRow, screen: Screen) -> str:
    if column.keyword != BAR_COLUMN or not screen.styled:
        return text
    return screen.style(_bar_colour(fraction_full(row) or 0.0), text)


def _bar_colour(fraction: float) -> str:
    if fraction >= 0.8:
        return _RED
    return _YELLOW if fraction >= 0.5 else _GREEN


def _pairs(pairs: Sequence[tuple[str, str]], screen: Screen) -> Iterator[str]:
    """Keyword and value in columns that are read downwards; long values follow on lines of their
    own.
    """
    room = min(SHORT_VALUE, screen.width - 4 - max((len(word) for word, _ in pairs), default=0))
    short = [pair for pair in pairs if cell_len(pair[1]) <= room]
    columns = _downwards(short, screen.width - 2)
    for line in range(len(columns[0]) if columns else 0):
        cells = [_pair(column, column[line], screen) for column in columns if line < len(column)]
        yield f"  {'   '.join(cells)}".rstrip()
    for word, value in pairs:
        if cell_len(value) > room:
            yield from _long(word, value, screen)


def _downwards(pairs: Sequence[_Pair], width: int) -> list[Sequence[_Pair]]:
    """The pairs in as many columns as fit the width."""
    for across in range(min(len(pairs), MOST_ACROSS), 0, -1):
        down = -(-len(pairs) // across)
        columns = [pairs[start : start + down] for start in range(0, len(pairs), down)]
        if (
            across == 1
            or sum(sum(_widths(each)) + 2 for each in columns) + 3 * (len(columns) - 1) <= width
        ):
            return columns
    return []


def _widths(column: Sequence[_Pair]) -> tuple[int, int]:
    return max(cell_len(word) for word, _ in column), max(cell_len(value) for _, value in column)


def _pair(column: Sequence[_Pair], pair: _Pair, screen: Screen) -> str:
    words, values = _widths(column)
    return f"{screen.style(_DIM, padded(pair[0], words))}{GAP}{padded(pair[1], values)}"


def _long(word: str, value: str, screen: Screen) -> Iterator[str]:
    room = max(screen.width - len(word) - 4, LEAST_WIDTH)
    first, *others = _broken(value, room)
    yield f"  {screen.style(_DIM, word)}{GAP}{first}"
    yield from (f"{' ' * (len(word) + 4)}{each}" for each in others)


def _broken(text: str, width: int) -> list[str]:
    """The text in lines of at most `width` columns, broken between words; a longer word has a
    line of its own.
    """
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if cell_len(longer) <= width or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
