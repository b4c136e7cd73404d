"""Packages that programs use, installed from the index once, beside the environment of the tests and not into it."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.source import ROOT

_HERE = Path(__file__).parent
_INSTALLED = ROOT / ".venv" / "client-packages"
# What pip says where there is no index, or one that does not have the package at all.
_NO_INDEX = ("connection broken", "from versions: none")


def faststream() -> Path:
    """The folder to put on the path for faststream-mq; the test is skipped if there is no index to install it from."""

    def install(requirements: Path, folder: Path) -> None:
        _pip("install", "--no-deps", "--no-compile", "--target", str(folder), "-r", str(requirements))

    return _installed(_HERE / "faststream.txt", install)


def pymqi() -> Path:
    """The folder to put on the path for pymqi; the test is skipped if there is no index to download it from."""

    def unpack(requirements: Path, folder: Path) -> None:
        _pip("download", "--no-deps", "--no-binary", ":all:", "--dest", str(folder), "-r", str(requirements))
        (archive,) = folder.iterdir()
        with tarfile.open(archive) as source:
            source.extractall(folder, filter="data")

    (code,) = _installed(_HERE / "pymqi.txt", unpack).glob("*/code")
    return code


def _installed(requirements: Path, install: Callable[[Path, Path], None]) -> Path:
    """The folder of these requirements. It appears complete: another process may install them at the same time."""
    digest = hashlib.sha256(requirements.read_bytes()).hexdigest()[:12]
    folder = _INSTALLED / f"{requirements.stem}-{digest}"
    if folder.exists():
        return folder
    _INSTALLED.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=_INSTALLED) as unfinished:
        install(requirements, Path(unfinished) / "done")
        try:
            (Path(unfinished) / "done").rename(folder)
        except OSError:
            if not folder.exists():
                raise
    return folder


def _pip(*arguments: str) -> None:
    command = [sys.executable, "-m", "pip", "--quiet", "--retries", "1", "--timeout", "20", *arguments]
    try:
        ended = subprocess.run(command, capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        pytest.skip("the package index does not answer in time")
    if ended.returncode:
        if any(text in ended.stderr for text in _NO_INDEX):
            pytest.skip("the package index cannot be reached, or does not have the packages")
        pytest.fail(ended.stderr)
