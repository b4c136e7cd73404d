"""Which word a wrong one was meant to be."""

from __future__ import annotations

from mqsc.store.catalog.spelling import (
    asks_what_was_meant,
    corrections,
    hint,
    nearest,
    similar,
    suggesting,
    typing_errors,
)
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


@rows(
    ("ordres", "ORDERS"),
    ("ORDRS", "ORDERS"),
    ("orders", "ORDERS"),
    ("ORDERS", ""),
    ("mixed", "Mixed"),
    ("xyz", ""),
)
def test_similar(name: str, found: str) -> None:
    assert similar(name, ["ORDERS", "Mixed", "INVOICES"]) == found


@rows(
    ("putt", "did you mean PUT?"),
    ("GET", "use PUT, SET"),
)
def test_hint(word: str, says: str) -> None:
    assert hint(word, ["PUT", "SET"], "use") == says


@rows(
    ("", "no queue"),
    ("A", "no queue. Did you mean A?"),
)
def test_suggesting(near: str, sentence: str) -> None:
    assert suggesting(near, "no queue") == sentence
    assert asks_what_was_meant(sentence) == bool(near)
