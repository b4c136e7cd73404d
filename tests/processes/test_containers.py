"""Programs in containers that share a store: a process number is valid in one of them, a lock in
all.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mqsc import run
from mqsc.console.text.get_outlook import Wanted, outlook
from mqsc.store.admin import backup, health
from mqsc.store.admin.channel.explanation import explain
from mqsc.store.admin.channel.status import claim
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store, open_store
from mqsc.store.constants import MQCHS, MQOO, MQPER
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.error import StoreError
from mqsc.store.message import Message
from mqsc.store.rules.health import findings
from tests.processes.conftest import Start
from tests.processes.containers import HOST, contained, skip_without_containers
from tests.processes.programs import Program, command, connected
from tests.store.admin.looking import queue_row

pytestmark = pytest.mark.usefixtures("containers")
PERSISTENT = MessageDescriptor(persistence=MQPER.PERSISTENT)
OBJECTS = (
    "DEFINE QLOCAL(Q)\nDEFINE QLOCAL(X) USAGE(XMITQ)\nDEFINE CHANNEL(C) CHLTYPE(SDR) "
    "CONNAME(local) XMITQ(X)"
)
ELSEWHERE = f"in another container (host {HOST})"


@pytest.fixture(scope="module")
def containers() -> None:
    skip_without_containers()


@pytest.fixture
def qmgr(store: Store) -> QueueManager:
    """QM1, with the queue Q and the channel C."""
    run(made := store.create_queue_manager("QM1"), OBJECTS)
    return made


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """A file in another folder, to mount the store on."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "test.db").touch()
    return tmp_path / "elsewhere" / "test.db"


@contextmanager
def bystander() -> Iterator[subprocess.Popen[bytes]]:
    """A program that has nothing to do with a store."""
    with subprocess.Popen(["sleep", "600"]) as program:
        try:
            yield program
        finally:
            program.kill()


def put_lines(url: str) -> None:
    """Put each line of the input on Q, and say so."""
    try:
        queue = connected(url).open("Q", MQOO.OUTPUT)
    except StoreError as error:
        print(error)
        return
    print("ready")
    for line in sys.stdin:
        queue.put(Message(line.encode(), PERSISTENT))
        print("acknowledged")


def claim_channel(url: str) -> None:
    """Claim to run the channel, but ignore requests to stop."""
    qmgr = open_store(url).queue_manager("QM1")
    _connection = qmgr.connect("runmqchl")
    claim(qmgr, "C", "", MQCHS.RUNNING, {})
    print("runs")
    sys.stdin.read()


def hold_queues(url: str) -> None:
    """Have Q for itself, and read the initiation queue of channels."""
    connection = connected(url)
    connection.open("Q", MQOO.INPUT_EXCLUSIVE)
    connection.open("SYSTEM.CHANNEL.INITQ", MQOO.INPUT_SHARED)
    print("ready")
    sys.stdin.read()


def started(program: Program, said: str) -> Program:
    assert program.line() == said
    return program


def test_programs_of_two_containers_share_a_store(
    qmgr: QueueManager,
    launch: Start,
    url: str,
) -> None:
    programs = [started(launch(contained, None, {}, put_lines, url), "ready") for _ in range(2)]
    for each in programs * 3:
        each.tell("x")
        assert each.line() == "acknowledged"
    assert queue_row(qmgr, "Q").depth == 6


def test_a_store_whose_file_alone_is_mounted_is_refused(
    qmgr: QueueManager,
    launch: Start,
    url: str,
    tmp_path: Path,
    elsewhere: Path,
) -> None:
    """Its log would be another one, and each of the two programs would overwrite what the other
    has put.
    """
    started(launch(contained, None, {}, put_lines, url), "ready")
    mounted = launch(
        contained,
        None,
        {tmp_path / "test.db": elsewhere},
        put_lines,
        f"sqlite:///{elsewhere}",
    )
    assert mounted.line().startswith(f"{elsewhere} is mounted by itself")
    assert [each.name for each in elsewhere.parent.iterdir()] == ["test.db"]


def test_a_store_whose_locks_of_processes_are_mounted_is_refused(
    qmgr: QueueManager,
    launch: Start,
    url: str,
    tmp_path: Path,
    elsewhere: Path,
) -> None:
    """Each program would take those elsewhere for dead, and back out their units of work."""
    mounts = {elsewhere.parent: tmp_path / "test.db.processes"}
    said = launch(contained, None, mounts, put_lines, url).line()
    assert said.startswith(f"{tmp_path / 'test.db.processes'} is mounted by itself")


def test_a_store_whose_folder_is_mounted_is_used(
    qmgr: QueueManager,
    launch: Start,
    url: str,
    tmp_path: Path,
    elsewhere: Path,
) -> None:
    mounts = {tmp_path: elsewhere.parent}
    program = started(launch(contained, None, mounts, put_lines, f"sqlite:///{elsewhere}"), "ready")
    program.tell("x")
    assert program.line() == "acknowledged"
    assert queue_row(qmgr, "Q").depth == 1


def test_no_restore_replaces_a_mounted_file(
    qmgr: QueueManager,
    command: Start,
    launch: Start,
    url: str,
    tmp_path: Path,
    elsewhere: Path,
) -> None:
    backup.back_up(qmgr.store, tmp_path / "backup")
    words = ("restore", str(tmp_path / "backup"), "--store", f"sqlite:///{elsewhere}")
    program = launch(
        contained,
        None,
        {tmp_path / "test.db": elsewhere},
        command_of,
        *words,
        errors=True,
    )
    code, _, errors = program.rest()
    assert code
    assert "is mounted by itself" in errors


command_of = command


def test_a_file_in_use_under_another_name_is_refused(
    qmgr: QueueManager,
    launch: Start,
    url: str,
    tmp_path: Path,
) -> None:
    """The system does not tell a container which programs outside it have locked a file."""
    qmgr.store.close()
    user = started(launch(contained, None, {}, put_lines, url), "ready")
    user.tell("x")
    assert user.line() == "acknowledged"
    (tmp_path / "test.db").rename(tmp_path / "renamed.db")
    second = launch(contained, None, {}, put_lines, f"sqlite:///{tmp_path / 'renamed.db'}")
    assert second.line().startswith(f"{tmp_path / 'renamed.db'} is in use under another name")


def test_mode_terminate_kills_no_process_that_has_the_number_of_one_elsewhere(
    qmgr: QueueManager,
    launch: Start,
    url: str,
) -> None:
    with bystander() as innocent:
        runner = started(launch(contained, innocent.pid, {}, claim_channel, url), "runs")
        (refused,) = run(qmgr, "START CHANNEL(C)")
        (stopped,) = run(qmgr, "STOP CHANNEL(C) MODE(TERMINATE)")
        assert innocent.poll() is None
        assert not runner.has_ended
        assert refused.text.splitlines()[1] == f"Process {innocent.pid} {ELSEWHERE} runs it."
        said = (
            f"The channel has not ended yet. Process {innocent.pid} {ELSEWHERE}, which runs it, "
            "was not killed"
        )
        assert stopped.text.splitlines()[1].startswith(said)


def test_no_command_shows_the_number_of_a_process_elsewhere_as_one_of_here(
    qmgr: QueueManager,
    launch: Start,
    url: str,
) -> None:
    with bystander() as innocent:
        started(launch(contained, innocent.pid, {}, hold_queues, url), "ready")
        displays = ("CONN(*) PID", "QSTATUS(Q) TYPE(HANDLE) PID", "CHINIT PID")
        rows = [row for each in displays for row in run(qmgr, f"DISPLAY {each}")[0].rows]
        assert [row["PID"] for row in rows] == [0, 0, 0]
        because = outlook(qmgr, "Q", Wanted()).because
        assert f"process {innocent.pid} {ELSEWHERE}) has it open for itself" in because
        (reader,) = explain(qmgr, "C").initiators
        assert str(reader) == f"{innocent.pid} {ELSEWHERE}"


def test_doctor_says_in_which_container_a_program_runs(
    qmgr: QueueManager,
    launch: Start,
    url: str,
) -> None:
    with bystander() as innocent:
        started(launch(contained, innocent.pid, {}, put_lines, url), "ready")
        said = [
            finding.text
            for name, finding in findings(health.facts_about(qmgr.store))
            if name == "programs"
        ]
        assert said == [f"in use by {innocent.pid} {ELSEWHERE} with 1 connection"]
