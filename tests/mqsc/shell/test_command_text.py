"""Typed text, its words, and the settings."""

from __future__ import annotations

import pytest

from mqsc.shell.command_text import (
    SettingError,
    Settings,
    commands_of,
    continuation,
    is_ending,
    last_command,
    without_added_mark,
)

# What Enter does, and where commands begin.


@pytest.mark.parametrize(
    ("text", "inserted"),
    [
        ("", None),
        ("ping qmgr", None),
        ("* comment +", None),
        ("end", None),
        ("define +", "\n   "),
        ("define qlo-", "\n"),
        ("define +\n qlocal(A)", None),
        ("define +\n* between", "\n"),
        ("define ql(", " +\n   "),
        ("define ql(A", " +\n   "),
        ("define ql(A) descr('x", "-\n"),
        ("define ql(A) descr('x (", "-\n"),
        ("define ql(A) descr('x-\n y", "-\n"),
        ("define ql(A) descr('x +\n y", "-\n"),
        ("define ql(A;", None),
        ("define ql( +\n   ", None),
        ("put A 'x", None),
        ("put A -", None),
        ("put A x-", "\n"),
        ("run +", "\n   "),
        ("help define ql(", None),
        ("ping qmgr\ndefine ql(", " +\n   "),
    ],
)
def test_enter(text: str, inserted: str | None) -> None:
    assert continuation(text) == inserted


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("", ""),
        ("dis ql(*) ", "dis ql(*) "),
        ("ping qmgr; dis ", "dis "),
        ("ping qmgr;", ""),
        ("ping qmgr\ndis q", "dis q"),
        ("define ql(A) +\n   maxd", "define ql(A) maxd"),
        ("define ql(A) +\n   ", "define ql(A) "),
        ("define ql(A) descr('a-\n b", "define ql(A) descr('a b"),
        ("* comment", "*"),
    ],
)
def test_the_command_at_the_cursor(text: str, command: str) -> None:
    assert last_command(text) == command


def test_a_hyphen_after_a_command_of_the_shell_is_standard_input() -> None:
    assert [each.text for each in commands_of("put A -")] == ["put A -"]
    assert [each.text for each in commands_of("put A x-\n y -")] == ["put A x y -"]
    assert [each.text for each in commands_of("define -\nqlocal(A)")] == ["define -\nqlocal(A)"]


def test_commands_keep_their_lines() -> None:
    text = "define ql(A) +\n* c\n descr(x)\nput A 'b;c'; dis ql(*)\n\n* done"
    assert [*commands_of(text)] == [
        ("define ql(A) +\n* c\n descr(x)", 1),
        ("put A 'b;c'", 4),
        (" dis ql(*)", 4),
    ]


@pytest.mark.parametrize(
    ("text", "without"),
    [
        ("define ql( +\n   ", "define ql("),
        ("dis ql('x-\n", "dis ql('x"),
        ("ping qmgr\ndefine ql( +\n   ", "ping qmgr\ndefine ql("),
        ("define ql(A) +\n", "define ql(A) +\n"),
        ("define ql(A)", "define ql(A)"),
        ("put A 'x", "put A 'x"),
        ("", ""),
    ],
)
def test_an_error_is_about_what_is_open_not_about_the_mark_that_enter_added(text: str, without: str) -> None:
    assert without_added_mark(text) == without


def test_the_end() -> None:
    assert [is_ending(text) for text in ("end", "QUIT;", "  exit ", "end +", "define ql(end)")] == [
        True,
        True,
        True,
        False,
        False,
    ]


# The settings of a shell.


def test_settings_are_shown_as_they_are_typed() -> None:
    changed = Settings().changed("timing", "ON").changed("sort", "-curdepth").changed("keys", "vi")
    assert [changed.shown(name) for name in ("format", "sort", "timing", "pager", "keys")] == [
        "table", "-CURDEPTH", "on", "on", "vi",
    ]  # fmt: skip
    with pytest.raises(SettingError, match="there is no setting"):
        Settings().changed("colour", "red")


def test_sorting_takes_an_attribute() -> None:
    for word in ("curdepth", "-MAXDEPTH", "queue", "channel", "lgetdate"):
        assert Settings().changed("sort", word).sort == word.upper()
    with pytest.raises(SettingError, match="there is no attribute CURDEPHT"):
        Settings().changed("sort", "curdepht")
