"""The pictures of the README: python -m tests.docs.pictures writes them into docs/pictures.

The shell is recorded in a pseudo-terminal on the store of `mqsc demo`; the page of a report needs
Chromium.
"""

from __future__ import annotations

import io
import re
import struct
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import Any
from zlib import crc32

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

from mqsc.cli.demo import play
from mqsc.main import run_to_exit_code
from mqsc.store.client.store import open_store
from mqsc.store.environment import Environment
from tests.mqsc.shell.pty_terminal import Terminal
from tests.reports.page.test_browser import EXECUTABLE, HOW, browser
from tests.reports.page.test_document import made_page
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
        with open_store(
            f"sqlite:///{folder}/store.db",
            replace(Environment.system(), user="maria"),
        ) as store:
            play(store)
        with Terminal(Path(folder), width=WIDTH, height=HEIGHT) as terminal:
            # In the toolbar, once the rest of the program has been loaded: what is typed before has
            # no colours.
            terminal.wait("SHOP  ")
            for number, line in enumerate(TYPED, 1):
                terminal.enter(line)
                terminal.wait(partial(has_prompts, number=number + 1))
            # Without the prompt at the end, and the toolbar below it.
            lines = [shown(row) for row in terminal.cells()]
            last = max(number for number, line in enumerate(lines) if "SHOP>" in line.plain)
            del lines[last:]
    console = Console(
        record=True,
        width=WIDTH,
        file=io.StringIO(),
        force_terminal=True,
        color_system="truecolor",
    )
    for text in lines:
        console.print(text, end="\n", overflow="crop", no_wrap=True)
    return console.export_svg(title="mqsc", theme=MONOKAI)


def said(picture: str) -> str:
    """The text of a picture without spaces and colours."""
    return re.sub(r"<style>.*?</style>|<[^>]+>|&#160;|\s", "", picture, flags=re.DOTALL)


# PNG files say from what they were made: a digest, in a chunk of text.
_MADE_FROM = b"tEXtMade from\0"


def shell_source() -> bytes:
    """What the picture of the shell as PNG depends on: the one as SVG."""
    return said((PICTURES / "shell.svg").read_text("utf-8")).encode()


def report_source() -> bytes:
    """What the picture of the page of a report depends on: its styles, and what a page has up to
    its overview.
    """
    with tempfile.TemporaryDirectory() as folder:
        page = made_page(Path(folder), rows=1, text=("A",)).read_bytes()
    return b"<h2".join(page.split(b"<h2")[:2])


SOURCES: dict[str, Callable[[], bytes]] = {"shell.png": shell_source, "report.png": report_source}


def digest_in(picture: bytes) -> bytes:
    """The digest that a PNG file says it was made from."""
    return picture.partition(_MADE_FROM)[2][: sha256().digest_size * 2]


def with_digest(picture: bytes, source: bytes) -> bytes:
    """The PNG with the digest of what it was made from, after its header of 33 bytes."""
    chunk = _MADE_FROM + sha256(source).hexdigest().encode()
    added = struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", crc32(chunk))
    return picture[:33] + added + picture[33:]


def page_of_reports(folder: Path) -> Path:
    """The page of all reports on the store of the demonstration."""
    store = f"sqlite:///{folder}/demo.db"
    with open_store(store, replace(Environment.system(), user="maria")) as opened:
        play(opened)
    assert (
        run_to_exit_code(
            ["--store", store, "report", "daily", "--out", f"{folder}/made", "--as", "html"],
        )
        == 0
    )
    return folder / "made" / "index.html"


def draw_in_browser(executable: str) -> None:
    """Write the pictures that need a browser."""
    with tempfile.TemporaryDirectory() as folder, browser(executable) as opened:
        for name, page, width in (
            ("shell.png", PICTURES / "shell.svg", 1000),
            ("report.png", page_of_reports(Path(folder)), 900),
        ):
            opened.open(page, width)
            opened.screenshot(PICTURES / name)
            drawn = (PICTURES / name).read_bytes()
            (PICTURES / name).write_bytes(with_digest(drawn, SOURCES[name]()))


if __name__ == "__main__":
    PICTURES.mkdir(exist_ok=True)
    (PICTURES / "shell.svg").write_text(shell_picture(), "utf-8")
    if EXECUTABLE is None:
        sys.exit(f"shell.png and report.png were not drawn: {HOW}")
    draw_in_browser(EXECUTABLE)
