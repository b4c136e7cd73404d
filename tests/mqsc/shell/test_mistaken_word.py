"""Hints for words that are neither MQSC nor commands of the shell."""

from __future__ import annotations

import pytest

from mqsc.shell.reply_display import hint_for


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("mqsc", "this is the shell of mqsc: type commands without mqsc before them"),
        ("histroy", "'histroy' is not a command; did you mean history?"),
        ("quti", "'quti' is not a command; did you mean quit?"),
        ("display", ""),
        ("dis", ""),
        ("displ", ""),
        ("xyzzy", ""),
        ("*", ""),
        ("foo(bar)", ""),
    ],
)
def test_hints(word: str, hint: str) -> None:
    assert hint_for(word) == hint
