"""Typed text, its words, and the settings; answers about the place of an error."""

from __future__ import annotations

import pytest

from mqsc.language.reply import Answer
from mqsc.script import Answered, Script
from mqsc.shell.brief_error import SYNTAX_HINT, brief_error
from mqsc.shell.command_text import (
    commands_of,
    continuation,
    is_ending,
    last_command,
    without_added_mark,
)
from mqsc.shell.first_words import hint_for
from mqsc.shell.settings import SettingError, Settings
from tests.rows import rows
from tests.store.tables import verdicts

# What Enter does, and where commands begin.


test_enter = verdicts(
    continuation,
    *(("", None), ("ping qmgr", None), ("* comment +", None), ("end", None), ("define +", "\n   ")),
    *(("define qlo-", "\n"), ("define +\n qlocal(A)", None), ("define +\n* between", "\n")),
    *(("define ql(", " +\n   "), ("define ql(A", " +\n   "), ("define ql(A) descr('x", "-\n")),
    *(("define ql(A) descr('x (", "-\n"), ("define ql(A) descr('x-\n y", "-\n")),
    *(("define ql(A) descr('x +\n y", "-\n"), ("define ql(A;", None), ("define ql( +\n   ", None)),
    *(
        ("put A 'x", None),
        ("put A -", None),
        ("put A x-", "\n"),
        ("run +", "\n   "),
        ("help define ql(", None),
    ),
    ("ping qmgr\ndefine ql(", " +\n   "),
)


test_the_command_at_the_cursor = verdicts(
    last_command,
    *(("", ""), ("dis ql(*) ", "dis ql(*) "), ("ping qmgr; dis ", "dis "), ("ping qmgr;", "")),
    *(("ping qmgr\ndis q", "dis q"), ("define ql(A) +\n   maxd", "define ql(A) maxd")),
    ("define ql(A) +\n   ", "define ql(A) "),
    ("define ql(A) descr('a-\n b", "define ql(A) descr('a b"),
    ("* comment", "*"),
)


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


test_an_error_is_about_what_is_open_not_about_the_mark_that_enter_added = verdicts(
    without_added_mark,
    ("define ql( +\n   ", "define ql("),
    ("dis ql('x-\n", "dis ql('x"),
    ("ping qmgr\ndefine ql( +\n   ", "ping qmgr\ndefine ql("),
    *(
        ("define ql(A) +\n", "define ql(A) +\n"),
        ("define ql(A)", "define ql(A)"),
        ("put A 'x", "put A 'x"),
    ),
    ("", ""),
)


def test_the_end() -> None:
    assert [is_ending(text) for text in ("end", "QUIT;", "  exit ", "end +", "define ql(end)")] == [
        *(True, True, True, False, False),
    ]


# The settings of a shell.


def test_settings_are_shown_as_they_are_typed() -> None:
    changed = Settings().changed("timing", "ON").changed("sort", "-curdepth").changed("keys", "vi")
    assert [changed.shown(name) for name in ("format", "sort", "timing", "pager", "keys")] == [
        "table",
        "-CURDEPTH",
        "on",
        "on",
        "vi",
    ]
    with pytest.raises(SettingError, match="there is no setting"):
        Settings().changed("colour", "red")


def test_sorting_takes_an_attribute() -> None:
    for word in ("curdepth", "-MAXDEPTH", "queue", "channel", "lgetdate"):
        assert Settings().changed("sort", word).sort == word.upper()
    with pytest.raises(SettingError, match="there is no attribute CURDEPHT"):
        Settings().changed("sort", "curdepht")


# Errors of typed commands: a caret, and at most three lines on a terminal of 80 columns.


PROMPT = "QM1> "


def answer_to(text: str) -> Answer:
    (answer,) = [
        step.answer for step in Script(None).steps(text.split("\n")) if isinstance(step, Answered)
    ]
    return answer


def shown(text: str, width: int = 80, *, has_syntax: bool = False) -> list[str]:
    return brief_error(
        answer_to(text),
        text,
        prompt=None if "\n" in text else len(PROMPT),
        width=width,
        has_syntax=has_syntax,
    )


@rows(
    ("alter ql(A) maxdpeth(5)", "maxdpeth", "did you mean MAXDEPTH?"),
    ("defin ql(A)", "defin", "did you mean DEFINE?"),
    ("define qlcal(A)", "qlcal", "did you mean QLOCAL?"),
    ("define ql(A) trigtype(frist)", "frist", "(did you mean FIRST?)"),
    ("define ql(A) descr(日本) put(yes)", "日本", "must be in quotes"),
    ("define ql('日本 x')", "'日本 x'", "a name"),
    ("define ql(A) maxdepth=5", "=", "a value goes between parentheses"),
    ("define ql(A) maxdepth(-1)", "-1", "a number from 0"),
)
def test_the_caret_is_under_the_word(text: str, under: str, says: str) -> None:
    caret, *sentences = shown(text, has_syntax=True)
    columns = {"日": 2, "本": 2}
    before = sum(columns.get(char, 1) for char in PROMPT + text[: text.index(under)])
    assert caret == " " * before + "^" * sum(columns.get(char, 1) for char in under)
    assert says in " ".join(sentences)
    assert len(sentences) <= 2


@pytest.mark.parametrize("width", [40, 80, 100])
@pytest.mark.parametrize(
    "text",
    [
        "define ql(A) trigtype(frist)",
        "define ql(A) +\n   descr('x') +\n   maxdpeth(5)",
        "define chl(A) chltype(sdx) " + "x" * 200,
        "define ql(A) descr('" + "y" * 90 + "') maxdpeth(4)",
        "define ql(A",
        "alter",
    ],
)
def test_lines_fit_and_are_few(text: str, width: int) -> None:
    lines = shown(text, width, has_syntax=True)
    # A single long word is kept whole, so that it can be copied.
    assert all(len(line) <= width or " " not in line for line in lines), lines
    assert any(set(line.strip()) == {"^"} for line in lines)
    assert len(lines) <= 3 or width < 80


def test_the_syntax_is_offered_where_it_fits() -> None:
    assert SYNTAX_HINT in " ".join(shown("alter ql(A) maxdpeth(5)", has_syntax=True))
    assert SYNTAX_HINT not in " ".join(shown("alter ql(A) maxdpeth(5)"))


def test_other_failures_are_not_about_a_place() -> None:
    assert (
        brief_error(Answer("AMQ8147E", "x", 2), "dis ql(A)", prompt=5, width=80, has_syntax=True)
        == []
    )


# Hints for words that are neither MQSC nor commands of the shell.


test_hints = verdicts(
    hint_for,
    ("mqsc", "this is the shell of mqsc: type commands without mqsc before them"),
    ("histroy", "'histroy' is not a command; did you mean history?"),
    *(
        ("quti", "'quti' is not a command; did you mean quit?"),
        ("display", ""),
        ("dis", ""),
        ("displ", ""),
    ),
    *(
        ("xyzzy", ""),
        ("*", ""),
        ("foo(bar)", ""),
        ("quit", "quit is typed alone, without words after it"),
    ),
)
