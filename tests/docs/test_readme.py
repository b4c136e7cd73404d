"""The commands in the README run as written, block by block, in a copy of the tree, and leave it
clean.
"""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

import pytest

from tests.docs.page import README, blocks, run
from tests.source import ROOT

NOT_IN_A_CLONE = shutil.ignore_patterns(
    ".git",
    ".venv",
    "__pycache__",
    ".*_cache",
    ".hypothesis",
    "*.egg-info",
    "build",
    "dist",
    "*.db*",
)
# These need the network or would run the tests again; .ci/run runs them in a fresh clone.
INSTALL, TWO_COMMANDS = "python3 -m venv .venv && ", "sh samples/tour.sh "


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    tree = tmp_path / "mqsc"
    shutil.copytree(ROOT, tree, ignore=NOT_IN_A_CLONE)
    run("git init -q && git add -A && git -c user.name=t -c user.email=t@t commit -qm tree", tree)
    return tree


@pytest.mark.long
def test_a_message_goes_from_put_to_report_and_leaves_the_clone_clean(clone: Path) -> None:
    install, two_commands, typed = blocks(README, "sh")
    assert install.startswith(INSTALL)
    assert two_commands.startswith(TWO_COMMANDS)
    assert "CURDEPTH(1)" in run(typed, clone, clone)
    with (clone / "shop-reports" / "expired-messages" / "expired_by_cause.csv").open() as table:
        rows = [
            (row["queue"], row["cause"], row["messages"], row["lateness_max"])
            for row in csv.DictReader(table)
        ]
    assert rows == [("QUOTES", "refresh", "1", "30.000000")]
    assert run("python samples/orders.py", clone, clone) == "one espresso machine with priority 5\n"
    assert run("git status --porcelain", clone) == ""


def test_the_python_example_is_the_sample_file() -> None:
    (shown,) = blocks(README, "python")
    assert (ROOT / "samples" / "orders.py").read_text("utf-8").endswith("\n\n" + shown)
