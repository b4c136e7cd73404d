"""`dmpmqmsg`: messages between queues and files, none of them lost or twice there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mqsc.ibm.message_selection import AgeLimits, MessageRange, age_limits, message_range
from tests.mqsc import conftest
from tests.mqsc.conftest import Command
from tests.rows import rows

mqsc = conftest.mqsc
HOUR = 3_600_000_000
READ, WRITTEN = "Read    - Files:   {}  Messages:{:6d}", "Written - Files:   {}  Messages:{:6d}"


@pytest.fixture
def queues(mqsc: Command) -> Command:
    """The command line, with the queues A, which holds one, two and three, and B."""
    mqsc("qmgr", "create", "QM1")
    mqsc("run", "-c", "DEFINE QLOCAL(A)", "-c", "DEFINE QLOCAL(B)")
    mqsc("put", "A", "one", "two", "three")
    return mqsc


def texts(queues: Command, queue: str) -> list[str]:
    """The data of the messages on a queue."""
    return re.findall(r'"text": "(.*?)"', queues("browse", queue, "--format", "jsonl").out)


def counts(read: tuple[int, int], written: tuple[int, int]) -> tuple[str, str]:
    """How the lines about what was read and written begin: of how many files and messages."""
    return READ.format(*read), WRITTEN.format(*written)


def test_a_file_and_back(queues: Command, tmp_path: Path) -> None:
    """A message is the same again, with its identifier and context."""
    ended = queues("dmpmqmsg", "-m", "QM1", "-i", "A", "-f", "a.q")
    assert (ended.code, ended.out) == (0, "")
    assert [line[:35] for line in ended.err.splitlines()] == [
        line[:35] for line in counts((0, 3), (1, 3))
    ]
    assert texts(queues, "A") == ["one", "two", "three"]
    ended = queues("dmpmqmsg", "-mQM1", "-oB", "-fa.q")
    assert (ended.code, ended.err.splitlines()[1][:35]) == (0, counts((1, 3), (0, 3))[1][:35])
    assert texts(queues, "B") == ["one", "two", "three"]
    queues("dmpmqmsg", "-i", "B", "-f", "b.q")
    first, second = ((tmp_path / name).read_text("utf-8") for name in ("a.q", "b.q"))
    assert second.split("\n", 3)[3] == first.split("\n", 3)[3]


@rows(
    ("-i A -o B", "one two three", "one two three"),
    ("-I A -o B", "", "one two three"),
    ("-IA -oB -r2", "one three", "two"),
    ("-IA -oB -r #2", "three", "one two"),
    ("-IA -oB -r 2..9", "one", "two three"),
    ("-iA -oB -r 2#1", "one two three", "two"),
    ("-IA -oB -t1", "", "one two three"),
    ("-IA -oB -T60", "one two three", ""),
    ("-IA -oB -T0,60", "", "one two three"),
    ("-IA -oB -T,1:00:00", "", "one two three"),
)
def test_from_queue_to_queue(queues: Command, arguments: str, left: str, copied: str) -> None:
    assert queues("dmpmqmsg", *arguments.split()).code == 0
    assert (texts(queues, "A"), texts(queues, "B")) == (left.split(), copied.split())


def test_an_alias_of_the_same_queue_ends(queues: Command) -> None:
    queues("run", "-c", "DEFINE QALIAS(AGAIN) TARGET(A)")
    assert queues("dmpmqmsg", "-i", "A", "-o", "AGAIN").code == 0
    assert texts(queues, "A") == ["one", "two", "three"] * 2


def test_what_is_refused_stays(queues: Command) -> None:
    """Of a unit of work all or nothing: B takes two messages."""
    queues("run", "-c", "ALTER QLOCAL(B) MAXDEPTH(2)")
    ended = queues("dmpmqmsg", "-I", "A", "-o", "B")
    assert (ended.code, texts(queues, "A"), texts(queues, "B")) == (10, ["one", "two", "three"], [])
    assert "2053" in ended.err
    ended = queues("dmpmqmsg", "-I", "A", "-o", "B", "-t", "1")
    assert (ended.code, texts(queues, "A"), texts(queues, "B")) == (10, ["three"], ["one", "two"])
    assert WRITTEN.format(0, 2) in ended.err


def test_files_that_exist(queues: Command, tmp_path: Path) -> None:
    (tmp_path / "a.q").write_text("mine")
    ended = queues("dmpmqmsg", "-I", "A", "-f", "a.q")
    assert (ended.code, ended.err) == (10, "File 'a.q' already exists; -F replaces it.\n")
    assert ((tmp_path / "a.q").read_text(), len(texts(queues, "A"))) == ("mine", 3)
    assert queues("dmpmqmsg", "-q", "-I", "A", "-F", "a.q").err == ""
    assert (tmp_path / "a.q").read_text().startswith("* DMPMQMSG")
    assert texts(queues, "A") == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_a_full_disk_keeps_the_messages(queues: Command) -> None:
    ended = queues("dmpmqmsg", "-q", "-I", "A", "-F", "/dev/full")
    assert (ended.code, ended.err) == (10, "/dev/full: No space left on device\n")
    assert texts(queues, "A") == ["one", "two", "three"]


def test_no_dynamic_queue_takes_messages(queues: Command) -> None:
    """They would be gone with it."""
    ended = queues("dmpmqmsg", "-I", "A", "-o", "SYSTEM.DEFAULT.MODEL.QUEUE")
    assert (ended.code, texts(queues, "A")) == (10, ["one", "two", "three"])


def test_printed(queues: Command) -> None:
    ended = queues("dmpmqmsg", "-i", "A", "-f", "stdout", "-r", "1", "-q")
    assert "X 6F6E65" in ended.lines
    assert ended.err == ""


def test_a_damaged_file_says_where(queues: Command, tmp_path: Path) -> None:
    (tmp_path / "a.q").write_text("A VER 2\nA FMT MQSTR\nX 6F6\n\n")
    ended = queues("dmpmqmsg", "-o", "B", "-f", "a.q")
    assert (ended.code, texts(queues, "B")) == (10, [])
    assert "a.q:3: " in ended.err


@rows(
    ("-i A", "name either a file with -f or -F, or a queue with -o"),
    ("-i A -f x -o B", "name either a file with -f or -F, or a queue with -o"),
    ("-f x", "name the queue to read with -i or -I"),
    ("-F x -o B", "name the queue to read with -i or -I"),
    ("-i A -I B -o C", "give only one of -i and -I"),
    ("-i A -f x -F x", "give only one of -f and -F"),
    ("-i A -o A", "-o names the queue that the messages come from"),
    ("-i A -f x%n", "-f takes no insert such as %n"),
    ("-i A -o B -t 0", "-t takes a number from 1 to 999999"),
    ("-i A -o B -t 99999999999999999999", "-t takes a number from 1 to 999999"),
    ("-i A -o B -w 1000000", "-w takes a number of seconds from 0 to 999999"),
    ("-i A -o B -r 1..", "-r takes x, x..y, x#y or #x"),
    (f"-i A -o B -r {'9' * 5000}", "-r takes x, x..y, x#y or #x"),
    ("-i A -o B -T ,", "-T takes minutes, HH:MM or DD:HH:MM"),
    ("-i A -o B -T 1d", "-T takes minutes, HH:MM or DD:HH:MM"),
    ("-i A -o B -p", "dmpmqmsg -p is not supported"),
    ("-i A -o B -s tea", "dmpmqmsg -s is not supported"),
)
def test_wrong_arguments(queues: Command, arguments: str, said: str) -> None:
    ended = queues("dmpmqmsg", *arguments.split())
    assert (ended.code, ended.out) == (20, "")
    assert said in ended.err
    assert len(texts(queues, "A")) == 3


@rows(
    ("7", MessageRange(7, 7)),
    ("3..5", MessageRange(3, 5)),
    ("3#5", MessageRange(3, 7)),
    ("#5", MessageRange(1, 5)),
)
def test_ranges(text: str, found: MessageRange) -> None:
    assert message_range(text) == found


@rows(
    ("1440", AgeLimits(24 * HOUR)),
    ("2:30", AgeLimits(5 * HOUR // 2)),
    ("1:00:30,3:00:00", AgeLimits(49 * HOUR // 2, 72 * HOUR)),
    (",60", AgeLimits(0, HOUR)),
)
def test_ages(text: str, found: AgeLimits) -> None:
    assert age_limits(text) == found


@rows(
    "-i A -F store.db",
    "-I A -f store.db",
    "-i A -F store.db-wal",
    "-f store.db -o B",
    "-i A -F link",
)
def test_the_store_itself_is_no_file_for_messages(
    queues: Command, tmp_path: Path, arguments: str
) -> None:
    (tmp_path / "link").symlink_to("store.db")
    ended = queues("dmpmqmsg", *arguments.split())
    assert (ended.code, ended.out) == (20, "")
    assert "is the store itself" in ended.err
    assert (texts(queues, "A"), texts(queues, "B")) == (["one", "two", "three"], [])


def test_a_new_file_is_private_and_an_old_one_keeps_its_permissions(
    queues: Command, tmp_path: Path
) -> None:
    file = tmp_path / "a.q"
    queues("dmpmqmsg", "-i", "A", "-f", str(file))
    assert file.stat().st_mode & 0o777 == 0o600
    file.chmod(0o640)
    queues("dmpmqmsg", "-i", "A", "-F", str(file))
    assert file.stat().st_mode & 0o777 == 0o640
