"""The settings of a shell."""

from __future__ import annotations

import pytest

from mqsc.shell.command_text import SettingError, Settings


def test_settings_are_shown_as_they_are_typed() -> None:
    changed = Settings().changed("timing", "ON").changed("sort", "-curdepth").changed("keys", "vi")
    assert [changed.shown(name) for name in ("format", "sort", "timing", "pager", "keys")] == [
        "table", "-CURDEPTH", "on", "on", "vi",
    ]  # fmt: skip
    with pytest.raises(SettingError, match="there is no setting"):
        Settings().changed("colour", "red")


def test_sorting_takes_an_attribute() -> None:
    for word in ("curdepth", "-MAXDEPTH", "queue", "channel", "lgetdate"):
        assert Settings().changed("sort", word).sort == word.upper()
    with pytest.raises(SettingError, match="there is no attribute CURDEPHT"):
        Settings().changed("sort", "curdepht")
