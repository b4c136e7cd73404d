"""`mqsc import --follow` of a log that grows and rotates: killed at any moment, it imports each
record once.
"""

from __future__ import annotations

import json
import os
import random
from collections import Counter
from pathlib import Path
from signal import SIGINT, SIGKILL
from time import monotonic

import pytest

import mqsc
from mqsc.imports.qload_output import heading
from mqsc.store.admin.event_search import EventSelection, events
from mqsc.store.client.store import open_store
from mqsc.store.constants import MQOO
from mqsc.store.error import MQError
from tests.processes.conftest import Start
from tests.processes.programs import PATIENCE_SECONDS, Program

# 200 before a release.
KILLS = int(os.environ.get("MQSC_IMPORT_KILLS", "6"))
KILLS_PER_FOLDER = 6


class Log:
    """A log that a queue manager writes into a folder: three files, of which the first is the
    newest.
    """

    def __init__(self, folder: Path, chance: random.Random) -> None:
        self.folder = folder
        self.written = Counter[str]()
        self._chance = chance
        self._rotations = 2
        folder.mkdir()

    def write(self) -> None:
        """Write some records; a writer may stop in the middle of one, and equal ones may follow
        one another.
        """
        for _ in range(self._chance.randrange(1, 80)):
            number = len(self.written)
            for _ in range(self._chance.choice((1, 1, 1, 2, 3))):
                self.written[str(number)] += 1
                text = record(number)
                cut = self._chance.randrange(len(text))
                self._append(text[:cut])
                self._append(text[cut:])
        if self._rotations and self._chance.random() < 0.4:
            self._rotations -= 1
            self._rotate()

    def _append(self, text: str) -> None:
        with (self.folder / "AMQERR01.LOG").open("a") as file:
            file.write(text)

    def _rotate(self) -> None:
        first, second, third = (self.folder / f"AMQERR0{number}.LOG" for number in (1, 2, 3))
        if second.exists():
            second.rename(third)
        first.rename(second)


def record(number: int) -> str:
    """A record with its number as an insert, a second after the one before."""
    hours, rest = divmod(number, 3600)
    time = f"{9 + hours:02}:{rest // 60:02}:{rest % 60:02}"
    return (
        f"03/01/2026 {time} - Process(10.1) User(mqm) Program(amqzxma0) Host(shop1) QMgr(SHOP)\n"
        f"                    Time(2026-03-01T{time}.000Z)\n                    "
        f"CommentInsert1({number})\n\n"
        f"AMQ5026I: Record {number}.\n\nEXPLANATION:\nWhy.\nACTION:\nNone.\n----- a.c : 1 "
        "----------------------\n"
    )


def imported(url: str) -> Counter[str]:
    """How often each record is in the history."""
    with open_store(url) as store:
        details = (each.detail for each in events(store, EventSelection(kinds=frozenset({"LOG"}))))
        return Counter(str(each["inserts"]["CommentInsert1"]) for each in details)


def until_all_are_there(program: Program, url: str, expected: Counter[str]) -> None:
    """Wait until so many records are in the history."""
    end = monotonic() + PATIENCE_SECONDS
    while imported(url).total() < expected.total():
        assert monotonic() < end, expected - imported(url)
        program.is_silent(0.1)


@pytest.mark.parametrize("seed", range(0, KILLS, KILLS_PER_FOLDER))
def test_each_record_is_imported_once_however_often_it_is_killed(
    command: Start,
    url: str,
    tmp_path: Path,
    seed: int,
) -> None:
    chance = random.Random(seed)
    log = Log(tmp_path / "errors", chance)
    log.write()
    for _ in range(min(KILLS - seed, KILLS_PER_FOLDER)):
        with command("import", "--follow", str(log.folder)) as program:
            program.is_silent(chance.uniform(0.02, 0.6))
            log.write()
            program.is_silent(chance.uniform(0, 0.1))
            program.signal(SIGKILL)
            assert program.wait() == -SIGKILL
        log.write()
    with command("import", "--follow", str(log.folder)) as program:
        until_all_are_there(program, url, log.written)
        program.signal(SIGINT)
        code, _, errors = program.rest()
    assert (code, errors) == (0, "")
    assert imported(url) == log.written
    # A plain import of the same files adds nothing.
    with command("import", str(log.folder)) as program:
        code, output, errors = program.rest()
    assert (code, json.dumps(errors), "already there" in output) == (0, '""', True)
    assert imported(url) == log.written


def test_two_programs_that_import_a_file_of_messages_put_each_message_once(
    command: Start,
    url: str,
    tmp_path: Path,
) -> None:
    with open_store(url) as store:
        store.create_queue_manager("SHOP")
        qmgr = store.queue_manager("SHOP")
        mqsc.run(qmgr, "DEFINE QLOCAL(ORDERS) MAXDEPTH(99999)", check=True)
    file = tmp_path / "orders.qload"
    lines = [
        *heading("SHOP", "ORDERS", "now"),
        *(line for number in range(5000) for line in ("N", f"X {number:08X}", "")),
    ]
    file.write_text("\n".join((*lines, "")))
    with command("import", str(file)) as one, command("import", str(file)) as other:
        ends = [one.rest(), other.rest()]
    assert [code for code, _, _ in ends].count(0) >= 1
    assert all("another program imports it" in errors for code, _, errors in ends if code)
    with open_store(url) as store, store.queue_manager("SHOP").connect() as connection:
        queue = connection.open("ORDERS", MQOO.INPUT_AS_Q_DEF)
        assert [int.from_bytes(queue.get().body, "big") for _ in range(5000)] == [*range(5000)]
        with pytest.raises(MQError, match="2033"):
            queue.get()
