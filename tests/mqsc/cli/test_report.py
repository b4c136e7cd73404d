"""`mqsc report`: what is refused before Spark starts, and one report from message to table."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.mqsc.conftest import Command


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("expired-messages",), 20, "Missing option '--out'"),
        (("--out", "o"), 20, "Missing argument 'NAME...'"),
        (("expird-messages", "--out", "o"), 20, "did you mean expired-messages?"),
        (("expired-messages", "--out", "o", "--as", "xml"), 20, "'csv', 'parquet'"),
        (("expired-messages", "--out", "o", "--since", "later"), 20, "since 'later' is not a moment"),
        (("expired-messages", "--out", "o", "--queue", "A*B"), 20, "only its last character may be *"),
        (("expired-messages", "--out", "o", "-m", "QM9"), 20, "AMQ8118E: IBM MQ queue manager 'QM9' does not exist."),
        (("expired-messages", "--out", "o", "--store", "sqlite:///none.db"), 20, "there is no store at"),
    ],
)
def test_refusals(mqsc: Command, arguments: tuple[str, ...], code: int, says: str) -> None:
    mqsc("qmgr", "create", "QM1")
    ended = mqsc("report", *arguments)
    assert (ended.code, ended.out) == (code, "")
    assert says in ended.err


@pytest.mark.long
def test_expired_messages(mqsc: Command, tmp_path: Path) -> None:
    mqsc("qmgr", "create", "QM1", "--clock", "manual")
    mqsc("clock", "set", "2026-03-02T09:00:00")
    mqsc("run", "-c", "DEFINE QLOCAL(QUOTES)")
    mqsc("put", "QUOTES", "249.00 EUR", "--expiry", "600", "--count", "3")
    mqsc("clock", "advance", "90s")
    mqsc("run", "-c", "REFRESH QMGR TYPE(EXPIRY)")
    ended = mqsc("report", "expired-messages", "--out", "out", "--format", "jsonl", "--master", "local[1]")
    assert ended.code == 0
    tables = {table["table"]: table for table in map(json.loads, ended.out.splitlines())}
    (row,) = tables["expired"]["rows"]
    assert (row["queue"], row["hour"], row["messages"], row["lateness_max"]) == (
        "QUOTES",
        "2026-03-02T09:00:00Z",
        3,
        "30",
    )
    assert (tmp_path / tables["expired"]["path"]).read_text().startswith("qmgr,queue,hour,messages,bytes,")
    assert tables["overdue"]["rows"] == []
