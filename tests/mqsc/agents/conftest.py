"""Programs for monitors to start."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mqsc.agents.scripts import Scripts


@pytest.fixture
def scripts(tmp_path: Path) -> Scripts:
    """A folder of programs of its own."""
    folder = tmp_path / "scripts"
    folder.mkdir()
    return Scripts(folder)
