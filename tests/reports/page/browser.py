"""A headless Chromium, controlled through a pipe: no driver and no port.

A page is opened from its file. What the browser logs, and every request that it would make, is recorded.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from base64 import b64decode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

NAMES = ("chromium", "chromium-browser", "chromium-headless-shell", "google-chrome", "chrome")
OPTIONS = (
    "--headless",
    "--remote-debugging-pipe",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)
# Becomes the browser, which reads commands from descriptor 3 and writes answers to 4.
START = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.dup2(int(sys.argv[2]), 4)
os.execv(sys.argv[3], sys.argv[3:])
"""
END = b"\0"


class Logged(NamedTuple):
    """What the browser said about a page: errors and warnings, and the addresses that it requested."""

    problems: list[str]
    requests: list[str]


def installed() -> str | None:
    """The path of the browser; None if there is none."""
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
        """Open the tab."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log", "Accessibility"):
            self.call(f"{domain}.enable")

    def open(self, path: Path, width: int, *, dark: bool = False) -> None:
        """Open a file in a window of that width."""
        self.logged = Logged([], [])
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self.call("Page.navigate", url=path.as_uri())
        self._events_until("Page.loadEventFired")

    def run(self, script: str) -> Any:
        """The value of a JavaScript expression; AssertionError if it throws."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def press(self, key: str, code: int, text: str = "") -> None:
        """Press and release a key."""
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, text=text)

    def screenshot(self, path: Path, *, whole: bool = False) -> None:
        """Write what the window shows, or the whole page, as PNG."""
        answer = self.call("Page.captureScreenshot", captureBeyondViewport=whole)
        path.write_bytes(b64decode(answer["data"]))

    def call(self, method: str, **parameters: Any) -> Mapping[str, Any]:
        """The answer to a command of the DevTools protocol."""
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
        process = subprocess.Popen(
            [
                *(sys.executable, "-ISc", START, str(for_browser), str(from_browser)),
                *(executable, *OPTIONS, f"--user-data-dir={profile}", "about:blank"),
            ],
            pass_fds=(for_browser, from_browser),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
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
