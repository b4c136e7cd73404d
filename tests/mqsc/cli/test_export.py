"""`mqsc export`."""

from __future__ import annotations

import json

import pytest

from mqsc.scripts.export_output import HEADING
from tests.mqsc.conftest import Command

SCRIPT = f"{HEADING}\n\nDEFINE QLOCAL('A') MAXDEPTH(7) REPLACE\n"


def test_export_as_mqsc(with_queue: Command) -> None:
    ended = with_queue("export")
    assert (ended.code, ended.out, ended.err) == (0, SCRIPT, "")
    assert (
        with_queue("export", "--format", "text").out
        == with_queue("export", "--format", "mqsc").out
        == SCRIPT
    )
    assert "MAXMSGL(4194304)" in with_queue("export", "--all").out


def test_export_as_data(with_queue: Command) -> None:
    row = {"action": "CREATE", "type": "QLOCAL", "name": "A", "attributes": {"MAXDEPTH": 7}}
    assert json.loads(with_queue("export", "--format", "json").out) == [row]
    assert json.loads(with_queue("--format", "jsonl", "export").out) == row
    yaml = with_queue("export", "--format", "yaml")
    assert yaml.lines == [
        '- action: "CREATE"',
        '  type: "QLOCAL"',
        '  name: "A"',
        "  attributes:",
        "    MAXDEPTH: 7",
    ]


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("export", "-m", "QM9"), 10, "AMQ8118E"),
        (("export", "--format", "xml"), 20, "'mqsc', 'text', 'json', 'jsonl', 'yaml'"),
        (("export", "--store", "sqlite:///none.db"), 20, "there is no store at"),
    ],
)
def test_refusals(with_queue: Command, arguments: tuple[str, ...], code: int, says: str) -> None:
    ended = with_queue(*arguments)
    assert (ended.code, ended.out) == (code, "")
    assert says in ended.err


def test_an_ended_queue_manager_has_nothing_to_tell(with_queue: Command) -> None:
    with_queue("qmgr", "end", "QM1", "--immediate")
    ended = with_queue("export")
    assert (ended.code, ended.out) == (20, "")
