"""IBM's package and pymqi without their extension: installed where no wheel fits, and where MQ's
headers are missing.

pip downloads what the index has; the Python part of it becomes a wheel for any machine, in which
our module is in place of the extension. Nothing of the packages is kept here.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path, PurePosixPath

# What the index has for one kind of machine serves all: the Python part is the same.
_IBMS_WHEEL = (
    "--only-binary=:all:",
    "--platform=manylinux_2_28_x86_64",
    "--python-version=3.9",
    "--implementation=cp",
    "--abi=abi3",
)
_SOURCE = ("--no-binary=:all:",)
_PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")
_REQUIREMENT = re.compile(r"(ibmmq|pymqi)(?:==([0-9][0-9A-Za-z.]*))?")
_WHEEL = """\
Wheel-Version: 1.0
Generator: mqsc
Root-Is-Purelib: true
Tag: py3-none-any
"""
# Python's import takes the module that is in sys.modules afterwards.
_STAND_IN = '''\
"""Takes the place of the extension. Written by `mqsc client --install`."""

import sys

from mqsc.clients.modules import {module}

sys.modules[__name__] = {module}
'''
_INFORMATION = ".dist-info"
_KEPT_INFORMATION = ("METADATA", "LICENSE", "LICENSE.PYMQI_V1")
# Where a wheel has what is beside the code of a source distribution.
_IN_WHEEL = {"PKG-INFO": "pymqi.dist-info/METADATA", "LICENSE": "pymqi.dist-info/LICENSE"}
Files = Mapping[str, bytes]


class InstallError(Exception):
    """Why a package is not installed."""


def install(requirement: str) -> str:
    """Install ibmmq or pymqi, such as `ibmmq==2.1.2`, without its extension; its name and version.

    InstallError if the requirement is another one, the package is installed already, or pip fails.
    """
    found = _REQUIREMENT.fullmatch(requirement)
    if found is None:
        raise InstallError(f"{requirement} is not ibmmq or pymqi, or one of them with ==VERSION")
    name = found[1]
    installed = _installed(name)
    if installed:
        raise InstallError(f"{name} {installed} is installed already; `pip uninstall {name}` first")
    options, module, read = _PACKAGES[name]
    with tempfile.TemporaryDirectory(prefix="mqsc-") as folder:
        _pip("download", "--no-deps", f"--dest={folder}", *options, requirement)
        (archive,) = Path(folder).iterdir()
        files = read(archive)
        metadata = files["METADATA"].decode("utf-8")
        number = _version_in(metadata)
        wheel = Path(folder) / f"{name}-{number}-py3-none-any.whl"
        stand_in = {f"{name}/{module}.py": _STAND_IN.format(module=module).encode()}
        wheel.write_bytes(_wheel(f"{name}-{number}{_INFORMATION}", {**files, **stand_in}))
        _pip("install", str(wheel))
    return f"{name} {number}"


def _installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _pip(*arguments: str) -> None:
    """Run pip of this Python; InstallError with the last line of its errors."""
    ended = subprocess.run([*_PIP, *arguments], capture_output=True, text=True, check=False)
    if ended.returncode:
        lines = [each for each in ended.stderr.splitlines() if each.strip()]
        raise InstallError(
            f"pip {arguments[0]} failed: {lines[-1] if lines else 'no reason given'}"
        )


def _python_part_of_wheel(archive: Path) -> Files:
    """The Python files and the metadata of a wheel."""
    with zipfile.ZipFile(archive) as wheel:
        return _kept({each: wheel.read(each) for each in wheel.namelist()})


def _python_part_of_source(archive: Path) -> Files:
    """The Python files and the metadata of pymqi's source distribution, which has them in `code`."""
    contents: dict[str, bytes] = {}
    with tarfile.open(archive) as source:
        for member in source.getmembers():
            opened = source.extractfile(member) if member.isfile() else None
            if opened is not None:
                path = PurePosixPath(*PurePosixPath(member.name).parts[1:])
                contents[_IN_WHEEL.get(str(path), str(path).removeprefix("code/"))] = opened.read()
    return _kept(contents)


def _kept(contents: Files) -> Files:
    """Python files in the folder of the package by their path, the metadata as METADATA."""
    kept = {}
    for name, data in contents.items():
        path = PurePosixPath(name)
        if path.parent.name in _PACKAGES and len(path.parts) == 2 and path.suffix == ".py":
            kept[name] = data
        elif path.parts[0].endswith(_INFORMATION) and path.name in _KEPT_INFORMATION:
            kept[path.name] = data
    if "METADATA" not in kept:
        raise InstallError("what pip downloaded is not a package that this version knows")
    return kept


def _version_in(metadata: str) -> str:
    found = re.search(r"^Version: ([0-9A-Za-z.]+)$", metadata, re.MULTILINE)
    if found is None:
        raise InstallError("the package does not say which version it is")
    return found[1]


def _wheel(information: str, files: Files) -> bytes:
    """A wheel of these files, with metadata and licenses in its folder of information."""
    named = {
        f"{information}/{name}" if name in _KEPT_INFORMATION else name: data
        for name, data in files.items()
    }
    named[f"{information}/WHEEL"] = _WHEEL.encode()
    rows = [(name, _digest(data), len(data)) for name, data in named.items()]
    record = io.StringIO()
    csv.writer(record).writerows([*rows, (f"{information}/RECORD", "", "")])
    named[f"{information}/RECORD"] = record.getvalue().encode()
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in named.items():
            wheel.writestr(name, data)
    return written.getvalue()


def _digest(data: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest())
    return f"sha256={digest.rstrip(b'=').decode()}"


# Of each package: the options with which pip finds it on any machine, the module that its extension
# is, and the function that reads what pip downloads.
_PACKAGES: Mapping[str, tuple[tuple[str, ...], str, Callable[[Path], Files]]] = {
    "ibmmq": (_IBMS_WHEEL, "ibmmqc", _python_part_of_wheel),
    "pymqi": (_SOURCE, "pymqe", _python_part_of_source),
}
