"""`mqsc export`."""

from __future__ import annotations

import json

import pytest

from mqsc.scripts.export_output import HEADING
from tests.mqsc.conftest import Command

SCRIPT = f"{HEADING}\n\nDEFINE QLOCAL('A') MAXDEPTH(7) REPLACE\n"


@pytest.fixture
def made(mqsc: Command) -> Command:
    """The command line, with a queue manager QM1 that has a queue A."""
    mqsc("run", "-c", "DEFINE QLOCAL(A) MAXDEPTH(7)")
    return mqsc


def test_export_as_mqsc(made: Command) -> None:
    ended = made("export")
    assert (ended.code, ended.out, ended.err) == (0, SCRIPT, "")
    assert (
        made("export", "--format", "text").out == made("export", "--format", "mqsc").out == SCRIPT
    )
    assert "MAXMSGL(4194304)" in made("export", "--all").out


def test_export_as_data(made: Command) -> None:
    row = {"action": "CREATE", "type": "QLOCAL", "name": "A", "attributes": {"MAXDEPTH": 7}}
    assert json.loads(made("export", "--format", "json").out) == [row]
    assert json.loads(made("--format", "jsonl", "export").out) == row
    yaml = made("export", "--format", "yaml")
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
def test_refusals(made: Command, arguments: tuple[str, ...], code: int, says: str) -> None:
    ended = made(*arguments)
    assert (ended.code, ended.out) == (code, "")
    assert says in ended.err


def test_an_ended_queue_manager_has_nothing_to_tell(made: Command) -> None:
    made("qmgr", "end", "QM1", "--immediate")
    ended = made("export")
    assert (ended.code, ended.out) == (20, "")
