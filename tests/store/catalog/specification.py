"""The specification files: in docs/specification of the repository, or in the folder that MQSC_SPEC names."""

from __future__ import annotations

import csv
import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

# The loader in C reads the files ten times as fast.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_IN_REPOSITORY = Path(__file__).resolve().parents[3] / "docs" / "specification"


def folder() -> Path:
    """The folder with the specification; the test is skipped when there is none."""
    if _IN_REPOSITORY.is_dir():
        return _IN_REPOSITORY
    if "MQSC_SPEC" not in os.environ:
        pytest.skip("no docs/specification, and MQSC_SPEC names no folder")
    return Path(os.environ["MQSC_SPEC"])


@cache
def objects() -> dict[str, Any]:
    """The kinds of object of mqsc-objects.yaml by keyword."""
    text = (folder() / "mqsc-objects.yaml").read_text(encoding="utf-8")
    found: dict[str, Any] = yaml.load(text, Loader=_LOADER)["objects"]
    return found


@cache
def pcf_attributes() -> list[dict[str, str]]:
    """The rows of pcf-attributes.csv."""
    with (folder() / "pcf-attributes.csv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))
