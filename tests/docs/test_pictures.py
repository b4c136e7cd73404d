"""The pictures of the README are those of the program as it is: python -m tests.docs.pictures makes them again."""

from __future__ import annotations

import re

from tests.docs.pictures import PICTURES, shell_picture


def said(picture: str) -> str:
    """The text of a picture without spaces. What was typed first is in pieces of a colour only if they were loaded."""
    return re.sub(r"<style>.*?</style>|<[^>]+>|&#160;|\s", "", picture, flags=re.DOTALL)


def test_the_session_of_the_shell_is_not_stale() -> None:
    assert said((PICTURES / "shell.svg").read_text("utf-8")) == said(shell_picture())
