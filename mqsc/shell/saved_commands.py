"""Saved commands: a file for each, readable by the user only, beside the file of settings."""

import os
from pathlib import Path

from mqsc.console.config import path as config_path
from mqsc.console.shell_words import BACKSLASH
from mqsc.language.secrets import masked, secret_spans
from mqsc.shell.backslash import NAME, SUFFIX
from mqsc.shell.settings import SettingError


def _folder() -> Path:
    return config_path().parent / "saved"


def _file(name: str) -> Path:
    if not NAME.fullmatch(name):
        raise SettingError(
            f"{name!r} cannot be the name of a saved command: use letters, digits, _, - and .",
        )
    return _folder() / f"{name}{SUFFIX}"


def saved(name: str) -> str:
    """The saved command of a name; SettingError names the others if there is none."""
    try:
        return _file(name).read_text("utf-8").strip()
    except FileNotFoundError:
        known = ", ".join(_saved_names()) or "none"
        raise SettingError(f"no command is saved as {name}; saved are: {known}") from None
    except UnicodeDecodeError as error:
        raise SettingError(f"{_file(name)} is no text in UTF-8; \\fd {name} deletes it") from error


def _saved_names() -> list[str]:
    return sorted(each.stem for each in _folder().glob(f"*{SUFFIX}") if NAME.fullmatch(each.stem))


def saved_lines() -> list[str]:
    """A line for each saved command: its name and the command."""
    return [f"{each}: {masked(' '.join(_text_or_fault(each).split()))}" for each in _saved_names()]


def _text_or_fault(name: str) -> str:
    """A saved command, or why it cannot be read."""
    try:
        return saved(name)
    except (SettingError, OSError) as error:
        return str(error)


def save(words: str) -> None:
    """Save a command; the words are its name and itself. SettingError."""
    name, command = (*words.split(maxsplit=1), "", "")[:2]
    if not command:
        raise SettingError(f"\\fs takes {BACKSLASH['fs'][0]}")
    if secret_spans(command.replace("\n", " ")):
        raise SettingError("a command with a password is not saved")
    file = _file(name)
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with os.fdopen(
        os.open(file, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600),
        "w",
        encoding="utf-8",
    ) as out:
        out.write(f"{command}\n")


def delete(name: str) -> None:
    """Delete a saved command; SettingError if no command has this name."""
    if name not in _saved_names():
        saved(name)
    _file(name).unlink()
