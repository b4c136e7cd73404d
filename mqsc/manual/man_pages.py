"""Manual pages for man(1), in roff."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from mqsc.manual.command_pages import CommandPage, command_pages
from mqsc.store.table import cells
from mqsc.version import __version__

_SAME_FOR_ALL = cells(__file__, "man_page.csv", ("section", "term", "meaning"))
# At the start of a line these begin a request to roff.
_REQUEST = re.compile(r"^([.'])", re.MULTILINE)


def write_man_pages(folder: Path) -> list[Path]:
    """Write a page for every command into the folder, which is created; return the files."""
    folder.mkdir(parents=True, exist_ok=True)
    pages = {page.path: page for page in command_pages()}
    for page in pages.values():
        (folder / f"{page.title}.1").write_text(man_page(page, pages), "utf-8")
    return [folder / f"{page.title}.1" for page in pages.values()]


def man_page(page: CommandPage, pages: Mapping[str, CommandPage]) -> str:
    """The page in roff; `pages` are all of them, by path."""
    return "".join(f"{line}\n" for line in _lines(page, pages))


def _lines(page: CommandPage, pages: Mapping[str, CommandPage]) -> Iterator[str]:
    yield f'.TH "{_text(page.title.upper())}" 1 "" "mqsc {__version__}" "mqsc manual"'
    yield from (".SH NAME", f"{_text(page.title)} \\- {_text(page.about.removesuffix('.'))}")
    yield from (".SH SYNOPSIS", f".B {_text(page.usage)}")
    yield ".SH DESCRIPTION"
    for paragraph in page.description:
        yield from (
            ".PP",
            *(
                (".nf", _text(paragraph.text), ".fi")
                if paragraph.kept
                else (_text(paragraph.text),)
            ),
        )
    yield from _definitions(
        "COMMANDS",
        ((pages[path].typed, about) for path, about in page.commands),
    )
    yield from _definitions("OPTIONS", page.options)
    for section in dict.fromkeys(row[0] for row in _SAME_FOR_ALL):
        yield from _definitions(section, (row[1:] for row in _SAME_FOR_ALL if row[0] == section))
    if page.examples:
        yield from (".SH EXAMPLES", ".nf", *map(_text, page.examples), ".fi")
    above = [" ".join(page.path.split()[:-1])] if page.path else []
    related = (pages[path].title for path in (*above, *(path for path, _ in page.commands)))
    yield from (".SH SEE ALSO", ", ".join(f"{_text(each)}(1)" for each in related))


def _definitions(heading: str, rows: Iterable[Sequence[str]]) -> Iterator[str]:
    rows = [*rows]
    yield from [f".SH {heading}"] if rows else []
    for term, meaning in rows:
        yield from (".TP", f".B {_text(term)}", _text(meaning))


def _text(text: str) -> str:
    """Text that roff prints as it is."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace('"', "\\(dq").replace("`", "")
    return _REQUEST.sub(r"\\&\1", escaped)
