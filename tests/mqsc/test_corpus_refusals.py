"""The commands refused in scripts found on the web are exactly those listed in refused_in_corpus.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqsc.script import Answered, Script
from store import Environment, open_store
from tests.mqsc.refused_in_corpus import ROWS, Reason

# The number of commands in all scripts; END does not count.
COMMANDS = 715


@pytest.fixture(scope="module")
def answers(corpus: Path) -> dict[str, list[tuple[int, str, int]]]:
    """The line, message id and completion of every command, by file. Each file is run on a queue manager of its own."""
    found: dict[str, list[tuple[int, str, int]]] = {}
    for path in sorted((corpus / "mqsc").iterdir()):
        with (
            open_store("sqlite://", environment=Environment.frozen(at=1_700_000_000_000_000)) as store,
            path.open("rb") as lines,
        ):
            steps = Script(store.create_queue_manager("QM1")).steps(lines, path.name)
            for step in steps:
                if isinstance(step, Answered):
                    list(step.answer.rows)
                    row = (step.line, step.answer.message_id, step.answer.completion)
                    found.setdefault(path.name, []).append(row)
    return found


def test_exactly_the_listed_commands_are_refused(answers: dict[str, list[tuple[int, str, int]]]) -> None:
    refused = {
        (file, line, message_id)
        for file, rows in answers.items()
        for line, message_id, completion in rows
        if completion == 2
    }
    listed = {(file, line, message_id) for file, _, message_id, lines in ROWS for line in lines}
    assert refused == listed


def test_every_command_was_read(answers: dict[str, list[tuple[int, str, int]]]) -> None:
    assert sum(map(len, answers.values())) == COMMANDS


def test_every_reason_occurs() -> None:
    assert {reason for _, reason, _, _ in ROWS} == set(Reason)
    assert sum(len(lines) for *_, lines in ROWS) == 110
