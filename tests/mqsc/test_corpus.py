"""Scripts found on the web: every line is echoed, and every command is answered and counted."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from mqsc.script import Answered, Script
from mqsc.scripts.reply_output import TextWriter
from store import open_store

CORPUS = Path(os.environ["MQSC_CORPUS"]) / "mqsc" if "MQSC_CORPUS" in os.environ else None


def scripts() -> Iterator[Path]:
    return iter(sorted(path for path in CORPUS.iterdir() if path.is_file())) if CORPUS else iter(())


@pytest.mark.skipif(CORPUS is None, reason="MQSC_CORPUS names no folder of scripts")
def test_every_command_is_answered_and_counted() -> None:
    for path in scripts():
        with open_store("sqlite://") as store:
            script, out, answers = Script(store.create_queue_manager("QM1")), io.StringIO(), []
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
        assert tally.read == len(answers), path.name
        assert tally.syntax_errors == sum(answer.syntax_error for answer in answers), path.name
        assert tally.failures == sum(answer.completion == 2 and not answer.syntax_error for answer in answers), (
            path.name
        )
        assert all(answer.message_id and answer.text for answer in answers), path.name
        assert out.getvalue().endswith("\n".join((*tally.lines(), ""))), path.name


@pytest.mark.skipif(CORPUS is None, reason="MQSC_CORPUS names no folder of scripts")
def test_every_line_of_every_script_is_echoed() -> None:
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
