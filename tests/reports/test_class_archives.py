"""An archive of Spark's classes, with which Java starts faster."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from mqsc.reports import class_archives
from mqsc.reports.class_archives import SUFFIX, class_archive, folders, new_archive
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


def make(home: Path, content: bytes = b"classes") -> Path:
    """Make the archive as a session does; return where it is found then."""
    with new_archive(home) as path:
        assert path is not None
        path.write_bytes(content)
    found = class_archive(home)
    assert found is not None
    return found


def test_an_archive_is_made_once_and_found(home: Path) -> None:
    assert class_archive(home) is None
    found = make(home)
    assert found.parent == folders()[0]
    assert re.fullmatch(r"spark-[\d.]+-java-17\.0\.15-[0-9a-f]{8}-7\.jsa", found.name)
    with new_archive(home) as again:
        assert again is None


def test_it_belongs_to_one_spark_and_one_java_and_those_of_earlier_installations_are_removed(
    home: Path,
) -> None:
    for version in range(5):
        os.utime(home / "lib" / "modules", (version, version))
        assert class_archive(home) is None
        make(home)
    assert len(list(folders()[0].glob(f"*{SUFFIX}"))) == class_archives.MOST
    (home / "release").write_text('JAVA_VERSION="21"')
    assert class_archive(home) is None


def test_one_of_another_size_or_another_user_is_not_used(home: Path) -> None:
    found = make(home)
    for content in (b"", b"class", b"classes and more"):
        found.write_bytes(content)
        assert class_archive(home) is None
        assert make(home) == found
    if os.geteuid() == 0:
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
    # Two first sessions at once.
    with new_archive(home) as first, new_archive(home) as second:
        assert second is None
        assert first is not None
        first.write_bytes(b"classes")
    assert class_archive(home) is not None


KILLED = """
import os, signal, sys
from pathlib import Path
from mqsc.reports.class_archives import new_archive
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
    assert {each.name for each in folders()[0].iterdir()} == {
        "spark.lock",
        f"{class_archives.stem_of(home)}-7{SUFFIX}",
    }


def test_without_write_access_to_the_environment_it_is_in_the_cache_or_nowhere(home: Path) -> None:
    Path(sys.prefix).write_text("in the way")
    found = make(home)
    assert found.parent == folders()[1]
    shutil.rmtree(os.environ["XDG_CACHE_HOME"])
    Path(os.environ["XDG_CACHE_HOME"]).write_text("in the way")
    with new_archive(home) as path:
        assert path is None


def test_it_can_be_switched_off(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(class_archives.SWITCH, "off")
    with new_archive(home) as path:
        assert path is None
    assert not Path(sys.prefix).exists()
