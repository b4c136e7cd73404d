"""Backups taken while programs write: every copy is intact and shows the state after some commit."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import text

from store.admin.defining import create
from store.admin.health import back_up
from store.catalog import KINDS
from store.client.api import QueueManager, Store, open_store
from store.sqlite.database import Reading
from store.sqlite.statement import Statement
from tests.processes.programs import PATIENCE_SECONDS
from tests.source import ROOT

BACKUPS = 25
PAIR = 2
# Puts pairs of messages on Q and gets some of them, in units of work, until there is input on stdin.
_WRITER = """
import select, sys
from store import GetMessageOptions, Message, MessageDescriptor, PutMessageOptions, open_store
from store.constants import MQGMO, MQOO, MQPMO
with open_store(sys.argv[1]) as store, store.queue_manager("QM1").connect() as connection:
    handle = connection.open("Q", MQOO.INPUT_SHARED | MQOO.OUTPUT)
    number = 0
    while not select.select([sys.stdin], [], [], 0)[0]:
        number += 1
        body = b"m" * (number % 50 * 400)
        pair = [Message(body, MessageDescriptor(persistence=1)) for _ in range(2)]
        handle.put(pair, PutMessageOptions(MQPMO.SYNCPOINT))
        if number % 3 == 0:
            for _ in range(2):
                handle.get(GetMessageOptions(MQGMO.SYNCPOINT))
        connection.commit()
        if number == 1:
            print("writing", flush=True)
print(number)
"""
_COUNTS = Statement(
    text(
        "SELECT (SELECT depth FROM queue WHERE name = 'Q'),"
        " (SELECT count(*) FROM message JOIN queue ON queue.id = message.queue WHERE queue.name = 'Q'),"
        " (SELECT count(*) - max(seq) FROM event)"
    )
)
_INTEGRITY = Statement(text("PRAGMA integrity_check"))


@pytest.mark.timeout(300)
def test_every_backup_made_while_a_program_writes_is_consistent(
    store: Store, qmgr: QueueManager, url: str, tmp_path: Path
) -> None:
    create(qmgr, KINDS["QLOCAL"], "Q", {"MAXDEPTH": 999_999})
    command = [sys.executable, "-c", _WRITER, url]
    pipe = subprocess.PIPE
    copies = [tmp_path / f"copy{number}.db" for number in range(BACKUPS)]
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as writer:
        try:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "writing\n"
            for copy in copies:
                back_up(store, copy)
            assert writer.poll() is None
            written, _ = writer.communicate(timeout=PATIENCE_SECONDS)
        finally:
            writer.kill()
    ends = [consistent_end(copy) for copy in copies]
    assert ends == sorted(ends)
    assert 0 < ends[0] < ends[-1] <= int(written) * PAIR


def consistent_end(copy: Path) -> int:
    """Check that depth, rows and history of the copy agree; return the number of messages put."""
    with open_store(f"sqlite:///{copy}") as store:
        store.recover()
        with Reading(store.database) as reading:
            depth, rows, gaps = reading.one(_COUNTS)
            assert reading.value(_INTEGRITY) == "ok"
            puts = int(reading.value(Statement(text("SELECT count(*) FROM event WHERE kind = 'PUT' AND queue = 'Q'"))))
    assert gaps == 0
    assert depth == rows
    assert depth % PAIR == 0
    return puts
