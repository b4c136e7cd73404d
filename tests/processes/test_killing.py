"""No acknowledged persistent message is lost or delivered twice, whichever process is killed, and whenever."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

DRIVER = Path(__file__).with_name("kill_driver.py")


@pytest.mark.long
def test_the_promise_holds_while_programs_are_killed(tmp_path: Path) -> None:
    """500 kills; for a longer run set MQSC_KILLS. The seed is printed, so that a run can be repeated.

    Processes are killed in units of few and of 500 messages, with messages that skip backout, trigger messages and
    expiry scans, and while they connect.
    """
    kills = os.environ.get("MQSC_KILLS", "500")
    ran = subprocess.run(
        [sys.executable, str(DRIVER), str(tmp_path), "--kills", kills], capture_output=True, text=True, check=False
    )
    print(ran.stdout)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ran.stdout.rstrip().endswith("held")
