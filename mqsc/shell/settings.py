"""The settings of a shell, and the end of a command that is about its output: > FILE, | PROGRAM, \\SETTING VALUE."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from mqsc.shell.own_commands import SETTINGS

# Outside quotes and parentheses, and with blanks around it, so that A>B in a text stays a text.
_SKIPPED = re.compile(r"'(?:[^']|'')*'?|\"[^\"]*\"?|\([^()']*(?:'(?:[^']|'')*'[^()']*)*\)|\S+|\s+")
_BEGINS = (">", ">>", "|")
ON = {"on": True, "off": False}


class SettingError(ValueError):
    """A setting or redirection that is not valid; the text says what would be."""


class Settings(Struct, frozen=True):
    """How output is shown."""

    format: str = "table"
    sort: str = ""
    timing: bool = False
    pager: bool = True
    keys: str = "emacs"

    def changed(self, name: str, value: str) -> Settings:
        """These settings with another value; SettingError."""
        words, _ = _known(name)
        if words and value.lower() not in words:
            raise SettingError(f"\\{name} takes {', '.join(words[:-1])} or {words[-1]}, not '{value}'")
        if name == "sort":
            return replace(self, sort=value.upper())
        given: dict[str, Any] = {name: ON.get(value.lower(), value.lower())}
        return replace(self, **given)

    def shown(self, name: str) -> str:
        """The value of a setting as it is typed."""
        _known(name)
        value = getattr(self, name)
        return str(value) if isinstance(value, str) else next(word for word, on in ON.items() if on is value)


def _known(name: str) -> tuple[tuple[str, ...], str]:
    if name not in SETTINGS:
        known = ", ".join(f"\\{each}" for each in SETTINGS)
        raise SettingError(f"there is no setting \\{name}; use {known}")
    return SETTINGS[name]


class Output(Struct, frozen=True):
    """Where the output of one command goes; both blank for the screen."""

    file: str = ""
    append: bool = False
    pipe: str = ""

    @property
    def is_screen(self) -> bool:
        return not (self.file or self.pipe)


def split_output(text: str, settings: Settings) -> tuple[str, Output, Settings]:
    """A command without what it says about its output, the output, and the settings for this command."""
    output, end = Output(), len(text)
    starts: list[int] = []
    for found in _SKIPPED.finditer(text):
        token, start = found.group(), found.start()
        if not start or not text[start - 1].isspace():
            continue
        if token in _BEGINS:
            output, end = _output(token, text[found.end() :].strip()), start
            break
        if token.startswith("\\") and token[1:] in SETTINGS:
            starts.append(start)
    for start, beyond in pairwise([*starts, end]):
        name, *value = text[start + 1 : beyond].split(maxsplit=1)
        settings = settings.changed(name, value[0].strip() if value else "")
    return text[: starts[0] if starts else end].rstrip(), output, settings


def _output(mark: str, target: str) -> Output:
    if not target:
        what = "a shell command" if mark == "|" else "a file"
        raise SettingError(f"{mark} must be followed by {what}")
    if mark == "|":
        return Output(pipe=target)
    words = re.findall(r"'[^']*'|\"[^\"]*\"|\S+", target)
    if len(words) > 1:
        raise SettingError(f"{mark} takes one file; a name with blanks must be in quotes")
    return Output(file=words[0].strip("'\""), append=mark == ">>")
