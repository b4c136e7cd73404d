"""ibmmq and pymqi without their extension, in an environment of their own: installed by one command
and used by a program, as on a machine for which the index has no wheel.
"""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from tests.source import ROOT

# Nothing of these may be found in the new environment.
_LEFT_OUT = ("ibmmq", "pymqi", "pip", "setuptools", "_distutils_hack", "mqsc", "__editable__")
_PROGRAM = """
import platform

# The package chooses its constants by the machine.
platform.machine = lambda: "aarch64"
import sys

import {package} as mq

qmgr = mq.connect("QM1", "DEV.APP.SVRCONN", "localhost(1414)")
mq.Queue(qmgr, "DEV.QUEUE.1").put(b"of {package}")
print(mq.Queue(qmgr, "DEV.QUEUE.1").get().decode(), "_CMQC_linux_arm64" in sys.modules)
qmgr.disconnect()
"""
# The last line of pip's errors if there is no index, or it has no such package at all.
_NO_INDEX = "No matching distribution found"


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with what the product needs, and without IBM's package."""
    folder = tmp_path_factory.mktemp("pure") / "environment"
    venv.create(folder, with_pip=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    (ours,) = Path(sys.prefix).glob("lib/python*/site-packages")
    for each in ours.iterdir():
        is_package = each.suffix not in (".pth", ".dist-info", ".egg-link")
        if is_package and not each.name.startswith(_LEFT_OUT) and each.name[0] not in ".":
            (packages / each.name).symlink_to(each)
    (packages / "mqsc.pth").write_text(f"{ROOT}\n")
    return folder / "bin" / "python"


def called(python: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    names = {"PYTHONPATH", "PYTHONHOME"}
    kept = {name: value for name, value in os.environ.items() if name not in names}
    settings = {**kept, "MQSC_STORE": "sqlite:///pure.db"}
    return subprocess.run(
        [str(python), *words], cwd=folder, env=settings, capture_output=True, text=True, check=False
    )


@pytest.mark.long
@pytest.mark.parametrize(("package", "arm"), [("ibmmq", "True"), ("pymqi", "False")])
def test_a_package_without_its_extension(
    environment: Path,
    tmp_path: Path,
    package: str,
    arm: str,
) -> None:
    installed = called(environment, tmp_path, "-m", "mqsc", "client", "--install", package)
    if _NO_INDEX in installed.stderr:
        pytest.skip("the package index cannot be reached")
    assert installed.returncode == 0, installed.stderr
    assert f"mqsc: {package} " in installed.stderr
    called(environment, tmp_path, "-m", "mqsc", "qmgr", "create", "QM1", "--dev")
    program = tmp_path / "program.py"
    program.write_text(_PROGRAM.format(package=package))
    expected = f"of {package} {arm}\n"
    alone = called(environment, tmp_path, str(program))
    assert alone.stdout == expected, alone.stderr
    words = ("-m", "mqsc", "client", "--quiet", "--", str(environment), str(program))
    assert called(environment, tmp_path, *words).stdout == expected
    again = called(environment, tmp_path, "-m", "mqsc", "client", "--install", package)
    assert (again.returncode, "is installed already" in again.stderr) == (20, True)
    compiled = [*environment.parent.parent.glob(f"lib/python*/site-packages/{package}/*.so")]
    assert compiled == []
