"""The Python part of IBM's package and of pymqi, as a wheel for any machine."""

from __future__ import annotations

import csv
import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from mqsc.clients import pure_packages
from mqsc.clients.pure_packages import InstallError
from tests.rows import rows

METADATA = b"Metadata-Version: 2.1\nName: ibmmq\nVersion: 2.1.2\n"
IN_WHEEL = {
    "ibmmq/__init__.py": b"code",
    "ibmmq/ibmmqc.abi3.so": b"machine code",
    "ibmmq-2.1.2.dist-info/METADATA": METADATA,
    "ibmmq-2.1.2.dist-info/RECORD": b"ibmmq/ibmmqc.abi3.so,,",
    "ibmmq-2.1.2.dist-info/licenses/LICENSE": b"license",
    "../ibmmq.py": b"outside",
    "other/ibmmq/more.py": b"deeper",
    "other/more.py": b"another package",
}
IN_SOURCE = {
    "pymqi-1.12.13/PKG-INFO": METADATA,
    "pymqi-1.12.13/LICENSE": b"license",
    "pymqi-1.12.13/setup.py": b"setup",
    "pymqi-1.12.13/code/pymqi/__init__.py": b"code",
    "pymqi-1.12.13/code/pymqi/pymqe.c": b"C",
    "pymqi-1.12.13/code/pymqi.egg-info/PKG-INFO": b"",
}


def zipped(folder: Path, files: dict[str, bytes]) -> Path:
    path = folder / "package.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        for name, data in files.items():
            wheel.writestr(name, data)
    return path


def test_the_python_part_of_a_wheel(tmp_path: Path) -> None:
    assert pure_packages._python_part_of_wheel(zipped(tmp_path, IN_WHEEL)) == {
        "ibmmq/__init__.py": b"code",
        "METADATA": METADATA,
        "LICENSE": b"license",
    }


def test_the_python_part_of_a_source_distribution(tmp_path: Path) -> None:
    path = tmp_path / "pymqi-1.12.13.tar.gz"
    with tarfile.open(path, "w:gz") as source:
        for name, data in IN_SOURCE.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            source.addfile(member, io.BytesIO(data))
    assert pure_packages._python_part_of_source(path) == {
        "pymqi/__init__.py": b"code",
        "METADATA": METADATA,
        "LICENSE": b"license",
    }


def test_a_package_without_metadata_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InstallError, match="not a package that this version knows"):
        pure_packages._python_part_of_wheel(zipped(tmp_path, {"ibmmq/__init__.py": b""}))


def test_the_wheel_lists_its_files() -> None:
    data = pure_packages._wheel("ibmmq-2.1.2.dist-info", {"a.py": b"", "METADATA": METADATA})
    with zipfile.ZipFile(io.BytesIO(data)) as wheel:
        record = wheel.read("ibmmq-2.1.2.dist-info/RECORD").decode()
        listed = [row[0] for row in csv.reader(record.splitlines())]
        assert listed == wheel.namelist()
    # SHA-256 of no bytes.
    assert "a.py,sha256=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU,0" in record


@rows(
    ("requests", "is not ibmmq or pymqi"),
    ("ibmmq --index-url=x", "is not ibmmq or pymqi"),
    ("ibmmq>=2", "is not ibmmq or pymqi"),
)
def test_other_requirements_are_refused(requirement: str, part: str) -> None:
    with pytest.raises(InstallError, match=part):
        pure_packages.install(requirement)
