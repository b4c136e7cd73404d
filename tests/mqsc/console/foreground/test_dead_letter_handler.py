"""A run of the dead-letter queue handler on the command line; see also tests/mqsc/cli/dlq/test_run.py."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mqsc.cli.foreground import run_handler_with
from mqsc.console.options import Choices
from mqsc.dlq.handler_run import HandlerArguments
from store import open_store
from store.admin.defining import create
from store.catalog import KINDS


@pytest.mark.parametrize(("format", "quiet"), [(None, False), (None, True), ("jsonl", False)])
def test_a_line_or_an_object_for_each_message(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], format: str | None, quiet: bool
) -> None:
    url = f"sqlite:///{tmp_path}/store.db"
    with open_store(url) as store:
        create(store.create_queue_manager("QM1", manual_clock_at=1_500_000), KINDS["QLOCAL"], "DLQ", {})
    rules = tmp_path / "rules"
    rules.write_text("INPUTQ(DLQ) WAIT(NO)\nACTION(DISCARD)\n")
    assert run_handler_with(Choices(store=url, format=format, quiet=quiet), str(rules), HandlerArguments()) == 0
    lines = capsys.readouterr().out.splitlines()
    ids = ["AMQ8708", "MQSC0037", "AMQ8709"]
    if quiet:
        assert lines == []
    elif format is None:
        assert [line.split(": ")[0] for line in lines] == [f"1970-01-01 00:00:01  {each}" for each in ids]
    else:
        rows = [json.loads(line) for line in lines]
        assert [(row["at"], row["message_id"]) for row in rows] == [
            ("1970-01-01T00:00:01.500000Z", each) for each in ids
        ]
