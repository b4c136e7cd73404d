"""Which Java runtimes are accepted and which are rejected."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from reports.errors import ReportError
from reports.masters import NEEDED_MODULE, java_home, problem_of, version_of

MODULES = f'MODULES="java.base {NEEDED_MODULE}"'
RELEASES = [
    (f'JAVA_VERSION="17.0.15"\n{MODULES}', ""),
    (f'JAVA_VERSION="25"\n{MODULES}', ""),
    ('JAVA_VERSION="21.0.2"', ""),
    (f'JAVA_VERSION="11.0.20"\n{MODULES}', "is version 11"),
    ('JAVA_VERSION="1.8.0_392"', "is version 8"),
    ('JAVA_VERSION="17.0.15"\nMODULES="java.base java.sql"', "lacks the module jdk.incubator.vector"),
    ("IMPLEMENTOR=somebody", "does not state its version"),
]


def runtime(folder: Path, release: str | None, java: str = "#!/bin/sh\n") -> Path:
    """Create a folder that looks like a runtime. Without a release file, its `java` must print the version."""
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "java").write_text(java)
    (folder / "bin" / "java").chmod(0o755)
    if release is not None:
        (folder / "release").write_text(release)
    return folder


@pytest.mark.parametrize(("release", "problem"), RELEASES)
def test_what_a_runtime_tells_decides(tmp_path: Path, release: str, problem: str) -> None:
    assert problem_of(runtime(tmp_path / "java", release)) == problem


TOLD = [
    ("#!/bin/sh\necho '    java.specification.version = 21' >&2\n", ""),
    ("#!/bin/sh\necho '    java.specification.version = 1.8' >&2\n", "is version 8"),
    ("#!/bin/sh\nexit 1\n", "does not state its version"),
    ("not a program", "does not state its version"),
]


@pytest.mark.parametrize(("java", "problem"), TOLD)
def test_a_runtime_without_a_release_file_is_asked(tmp_path: Path, java: str, problem: str) -> None:
    assert problem_of(runtime(tmp_path / "java", None, java)) == problem


def test_a_folder_without_java_is_none(tmp_path: Path) -> None:
    assert problem_of(tmp_path) == "has no bin/java"


def test_the_version_is_told_in_full(tmp_path: Path) -> None:
    assert version_of(runtime(tmp_path / "java", 'JAVA_VERSION="17.0.15"')) == "17.0.15"


def test_the_first_usable_one_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = runtime(tmp_path / "old", 'JAVA_VERSION="11.0.1"')
    good = runtime(tmp_path / "installed" / "b", 'JAVA_VERSION="17.0.1"')
    runtime(tmp_path / "installed" / "c", 'JAVA_VERSION="21.0.1"')
    (tmp_path / "installed" / "a").mkdir()
    monkeypatch.setenv("JAVA_HOME", str(old))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert java_home([f"{tmp_path}/installed/*"]) == good
    monkeypatch.setenv("PATH", str(tmp_path / "installed" / "c" / "bin"))
    assert java_home([f"{tmp_path}/installed/*"]) == tmp_path / "installed" / "c"


def test_without_any_the_user_is_told_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = runtime(tmp_path / "old", 'JAVA_VERSION="11.0.1"')
    monkeypatch.setenv("JAVA_HOME", str(old))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert shutil.which("java") is None
    with pytest.raises(ReportError) as caught:
        java_home([])
    assert "version 17 or newer" in str(caught.value)
    assert "openjdk-17-jre-headless" in str(caught.value)
    assert str(caught.value).endswith(f"{old} is version 11")
