"""An exception from a signal handler leaves nothing behind, whichever call it interrupts, and at whatever moment."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

DRIVER = Path(__file__).with_name("interruption_driver.py")


@pytest.mark.long
def test_nothing_is_left_behind_by_interruptions(tmp_path: Path) -> None:
    """2 000 interruptions; for a longer run set MQSC_INTERRUPTIONS. The seed is printed."""
    number = os.environ.get("MQSC_INTERRUPTIONS", "2000")
    ran = subprocess.run(
        [sys.executable, str(DRIVER), str(tmp_path), "--interruptions", number],
        capture_output=True,
        text=True,
        check=False,
    )
    print(ran.stdout)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ran.stdout.rstrip().endswith("nothing left behind")
