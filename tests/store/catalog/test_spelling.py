"""Which word a wrong one was meant to be."""

from __future__ import annotations

from mqsc.store.catalog.spelling import corrections, nearest, typing_errors
from tests.rows import rows


@rows(
    ("MAXDEPHT", ["MAXDEPTH"], "MAXDEPTH"),
    ("putt", ["put", "get"], "put"),
    ("untrigger", ["TRIGGER"], None),
    ("NOSHARED", ["SHARED", "NOSHARE"], "NOSHARE"),
    ("xyz", ["TRIGGER"], None),
)
def test_nearest(word: str, words: list[str], found: str | None) -> None:
    assert nearest(word, words) == found


@rows(
    ("--lines", ["--file", "--limit"], []),
    ("--exclude", ["--include"], []),
    ("get", ["set", "put"], []),
    ("gte", ["get", "set"], ["get"]),
    ("used", ["unused"], []),
    ("unlearn", ["learn"], []),
    ("unarchive", ["archive"], []),
    ("do", ["undo"], []),
    ("REFERSH", ["REFRESH"], ["REFRESH"]),
    ("ORDERS", ["REFRESH"], []),
    ("desc", ["describe"], ["describe"]),
    ("--detaild-exitcod", ["--detailed-exitcode"], ["--detailed-exitcode"]),
)
def test_corrections(word: str, words: list[str], found: list[str]) -> None:
    assert corrections(word, words) == found


@rows(("get", "get", 0), ("gte", "get", 1), ("gt", "get", 1), ("lines", "file", 3))
def test_typing_errors(typed: str, meant: str, number: int) -> None:
    assert typing_errors(typed, meant) == number
