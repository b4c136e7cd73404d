"""The SBOM of the wheel: what the product needs when it runs, in the form of CycloneDX.

It is made of pyproject.toml, constraints.txt and dependencies.csv alone, so it is the same on every
machine. Only the standard library is used: this runs where nothing else is installed.
"""

from __future__ import annotations

import csv
import json
import re
import tomllib
import uuid
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

FORMAT = "1.6"
# Extras of developers; nothing that they name is needed when the product runs.
OF_DEVELOPERS = ("bench", "test")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


class Dependency(NamedTuple):
    """A row of dependencies.csv: an SPDX expression, the packages that need this one, and why the
    product does; blank if only they do.
    """

    package: str
    licence: str
    needed_by: tuple[str, ...]
    reason: str


def normal_name(text: str) -> str:
    """The name of a package at the beginning of a requirement, as registries compare names."""
    found = _NAME.match(text)
    if found is None:
        raise ValueError(f"no name of a package: {text!r}")
    return re.sub(r"[-_.]+", "-", found[0]).lower()


def dependencies(tree: Path) -> dict[str, Dependency]:
    """The rows of dependencies.csv by package."""
    with (tree / ".ci" / "backend" / "dependencies.csv").open(encoding="utf-8", newline="") as file:
        _, *rows = csv.reader(file)
    listed = [Dependency(name, licence, tuple(by.split()), why) for name, licence, by, why in rows]
    return {each.package: each for each in listed}


def pinned_versions(tree: Path) -> dict[str, str]:
    """The versions of constraints.txt by package."""
    lines = (tree / "constraints.txt").read_text("utf-8").splitlines()
    pins = (line.split("==") for line in lines if not line.startswith("#"))
    return {normal_name(name): version for name, version in pins}


def bill_of_materials(tree: Path, version: str) -> str:
    """The SBOM of this version of the product, as JSON."""
    project = tomllib.loads((tree / "pyproject.toml").read_text("utf-8"))["project"]
    listed, versions = dependencies(tree), pinned_versions(tree)
    required = _closure(_names(project["dependencies"]), listed)
    optional = _closure(_names(_of_users(project["optional-dependencies"])), listed)
    needed = sorted(required | optional)
    root = {
        "type": "application",
        "bom-ref": _reference("mqsc", version),
        "name": "mqsc",
        "version": version,
        "licenses": [{"expression": project["license"]}],
        "purl": _reference("mqsc", version),
    }
    content = {
        "bomFormat": "CycloneDX",
        "specVersion": FORMAT,
        "version": 1,
        "metadata": {"component": root},
        "components": [
            _component(listed[name], versions[name], is_required=name in required)
            for name in needed
        ],
        "dependencies": [
            {"ref": root["bom-ref"], "dependsOn": _direct(needed, listed, versions)},
            *(_edges(name, needed, listed, versions) for name in needed),
        ],
    }
    # The number of a document must not repeat; the same content may have the same.
    number = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(content, sort_keys=True))
    return f"{json.dumps({**content, 'serialNumber': f'urn:uuid:{number}'}, indent=1)}\n"


def _names(requirements: Iterable[str]) -> set[str]:
    return {normal_name(each) for each in requirements} - {"mqsc"}


def _of_users(extras: Mapping[str, list[str]]) -> list[str]:
    chosen = [each for name, each in extras.items() if name not in OF_DEVELOPERS]
    return [requirement for requirements in chosen for requirement in requirements]


def _closure(names: set[str], listed: Mapping[str, Dependency]) -> set[str]:
    """These packages and all that they need."""
    known = set(names)
    while more := {each.package for each in listed.values() if known & {*each.needed_by}} - known:
        known |= more
    return known


def _component(dependency: Dependency, version: str, *, is_required: bool) -> dict[str, Any]:
    return {
        "type": "library",
        "bom-ref": _reference(dependency.package, version),
        "name": dependency.package,
        "version": version,
        "scope": "required" if is_required else "optional",
        "licenses": [{"expression": dependency.licence}],
        "purl": _reference(dependency.package, version),
    }


def _reference(name: str, version: str) -> str:
    return f"pkg:pypi/{name}@{version}"


def _direct(
    needed: list[str], listed: Mapping[str, Dependency], versions: Mapping[str, str]
) -> list[str]:
    return [_reference(name, versions[name]) for name in needed if listed[name].reason]


def _edges(
    name: str, needed: list[str], listed: Mapping[str, Dependency], versions: Mapping[str, str]
) -> dict[str, Any]:
    children = [each for each in needed if name in listed[each].needed_by]
    return {
        "ref": _reference(name, versions[name]),
        "dependsOn": [_reference(each, versions[each]) for each in children],
    }
