"""`mqsc get`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.mqsc.conftest import Command

pytestmark = pytest.mark.usefixtures("queues")


def test_get_one_some_and_all(mqsc: Command) -> None:
    mqsc("put", "A", "1", "2", "3", "4", "5", "6")
    assert mqsc("get", "A").out == "1\n"
    assert mqsc("get", "A", "-n").out == "2"
    assert mqsc("get", "A", "--count", "2").out == "3\n4\n"
    assert mqsc("get", "A", "--all").out == "5\n6\n"


def test_get_is_exact(mqsc: Command, tmp_path: Path) -> None:
    (tmp_path / "bytes").write_bytes("Zürich\r\n".encode())
    mqsc("put", "A", "--file", "bytes")
    assert mqsc("get", "A", "--no-newline").out == "Zürich\r\n"


def test_an_empty_queue_is_no_failure(mqsc: Command) -> None:
    ended = mqsc("get", "A")
    assert (ended.code, ended.out, ended.err) == (0, "", "mqsc: no message on A\n")
    assert mqsc("get", "A", "--wait", "1").code == 0
    assert mqsc("browse", "A").code == 0
    assert json.loads(mqsc("get", "A", "--format", "json").out) == []


def test_get_by_identifier(mqsc: Command) -> None:
    mqsc("put", "A", "one", "--correl-id", "01")
    mqsc("put", "A", "two", "--correl-id", "02", "--msg-id", "22")
    assert mqsc("get", "A", "--correl-id", "02", "--msg-id", "23").out == ""
    assert mqsc("get", "A", "--correl-id", "02").out == "two\n"
    assert mqsc("browse", "A", "--correl-id", "02").out == ""
    assert mqsc("get", "A", "--all").out == "one\n"


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("get", "NONE"), 10, "2085 MQRC_UNKNOWN_OBJECT_NAME (NONE)"),
        (("get", "A", "--all", "--count", "2"), 20, "cannot be used together"),
        (("get", "A", "-m", "QM9"), 10, "AMQ8118E"),
    ],
)
def test_refusals(mqsc: Command, arguments: tuple[str, ...], code: int, says: str) -> None:
    ended = mqsc(*arguments)
    assert (ended.code, ended.out) == (code, "")
    assert says in ended.err
