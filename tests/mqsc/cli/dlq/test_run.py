"""`mqsc dlq run`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from mqsc.console.parameters import iso
from store.client.api import QueueManager
from tests.conftest import START
from tests.mqsc.cli.dlq.conftest import BAD, depth, objects
from tests.mqsc.conftest import Command

TIME = r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d  "


def test_run(mqsc: Command, qmgr: QueueManager, rules: str) -> None:
    ended = mqsc("dlq", "run", rules)
    assert ended.code == 0
    ids = [re.fullmatch(TIME + r"(\w+): .*", line)[1] for line in ended.lines]  # type: ignore[index]
    assert ids == ["AMQ8708", "AMQ8722", "AMQ8721", "AMQ8721", "MQSC0036", "MQSC0036", "MQSC0037", "AMQ8709"]
    assert ended.lines[-2].endswith(
        "moved or discarded 2; still on the queue: 1 after failed attempts, 2 that no rule moves."
    )
    assert ended.lines[0].startswith("2023-11-14 22:17:20  AMQ8708: ")
    assert "manual clock" in ended.err
    assert (depth(mqsc, "DLQ"), depth(mqsc, "Q1")) == (3, 1)


def test_run_with_another_queue_and_the_table_on_standard_input(mqsc: Command, qmgr: QueueManager) -> None:
    table = b"INPUTQ(NONE) INPUTQM(NONE) WAIT(NO)\nACTION(DISCARD)\n"
    assert mqsc("dlq", "run", "-", "--queue", "REST", "-m", "QM1", stdin=table).code == 0
    assert mqsc("dlq", "run", "-", "--queue", " ", "-m", "QM1", "--quiet", stdin=table).err == ""
    assert depth(mqsc, "DLQ") == 1


@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_run_as_json(mqsc: Command, qmgr: QueueManager, rules: str, form: str) -> None:
    ended = mqsc("dlq", "run", rules, "--format", form)
    rows = objects(ended.out) if form == "json" else [json.loads(line) for line in ended.lines]
    assert [row["message_id"] for row in rows[:4]] == ["AMQ8708", "AMQ8722", "AMQ8721", "AMQ8721"]
    assert rows[4] | {"message_id": "MQSC0036", "line": 2, "done": 1, "failed": 1} == rows[4]
    assert rows[6] | {"message_id": "MQSC0037", "queue": "DLQ", "done": 2, "failed": 1, "left": 2} == rows[6]
    assert rows[7]["message_id"] == "AMQ8709"
    assert rows[1] | {"line": 2, "reason": 2085, "target": "NOWHERE on QM1", "at": iso(START + 240_000_000)} == rows[1]


@pytest.mark.parametrize(
    ("arguments", "stdin", "code", "said"),
    [
        (("bad.rul",), b"", 20, "AMQ8757"),
        (("none.rul",), b"", 20, "none.rul does not exist"),
        (("-",), b"", 20, "AMQ8750"),
        (("-", "--watch"), b"", 20, "--watch needs a file"),
        (("-", "-m", "QM9"), b"ACTION(RETRY)\n", 10, "AMQ8741"),
        (("-", "--queue", "NOPE"), b"ACTION(RETRY)\n", 10, "AMQ8745"),
        (("store.db",), b"", 20, "store.db is the store itself"),
    ],
)
def test_run_that_fails(
    mqsc: Command, qmgr: QueueManager, tmp_path: Path, arguments: tuple[str, ...], stdin: bytes, code: int, said: str
) -> None:
    (tmp_path / "bad.rul").write_text(BAD)
    ended = mqsc("dlq", "run", *arguments, stdin=stdin)
    assert ended.code == code
    assert said in ended.out + ended.err
