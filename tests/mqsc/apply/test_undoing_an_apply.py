"""What `mqsc apply` records, and `mqsc undo` of an apply as a whole."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from tests.mqsc.conftest import Command
from tests.rows import rows

BEFORE = """DEFINE QLOCAL(OLD) DESCR('old')
SET AUTHREC PROFILE(OLD) OBJTYPE(QUEUE) PRINCIPAL('bob') AUTHADD(GET)
DEFINE QLOCAL(A) MAXDEPTH(7)
SET CHLAUTH(C) TYPE(BLOCKUSER) USERLIST('x')
"""
FILE = "DEFINE QLOCAL(NEW) +\n  MAXDEPTH(9)\nDELETE QLOCAL(OLD)\nALTER QLOCAL(A) MAXDEPTH(8)\n"
SOME_ATTRIBUTES = "DEFINE QLOCAL(A) DESCR('x')\nALTER QLOCAL(A) MAXDEPTH(8)\nDELETE QLOCAL(OLD)\n"
NOTHING_CHANGES = (
    "ALTER QLOCAL(A) MAXDEPTH(7)",
    "SET CHLAUTH(C) TYPE(BLOCKUSER) USERLIST('x') ACTION(REPLACE)",
    "SET AUTHREC PROFILE(OLD) OBJTYPE(QUEUE) PRINCIPAL('bob') AUTHADD(GET)",
)


@pytest.fixture
def prepared(mqsc: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """A queue manager whose clock stands still, so that all events have one time; f.mqsc is
    yet to be applied.
    """
    monkeypatch.chdir(tmp_path)
    (tmp_path / "f.mqsc").write_text(FILE)
    assert mqsc("qmgr", "create", "QM1", "--clock", "manual").code == 0
    assert mqsc("run", "-c", BEFORE).code == 0
    return mqsc


def changes(mqsc: Command, number: int) -> list[tuple[str, str, str | None]]:
    """Kind, name and place of the last changes of definitions."""
    kinds = ("--kind", "DEFINE,ALTER,SET,DELETE")
    ended = mqsc("history", *kinds, "--limit", str(number), "--format", "json")
    return [
        (each["kind"], each["queue"], each["detail"].get("place")) for each in json.loads(ended.out)
    ]


def notice(text: str) -> list[str]:
    """The arguments of the command that undoes an apply, as its notice has it."""
    (last,) = text.splitlines()[-1:]
    found = re.fullmatch(r"mqsc: undo it with `mqsc (undo .*)`", last)
    assert found, text
    return shlex.split(found[1])


def test_each_definition_is_carried_out_once(prepared: Command) -> None:
    number = len(prepared("history", "--format", "jsonl").out.splitlines())
    assert prepared("apply", "f.mqsc", "--yes").code == 0
    assert len(prepared("history", "--format", "jsonl").out.splitlines()) == number + 4
    assert changes(prepared, 4) == [
        ("DEFINE", "NEW", "f.mqsc:1"),
        ("DELETE", "OLD", "f.mqsc:3"),
        ("DELETE", "OLD", "f.mqsc:3"),
        ("ALTER", "A", "f.mqsc:4"),
    ]


def test_attributes_that_a_repetition_sets_to_and_fro_are_set_once(
    prepared: Command, tmp_path: Path
) -> None:
    (tmp_path / "f.mqsc").write_text(SOME_ATTRIBUTES)
    assert prepared("apply", "f.mqsc", "--yes").code == 0
    kinds = [(kind, name) for kind, name, _ in changes(prepared, 5)]
    assert kinds[1:] == [("ALTER", "A"), ("ALTER", "A"), ("DELETE", "OLD"), ("DELETE", "OLD")]
    assert prepared("diff", "f.mqsc", "--only-defined").code == 0


@rows("f.mqsc --yes", "plan.json")
def test_an_apply_is_undone_as_a_whole(prepared: Command, arguments: str) -> None:
    assert prepared("apply", "f.mqsc", "--out", "plan.json").code == 0
    was = prepared("export", "--all").out
    applied = prepared("apply", *arguments.split())
    assert applied.code == 0
    # A later change of something else stays.
    assert prepared("run", "-c", "DEFINE QLOCAL(LATER)").code == 0
    assert prepared(*notice(applied.err), "--yes").code == 0
    assert prepared("run", "-c", "DELETE QLOCAL(LATER)").code == 0
    assert prepared("export", "--all").out == was


@rows("ALTER QLOCAL(A) MAXDEPTH(8)", "DELETE QLOCAL(A)", "DEFINE QLOCAL(B)")
def test_an_apply_of_one_command_is_undone(prepared: Command, tmp_path: Path, script: str) -> None:
    assert prepared("run", "-c", "DELETE QLOCAL(A)", "-c", "DEFINE QLOCAL(A)").code == 0
    (tmp_path / "f.mqsc").write_text(script)
    was = prepared("export", "--all").out
    applied = prepared("apply", "f.mqsc", "--yes", "-m", "QM1")
    assert notice(applied.err)[:3] == ["undo", "-m", "QM1"]
    assert prepared(*notice(applied.err), "--yes").code == 0
    assert prepared("export", "--all").out == was


def test_the_command_names_the_store_that_apply_was_given(
    prepared: Command,
    tmp_path: Path,
) -> None:
    (tmp_path / "f.mqsc").write_text("DEFINE QLOCAL(ELSEWHERE)\n")
    assert prepared("qmgr", "create", "QM2", "--store", "sqlite:///other one.db").code == 0
    applied = prepared("apply", "f.mqsc", "--yes", "--store", "sqlite:///other one.db")
    words = notice(applied.err)
    assert words[:3] == ["undo", "--store", "sqlite:///other one.db"]
    assert prepared(*words, "--yes").code == 0


def test_an_apply_that_changes_nothing_says_nothing_of_undo(prepared: Command) -> None:
    assert prepared("apply", "f.mqsc", "--yes").code == 0
    again = prepared("apply", "f.mqsc", "--yes")
    assert (again.code, "undo" in again.err) == (0, False)
    assert "undo" not in prepared("apply", "f.mqsc", "--plan").err


def test_what_a_saved_plan_did_has_its_places(prepared: Command, tmp_path: Path) -> None:
    assert prepared("apply", "f.mqsc", "--out", "plan.json").code == 0
    (tmp_path / "f.mqsc").unlink()
    assert prepared("apply", "plan.json").code == 0
    for name, place in (("NEW", "f.mqsc:1"), ("A", "f.mqsc:4")):
        (row,) = json.loads(
            prepared("blame", f"QLOCAL({name})", "MAXDEPTH", "--format", "json").out
        )
        assert row["place"] == place


def test_what_a_saved_plan_prunes_has_no_place(prepared: Command, tmp_path: Path) -> None:
    (tmp_path / "f.mqsc").write_text("DEFINE QLOCAL(A) MAXDEPTH(7)\n")
    assert prepared("apply", "f.mqsc", "--prune", "--out", "plan.json").code == 0
    assert prepared("apply", "plan.json").code == 0
    assert ("DELETE", "OLD", None) in changes(prepared, 3)


@rows(*NOTHING_CHANGES)
def test_a_command_that_changed_nothing_is_passed_over(prepared: Command, command: str) -> None:
    assert prepared("run", "-c", "ALTER QLOCAL(A) DESCR('x')", "-c", command).code == 0
    ended = prepared("undo", "--yes")
    assert (ended.code, ended.lines[-1].split()) == (0, ["DESCR", "x", "->", "'", "'"])
    event = json.loads(prepared("history", "--limit", "2", "--format", "json").out)[0]
    alone = prepared("undo", str(event["seq"]), "--yes")
    assert (alone.code, alone.out) == (10, "")
    assert "it set what was there already, so nothing can be undone" in alone.err


def test_nothing_is_left_to_undo(mqsc: Command) -> None:
    assert mqsc("qmgr", "create", "QM1").code == 0
    assert mqsc("run", "-c", "ALTER QMGR DESCR(' ')").code == 0
    ended = mqsc("undo", "--yes")
    assert (ended.code, ended.out) == (10, "")
    assert ended.err == (
        "mqsc: the history has no DEFINE, ALTER, DELETE or SET of QM1 that changed something\n"
    )


@rows(
    ("2-5", 10, "events 2 to 5 have no DEFINE, ALTER, DELETE or SET of QM1 that changed"),
    ("5-2", 20, "'5-2' begins after its end"),
    (
        "1-",
        20,
        "'1-' is not a time; examples: 2026-03-01, 2026-03-01T09:00:00 (UTC), 09:00, 2h; or",
    ),
    ("a-b", 20, "or the numbers of two events, such as 154-160"),
    ("1-9999999999999999999", 20, "has more than the number of any event"),
)
def test_a_range_without_changes(prepared: Command, which: str, code: int, says: str) -> None:
    ended = prepared("undo", which, "--yes")
    assert (ended.code, ended.out) == (code, "")
    assert says in " ".join(ended.err.split())
