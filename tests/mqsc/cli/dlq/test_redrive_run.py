"""The options, output and exit codes that `mqsc dlq retry`, `forward` and `discard` share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click
import pytest
from click.testing import CliRunner

from mqsc.cli.dlq.redrive import RETRY_LIMIT, redrive_options, run_redrive
from mqsc.console.text.reasons import legend
from mqsc.dlq.rules_table import Rule
from store import Message, open_store
from store.admin.defining import create
from store.catalog import KINDS
from store.constants import MQRC
from tests.mqsc.dlq.handler_system import dead_letter

Redrive = Callable[..., tuple[int, str, str]]
ADVICE = "mqsc: to move a message of unknown destination: mqsc dlq forward DLQ --to QUEUE --msg-id HEX\n"


@click.command()
@redrive_options
@RETRY_LIMIT
def retry(context: click.Context, /, queue: str | None, **given: Any) -> None:
    """Stands for `mqsc dlq retry`."""
    run_redrive(context, queue, Rule((), "RETRY"), given)


@pytest.fixture
def redrive(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Redrive:
    """Runs `retry` on DLQ, with a dead letter for Q, one for a missing queue, and a message without a header."""
    monkeypatch.setenv("MQSC_STORE", f"sqlite:///{tmp_path}/store.db")
    with open_store(f"sqlite:///{tmp_path}/store.db") as store:
        qmgr = store.create_queue_manager("QM1")
        for name in ("DLQ", "Q"):
            create(qmgr, KINDS["QLOCAL"], name, {})
        with qmgr.connect() as connection:
            connection.put1("DLQ", dead_letter("good", 1, dest_q_name="Q"))
            connection.put1("DLQ", dead_letter("bad", 2, dest_q_name="NONE"))
            connection.put1("DLQ", Message(b"plain"))

    def call(*arguments: str) -> tuple[int, str, str]:
        result = CliRunner().invoke(retry, ["DLQ", *arguments])
        return result.exit_code, result.stdout, result.stderr

    return call


def test_a_dry_run_moves_nothing(redrive: Redrive) -> None:
    for _ in range(2):
        code, out, err = redrive("--dry-run")
        assert (code, err) == (10, "mqsc: DLQ: 1 would succeed, 1 would fail, 1 skipped; 2 would remain\n" + ADVICE)
        done, explained = out.split("\n\n")
        assert len(done.splitlines()) == 3
        assert explained.splitlines() == [*legend([MQRC.Q_FULL, MQRC.UNKNOWN_OBJECT_NAME])]


def test_a_failed_put_is_exit_code_10(redrive: Redrive) -> None:
    code, out, err = redrive("--format", "jsonl")
    assert (code, err) == (10, "mqsc: DLQ: 1 done, 1 failed, 1 skipped; 2 remain on the queue\n" + ADVICE)
    assert len(out.splitlines()) == 3


def test_a_limit(redrive: Redrive) -> None:
    assert redrive("--limit", "1", "--quiet") == (0, "", "")
    assert redrive("--dry-run")[2] == "mqsc: DLQ: 0 would succeed, 1 would fail, 1 skipped; 2 would remain\n" + ADVICE


def test_messages_that_are_not_selected_remain(redrive: Redrive) -> None:
    assert redrive("--destination", "Q", "--dry-run")[::2] == (
        0,
        "mqsc: DLQ: 1 would succeed, 0 would fail, 0 skipped; 2 would remain\n",
    )
    assert redrive("--destination", "Q")[::2] == (0, "mqsc: DLQ: 1 done, 0 failed, 0 skipped; 2 remain on the queue\n")
