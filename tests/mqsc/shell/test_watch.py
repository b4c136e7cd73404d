"""What `watch` shows and marks."""

from __future__ import annotations

import io
from os import terminal_size

import pytest

from mqsc.shell.watch import marked, watch
from tests.rows import rows


@rows(
    *((None, "A  1", "A  1"), ("A  1", "A  1", "A  1"), ("A  1", "A  2", "A  <2>")),
    *(("A   9  x", "A  10  x", "A  <10>  x"), ("A  1", "\x1b[1mA\x1b[0m  1", "\x1b[1mA\x1b[0m  1")),
    ("", "B  1", "<B>  <1>"),
)
def test_changed_words_are_marked(before: str | None, line: str, shown: str) -> None:
    assert marked(line, before, lambda word: f"<{word}>") == shown


def test_the_screen_is_drawn_again_and_no_longer_than_it_is() -> None:
    screens = iter([["A  1", *map(str, range(30))], ["A  2"]])
    screen = io.StringIO()

    def once() -> list[str]:
        return next(screens, None) or stop()

    def stop() -> list[str]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        watch(
            once,
            screen,
            seconds=0,
            heading=lambda: "heading",
            size=lambda: terminal_size((20, 10)),
        )
    assert screen.getvalue().replace("\x1b[H\x1b[2J", "").splitlines() == [
        *("heading", "", "A  1", "0", "1", "2", "3", "4", "… 25 more lines"),
        *("heading", "", "A  \x1b[7m2\x1b[0m"),
    ]


def test_a_long_line_takes_several_and_the_screen_may_change() -> None:
    lines = ["a" * 25, "日" * 11, "c", "d", "e"]
    shown = io.StringIO()
    sizes = iter([(80, 8), (20, 8), (20, 9), (20, 10)])

    with pytest.raises(StopIteration):
        watch(
            lambda: lines,
            shown,
            seconds=0,
            heading=lambda: "",
            size=lambda: terminal_size(next(sizes)),
        )
    screens = [each.splitlines()[2:] for each in shown.getvalue().split("\x1b[H\x1b[2J")[1:]]
    assert screens == [lines, [*lines[:2], "… 3 more lines"], [*lines[:3], "… 2 more lines"], lines]


def test_a_terminal_that_cannot_be_cleared_gets_all_lines() -> None:
    found = iter([["A  1", "B"], ["A  2", "B"]])
    shown = io.StringIO()
    with pytest.raises(StopIteration):
        watch(lambda: next(found), shown, seconds=0, heading=lambda: "heading", size=None)
    assert shown.getvalue().splitlines() == [
        "heading",
        "",
        "A  1",
        "B",
        "heading",
        "",
        "A  *2*",
        "B",
    ]
