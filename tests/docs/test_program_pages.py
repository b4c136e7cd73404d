"""The pages with programs of other packages: what is typed on them prints what they show, with the
packages as the index serves them.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.docs.page import check_typed
from tests.packages.installing import airflow, pymqi_code, stream_pymqi
from tests.source import ROOT

DOCS = ROOT / "docs"


@pytest.fixture
def at_hand() -> Callable[..., None]:
    """Skips the test if one of these modules is not installed in the environment of the tests."""

    def check(*modules: str) -> None:
        missing = [each for each in modules if find_spec(each) is None]
        if missing:
            pytest.skip(f"not installed: {', '.join(missing)}")

    return check


@pytest.mark.long
@pytest.mark.parametrize(
    ("page", "module"),
    [
        ("faststream.md", "faststream_mq"),
        ("ibmmq.md", "ibmmq"),
        ("robot-framework.md", "IBMMQLibrary"),
    ],
)
def test_a_page(page: str, module: str, tmp_path: Path, at_hand: Callable[..., None]) -> None:
    at_hand(module, "ibmmq")
    check_typed(DOCS / page, tmp_path)


@pytest.mark.long
def test_the_page_of_pymqi(tmp_path: Path) -> None:
    folders = (ROOT, pymqi_code(), stream_pymqi())
    check_typed(DOCS / "pymqi.md", tmp_path, PYTHONPATH=os.pathsep.join(map(str, folders)))


@pytest.mark.long
def test_the_page_of_airflow(tmp_path: Path) -> None:
    """In an environment of its own, whose Python is found first."""
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "python").write_text(f'#!/bin/sh\nexec {airflow()} "$@"\n')
    (programs / "python").chmod(0o755)
    folder = tmp_path / "page"
    folder.mkdir()
    first = f'export PATH="{programs}:$PATH" AIRFLOW_HOME="{tmp_path / "airflow"}"\n'
    check_typed(DOCS / "airflow.md", folder, first)
