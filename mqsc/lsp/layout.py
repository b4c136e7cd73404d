"""The layout of `mqsc fmt` as edits of a document."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from lsprotocol import types

from mqsc.grammar.tree import SyntaxFault
from mqsc.lsp.regions import alike, regions
from mqsc.scripts.layout import laid_out


def layout_of(path: str, text: str) -> Iterator[types.TextEdit]:
    """Yield the change of each region of a document; other languages stay, and so do regions
    with errors.
    """
    lines = text.split("\n")
    for region in regions(path, text):
        written = [number for number, line in enumerate(region.lines) if line.strip()]
        # Between other languages, blank lines around the commands are theirs.
        is_all = len(region.lines) == len(lines)
        begin, beyond = (0, len(lines)) if is_all or not written else (written[0], written[-1] + 1)
        with suppress(SyntaxFault):
            tidy = (
                laid_out("\n".join([*region.lines[begin:beyond], *[""] * (not is_all)]).encode())
                .decode()
                .split("\n")
            )
            first = region.line + begin
            indent = lines[first][: region.column]
            now = [
                indent + line if line.strip() else line for line in (tidy if is_all else tidy[:-1])
            ]
            yield from _difference(lines[first : region.line + beyond], now, first)


def _difference(was: list[str], now: list[str], first: int) -> Iterator[types.TextEdit]:
    """One change, from the first line that differs to the last; `first` is the number of the
    first line of `was`.
    """
    if now == was:
        return
    shorter = min(len(was), len(now))
    after = min(alike(reversed(was), reversed(now)), shorter - 1)
    before = min(alike(was, now), shorter - max(after, 1))
    changed = now[before : len(now) - after]
    start = types.Position(first + before, 0)
    if after:
        end = types.Position(first + len(was) - after, 0)
        text = "".join(f"{line}\n" for line in changed)
    else:
        units = len(was[-1].encode("utf-16-le")) // 2
        end, text = types.Position(first + len(was) - 1, units), "\n".join(changed)
    yield types.TextEdit(types.Range(start, end), text)
