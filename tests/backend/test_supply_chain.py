"""What the product depends on: pinned, with hashes, with a licence and a reason, and listed in the
wheel.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import Distribution, distributions
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple
from zipfile import ZipFile

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement

from tests.source import PACKAGES, ROOT

# A package of the lock: its name, its version, and a marker; then a line for each hash.
_LOCKED = re.compile(r"([a-z0-9-]+)==(\S+)(?: ; (.*?))? \\")
_HASH = re.compile(r" {4}--hash=sha256:[0-9a-f]{64}( \\)?")
# Where the product runs (pyproject.toml).
_PLATFORMS = ({"sys_platform": "linux"}, {"sys_platform": "darwin"})
_SPDX = re.compile(r"[A-Za-z0-9.-]+(?: (?:AND|OR) [A-Za-z0-9.-]+)*")
# Extras that are not pinned: Spark Connect is tried by hand.
NOT_PINNED = ("connect",)


def loaded(name: str) -> ModuleType:
    """A module of the backend, which is on no path here."""
    spec = importlib.util.spec_from_file_location(name, ROOT / ".ci" / "backend" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


bill = loaded("bill_of_materials")


class Locked(NamedTuple):
    version: str
    marker: str
    hashes: int


def locked() -> dict[str, Locked]:
    """The packages of requirements.lock by name; every line must be one that is known."""
    found: dict[str, Locked] = {}
    name = ""
    for line in (ROOT / "requirements.lock").read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        if head := _LOCKED.fullmatch(line):
            name = head[1]
            assert name not in found
            found[name] = Locked(head[2], head[3] or "", 0)
            continue
        assert _HASH.fullmatch(line), line
        found[name] = found[name]._replace(hashes=found[name].hashes + 1)
    return found


def is_for_us(marker: str) -> bool:
    """Whether a marker can be true where the product runs."""
    return not marker or any(Marker(marker).evaluate(dict(each)) for each in _PLATFORMS)


def project() -> dict[str, Any]:
    content: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    of_project: dict[str, Any] = content["project"]
    return of_project


def direct() -> set[str]:
    """The packages that pyproject.toml names and constraints.txt must pin."""
    described = project()
    extras = described["optional-dependencies"].items()
    named = [each for extra, rows in extras if extra not in NOT_PINNED for each in rows]
    return {bill.normal_name(each) for each in [*described["dependencies"], *named]} - {"mqsc"}


def test_the_lock_has_the_versions_of_the_constraints() -> None:
    ours = {name: each.version for name, each in locked().items() if is_for_us(each.marker)}
    assert ours == bill.pinned_versions(ROOT)


def test_every_package_of_the_lock_has_hashes_and_no_address() -> None:
    assert [name for name, each in locked().items() if not each.hashes] == []
    assert "://" not in (ROOT / "requirements.lock").read_text("utf-8")


def test_constraints_pin_what_pyproject_names() -> None:
    assert direct() <= bill.pinned_versions(ROOT).keys()


def test_every_pinned_package_has_a_licence_and_a_reason() -> None:
    """One that pyproject.toml names has a reason of its own; others are needed by one that is
    pinned.
    """
    listed, pinned = bill.dependencies(ROOT), bill.pinned_versions(ROOT)
    assert list(listed) == sorted(pinned)
    assert [each.package for each in listed.values() if not _SPDX.fullmatch(each.licence)] == []
    assert {each.package for each in listed.values() if each.reason} == direct()
    for each in listed.values():
        assert each.reason or each.needed_by, each.package
        assert {*each.needed_by} <= pinned.keys(), each.package


def installed() -> dict[str, Distribution]:
    """The pinned packages that are installed here."""
    named = {bill.normal_name(each.name): each for each in distributions()}
    return {name: named[name] for name in bill.dependencies(ROOT) if name in named}


def test_the_list_says_who_needs_what() -> None:
    """For the packages that are installed here, by what they say themselves. What only another
    interpreter or machine needs cannot be checked.
    """
    listed = bill.dependencies(ROOT)
    for name, each in installed().items():
        for text in each.requires or ():
            requirement = Requirement(text)
            needed = bill.normal_name(requirement.name)
            marker = requirement.marker
            if marker is None or marker.evaluate({"extra": ""}):
                assert name in listed[needed].needed_by, f"{needed} is needed by {name}"


@pytest.mark.parametrize("name", sorted(bill.dependencies(ROOT)))
def test_a_licence_is_the_one_that_the_package_declares(name: str) -> None:
    if name not in installed():
        pytest.skip("not installed here")
    declared = installed()[name].metadata.get_all("License-Expression") or ()
    assert all(bill.dependencies(ROOT)[name].licence == each for each in declared)


def test_the_sbom_names_what_the_product_needs() -> None:
    sbom = json.loads(bill.bill_of_materials(ROOT, "1.2.3"))
    assert (sbom["bomFormat"], sbom["specVersion"]) == ("CycloneDX", "1.6")
    assert sbom["metadata"]["component"]["purl"] == "pkg:pypi/mqsc@1.2.3"
    scopes = {each["name"]: each["scope"] for each in sbom["components"]}
    assert scopes["click"] == scopes["mako"] == "required"
    assert scopes["pyspark"] == scopes["py4j"] == "optional"
    assert not {"pytest", "hypothesis", "ibmmq", "litequeue"} & scopes.keys()
    references = {each["bom-ref"] for each in sbom["components"]}
    edges = {each["ref"]: each["dependsOn"] for each in sbom["dependencies"]}
    assert edges.keys() == {*references, sbom["metadata"]["component"]["bom-ref"]}
    assert {each for children in edges.values() for each in children} == references


def copied(to: Path) -> Path:
    """The tree, at another place."""
    to.mkdir()
    for file in filter(Path.is_file, ROOT.iterdir()):
        shutil.copy(file, to)
    for package in (*PACKAGES, ".ci/backend"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / package, to / package, symlinks=True, ignore=ignored)
    return to


def wheel_of(tree: Path, umask: int, **settings: str) -> Path:
    """Build the wheel in a process of its own, as pip does."""
    calls = (
        "import os, sys; sys.path.insert(0, '.ci/backend'); import mqsc_backend; "
        f"os.umask({umask}); mqsc_backend.build_wheel('.')"
    )
    subprocess.run(
        [sys.executable, "-c", calls],
        cwd=tree,
        env={**os.environ, **settings},
        capture_output=True,
        check=True,
    )
    (made,) = tree.glob("*.whl")
    return made


@pytest.mark.long
def test_the_same_tree_makes_the_same_wheel(tmp_path: Path) -> None:
    """The folder, the umask, the permissions of the files, and the order of Python's sets make no
    difference.
    """
    first = wheel_of(copied(tmp_path / "first"), 0o022, PYTHONHASHSEED="1")
    second_tree = copied(tmp_path / "elsewhere")
    for each in second_tree.rglob("*.py"):
        each.chmod(0o600)
    second = wheel_of(second_tree, 0o077, PYTHONHASHSEED="2")
    assert first.read_bytes() == second.read_bytes()
    with ZipFile(first) as wheel:
        names = wheel.namelist()
        version = first.name.split("-")[1]
        sbom = wheel.read(f"mqsc-{version}.dist-info/sboms/mqsc.cdx.json").decode()
        assert sbom == bill.bill_of_materials(ROOT, version)
        recorded = wheel.read(f"mqsc-{version}.dist-info/RECORD").decode().splitlines()
        assert {entry.date_time[0] for entry in wheel.infolist()} == {1980}
    assert [line.split(",")[0] for line in recorded] == names
    assert names[-1].endswith("/RECORD")


@pytest.mark.long
def test_the_time_of_the_files_can_be_set(tmp_path: Path) -> None:
    tree = copied(tmp_path / "tree")
    with ZipFile(wheel_of(tree, 0o022, SOURCE_DATE_EPOCH="1772409600")) as wheel:
        assert {entry.date_time for entry in wheel.infolist()} == {(2026, 3, 2, 0, 0, 0)}
