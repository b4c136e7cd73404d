"""Errors in a few lines, and hints for words that are no commands."""

from __future__ import annotations

import pytest

from mqsc.language.reply import Answer
from mqsc.script import Answered, Script
from mqsc.shell.reply_display import SYNTAX_HINT, brief_error, hint_for

# Errors of typed commands: a caret, and at most three lines on a terminal of 80 columns.


PROMPT = "QM1> "


def answer_to(text: str) -> Answer:
    (answer,) = [step.answer for step in Script(None).steps(text.split("\n")) if isinstance(step, Answered)]
    return answer


def shown(text: str, width: int = 80, *, has_syntax: bool = False) -> list[str]:
    return brief_error(
        answer_to(text), text, prompt=None if "\n" in text else len(PROMPT), width=width, has_syntax=has_syntax
    )


@pytest.mark.parametrize(
    ("text", "under", "says"),
    [
        ("alter ql(A) maxdpeth(5)", "maxdpeth", "did you mean MAXDEPTH?"),
        ("defin ql(A)", "defin", "did you mean DEFINE?"),
        ("define qlcal(A)", "qlcal", "did you mean QLOCAL?"),
        ("define ql(A) trigtype(frist)", "frist", "(did you mean FIRST?)"),
        ("define ql(A) descr(日本) put(yes)", "日本", "must be in quotes"),
        ("define ql('日本 x')", "'日本 x'", "a name"),
        ("define ql(A) maxdepth=5", "=", "a value goes between parentheses"),
        ("define ql(A) maxdepth(-1)", "-1", "a number from 0"),
    ],
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
    assert brief_error(Answer("AMQ8147E", "x", 2), "dis ql(A)", prompt=5, width=80, has_syntax=True) == []


# Hints for words that are neither MQSC nor commands of the shell.


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
