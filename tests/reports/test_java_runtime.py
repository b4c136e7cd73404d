"""A Java runtime that Spark can run on."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from mqsc.reports import java_runtime
from mqsc.reports.errors import ReportError
from mqsc.reports.java_runtime import java_home, problem_of
from tests.rows import rows

MODULES = f'MODULES="java.base {java_runtime.NEEDED_MODULE}"'


def runtime(folder: Path, release: str | None, java: str = "#!/bin/sh\n") -> Path:
    """Create a folder that looks like a runtime. Without a release file, its `java` must print
    the version.
    """
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "java").write_text(java)
    (folder / "bin" / "java").chmod(0o755)
    if release is not None:
        (folder / "release").write_text(release)
    return folder


@rows(
    *((f'JAVA_VERSION="17.0.15"\n{MODULES}', ""), (f'JAVA_VERSION="25"\n{MODULES}', "")),
    *(('JAVA_VERSION="21.0.2"', ""), (f'JAVA_VERSION="11.0.20"\n{MODULES}', "is version 11")),
    ('JAVA_VERSION="1.8.0_392"', "is version 8"),
    (
        'JAVA_VERSION="17.0.15"\nMODULES="java.base java.sql"',
        "lacks the module jdk.incubator.vector",
    ),
    ("IMPLEMENTOR=somebody", "does not state its version"),
)
def test_what_a_runtime_tells_decides(tmp_path: Path, release: str, problem: str) -> None:
    java = runtime(tmp_path / "java", release)
    assert problem_of(java) == problem
    assert java_runtime.version_of(java) == "".join(re.findall('JAVA_VERSION="(.*)"', release))


@rows(
    ("#!/bin/sh\necho '    java.specification.version = 21' >&2\n", ""),
    ("#!/bin/sh\necho '    java.specification.version = 1.8' >&2\n", "is version 8"),
    ("#!/bin/sh\nexit 1\n", "does not state its version"),
    ("not a program", "does not state its version"),
)
def test_a_runtime_without_a_release_file_is_asked(tmp_path: Path, java: str, problem: str) -> None:
    assert problem_of(tmp_path) == "has no bin/java"
    assert problem_of(runtime(tmp_path / "java", None, java)) == problem


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


def test_without_any_the_user_is_told_what_to_install(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    old = runtime(tmp_path / "old", 'JAVA_VERSION="11.0.1"')
    monkeypatch.setenv("JAVA_HOME", str(old))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert shutil.which("java") is None
    says = f"version 17 or newer.*openjdk-17-jre-headless.*{re.escape(str(old))} is version 11$"
    with pytest.raises(ReportError, match=f"(?s){says}"):
        java_home([])
