"""The dead-letter handler and `mqsc dlq retry` as processes: two at once, stopped, killed, and
on a full disk.
"""

from __future__ import annotations

import os
import re
import resource
from collections import Counter
from pathlib import Path
from signal import SIGINT, SIGKILL, SIGTERM

import pytest

from mqsc.store.admin.altering import change_queue_manager
from mqsc.store.admin.defining import create
from mqsc.store.admin.peeking import peek
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.constants import MQGMO, MQOO, MQPMO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.engine.message_outcomes import MessageOutcome
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from tests.mqsc.dlq.handler_system import dead_letter
from tests.processes import programs
from tests.processes.conftest import Start
from tests.processes.programs import Program, connected
from tests.rows import rows

LETTERS = 400
RETRYING, FORWARDING = "WAIT(NO)\nACTION(RETRY)\n", "WAIT(YES)\nACTION(FWD) FWDQ({})\n"
# Those moved to BOQ come from two queues, so that a message returned to the wrong one is noticed.
QUEUES = ("ORDERS", "PAYMENTS")
MESSAGES, KILLS = 200, 6


@pytest.fixture
def qmgr(store: Store) -> QueueManager:
    qmgr = store.create_queue_manager("QM1")
    for name in ("DLQ", "Q1", "REST", *QUEUES, "BOQ"):
        create(qmgr, KINDS["QLOCAL"], name, {})
    change_queue_manager(qmgr, {"DEADQ": "DLQ"})
    return qmgr


@pytest.fixture
def dlq(command: Start, tmp_path: Path) -> Start:
    """Starts `mqsc dlq` in the folder of the rules tables."""
    return lambda *words, **how: command("dlq", *words, folder=tmp_path, **how)


def rules(folder: Path, text: str) -> str:
    (folder / "letters.rul").write_text(text)
    return "letters.rul"


def said(process: Program) -> str:
    """Wait for the next message of the handler; return its id."""
    return process.line().split(": ")[0].split("  ")[-1]


def put(qmgr: QueueManager, count: int, destination: str = "Q1") -> None:
    with qmgr.connect() as connection:
        handle = connection.open("DLQ", MQOO.OUTPUT)
        handle.put(
            [
                dead_letter(f"m{number}", number, dest_q_name=destination)
                for number in range(1, count + 1)
            ],
        )


def bodies(qmgr: QueueManager, queue: str) -> list[str]:
    return [each.body.decode() for each in peek(qmgr, queue)]


def backouts(qmgr: QueueManager) -> list[int]:
    return [each.descriptor.backout_count for each in peek(qmgr, "DLQ")]


def test_two_handlers_share_the_work(tmp_path: Path, qmgr: QueueManager, dlq: Start) -> None:
    """Every message is moved exactly once: a handler skips messages that the other has locked
    (§4.5).
    """
    put(qmgr, LETTERS)
    for handler in [dlq("run", rules(tmp_path, RETRYING)) for _ in range(2)]:
        code, out, err = handler.rest()
        assert (code, err) == (0, "")
        assert "AMQ8722" not in out
    assert Counter(bodies(qmgr, "Q1")) == Counter(f"m{number}" for number in range(1, LETTERS + 1))
    assert bodies(qmgr, "DLQ") == []


def test_a_handler_that_is_killed_loses_nothing(
    tmp_path: Path,
    qmgr: QueueManager,
    dlq: Start,
) -> None:
    """The message in progress is backed out, and the next handler moves it."""
    put(qmgr, LETTERS)
    handler = dlq("run", rules(tmp_path, RETRYING))
    assert said(handler) == "AMQ8708"
    handler.kill()
    _, out, err = dlq("run", "letters.rul").rest()
    assert "AMQ8709" in out
    assert err == ""
    assert sorted(bodies(qmgr, "Q1")) == sorted(f"m{number}" for number in range(1, LETTERS + 1))


def take_and_die(url: str) -> None:
    connected(url).open("DLQ", MQOO.INPUT_SHARED).get(GetMessageOptions(MQGMO.SYNCPOINT))
    os.kill(os.getpid(), SIGKILL)


@rows(
    ("dlq show", r"(?m)^   MsgId", 3),
    ("dlq test letters.rul --explain", r"(?m)^message \d", 3),
    ("dlq retry --plan", r"would be done", 3),
    ("expiry DLQ", r"(?m)^DLQ +3 ", 1),
)
def test_what_a_killed_program_had_in_hand_is_seen(
    tmp_path: Path,
    qmgr: QueueManager,
    start: Start,
    command: Start,
    words: str,
    said: str,
    times: int,
) -> None:
    put(qmgr, 3)
    rules(tmp_path, "ACTION(RETRY)\n")
    assert start(take_and_die).wait() == -SIGKILL
    _, out, err = command(*words.split(), "--quiet", folder=tmp_path).rest()
    assert (err, len(re.findall(said, out))) == ("", times)


def with_small_files(largest: int, *words: str) -> None:
    """Run `mqsc` where no file can grow beyond so many bytes."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))
    programs.command(*words)


def test_a_full_disk_ends_a_handler_that_has_started(
    tmp_path: Path,
    url: str,
    qmgr: QueueManager,
    launch: Start,
    dlq: Start,
) -> None:
    """It ends with 10, an error. No message is lost; with space again, the next handler moves
    the remaining ones.
    """
    put(qmgr, LETTERS)
    table = str(tmp_path / rules(tmp_path, RETRYING))
    # Enough to start, and to move some of the messages.
    largest = max(path.stat().st_size for path in tmp_path.glob("test.db*")) + (256 << 10)
    handler = launch(with_small_files, largest, "dlq", "run", table, errors=True, MQSC_STORE=url)
    code, out, err = handler.rest()
    assert (code, [line.split("  ")[1][:7] for line in out.splitlines()]) == (10, ["AMQ8708"])
    assert re.fullmatch(
        r"mqsc: \S+test\.db cannot be .*a file has reached its largest size, or .*\n",
        err,
    )
    left = len(backouts(qmgr))
    assert 0 < left == LETTERS - len(bodies(qmgr, "Q1"))
    dlq("run", table).rest()
    assert len(bodies(qmgr, "Q1")) == LETTERS


@rows(SIGTERM, SIGINT)
def test_a_signal_ends_a_handler_that_waits(
    tmp_path: Path,
    qmgr: QueueManager,
    dlq: Start,
    number: int,
) -> None:
    handler = dlq("run", rules(tmp_path, FORWARDING.format("NOWHERE")))
    assert said(handler) == "AMQ8708"
    put(qmgr, 1)
    assert said(handler) == "AMQ8722"
    handler.signal(number)
    code, out, err = handler.rest()
    assert (code, out.count("AMQ8709"), err, backouts(qmgr)) == (0, 1, "", [1])


@pytest.mark.usefixtures("qmgr")
@rows(SIGTERM, SIGINT)
def test_a_signal_ends_a_handler_that_waits_for_its_table(
    tmp_path: Path,
    dlq: Start,
    number: int,
) -> None:
    """As on a terminal, when the user interrupts while typing the table."""
    os.mkfifo(tmp_path / "typed.rul")
    handler = dlq("run", "typed.rul", "-m", "QM1")
    # Opening the FIFO waits until the handler opens it.
    with (tmp_path / "typed.rul").open("w") as typed:
        typed.write("WAIT(YES)\nACTION(DISCARD)\n")
        typed.flush()
        handler.signal(number)
        ended = handler.rest()
    assert ended == (
        20,
        "",
        "mqsc: stopped before the rules table was read; no message was processed\n",
    )


def test_a_signal_ends_a_handler_between_two_messages(
    tmp_path: Path,
    qmgr: QueueManager,
    dlq: Start,
) -> None:
    """The handler finishes the message in progress and does not touch the others."""
    put(qmgr, LETTERS, "NOWHERE")
    handler = dlq("run", rules(tmp_path, FORWARDING.format("ALSO.NOWHERE")))
    assert [said(handler), said(handler)] == ["AMQ8708", "AMQ8722"]
    handler.signal(SIGTERM)
    code, out, err = handler.rest()
    assert (code, out.count("AMQ8709"), err) == (0, 1, "")
    counts = backouts(qmgr)
    assert (len(counts), sum(counts)) == (LETTERS, out.count("AMQ8722") + 1)


def test_a_watched_table(tmp_path: Path, qmgr: QueueManager, dlq: Start) -> None:
    """The waiting handler reloads its table, and the new rules move the message that the old
    ones left.
    """
    put(qmgr, 1)
    handler = dlq("run", rules(tmp_path, FORWARDING.format("NOWHERE")), "--watch")
    assert [said(handler), said(handler)] == ["AMQ8708", "AMQ8722"]
    rules(tmp_path, "ACTION(FWD)\n")
    assert [said(handler) for _ in range(3)] == ["AMQ8759", "AMQ8758", "MQSC0033"]
    rules(tmp_path, "WAIT(NO)\nACTION(FWD) FWDQ(REST) HEADER(NO)\n")
    code, out, err = handler.rest()
    told = [line.split("  ")[1].split(":")[0] for line in out.splitlines()]
    assert (code, err, told) == (0, "", ["MQSC0036", "MQSC0032", "MQSC0036", "MQSC0037", "AMQ8709"])
    assert bodies(qmgr, "REST") == ["m1"]


def test_redriving_that_is_interrupted_goes_on(qmgr: QueueManager, dlq: Start) -> None:
    put(qmgr, LETTERS)
    process = dlq("retry", "--rate", "20")
    process.line()
    process.signal(SIGTERM)
    code, _, err = process.rest()
    assert code == 130
    assert "interrupted; run the command again to process the rest" in err
    moved = len(bodies(qmgr, "Q1"))
    assert 0 < moved < LETTERS
    assert f"DLQ: {moved} done" in err
    _, _, err = dlq("retry", "--quiet").rest()
    assert (err, bodies(qmgr, "Q1")) == ("", [f"m{number}" for number in range(1, LETTERS + 1)])


@pytest.fixture
def backed_out(qmgr: QueueManager) -> QueueManager:
    """A queue manager whose BOQ holds messages that were moved there from the two queues
    alternately.
    """
    syncpoint = PutMessageOptions(MQPMO.SYNCPOINT)
    with qmgr.connect("billing") as connection:
        handles = [connection.open(name, MQOO.OUTPUT | MQOO.INPUT_SHARED) for name in QUEUES]
        boq = connection.open("BOQ", MQOO.OUTPUT)
        for number in range(MESSAGES):
            queue = handles[number % 2]
            queue.put(Message(b"%d" % number, MessageDescriptor(persistence=1)), syncpoint)
            connection.commit()
            boq.put(queue.get(GetMessageOptions(MQGMO.SYNCPOINT)), syncpoint)
            connection.commit(MessageOutcome("REQUEUE", "poison", "BOQ"))
    return qmgr


def check(qmgr: QueueManager) -> None:
    """Check that every message is exactly once on BOQ or on its own queue."""
    found = Counter(bodies(qmgr, "BOQ"))
    for remainder, name in enumerate(QUEUES):
        here = bodies(qmgr, name)
        assert all(int(number) % 2 == remainder for number in here)
        found.update(here)
    assert found == Counter(map(str, range(MESSAGES)))


def test_two_at_once_move_each_message_once(backed_out: QueueManager, dlq: Start) -> None:
    done = 0
    for process in [dlq("retry", "BOQ") for _ in range(2)]:
        code, out, err = process.rest()
        assert code == 0
        assert " 0 failed" in err
        done += out.count("  done")
    assert (done, bodies(backed_out, "BOQ")) == (MESSAGES, [])
    check(backed_out)


def test_a_retry_that_is_killed_loses_and_duplicates_nothing(
    backed_out: QueueManager,
    dlq: Start,
) -> None:
    """Each run is killed after a different number of messages; the next run continues."""
    for kill in range(KILLS):
        process = dlq("retry", "BOQ")
        for _ in range(1 + 3 * kill):
            moved = process.line().endswith("done")
            # On a busy machine, it or an earlier one may have moved all messages before it was
            # killed.
            assert moved or not bodies(backed_out, "BOQ")
        process.kill()
        check(backed_out)
    assert (dlq("retry", "BOQ", "--quiet").rest(), bodies(backed_out, "BOQ")) == ((0, "", ""), [])
    check(backed_out)
