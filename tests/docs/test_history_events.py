"""The page on the events of the history has every column, kind, cause and key of `detail`.

Run as a module with --write to rewrite its tables.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping

from mqsc.store.published import EVENT_COLUMNS, KINDS
from tests.source import ROOT

PAGE = ROOT / "docs" / "history-events.md"
TYPES = {"BLOB": "bytes", "INTEGER": "number", "TEXT": "text"}
TABLES = "## Columns\n"
# A key that so many kinds have is one of imported events, with a row of its own.
MANY = 6
KEYS = Counter(item for kind in KINDS.values() for item in kind.detail.items())
OF_MANY = {key: meaning for (key, meaning), kinds in KEYS.items() if kinds >= MANY}


def described(meanings: Mapping[str, str]) -> str:
    """Words with their meanings, one a line of the cell."""
    return "<br>".join(f"`{word}` {meaning}" for word, meaning in meanings.items())


def row(*texts: str) -> str:
    return f"| {' | '.join(text.replace('|', '&#124;') for text in texts)} |".replace("|  |", "| |")


def tables() -> Iterator[str]:
    """The lines of the tables, as the store publishes the history."""
    yield from (TABLES.strip(), "", "| column | type | meaning |", "|---|---|---|")
    for column in EVENT_COLUMNS:
        doc = "What happened: a kind below." if column.name == "kind" else column.doc
        yield row(f"`{column.name}`", TYPES[column.type], doc)
    yield from ("", "## Kinds, with their causes and details", "")
    yield from ("| kind | what happened, and causes | keys of `detail` |", "|---|---|---|")
    for kind in KINDS.values():
        happened = "<br>".join(filter(None, (kind.doc, described(kind.causes))))
        own = {key: text for key, text in kind.detail.items() if OF_MANY.get(key) != text}
        yield row(f"`{kind.name}`", happened, described(own))
    yield from (
        "",
        "## Further keys of `detail`, of imported events",
        "",
        "| key | meaning |",
        "|---|---|",
    )
    for key, meaning in OF_MANY.items():
        yield row(f"`{key}`", meaning)


def page() -> str:
    """The page with the tables of today below what is written by hand."""
    by_hand = PAGE.read_text("utf-8").partition(TABLES)[0]
    return by_hand + "\n".join(tables()) + "\n"


def test_the_page_has_what_the_store_publishes() -> None:
    how = "its tables are written anew by `python -m tests.docs.test_history_events --write`"
    assert PAGE.read_text("utf-8") == page(), how


if __name__ == "__main__" and sys.argv[1:] == ["--write"]:
    PAGE.write_text(page(), "utf-8")
