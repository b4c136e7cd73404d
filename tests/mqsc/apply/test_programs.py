"""Several programs that apply, programs that are killed while they do, and plans in files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mqsc.store import open_store
from mqsc.store.admin.health import faults_of_file
from tests.mqsc.conftest import Command

FILE = """\
DEFINE QLOCAL(ORDERS) MAXDEPTH(10)
DEFINE CHANNEL(C) CHLTYPE(SVRCONN)
SET AUTHREC PROFILE(ORDERS) OBJTYPE(QUEUE) GROUP('staff') AUTHADD(GET,PUT)
ALTER QMGR DEADQ(ORDERS)
DELETE QLOCAL(OLD)
"""
# Kills itself before the command with a number, or once all are performed and nothing is committed.
DYING = """
import os, signal, sys
from mqsc import main
from mqsc.scripts import apply_run
perform, steps, left = apply_run.perform_request, apply_run._perform_requests, [int(sys.argv.pop(1))]
def dying(qmgr, request):
    left[0] -= 1
    if not left[0]:
        os.kill(os.getpid(), signal.SIGKILL)
    return perform(qmgr, request)
def dying_at_the_end(qmgr, requests):
    steps(qmgr, requests)
    os.kill(os.getpid(), signal.SIGKILL)
apply_run.perform_request = dying
if not left[0]:
    apply_run._perform_requests = dying_at_the_end
main.main()
"""


@pytest.fixture
def made(mqsc: Command, tmp_path: Path) -> Command:
    """The command line, with a queue manager QM1 that has a queue OLD, and the file."""
    mqsc("run", "-c", "DEFINE QLOCAL(OLD)")
    (tmp_path / "a.mqsc").write_text(FILE)
    return mqsc


def test_programs_that_apply_at_the_same_time_all_succeed(made: Command, tmp_path: Path) -> None:
    programs = []
    for number in range(3):
        file = tmp_path / f"{number}.mqsc"
        file.write_text(f"DEFINE QLOCAL(SHARED) MAXDEPTH({number + 1})\nDEFINE QLOCAL(Q{number})\n")
        programs.append(
            subprocess.Popen(
                [sys.executable, "-m", "mqsc", "apply", "--yes", "--quiet", str(file)],
            ),
        )
    assert [program.wait() for program in programs] == [0] * 3
    assert made("export").out.count("DEFINE QLOCAL('Q") == 3


def test_of_two_programs_with_one_plan_one_carries_it_out(made: Command) -> None:
    made("apply", "--out", "p.json", "a.mqsc")
    command = [sys.executable, "-m", "mqsc", "apply", "--quiet", "p.json"]
    programs = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(2)
    ]
    ended = [program.communicate() for program in programs]
    assert sorted(program.returncode for program in programs) == [0, 10], ended
    assert made("diff", "a.mqsc").code == 0


@pytest.mark.parametrize("step", [1, 3, 5, 0])
@pytest.mark.parametrize("file", ["a.mqsc", "p.json"])
def test_nothing_remains_of_an_apply_that_is_killed(
    made: Command,
    tmp_path: Path,
    file: str,
    step: int,
) -> None:
    made("apply", "--out", "p.json", "a.mqsc")
    before = made("export").out
    options = [] if file == "p.json" else ["--yes"]
    died = subprocess.run(
        [sys.executable, "-c", DYING, str(step), "apply", *options, file],
        capture_output=True,
    )
    assert (died.returncode, died.stdout) == (-9, b"")
    assert made("export").out == before
    assert faults_of_file(str(tmp_path / "store.db")) == []
    assert made("apply", file, *options).code == 0
    assert made("diff", "a.mqsc").out == ""


def test_a_plan_is_carried_out_without_a_question(made: Command, tmp_path: Path) -> None:
    ended = made("apply", "--out", "p.json", "a.mqsc")
    assert (ended.code, ended.lines[0].split()[0]) == (0, "CREATE")
    assert ended.err.endswith(
        "mqsc: the plan is in p.json; carry it out with `mqsc apply p.json`\n",
    )
    assert (tmp_path / "p.json").stat().st_mode & 0o777 == 0o600
    assert made("apply", "--out", "p.json", "--detailed-exitcode", "a.mqsc").code == 2
    (tmp_path / "a.mqsc").unlink()
    shown = made("apply", "--plan", "p.json")
    assert (shown.code, shown.out) == (2, ended.out)
    done = made("apply", "p.json", "--format", "jsonl")
    assert done.code == 0
    assert done.err.startswith("mqsc: QM1: 3 created, 1 updated, 1 deleted\nmqsc: undo it with ")
    assert [json.loads(line)["action"] for line in done.out.splitlines()] == [
        *["CREATED"] * 3,
        "UPDATED",
        "DELETED",
    ]


@pytest.mark.parametrize(
    ("by_hand", "says"),
    [
        (
            "DEFINE QLOCAL(ORDERS)",
            ["DIFFERS    QLOCAL(ORDERS)", "           defined after the plan was made"],
        ),
        (
            "DELETE QLOCAL(OLD)",
            ["DIFFERS    QLOCAL(OLD)", "           deleted after the plan was made"],
        ),
        (
            "ALTER QLOCAL(OLD) GET(DISABLED)",
            ["DIFFERS    QLOCAL(OLD)", "           GET  ENABLED -> DISABLED"],
        ),
        ("ALTER QMGR DESCR('x')", ["DIFFERS    QMGR", "           DESCR  ' ' -> x"]),
        (
            "ALTER QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE) MAXDEPTH(7)",
            ["DIFFERS    QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE)", "           MAXDEPTH  5000 -> 7"],
        ),
        (
            "DELETE QLOCAL(OLD)\nDEFINE QALIAS(OLD)",
            ["DIFFERS    QALIAS(OLD)", "           TYPE  QLOCAL -> QALIAS"],
        ),
        (
            "SET AUTHREC PROFILE(ORDERS) OBJTYPE(QUEUE) GROUP('staff') AUTHADD(INQ)",
            [
                "DIFFERS    AUTHREC(ORDERS) QUEUE GROUP staff",
                "           defined after the plan was made",
            ],
        ),
    ],
)
def test_a_plan_is_refused_when_what_it_depends_on_has_changed(
    made: Command,
    by_hand: str,
    says: list[str],
) -> None:
    made("apply", "--out", "p.json", "a.mqsc")
    assert made("run", "-c", by_hand).code == 0
    before = made("export").out
    for option in ((), ("--plan",)):
        refused = made("apply", "p.json", *option)
        assert (refused.code, refused.lines[: len(says)]) == (10, says)
        assert refused.err == (
            "mqsc: nothing was changed: QM1 is not as it was when the plan was made; plan again\n"
        )
    assert made("export").out == before


def test_a_secret_that_was_set_is_not_shown(made: Command) -> None:
    channel = "CHANNEL(S) CHLTYPE(SDR) CONNAME('h') XMITQ(X)"
    made("run", "-c", f"DEFINE {channel}")
    made("apply", "--out", "p.json", "-", stdin=f"DEFINE {channel} DESCR('x')".encode())
    assert (
        made("run", "-c", "ALTER CHANNEL(S) CHLTYPE(SDR) USERID('u') PASSWORD('it''s')").code == 0
    )
    assert made("apply", "p.json").lines[2] == "           PASSWORD  ' ' -> ********"


def test_a_plan_with_a_secret_is_not_saved(made: Command, tmp_path: Path) -> None:
    channel = (
        b"DEFINE QLOCAL(B)\nDEFINE CHANNEL(S) CHLTYPE(SDR) CONNAME('h') XMITQ(X) PASSWORD('geheim')"
    )
    refused = made("apply", "--out", "p.json", "-", stdin=channel)
    says = "mqsc: line 2 has a secret, which no file gets: apply the definitions without --out\n"
    assert (refused.code, refused.out, refused.err) == (20, "", says)
    assert not (tmp_path / "p.json").exists()


@pytest.mark.parametrize(
    "by_hand",
    ["DEFINE QLOCAL(OTHER)", "SET CHLAUTH('X') TYPE(BLOCKUSER) USERLIST('a')"],
)
def test_what_a_plan_does_not_depend_on_may_change(made: Command, by_hand: str) -> None:
    made("apply", "--out", "one.json", "a.mqsc")
    made("apply", "--out", "all.json", "--prune", "a.mqsc")
    made("run", "-c", by_hand)
    assert made("apply", "all.json").code == 10
    assert made("apply", "one.json").code == 0


def test_a_message_or_a_failure_leaves_the_plan_undone(made: Command) -> None:
    made("apply", "--out", "p.json", "a.mqsc")
    made("put", "OLD", "hello")
    refused = made("apply", "p.json")
    assert (refused.code, refused.out) == (10, "")
    assert "mqsc: nothing was changed: a.mqsc, line 5: DELETE QLOCAL(OLD) failed" in refused.err
    assert "ORDERS" not in made("export").out


def test_the_plan_for_the_first_queue_manager_creates_it(mqsc: Command, tmp_path: Path) -> None:
    assert mqsc("apply", "--out", "p.json", "-", stdin=b"DEFINE QLOCAL(Q) DESCR('it''s')").code == 0
    assert [each.name for each in tmp_path.iterdir()] == ["p.json"]
    assert mqsc("apply", "--plan", "p.json").code == 2
    assert not (tmp_path / "store.db").exists()
    assert mqsc("apply", "p.json").code == 0
    with open_store(f"sqlite:///{tmp_path}/store.db") as store:
        assert store.queue_manager("QM1").is_running


@pytest.mark.parametrize(
    ("change", "arguments", "code", "says"),
    [
        (("", ""), ("--prune",), 20, "p.json is a saved plan, for which --prune has no meaning"),
        (("", ""), ("--set", "A=B"), 20, "p.json is a saved plan, for which --set has no meaning"),
        (("", ""), ("-m", "QM2"), 20, "the plan is for the queue manager QM1, not for QM2"),
        (
            ('"mqsc_plan": 1', '"mqsc_plan": 2'),
            (),
            20,
            "p.json is a plan in format 2; this version reads format 1",
        ),
        (
            ('"steps"', '"stops"'),
            (),
            20,
            "p.json is a damaged plan: Object missing required field `steps`",
        ),
        (("}\n", ""), (), 20, "p.json is a damaged plan: "),
        (
            ('"command": "DEFINE QLOCAL(ORDERS)', '"command": "DEFINE QLOCAL(X)'),
            (),
            20,
            "p.json is a damaged plan: it was changed",
        ),
        (
            ("", ""),
            ("a.mqsc",),
            20,
            "apply cannot read p.json as MQSC: it is a saved plan, for `mqsc apply` alone",
        ),
    ],
)
def test_plans_that_cannot_be_used(
    made: Command,
    tmp_path: Path,
    change: tuple[str, str],
    arguments: tuple[str, ...],
    code: int,
    says: str,
) -> None:
    made("qmgr", "create", "QM2")
    made("apply", "--out", "p.json", "a.mqsc", "-m", "QM1")
    plan = tmp_path / "p.json"
    plan.write_text(plan.read_text().replace(*change) if change[0] else plan.read_text())
    ended = made("apply", "p.json", *arguments)
    assert (ended.code, ended.out) == (code, "")
    assert says in ended.err


def test_a_plan_that_cannot_be_written(made: Command, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    ended = made("apply", "--out", "none/p.json", "a.mqsc")
    assert (ended.code, ended.err) == (
        20,
        "mqsc: none/p.json cannot be written: No such file or directory\n",
    )
    for other, says in (
        ("a.mqsc", "it has no"),
        ("store.db", "the store itself"),
        ("pipe", "it is not a file"),
    ):
        refused = made("apply", "--out", other, "a.mqsc")
        assert (refused.code, says in refused.err) == (20, True)
    failing = made("apply", "--out", "p.json", "-", stdin=b"ALTER QLOCAL(NONE) GET(ENABLED)")
    assert (failing.code, failing.err.splitlines()[-1]) == (10, "mqsc: nothing was changed")
    assert made("apply", "p.json").code == 20
