"""Scripts that other people wrote: none brings the product down, and every command is in the closing lines."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from mqsc.console.reply_output import TextWriter
from mqsc.script import Answered, Script
from store.client.api import QueueManager

CORPUS = Path(os.environ["MQSC_CORPUS"]) / "mqsc" if "MQSC_CORPUS" in os.environ else None


def scripts() -> Iterator[Path]:
    return iter(sorted(path for path in CORPUS.iterdir() if path.is_file())) if CORPUS else iter(())


@pytest.mark.skipif(CORPUS is None, reason="MQSC_CORPUS names no folder of scripts")
@pytest.mark.parametrize("path", [*scripts()] or [Path()], ids=lambda path: path.name[-40:])
def test_script(path: Path, qmgr: QueueManager) -> None:
    script, out, answers = Script(qmgr), io.StringIO(), []
    writer = TextWriter(out)
    with path.open("rb") as lines:
        for step in script.steps(lines, path.name):
            if isinstance(step, Answered):
                answers.append(step.answer)
                writer.answer(step)
            else:
                writer.echo(step)
    writer.end(script.tally)
    tally = script.tally
    assert tally.read == len(answers)
    assert tally.syntax_errors == sum(answer.syntax for answer in answers)
    assert tally.failures == sum(answer.completion == 2 and not answer.syntax for answer in answers)
    assert all(answer.message_id and answer.text for answer in answers)
    assert out.getvalue().endswith("\n".join((*tally.lines(), "")))


@pytest.mark.skipif(CORPUS is None, reason="MQSC_CORPUS names no folder of scripts")
def test_every_line_of_every_script_is_echoed(qmgr: QueueManager) -> None:
    for path in scripts():
        text = path.read_bytes().decode("utf-8", "replace").removeprefix("\ufeff")
        wanted = [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")] if text else []
        echoed: list[str] = []
        ended = False
        for step in Script(None).steps((text,), path.name):
            if not isinstance(step, Answered):
                echoed += step.lines
                ended = bool(step.lines) and step.lines[-1].strip().upper() in ("END", "EXIT", "QUIT")
        joined, read = "".join(echoed), "".join(wanted)
        assert joined == read or (ended and read.startswith(joined)) or "********" in joined, path.name
