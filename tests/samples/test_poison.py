"""The sample in which a poison message is put, triggers a program, is consumed, and ends on the backout queue."""

from __future__ import annotations

from pathlib import Path

from tests.docs.page import run
from tests.source import ROOT


def test_the_broken_order_ends_on_the_backout_queue(tmp_path: Path) -> None:
    printed = run(f"sh -e {ROOT}/samples/poison.sh", tmp_path, MQSC_STORE=f"sqlite:///{tmp_path}/mqsc.db")
    assert printed.splitlines()[-1] == "broken order"
    assert "ended with 0" in printed
    counts = run("mqsc run -c 'DISPLAY QLOCAL(ORDERS) CURDEPTH'", tmp_path, MQSC_STORE=f"sqlite:///{tmp_path}/mqsc.db")
    assert "CURDEPTH(0)" in counts
