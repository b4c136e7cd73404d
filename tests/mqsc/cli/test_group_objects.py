"""Objects of a queue-sharing group in scripts: --plan, --atomic, export, diff and check tell them apart."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mqsc.scripts.export_output import HEADING
from tests.mqsc.conftest import Command

OBJECTS = (
    "DEFINE CFSTRUCT(S)",
    "DEFINE QLOCAL(SQ) QSGDISP(SHARED) CFSTRUCT(S)",
    "DEFINE QLOCAL(BOTH) MAXDEPTH(3)",
    "DEFINE QLOCAL(BOTH) QSGDISP(GROUP) MAXDEPTH(4)",
    "DEFINE QLOCAL(G) QSGDISP(GROUP)",
    "DEFINE PROCESS(P) QSGDISP(GROUP) APPLICID(X)",
    "DEFINE QALIAS(A) TARGET(G)",
)
EXPORT = f"""{HEADING}

DEFINE CFSTRUCT('S') REPLACE

DEFINE QLOCAL('BOTH') MAXDEPTH(3) REPLACE

DEFINE QLOCAL('SQ') CFSTRUCT('S') QSGDISP(SHARED) REPLACE

DEFINE QALIAS('A') TARGET('G') REPLACE

DEFINE PROCESS('P') APPLICID('X') QSGDISP(GROUP) REPLACE

DEFINE QLOCAL('BOTH') MAXDEPTH(4) QSGDISP(GROUP) REPLACE

DEFINE QLOCAL('G') QSGDISP(GROUP) REPLACE
"""


@pytest.fixture
def group(mqsc: Command) -> Command:
    """The command line, with QM1 and QM2 of QSG1."""
    for name in ("QM1", "QM2"):
        mqsc("qmgr", "create", name, "--group", "QSG1")
    return mqsc


@pytest.fixture
def made(group: Command) -> Command:
    """The same with objects of every disposition."""
    assert group("run", *(word for command in OBJECTS for word in ("-c", command))).code == 0
    return group


def test_export_has_no_copies_and_can_be_run_again(made: Command, tmp_path: Path) -> None:
    made("run", "-c", "ALTER QLOCAL(G) QSGDISP(COPY) MAXDEPTH(1)")
    assert made("export").out == EXPORT
    (tmp_path / "export.mqsc").write_text(EXPORT)
    again = made("run", "export.mqsc")
    assert (again.code, again.lines.count("MQSC0032W: QM1: BOTH not refreshed: it has one of its own.")) == (0, 1)
    assert made("export").out == EXPORT
    assert "   QSGDISP(COPY)                           MAXDEPTH(5000)" in made("run", "-c", "DIS QL(G) MAXDEPTH").lines


def test_an_export_makes_the_same_group_elsewhere(made: Command, tmp_path: Path) -> None:
    (tmp_path / "export.mqsc").write_text(EXPORT)
    elsewhere = ("--store", f"sqlite:///{tmp_path}/other.db")
    for name in ("QM1", "QM2"):
        made(*elsewhere, "qmgr", "create", name, "--group", "QSG1")
    assert made(*elsewhere, "run", "export.mqsc").code == 0
    for name in ("QM1", "QM2"):
        assert made(*elsewhere, "-m", name, "export").out == made("-m", name, "export").out
        command = ("run", "-c", "DISPLAY QUEUE(*) QSGDISP(ALL)")
        assert made(*elsewhere, "-m", name, *command).lines == made("-m", name, *command).lines


def test_export_as_data(made: Command) -> None:
    found = json.loads(made("export", "--format", "json").out)
    assert [(each["name"], each["attributes"].get("QSGDISP")) for each in found] == [
        ("S", None), ("BOTH", None), ("SQ", "SHARED"), ("A", None), ("P", "GROUP"), ("BOTH", "GROUP"), ("G", "GROUP"),
    ]  # fmt: skip


def test_diff_compares_by_disposition(made: Command) -> None:
    same = made("diff", "-", stdin=EXPORT.encode())
    assert (same.code, same.out) == (0, "")
    # The copies of the other member do not count; that of this member does, because the files refresh it.
    made("-m", "QM2", "run", "-c", "ALTER QLOCAL(G) QSGDISP(COPY) MAXDEPTH(1)")
    other = made("-m", "QM2", "diff", "-", stdin=EXPORT.replace("QLOCAL('BOTH') MAXDEPTH(3)", "QLOCAL('X')").encode())
    assert other.lines == [
        "CREATE     QLOCAL(X)                                          line 5",
        "CREATE     QALIAS(A)                                          line 9",
        "           TARGET  G",
        "UPDATE     QLOCAL(G) QSGDISP(COPY)                            line 15",
        "           MAXDEPTH  1 -> 5000",
    ]
    changed = EXPORT.replace("MAXDEPTH(4) QSGDISP", "MAXDEPTH(5) QSGDISP").replace("'G') QSGDISP", "'H') QSGDISP")
    assert made("diff", "-", stdin=changed.encode()).lines == [
        "UPDATE     QLOCAL(BOTH) QSGDISP(GROUP)                        line 13",
        "           MAXDEPTH  4 -> 5",
        "           MQSC0032W: QM1: BOTH not refreshed: it has one of its own.",
        "UPDATE     QLOCAL(BOTH) QSGDISP(COPY) on QM2                  line 13",
        "           MAXDEPTH  4 -> 5",
        "CREATE     QLOCAL(H) QSGDISP(GROUP)                           line 15",
        "CREATE     QLOCAL(H) QSGDISP(COPY)                            line 15",
        "CREATE     QLOCAL(H) QSGDISP(COPY) on QM2                     line 15",
        "KEPT       QLOCAL(G) QSGDISP(GROUP)                           --prune",
        "           other members of the queue-sharing group have it too",
    ]
    found = json.loads(made("diff", "-", "--format", "json", stdin=changed.encode()).out)
    assert [(each["name"], each.get("disposition")) for each in found] == [
        ("BOTH", "GROUP"), ("BOTH", "COPY"), ("H", "GROUP"), ("H", "COPY"), ("H", "COPY"), ("G", "GROUP"),
    ]  # fmt: skip


def test_a_plan_lists_the_master_and_every_copy(made: Command) -> None:
    commands = (
        "ALTER QLOCAL(G) QSGDISP(GROUP) MAXDEPTH(9)",
        "DEFINE QALIAS(N) QSGDISP(GROUP) TARGET(G)",
        "DELETE QLOCAL(BOTH) QSGDISP(GROUP)",
        "DELETE QLOCAL(SQ) QSGDISP(SHARED)",
    )
    planned = made("run", "--plan", "-", stdin="\n".join(commands).encode())
    assert planned.code == 2
    assert [" ".join(line.split()) for line in planned.lines[2:-2]] == [
        "UPDATE QLOCAL(G) QSGDISP(GROUP) line 1",
        "MAXDEPTH 5000 -> 9",
        "UPDATE QLOCAL(G) QSGDISP(COPY) line 1",
        "MAXDEPTH 5000 -> 9",
        "UPDATE QLOCAL(G) QSGDISP(COPY) on QM2 line 1",
        "MAXDEPTH 5000 -> 9",
        "CREATE QALIAS(N) QSGDISP(GROUP) line 2",
        "TARGET G",
        "CREATE QALIAS(N) QSGDISP(COPY) line 2",
        "TARGET G",
        "CREATE QALIAS(N) QSGDISP(COPY) on QM2 line 2",
        "TARGET G",
        "DELETE QLOCAL(BOTH) QSGDISP(GROUP) line 3",
        "DELETE QLOCAL(BOTH) QSGDISP(COPY) on QM2 line 3",
        "DELETE QLOCAL(SQ) QSGDISP(SHARED) line 4",
    ]
    assert made("export").out == EXPORT
    rows = json.loads(made("run", "--plan", "--format", "json", "-c", commands[2]).out)
    assert [(row["disposition"], row.get("member")) for row in rows] == [("GROUP", None), ("COPY", "QM2")]


def test_a_plan_knows_that_a_copy_with_messages_stays(made: Command) -> None:
    made("put", "G", "text")
    planned = made("run", "--plan", "-c", "DELETE QLOCAL(G) QSGDISP(GROUP)", "-c", "CLEAR QLOCAL(G)")
    assert [" ".join(line.split()) for line in planned.lines[2:-2]] == [
        "DELETE QLOCAL(G) QSGDISP(GROUP) line 1",
        "MQSC0032W: QM1: G not refreshed: it has messages.",
        "DELETE QLOCAL(G) QSGDISP(COPY) on QM2 line 1",
        "ACTION CLEAR QLOCAL(G), 1 message line 1",
    ]


def test_atomic(made: Command) -> None:
    change = "ALTER QLOCAL(BOTH) QSGDISP(GROUP) MAXDEPTH(9)"
    failing = made("run", "--atomic", "-c", change, "-c", "DELETE QLOCAL(NONE)")
    assert (failing.code, made("export").out) == (10, EXPORT)
    done = made("run", "--atomic", "-c", change, "-c", "DELETE QLOCAL(G) QSGDISP(GROUP)")
    assert (done.code, done.lines.count("MQSC0032W: QM1: BOTH not refreshed: it has one of its own.")) == (0, 1)
    shown = made("-m", "QM2", "run", "-c", "DISPLAY QLOCAL(*) QSGDISP(COPY) MAXDEPTH").lines
    assert [line for line in shown if "QUEUE(" in line or "QSGDISP(COPY)  " in line] == [
        "   QUEUE(BOTH)                             TYPE(QLOCAL)",
        "   QSGDISP(COPY)                           MAXDEPTH(9)",
    ]


def test_check_takes_objects_of_each_disposition_for_themselves(group: Command, tmp_path: Path) -> None:
    (tmp_path / "export.mqsc").write_text(EXPORT)
    checked = group("check", "export.mqsc")
    assert [line for line in checked.lines if "C22" not in line] == []
    (tmp_path / "copy.mqsc").write_text(
        "DEFINE QLOCAL(G) QSGDISP(GROUP) MAXDEPTH(4)\nDEFINE QLOCAL(G) QSGDISP(COPY) REPLACE\n"
        "ALTER QLOCAL(G) QSGDISP(COPY) MAXDEPTH(5)\nDELETE QLOCAL(G) QSGDISP(COPY)\n"
        "ALTER QLOCAL(G) QSGDISP(GROUP) DESCR('x')\n"
    )
    assert [line for line in group("check", "copy.mqsc").lines if "C22" not in line] == []


def test_the_status_of_a_queue_that_does_not_exist(made: Command) -> None:
    answered = made("run", "-e", "-c", "DISPLAY QSTATUS(NONE)")
    assert answered.code == 10
    assert "AMQ8147E: IBM MQ object NONE not found." in answered.out
