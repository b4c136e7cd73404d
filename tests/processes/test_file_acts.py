"""Nothing is acknowledged and then lost, whatever is done to a store's files while programs use them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ALL = os.environ.get("MQSC_FILE_ACTS") == "all"
DRIVER = Path(__file__).with_name("file_act_driver.py")
CHOSEN = ("rm wal", "mv all", "cp backup db", "replace db by earlier", "truncate wal half", "mv there and back")


@pytest.mark.timeout(3600 if ALL else 300)
def test_what_is_acknowledged_after_an_act_on_the_files_is_true(tmp_path: Path) -> None:
    """Six acts in two variants each; MQSC_FILE_ACTS=all plays all acts in all, which takes some minutes."""
    acts = () if ALL else ("--few", *CHOSEN)
    command = [sys.executable, str(DRIVER), str(tmp_path), *acts]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    print(ran.stdout)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ran.stdout.rstrip().endswith(" 0 broken")
