"""Where the archive of Java classes is, and that it is always whole: found, made by one program at a time, replaced."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from reports.masters import MOST, SUFFIX, SWITCH, class_archive, folders, new_archive, stem_of
from tests.source import ROOT


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Java runtime, with no archive for it in an environment and a cache of their own."""
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "environment"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    home = tmp_path / "java"
    (home / "lib").mkdir(parents=True)
    (home / "release").write_text('JAVA_VERSION="17.0.15"')
    (home / "lib" / "modules").write_text("classes")
    return home


def make(home: Path, content: bytes = b"classes") -> None:
    """Make the archive as a session does."""
    with new_archive(home) as path:
        assert path is not None
        path.write_bytes(content)


def test_an_archive_is_made_once_and_found(home: Path) -> None:
    assert class_archive(home) is None
    make(home)
    found = class_archive(home)
    assert found is not None
    assert found.parent == folders()[0]
    assert re.fullmatch(r"spark-[\d.]+-java-17\.0\.15-[0-9a-f]{8}-7\.jsa", found.name)
    with new_archive(home) as again:
        assert again is None


def test_it_belongs_to_one_spark_and_one_java(home: Path) -> None:
    make(home)
    os.utime(home / "lib" / "modules", (1, 1))
    assert class_archive(home) is None
    make(home)
    (home / "release").write_text('JAVA_VERSION="21"')
    assert class_archive(home) is None


def test_those_of_earlier_installations_are_removed(home: Path) -> None:
    for version in range(5):
        os.utime(home / "lib" / "modules", (version, version))
        make(home)
    assert len(list(folders()[0].glob(f"*{SUFFIX}"))) == MOST
    assert class_archive(home) is not None


@pytest.mark.parametrize("content", [b"", b"class", b"classes and more"])
def test_one_of_another_size_is_not_used(home: Path, content: bytes) -> None:
    make(home)
    found = class_archive(home)
    assert found is not None
    found.write_bytes(content)
    assert class_archive(home) is None
    make(home)
    assert class_archive(home) == found


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_one_of_another_user_is_not_used(home: Path) -> None:
    make(home)
    found = class_archive(home)
    assert found is not None
    os.chown(found, 12345, 12345)
    assert class_archive(home) is None


def test_nothing_stays_of_a_failed_session(home: Path) -> None:
    with suppress(KeyboardInterrupt), new_archive(home) as path:
        assert path is not None
        path.write_bytes(b"half")
        raise KeyboardInterrupt
    assert class_archive(home) is None
    assert [each.name for each in folders()[0].iterdir()] == ["spark.lock"]
    with new_archive(home):
        # Java has written nothing.
        pass
    assert class_archive(home) is None


def test_two_first_sessions_at_once(home: Path) -> None:
    with new_archive(home) as first, new_archive(home) as second:
        assert second is None
        assert first is not None
        first.write_bytes(b"classes")
    assert class_archive(home) is not None


KILLED = """
import os, signal, sys
from pathlib import Path
from reports.masters import new_archive
sys.prefix = sys.argv[2]
with new_archive(Path(sys.argv[1])) as path:
    path.write_bytes(b"half")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_killed_session_is_in_nobodys_way(home: Path) -> None:
    command = [sys.executable, "-c", KILLED, str(home), sys.prefix]
    subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False)
    assert len(list(folders()[0].iterdir())) == 2
    make(home)
    assert {each.name for each in folders()[0].iterdir()} == {"spark.lock", f"{stem_of(home)}-7{SUFFIX}"}


def test_without_write_access_to_the_environment_it_is_in_the_cache(home: Path) -> None:
    Path(sys.prefix).write_text("in the way")
    make(home)
    found = class_archive(home)
    assert found is not None
    assert found.parent == folders()[1]


def test_without_write_access_to_any_folder_there_is_none(home: Path) -> None:
    Path(sys.prefix).write_text("in the way")
    Path(os.environ["XDG_CACHE_HOME"]).write_text("in the way")
    with new_archive(home) as path:
        assert path is None


def test_it_can_be_switched_off(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SWITCH, "off")
    with new_archive(home) as path:
        assert path is None
    assert not Path(sys.prefix).exists()
