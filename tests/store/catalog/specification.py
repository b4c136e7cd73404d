"""Reads the specification files with which the catalog is compared."""

from __future__ import annotations

import csv
from functools import cache
from typing import Any

import yaml

from tests.source import ROOT

_FOLDER = ROOT / "docs" / "specification"
# The loader in C is ten times as fast.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@cache
def objects() -> dict[str, Any]:
    """Return the kinds of object in mqsc-objects.yaml by keyword."""
    text = (_FOLDER / "mqsc-objects.yaml").read_text(encoding="utf-8")
    found: dict[str, Any] = yaml.load(text, Loader=_LOADER)["objects"]
    return found


@cache
def pcf_attributes() -> list[dict[str, str]]:
    with (_FOLDER / "pcf-attributes.csv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))
