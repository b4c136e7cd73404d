"""`mqsc target`, `fleet` and `snapshot`."""

from __future__ import annotations

from pathlib import Path

import pytest

from mqsc.console.config import path
from tests.mqsc.conftest import Command
from tests.mqsc.targets.conftest import SCRIPT
from tests.mqsc.targets.far_end import FarEnd


@pytest.fixture(autouse=True)
def _own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def test_targets_are_added_listed_and_removed(mqsc: Command) -> None:
    assert "there are no targets" in mqsc("target", "list").err
    assert mqsc("target", "add", "prod").code == 20
    added = mqsc(
        *("target", "add", "prod", "-m", "PROD", "--via", "ssh 'mqm@a b'"),
        *("--program", "runmqsc=/opt/mqm/bin/runmqsc", "--arguments", "dmpmqcfg=-c default"),
        *("--definitions", "defs", "--credentials", "secret"),
    )
    assert (added.code, added.out) == (0, f"prod is declared in {path()}.\n")
    assert path().stat().st_mode & 0o777 == 0o600
    assert mqsc("target", "add", "test", "-m", "QM1", "--shared").code == 0
    rows = mqsc("target", "list", "--format", "json").rows
    assert [(row["target"], row["queue_manager"], row["via"]) for row in rows] == [
        ("test", "QM1", []),
        ("prod", "PROD", ["ssh", "mqm@a b"]),
    ]
    again = mqsc("target", "add", "prod", "-m", "PROD")
    assert (again.code, "has a target prod" in again.err) == (20, True)
    for name in ("prod", "test"):
        assert mqsc("target", "remove", name).code == 0
    assert mqsc("target", "list").out == ""
    assert mqsc("target", "remove", "prod").code == 20


def test_settings_and_other_targets_stay(mqsc: Command) -> None:
    path().parent.mkdir(parents=True)
    path().write_text('pager = "off"\n')
    for name in ("a", "ab", "a.b"):
        assert mqsc("target", "add", name, "-m", "QM1").code in (0, 20)
    before = path().read_text()
    mqsc("target", "add", "b", "-m", "QM1")
    mqsc("target", "remove", "b")
    assert path().read_text() == before
    mqsc("target", "remove", "a")
    assert "[target.ab]" in path().read_text()
    assert mqsc("config", "--format", "json").rows[5]["value"] == "off"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("a b", "-m", "QM1"), "a name has letters"),
        (("x", "-m", "Q M"), "name the queue manager"),
        (("x", "-m", "QM1", "--program", "runmqsk=x"), "is not PROGRAM=TEXT"),
        (("x", "-m", "QM1", "--arguments", "runmqsc=-f x"), "-f cannot be added"),
        (("x", "-m", "QM1", "--via", "a 'b"), "No closing quotation"),
    ],
)
def test_a_wrong_declaration_is_not_written(
    mqsc: Command,
    words: tuple[str, ...],
    said: str,
) -> None:
    refused = mqsc("target", "add", *words)
    assert (refused.code, said in refused.err) == (20, True), refused.err
    assert not path().exists()


def test_a_test_says_what_answers(mqsc: Command, far: FarEnd) -> None:
    """N08: one line for each program, and no line of a traceback."""
    tried = mqsc("target", "test", "far")
    assert tried.code == 0
    assert tried.lines[0].startswith("✓  runmqsc   QM1: level 9")
    assert tried.lines[1].startswith("✓  dmpmqcfg  the definitions: ")
    assert tried.lines[2] == "✓  dmpmqmsg  messages: SYSTEM.DEFAULT.LOCAL.QUEUE can be browsed"
    far.writes("dmpmqmsg", b"", code=1, err="AMQ4036: denied")
    some = mqsc("target", "test", "far")
    assert some.code == 10
    assert some.lines[2] == (
        "✗  dmpmqmsg  far: dmpmqmsg: not authorized: the user may not do this at QM1"
    )
    for name in ("dmpmqcfg", "runmqsc"):
        (far.folder / name).unlink()
    none = mqsc("target", "test", "far", "--format", "json")
    assert none.code == 20
    assert [row["answers"] for row in none.rows] == [False] * 3
    assert "there is no program" in none.rows[0]["text"]


def test_runmqsc_that_shows_nothing_is_no_answer(mqsc: Command, far: FarEnd) -> None:
    far.writes("runmqsc", b"AMQ8118E: gibt es nicht\n", code=0)
    tried = mqsc("target", "test", "far", "--format", "json").rows[0]
    assert tried["text"] == "far: runmqsc shows nothing of QM1: AMQ8118E: gibt es nicht"


def test_one_failing_target_does_not_hide_the_others(
    mqsc: Command,
    far: FarEnd,
    tmp_path: Path,
) -> None:
    """N18: of eight targets one hangs and one refuses; there are six rows and two errors."""
    text = (tmp_path / "targets.toml").read_text()
    hangs = FarEnd(tmp_path / "hangs")
    hangs.script("runmqsc", "exec sleep 600")
    refuses = FarEnd(tmp_path / "refuses")
    refuses.writes("runmqsc", b"AMQ8135E: Not authorized.\n", code=20)
    tables = [text.replace("[target.far]", f"[target.t{number}]") for number in range(6)]
    for name, other in (("hangs", hangs), ("refuses", refuses)):
        tables.append(
            text.replace("[target.far]", f"[target.{name}]").replace(
                str(far.folder), str(other.folder)
            ),
        )
    (tmp_path / "targets.toml").write_text("\n".join(tables))
    ended = mqsc("fleet", "--timeout", "10", "--format", "json")
    assert ended.code == 10
    rows = {row["target"]: row for row in ended.rows}
    assert [name for name, row in rows.items() if row["error"] is None] == [
        f"t{number}" for number in range(6)
    ]
    assert "has not ended after 10 s" in rows["hangs"]["error"]
    assert "not authorized" in rows["refuses"]["error"]
    assert {row["dead_letters"] for name, row in rows.items() if name[0] == "t"} == {0}


def test_the_fleet_shows_drift_dead_letters_and_channels(
    mqsc: Command,
    far: FarEnd,
    tmp_path: Path,
) -> None:
    (tmp_path / "defs.mqsc").write_text(SCRIPT)
    far.declare(tmp_path / "targets.toml", 'definitions = ["defs.mqsc"]')
    same = mqsc("fleet")
    assert same.code == 0
    assert same.lines[1].split()[:5] == ["far", "QM1", "09040200", "0", "0"]
    there = ("--store", str(far.store))
    mqsc(*there, "put", "DLQ", "a", "b")
    mqsc(*there, "run", "-c", "ALTER QLOCAL(ORDERS) MAXDEPTH(8)")
    drifted = mqsc("fleet", "far", "--format", "json")
    (row,) = drifted.rows
    assert drifted.code == 2
    assert (row["drift"], row["dead_letters"]) == (1, 2)
    assert mqsc("fleet", "nowhere").code == 20
    (tmp_path / "defs.mqsc").unlink()
    assert "defs.mqsc" in mqsc("fleet").err


HEADING = """\
* Script generated on 2026-03-01   at 10.0{}.00
* Queue manager name: QM1
* Command issued: dmpmqcfg -m QM1 -a -x all -o 1line
"""


def test_a_dump_without_a_time_gets_one(mqsc: Command, far: FarEnd) -> None:
    """Our own dmpmqcfg writes no heading: without a time, snapshots could not be compared."""
    assert mqsc("snapshot", "--on", "far").code == 0
    observed = mqsc("history", "--kind", "OBSERVE", "--format", "jsonl").rows
    assert {"ORDERS", "TO.QM2"} <= {row["queue"] for row in observed}


def test_snapshots_say_what_changed_in_between(mqsc: Command, far: FarEnd) -> None:
    there = ("--store", str(far.store))
    for minute in (1, 2):
        dump = mqsc(*there, "dmpmqcfg", "-a", "-o", "1line").out
        far.writes("dmpmqcfg", f"{HEADING.format(minute)}{dump}".encode())
        taken = mqsc("snapshot", "--on", "far")
        assert (taken.code, taken.err) == (0, "")
        mqsc(*there, "run", "-c", "ALTER QLOCAL(ORDERS) MAXDEPTH(8)\nDELETE QALIAS(SALES)")
    events = [
        (row["kind"], row["queue"])
        for row in mqsc("history", "--format", "jsonl").rows
        if row["qmgr"] == "QM1.IMPORTED" and row["kind"] in ("ALTER", "DELETE")
    ]
    assert sorted(events) == [("ALTER", "ORDERS"), ("DELETE", "SALES")]
    blamed = mqsc("blame", "QLOCAL(ORDERS)", "MAXDEPTH", "--on", "far", "--format", "json").rows
    assert [row["value"] for row in blamed] == [8]
    assert mqsc("snapshot", "--on", "far", "--quiet").out == ""
    assert mqsc("snapshot", "--on", "nowhere").code == 20
    assert mqsc("snapshot").code == 20
