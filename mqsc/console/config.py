"""The user's settings: which there are, and where the value of each comes from.

A value is, in this order: that of an option or a command of the shell, of an environment variable,
of the file `mqsc/config.toml` in the user's configuration folder, or the default. The file is read
only where a setting is wanted that nothing before it gives, so that most commands do not load a
reader of TOML.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import click

if TYPE_CHECKING:
    from pathlib import Path

# Instead of the file in the configuration folder.
_FILE = "MQSC_CONFIG"
# The table of the file that declares queue managers elsewhere, which `mqsc.targets` reads.
TARGETS = "target"
SHELL_FORMATS = ("table", "vertical", "classic", "markdown", "tsv", "csv", "json", "jsonl")


class ConfigError(click.ClickException):
    """The file of settings cannot be used: exit code 20. The text names the place and says what
    would be right.
    """

    exit_code = 20


class Setting(NamedTuple):
    """A setting: its values (none: any text; a boolean is true or false), its default, and its
    variables.
    """

    about: str
    default: str | bool
    values: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()


SETTINGS: Mapping[str, Setting] = {
    "store": Setting("The store of commands without --store.", "", variables=("MQSC_STORE",)),
    "format": Setting("How the shell shows DISPLAY.", "table", SHELL_FORMATS),
    "prompt": Setting("The prompt of the shell.", "+QMNAME+> ", variables=("MQPROMPT",)),
    "keys": Setting("The keys for editing in the shell.", "emacs", ("emacs", "vi"), ("MQSC_KEYS",)),
    "hide_system": Setting(
        "Whether top, and in the shell DISPLAY of *, leave SYSTEM objects out.",
        False,
    ),
    "pager": Setting(
        "The program for long output; off for none.",
        "less",
        variables=("MQSC_PAGER", "PAGER"),
    ),
    "colours": Setting("Whether output on a terminal has colours.", True),
}


class EffectiveSetting(NamedTuple):
    """The value of a setting, and where it comes from: a variable, the file, or `default`."""

    value: Any
    origin: str


def path() -> Path:
    """Where the file of settings is, whether it exists or not."""
    from pathlib import Path

    from platformdirs import user_config_path

    named = os.environ.get(_FILE)
    return Path(named) if named else user_config_path("mqsc", appauthor=False) / "config.toml"


def effective_setting(name: str) -> EffectiveSetting:
    """The value of a setting and its origin; ConfigError."""
    setting = SETTINGS[name]
    if name == "colours" and os.environ.get("NO_COLOR"):
        return EffectiveSetting(False, "NO_COLOR")
    # PAGER is for all programs, so what the user chose for this one counts more.
    own = [each for each in setting.variables if each != "PAGER"]
    variable = next((each for each in own if os.environ.get(each)), None)
    if variable is not None:
        setting_value = os.environ[variable].lower() if setting.values else os.environ[variable]
        if setting.values and setting_value not in setting.values:
            raise ConfigError(
                f"{variable} must be {' or '.join(setting.values)}, not {setting_value!r}"
            )
        return EffectiveSetting(setting_value, variable)
    file = path()
    in_file = _read(file)
    if name in in_file:
        return EffectiveSetting(in_file[name], str(file))
    if name == "pager" and "PAGER" in os.environ:
        return EffectiveSetting(os.environ["PAGER"], "PAGER")
    return EffectiveSetting(setting.default, "default")


def value(name: str) -> Any:
    """The value of a setting; ConfigError."""
    return effective_setting(name).value


def targets_in(file: Path) -> Any:
    """What the file says of targets, unchecked; ConfigError if it cannot be used."""
    return _read(file).get(TARGETS, {})


def read_again() -> None:
    """Forget what the file said: it was changed."""
    _read.cache_clear()


@cache
def _read(file: Path) -> Mapping[str, Any]:
    """The settings in a file; none if there is no such file."""
    try:
        text = file.read_text("utf-8")
    except FileNotFoundError:
        if os.environ.get(_FILE):
            raise ConfigError(f"{_FILE} names {file}, which does not exist") from None
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(
            f"{file}: cannot be read: {getattr(error, 'strerror', None) or error}",
        ) from error
    from tomllib import TOMLDecodeError, loads

    try:
        settings = loads(text)
    except TOMLDecodeError as error:
        raise ConfigError(f"{file}: {error}") from error
    for name, setting in settings.items():
        if name != TARGETS:
            _check(file, name, setting)
    return settings


def _check(file: Path, name: str, setting_value: Any) -> None:
    setting = SETTINGS.get(name)
    if setting is None:
        from mqsc.store.catalog.spelling import hint

        known = hint(name, [*SETTINGS], "there are")
        raise ConfigError(f"{file}: there is no setting {name!r}; {known}")
    if isinstance(setting_value, bool) != isinstance(setting.default, bool) or not isinstance(
        setting_value,
        (bool, str),
    ):
        wanted = (
            "true or false"
            if isinstance(setting.default, bool)
            else 'a text in quotes, such as "..."'
        )
        raise ConfigError(f"{file}: {name} must be {wanted}")
    if setting.values and setting_value not in setting.values:
        raise ConfigError(
            f"{file}: {name} must be {', '.join(setting.values[:-1])} or {setting.values[-1]}",
        )
