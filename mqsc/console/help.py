"""The texts of `--help`: the first page, the examples of each command, and the layout."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain, combinations, pairwise, zip_longest

import click

from mqsc.console.commands import EXAMPLES, FIRST_IBM_NAMES, IBM_NAMES, TASKS
from mqsc.console.terminal import wrapped

_INDENT = "  "
_CONTINUED = "      "
_GAP = 2

USAGE = "Usage: mqsc [OPTIONS] [COMMAND] [ARGS]...  Without a command: the shell."
OPTIONS = "--store URL  -m NAME  --format json|jsonl|csv  --quiet  --version"
EXAMPLE_LINE = "mqsc run -c 'DISPLAY QMGR'  mqsc put ORDERS hello  mqsc COMMAND -h"


def first_page(commands: Iterable[str], width: int) -> Iterator[str]:
    """The help of the command line as a whole: 24 lines if they may have 78 columns."""
    yield from wrapped(USAGE, width, hanging=_CONTINUED)
    yield from by_task(commands, width)
    for heading, text in (
        ("IBM:", " ".join((*FIRST_IBM_NAMES, "..."))),
        ("Options:", OPTIONS),
        ("Examples:", EXAMPLE_LINE),
    ):
        yield from wrapped(f"{heading} {text}", width, hanging=_INDENT)


def by_task(commands: Iterable[str], width: int) -> Iterator[str]:
    """The commands by task, in three columns where the width allows, or in two."""
    groups = {title: [*rows.items()] for title, rows in TASKS.items()}
    known = {name for rows in groups.values() for name, _ in rows} | set(IBM_NAMES)
    others = [(name, "") for name in commands if name not in known]
    if others:
        groups["More"] = others
    blocks = [
        [f"{title}:", *(f"{_INDENT}{name:<8} {about}".rstrip() for name, about in rows)]
        for title, rows in groups.items()
    ]
    for across in (3, 2, 1):
        columns = _in_columns(blocks, across)
        widths = [max(map(len, column)) + _GAP for column in columns]
        if sum(widths) - _GAP <= width:
            break
    for cells in zip_longest(*columns, fillvalue=""):
        yield "".join(f"{cell:<{room}}" for cell, room in zip(cells, widths, strict=True)).rstrip()


def _in_columns(blocks: list[list[str]], across: int) -> list[list[str]]:
    """The blocks in their order in so many columns, of which the longest is as short as
    possible.
    """
    cuts = ((0, *each, len(blocks)) for each in combinations(range(1, len(blocks)), across - 1))
    arrangements = (
        [[*chain.from_iterable(blocks[low:high])] for low, high in pairwise(each)] for each in cuts
    )
    return min(arrangements, key=lambda columns: max(map(len, columns)))


def example_lines(path: str, width: int) -> Iterator[str]:
    """The examples of a command, each on lines of at most `width` columns that a shell reads as
    one.
    """
    for example in EXAMPLES.get(path, ()):
        yield from _continued(example, width)


def _continued(example: str, width: int) -> Iterator[str]:
    """The example, broken between words with a backslash at the end of each line but the last."""
    line = _INDENT
    for word in _words(example):
        if line.strip() and len(line) + len(word) + len(" \\") > width:
            yield f"{line} \\"
            line = _CONTINUED
        line += word if not line.strip() else f" {word}"
    yield line


def _words(example: str) -> list[str]:
    """The words as they are written, with their quotes."""
    # The first page, which is shown most often, has no use for it.
    import shlex

    reader = shlex.shlex(example, posix=False, punctuation_chars=False)
    reader.whitespace_split = True
    reader.commenters = ""
    return [*reader]


# Below this width a column for the options leaves too little for what they mean.
_NARROW = 60
_HANGING = "    "


# Text is broken at this character in no way; it stands for a hyphen while a text is broken.
_HYPHEN = "\u2011"
# A range as click writes it, and in words.
_RANGES = (
    (re.compile(r"(\S+)<=x<=(\S+)\]$"), r"\1 to \2]"),
    (re.compile(r"x>=(\S+)\]$"), r"at least \1]"),
    (re.compile(r"x>(\S+)\]$"), r"more than \1]"),
)


def _range_in_words(meaning: str) -> str:
    for written, words in _RANGES:
        meaning = written.sub(words, meaning)
    return meaning


class HelpFormatter(click.HelpFormatter):
    """Breaks lines between words only, at any width."""

    def write(self, string: str) -> None:
        """Add a text, with hyphens where a break was prevented."""
        super().write(string.replace(_HYPHEN, "-"))

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        if self.width >= _NARROW:
            super().write_usage(prog, args, prefix)
            return
        for line in wrapped(
            " ".join(f"Usage: {prog} {args}".split()),
            self.width,
            hanging=_HANGING,
        ):
            self.write(f"{line}\n")

    def write_text(self, text: str) -> None:
        """As click does, but also break lines that do not fit where a command asks to keep its lines."""
        start = len(self.buffer)
        super().write_text(text.replace("-", _HYPHEN))
        lines = "".join(self.buffer[start:]).split("\n")
        self.buffer[start:] = ["\n".join(part for line in lines for part in self._fitting(line))]

    def _fitting(self, line: str) -> Iterator[str]:
        indent = line[: len(line) - len(line.lstrip())]
        yield from (
            [line]
            if len(line) <= self.width
            else wrapped(line.strip(), self.width, indent, indent + _HANGING)
        )

    def write_dl(
        self,
        rows: Iterable[tuple[str, str]],
        col_max: int = 30,
        col_spacing: int = 2,
    ) -> None:
        rows = [(term, _range_in_words(meaning)) for term, meaning in rows]
        if self.width >= _NARROW:
            unbroken = [(term, meaning.replace("-", _HYPHEN)) for term, meaning in rows]
            super().write_dl(unbroken, col_max, col_spacing)
            return
        indent = " " * self.current_indent
        for term, meaning in rows:
            lines = [
                *wrapped(term, self.width, indent),
                *wrapped(meaning, self.width, indent + _HANGING),
            ]
            self.write("".join(f"{line}\n" for line in lines if line.strip()))
