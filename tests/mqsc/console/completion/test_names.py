"""Names of queue managers and queues are completed from the store."""

from __future__ import annotations

import os
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

from mqsc.main import mqsc as program
from tests.mqsc.conftest import Command


def offered(*words: str) -> list[str]:
    *before, incomplete = words
    return [each.value for each in ShellComplete(program, {}, "mqsc", "").get_completions([*before], incomplete)]


def test_names_are_completed(mqsc: Command) -> None:
    mqsc("qmgr", "create", "QM1")
    mqsc("qmgr", "create", "QM2")
    mqsc("run", "-m", "QM1", "-c", "DEFINE QLOCAL(ORDERS)", "-c", "DEFINE QALIAS(OTHERS)", "-c", "DEFINE QLOCAL('low')")
    mqsc("run", "-m", "QM2", "-c", "DEFINE QLOCAL(ORDERS.TWO)")
    assert offered("-m", "") == ["QM1", "QM2"]
    assert offered("put", "-m", "qm2") == ["QM2"]
    assert offered("put", "O") == ["ORDERS", "OTHERS"]
    assert offered("get", "ord") == ["ORDERS"]
    assert offered("browse", "") == ["ORDERS", "OTHERS", "low"]
    assert offered("-m", "QM2", "history", "") == ["ORDERS.TWO"]
    assert offered("expiry", "SYSTEM.ADMIN.C")[:2] == ["SYSTEM.ADMIN.CHANNEL.EVENT", "SYSTEM.ADMIN.COMMAND.EVENT"]


@pytest.mark.parametrize("content", [None, b"no store"])
def test_without_a_store_nothing_is_offered_or_made(mqsc: Command, tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "store.db").write_bytes(content)
    assert (offered("put", "O"), offered("-m", "Q")) == ([], [])
    assert [each for each in os.listdir(tmp_path) if content is None] == []


def test_rules_are_completed() -> None:
    assert offered("check", "--ignore", "C08")[0] == "C08"
    assert offered("check", "--ignore", "C08,MQSC-C0")[0] == "C08,MQSC-C01"
    assert offered("check", "--select", "n") == ["note"]
    assert isinstance(program, click.Group)
