"""Help fits the screen: lines are broken between words."""

from __future__ import annotations

import pytest

from mqsc.shell.own_commands import ROWS, SETTINGS, help_lines


@pytest.mark.parametrize("width", [40, 80, 100])
@pytest.mark.parametrize(
    "words",
    [
        [],
        ["?"],
        ["define"],
        ["define", "qlocal"],
        ["define", "chl"],
        ["define", "frob"],
        ["trigtype"],
        ["put"],
        ["2053"],
    ],
    ids=" ".join,
)
def test_lines_fit(words: list[str], width: int) -> None:
    lines = [*help_lines(words, width, "alter qmgr x")]
    assert [line for line in lines if len(line) > width and len(line.split()) > 1] == []
    assert lines


def test_the_overview_has_everything() -> None:
    text = "\n".join(help_lines([], 100, ""))
    assert [row.name for row in ROWS if f"  {row.name}" not in text] == []
    assert [name for name in SETTINGS if f"\\{name} " not in text] == []
