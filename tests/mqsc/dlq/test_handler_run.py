"""Runs of the handler: their beginning and end, tables that change meanwhile, random tables, and
failures.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path
from random import Random
from threading import Event
from typing import Any

import pytest

from mqsc.agents.stopping import StopRequested
from mqsc.console.inputs import InputError
from mqsc.dlq.handler import HANDLER_OPEN_OPTIONS, Handler
from mqsc.dlq.handler_run import HandlerArguments, HandlerOutput, TableSource, run_handler
from mqsc.dlq.notices import PUT_FAILED, Notice
from mqsc.dlq.table_reading import parse_table
from mqsc.dlq.watched_file import TableChanged, WatchedFile, watching
from mqsc.store.admin.altering import change_queue_manager
from mqsc.store.client.store import open_store
from mqsc.store.constants import MQOO, MQRC
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.headers import mqdlh
from mqsc.store.sqlite.database import Transaction
from tests.mqsc.dlq.handler_system import DLQ, HEADER, HandlerSystem, Ran
from tests.mqsc.dlq.tables import table
from tests.rows import rows


@rows(
    ("", HandlerArguments(), DLQ),
    ("INPUTQ(OTHER)", HandlerArguments(), "OTHER"),
    ("INPUTQ(OTHER)", HandlerArguments("THIRD"), "THIRD"),
    ("INPUTQ(OTHER)", HandlerArguments(" "), DLQ),  # T29
    ("INPUTQ(' ')", HandlerArguments(), DLQ),
    ("INPUTQM(NONE) INPUTQ(OTHER)", HandlerArguments(None, "QM1"), "OTHER"),
    ("INPUTQM(NONE)", HandlerArguments(None, " "), DLQ),
    ("INPUTQM(QM1)", HandlerArguments("OTHER"), "OTHER"),
)
def test_which_queue(
    system: HandlerSystem,
    control: str,
    asked: HandlerArguments,
    queue: str,
) -> None:
    """§1: arguments take precedence over the table's control entry."""
    system.define("OTHER", "THIRD")
    for name in (DLQ, "OTHER", "THIRD"):
        system.put_dead_letter(name, queue=name)
    assert system.run(f"WAIT(NO) {control}\nACTION(DISCARD)\n", asked).code == 0
    assert [name for name in (DLQ, "OTHER", "THIRD") if not system.seen(name)] == [queue]


def test_work_as_somebody_and_without_a_queue(system: HandlerSystem) -> None:
    system.put_dead_letter("x")
    system.run("WAIT(NO)\nACTION(DISCARD)\n", HandlerArguments(user="fred"))
    assert system.history("DISCARD")[0]["user"] == "fred"
    change_queue_manager(system.qmgr, {"DEADQ": ""})
    ran = system.run("WAIT(NO)\nACTION(DISCARD)\n")
    assert (ran.code, ran.ids) == (10, ["AMQ8745"])


@rows(
    ("WAIT(NO)\nACTION(DISCARD)\nACTION(RETRY) HEADER(NO)\n", ["AMQ8759", "AMQ8758"]),
    ("WAIT(NO)\nACTION(DISCARD)\nRETRY(0) ACTION(RETRY)\nX\n", ["AMQ8757", "MQSC0030", "AMQ8758"]),
    ("", ["AMQ8750"]),
    ("* nothing but this\n", ["AMQ8750"]),
)
def test_a_table_with_errors_touches_no_message(
    system: HandlerSystem,
    text: str,
    ids: list[str],
) -> None:
    """T20: all errors are reported, and no rule is applied, not even the valid ones."""
    system.put_dead_letter("x")
    ran = system.run(text)
    assert (ran.code, [message_id for _, message_id, _ in ran.said]) == (20, ids)
    assert system.seen(DLQ)[0].descriptor.backout_count == 0
    assert system.history("OPEN")[1:] == [], "only the open that put the letter"


def test_a_disconnection_that_fails_is_reported(system: HandlerSystem) -> None:
    """Another program holds the store when the handler tries to get, and still when it
    disconnects.
    """
    system.put_dead_letter("x", dest_q_name="NONE")
    system.store.database.busy_timeout = 0
    with open_store(f"sqlite:///{system.store.path}") as other, ExitStack() as holding:
        system.clock.schedule(
            3,
            lambda: holding.enter_context(Transaction(other.database, durable=False)),
        )
        ran = system.run("RETRYINT(5) WAIT(YES)\nACTION(RETRY) RETRY(9)\n")
    assert (ran.code, ran.ids[-1]) == (10, "AMQ8769")
    assert (
        ran.said[-1][2]
        == "Disconnecting failed: completion code 2, reason 2102 MQRC_RESOURCE_PROBLEM."
    )


def test_a_stop_before_the_table_is_read(system: HandlerSystem) -> None:
    """A signal ends the read, as on a terminal where nobody types."""

    def lines() -> list[str]:
        raise StopRequested

    system.put_dead_letter("x")
    said: list[str] = []
    output = HandlerOutput(lambda at, notice: said.append(notice.message_id), said.append)
    code = run_handler(
        system.store,
        TableSource("rules", lines),
        HandlerArguments(None, "QM1"),
        output,
        Event(),
    )
    assert (code, said) == (
        20,
        ["mqsc: stopped before the rules table was read; no message was processed"],
    )
    assert len(system.seen(DLQ)) == 1


KEEP = "WAIT(20) RETRYINT(60)\nACTION(IGNORE)\n"
THROW = "WAIT(20) RETRYINT(60)\nREASON(2053) ACTION(DISCARD)\n"


class Changing:
    """A rules table that is changed while the handler waits."""

    def __init__(self, path: Path, system: HandlerSystem) -> None:
        self.path, self.system = path, system
        path.write_text(KEEP)
        self.watched = WatchedFile(str(path))
        self.lines: Callable[[], list[bytes]] = lambda: path.read_bytes().splitlines(keepends=True)

    def at(self, seconds: int, change: Callable[[], object]) -> None:
        """Change the file at that second, and notify the waiting handler."""

        def happen() -> None:
            change()
            assert not self.watched.has_changed(), "a program may still be writing it"
            assert self.watched.has_changed()
            raise TableChanged

        self.system.clock.schedule(seconds, happen)

    def run(self) -> tuple[int, str]:
        """Run the handler; return its exit code, and its messages with their times."""
        said: list[tuple[int, str, str]] = []
        began = self.system.clock.began

        def log(at: int, notice: Notice) -> None:
            said.append(((at - began) // 1_000_000, notice.message_id, notice.text))

        rules, output = (
            TableSource("rules", lambda: self.lines(), self.watched),
            HandlerOutput(log, lambda _: None),
        )
        code = run_handler(self.system.store, rules, HandlerArguments(), output, Event())
        return code, Ran(code, said, []).timeline


@pytest.fixture
def changing(tmp_path: Path, system: HandlerSystem) -> Changing:
    system.put_dead_letter("x")
    return Changing(tmp_path / "rules.rul", system)


def test_new_rules_are_used_at_once(changing: Changing, system: HandlerSystem) -> None:
    changing.at(5, lambda: changing.path.write_text(THROW))
    assert (changing.run(), system.on(DLQ)) == ((0, "5 MQSC0032, 25 end"), [])


def test_a_table_with_errors_is_rejected(changing: Changing, system: HandlerSystem) -> None:
    changing.at(5, lambda: changing.path.write_text("ACTION(DISCARD) RETRY(0)\n"))
    assert (changing.run(), system.on(DLQ)) == (
        (0, "5 AMQ8757, 5 AMQ8758, 5 MQSC0033, 20 end"),
        ["x"],
    )


def test_a_file_that_can_no_longer_be_read(changing: Changing, system: HandlerSystem) -> None:
    changing.at(5, lambda: changing.path.write_text(THROW))
    lines = changing.lines

    def gone() -> list[bytes]:
        raise InputError("it cannot be read")

    changing.lines = lambda: gone() if system.clock.seconds else lines()
    assert changing.run() == (0, "5 MQSC0033, 20 end")


def test_without_watching_the_file_is_read_once(system: HandlerSystem, tmp_path: Path) -> None:
    path = tmp_path / "rules.rul"
    path.write_text(KEEP)
    system.put_dead_letter("x")
    system.clock.schedule(5, lambda: path.write_text(THROW))
    output = HandlerOutput(lambda *_: None, lambda _: None)
    rules = TableSource("rules", lambda: [path.read_bytes()])
    assert (
        run_handler(system.store, rules, HandlerArguments(), output, Event()),
        system.on(DLQ),
    ) == (0, ["x"])


@pytest.fixture
def written(tmp_path: Path) -> Path:
    path = tmp_path / "rules.rul"
    path.write_text("a")
    return path


def test_a_file_changes_once(written: Path) -> None:
    file = WatchedFile(str(written))
    assert not file.has_changed()
    written.write_text("ab")
    assert [file.has_changed() for _ in range(4)] == [False, True, False, False]


def test_a_file_that_is_being_written(written: Path) -> None:
    """A change counts only once the file has stopped changing."""
    file = WatchedFile(str(written))
    for text, changed in (("", False), ("", False), ("ab", False), ("abc", False), ("abc", True)):
        if text != written.read_text():
            written.write_text(text)
        assert file.has_changed() is changed


def test_a_file_that_is_replaced(written: Path) -> None:
    file = WatchedFile(str(written))
    written.unlink()
    assert [file.has_changed() for _ in range(3)] == [False] * 3
    written.with_suffix(".new").write_text("b")
    written.with_suffix(".new").rename(written)
    assert [file.has_changed() for _ in range(3)] == [False, True, False]


def test_a_wait_ends_when_the_file_changes(written: Path, system: HandlerSystem) -> None:
    clock = watching(system.store.environment, WatchedFile(str(written))).clock
    clock.pause(0.01)
    assert (clock.now(), clock.frozen) == (system.clock.now(), True)
    written.write_text("ab")
    clock.pause(0.01)
    with pytest.raises(TableChanged):
        clock.pause(0.01)


TRIALS = 12
ACTIONS = (
    "ACTION(RETRY)",
    "ACTION(FWD) FWDQ(NOWHERE)",
    "ACTION(FWD) FWDQ(GONE) HEADER(NO)",
    "ACTION(IGNORE)",
)


# Patterns, and whether the fields of a message match.
PATTERNS: dict[str, Callable[[dict[str, Any]], bool]] = {
    "": lambda fields: True,
    "DESTQ(A*)": lambda fields: fields["dest_q_name"].startswith("A"),
    "DESTQ(B)": lambda fields: fields["dest_q_name"] == "B",
    "REASON(2053)": lambda fields: fields["reason"] == 2053,
    "PERSIST(1)": lambda fields: fields["persistence"] == 1,
}


def attempts(fields: dict[str, Any], rules: list[tuple[str, str, int]]) -> list[int]:
    """Return the number of the rule for each attempt, computed in the simplest way."""
    found = []
    for number, (pattern, action, retry) in enumerate(rules):
        if PATTERNS[pattern](fields):
            if action == "ACTION(IGNORE)":
                break
            found += [number] * retry
    return found


@pytest.mark.parametrize("seed", range(TRIALS))
def test_attempts(system: HandlerSystem, seed: int) -> None:
    """T03, T04, T05, T24: every attempt is made, whatever WAIT is."""
    chance = Random(seed)
    rules = [
        (chance.choice([*PATTERNS]), chance.choice(ACTIONS), chance.choice((1, 1, 2, 3, 7)))
        for _ in range(chance.randint(1, 5))
    ]
    choices: dict[str, tuple[Any, ...]] = {
        "dest_q_name": ("AX", "AY", "B", "C"),
        "reason": (2030, 2053),
        "persistence": (0, 1),
    }
    messages = [
        {name: chance.choice(values) for name, values in choices.items()}
        for _ in range(chance.randint(1, 8))
    ]
    identifiers = [
        system.put_dead_letter("x", **each, priority=at).msg_id for at, each in enumerate(messages)
    ]
    interval = chance.choice((1, 3, 60))
    control = f"WAIT({chance.choice(('NO', '5', '40'))}) RETRYINT({interval})\n"
    ran = system.run(
        control
        + "".join(f"{pattern} {action} RETRY({retry})\n" for pattern, action, retry in rules),
    )
    assert (ran.code, ran.said[-1][1], len(system.seen(DLQ))) == (0, "AMQ8709", len(messages))
    for fields, msg_id in zip(messages, identifiers, strict=True):
        told = [
            (seconds, re.search(rf"line (\d+) .*MsgId {msg_id.hex().upper()}", text))
            for seconds, _, text in ran.said
        ]
        failed = [(seconds, int(found[1]) - 2) for seconds, found in told if found]
        assert [number for _, number in failed] == attempts(fields, rules)
        assert all(after - before >= interval for (before, _), (after, _) in pairwise(failed))


def test_an_attempt_comes_a_full_interval_after_the_end_of_the_last(system: HandlerSystem) -> None:
    """An attempt takes as long as its put."""
    system.put_dead_letter("x", dest_q_name="NOWHERE")
    rules = table("WAIT(NO) RETRYINT(5)\nACTION(RETRY) RETRY(3)\n")
    began: list[int] = []
    ended: list[int] = []

    def times_moved(descriptor: MessageDescriptor, target: str) -> int:
        began.append(system.clock.seconds)
        system.clock.advance(3)
        return 0

    with system.qmgr.connect("handler") as connection:
        queue = connection.open(DLQ, HANDLER_OPEN_OPTIONS)
        report = lambda failure: ended.append(system.clock.seconds)  # noqa: E731
        Handler(queue, rules, report, lambda *_: False, times_moved).run(lambda: True)
    assert (began, ended) == ([0, 8, 16], [3, 11, 19])


def test_a_clock_that_is_advanced_as_soon_as_a_failure_is_reported(system: HandlerSystem) -> None:
    """The wait for the next attempt may begin only afterwards, and nothing else would end it."""
    system.put_dead_letter("x", dest_q_name="NOWHERE")
    failures: list[int] = []
    system.clock.end = 0

    def log(at: int, told: Notice) -> None:
        if told.message_id == PUT_FAILED:
            failures.append(system.clock.seconds)
            system.clock.advance(30)

    source = TableSource("table", lambda: ["WAIT(NO) RETRYINT(30)\nACTION(RETRY) RETRY(3)\n"])
    output = HandlerOutput(log, print)
    assert (run_handler(system.store, source, HandlerArguments(), output, Event()), failures) == (
        0,
        [0, 30, 60],
    )


RETRY = "WAIT(NO)\nACTION(RETRY)\n"
FORWARD = "WAIT(NO)\nACTION(FWD) FWDQ(REST)\n"


@rows(
    (
        "WAIT(NO) INPUTQ(NOPE)\nACTION(RETRY)\n",
        HandlerArguments(),
        "AMQ8745",
        "2085 MQRC_UNKNOWN_OBJECT_NAME",
    ),
    (RETRY, HandlerArguments(None, "NOPE"), "AMQ8741", "2058 MQRC_Q_MGR_NAME_ERROR"),
    ("INPUTQM(NOPE)\nACTION(RETRY)\n", HandlerArguments(), "AMQ8741", "2058 MQRC_Q_MGR_NAME_ERROR"),
)
def test_what_does_not_exist(
    system: HandlerSystem,
    table: str,
    asked: HandlerArguments,
    said: str,
    says: str,
) -> None:
    ran = system.run(table, asked)
    assert (ran.code, ran.ids) == (10, [said])
    assert says in next(text for _, message_id, text in ran.said if message_id == said)
    assert ([ran.said[0][1], ran.said[-1][1]] == ["AMQ8708", "AMQ8709"]) is (said == "AMQ8745")


def test_a_queue_manager_that_has_ended(system: HandlerSystem) -> None:
    system.qmgr.end()
    ran = system.run(RETRY)
    assert (ran.code, ran.ids) == (20, ["AMQ8741"])
    assert "Cannot connect to queue manager QM1" in ran.said[0][2]


@pytest.mark.parametrize("attributes", [{"DEFSOPT": "EXCL"}, {"SHARE": "NOSHARE"}])
def test_a_queue_that_another_has_exclusively(
    system: HandlerSystem,
    attributes: dict[str, str],
) -> None:
    """§4.1: opened according to DEFSOPT and SHARE; a second handler gets 2042 and ends."""
    system.alter(DLQ, **attributes)
    system.put_dead_letter("x")
    with system.qmgr.connect() as connection:
        connection.open(DLQ, MQOO.INPUT_AS_Q_DEF)
        ran = system.run(RETRY)
    assert (ran.code, ran.ids) == (10, ["AMQ8745"])
    assert "2042 MQRC_OBJECT_IN_USE" in ran.said[1][2]


def test_a_queue_that_is_inhibited_for_put(system: HandlerSystem) -> None:
    """The handler works, because it never puts there."""
    system.define("Q1")
    system.put_dead_letter("x")
    system.alter(DLQ, PUT="DISABLED")
    assert (system.run(RETRY).code, system.on("Q1")) == (0, ["x"])


def test_a_queue_that_is_inhibited_for_get(system: HandlerSystem) -> None:
    """§4.6: 2016 ends the handler, both at the start and during a wait."""
    system.alter(DLQ, GET="DISABLED")
    ran = system.run(RETRY)
    assert (ran.code, ran.ids) == (10, ["AMQ8748"])
    system.alter(DLQ, GET="ENABLED")
    system.clock.schedule(30, lambda: system.alter(DLQ, GET="DISABLED"))
    ran = system.run("WAIT(YES)\nACTION(RETRY)\n")
    assert (ran.code, ran.times("AMQ8748"), ran.times("AMQ8709")) == (10, [30], [30])


@pytest.mark.parametrize("immediate", [False, True])
def test_a_queue_manager_that_ends_during_a_wait(system: HandlerSystem, immediate: bool) -> None:
    """§4.6: only the exit code reports it."""
    system.put_dead_letter("x", dest_q_name="NOWHERE")
    system.clock.schedule(30, lambda: system.qmgr.end(immediate=immediate))
    ran = system.run("WAIT(YES)\nREASON(2053) ACTION(IGNORE)\n")
    assert (ran.code, ran.ids, ran.times("AMQ8709"), ran.talk) == (
        10,
        [],
        [],
        ["mqsc: the queue manager has ended"],
    )


def test_a_target_that_fills_up(system: HandlerSystem) -> None:
    """Two of five fit; the others stay, and are moved once there is room again."""
    system.define("REST", MAXDEPTH=2)
    system.put_dead_letters(*"01234")
    ran = system.run(FORWARD)
    assert (ran.code, ran.ids, system.on("REST"), system.on(DLQ)) == (
        0,
        ["AMQ8722"] * 3,
        [*"01"],
        [*"234"],
    )
    assert "2053 MQRC_Q_FULL" in ran.said[1][2]
    system.alter("REST", MAXDEPTH=4)
    assert (system.run(FORWARD).ids, system.on("REST"), system.on(DLQ)) == (
        ["AMQ8722"],
        [*"0123"],
        ["4"],
    )


def test_a_target_that_is_deleted_during_a_wait(system: HandlerSystem) -> None:
    system.define("Q1")
    system.put_dead_letter("first")
    system.clock.schedule(10, lambda: system.delete("Q1"))
    system.clock.schedule(20, lambda: system.put_dead_letter("second"))
    ran = system.run("WAIT(30)\nACTION(RETRY)\n")
    assert (ran.code, ran.times("AMQ8722"), system.on(DLQ)) == (0, [20], ["second"])
    assert "2085 MQRC_UNKNOWN_OBJECT_NAME" in ran.said[1][2]


def test_a_blank_reply_queue(system: HandlerSystem) -> None:
    """§2.3: the put to &REPLYQ fails; the pattern REPLYQ(?*) prevents that."""
    system.define("ANSWERS")
    system.put_dead_letter("without")
    system.put_dead_letter("with", reply_to_q="ANSWERS", reply_to_q_mgr="QM1")
    ran = system.run("WAIT(NO)\nACTION(FWD) FWDQ(&REPLYQ) FWDQM(&REPLYQM) HEADER(NO)\n")
    assert (ran.code, ran.ids, system.on("ANSWERS"), system.on(DLQ)) == (
        0,
        ["AMQ8722"],
        ["with"],
        ["without"],
    )
    assert "to (blank) on QM1 failed: reason 2085" in ran.said[1][2]
    guarded = "WAIT(NO)\nREPLYQ(?*) ACTION(FWD) FWDQ(&REPLYQ)\n"
    assert system.run(guarded).ids == []


GOOD = mqdlh.pack_mqdlh(HEADER)


@rows(
    GOOD[:4] + b"\x02\0\0\0" + GOOD[8:],
    GOOD[:4] + bytes(4) + GOOD[8:],
    GOOD[:171],
    b"DLH ",
    b"",
    b"XQH " + GOOD[4:],
    b"dlh " + GOOD[4:],
    mqdlh.pack_mqdlh(HEADER, 273),
    mqdlh.pack_mqdlh(HEADER, 546, 500),
)
def test_invalid_headers(system: HandlerSystem, body: bytes) -> None:
    """§4.2: no rule applies, and the message is not changed."""
    system.put(DLQ, body, format="MQDEAD", coded_char_set_id=1208, encoding=546)
    assert system.run("WAIT(NO)\nACTION(DISCARD)\n").ids == ["AMQ8721"]
    assert [left.body for left in system.seen(DLQ)] == [body]


@pytest.mark.parametrize("format", ["MQDEAD", "", "MQSTR"])
def test_the_format_of_the_descriptor_does_not_matter(system: HandlerSystem, format: str) -> None:
    """§4.2: exactly 172 bytes are enough."""
    system.put(DLQ, GOOD, format=format, coded_char_set_id=1208)
    assert (system.run("WAIT(NO)\nACTION(DISCARD)\n").ids, system.seen(DLQ)) == ([], [])


def test_a_header_that_no_descriptor_can_take_over(system: HandlerSystem) -> None:
    """If the header's format, queue or character set is not valid text, the put fails like any
    other.
    """
    system.define("Q1")
    header = bytearray(GOOD + b"x")
    header[116:124] = b"\xff" * 8
    system.put(DLQ, bytes(header), format="MQDEAD", coded_char_set_id=1208)
    header[116:124], header[12:16] = b"MQSTR   ", b"\xff\xfe\n'"
    system.put(DLQ, bytes(header), format="MQDEAD", coded_char_set_id=1208)
    ran = system.run(RETRY)
    assert (ran.code, ran.ids, len(system.seen(DLQ))) == (0, ["AMQ8722", "AMQ8722"], 2)


def test_every_reason(system: HandlerSystem) -> None:
    """A dead letter for each MQRC; only the rule that names it applies."""
    names = sorted({int(member): name for name, member in MQRC.__members__.items()}.items())
    rules = "".join(
        f"REASON(MQRC_{name}) ACTION(FWD) FWDQ(REST) HEADER(YES)\n" for number, name in names
    )
    assert parse_table([rules]).table is not None
    system.define("REST", MAXDEPTH=100_000)
    for number, _ in names:
        system.put_dead_letter(f"{number}", reason=number)
    ran = system.run("WAIT(NO)\n" + rules)
    assert (ran.code, ran.ids, system.on(DLQ)) == (0, [], [])
    lines = {int(row["rule"]) - 2: row["reason"] for row in system.history("FORWARD")}
    assert lines == {index: number or None for index, (number, _) in enumerate(names)}


def test_a_message_removed_under_the_handler(system: HandlerSystem) -> None:
    """Another program gets it while it waits for its retry, so nothing remains to be done."""
    system.put_dead_letter("x", dest_q_name="NOWHERE")
    system.clock.schedule(30, system.take)
    ran = system.run("WAIT(NO)\nACTION(RETRY) RETRY(5)\n")
    assert (ran.code, ran.times("AMQ8722"), ran.times("AMQ8709")) == (0, [0], [60])
