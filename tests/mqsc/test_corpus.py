"""Scripts and transcripts found on the web: every command is answered and counted, with the same
message.

The commands that are refused are listed in refused_in_corpus.csv with the reasons; MQ refuses each
of them too.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import NamedTuple

import pytest

from mqsc.script import Answered, Script, run
from mqsc.scripts.reply_output import TextWriter
from mqsc.store import Environment, open_store


class Ran(NamedTuple):
    """The run of a script on a queue manager of its own."""

    answered: list[Answered]
    script: Script
    out: str


@pytest.fixture(scope="module")
def runs(corpus: Path) -> dict[str, Ran]:
    """The runs of all scripts, by file."""
    found = {}
    for path in sorted(path for path in (corpus / "mqsc").iterdir() if path.is_file()):
        environment = Environment.frozen(at=1_700_000_000_000_000)
        with open_store("sqlite://", environment=environment) as store, path.open("rb") as lines:
            script, out, answered = Script(store.create_queue_manager("QM1")), io.StringIO(), []
            writer = TextWriter(out)
            for step in script.steps(lines, path.name):
                if isinstance(step, Answered):
                    answered.append(step)
                    writer.answer(step)
                else:
                    writer.echo(step)
            writer.end(script.tally)
        found[path.name] = Ran(answered, script, out.getvalue())
    return found


def test_every_command_is_answered_and_counted(runs: dict[str, Ran]) -> None:
    for name, ran in runs.items():
        tally, answers = ran.script.tally, [each.answer for each in ran.answered]
        failures = sum(answer.completion == 2 and not answer.syntax_error for answer in answers)
        errors = sum(answer.syntax_error for answer in answers)
        assert (tally.read, tally.syntax_errors, tally.failures) == (
            len(answers),
            errors,
            failures,
        ), name
        assert all(answer.message_id and answer.text for answer in answers), name
        assert ran.out.endswith("\n".join((*tally.lines(), ""))), name


def test_every_line_of_every_script_is_echoed(corpus: Path) -> None:
    for path in sorted(path for path in (corpus / "mqsc").iterdir() if path.is_file()):
        text = path.read_bytes().decode("utf-8", "replace").removeprefix("\ufeff")
        wanted = (
            [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]
            if text
            else []
        )
        echoed: list[str] = []
        ended = False
        for step in Script(None).steps((text,), path.name):
            if not isinstance(step, Answered):
                echoed += step.lines
                ended = bool(step.lines) and step.lines[-1].strip().upper() in (
                    "END",
                    "EXIT",
                    "QUIT",
                )
        joined, read = "".join(echoed), "".join(wanted)
        assert joined == read or (ended and read.startswith(joined)) or "********" in joined, (
            path.name
        )


_QUEUES = "DEFINE QLOCAL(QL.A); DEFINE QLOCAL(QL.B); DEFINE QLOCAL(DLQ)"

_CHANNELS = (
    "DEFINE QLOCAL(QMW) USAGE(XMITQ); DEFINE CHANNEL(QMC.QMW) CHLTYPE(SDR) XMITQ(QMW) "
    "CONNAME('127.0.0.1(1414)');"
    "DEFINE QLOCAL(QMC) USAGE(XMITQ); DEFINE CHANNEL(QMW.QMC) CHLTYPE(SDR) XMITQ(QMC) "
    "CONNAME('127.0.0.1(4141)')"
)
# The objects that exist before the first command of a transcript, by a part of its file name.
SETTINGS: Mapping[str, str] = {
    "issues__72": "DEFINE CHANNEL(DEV.APP.SVRCONN) CHLTYPE(SVRCONN)",
    **dict.fromkeys(
        ("runmqsc__index.md#L203", "runmqsc__index.md#L243"),
        "DEFINE QLOCAL(QL.A) DESCR('x')",
    ),
    **dict.fromkeys(
        ("local-queue__index.md#L241", "qalias__index.md#L28", "qalias__index.md#L48"),
        _QUEUES,
    ),
    **dict.fromkeys(
        ("delete-queue", "trigger__index.md#L241", "amqsinq__index.md#L71", "dead-letter"),
        _QUEUES,
    ),
    "recovery__index.md#L135": _QUEUES,
    "qalias__index.md#L39": f"{_QUEUES}; DEFINE QALIAS(QA.A) TARGET(QL.A)",
    "sender-receiver": _CHANNELS,
    "channel-initiator": f"{_QUEUES}; {_CHANNELS}",
}
# Answers that cannot be the same here, by a part of the file name and the number of the command.
ELSEWHERE: Mapping[tuple[str, int], str] = {
    ("sender-receiver__index.md#L98", 1): "a channel reaches its partner",
    ("sender-receiver__index.md#L110", 1): "a channel reaches its partner",
    ("channel-initiator__index.md#L44", 18): "a channel has run and ended",
    ("channel-initiator__index.md#L85", 9): "a channel has run and ended",
    ("recovery__index.md#L103", 1): "the queue's file was damaged on purpose",
}
# Words whose position has changed since version 7.0.1, with which the transcripts were made.
MOVED = frozenset({"PSMODE", "PSRTYCNT"})
# The number of commands replayed, and of transcripts that contain any.
REPLAYED = (65, 35)


def said(path: Path) -> list[Exchange]:
    """Return the commands of a transcript with their answers, without those that cannot be the
    same here.
    """
    found = exchanges(path.read_text(encoding="utf-8", errors="replace"))
    left_out = {number for part, number in ELSEWHERE if part in path.name}
    return [exchange for exchange in found if exchange.number not in left_out]


def test_the_same_messages(corpus: Path) -> None:
    for path in sorted((corpus / "transcripts").iterdir()):
        with open_store("sqlite://") as store:
            qmgr = store.create_queue_manager("QM1")
            run(
                qmgr,
                next((text for part, text in SETTINGS.items() if part in path.name), ""),
                check=True,
            )
            for exchange in said(path):
                (reply,) = run(qmgr, exchange.command)
                where = (path.name, exchange.command)
                assert (where, reply.message_id[3:7]) == (where, exchange.messages[0])
                if reply.rows:
                    assert (where, {*exchange.messages}) == (where, {reply.message_id[3:7]})
                    assert_same_order(
                        exchange.words,
                        [word for row in reply.rows for word in shown(row)],
                    )


def shown(row: Mapping[str, object]) -> list[str]:
    """Return the words that a row shows; a flag is shown as its current value."""
    return [
        str(value) if word in ("SHARE", "TRIGGER", "HARDENBO", "SYNCPT") else word
        for word, value in row.items()
    ]


def assert_same_order(words: list[str], ours: list[str]) -> None:
    """Check that the words in both outputs have the same order, unless a word is repeated."""
    if len(words) == len({*words}) and len(ours) == len({*ours}):
        words, ours = [[each for each in said if each not in MOVED] for said in (words, ours)]
        assert [word for word in ours if word in words] == [word for word in words if word in ours]
        assert {*words} <= {*ours}


def test_how_many_are_replayed(corpus: Path) -> None:
    replayed = [said(path) for path in (corpus / "transcripts").iterdir()]
    assert (sum(map(len, replayed)), sum(map(bool, replayed))) == REPLAYED


_NUMBERED = re.compile(r"\s*(\d+) : ?(.*)")
_CONTINUED = re.compile(r"\s+: ?(.*)")
_MESSAGE = re.compile(r"\s*AMQ(\d{4})[A-Z]?: ")
_ENDED = re.compile(r"\s*\S+ MQSC commands? read\.")
_SHOWN = re.compile(
    r"([A-Z0-9]+)\((?:[^()]|\([^()]*\))*\)|\b(SHARE|NOTRIGGER|TRIGGER|HARDENBO|SYNCPT|CURRENT)\b",
)


@dataclass
class Exchange:
    """A command: its number, its lines, the numbers of the messages in the answer, and the words
    displayed.
    """

    number: int
    lines: list[str]
    messages: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)

    @property
    def command(self) -> str:
        """The command as typed."""
        return "\n".join(self.lines)


def exchanges(text: str) -> Iterator[Exchange]:
    """Yield the commands of a transcript that were echoed and answered, in order."""
    current: Exchange | None = None
    for line in text.splitlines():
        if found := _NUMBERED.fullmatch(line):
            if current and current.messages:
                yield current
            current = Exchange(int(found[1]), [found[2]])
        elif current is None:
            continue
        elif message := _MESSAGE.match(line):
            current.messages.append(message[1])
        elif _ENDED.match(line):
            break
        elif current.messages:
            if line.startswith("   ") and not _CONTINUED.fullmatch(line):
                current.words += [each[1] or each[2] for each in _SHOWN.finditer(line)]
        elif continued := _CONTINUED.fullmatch(line):
            current.lines.append(continued[1])
    if current and current.messages:
        yield current


# The number of commands in all scripts; END does not count.
COMMANDS = 715


REFUSED = [
    *csv.DictReader(
        Path(__file__).with_name("refused_in_corpus.csv").read_text("utf-8").splitlines(),
    ),
]


def test_exactly_the_listed_commands_are_refused(runs: dict[str, Ran]) -> None:
    answers = [
        (name, each.line, each.answer) for name, ran in runs.items() for each in ran.answered
    ]
    refused = {
        (name, line, answer.message_id) for name, line, answer in answers if answer.completion == 2
    }
    listed = [
        (row["file"], int(line), row["message_id"])
        for row in REFUSED
        for line in row["lines"].split()
    ]
    assert (refused, len(listed), len(answers)) == ({*listed}, 113, COMMANDS)
    assert {row["reason"] for row in REFUSED} == {*Reason.__members__}


class Reason(Enum):
    PLACEHOLDER = "a template's placeholder, which no name or number can be"
    MISSING = "the object is not defined on a new queue manager"
    SHELL = "a line of the shell around the commands"
    PROSE = "a remark that is no comment of MQSC"
    DIAGRAM = "a syntax diagram, pasted"
    PARAMETER = "a parameter or name that the command needs is left out"
    KEYWORD = "a keyword that the command does not have"
    NO_STATUS = "a channel that was never started has no status"
    NOT_RUNNING = "a listener that does not run is stopped, without IGNSTATE(YES)"
    TWICE = "the object is defined twice without REPLACE"
