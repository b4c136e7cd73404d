"""No acknowledged persistent message is lost or delivered twice, whichever process is killed, and whenever."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.processes.campaign import held


@pytest.mark.long
def test_the_promise_holds_while_programs_are_killed(tmp_path: Path) -> None:
    """150 kills; for a longer run set MQSC_KILLS. The seed is printed, so that a run can be repeated.

    Processes are killed in units of few and of 500 messages, with messages that skip backout, trigger messages and
    expiry scans, and while they connect.
    """
    held("kill_driver", tmp_path, "kills", os.environ.get("MQSC_KILLS", "150"))
