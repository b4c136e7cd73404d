"""The pictures of the README are those of the program as it is: python -m tests.docs.pictures makes them again."""

from __future__ import annotations

import re

from tests.docs.pictures import PICTURES, shell_picture


def words(picture: str) -> list[str]:
    """The text of a picture. What was typed first has colours only if they were loaded by then."""
    return re.sub(r"<style>.*?</style>|<[^>]+>|&#160;", " ", picture, flags=re.DOTALL).split()


def test_the_session_of_the_shell_is_not_stale() -> None:
    assert words((PICTURES / "shell.svg").read_text("utf-8")) == words(shell_picture())
