"""The layout of `mqsc fmt` as changes of a document: of all of it, of some of its lines, and of a line just ended."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from grammar.tree import SyntaxFault
from mqsc.lsp.regions import RULES, Region, alike, commands_around, regions
from mqsc.scripts.layout import laid_out


def layout_of(path: str, text: str) -> Iterator[types.TextEdit]:
    """Yield the change of each region of a document; other languages stay, and so do regions with errors."""
    lines = text.split("\n")
    for region in regions(path, text):
        if len(region.lines) < len(lines):
            yield from _changes(lines, region, 0, len(region.lines))
        else:
            yield from _difference(lines, _made(text), 0)


def layout_between(path: str, text: str, first: int, beyond: int) -> Iterator[types.TextEdit]:
    """Yield the changes of the commands on some lines. A rules table is laid out as a whole or not at all."""
    for region in regions(path, text):
        begin, end = max(first - region.line, 0), min(beyond - region.line, len(region.lines))
        while begin < end and not region.lines[end - 1].strip():
            end -= 1
        if region.kind != RULES and begin < end:
            yield from _changes(text.split("\n"), region, *commands_around(region.lines, begin, end))


def _changes(lines: list[str], region: Region, begin: int, beyond: int) -> Iterator[types.TextEdit]:
    """The change of some lines of a region, except blank ones around them."""
    while begin < beyond and not region.lines[beyond - 1].strip():
        beyond -= 1
    while begin < beyond and not region.lines[begin].strip():
        begin += 1
    made = _made("\n".join([*region.lines[begin:beyond], ""]))
    if made and begin < beyond:
        first = region.line + begin
        indent = lines[first][: region.column]
        now = [indent + line if line.strip() else line for line in made[:-1]]
        yield from _difference(lines[first : region.line + beyond], now, first)


def _made(text: str) -> list[str] | None:
    """The lines of the layout, of which the last is blank; None if there is an error, which the diagnostics explain."""
    try:
        return laid_out(text.encode()).decode().split("\n")
    except SyntaxFault:
        return None


def _difference(was: list[str], made: list[str] | None, first: int) -> Iterator[types.TextEdit]:
    """One change, from the first line that differs to the last; `first` is the number of the first line of `was`."""
    if made is None or made == was:
        return
    shorter = min(len(was), len(made))
    after = min(alike(reversed(was), reversed(made)), shorter - 1)
    before = min(alike(was, made), shorter - max(after, 1))
    changed = made[before : len(made) - after]
    start = types.Position(first + before, 0)
    if after:
        end, text = types.Position(first + len(was) - after, 0), "".join(f"{line}\n" for line in changed)
    else:
        units = len(was[-1].encode("utf-16-le")) // 2
        end, text = types.Position(first + len(was) - 1, units), "\n".join(changed)
    yield types.TextEdit(types.Range(start, end), text)
