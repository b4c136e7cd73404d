"""`dspmqver`: its fields, in the layout that scripts parse."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from mqsc.version import __version__
from tests.mqsc import conftest
from tests.mqsc.conftest import Command
from tests.rows import rows

mqsc = conftest.mqsc
NAMES = (
    "Name,Version,Level,BuildType,Platform,Mode,O/S,O/S Details,InstName,InstDesc,Primary,InstPath,"
    "DataPath,MaxCmdLevel,LicenseType,ReleaseType"
).split(",")


@rows(
    ("-b -f 2", ["9.4.2.0"]),
    ("-f2 -b", ["9.4.2.0"]),
    ("-f 2", ["Version:     9.4.2.0"]),
    ("-f 7", ["Name:        mqsc", "Version:     9.4.2.0", f"Level:       mqsc-{__version__}"]),
    ("-b -f 128", [sys.prefix]),
    ("-f 512 -p 1", ["InstName:    Installation1"]),
    ("-f 1024", ["MaxCmdLevel: 942"]),
)
def test_fields(mqsc: Command, options: str, lines: list[str]) -> None:
    ended = mqsc("dspmqver", *options.split())
    assert (ended.code, ended.lines, ended.err) == (0, lines, "")


@rows("", "-a", "-f 32767")
def test_every_field(mqsc: Command, options: str) -> None:
    """Each begins in column 14. The order is that of IBM's command."""
    lines = mqsc("dspmqver", *options.split()).lines
    assert [line[:13].rstrip().rstrip(":") for line in lines] == NAMES
    assert f"O/S:         {os.uname().sysname} {os.uname().release}" in lines


def test_the_folder_of_the_store(mqsc: Command, tmp_path: Path) -> None:
    """The store need not exist."""
    assert mqsc("dspmqver", "-b", "-f", "4096", "--store", "none.db").lines == [str(tmp_path)]
    assert mqsc("dspmqver", "-b", "-f", "4096", "--store", "sqlite://").lines == [""]
    assert not (tmp_path / "none.db").exists()


def test_a_system_that_does_not_say_its_name(
    mqsc: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown() -> dict[str, str]:
        raise OSError

    monkeypatch.setattr("platform.freedesktop_os_release", unknown)
    assert mqsc("dspmqver").lines[7] == "O/S Details:"


def test_components_that_are_not_here(mqsc: Command) -> None:
    ended = mqsc("dspmqver", "-p", "65", "-f", "1")
    assert (ended.code, ended.lines, ended.err) == (
        10,
        ["Name:        mqsc"],
        "dspmqver -p: not here: GSKit\n",
    )
