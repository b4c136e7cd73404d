"""Whole runs: for each script in pages/, a page with its output on a new queue manager at a fixed
time.

Run as a module with --write to rewrite the pages; review them before committing.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import pytest

from mqsc.script import Script
from mqsc.store import open_store
from tests.mqsc.printing import at_a_known_moment, printed

PAGES = Path(__file__).parent / "pages"
SCRIPTS = sorted(PAGES.glob("*.mqsc"))


def page(script: Path, folder: Path) -> str:
    """Return the output of a run of the script."""
    with open_store(
        f"sqlite:///{folder}/{script.stem}.db",
        environment=at_a_known_moment(),
    ) as store:
        return printed(
            Script(store.create_queue_manager("QM1")),
            script.read_text(encoding="utf-8"),
            script.name,
        )


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_page(script: Path, tmp_path: Path) -> None:
    expected = script.with_suffix(".out").read_text(encoding="utf-8").splitlines()
    how = f"{script.stem}.out is written anew by `python -m tests.mqsc.test_pages --write`"
    assert page(script, tmp_path).splitlines() == expected, how
    assert len(SCRIPTS) >= 6


if __name__ == "__main__" and sys.argv[1:] == ["--write"]:
    with tempfile.TemporaryDirectory() as folder:
        for each in SCRIPTS:
            each.with_suffix(".out").write_text(page(each, Path(folder)), encoding="utf-8")
