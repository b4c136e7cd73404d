"""The settings of a shell: how output is shown, and the keys for editing."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from mqsc.shell.own_commands import SETTINGS

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
            _check_is_attribute(value.lstrip("-").upper())
            return replace(self, sort=value.upper())
        given: dict[str, Any] = {name: ON.get(value.lower(), value.lower())}
        return replace(self, **given)

    @property
    def layout(self) -> tuple[str, str]:
        """The settings that only DISPLAY observes."""
        return self.format, self.sort

    def shown(self, name: str) -> str:
        """The value of a setting as it is typed."""
        _known(name)
        value = getattr(self, name)
        return str(value) if isinstance(value, str) else next(word for word, on in ON.items() if on is value)


def _check_is_attribute(word: str) -> None:
    # Imported here because the vocabulary takes long to load, which must not delay the first prompt.
    from mqsc.explain.words import is_attribute

    if word and not is_attribute(word):
        raise SettingError(f"\\sort takes an attribute that DISPLAY shows; there is no attribute {word}")


def _known(name: str) -> tuple[tuple[str, ...], str]:
    if name not in SETTINGS:
        known = ", ".join(f"\\{each}" for each in SETTINGS)
        raise SettingError(f"there is no setting \\{name}; use {known}")
    return SETTINGS[name]
