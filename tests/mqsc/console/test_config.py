"""The user's settings: which value counts, and what is wrong with a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mqsc.console import config
from tests.mqsc.conftest import Command


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of settings, which does not exist yet."""
    path = tmp_path / "mqsc" / "config.toml"
    path.parent.mkdir()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    for names in (each.variables for each in config.SETTINGS.values()):
        for name in names:
            monkeypatch.delenv(name, raising=False)
    return path


def test_a_variable_counts_more_than_the_file_and_the_file_more_than_the_default(
    file: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert config.effective_setting("keys") == ("emacs", "default")
    file.write_text('keys = "vi"\nhide_system = true\npager = "more"\n')
    config._read.cache_clear()
    assert [config.effective_setting(name) for name in ("keys", "hide_system")] == [
        ("vi", str(file)),
        (True, str(file)),
    ]
    monkeypatch.setenv("MQSC_KEYS", "EMACS")
    assert config.effective_setting("keys") == ("emacs", "MQSC_KEYS")
    monkeypatch.setenv("PAGER", "most")
    assert config.effective_setting("pager") == ("more", str(file))
    monkeypatch.setenv("MQSC_PAGER", "less -S")
    assert config.effective_setting("pager") == ("less -S", "MQSC_PAGER")
    monkeypatch.setenv("NO_COLOR", "1")
    assert config.effective_setting("colours") == (False, "NO_COLOR")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('kyes = "vi"', "there is no setting 'kyes'; did you mean keys?"),
        ("zzz = 1", "there is no setting 'zzz'; there are store, format"),
        ('keys = "nano"', "keys must be emacs or vi"),
        ('hide_system = "yes"', "hide_system must be true or false"),
        ("store = 5", 'store must be a text in quotes, such as "..."'),
        ("store =", "Invalid value (at end of document)"),
    ],
)
def test_a_wrong_file_is_named_and_nothing_is_run(
    mqsc: Command,
    file: Path,
    text: str,
    fault: str,
) -> None:
    file.write_text(text)
    ended = mqsc("config")
    assert (ended.code, ended.out) == (20, "")
    assert f"{file}: {fault}" in ended.err


def test_the_store_of_the_file_and_what_config_shows(
    mqsc: Command,
    file: Path,
    tmp_path: Path,
) -> None:
    file.write_text(f'store = "{tmp_path}/mine.db"\nformat = "vertical"\n')
    assert mqsc("qmgr", "create", "MINE").code == 0
    assert (tmp_path / "mine.db").is_file()
    heading, *lines = mqsc("config").lines
    assert heading == f"File: {file}"
    assert [*map(str.split, lines)][:3] == [
        ["SETTING", "VALUE", "FROM"],
        ["store", f"{tmp_path}/mine.db", str(file)],
        ["format", "vertical", str(file)],
    ]
    assert {"setting": "keys", "value": "emacs", "from": "default"} in json.loads(
        mqsc("config", "--format", "json").out,
    )
    assert mqsc("--store", f"{tmp_path}/other.db", "config").lines[2].split() == [
        "store",
        f"{tmp_path}/other.db",
        "--store",
    ]
