"""The cost of a script of many definitions, compared with Lark's share of it, and the memory that DISPLAY needs."""

from __future__ import annotations

import io
import time
import tracemalloc
from pathlib import Path

import pytest

from mqsc.script import Answered, Script
from mqsc.scripts.reply_output import TextWriter
from store.client.api import QueueManager
from tests.benchmarks.script_benchmark import definitions, seconds_of_lark

QUEUES = 1000
MEGABYTE = 1 << 20


class Counting(io.StringIO):
    """Counts the characters written and discards them."""

    written = 0

    def write(self, text: str) -> int:
        self.written += len(text)
        return len(text)


def run_through(qmgr: QueueManager, lines: list[str]) -> int:
    """Run lines and discard the output; return its length in characters."""
    script, out = Script(qmgr), Counting()
    writer = TextWriter(out)
    for step in script.steps(lines):
        if isinstance(step, Answered):
            writer.answer(step)
        else:
            writer.echo(step)
    assert script.tally.exit_code == 0
    return out.written


@pytest.mark.benchmark
def test_definitions_take_at_most_two_and_a_half_times_what_lark_alone_takes(
    qmgr: QueueManager, tmp_path: Path
) -> None:
    script = tmp_path / "a.mqsc"
    script.write_text("\n".join(definitions(QUEUES)))
    lines = script.read_text().splitlines()
    run_through(qmgr, lines)
    took = []
    for _ in range(3):
        began = time.process_time()
        run_through(qmgr, lines)
        took.append(time.process_time() - began)
    assert min(took) < 2.5 * min(seconds_of_lark(script) for _ in range(3))


@pytest.mark.benchmark
def test_displaying_holds_a_page_not_everything(qmgr: QueueManager) -> None:
    with qmgr.store.database.one_transaction():
        run_through(qmgr, "\n".join(definitions(3 * QUEUES)).splitlines())
    run_through(qmgr, ["DISPLAY QLOCAL(*) ALL"])
    tracemalloc.start()
    written = run_through(qmgr, ["DISPLAY QLOCAL(*) ALL"])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert written > MEGABYTE
    # Holding all rows at once would take more than twice as much.
    assert peak < 5 * MEGABYTE
