"""`mqsc run --atomic`: all or nothing, on errors and when the program is killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from mqsc.console.inputs import InputSource
from mqsc.console.options import Choices
from mqsc.scripts.atomic_run import HELD_IN_MEMORY, apply
from mqsc.scripts.reply_output import BANNER
from mqsc.scripts.run import RunOptions
from mqsc.store import open_store
from mqsc.store.admin.defining import create
from mqsc.store.admin.inquiring import inquire
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.environment import elapsed_real_seconds, pause_a_moment
from tests.mqsc.conftest import Command

QUEUES = 500


def test_everything_is_carried_out_and_printed_as_ever(mqsc: Command, tmp_path: Path) -> None:
    (tmp_path / "a.mqsc").write_text(
        "DEFINE QLOCAL(A) MAXDEPTH(7)\n* B\nDEFINE QLOCAL(B) LIKE(A)\nDISPLAY QLOCAL(B) "
        "MAXDEPTH\nDELETE QLOCAL(A)\n",
    )
    together = mqsc(
        "run",
        "--atomic",
        "a.mqsc",
        "-",
        stdin=b"ALTER QLOCAL(B) MAXDEPTH(8)\nDISPLAY QLOCAL(B) MAXDEPTH",
    )
    assert together.code == 0
    assert together.lines[:6] == [
        BANNER,
        "Starting MQSC for queue manager QM1.",
        "",
        "",
        "     1 : DEFINE QLOCAL(A) MAXDEPTH(7)",
        "AMQ8006I: IBM MQ queue created.",
    ]
    assert [line for line in together.lines if "MAXDEPTH(" in line and ":" not in line] == [
        "   MAXDEPTH(7)",
        "   MAXDEPTH(8)",
    ]
    one_by_one = mqsc(
        "run",
        "-m",
        "QM1",
        "-c",
        "DELETE QLOCAL(B)",
        "a.mqsc",
        "-c",
        "ALTER QLOCAL(B) MAXDEPTH(8)",
    )
    assert one_by_one.code == 0
    assert "6 MQSC commands read." in together.lines


@pytest.mark.parametrize(
    "failing",
    [
        "DEFINE QLOCAL(A)",
        "DEFINE QLOCAL(C) FOO",
        "DISPLAY QLOCAL(NONE)",
        "ALTER QLOCAL(B) CLUSTER(X) CLUSNL(Y)",
    ],
)
def test_one_command_that_fails_leaves_nothing(mqsc: Command, failing: str) -> None:
    mqsc("qmgr", "create", "QM1")
    ended = mqsc(
        "run",
        "--atomic",
        "-c",
        f"DEFINE QLOCAL(A)\nDEFINE QLOCAL(B)\n{failing}\nALTER QMGR DESCR('x')",
    )
    assert ended.code == 10
    assert ended.lines[4] == f"     3 : {failing}"
    assert ended.lines[5].startswith("AMQ8")
    assert "4 MQSC commands read." in ended.lines
    assert "AMQ8006I" not in ended.out
    assert ended.err == "mqsc: nothing was changed: 1 command of 4 would fail\n"
    assert mqsc("run", "-c", "DISPLAY QUEUE(A)", "-c", "DISPLAY QUEUE(B)").lines[-1] == (
        "2 valid MQSC commands could not be processed."
    )


def test_every_command_that_would_fail_is_told_of(mqsc: Command) -> None:
    mqsc("qmgr", "create", "QM1")
    script = "FOO\nDEFINE QLOCAL(A)\nDELETE QLOCAL(B)\n"
    assert mqsc("run", "--atomic", "-c", script).err.endswith(": 2 commands of 3 would fail\n")
    ended = mqsc("run", "--atomic", "-c", script, "--stop-on-error")
    assert ended.err.endswith(": 1 command of 1 would fail\n")
    replies = json.loads(mqsc("run", "--atomic", "-c", script, "--format", "json").out)
    assert [reply["message_id"] for reply in replies] == ["AMQ8426I", "AMQ8147E"]


@pytest.mark.parametrize(
    "command",
    [
        "REFRESH QMGR TYPE(EXPIRY)",
        "START LISTENER(SYSTEM.DEFAULT.LISTENER.TCP)",
        "STOP CHANNEL(SYSTEM.DEF.SENDER)",
        "MOVE QLOCAL(A) TOQLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE)",
    ],
)
def test_what_cannot_be_taken_back_is_refused(mqsc: Command, command: str) -> None:
    mqsc("qmgr", "create", "QM1")
    ended = mqsc("run", "--atomic", "-c", f"DEFINE QLOCAL(A)\n{command}")
    assert ended.code == 10
    assert ended.lines[5].endswith("cannot be undone and is therefore not allowed with --atomic.")
    assert mqsc("run", "-c", "DISPLAY QLOCAL(A)").code == 10


def test_an_input_that_cannot_be_read_stops_everything_before_it_begins(
    mqsc: Command,
    tmp_path: Path,
) -> None:
    ended = mqsc("run", "--atomic", "-c", "DEFINE QLOCAL(A)", "none.mqsc")
    assert (ended.code, ended.out) == (20, "")
    assert (
        ended.err
        == "mqsc: none.mqsc does not exist\nmqsc: nothing was changed: --atomic needs all inputs\n"
    )
    assert not (tmp_path / "store.db").exists()


def test_an_empty_input_is_mentioned_once(mqsc: Command) -> None:
    mqsc("qmgr", "create", "QM1")
    ended = mqsc("run", "--atomic", "-c", "", "-c", "DEFINE QLOCAL(A)")
    assert (ended.code, ended.err.count("the input is empty")) == (0, 1)


def test_a_queue_manager_that_has_ended_and_one_that_is_not_there(mqsc: Command) -> None:
    mqsc("qmgr", "create", "QM1")
    mqsc("qmgr", "end")
    ended = mqsc("run", "--atomic", "-c", "DEFINE QLOCAL(A)")
    assert (ended.code, ended.lines[4][:8]) == (20, "AMQ8146E")
    assert mqsc("run", "--atomic", "-m", "QM2", "-c", "DEFINE QLOCAL(A)").code == 10


def test_what_has_changed_since_it_was_tried_undoes_everything(
    qmgr: QueueManager,
    capsys: pytest.CaptureFixture[str],
) -> None:
    create(qmgr, KINDS["QLOCAL"], "B", {})
    source = InputSource(text="DEFINE QLOCAL(A)\nDEFINE QLOCAL(B)\nDEFINE QLOCAL(C)")
    assert apply(Choices(), qmgr, [source], RunOptions()) == 10
    out, err = capsys.readouterr()
    assert out.splitlines()[4:6] == [
        "     2 : DEFINE QLOCAL(B)",
        "AMQ8150E: IBM MQ object already exists.",
    ]
    assert err == "mqsc: nothing was changed: 1 command of 2 would fail\n"
    assert [
        row["QUEUE"] for row in inquire(qmgr, [KINDS["QLOCAL"]], "*") if len(row["QUEUE"]) == 1
    ] == ["B"]


@pytest.mark.skipif(
    not Path("/dev/full").exists(),
    reason="a device that is always full is one of Linux",
)
def test_replies_that_cannot_be_printed_do_not_look_like_nothing_done(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mqsc", "--store", f"sqlite:///{tmp_path}/store.db"]
    with Path("/dev/full").open("w") as full:
        atomic = [*command, "run", "--atomic", "-c", "DEFINE QLOCAL(A)"]
        ended = subprocess.run(atomic, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert ended.returncode == 20
    assert "mqsc: all commands were performed, but the replies cannot be printed\n" in ended.stderr
    shown = subprocess.run(
        [*command, "run", "-c", "DISPLAY QLOCAL(A) TYPE"],
        check=False,
        capture_output=True,
    )
    assert shown.returncode == 0


def test_a_long_output_comes_whole(mqsc: Command, tmp_path: Path) -> None:
    remark = "* Grüße " + "x" * 110
    lines = HELD_IN_MEMORY // len(remark)
    (tmp_path / "a.mqsc").write_text(f"{remark}\n" * lines + "PING QMGR\n", encoding="utf-8")
    ended = mqsc("run", "--atomic", "a.mqsc")
    assert ended.lines.count(f"       : {remark}") == lines
    assert ended.lines[-4].startswith("AMQ8415I")


@pytest.mark.long
def test_a_program_that_is_killed_leaves_all_or_nothing(tmp_path: Path) -> None:
    """Killed at moments spread over a whole run; the store then holds either none or all of the
    new queues.
    """
    script = tmp_path / "many.mqsc"
    script.write_text(
        "".join(f"DEFINE QLOCAL(Q{number:05}) DESCR('{'x' * 60}')\n" for number in range(QUEUES)),
    )
    took = run_and_kill(tmp_path / "whole", script, None)
    assert count(tmp_path / "whole") == QUEUES
    found = []
    for part in range(7):
        folder = tmp_path / f"killed{part}"
        run_and_kill(folder, script, took * 0.16 * part)
        found.append(count(folder))
    assert set(found) <= {0, QUEUES}
    assert 0 in found


def run_and_kill(folder: Path, script: Path, after: float | None) -> float:
    """Run the script in another process on a new store, and kill it after `after` seconds;
    return how long it ran.
    """
    folder.mkdir()
    with open_store(f"sqlite:///{folder}/store.db") as store:
        store.create_queue_manager("QM1")
    environment = {**os.environ, "MQSC_STORE": f"sqlite:///{folder}/store.db"}
    began = elapsed_real_seconds()
    started = subprocess.Popen(
        [sys.executable, "-m", "mqsc", "run", "--atomic", str(script)],
        cwd=Path(__file__).parents[3],
        env=environment,
        stdout=subprocess.DEVNULL,
    )
    while after is not None and started.poll() is None and elapsed_real_seconds() - began < after:
        pause_a_moment()
    if after is not None:
        started.send_signal(signal.SIGKILL)
    started.wait()
    return elapsed_real_seconds() - began


def count(folder: Path) -> int:
    """Return how many of the queues exist."""
    with open_store(f"sqlite:///{folder}/store.db") as store:
        return sum(1 for _ in inquire(store.queue_manager(), [KINDS["QLOCAL"]], "Q*"))


def test_members_of_a_group_change_together_or_not_at_all(mqsc: Command) -> None:
    for name in ("QM1", "QM2"):
        mqsc("qmgr", "create", name, "--group", "QSG1")
    everywhere = "DEFINE QLOCAL(A) CMDSCOPE(*)\nDEFINE QLOCAL(G) QSGDISP(GROUP)"
    failing = mqsc("run", "--atomic", "-c", f"{everywhere}\nDEFINE QLOCAL(A) CMDSCOPE(QM2)")
    assert failing.code == 10
    assert "AMQ8150E" in failing.out
    shown = "DISPLAY QLOCAL(*) QSGDISP(ALL) WHERE(QSGDISP NE QMGR) CMDSCOPE(*)"
    assert mqsc("run", "-c", shown).code == 10
    assert mqsc("run", "--atomic", "-c", everywhere).code == 0
    (reply,) = json.loads(
        mqsc(
            "run",
            "--format",
            "json",
            "-c",
            "DISPLAY QLOCAL(*) CMDSCOPE(*) WHERE(QUEUE LT B)",
        ).out,
    )
    assert [(row["qmgr"], row["QUEUE"]) for row in reply["rows"]] == [("QM1", "A"), ("QM2", "A")]
    (reply,) = json.loads(
        mqsc("run", "--format", "json", "-c", "DISPLAY QLOCAL(G) QSGDISP(COPY) CMDSCOPE(*)").out,
    )
    assert [row["qmgr"] for row in reply["rows"]] == ["QM1", "QM2"]


def test_what_is_not_supported_can_be_skipped(mqsc: Command) -> None:
    text = b"DEFINE BUFFPOOL(0)\nDEFINE QLOCAL(A)\n"
    refused = mqsc("run", "--atomic", "-", stdin=text)
    assert (refused.code, "MQSC0003E: DEFINE BUFFPOOL is not supported here" in refused.out) == (
        10,
        True,
    )
    planned = mqsc("run", "--plan", "--atomic", "--skip-unsupported", "-", stdin=text)
    assert planned.code == 2
    assert [line.split()[0] for line in planned.lines if line[:1].isupper()] == [
        "SKIPPED",
        "CREATE",
    ]
    assert planned.err == "mqsc: QM1: 1 to create, 1 skipped\n"
    ended = mqsc("run", "--atomic", "--skip-unsupported", "-", stdin=text)
    assert (ended.code, ended.lines[4:8]) == (
        0,
        [
            "     1 : DEFINE BUFFPOOL(0)",
            "MQSC0053I: DEFINE BUFFPOOL was skipped, because it is not supported here: a store has "
            "no buffer pools.",
            "     2 : DEFINE QLOCAL(A)",
            "AMQ8006I: IBM MQ queue created.",
        ],
    )
    # What is supported but fails is not skipped.
    again = mqsc("run", "--atomic", "--skip-unsupported", "-", stdin=text)
    assert (again.code, again.err) == (10, "mqsc: nothing was changed: 1 command of 2 would fail\n")
