"""Programs for monitors to start."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.mqsc.agents.scripts import Scripts


@pytest.fixture
def scripts(tmp_path: Path) -> Iterator[Scripts]:
    """A folder of programs of its own; none of them waits any longer afterwards."""
    folder = tmp_path / "scripts"
    folder.mkdir()
    made = Scripts(folder)
    yield made
    made.close()
