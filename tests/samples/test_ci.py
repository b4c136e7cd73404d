"""The action for GitHub and the template for GitLab: their commands run, and leave the files
that they upload.
"""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.docs.page import run
from tests.source import ROOT

GOOD, LAX = "DEFINE QLOCAL(ORDERS)\n", "DEFINE QLOCAL(ORDERS) BOTHRESH(3)\n"


def read(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text("utf-8"))


def steps(inputs: dict[str, str]) -> list[str]:
    """The commands of the action but that which installs, with its inputs as GitHub gives them."""
    action = read("action.yml")
    assert set(inputs) <= set(action["inputs"])
    given = {name: each["default"] for name, each in action["inputs"].items()} | inputs
    found = []
    for step in action["runs"]["steps"]:
        settings = {name: given[text[11:-3]] for name, text in step.get("env", {}).items()}
        if "run" in step and "pip" not in step["run"]:
            found.append(
                "".join(f"{name}='{value}'\n" for name, value in settings.items()) + step["run"],
            )
    return found


def folder(path: Path, script: str) -> Path:
    (path / "definitions").mkdir()
    (path / "definitions" / "orders.mqsc").write_text(script)
    (path / "letters.rul").write_text("ACTION(RETRY) RETRY(3)\n")
    return path


def test_the_action_passes_and_writes_sarif(tmp_path: Path) -> None:
    workflow = read("samples/ci/github.yml")
    (given,) = (each["with"] for each in workflow["jobs"]["check"]["steps"] if "with" in each)
    check, layout, rules = steps({**given, "rules": "letters.rul"})
    run("\n".join((check, layout, rules)), folder(tmp_path, GOOD))
    assert json.loads((tmp_path / "mqsc.sarif").read_text())["runs"][0]["results"] == []


def test_the_action_fails_for_advice_if_it_is_to(tmp_path: Path) -> None:
    folder(tmp_path, LAX)
    strict, *_ = steps({"scripts": "definitions/", "fail-on": "warning"})
    with pytest.raises(AssertionError):
        run(strict, tmp_path)
    (found,) = json.loads((tmp_path / "mqsc.sarif").read_text())["runs"][0]["results"]
    assert found["ruleId"] == "MQSC-C08"
    lenient, *others = steps({"scripts": "definitions/"})
    run("\n".join((lenient, *others)), tmp_path)


def test_the_template_writes_what_it_uploads(tmp_path: Path) -> None:
    job = read("samples/ci/gitlab.yml")["mqsc"]
    run("\n".join(job["script"]), folder(tmp_path, GOOD))
    for name in (*job["artifacts"]["paths"], job["artifacts"]["reports"]["junit"]):
        assert (tmp_path / name).stat().st_size
    assert ElementTree.parse(tmp_path / "mqsc.xml").getroot().tag == "testsuites"
    (tmp_path / "definitions" / "orders.mqsc").write_text(LAX)
    with pytest.raises(AssertionError, match="1 warning"):
        run("\n".join(job["script"]), tmp_path)
