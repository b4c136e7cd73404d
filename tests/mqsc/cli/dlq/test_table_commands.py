"""`mqsc dlq run`, `check` and `test`, which read a rules table."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from mqsc.console.parameters import iso
from mqsc.dlq.table_check import DESCRIPTIONS
from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager
from tests.conftest import START
from tests.mqsc.cli.dlq.conftest import bodies
from tests.mqsc.conftest import Command
from tests.mqsc.session import Session

RULES = "WAIT(NO)\nREASON(MQRC_Q_FULL) ACTION(RETRY)\nDESTQ(THROWN) ACTION(DISCARD)\n"
BAD = "WAIT(NO)\nACTION(RETRY) RETRY(0)\nACTIN(RETRY)\n"


@pytest.fixture(autouse=True)
def _tables(tmp_path: Path) -> None:
    (tmp_path / "letters.rul").write_text(RULES)
    (tmp_path / "bad.rul").write_text(BAD)


def test_run_with_its_own_and_another_queue_and_table(
    mqsc: Command,
    session: Session,
    qmgr: QueueManager,
) -> None:
    ended = session("dlq run letters.rul => ! manual clock")
    times = r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d"
    assert all(re.fullmatch(rf"{times}  \w+: .*", line) for line in ended.lines)
    ids = [line.split()[2].removesuffix(":") for line in ended.lines]
    assert ids == ["AMQ8708", "AMQ8722", "AMQ8721", "MQSC0036", "MQSC0036", "MQSC0037", "AMQ8709"]
    told = (
        "moved or discarded 2; still on the queue: 1 after failed attempts, 2 that no rule moves."
    )
    assert ended.lines[-2].endswith(told)
    assert ended.lines[0].startswith("2023-11-14 22:17:20  AMQ8708: ")
    assert (len(bodies(mqsc, "DLQ")), len(bodies(mqsc, "Q1"))) == (3, 1)
    session(r"""
        dlq run - --queue REST -m QM1 << INPUTQ(NONE) INPUTQM(NONE) WAIT(NO)\nACTION(DISCARD)\n
        dlq run - --queue ' ' -m QM1 --quiet << INPUTQ(NONE) INPUTQM(NONE) WAIT(NO)\nACTION(DISCARD)\n => !|
    """)
    assert len(bodies(mqsc, "DLQ")) == 1


@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_run_as_json(session: Session, qmgr: QueueManager, form: str) -> None:
    rows = session(f"dlq run letters.rul --format {form}").rows
    assert [row["message_id"] for row in rows[:4]] == ["AMQ8708", "AMQ8722", "AMQ8721", "MQSC0036"]
    for number, expected in (
        (
            1,
            {"line": 2, "reason": 2085, "target": "NOWHERE on QM1", "at": iso(START + 240_000_000)},
        ),
        (3, {"message_id": "MQSC0036", "line": 2, "done": 1, "failed": 1}),
        (5, {"message_id": "MQSC0037", "queue": "DLQ", "done": 2, "failed": 1, "left": 2}),
        (6, {"message_id": "AMQ8709"}),
    ):
        assert rows[number] | expected == rows[number]


def test_what_cannot_be_run(session: Session, qmgr: QueueManager) -> None:
    session(r"""
        dlq ...
        run bad.rul => 20 > AMQ8757
        run none.rul => 20 ! none.rul does not exist
        run - => 20 > AMQ8750
        run - --watch => 20 ! --watch needs a file
        run - -m QM9 << ACTION(RETRY)\n => 10 > AMQ8741
        run - --queue NOPE << ACTION(RETRY)\n => 10 > AMQ8745
        run store.db => 20 ! store.db is the store itself
        check none.rul => 20 ! none.rul
        check letters.rul --sarif --format json => 20 ! --sarif
        check => 20 ! RULES|-
        check letters.rul --frobnicate => 20 ! --frobnicate
        test bad.rul => 20 ! bad.rul:3:1: error MQSC0030
        test letters.rul --messages none => 20 ! none does not exist
        test letters.rul --messages bad.rul => 20 ! bad.rul, line 1: column 1: not JSON
        test letters.rul --messages x --queue DLQ => 20 ! cannot be used together
        test letters.rul --messages - << nonsense\n => 20 ! standard input, line 1: column 1: not JSON
        test - --messages - << nonsense\n => 20 ! the rules or the messages, not both
        test letters.rul -m QM9 => 10 ! mqsc: AMQ8118E
        test letters.rul --queue NOPE => 10 !| mqsc: AMQ8147E: IBM MQ object NOPE not found.
    """)


def test_without_a_store(session: Session, tmp_path: Path) -> None:
    """Only `check`, and `test` on a file of messages, work without a store."""
    session("""
        dlq ...
        run letters.rul => 20
        test letters.rul => 20
        show => 20
        retry => 20
        discard --all => 20
        check letters.rul
    """)
    assert not (tmp_path / "store.db").exists()


@pytest.mark.parametrize(
    ("table", "code", "ids"),
    [
        (RULES, 0, ["DLQ03"]),
        (RULES + "ACTION(FWD) FWDQ(REST)\n", 0, []),
        (RULES + "ACTION(FWD) FWDQ(RSET)\n", 0, ["DLQ11"]),
        (RULES + "ACTION(FWD) FWDQ(DLQ)\n", 0, ["DLQ06"]),
        (RULES + "ACTION(FWD) FWDQ(BACK)\n", 0, ["DLQ06"]),
        (BAD, 10, ["AMQ8757", "MQSC0030", "AMQ8758"]),
        ("", 10, ["AMQ8750"]),
    ],
)
def test_check(
    mqsc: Command,
    qmgr: QueueManager,
    tmp_path: Path,
    table: str,
    code: int,
    ids: list[str],
) -> None:
    """Reports errors, or else lint warnings, in three formats. The store provides the queues
    that exist.
    """
    (tmp_path / "t.rul").write_text(table)
    create(qmgr, KINDS["QALIAS"], "BACK", {"TARGET": "DLQ"})
    ended = mqsc("dlq", "check", "t.rul")
    assert (
        ended.code,
        [re.search(r"(DLQ\d\d|AMQ\d+|MQSC\d+):", line)[1] for line in ended.lines],  # type: ignore[index]
    ) == (code, ids)
    assert bool(ended.err) is not bool(ids)
    rows = mqsc("dlq", "check", "t.rul", "--format", "json").rows
    assert [(row["rule_id"], row["file"]) for row in rows] == [(each, "t.rul") for each in ids]
    (run,) = json.loads(mqsc("dlq", "check", "-", "--sarif", stdin=table.encode()).out)["runs"]
    assert [row["ruleId"] for row in run["results"]] == ids
    assert len(run["tool"]["driver"]["rules"]) == len(DESCRIPTIONS)


def test_check_for_a_queue_manager_that_is_not_there(session: Session, qmgr: QueueManager) -> None:
    session(r"""
        cat > t.rul << INPUTQM(QM9)\nACTION(FWD) FWDQ(NOPE)\n
        dlq check t.rul => ! named by FWDQ: 2058
            |
        dlq check t.rul -m QM1 => > t.rul:2:18: warning DLQ11
    """)


def test_test_in_words_and_as_json(mqsc: Command, session: Session, qmgr: QueueManager) -> None:
    """Prints counts, optionally with every message and an explanation. Nothing is moved."""
    ended = session("dlq test letters.rul => !|")
    assert ended.lines[:5] == [
        "RULE      MESSAGES  WHAT",
        "line 2           2  REASON(MQRC_Q_FULL) ACTION(RETRY)",
        "line 3           1  DESTQ(THROWN) ACTION(DISCARD)",
        "no rule          1  stays on the queue",
        "no MQDLH         1  reported as AMQ8721, stays on the queue",
    ]
    explained = session("""
        dlq test letters.rul --explain
            =    line 2: no match: REASON(MQRC_Q_FULL), but MQDLH.Reason is 2085 MQRC_UNKNOWN_OBJECT_NAME
    """)
    assert explained.out.endswith(ended.out)
    assert len(bodies(mqsc, "DLQ")) == 5
    rows = session("dlq test letters.rul --format json").rows
    assert [row["messages"] for row in rows if row["of"] == "rule"] == [2, 1]
    explained_rows = session("dlq test letters.rul --explain --format jsonl").rows
    assert ([row["rule"] for row in explained_rows[:5]], explained_rows[5:]) == (
        [2, 3, 2, None, None],
        rows,
    )


def test_test_on_messages_from_a_file(mqsc: Command, qmgr: QueueManager, tmp_path: Path) -> None:
    """The file is output of `mqsc browse`, in either format. Without a store, the result of a
    put is unknown.
    """
    command = ("dlq", "test", "letters.rul")
    here = mqsc(*command).out
    for form in ("json", "jsonl"):
        (tmp_path / "messages").write_text(mqsc("browse", "DLQ", "--format", form).out)
        assert mqsc(*command, "--messages", "messages").out == here
        shown = mqsc("dlq", "show", "--format", form).out.encode()
        assert mqsc(*command, "--messages", "-", stdin=shown).out == here
    elsewhere = mqsc(*command, "--messages", "messages", "--store", "none.db")
    assert (elsewhere.code, "unknown without a queue manager" in elsewhere.out) == (0, True)


def test_the_real_tables(mqsc: Command, qmgr: QueueManager, corpus: Path) -> None:
    """Tables found on the web are checked and tried without a traceback, and the two commands
    agree on errors.
    """
    tables = sorted((corpus / "dlq").glob("*.rul"))
    assert len(tables) >= 10
    for path in tables:
        checked, tried = (
            mqsc("dlq", "check", str(path)),
            mqsc("dlq", "test", str(path), "-m", "QM1", "--queue", " "),
        )
        assert (checked.code, tried.code) in ((0, 0), (10, 20)), path
        assert ("AMQ8758" in checked.out or "AMQ8750" in checked.out) is (checked.code == 10)
        if tried.code == 0:
            counts = [
                int(line.split()[2])
                for line in tried.lines
                if re.match(r"line \d|no rule|no MQDLH", line)
            ]
            assert sum(counts) == 5
