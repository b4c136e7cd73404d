"""`mqsc help`: the help of commands, and explanations of words."""

from __future__ import annotations

import pytest

from tests.mqsc.conftest import Command


@pytest.mark.parametrize(
    ("words", "as_typed"),
    [
        ((), ("--help",)),
        (("put",), ("put", "--help")),
        (("trigger", "explain"), ("trigger", "explain", "--help")),
        (("2053",), ("explain", "2053")),
        (("define", "qlocal"), ("explain", "define", "qlocal")),
        (("queue full",), ("explain", "queue full")),
    ],
)
def test_help_is_that_of_a_command_or_explains(
    mqsc: Command, words: tuple[str, ...], as_typed: tuple[str, ...]
) -> None:
    ended, other = mqsc("help", *words), mqsc(*as_typed)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == other.out


def test_what_nobody_knows(mqsc: Command) -> None:
    ended = mqsc("help", "frobnicate")
    assert ended.code == 10
    assert ended.err.startswith("mqsc: 'frobnicate' is not a known code")
