"""The page in a headless Chromium: what it looks like, loads and runs, and how it works without
a mouse.
"""

from __future__ import annotations

import json
import os
import shutil
import struct
import subprocess
import sys
from base64 import b64decode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pytest

from tests.reports.page.test_document import HOSTILE, made_page
from tests.rows import rows

NAMES = ("chromium", "chromium-browser", "chromium-headless-shell", "google-chrome", "chrome")
OPTIONS = (
    "--headless --remote-debugging-pipe --no-sandbox --disable-gpu --disable-quic "
    "--disable-dev-shm-usage "
    "--no-first-run --disable-background-networking --disable-component-update --disable-sync "
    "--hide-scrollbars"
).split()
# Becomes the browser, which reads commands from descriptor 3 and writes answers to 4.
START = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.dup2(int(sys.argv[2]), 4)
os.execv(sys.argv[3], sys.argv[3:])
"""
END = b"\0"


class Logged(NamedTuple):
    """What the browser said about a page: errors and warnings, and the addresses that it
    requested.
    """

    problems: list[str]
    requests: list[str]


def installed() -> str | None:
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """One tab; `logged` is about the page that was opened last."""

    def __init__(self, commands: int, answers: int) -> None:
        self._commands = commands
        self._answers = answers
        self._buffer = b""
        self._number = 0
        self._session: str | None = None
        self.logged = Logged([], [])

    def attach(self) -> None:
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)[
            "sessionId"
        ]
        for domain in ("Page", "Runtime", "Network", "Log", "Accessibility"):
            self.call(f"{domain}.enable")

    def open(self, path: Path, width: int, *, dark: bool = False) -> None:
        self.logged = Logged([], [])
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=900,
            deviceScaleFactor=1,
            mobile=False,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self.call("Page.navigate", url=path.as_uri())
        self._events_until("Page.loadEventFired")

    def run(self, script: str) -> Any:
        """The value of a JavaScript expression; AssertionError if it throws."""
        answer = self.call(
            "Runtime.evaluate",
            expression=script,
            returnByValue=True,
            awaitPromise=True,
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def press(self, key: str, code: int, text: str = "") -> None:
        for kind in ("keyDown", "keyUp"):
            self.call(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                code=key,
                windowsVirtualKeyCode=code,
                text=text,
            )

    def screenshot(self, path: Path, *, whole: bool = False) -> None:
        """Write what the window shows, or the whole page, as PNG."""
        answer = self.call("Page.captureScreenshot", captureBeyondViewport=whole)
        path.write_bytes(b64decode(answer["data"]))

    def call(self, method: str, **parameters: Any) -> Mapping[str, Any]:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._commands, json.dumps(message).encode() + END)
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                assert "error" not in answer, (method, answer["error"])
                return answer["result"]  # type: ignore[no-any-return]

    def _events_until(self, method: str) -> None:
        while self._next().get("method") != method:
            continue

    def _next(self) -> Mapping[str, Any]:
        while END not in self._buffer:
            read = os.read(self._answers, 1 << 16)
            assert read, "the browser has ended"
            self._buffer += read
        text, self._buffer = self._buffer.split(END, 1)
        message: Mapping[str, Any] = json.loads(text)
        self._record(message)
        return message

    def _record(self, message: Mapping[str, Any]) -> None:
        parameters = message.get("params", {})
        match message.get("method"):
            case "Network.requestWillBeSent":
                self.logged.requests.append(parameters["request"]["url"])
            case "Log.entryAdded" if parameters["entry"]["level"] != "verbose":
                self.logged.problems.append(parameters["entry"]["text"])
            case "Runtime.consoleAPICalled":
                self.logged.problems.append(str(parameters["args"]))
            case "Runtime.exceptionThrown":
                self.logged.problems.append(str(parameters["exceptionDetails"]))


@contextmanager
def browser(executable: str) -> Iterator[Browser]:
    """A browser with a profile of its own, which ends with the block."""
    for_browser, commands = os.pipe()
    answers, from_browser = os.pipe()
    with TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [sys.executable, "-ISc", START, str(for_browser), str(from_browser)]
        command += [executable, *OPTIONS, f"--user-data-dir={profile}", "about:blank"]
        silent: Any = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
        process = subprocess.Popen(command, pass_fds=(for_browser, from_browser), **silent)
        os.close(for_browser)
        os.close(from_browser)
        try:
            opened = Browser(commands, answers)
            opened.attach()
            yield opened
            with suppress(AssertionError):
                opened._session = None
                opened.call("Browser.close")
        finally:
            os.close(commands)
            os.close(answers)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


EXECUTABLE = installed()
HOW = "no Chromium is installed: MQSC_INSTALL_BROWSER=1 sh tests/run.sh installs it on Debian"
pytestmark = pytest.mark.skipif(EXECUTABLE is None, reason=HOW)
SCREENSHOTS = os.environ.get("MQSC_SCREENSHOTS")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    assert EXECUTABLE is not None
    with browser(EXECUTABLE) as opened:
        yield opened


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of all reports, in which every text tries to become markup."""
    return made_page(tmp_path_factory.mktemp("hostile"))


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_page(
        tmp_path_factory.mktemp("plain"),
        ["queue-activity"],
        rows=9,
        text=("A", "B", "C"),
    )


@rows((1280, False), (400, False), (1280, True))
def test_a_page_loads_nothing_and_fits(
    chromium: Browser,
    hostile: Path,
    tmp_path: Path,
    width: int,
    dark: bool,
) -> None:
    chromium.open(hostile, width, dark=dark)
    assert chromium.run("document.documentElement.scrollWidth") <= width
    shot = Path(SCREENSHOTS or tmp_path) / f"page-{width}-{'dark' if dark else 'light'}.png"
    chromium.screenshot(shot, whole=bool(SCREENSHOTS))
    assert (struct.unpack(">I", shot.read_bytes()[16:20]), chromium.logged.problems) == (
        (width,),
        [],
    )
    assert chromium.logged.requests == [hostile.as_uri()]


def test_text_of_a_store_is_neither_run_nor_markup(chromium: Browser, hostile: Path) -> None:
    chromium.open(hostile, 1280)
    assert chromium.run("window.taken") is None
    assert chromium.run("document.scripts.length") == 1
    assert (
        chromium.run("document.querySelectorAll('img, style:not(head style), iframe, form').length")
        == 0
    )
    assert (
        chromium.run("document.querySelectorAll('[onerror], [onmouseover], [onclick]').length") == 0
    )
    assert chromium.run(
        "[...document.links].every((link) => link.getAttribute('href').startsWith('#'))",
    )
    assert chromium.run("document.querySelector('h1').textContent") == f"{HOSTILE[0]}.db"
    cells = chromium.run("[...document.querySelectorAll('td')].map((cell) => cell.textContent)")
    assert set(HOSTILE) - set(cells) == {HOSTILE[6]}


def test_what_got_past_the_escaping_would_not_run(
    chromium: Browser,
    hostile: Path,
    tmp_path: Path,
) -> None:
    """The policy of the page stops it."""
    broken = tmp_path / "broken.html"
    text = hostile.read_text("utf-8")
    broken.write_text(text.replace("<main>", f"<main>{HOSTILE[0]}{HOSTILE[1]}", 1), "utf-8")
    chromium.open(broken, 1280)
    assert chromium.run("window.taken") is None
    assert any("Content Security Policy" in each for each in chromium.logged.problems)


# The tables of a page that do not fit it.
CUT = """
[...document.querySelectorAll('.scroll')].filter((each) => each.scrollWidth > each.clientWidth)
  .map((each) => each.getAttribute('aria-labelledby'))
"""


def test_a_wide_table_of_texts_fits_a_wide_page(chromium: Browser, tmp_path: Path) -> None:
    names = ("ORDERS.BACKOUT.QUEUE", "payments.service", "QM1")
    chromium.open(made_page(tmp_path, ["authority"], rows=3, text=names), 1280)
    # More columns than the page has room for are scrolled.
    assert chromium.run(CUT) == ["authority.refusals"]


# The ratio of WCAG 2 between a text and what is behind it, for every text that is shown.
CONTRAST = """
(() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const painted = (colour) => {
    canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    return canvas.getImageData(0, 0, 1, 1).data;
  };
  // Thousands of elements have some ten colours.
  const known = new Map();
  const rgba = (colour) => {
    if (!known.has(colour)) known.set(colour, painted(colour));
    return known.get(colour);
  };
  const luminance = ([r, g, b]) => {
    const linear = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    const [x, y, z] = [r, g, b].map((c) => linear(c / 255));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const ratio = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = rgba(getComputedStyle(at).backgroundColor);
      if (colour[3] === 255) return colour;
    }
  };
  const found = {};
  const note = (kind, element, colour) => {
    const seen = Math.round(ratio(rgba(colour), behind(element)) * 100) / 100;
    found[kind] = Math.min(found[kind] ?? 99, seen);
  };
  for (const element of document.body.querySelectorAll("*:not(script)")) {
    if (!element.getClientRects().length) continue;
    const style = getComputedStyle(element);
    if (element instanceof SVGElement) {
      if (element.localName === "text") note("text", element, style.fill);
      if (element.getAttribute("fill")?.startsWith("var")) note("bar", element, style.fill);
    } else if ([...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim())) {
      note("text", element, style.color);
    }
  }
  return found;
})()
"""


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_contrast(chromium: Browser, hostile: Path, dark: bool) -> None:
    """WCAG 2.2, level AA: 4.5 for text, 3 for graphics."""
    chromium.open(hostile, 1280, dark=dark)
    least = chromium.run(CONTRAST)
    assert least["text"] >= 4.5
    assert least["bar"] >= 3


FOCUSED = "document.activeElement.matches('{}')"


def test_without_a_mouse(chromium: Browser, plain: Path) -> None:
    """Tab reaches every link, heading and table; Enter sorts, arrow keys scroll."""
    chromium.open(plain, 400)
    chromium.press("Tab", 9)
    assert chromium.run(FOCUSED.format("nav a"))
    assert chromium.run("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    reached = set()
    for _ in range(
        chromium.run("document.querySelectorAll('a, button, summary, [tabindex]').length"),
    ):
        chromium.press("Tab", 9)
        reached.add(
            chromium.run(
                "document.activeElement.localName + '.' + document.activeElement.className",
            ),
        )
    assert {"a.", "button.", "summary.", "div.scroll"} <= reached
    chromium.run("document.querySelector('.scroll').focus(); document.activeElement.scrollLeft = 0")
    chromium.press("ArrowRight", 39)
    assert chromium.run(
        "new Promise((done) => { const region = document.activeElement;"
        " region.scrollLeft ? done(true) : region.addEventListener('scroll', () => done(true)); })",
    )
    chromium.run("document.querySelector('th button').focus()")
    chromium.press("Enter", 13, "\r")
    assert chromium.run("document.activeElement.closest('th').ariaSort") == "ascending"
    chromium.press("Enter", 13, "\r")
    assert chromium.run("document.activeElement.closest('th').ariaSort") == "descending"


# Sorts a table by a column; the values in it, the state of its heading, and how many headings have
# one.
SORTED = """
((name, clicks) => {{
  const table = document.querySelector("[aria-labelledby='queue-activity.hours'] table");
  const head = [...table.tHead.rows[0].cells].find((cell) => cell.textContent === name);
  for (let click = 0; click < clicks; click++) head.firstChild.click();
  const values = [...table.tBodies[0].rows].map((row) => row.cells[head.cellIndex].textContent);
  return [values, head.ariaSort, table.querySelectorAll("[aria-sort]").length];
}})("{}", {})
"""
LENGTHS = [
    "0 s",
    "0 s",
    "250 µs",
    "250 µs",
    "3.3 s",
    "2 min 5 s",
    "2 min 5 s",
    "1 d 4 h",
    "1 d 4 h",
]


def test_columns_sort_by_their_values(chromium: Browser, plain: Path) -> None:
    """Numbers as numbers, durations by their length, rows without a value always last."""
    chromium.open(plain, 1280)
    shown, by, number = chromium.run(SORTED.format("puts", 0))
    assert (shown[:2], by, number) == (["9,970", "8,973"], "descending", 1)
    values, by, number = chromium.run(SORTED.format("puts", 1))
    assert (values, by, number) == ([*shown[-2::-1], "–"], "ascending", 1)
    assert chromium.run(SORTED.format("residence max", 1)) == [LENGTHS[::-1], "descending", 1]
    assert chromium.run(SORTED.format("residence max", 1)) == [LENGTHS, "ascending", 1]
    values, by, _ = chromium.run(SORTED.format("hour", 1))
    assert (values[:2], values[-1], by) == (
        ["2023-11-15 02:00", "2023-11-15 03:00"],
        "–",
        "ascending",
    )
    values, by, _ = chromium.run(SORTED.format("queue", 2))
    assert (sorted(values[:-1], reverse=True), by) == (values[:-1], "descending")


def test_a_screen_reader_finds_names_for_everything(chromium: Browser, plain: Path) -> None:
    chromium.open(plain, 1280)
    nodes = chromium.call("Accessibility.getFullAXTree")["nodes"]
    wanted = ("image", "region", "button", "link", "navigation", "table")
    names = {role: [] for role in wanted}  # type: dict[str, list[str]]
    for node in nodes:
        if not node["ignored"] and node["role"]["value"] in wanted:
            names[node["role"]["value"]].append(node.get("name", {}).get("value", ""))
    assert all(names[role] for role in ("image", "region", "button", "link", "navigation"))
    assert all(name.strip() for role in wanted if role != "table" for name in names[role])
    levels = chromium.run(
        "[...document.querySelectorAll('h1, h2, h3')].map((each) => Number(each.localName[1]))",
    )
    assert (levels[0], levels.count(1)) == (1, 1)
    assert all(later <= earlier + 1 for earlier, later in pairwise(levels))
    ids = chromium.run("[...document.querySelectorAll('[id]')].map((each) => each.id)")
    assert len(ids) == len(set(ids))
    targets = chromium.run("[...document.links].map((link) => link.getAttribute('href').slice(1))")
    assert set(targets) <= set(ids)
