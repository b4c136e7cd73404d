"""`mqsc dlq check`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from mqsc.dlq.entry import DESCRIPTIONS
from store.admin.defining import create
from store.catalog import KINDS
from store.client.api import QueueManager
from tests.mqsc.cli.dlq.conftest import BAD, RULES, objects
from tests.mqsc.conftest import Command


@pytest.mark.parametrize(
    ("table", "code", "ids"),
    [
        (RULES, 0, ["DLQ03"]),
        (RULES + "ACTION(FWD) FWDQ(REST)\n", 0, []),
        (RULES + "ACTION(FWD) FWDQ(RSET)\n", 0, ["DLQ11"]),
        (RULES + "ACTION(FWD) FWDQ(DLQ)\n", 0, ["DLQ06"]),
        (RULES + "ACTION(FWD) FWDQ(BACK)\n", 0, ["DLQ06"]),
        (BAD, 10, ["AMQ8757", "MQSC0030", "AMQ8758"]),
        ("", 10, ["AMQ8750"]),
    ],
)
def test_check(mqsc: Command, qmgr: QueueManager, tmp_path: Path, table: str, code: int, ids: list[str]) -> None:
    """Reports errors, or else lint warnings, in three formats. The store provides the queues that exist."""
    (tmp_path / "t.rul").write_text(table)
    create(qmgr, KINDS["QALIAS"], "BACK", {"TARGET": "DLQ"})
    ended = mqsc("dlq", "check", "t.rul")
    assert (ended.code, [re.search(r"(DLQ\d\d|AMQ\d+|MQSC\d+):", line)[1] for line in ended.lines]) == (code, ids)  # type: ignore[index]
    assert bool(ended.err) is not bool(ids)
    rows = objects(mqsc("dlq", "check", "t.rul", "--format", "json").out)
    assert [row["rule_id"] for row in rows] == ids
    assert all(row["file"] == "t.rul" for row in rows)
    document = json.loads(mqsc("dlq", "check", "-", "--sarif", stdin=table.encode()).out)
    assert [row["ruleId"] for row in document["runs"][0]["results"]] == ids
    assert len(document["runs"][0]["tool"]["driver"]["rules"]) == len(DESCRIPTIONS)


def test_check_for_a_queue_manager_that_is_not_there(mqsc: Command, qmgr: QueueManager, tmp_path: Path) -> None:
    (tmp_path / "t.rul").write_text("INPUTQM(QM9)\nACTION(FWD) FWDQ(NOPE)\n")
    ended = mqsc("dlq", "check", "t.rul")
    assert (ended.code, ended.out) == (0, "")
    assert "named by FWDQ: 2058" in ended.err
    assert mqsc("dlq", "check", "t.rul", "-m", "QM1").lines[0].startswith("t.rul:2:18: warning DLQ11")


@pytest.mark.parametrize(
    "arguments", [("none.rul",), ("t.rul", "--sarif", "--format", "json"), (), ("t.rul", "--frobnicate")]
)
def test_check_that_cannot_be_run(mqsc: Command, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    (tmp_path / "t.rul").write_text(RULES)
    ended = mqsc("dlq", "check", *arguments)
    assert (ended.code, ended.out) == (20, "")
    assert ended.err
