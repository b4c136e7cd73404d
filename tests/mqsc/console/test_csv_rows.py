"""Rows as CSV: the heading, fields within fields, and texts that a spreadsheet would calculate."""

from __future__ import annotations

import io
import os
import tracemalloc
from typing import Any

import pytest

from mqsc.console.csv_rows import write_csv

ROWS: dict[str, tuple[list[dict[str, Any]], str]] = {
    "no row": ([], ""),
    "a column of later rows": ([{"A": 1}, {"A": 2, "B": "x"}], "A,B\n1,\n2,x\n"),
    "fields within fields": (
        [{"a": 1, "body": {"text": "x", "more": {"n": 2}}}],
        "a,body.text,body.more.n\n1,x,2\n",
    ),
    "an empty field that has fields elsewhere": (
        [{"at": None}, {"at": {"line": 3}}],
        'at.line\n""\n3\n',
    ),
    "nothing, true, lists": (
        [{"a": None, "b": True, "c": ["x", "y"], "d": [{"n": 1}]}],
        'a,b,c,d\n,true,"x,y","{""n"": 1}"\n',
    ),
    "formulas": ([{"a": "=1+1", "b": "-x", "c": -1}], "a,b,c\n'=1+1,'-x,-1\n"),
}


@pytest.mark.parametrize(("rows", "expected"), ROWS.values(), ids=[*ROWS])
def test_rows(rows: list[dict[str, Any]], expected: str) -> None:
    out = io.StringIO()
    write_csv(rows, out)
    assert out.getvalue() == expected


def test_memory_does_not_grow_with_the_rows() -> None:
    """20,000 rows of 1,000 characters: 20 MB of text, of which a few are held in memory.

    More rows that are shorter would only take longer, because each allocation is traced.
    """
    tracemalloc.start()
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        write_csv(({"number": number, "text": "x" * 1_000} for number in range(20_000)), nowhere)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 8 << 20
