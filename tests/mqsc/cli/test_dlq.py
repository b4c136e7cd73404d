"""`mqsc dlq` as it is typed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mqsc.console.message_text import BESIDE
from mqsc.dlq.table_check import DESCRIPTIONS
from store import open_store
from store.admin import change_queue_manager, create
from store.catalog import KINDS
from store.client.api import QueueManager
from tests.conftest import START
from tests.mqsc.conftest import Command
from tests.mqsc.dlq.handler_system import dead_letter

RULES = "WAIT(NO)\nREASON(MQRC_Q_FULL) ACTION(RETRY)\nDESTQ(THROWN) ACTION(DISCARD)\n"
BAD = "WAIT(NO)\nACTION(RETRY) RETRY(0)\nACTIN(RETRY)\n"
TIME = r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d  "


@pytest.fixture
def qmgr(tmp_path: Path, mqsc: Command) -> Iterator[QueueManager]:
    """QM1 with a clock that stands: four letters on its DEADQ, put a minute apart, and a message that is none."""
    with open_store(f"sqlite:///{tmp_path}/store.db") as store:
        qmgr = store.create_queue_manager("QM1", manual_clock_at=START)
        for name in ("DLQ", "Q1", "REST"):
            create(qmgr, KINDS["QLOCAL"], name, {})
        change_queue_manager(qmgr, {"DEADQ": "DLQ"})
        with qmgr.connect("billing", "alice") as connection:
            for number, (destination, reason) in enumerate(
                (("Q1", 2053), ("THROWN", 2085), ("NOWHERE", 2053), ("Q1", 2051)), 1
            ):
                connection.put1("DLQ", dead_letter(f"m{number}", number, dest_q_name=destination, reason=reason))
                qmgr.advance_clock(60_000_000)
            connection.put1("DLQ", dead_letter("odd", 5, whole=b"odd"))
        yield qmgr


@pytest.fixture
def rules(tmp_path: Path) -> str:
    path = tmp_path / "letters.rul"
    path.write_text(RULES)
    return path.name


def depth(mqsc: Command, queue: str) -> int:
    return len(objects(mqsc("browse", queue, "--format", "json").out))


def objects(out: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(out)
    return found


def test_run(mqsc: Command, qmgr: QueueManager, rules: str) -> None:
    ended = mqsc("dlq", "run", rules)
    assert ended.code == 0
    ids = [re.fullmatch(TIME + r"(\w+): .*", line)[1] for line in ended.lines]  # type: ignore[index]
    assert ids == ["AMQ8708", "AMQ8722", "AMQ8721", "AMQ8721", "AMQ8709"]
    assert ended.lines[0].startswith("2023-11-14 22:17:20  AMQ8708: ")
    assert "manual clock" in ended.err
    assert (depth(mqsc, "DLQ"), depth(mqsc, "Q1")) == (3, 1)


def test_run_with_another_queue_and_the_table_on_standard_input(mqsc: Command, qmgr: QueueManager) -> None:
    table = b"INPUTQ(NONE) INPUTQM(NONE) WAIT(NO)\nACTION(DISCARD)\n"
    assert mqsc("dlq", "run", "-", "--queue", "REST", "-m", "QM1", stdin=table).code == 0
    assert mqsc("dlq", "run", "-", "--queue", " ", "-m", "QM1", "--quiet", stdin=table).err == ""
    assert depth(mqsc, "DLQ") == 1


@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_run_as_json(mqsc: Command, qmgr: QueueManager, rules: str, form: str) -> None:
    ended = mqsc("dlq", "run", rules, "--format", form)
    rows = objects(ended.out) if form == "json" else [json.loads(line) for line in ended.lines]
    assert [row["message_id"] for row in rows] == ["AMQ8708", "AMQ8722", "AMQ8721", "AMQ8721", "AMQ8709"]
    assert rows[1] | {"line": 2, "reason": 2085, "target": "NOWHERE on QM1", "at": START + 240_000_000} == rows[1]


@pytest.mark.parametrize(
    ("arguments", "stdin", "code", "said"),
    [
        (("bad.rul",), b"", 20, "AMQ8757"),
        (("none.rul",), b"", 20, "none.rul does not exist"),
        (("-",), b"", 20, "AMQ8750"),
        (("-", "--watch"), b"", 20, "--watch needs a file"),
        (("-", "-m", "QM9"), b"ACTION(RETRY)\n", 20, "AMQ8741"),
        (("-", "--queue", "NOPE"), b"ACTION(RETRY)\n", 10, "AMQ8745"),
        (("store.db",), b"", 20, "store.db is the store itself"),
    ],
)
def test_run_that_fails(
    mqsc: Command, qmgr: QueueManager, tmp_path: Path, arguments: tuple[str, ...], stdin: bytes, code: int, said: str
) -> None:
    (tmp_path / "bad.rul").write_text(BAD)
    ended = mqsc("dlq", "run", *arguments, stdin=stdin)
    assert ended.code == code
    assert said in ended.out + ended.err


def test_without_a_store(mqsc: Command, rules: str) -> None:
    """Checking needs none, and trying a table on a file neither; all else cannot be run."""
    for arguments in (("run", rules), ("test", rules), ("show",), ("retry",), ("discard", "--all")):
        assert mqsc("dlq", *arguments).code == 20
    assert mqsc("dlq", "check", rules).code == 0
    assert not Path("store.db").exists()


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
def test_check(mqsc: Command, qmgr: QueueManager, tmp_path: Path, table: str, code: int, ids: list[str]) -> None:
    """Errors, or else advice, in three forms; the store tells which queues there are."""
    (tmp_path / "t.rul").write_text(table)
    create(qmgr, KINDS["QALIAS"], "BACK", {"TARGET": "DLQ"})
    ended = mqsc("dlq", "check", "t.rul")
    assert (ended.code, [re.search(r"(DLQ\d\d|AMQ\d+|MQSC\d+):", line)[1] for line in ended.lines]) == (code, ids)  # type: ignore[index]
    assert bool(ended.err) is not bool(ids)
    rows = objects(mqsc("dlq", "check", "t.rul", "--format", "json").out)
    assert [row["rule_id"] for row in rows] == ids
    assert all(row["file"] == "t.rul" for row in rows)
    document = json.loads(mqsc("dlq", "check", "-", "--sarif", stdin=table.encode()).out)
    assert [row["ruleId"] for row in document["runs"][0]["results"]] == ids
    assert len(document["runs"][0]["tool"]["driver"]["rules"]) == len(DESCRIPTIONS)


def test_check_for_a_queue_manager_that_is_not_there(mqsc: Command, qmgr: QueueManager, tmp_path: Path) -> None:
    (tmp_path / "t.rul").write_text("INPUTQM(QM9)\nACTION(FWD) FWDQ(NOPE)\n")
    ended = mqsc("dlq", "check", "t.rul")
    assert (ended.code, ended.out) == (0, "")
    assert "not looked up: 2058" in ended.err
    assert mqsc("dlq", "check", "t.rul", "-m", "QM1").lines[0].startswith("t.rul:2:18: warning DLQ11")


@pytest.mark.parametrize(
    "arguments", [("none.rul",), ("t.rul", "--sarif", "--format", "json"), (), ("t.rul", "--frobnicate")]
)
def test_check_that_cannot_be_run(mqsc: Command, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    (tmp_path / "t.rul").write_text(RULES)
    ended = mqsc("dlq", "check", *arguments)
    assert (ended.code, ended.out) == (20, "")
    assert ended.err


def test_test(mqsc: Command, qmgr: QueueManager, rules: str) -> None:
    """Counts alone, or with every message and why; nothing is moved."""
    ended = mqsc("dlq", "test", rules)
    assert (ended.code, ended.err) == (0, "")
    assert ended.lines[:5] == [
        "RULE      MESSAGES  WHAT",
        "line 2           2  REASON(MQRC_Q_FULL) ACTION(RETRY)",
        "line 3           1  DESTQ(THROWN) ACTION(DISCARD)",
        "no rule          1  stays on the queue",
        "no MQDLH         1  reported as AMQ8721, stays on the queue",
    ]
    explained = mqsc("dlq", "test", rules, "--explain")
    assert explained.out.endswith(ended.out)
    assert (
        "   line 2: no match: REASON(MQRC_Q_FULL), but MQDLH.Reason is 2085 MQRC_UNKNOWN_OBJECT_NAME" in explained.lines
    )
    assert depth(mqsc, "DLQ") == 5


def test_test_as_json(mqsc: Command, qmgr: QueueManager, rules: str) -> None:
    rows = objects(mqsc("dlq", "test", rules, "--format", "json").out)
    assert [row["messages"] for row in rows if row["of"] == "rule"] == [2, 1]
    explained = [json.loads(line) for line in mqsc("dlq", "test", rules, "--explain", "--format", "jsonl").lines]
    assert [row["rule"] for row in explained[:5]] == [2, 3, 2, None, None]
    assert explained[5:] == rows


def test_test_on_messages_from_a_file(mqsc: Command, qmgr: QueueManager, rules: str, tmp_path: Path) -> None:
    """As `mqsc browse` writes them, in both forms; without a store it is not known how a put would end."""
    here = mqsc("dlq", "test", rules).out
    for form in ("json", "jsonl"):
        (tmp_path / "messages").write_text(mqsc("browse", "DLQ", "--format", form).out)
        assert mqsc("dlq", "test", rules, "--messages", "messages").out == here
        shown = mqsc("dlq", "show", "--format", form).out.encode()
        assert mqsc("dlq", "test", rules, "--messages", "-", stdin=shown).out == here
    elsewhere = mqsc("dlq", "test", rules, "--messages", "messages", "--store", "none.db")
    assert elsewhere.code == 0
    assert "unknown without a queue manager" in elsewhere.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("bad.rul",), "bad.rul:3:1: error MQSC0030"),
        (("letters.rul", "--messages", "none"), "none does not exist"),
        (("letters.rul", "--messages", "bad.rul"), "bad.rul, line 1: column 1: not JSON"),
        (("letters.rul", "--messages", "x", "--queue", "DLQ"), "exclude each other"),
        (("letters.rul", "--messages", "-"), "standard input, line 1: column 1: not JSON"),
        (("-", "--messages", "-"), "the rules or the messages, not both"),
        (("letters.rul", "-m", "QM9"), "AMQ8118E"),
    ],
)
def test_test_that_cannot_be_run(
    mqsc: Command, qmgr: QueueManager, rules: str, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    (tmp_path / "bad.rul").write_text(BAD)
    ended = mqsc("dlq", "test", *arguments, stdin=b"nonsense\n")
    assert ended.code == 20
    assert said in ended.err


def test_test_on_a_queue_that_does_not_exist(mqsc: Command, qmgr: QueueManager, rules: str) -> None:
    ended = mqsc("dlq", "test", rules, "--queue", "NOPE")
    assert (ended.code, ended.err) == (10, "mqsc: AMQ8147E: IBM MQ object NOPE not found.\n")


def test_show(mqsc: Command, qmgr: QueueManager) -> None:
    ended = mqsc("dlq", "show", "--limit", "1")
    assert (ended.code, ended.err) == (0, "")
    assert ended.lines == [
        "1  2053 MQRC_Q_FULL, for Q1 on QM1",
        "   on this queue since 2023-11-14T22:13:20Z, 4m 0s; never expires",
        "   put 2023-11-14 22:13:20.00 by billing, user alice",
        "   dead-lettered 2024-01-02 03:04:05.06 by mover",
        "   format MQSTR, 2 bytes, priority 0, not persistent, backed out 0 times",
        f"   MsgId {b'1'.ljust(24, bytes(1)).hex().upper()}",
    ]


def test_show_as_json_is_what_browse_prints_and_more(mqsc: Command, qmgr: QueueManager) -> None:
    shown = objects(mqsc("dlq", "show", "--format", "json").out)
    browsed = objects(mqsc("browse", "DLQ", "--format", "json").out)
    for more, plain in zip(shown, browsed, strict=True):
        assert more | plain == more
    assert shown[0]["dead_letter"]["reason_name"] == "MQRC_Q_FULL"
    assert (shown[0]["age"], shown[0]["expires_at"], shown[4]["dead_letter"]) == (240_000_000, None, None)
    assert shown[0].keys() - browsed[0].keys() == BESIDE


def test_what_is_shown_can_be_put(mqsc: Command, qmgr: QueueManager) -> None:
    shown = mqsc("dlq", "show", "--format", "jsonl").out
    assert mqsc("put", "REST", "-", "--json", stdin=shown.encode()).code == 0
    assert [row["body"] for row in objects(mqsc("dlq", "show", "REST", "--format", "json").out)] == [
        json.loads(line)["body"] for line in shown.splitlines()
    ]


@pytest.mark.parametrize(
    ("arguments", "numbers"),
    [
        (("--reason", "2053"), [1, 3]),
        (("--reason", "Q_FULL", "--reason", "MQRC_PUT_INHIBITED"), [1, 3, 4]),
        (("--destination", "Q*"), [1, 4]),
        (("--older-than", "3m"), [1, 2]),
        (("--msg-id", "32"), [2]),
        (("--reason", "2053", "--limit", "1"), [1]),
        (("--reason", "FB_EXPIRATION"), []),
        (("REST",), []),
    ],
)
def test_filters(mqsc: Command, qmgr: QueueManager, arguments: tuple[str, ...], numbers: list[int]) -> None:
    ended = mqsc("dlq", "show", *arguments)
    assert [int(line.split()[0]) for line in ended.lines if not line.startswith(" ")] == numbers
    assert bool(ended.err) is not bool(numbers)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--reason", "Q_FUL"), "did you mean MQRC_Q_FULL?"),
        (("--older-than", "soon"), "not a length of time"),
        (("--msg-id", "xyz"), "not hexadecimal"),
    ],
)
def test_a_filter_that_means_nothing(mqsc: Command, qmgr: QueueManager, arguments: tuple[str, ...], said: str) -> None:
    ended = mqsc("dlq", "show", *arguments)
    assert ended.code == 20
    assert said in ended.err


def test_retry(mqsc: Command, qmgr: QueueManager) -> None:
    foreseen = mqsc("dlq", "retry", "--dry-run")
    assert (foreseen.code, foreseen.err) == (0, "mqsc: DLQ: 2 would be done, 2 would fail, 1 left alone\n")
    ended = mqsc("dlq", "retry")
    assert (ended.code, ended.err) == (10, "mqsc: DLQ: 2 done, 2 failed, 1 left alone\n")
    assert [line.split("  ", 1)[1] for line in ended.lines] == [
        "2053 MQRC_Q_FULL to Q1 on QM1  done",
        "2085 MQRC_UNKNOWN_OBJECT_NAME to THROWN on QM1  failed: 2085 MQRC_UNKNOWN_OBJECT_NAME",
        "2053 MQRC_Q_FULL to NOWHERE on QM1  failed: 2085 MQRC_UNKNOWN_OBJECT_NAME",
        "2051 MQRC_PUT_INHIBITED to Q1 on QM1  done",
        "no MQDLH  skipped: without a valid MQDLH, its destination is unknown",
    ]
    assert len(foreseen.lines) == len(ended.lines)
    assert [row["body"]["text"] for row in objects(mqsc("browse", "Q1", "--format", "json").out)] == ["m1", "m4"]


def test_forward(mqsc: Command, qmgr: QueueManager) -> None:
    assert mqsc("dlq", "forward", "--to", "REST", "--reason", "2085").code == 0
    assert (
        mqsc("dlq", "forward", "DLQ", "--to", "REST", "--to-q-mgr", "QM1", "--strip-header", "--limit", "1").code == 0
    )
    bodies = [row["body"] for row in objects(mqsc("browse", "REST", "--format", "json").out)]
    assert bodies[1] == {"text": "m1"}
    assert "base64" in bodies[0]


def test_discard(mqsc: Command, qmgr: QueueManager) -> None:
    rows = objects(mqsc("dlq", "discard", "--destination", "NOWHERE", "--format", "json").out)
    assert [(row["result"], row["target"], row["dead_letter"]["dest_q_name"]) for row in rows] == [
        ("moved", None, "NOWHERE")
    ]
    assert mqsc("dlq", "discard", "--all").code == 0
    assert depth(mqsc, "DLQ") == 0


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("discard",), 20, "say which letters"),
        (("forward",), 20, "Missing option '--to'"),
        (("forward", "--to", "DLQ"), 20, "leads back to DLQ"),
        (("retry", "NOPE"), 10, "AMQ8147E"),
        (("retry", "--rate", "0"), 20, "--rate"),
        (("retry", "--limit", "0"), 20, "--limit"),
        (("frobnicate",), 20, "No such command"),
    ],
)
def test_by_hand_that_fails(
    mqsc: Command, qmgr: QueueManager, arguments: tuple[str, ...], code: int, said: str
) -> None:
    ended = mqsc("dlq", *arguments)
    assert ended.code == code
    assert said in ended.err
    assert depth(mqsc, "DLQ") == 5


def test_no_dead_letter_queue(mqsc: Command, qmgr: QueueManager) -> None:
    change_queue_manager(qmgr, {"DEADQ": ""})
    ended = mqsc("dlq", "show")
    assert (ended.code, ended.out) == (10, "")
    assert "no dead-letter queue" in ended.err


def test_the_real_tables(mqsc: Command, qmgr: QueueManager, corpus: Path) -> None:
    """Tables by other people: each is checked and tried without a traceback, and refused or advised on as it is."""
    tables = sorted((corpus / "dlq").glob("*.rul"))
    assert len(tables) >= 10
    for path in tables:
        checked, tried = mqsc("dlq", "check", str(path)), mqsc("dlq", "test", str(path), "-m", "QM1", "--queue", " ")
        assert (checked.code, tried.code) in ((0, 0), (10, 20)), path
        assert ("AMQ8758" in checked.out or "AMQ8750" in checked.out) is (checked.code == 10)
        if tried.code == 0:
            counts = [int(line.split()[2]) for line in tried.lines if re.match(r"line \d|no rule|no MQDLH", line)]
            assert sum(counts) == 5
