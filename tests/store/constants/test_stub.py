"""The file that type checkers read of the constants."""

from __future__ import annotations

from store.constants.__main__ import STUB, stub


def test_the_file_is_the_one_that_would_be_written() -> None:
    assert STUB.read_text("utf-8") == stub(), "run: python -m store.constants"
