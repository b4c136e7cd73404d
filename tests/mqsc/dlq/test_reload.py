"""A rules table that changes while the handler runs: reloaded at once with --watch, otherwise at the next start."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest

from mqsc.console.inputs import InputError
from mqsc.dlq.handler_run import (
    HandlerArguments,
    HandlerOutput,
    TableChanged,
    TableSource,
    WatchedFile,
    run_handler,
    watching,
)
from mqsc.dlq.notices import RULE_TOTALS, TOTALS, Notice
from tests.mqsc.dlq.handler_system import DLQ, HandlerSystem

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

    def run(self) -> tuple[int, list[tuple[int, str]]]:
        """Run the handler; return its exit code, and its messages with their times, without the totals."""
        said: list[tuple[int, str]] = []
        clock = self.system.clock

        def log(at: int, notice: Notice) -> None:
            if notice.message_id not in (RULE_TOTALS, TOTALS):
                said.append(((at - clock.began) // 1_000_000, notice.message_id))

        rules = TableSource("rules", lambda: self.lines(), self.watched)
        code = run_handler(self.system.store, rules, HandlerArguments(), HandlerOutput(log, lambda _: None), Event())
        return code, said


@pytest.fixture
def changing(tmp_path: Path, system: HandlerSystem) -> Changing:
    system.put_dead_letter("x")
    return Changing(tmp_path / "rules.rul", system)


def test_new_rules_are_used_at_once(changing: Changing, system: HandlerSystem) -> None:
    changing.at(5, lambda: changing.path.write_text(THROW))
    assert changing.run() == (0, [(0, "AMQ8708"), (5, "MQSC0032"), (25, "AMQ8709")])
    assert system.on(DLQ) == []


def test_a_table_with_errors_is_rejected(changing: Changing, system: HandlerSystem) -> None:
    changing.at(5, lambda: changing.path.write_text("ACTION(DISCARD) RETRY(0)\n"))
    assert changing.run() == (
        0,
        [(0, "AMQ8708"), (5, "AMQ8757"), (5, "AMQ8758"), (5, "MQSC0033"), (20, "AMQ8709")],
    )
    assert system.on(DLQ) == ["x"]


def test_a_file_that_can_no_longer_be_read(changing: Changing, system: HandlerSystem) -> None:
    changing.at(5, lambda: changing.path.write_text(THROW))
    lines = changing.lines

    def gone() -> list[bytes]:
        raise InputError("it cannot be read")

    changing.lines = lambda: gone() if system.clock.seconds else lines()
    assert changing.run() == (0, [(0, "AMQ8708"), (5, "MQSC0033"), (20, "AMQ8709")])


def test_without_watching_the_file_is_read_once(system: HandlerSystem, tmp_path: Path) -> None:
    path = tmp_path / "rules.rul"
    path.write_text(KEEP)
    system.put_dead_letter("x")
    system.clock.schedule(5, lambda: path.write_text(THROW))
    rules = TableSource("rules", lambda: [path.read_bytes()])
    assert (
        run_handler(system.store, rules, HandlerArguments(), HandlerOutput(lambda *_: None, lambda _: None), Event())
        == 0
    )
    assert system.on(DLQ) == ["x"]


def test_a_file_changes_once(tmp_path: Path) -> None:
    path = tmp_path / "rules.rul"
    path.write_text("a")
    file = WatchedFile(str(path))
    assert not file.has_changed()
    path.write_text("ab")
    assert [file.has_changed() for _ in range(4)] == [False, True, False, False]


def test_a_file_that_is_being_written(tmp_path: Path) -> None:
    """A change counts only once the file has stopped changing."""
    path = tmp_path / "rules.rul"
    path.write_text("a")
    file = WatchedFile(str(path))
    for text, changed in (("", False), ("", False), ("ab", False), ("abc", False), ("abc", True)):
        if text != path.read_text():
            path.write_text(text)
        assert file.has_changed() is changed


def test_a_file_that_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "rules.rul"
    path.write_text("a")
    file = WatchedFile(str(path))
    path.unlink()
    assert [file.has_changed() for _ in range(3)] == [False] * 3
    path.with_suffix(".new").write_text("b")
    path.with_suffix(".new").rename(path)
    assert [file.has_changed() for _ in range(3)] == [False, True, False]


def test_a_wait_ends_when_the_file_changes(tmp_path: Path, system: HandlerSystem) -> None:
    path = tmp_path / "rules.rul"
    path.write_text("a")
    clock = watching(system.store.environment, WatchedFile(str(path))).clock
    clock.pause(0.01)
    assert (clock.now(), clock.frozen) == (system.clock.now(), True)
    path.write_text("ab")
    clock.pause(0.01)
    with pytest.raises(TableChanged):
        clock.pause(0.01)
