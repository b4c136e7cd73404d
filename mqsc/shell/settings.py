"""The settings of the shell."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from mqsc.console.json_rows import DATA_FORMATS
from mqsc.console.shell_words import SETTINGS
from mqsc.explain.words_of_mqsc import is_attribute
from mqsc.store.catalog.spelling import hint

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
    system: bool = True

    def changed(self, name: str, value: str) -> Settings:
        """These settings with another value; SettingError."""
        words, _ = _values_of(name)
        if words and value.lower() not in words:
            raise SettingError(
                f"\\{name} takes {', '.join(words[:-1])} or {words[-1]}, not '{value}'",
            )
        if name == "sort":
            _check_is_attribute(value.lstrip("-").upper())
            return replace(self, sort=value.upper())
        change: dict[str, Any] = {name: ON.get(value.lower(), value.lower())}
        return replace(self, **change)

    @property
    def data_format(self) -> str | None:
        """The value of --format for commands of the command line; None for text."""
        return self.format if self.format in DATA_FORMATS else None

    @property
    def layout(self) -> tuple[str, str]:
        """The settings that only DISPLAY observes."""
        return self.format, self.sort

    def shown(self, name: str) -> str:
        """The value of a setting as it is typed."""
        _values_of(name)
        value = getattr(self, name)
        return (
            str(value)
            if isinstance(value, str)
            else next(word for word, on in ON.items() if on is value)
        )


def _check_is_attribute(word: str) -> None:
    if word and not is_attribute(word):
        raise SettingError(
            f"\\sort takes an attribute that DISPLAY shows; there is no attribute {word}",
        )


def _values_of(name: str) -> tuple[tuple[str, ...], str]:
    if name not in SETTINGS:
        known = hint(f"\\{name}", [f"\\{each}" for each in SETTINGS], "use")
        raise SettingError(f"there is no setting \\{name}; {known}")
    return SETTINGS[name]
