"""The dead-letter handler as a process: two at once, stopped by signals, killed, and with a table that changes."""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from store import open_store
from store.admin.altering import change_queue_manager
from store.admin.defining import create
from store.admin.put_preview import peek
from store.catalog import KINDS
from store.client.api import QueueManager
from store.constants import MQOO
from tests.mqsc.dlq.handler_system import dead_letter
from tests.processes.programs import PATIENCE_SECONDS, run_program

Process = subprocess.Popen[str]
LETTERS = 400


@pytest.fixture
def qmgr(tmp_path: Path) -> Iterator[QueueManager]:
    with open_store(f"sqlite:///{tmp_path}/store.db") as store:
        qmgr = store.create_queue_manager("QM1")
        for name in ("DLQ", "Q1", "REST"):
            create(qmgr, KINDS["QLOCAL"], name, {})
        change_queue_manager(qmgr, {"DEADQ": "DLQ"})
        yield qmgr


def start(folder: Path, *arguments: str, largest_file: int | None = None) -> Process:
    """Start `mqsc` with piped output. With `largest_file` it cannot write larger files."""
    environment = {**os.environ, "MQSC_STORE": f"sqlite:///{folder}/store.db"}
    command = [sys.executable, "-m", "mqsc", *arguments]
    pipe = subprocess.PIPE
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file or before[0], before[1]))
    try:
        return subprocess.Popen(command, stdout=pipe, stderr=pipe, env=environment, cwd=folder, text=True)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def rules(folder: Path, text: str) -> str:
    (folder / "letters.rul").write_text(text)
    return "letters.rul"


def said(process: Process) -> str:
    """Wait for the next message of the handler; return its id."""
    assert process.stdout is not None
    return process.stdout.readline().split(": ")[0].split("  ")[-1]


def rest(process: Process) -> tuple[int, str, str]:
    """Return the exit code of a process and the rest of its output."""
    assert process.stdout is not None
    assert process.stderr is not None
    out, err = process.stdout.read(), process.stderr.read()
    return process.wait(PATIENCE_SECONDS), out, err


def put(qmgr: QueueManager, count: int, destination: str = "Q1") -> None:
    with qmgr.connect() as connection:
        handle = connection.open("DLQ", MQOO.OUTPUT)
        handle.put([dead_letter(f"m{number}", number, dest_q_name=destination) for number in range(1, count + 1)])


def bodies(qmgr: QueueManager, queue: str) -> list[str]:
    return [each.body.decode() for each in peek(qmgr, queue)]


def test_two_handlers_share_the_work(tmp_path: Path, qmgr: QueueManager) -> None:
    """Every message is moved exactly once: a handler skips messages that the other has locked (§4.5)."""
    put(qmgr, LETTERS)
    table = rules(tmp_path, "WAIT(NO)\nACTION(RETRY)\n")
    handlers = [start(tmp_path, "dlq", "run", table) for _ in range(2)]
    for handler in handlers:
        out, err = handler.communicate(timeout=PATIENCE_SECONDS)
        assert (handler.returncode, err) == (0, "")
        assert "AMQ8722" not in out
    moved = Counter(bodies(qmgr, "Q1"))
    assert moved == Counter(f"m{number}" for number in range(1, LETTERS + 1))
    assert bodies(qmgr, "DLQ") == []


def test_a_handler_that_is_killed_loses_nothing(tmp_path: Path, qmgr: QueueManager) -> None:
    """The message in progress is backed out, and the next handler moves it."""
    put(qmgr, LETTERS)
    table = rules(tmp_path, "WAIT(NO)\nACTION(RETRY)\n")
    with start(tmp_path, "dlq", "run", table) as handler:
        assert said(handler) == "AMQ8708"
        handler.kill()
    out, err = start(tmp_path, "dlq", "run", table).communicate(timeout=PATIENCE_SECONDS)
    assert "AMQ8709" in out
    assert err == ""
    assert sorted(bodies(qmgr, "Q1")) == sorted(f"m{number}" for number in range(1, LETTERS + 1))


# A program that kills itself with a message in its unit of work.
_TAKER = """
import os, sys
from store.constants import MQGMO, MQOO
from store.message import GetMessageOptions
from store.client.api import open_store
connection = open_store(sys.argv[1]).queue_manager("QM1").connect()
connection.open("DLQ", MQOO.INPUT_SHARED).get(GetMessageOptions(MQGMO.SYNCPOINT))
os.kill(os.getpid(), 9)
"""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("dlq", "show"), r"(?m)^   MsgId"),
        (("dlq", "test", "letters.rul", "--explain"), r"(?m)^message \d"),
        (("dlq", "retry", "--dry-run"), r"would be done"),
        (("expiry", "DLQ"), r"(?m)^DLQ    3 "),
    ],
)
def test_what_a_killed_program_had_in_hand_is_seen(
    tmp_path: Path, qmgr: QueueManager, arguments: tuple[str, ...], said: str
) -> None:
    put(qmgr, 3)
    rules(tmp_path, "ACTION(RETRY)\n")
    assert run_program(_TAKER, f"sqlite:///{tmp_path}/store.db").returncode == -signal.SIGKILL
    out, err = start(tmp_path, *arguments, "--quiet").communicate(timeout=PATIENCE_SECONDS)
    assert err == ""
    assert len(re.findall(said, out)) == (1 if arguments[0] == "expiry" else 3)


def test_a_full_disk_ends_a_handler_that_has_started(tmp_path: Path, qmgr: QueueManager) -> None:
    """It ends with 10, an error. No message is lost; with space again, the next handler moves the remaining ones."""
    put(qmgr, LETTERS)
    table = rules(tmp_path, "WAIT(NO)\nACTION(RETRY)\n")
    # Enough to start, and to move some of the messages.
    largest = max(path.stat().st_size for path in tmp_path.glob("store.db*")) + (256 << 10)
    handler = start(tmp_path, "dlq", "run", table, largest_file=largest)
    out, err = handler.communicate(timeout=PATIENCE_SECONDS)
    assert (handler.returncode, [line.split("  ")[1][:7] for line in out.splitlines()]) == (10, ["AMQ8708"])
    assert re.fullmatch(r"mqsc: \S+store\.db cannot be .*a file has reached its largest size, or .*\n", err)
    left = len(list(peek(qmgr, "DLQ")))
    assert 0 < left == LETTERS - len(bodies(qmgr, "Q1"))
    start(tmp_path, "dlq", "run", table).communicate(timeout=PATIENCE_SECONDS)
    assert len(bodies(qmgr, "Q1")) == LETTERS


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_a_handler_that_waits(tmp_path: Path, qmgr: QueueManager, number: signal.Signals) -> None:
    with start(tmp_path, "dlq", "run", rules(tmp_path, "WAIT(YES)\nACTION(FWD) FWDQ(NOWHERE)\n")) as handler:
        assert said(handler) == "AMQ8708"
        put(qmgr, 1)
        assert said(handler) == "AMQ8722"
        handler.send_signal(number)
        code, out, err = rest(handler)
        assert (code, out.count("AMQ8709"), err) == (0, 1, "")
    assert [each.descriptor.backout_count for each in peek(qmgr, "DLQ")] == [1]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_a_handler_that_waits_for_its_table(
    tmp_path: Path, qmgr: QueueManager, number: signal.Signals
) -> None:
    """As on a terminal, when the user interrupts while typing the table."""
    os.mkfifo(tmp_path / "typed.rul")
    with (
        start(tmp_path, "dlq", "run", "typed.rul", "-m", "QM1") as handler,
        (tmp_path / "typed.rul").open("w") as typed,
    ):
        # Opening the FIFO waited until the handler opened it.
        typed.write("WAIT(YES)\nACTION(DISCARD)\n")
        typed.flush()
        handler.send_signal(number)
        code, out, err = rest(handler)
    assert (code, out) == (20, "")
    assert err == "mqsc: stopped before the rules table was read; no message was processed\n"


def test_a_signal_ends_a_handler_between_two_messages(tmp_path: Path, qmgr: QueueManager) -> None:
    """The handler finishes the message in progress and does not touch the others."""
    put(qmgr, LETTERS, "NOWHERE")
    with start(tmp_path, "dlq", "run", rules(tmp_path, "WAIT(YES)\nACTION(FWD) FWDQ(ALSO.NOWHERE)\n")) as handler:
        assert said(handler) == "AMQ8708"
        assert said(handler) == "AMQ8722"
        handler.terminate()
        code, out, err = rest(handler)
        assert (code, out.count("AMQ8709"), err) == (0, 1, "")
    counts = [each.descriptor.backout_count for each in peek(qmgr, "DLQ")]
    assert len(counts) == LETTERS
    assert sum(counts) == out.count("AMQ8722") + 1


def test_a_watched_table(tmp_path: Path, qmgr: QueueManager) -> None:
    """The waiting handler reloads its table, and the new rules move the message that the old ones left."""
    put(qmgr, 1)
    with start(tmp_path, "dlq", "run", rules(tmp_path, "WAIT(YES)\nACTION(FWD) FWDQ(NOWHERE)\n"), "--watch") as handler:
        assert [said(handler), said(handler)] == ["AMQ8708", "AMQ8722"]
        rules(tmp_path, "ACTION(FWD)\n")
        assert [said(handler) for _ in range(3)] == ["AMQ8759", "AMQ8758", "MQSC0033"]
        rules(tmp_path, "WAIT(NO)\nACTION(FWD) FWDQ(REST) HEADER(NO)\n")
        code, out, err = rest(handler)
        assert (code, err) == (0, "")
    assert [line.split("  ")[1].split(":")[0] for line in out.splitlines()] == [
        "MQSC0036",
        "MQSC0032",
        "MQSC0036",
        "MQSC0037",
        "AMQ8709",
    ]
    assert bodies(qmgr, "REST") == ["m1"]


def test_redriving_that_is_interrupted_goes_on(tmp_path: Path, qmgr: QueueManager) -> None:
    put(qmgr, LETTERS)
    with start(tmp_path, "dlq", "retry", "--rate", "20") as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.terminate()
        code, _, err = rest(process)
        assert code == 130
    assert "interrupted; run the command again to process the rest" in err
    moved = len(bodies(qmgr, "Q1"))
    assert 0 < moved < LETTERS
    assert f"DLQ: {moved} done" in err
    _, err = start(tmp_path, "dlq", "retry", "--quiet").communicate(timeout=PATIENCE_SECONDS)
    assert (err, bodies(qmgr, "Q1")) == ("", [f"m{number}" for number in range(1, LETTERS + 1)])
