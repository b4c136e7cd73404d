"""The pictures of the README: python -m tests.docs.pictures writes them into docs/pictures.

The shell is recorded in a pseudo-terminal on the store of `mqsc demo`; the page of a report needs Chromium.
"""

from __future__ import annotations

import io
import re
import tempfile
from dataclasses import replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

from mqsc.cli.demo import play
from store.client.api import open_store
from store.environment import Environment
from tests.mqsc.shell.pty_terminal import Terminal
from tests.source import ROOT

PICTURES = ROOT / "docs" / "pictures"
_FLAGS = {"bold": "bold", "italics": "italic", "reverse": "reverse"}
WIDTH, HEIGHT = 100, 60
TYPED = (
    "display qlocal(*) curdepth maxdepth where(curdepth gt 0)",
    "depth ORDERS --since 1h",
    "as-of 09:30",
    "display qlocal(orders) curdepth get",
    "as-of now",
    "blame 'QLOCAL(ORDERS)' GET",
    "explain 2016",
)


def style_of(cell: Any) -> str:
    """The style of a cell in the words of rich."""
    colour = {"brown": "yellow"}.get(cell.fg, cell.fg.removeprefix("bright"))
    colour = f"#{colour}" if re.fullmatch("[0-9a-f]{6}", colour) else colour
    flags = (said for word, said in _FLAGS.items() if getattr(cell, word))
    return " ".join([*flags, colour])


def shown(row: list[Any]) -> Text:
    """A row of the screen with its colours."""
    text = Text()
    for style, cells in groupby(row, style_of):
        text.append("".join(cell.data or " " for cell in cells), style)
    text.rstrip()
    return text


def has_prompts(lines: list[str], number: int) -> bool:
    """Whether the screen has so many prompts."""
    return sum("SHOP> " in f"{each} " for each in lines) >= number


def shell_picture() -> str:
    """The SVG of a session of the shell."""
    with tempfile.TemporaryDirectory() as folder:
        with open_store(f"sqlite:///{folder}/store.db", replace(Environment.system(), user="maria")) as store:
            play(store)
        with Terminal(Path(folder), width=WIDTH, height=HEIGHT) as terminal:
            terminal.wait("SHOP>")
            for number, line in enumerate(TYPED, 1):
                terminal.enter(line)
                terminal.wait(partial(has_prompts, number=number + 1))
            # Without the prompt at the end, and the toolbar below it.
            lines = [shown(row) for row in terminal.cells()]
            last = max(number for number, line in enumerate(lines) if "SHOP>" in line.plain)
            del lines[last:]
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    for text in lines:
        console.print(text, end="\n", overflow="crop", no_wrap=True)
    return console.export_svg(title="mqsc", theme=MONOKAI)


if __name__ == "__main__":
    PICTURES.mkdir(exist_ok=True)
    (PICTURES / "shell.svg").write_text(shell_picture(), "utf-8")
