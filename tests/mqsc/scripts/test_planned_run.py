"""`mqsc run --plan`: for each script in plans/, the page with its plan, the JSON form, and that
nothing is changed.

Run as a module with --write to rewrite the pages; review them before committing.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from mqsc.plan import Action, Planned, Trial
from mqsc.script import Answered, Script, run
from mqsc.scripts.plan_output import Counts, lines_of
from mqsc.store import Environment, Message, MessageDescriptor, open_store
from mqsc.store.client.queue_manager import QueueManager
from tests.mqsc.conftest import Command
from tests.mqsc.printing import at_a_known_moment

PLANS = Path(__file__).parents[1] / "plans"
BEFORE = PLANS / "before.mqsc"
SCRIPTS = sorted(path for path in PLANS.glob("*.mqsc") if path != BEFORE)


@contextmanager
def prepared(folder: Path) -> Iterator[QueueManager]:
    """Yield the queue manager for which plans are made: of three messages on FULL, one has
    expired.
    """
    environment: Environment[Any] = at_a_known_moment()
    with open_store(f"sqlite:///{folder}/store.db", environment=environment) as store:
        qmgr = store.create_queue_manager("QM1")
        assert all(reply.completion == 0 for reply in run(qmgr, BEFORE.read_text("utf-8")))
        with qmgr.connect() as connection:
            for expiry in (-1, 1, -1):
                connection.put1("FULL", Message(b"x", MessageDescriptor(expiry=expiry)))
        environment.clock.advance(seconds=1)
        yield qmgr


def planned(qmgr: QueueManager, script: Path) -> list[Planned]:
    """Return the plan of a script."""
    from mqsc.store.client.plan_copy import tried_out

    with tried_out(qmgr) as copy, script.open("rb") as lines:
        trial = Trial(qmgr, copy)
        steps = Script(None, carry_out=trial.carry_out).steps(lines, script.name)
        return [
            each for step in steps if isinstance(step, Answered) for each in trial.planned(step)
        ]


def page(script: Path, folder: Path) -> str:
    """Return the plan of a script as text, with its exit code."""
    counts = Counts()
    with prepared(folder) as qmgr:
        lines = [line for each in counts.counting(planned(qmgr, script)) for line in lines_of(each)]
    return "".join(
        f"{line}\n"
        for line in (*lines, counts.sentence() or "nothing", f"exit code {counts.exit_code}")
    )


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_page(script: Path, tmp_path: Path) -> None:
    assert page(script, tmp_path) == script.with_suffix(".out").read_text(encoding="utf-8")


def test_every_action_is_on_a_page(tmp_path: Path) -> None:
    with prepared(tmp_path) as qmgr:
        assert {each.action for script in SCRIPTS for each in planned(qmgr, script)} == {
            *Action,
        } - {
            Action.KEPT,
            Action.DIFFERS,
            Action.SKIPPED,
        }


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_a_plan_comes_true(script: Path, tmp_path: Path) -> None:
    """The commands that fail in the run are those that fail in the plan, with the same messages."""
    with prepared(tmp_path) as qmgr:
        lines = planned(qmgr, script)
        with script.open("rb") as source:
            replies = run(qmgr, source, file=script.name)
    failed = [
        (reply.line, reply.message_id, reply.text) for reply in replies if reply.completion == 2
    ]
    errors = [
        (each.line, each.message_id, each.text) for each in lines if each.action is Action.ERROR
    ]
    assert errors == failed


def test_nothing_is_written(mqsc: Command, tmp_path: Path) -> None:
    with prepared(tmp_path):
        pass
    before = mqsc(
        "run",
        "-e",
        "-c",
        "DISPLAY QUEUE(*) ALL",
        "-c",
        "DISPLAY QMGR ALL",
        "-c",
        "DISPLAY PROCESS(*) ALL",
    )
    database = (tmp_path / "store.db").read_bytes()
    for script in SCRIPTS:
        mqsc("run", "--plan", str(script))
    assert (tmp_path / "store.db").read_bytes() == database
    after = mqsc(
        "run",
        "-e",
        "-c",
        "DISPLAY QUEUE(*) ALL",
        "-c",
        "DISPLAY QMGR ALL",
        "-c",
        "DISPLAY PROCESS(*) ALL",
    )
    assert after.out == before.out


def test_without_a_store_the_plan_is_that_for_a_new_one_and_none_is_made(
    mqsc: Command,
    tmp_path: Path,
) -> None:
    ended = mqsc("run", "--plan", "-c", "DEFINE QLOCAL(A)", "-c", "DEFINE QLOCAL(A)")
    assert (ended.code, ended.err) == (
        10,
        "mqsc: there is no store: this is the plan for a new queue manager QM1\nmqsc: QM1: 1 to "
        "create, 1 in error\n",
    )
    assert mqsc("run", "--plan", "-c", "DEFINE QLOCAL(A)").code == 2
    assert mqsc("run", "--plan", "-c", "DISPLAY QMGR").code == 0
    assert mqsc("run", "--plan", "-m", "QM1", "-c", "DISPLAY QMGR").code == 20
    assert list(tmp_path.iterdir()) == []
    mqsc("qmgr", "create", "QM1")
    ended = mqsc("run", "--plan", "-m", "QM2", "-c", "DEFINE QLOCAL(A)")
    assert (ended.code, ended.err) == (
        10,
        "mqsc: AMQ8118E: IBM MQ queue manager 'QM2' does not exist. Did you mean QM1?\n",
    )
    mqsc("qmgr", "end")
    ended = mqsc("run", "--plan", "-c", "DEFINE QLOCAL(A)")
    assert (ended.code, ended.out) == (20, "")
    assert "AMQ8146E" in ended.err


def test_an_empty_store_is_planned_for_as_a_missing_one(mqsc: Command, tmp_path: Path) -> None:
    with open_store(f"sqlite:///{tmp_path}/store.db"):
        pass
    ended = mqsc("run", "--plan", "-c", "DEFINE QLOCAL(A)")
    assert (ended.code, ended.err.splitlines()[-1]) == (2, "mqsc: QM1: 1 to create")
    assert "the store has no queue manager" in ended.err
    assert mqsc("qmgr", "list", "--format", "jsonl").out == ""


def test_nothing_is_planned_for_a_deleted_queue_manager(mqsc: Command) -> None:
    mqsc("qmgr", "create", "QM1")
    mqsc("qmgr", "end", "QM1", "--immediate")
    assert mqsc("qmgr", "delete", "QM1").code == 0
    for arguments in (("--plan",), ("--atomic",), ()):
        ended = mqsc("run", *arguments, "-c", "DEFINE QLOCAL(A)")
        assert (ended.code, ended.out) == (10, "")
        assert "create one with `mqsc qmgr create QM1`" in ended.err
    assert mqsc("qmgr", "list", "--format", "jsonl").out == ""


@pytest.mark.parametrize("format", ["json", "jsonl"])
def test_json(mqsc: Command, tmp_path: Path, format: str) -> None:
    mqsc("qmgr", "create", "QM1")
    (tmp_path / "a.mqsc").write_text(
        "DEFINE QLOCAL(A) MAXDEPTH(1)\n\nALTER QLOCAL(A) MAXDEPTH(2)\nDELETE QLOCAL(B)\n",
    )
    ended = mqsc("run", "--plan", "--format", format, "a.mqsc", "-c", "CLEAR QLOCAL(A)")
    assert ended.code == 10
    rows = (
        json.loads(ended.out)
        if format == "json"
        else [json.loads(line) for line in ended.out.splitlines()]
    )
    assert rows[1] == {
        "file": "a.mqsc",
        "line": 3,
        "command": "ALTER QLOCAL(A) MAXDEPTH(2)",
        "action": "UPDATE",
        "type": "QLOCAL",
        "name": "A",
        "changes": {"MAXDEPTH": {"old": 1, "new": 2}},
        "messages": None,
        "message_id": "",
        "text": "",
        "position": None,
    }
    assert [(row["action"], row["file"], row["line"]) for row in rows] == [
        ("CREATE", "a.mqsc", 1),
        ("UPDATE", "a.mqsc", 3),
        ("ERROR", "a.mqsc", 4),
        ("ACTION", None, 1),
    ]
    assert (rows[0]["changes"], rows[3]["messages"]) == ({"MAXDEPTH": {"old": None, "new": 1}}, 0)
    assert (rows[2]["message_id"], rows[2]["text"]) == ("AMQ8147E", "IBM MQ object B not found.")
    wrong = mqsc("run", "--plan", "--format", "jsonl", "-c", "ALTER QLOCAL(A) MAXDEPHT(2)")
    assert json.loads(wrong.out)["position"] == {"line": 1, "column": 17}
    assert ended.err == "mqsc: QM1: 1 to create, 1 to update, 1 to carry out, 1 in error\n"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", 0),
        ("DISPLAY QMGR", 0),
        ("ALTER QMGR DESCR(' ')", 0),
        ("ALTER QMGR DESCR('x')", 2),
        ("FOO", 10),
    ],
)
def test_exit_codes(mqsc: Command, text: str, code: int) -> None:
    mqsc("qmgr", "create", "QM1")
    assert mqsc("run", "--plan", "-c", text).code == code


def test_an_input_that_cannot_be_read_is_an_error(mqsc: Command) -> None:
    mqsc("qmgr", "create", "QM1")
    assert mqsc("run", "--plan", "none.mqsc").code == 20
    ended = mqsc("run", "--plan", "none.mqsc", "-c", "DEFINE QLOCAL(A)")
    assert ended.code == 10
    assert ended.err == "mqsc: none.mqsc does not exist\nmqsc: QM1: 1 to create\n"


def test_a_plan_of_all_or_nothing_refuses_what_that_refuses(mqsc: Command) -> None:
    mqsc("qmgr", "create", "QM1")
    assert mqsc("run", "--plan", "-c", "REFRESH QMGR TYPE(EXPIRY)").code == 2
    ended = mqsc("run", "--plan", "--atomic", "-c", "REFRESH QMGR TYPE(EXPIRY)")
    assert ended.code == 10
    assert any("MQSC0020E" in line for line in ended.lines)


def test_a_plan_stops_on_error_when_told_to(mqsc: Command) -> None:
    mqsc("qmgr", "create", "QM1")
    ended = mqsc(
        "run",
        "--plan",
        "--stop-on-error",
        "-c",
        "FOO\nDEFINE QLOCAL(A)",
        "-c",
        "DEFINE QLOCAL(B)",
    )
    assert (ended.code, ended.err) == (10, "mqsc: QM1: 1 in error\n")


def test_an_export_of_a_queue_manager_would_change_nothing_of_it(
    mqsc: Command,
    tmp_path: Path,
) -> None:
    mqsc("run", str(BEFORE), str(PLANS / "objects.mqsc"))
    (tmp_path / "export.mqsc").write_text(mqsc("export", "--all").out, encoding="utf-8")
    ended = mqsc("run", "--plan", "export.mqsc")
    assert (ended.code, {line.split()[0] for line in ended.lines}) == (0, {"UNCHANGED"})


if __name__ == "__main__" and sys.argv[1:] == ["--write"]:
    for each in SCRIPTS:
        with tempfile.TemporaryDirectory() as folder:
            each.with_suffix(".out").write_text(page(each, Path(folder)), encoding="utf-8")
