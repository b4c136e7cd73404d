"""The line below the prompt, and the history of commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqsc.shell.command_history import CommandHistory
from mqsc.shell.editor import STYLES, status_beside
from mqsc.shell.hint import NOTHING

TIME = "  09:00:00Z"


@pytest.mark.parametrize(
    ("status", "width", "expected"),
    [
        (f"QM1{TIME}", 80, f"QM1{TIME}"),
        (f"A.QUEUE.MANAGER{TIME}", 80, "A.QUEUE.MANAGER"),
        (f"A.QUEUE.MANAGER.WITH.A.LONG.NAME{TIME}", 80, ""),
        # It is cut in any case.
        (f"QM1{TIME}", 50, f"QM1{TIME}"),
    ],
)
def test_thestatus_beside_the_first_hint(status: str, width: int, expected: str) -> None:
    assert status_beside(NOTHING, status, width) == expected


def test_a_history_that_cannot_be_read_or_written_ends_no_shell(tmp_path: Path) -> None:
    for file in (tmp_path, tmp_path / "no folder" / "history"):
        history = CommandHistory(str(file), lambda text: False)
        assert [*history.load_history_strings()] == []
        history.remember("DISPLAY QMGR")
        assert history.get_strings() == ["DISPLAY QMGR"]


def test_the_history_has_no_secrets(tmp_path: Path) -> None:
    history = CommandHistory(str(tmp_path / "history"), lambda text: "PASSWORD" in text)
    for text in ("DISPLAY QMGR", "DISPLAY QMGR", "ALTER CHANNEL(C) PASSWORD(x)"):
        history.remember(text)
    again = CommandHistory(str(tmp_path / "history"), lambda text: False)
    assert [*again.load_history_strings()] == ["DISPLAY QMGR"]


def _contrast(colour: str, background: str) -> float:
    """The ratio of WCAG 2 between two colours."""
    low, high = sorted(map(_luminance, (colour, background)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("background", ["#000000", "#ffffff"])
def test_colours_can_be_read_on_dark_and_light(background: str) -> None:
    colours = {name: style.split()[0] for name, style in STYLES if style.startswith("#")}
    assert len(colours) >= 9
    for name, colour in colours.items():
        assert _contrast(colour, background) >= 4, (name, colour)
