"""The steps of the CI workflow work as written, in the order in which a change goes through them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from tests.docs.page import run
from tests.source import ROOT

WORKFLOW = ROOT / "samples" / "definitions.yml"


def steps() -> dict[str, str]:
    job: dict[str, Any] = yaml.safe_load(WORKFLOW.read_text("utf-8"))["jobs"]["definitions"]
    return {step["name"]: step["run"] for step in job["steps"] if "run" in step}


def test_the_steps_of_the_workflow(tmp_path: Path) -> None:
    (tmp_path / "definitions").mkdir()
    (tmp_path / "definitions" / "10.mqsc").write_text("DEFINE QLOCAL(ORDERS) BOTHRESH(3) BOQNAME(BAD)\n")
    (tmp_path / "definitions" / "20.mqsc").write_text("DEFINE QLOCAL(BAD)\n")
    step, store = steps(), f"sqlite:///{tmp_path}/store.db"
    assert list(step) == ["Check", "Plan", "Apply", "Find changes made by hand"]
    printed = [run(command, tmp_path, MQSC_STORE=store) for command in step.values()]
    assert [text.count("CREATE ") for text in printed] == [0, 2, 0, 0]
    assert printed[2].count("CREATED ") == 2
    again = run(step["Apply"], tmp_path, MQSC_STORE=store)
    assert again.count("UNCHANGED ") == 2
