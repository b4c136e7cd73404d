"""A Java runtime that Spark can run on."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from mqsc.reports.errors import ReportError

OLDEST = 17
# Spark requires this module; a reduced runtime may lack it.
NEEDED_MODULE = "jdk.incubator.vector"
INSTALLED = (
    "/usr/lib/jvm/*",
    "/Library/Java/JavaVirtualMachines/*/Contents/Home",
    "/opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home",
)
ADVICE = (
    f"reports need a Java runtime, version {OLDEST} or newer; install one (on Debian: "
    "openjdk-17-jre-headless) "
    "or name its folder in JAVA_HOME"
)


def java_home(installed: Iterable[str] = INSTALLED) -> Path:
    """The home of the first usable runtime: JAVA_HOME, the `java` on the PATH, then the folders
    `installed`.

    Raises ReportError, with what to install, if there is none.
    """
    refused = []
    for home in dict.fromkeys(_candidates(installed)):
        problem = problem_of(home)
        if not problem:
            return home
        refused.append(f"{home} {problem}")
    raise ReportError("; ".join([ADVICE, *refused]))


def problem_of(home: Path) -> str:
    """Why Spark cannot run on the runtime in this folder; empty if it can."""
    if not (home / "bin" / "java").is_file():
        return "has no bin/java"
    release = _release(home)
    version = re.search(r'JAVA_VERSION="(?:1\.)?(\d+)', release)
    if version is None:
        return "does not state its version"
    if int(version[1]) < OLDEST:
        return f"is version {version[1]}"
    modules = re.search(r'MODULES="([^"]*)"', release)
    if modules and NEEDED_MODULE not in modules[1].split():
        return f"lacks the module {NEEDED_MODULE}"
    return ""


def version_of(home: Path) -> str:
    """The full version of the runtime in this folder, such as 17.0.15."""
    version = re.search(r'JAVA_VERSION="([^"]*)"', _release(home))
    return version[1] if version else ""


def _candidates(installed: Iterable[str]) -> Iterator[Path]:
    named, java = os.environ.get("JAVA_HOME"), shutil.which("java")
    if named:
        yield Path(named)
    if java:
        yield Path(java).resolve().parent.parent
    for pattern in installed:
        found_there = Path("/").glob(pattern.lstrip("/"))
        yield from sorted(
            path.resolve() for path in found_there if (path / "bin" / "java").is_file()
        )


def _release(home: Path) -> str:
    """The file that describes a runtime; of one without it, the line with the version, from the
    runtime itself.
    """
    with suppress(OSError):
        if text := (home / "release").read_text("utf-8", "replace"):
            return text
    command = [str(home / "bin" / "java"), "-XshowSettings:properties", "-version"]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    version = re.search(r"^ *java\.specification\.version = (\S+)", answer.stderr, re.MULTILINE)
    return f'JAVA_VERSION="{version[1]}"' if version else ""
