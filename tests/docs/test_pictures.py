"""The pictures of the README are those of the program as it is: python -m tests.docs.pictures makes them again."""

from __future__ import annotations

from tests.docs.pictures import PICTURES, shell_picture


def test_the_session_of_the_shell_is_not_stale() -> None:
    assert (PICTURES / "shell.svg").read_text("utf-8") == shell_picture()
