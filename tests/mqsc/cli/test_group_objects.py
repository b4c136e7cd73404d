"""Objects of a queue-sharing group in scripts: --plan, --atomic, export, diff and check tell
them apart.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from mqsc.scripts.export_output import HEADING
from tests.mqsc.conftest import Ended
from tests.mqsc.session import Session

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
def group(session: Session) -> Session:
    """A shell, with QM1 and QM2 of QSG1."""
    session("qmgr create QM1 --group QSG1\nqmgr create QM2 --group QSG1")
    return session


@pytest.fixture
def made(group: Session, tmp_path: Path) -> Session:
    """The same with objects of every disposition, and their export in a file."""
    group("\n".join(OBJECTS))
    (tmp_path / "export.mqsc").write_text(EXPORT)
    return group


def test_what_is_shared_is_asked_of_every_kind_but_defined_of_queues_alone(made: Session) -> None:
    made("""
        DISPLAY QUEUE(*) QSGDISP(SHARED) => > QUEUE(SQ)
        DISPLAY PROCESS(*) QSGDISP(SHARED) => 10 > AMQ8147E: IBM MQ object * not found.
        DEFINE PROCESS(Q) QSGDISP(SHARED) => 10 > Only a QLOCAL can be QSGDISP(SHARED).
    """)


def test_export_has_no_copies_and_can_be_run_again(made: Session) -> None:
    made("ALTER QLOCAL(G) QSGDISP(COPY) MAXDEPTH(1)")
    assert made("export").out == EXPORT
    again = made("run export.mqsc")
    assert again.lines.count("MQSC0032W: QM1: BOTH not refreshed: it has one of its own.") == 1
    assert made("export").out == EXPORT
    made("DISPLAY QL(G) MAXDEPTH => =    QSGDISP(COPY)                           MAXDEPTH(5000)")
    found = made("export --format json").rows
    assert [(each["name"], each["attributes"].get("QSGDISP")) for each in found] == [
        ("S", None),
        ("BOTH", None),
        ("SQ", "SHARED"),
        ("A", None),
        ("P", "GROUP"),
        ("BOTH", "GROUP"),
        ("G", "GROUP"),
    ]
    made("DISPLAY QSTATUS(NONE) => 10 > AMQ8147E: IBM MQ object NONE not found.")


def test_an_export_makes_the_same_group_elsewhere(made: Session, tmp_path: Path) -> None:
    elsewhere = f"--store sqlite:///{tmp_path}/other.db"
    for name in ("QM1", "QM2"):
        made(f"{elsewhere} qmgr create {name} --group QSG1")
    made(f"{elsewhere} run export.mqsc")
    for name in ("QM1", "QM2"):
        for command in ("export", "run -c 'DISPLAY QUEUE(*) QSGDISP(ALL)'"):
            assert (
                made(f"{elsewhere} -m {name} {command}").lines == made(f"-m {name} {command}").lines
            )


def test_diff_compares_by_disposition(made: Session, tmp_path: Path) -> None:
    """The copies of the other member do not count; that of this member does, because the files
    refresh it.
    """
    (tmp_path / "other.mqsc").write_text(
        EXPORT.replace("QLOCAL('BOTH') MAXDEPTH(3)", "QLOCAL('X')"),
    )
    changed = EXPORT.replace("MAXDEPTH(4) QSGDISP", "MAXDEPTH(5) QSGDISP").replace(
        "'G') QSGDISP",
        "'H') QSGDISP",
    )
    (tmp_path / "changed.mqsc").write_text(changed)
    made("""
        diff export.mqsc => |
        -m QM2 run -c 'ALTER QLOCAL(G) QSGDISP(COPY) MAXDEPTH(1)'
        QM2: diff other.mqsc => 2
            | CREATE     QLOCAL(X)                                          other.mqsc:5
            | CREATE     QALIAS(A)                                          other.mqsc:9
            |            TARGET  G
            | UPDATE     QLOCAL(G) QSGDISP(COPY)                            other.mqsc:15
            |            MAXDEPTH  1 -> 5000
        diff changed.mqsc => 2
            | UPDATE     QLOCAL(BOTH) QSGDISP(GROUP)                        changed.mqsc:13
            |            MAXDEPTH  4 -> 5
            |            MQSC0032W: QM1: BOTH not refreshed: it has one of its own.
            | UPDATE     QLOCAL(BOTH) QSGDISP(COPY) on QM2                  changed.mqsc:13
            |            MAXDEPTH  4 -> 5
            | CREATE     QLOCAL(H) QSGDISP(GROUP)                           changed.mqsc:15
            | CREATE     QLOCAL(H) QSGDISP(COPY)                            changed.mqsc:15
            | CREATE     QLOCAL(H) QSGDISP(COPY) on QM2                     changed.mqsc:15
            | KEPT       QLOCAL(G) QSGDISP(GROUP)                           --prune
            |            other members of the queue-sharing group have it too
        diff changed.mqsc --format json => 2 .name ["BOTH", "BOTH", "H", "H", "H", "G"]
            .disposition ["GROUP", "COPY", "GROUP", "COPY", "COPY", "GROUP"]
    """)


def test_prune_keeps_the_structures_of_the_group(made: Session, tmp_path: Path) -> None:
    (tmp_path / "own.mqsc").write_text("DEFINE QLOCAL(X)")
    assert planned(made("diff own.mqsc --types cfstruct => 2 > KEPT")) == [
        "KEPT CFSTRUCT(S) --prune",
        "other members of the queue-sharing group have it too",
    ]


def planned(ended: Ended) -> list[str]:
    return [" ".join(line.split()) for line in ended.lines]


def test_a_plan_lists_the_master_and_every_copy(made: Session, tmp_path: Path) -> None:
    commands = (
        "ALTER QLOCAL(G) QSGDISP(GROUP) MAXDEPTH(9)",
        "DEFINE QALIAS(N) QSGDISP(GROUP) TARGET(G)",
        "DELETE QLOCAL(BOTH) QSGDISP(GROUP)",
        "DELETE QLOCAL(SQ) QSGDISP(SHARED)",
    )
    (tmp_path / "plan.mqsc").write_text("\n".join(commands))
    three = ("QSGDISP(GROUP)", "QSGDISP(COPY)", "QSGDISP(COPY) on QM2")
    assert planned(made("run --plan plan.mqsc => 2 > UPDATE")) == [
        *(
            line
            for each in three
            for line in (f"UPDATE QLOCAL(G) {each} plan.mqsc:1", "MAXDEPTH 5000 -> 9")
        ),
        *(line for each in three for line in (f"CREATE QALIAS(N) {each} plan.mqsc:2", "TARGET G")),
        "DELETE QLOCAL(BOTH) QSGDISP(GROUP) plan.mqsc:3",
        "DELETE QLOCAL(BOTH) QSGDISP(COPY) on QM2 plan.mqsc:3",
        "DELETE QLOCAL(SQ) QSGDISP(SHARED) plan.mqsc:4",
    ]
    assert made("export").out == EXPORT
    made(f"""
        run --plan --format json -c '{commands[2]}' => 2 .disposition ["GROUP", "COPY"]
            .member [null, "QM2"]
    """)


def test_a_plan_knows_that_a_copy_with_messages_stays(made: Session) -> None:
    made("put G text")
    plan = made(
        "run --plan -c 'DELETE QLOCAL(G) QSGDISP(GROUP)' -c 'CLEAR QLOCAL(G)' => 2 > DELETE",
    )
    assert planned(plan) == [
        "DELETE QLOCAL(G) QSGDISP(GROUP) line 1",
        "MQSC0032W: QM1: G not refreshed: it has messages.",
        "Still named by QALIAS(A) TARGET.",
        "DELETE QLOCAL(G) QSGDISP(COPY) on QM2 line 1",
        "ACTION CLEAR QLOCAL(G), 1 message line 1",
    ]


def test_atomic(made: Session) -> None:
    atomic = "run --atomic -c 'ALTER QLOCAL(BOTH) QSGDISP(GROUP) MAXDEPTH(9)' -c"
    made(f"{atomic} 'DELETE QLOCAL(NONE)' => 10 > AMQ8147E")
    assert made("export").out == EXPORT
    done = made(f"{atomic} 'DELETE QLOCAL(G) QSGDISP(GROUP)'")
    assert done.lines.count("MQSC0032W: QM1: BOTH not refreshed: it has one of its own.") == 1
    shown = made("QM2: DISPLAY QLOCAL(*) QSGDISP(COPY) MAXDEPTH").lines
    assert [line for line in shown if "QUEUE(" in line or "QSGDISP(COPY)  " in line] == [
        "   QUEUE(BOTH)                             TYPE(QLOCAL)",
        "   QSGDISP(COPY)                           MAXDEPTH(9)",
    ]


COPY = r"""DEFINE QLOCAL(G) QSGDISP(GROUP) MAXDEPTH(4)
DEFINE QLOCAL(G) QSGDISP(COPY) REPLACE
ALTER QLOCAL(G) QSGDISP(COPY) MAXDEPTH(5)
DELETE QLOCAL(G) QSGDISP(COPY)
ALTER QLOCAL(G) QSGDISP(GROUP) DESCR('x')
"""


@pytest.mark.parametrize("script", [EXPORT, COPY], ids=["export", "copy"])
def test_check_takes_objects_of_each_disposition_for_themselves(
    group: Session,
    tmp_path: Path,
    script: str,
) -> None:
    (tmp_path / "a.mqsc").write_text(script)
    assert [line for line in group("check a.mqsc").lines if "C22" not in line] == []
