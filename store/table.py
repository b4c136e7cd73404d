"""The reader of the product's tables: CSV files beside the modules that read them.

A cell holds a number, a word of MQ or of this product, is_list such words with blanks between, or
text for people. A module names the columns that it expects, and the words that cells may have. A
file that has others is refused by file and line: else a slip in a cell would go unnoticed.
"""

import csv
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

# The words that cells may have, by column.
Words = Mapping[str, Collection[str]]
_ANY: Words = {}


class _Checked(NamedTuple):
    """A column whose cells are checked: where it is, its name, and the words that are known.

    With `is_list`, a cell has any number of these words, with blanks between.
    """

    at: int
    column: str
    known: Collection[str]
    is_list: bool

    def unknown(self, row: Sequence[str]) -> str | None:
        """The word in a row that is not known."""
        cell = row[self.at]
        if not self.is_list:
            return None if cell in self.known else cell
        return next((word for word in cell.split() if word not in self.known), None)


class Block(NamedTuple):
    """The rows between two blank lines of a file, as text, and how many lines are before them."""

    file: str
    lines_before: int
    text: str


def cells(
    module: str,
    file: str,
    columns: Sequence[str],
    words: Words = _ANY,
    lists: Words = _ANY,
) -> list[list[str]]:
    """The rows of a file beside a module, given its `__file__`, without the first line and blank
    ones.

    ValueError if the first line has other columns, if a row has more or fewer cells, if a cell is
    not one of the `words` of its column, or if one of the words in a cell is not in its `lists`.
    """
    checked = [*_checked(columns, words, False), *_checked(columns, lists, True)]
    name = _beside(module, file)
    with open(name, encoding="utf-8", newline="") as lines:
        _check_columns(name, next(lines, ""), columns)
        return [*_rows(name, 1, lines, len(columns), checked)]


def table(
    module: str,
    file: str,
    columns: Sequence[str],
    words: Words = _ANY,
    lists: Words = _ANY,
) -> list[dict[str, str]]:
    """The rows of a file as `cells` reads them, each by the names of the columns."""
    rows = cells(module, file, columns, words, lists)
    return [dict(zip(columns, row, strict=True)) for row in rows]


def blocks(module: str, file: str, columns: Sequence[str]) -> dict[str, Block]:
    """The blocks of a long file by the first cell of their rows, so that one can be read without
    the others; ValueError if the first line has other columns.
    """
    name = _beside(module, file)
    with open(name, encoding="utf-8") as lines:
        head, *texts = lines.read().split("\n\n")
    _check_columns(name, head, columns)
    blocks_by_cell = {}
    before = 2
    for text in texts:
        blocks_by_cell[text.partition(",")[0]] = Block(name, before, text)
        before += text.count("\n") + 2
    return blocks_by_cell


def cells_of(block: Block, columns: Sequence[str]) -> list[list[str]]:
    """The rows of a block, read as `cells` reads those of a file."""
    return [*_rows(block.file, block.lines_before, block.text.splitlines(), len(columns), [])]


def _beside(module: str, file: str) -> str:
    return f"{module.rpartition('/')[0]}/{file}"


def _check_columns(name: str, line: str, columns: Sequence[str]) -> None:
    expected, found = ",".join(columns), line.rstrip("\r\n")
    if found != expected:
        raise ValueError(f"{name}:1: the columns are {found}, not {expected}")


def _checked(columns: Sequence[str], words: Words, is_list: bool) -> Iterator[_Checked]:
    for column, known in words.items():
        yield _Checked(columns.index(column), column, known, is_list)


def _rows(
    name: str,
    lines_before: int,
    lines: Iterable[str],
    width: int,
    checked: Sequence[_Checked],
) -> Iterator[list[str]]:
    reader = csv.reader(lines)
    for row in reader:
        if not row:
            continue
        if len(row) != width:
            line = _first_line(row, lines_before + reader.line_num)
            raise ValueError(f"{name}:{line}: {len(row)} cells instead of {width}: {','.join(row)}")
        for check in checked:
            word = check.unknown(row)
            if word is not None:
                line = _first_line(row, lines_before + reader.line_num)
                valid = ", ".join(map(repr, check.known))
                has = "has" if check.is_list else "is"
                raise ValueError(
                    f"{name}:{line}: {check.column} {has} {word!r}, not one of {valid}"
                )
        yield row


def _first_line(row: Sequence[str], last: int) -> int:
    """The line on which a row begins whose last line is this one."""
    return last - sum(cell.count("\n") for cell in row)
