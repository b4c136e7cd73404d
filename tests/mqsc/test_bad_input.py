"""A run reads any script to its end: without a traceback, with every command counted, at
reasonable cost.
"""

from __future__ import annotations

import io
import json
import os
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from mqsc.language.command_table import COMMANDS
from mqsc.script import Answered, Script
from mqsc.scripts.reply_output import JsonWriter, TextWriter
from mqsc.store import open_store
from mqsc.store.client.queue_manager import QueueManager
from mqsc.verbs.syntax import syntax_of
from tests.benchmarks.script_benchmark import definitions, seconds_of_lark
from tests.examples import examples
from tests.rows import rows

CORPUS = Path(os.environ["MQSC_CORPUS"]) / "mqsc" if "MQSC_CORPUS" in os.environ else None
SIZE, LONG, CONTINUED = 160_000, 300_000, 10_000

# Input that is slow for a reader that backtracks or looks ahead. The middle part is repeated to the
# wanted length. (before, repeated, after)
SHAPES: dict[str, tuple[str, str, str]] = {
    "one word": ("", "A", ""),
    "a quote never closed": ("DEFINE QLOCAL(A) DESCR('", "x", ""),
    "quotes": ("DEFINE QLOCAL(A) DESCR('", "''", ""),
    "an odd number of quotes": ("DEFINE QLOCAL(A) DESCR(", "''", "'"),
    "blanks": ("DEFINE QLOCAL(A)", " ", "FOO"),
    "values": ("DEFINE QLOCAL(", "A ", ")"),
    "parentheses": ("DEFINE QLOCAL", "(", ""),
    "closing parentheses": ("DEFINE QLOCAL(A", ")", ""),
    "keywords": ("DEFINE QLOCAL(A) ", "GET ", ""),
    "parameters": ("DEFINE QLOCAL(A) ", "DESCR('x') ", ""),
    "secrets": ("DEFINE CHANNEL(A) ", "PASSWORD(x) ", ""),
    "secrets never closed": ("", "PASSWORD('", ""),
    "a word for secrets and no secret": ("ALTER CHANNEL(A) PASSWORD", " ", ""),
    "words for secrets": ("", "PASSWORD ", ""),
    "a secret over many lines": ("DEFINE CHANNEL(A) PASSWORD('", "x-\n", "')"),
    "semicolons": ("", ";", ""),
    "commands in a line": ("", "A;", ""),
    "continuation marks alone": ("", "+\n", ""),
    "continued words": ("", "A +\n", ""),
    "a text over many lines": ("DEFINE QLOCAL(A) DESCR('", "x-\n", "')"),
    "comments in a command": ("A +\n", "*\n", ""),
    "a fault in every line": ("DEFINE QLOCAL(A) ", "FOO +\n", ""),
    "NUL": ("", "\0", ""),
    "NUL in every line": ("", "A\0\n", ""),
    "commands that are none": ("", "FOO\n", ""),
    "a list": ("DEFINE NAMELIST(A) NAMES(", "A,", ")"),
    "a filter": ("DISPLAY QUEUE(*) WHERE(", "A ", ")"),
    "carriage returns": ("", "A\r", ""),
    "half characters": ("", "\udcff", ""),
}


def shaped(name: str, size: int) -> str:
    """Return a text of a shape, with about that length."""
    before, repeated, after = SHAPES[name]
    return before + repeated * (size // len(repeated)) + after


def run_through(
    text: bytes | str,
    qmgr: QueueManager | None = None,
    *,
    json: bool = False,
) -> tuple[Script, str]:
    """Run a text as the command line does; return the script and the output."""
    script, out = Script(qmgr), io.StringIO()
    writer = JsonWriter(out, array=True) if json else TextWriter(out)
    writer.begin("QM1")
    answered = 0
    for step in script.steps(
        text.splitlines(keepends=True) if isinstance(text, bytes) else (text,),
        "a.mqsc",
    ):
        if isinstance(step, Answered):
            answered += 1
            writer.answer(step)
            assert (step.answer.message_id and step.answer.text) or qmgr is None
        else:
            writer.echo(step)
    writer.end(script.tally)
    assert script.tally.read == answered
    return script, out.getvalue()


def seconds(text: str) -> float:
    """Return the processor time of a run."""
    began = time.process_time()
    run_through(text)
    return time.process_time() - began


@pytest.mark.benchmark
@pytest.mark.parametrize("name", SHAPES)
def test_a_text_eight_times_as_long_takes_less_than_twenty_times_as_long(name: str) -> None:
    short, long = shaped(name, SIZE // 8), shaped(name, SIZE)
    # Very short times cannot be measured reliably.
    assert seconds(long) < max(0.3, 20 * min(seconds(short), seconds(short)))


@pytest.mark.parametrize(
    "name",
    [name for name, (_, repeated, _) in SHAPES.items() if "\n" not in repeated],
)
def test_very_long_lines(name: str) -> None:
    before, repeated, after = SHAPES[name]
    if repeated in ("A;", "A\r"):
        # Otherwise this is many commands rather than one long line.
        repeated = "A" * 1000 + repeated
    script, out = run_through(before + repeated * (LONG // len(repeated)) + after)
    assert "a.mqsc, line 1, column " in out or script.tally.read == 0


@rows(
    *((line, "PING QMGR", "") for line in ("+\n", "   +\n", "+\n* remark\n\n")),
    *(("+\n", "", "AMQ8406I"), ("X-\n", "", "AMQ8406I"), ("FOO +\n", "BAR", "AMQ8405I")),
)
def test_ten_thousand_continuation_lines(line: str, last: str, message_id: str) -> None:
    script, out = run_through(line * CONTINUED + last)
    assert (script.tally.read, out.count("\n") >= CONTINUED) == (1, True)
    assert ("AMQ" not in out) if not message_id else (f"\n{message_id}: " in out)


NAMES = ["", "(A)", "(*)", "('a b')", "(Q*)", "(SYSTEM.DEFAULT.LOCAL.QUEUE)"]
VALUES = [
    *(
        "",
        "()",
        "(A)",
        "(1)",
        "(0)",
        "(-1)",
        "(999999999)",
        "(99999999999999999999)",
        "(' ')",
        "('')",
        "(*)",
    ),
    *(
        "('a''b')",
        "(A,B)",
        "(A*)",
        "('1.2.3.4')",
        "('x(1)')",
        "(YES)",
        "(NO)",
        "(ALL)",
        "(NONE)",
        "('ffff')",
    ),
    *("('22.13.20')", "('2023-11-14')", "(A B C)", "(MAXDEPTH GT 1)", "(DESCR LK 'a*')"),
]
WORDS = [
    *"()',;*+-= \t\n\r\0",
    *(
        "\r\n",
        "\ufeff",
        "\u00a0",
        "é",
        "\U0001f600",
        "\udcff",
        "'it''s'",
        " +\n",
        "-\n",
        "END\n",
        "DEFINE ",
        "ALTER ",
    ),
    *(
        "DELETE ",
        "DISPLAY ",
        "CLEAR ",
        "PING ",
        "REFRESH ",
        "SET ",
        "START ",
        "QLOCAL",
        "QUEUE",
        "QMGR ",
        "PROCESS",
    ),
    *(
        "CHANNEL",
        "CHLAUTH",
        "(A) ",
        "('a') ",
        "(*) ",
        "() ",
        "(A,B) ",
        "(1) ",
        "MAXDEPTH(5) ",
        "DESCR('x') ",
    ),
    *(
        "LIKE(A) ",
        "REPLACE ",
        "FORCE ",
        "ALL ",
        "WHERE(MAXDEPTH GT 1) ",
        "TYPE(EXPIRY) ",
        "PASSWORD('x') ",
        "TRIGGER ",
    ),
]
pieces = st.lists(st.sampled_from(WORDS), max_size=25).map("".join)
sources = st.binary(max_size=2000) | (pieces | st.text()).map(
    lambda text: text.encode("utf-8", "surrogateescape"),
)
unhurried = settings(
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.fixture(scope="module")
def kept() -> Iterator[QueueManager]:
    """One queue manager in memory for all examples; each sees the changes of those before."""
    with open_store("sqlite://") as store:
        yield store.create_queue_manager("QM1")


@st.composite
def spoken(draw: st.DrawFn) -> str:
    """Draw a command of words that it accepts, in any number and order, with arbitrary values."""
    verb = draw(st.sampled_from(sorted(COMMANDS)))
    noun = draw(st.sampled_from(sorted(COMMANDS[verb])))
    form = syntax_of(verb, noun)
    known = sorted({*form.words, *form.listed})
    texts = [f"{verb} {noun}{draw(st.sampled_from(NAMES))}"]
    for word in draw(st.lists(st.sampled_from(known), max_size=5)) if known else ():
        own = [f"({each})" for each in form.words[word][0].type.words] if word in form.words else []
        texts.append(word + draw(st.sampled_from([*own, *VALUES])))
    return " ".join(texts)


@settings(unhurried, max_examples=examples(200))
@given(st.lists(spoken(), min_size=1, max_size=4).map("\n".join))
def test_words_that_commands_take_are_answered_whatever_they_are_given(
    kept: QueueManager,
    source: str,
) -> None:
    script, out = run_through(source, kept)
    assert out.endswith("\n".join((*script.tally.lines(), "")))


@unhurried
@given(source=sources)
def test_any_bytes_are_read_to_their_end(kept: QueueManager, source: bytes) -> None:
    script, out = run_through(source, kept)
    assert out.endswith("\n".join((*script.tally.lines(), "")))
    script, out = run_through(source, kept, json=True)
    assert len(json.loads(out)) == script.tally.read


def scripts() -> list[bytes]:
    """Return the scripts of the corpus, each cut to the size of an example."""
    paths = sorted(path for path in CORPUS.iterdir() if path.is_file()) if CORPUS else []
    return [path.read_bytes()[:6000] for path in paths]


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """Draw a script of the corpus with a few bytes removed, inserted, duplicated or replaced."""
    text = bytearray(draw(st.sampled_from(scripts() or [b""])))
    for _ in range(draw(st.integers(1, 12))):
        start = draw(st.integers(0, max(len(text) - 1, 0)))
        length = draw(st.integers(0, 40))
        taken = bytes(text[start : start + length])
        put = draw(
            st.sampled_from(
                [b"", b"'", b"(", b")", b"\0", b"\xff", b";", b"+\n", b"-\n", b"\n*", taken * 2],
            ),
        )
        text[start : start + length] = put
    return bytes(text)


@pytest.mark.skipif(CORPUS is None, reason="MQSC_CORPUS names no folder of scripts")
@settings(unhurried, max_examples=examples(60))
@given(source=mutated())
def test_mutated_scripts_are_read_to_their_end(kept: QueueManager, source: bytes) -> None:
    run_through(source, kept)


QUEUES = 1000
MEBIBYTE = 1 << 20


class Counting(io.StringIO):
    """Counts the characters written and discards them."""

    written = 0

    def write(self, text: str) -> int:
        self.written += len(text)
        return len(text)


def run_lines(qmgr: QueueManager, lines: list[str]) -> int:
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
    qmgr: QueueManager,
    tmp_path: Path,
) -> None:
    script = tmp_path / "a.mqsc"
    script.write_text("\n".join(definitions(QUEUES)))
    lines = script.read_text().splitlines()
    run_lines(qmgr, lines)
    took = []
    for _ in range(3):
        began = time.process_time()
        run_lines(qmgr, lines)
        took.append(time.process_time() - began)
    assert min(took) < 2.5 * min(seconds_of_lark(script) for _ in range(3))


@pytest.mark.benchmark
def test_displaying_holds_a_page_not_everything(qmgr: QueueManager) -> None:
    with qmgr.store.database.one_transaction():
        run_lines(qmgr, "\n".join(definitions(3 * QUEUES)).splitlines())
    run_lines(qmgr, ["DISPLAY QLOCAL(*) ALL"])
    tracemalloc.start()
    written = run_lines(qmgr, ["DISPLAY QLOCAL(*) ALL"])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert written > MEBIBYTE
    # Holding all rows at once would take more than twice as much.
    assert peak < 5 * MEBIBYTE
