"""An exception from a signal handler leaves nothing behind, whichever call it interrupts, and at whatever moment."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.processes.campaign import held


@pytest.mark.long
def test_nothing_is_left_behind_by_interruptions(tmp_path: Path) -> None:
    """800 interruptions; for a longer run set MQSC_INTERRUPTIONS. The seed is printed."""
    held("interruption_driver", tmp_path, "interruptions", os.environ.get("MQSC_INTERRUPTIONS", "800"))
