"""Packages of other people, installed from the index once for all checkouts of a user, in the cache
folder and not in the environment of the tests: those that cannot be built there, or that would
decide the versions of everything else.

A test whose packages cannot be had is skipped, and says so.
"""

from __future__ import annotations

import fcntl
import hashlib
import subprocess
import sys
import tarfile
import tempfile
import venv
from collections.abc import Callable
from pathlib import Path

import pytest
from platformdirs import user_cache_path

_HERE = Path(__file__).parent
_INSTALLED = user_cache_path("mqsc-tests") / "client-packages"
# What pip says where there is no index, or one that does not have the package at all.
_NO_INDEX = ("connection broken", "from versions: none")
_MINUTES = 10


def pymqi_code() -> Path:
    """The folder to put on the path for pymqi, whose extension is not built."""

    def unpack(requirements: Path, folder: Path) -> None:
        options = ("--no-deps", "--no-binary", ":all:", "--dest", str(folder))
        _pip(sys.executable, "download", *options, "-r", str(requirements))
        (archive,) = folder.iterdir()
        with tarfile.open(archive) as source:
            source.extractall(folder, filter="data")

    (code,) = _installed("pymqi", unpack).glob("*/code")
    return code


def stream_pymqi() -> Path:
    """The folder to put on the path for stream-pymqi, without pymqi."""

    def install(requirements: Path, folder: Path) -> None:
        options = ("--no-deps", "--no-compile", "--target", str(folder))
        _pip(sys.executable, "install", *options, "-r", str(requirements))

    return _installed("stream-pymqi", install)


def airflow() -> Path:
    """The Python of an environment with Airflow, its provider for IBM MQ and ibmmq."""

    def create(requirements: Path, folder: Path) -> None:
        # The pip of the tests installs there; one of its own would take as long as many packages.
        venv.create(folder)
        there = ("--python", str(folder / "bin" / "python"))
        _pip(
            sys.executable, *there, "install", "--no-deps", "--no-compile", "-r", str(requirements)
        )

    # The name of the interpreter alone is the same after the folder was renamed.
    return _installed("airflow", create) / "bin" / "python"


def _installed(name: str, install: Callable[[Path, Path], None]) -> Path:
    """The folder of these requirements for this Python. It appears complete; a process that needs
    them at the same time waits for it.
    """
    requirements = _HERE / f"{name}.txt"
    wanted = requirements.read_text("utf-8") + sys.base_prefix + sys.version
    digest = hashlib.sha256(wanted.encode()).hexdigest()[:12]
    folder = _INSTALLED / f"{name}-{digest}"
    _INSTALLED.mkdir(parents=True, exist_ok=True)
    with (_INSTALLED / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if folder.exists():
            return folder
        with tempfile.TemporaryDirectory(dir=_INSTALLED) as unfinished:
            install(requirements, Path(unfinished) / "done")
            (Path(unfinished) / "done").rename(folder)
    return folder


def _pip(python: str, *arguments: str) -> None:
    first = [python, "-m", "pip", "--quiet", "--retries", "1", "--timeout", "20"]
    try:
        ended = subprocess.run(
            [*first, *arguments], capture_output=True, text=True, timeout=_MINUTES * 60
        )
    except subprocess.TimeoutExpired:
        pytest.skip("the package index does not answer in time")
    if ended.returncode:
        if any(text in ended.stderr for text in _NO_INDEX):
            pytest.skip("the package index cannot be reached, or does not have the packages")
        pytest.fail(ended.stderr)
