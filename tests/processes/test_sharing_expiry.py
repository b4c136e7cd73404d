"""Exactly one member of a group scans shared queues at any moment, whatever is killed and changed (S43, S44, E27)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from mqsc import Message, MessageDescriptor, run
from store.client.api import QueueManager, Store
from store.sql.schema import event
from store.sqlite.database import Reading
from store.sqlite.statement import Statement
from tests.mqsc.agents.scripts import wait_until
from tests.processes.campaign import held
from tests.source import ROOT


@pytest.mark.long
def test_every_scan_is_made_by_the_owner_at_that_moment(tmp_path: Path) -> None:
    """100 kills and changes; MQSC_KILLS sets another number for a longer run.

    Killed is `serve`, that of the owner most often; members end, start, and change EXPRYINT. The seed is printed and
    can be given back.
    """
    held("owner_driver", tmp_path, "steps", os.environ.get("MQSC_KILLS", "100"))


@pytest.fixture
def members(store: Store) -> list[QueueManager]:
    """QM1, QM2 and QM3 with the shared queue SQ; QM2 has had EXPRYINT(1) for the longest."""
    made = [store.create_queue_manager(f"QM{number}", group="QSG1") for number in (1, 2, 3)]
    run(made[0], "DEFINE CFSTRUCT(APPL1) CFLEVEL(5)\nDEFINE QLOCAL(SQ) QSGDISP(SHARED) CFSTRUCT(APPL1)", check=True)
    for index in (1, 0):
        run(made[index], "ALTER QMGR EXPRYINT(1)", check=True)
    return made


@pytest.fixture
def serves(members: list[QueueManager], url: str) -> Iterator[dict[str, subprocess.Popen[bytes]]]:
    """`mqsc serve` for each member; killed afterwards."""
    started = {}
    with ExitStack() as held:
        # The owner first: while no serve runs for it, that of another member would take over.
        for qmgr in (members[1], members[0], members[2]):
            command = [sys.executable, "-m", "mqsc", "serve", qmgr.name, "--store", url]
            process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE)
            held.callback(process.communicate)
            held.callback(process.kill)
            started[qmgr.name] = process
            assert process.stdout is not None
            process.stdout.readline()
        yield started


_EXPIRED = Statement(event.select().with_only_columns(event.c.detail).where(event.c.kind == "EXPIRE"))


def discarding(qmgr: QueueManager) -> str:
    """Put a message that expires at once; the member that discards it."""
    with Reading(qmgr.store.database) as reading:
        before = len(reading.all(_EXPIRED))
    with qmgr.connect() as connection:
        connection.put1("SQ", Message(b"x", MessageDescriptor(expiry=1)))

    def expired() -> list[str]:
        with Reading(qmgr.store.database) as reading:
            return [json.loads(detail)["member"] for (detail,) in reading.all(_EXPIRED)][before:]

    wait_until(lambda: bool(expired()))
    [member] = expired()
    return str(member)


def owner(qmgr: QueueManager) -> list[str]:
    [reply] = run(qmgr, "DISPLAY GROUP")
    return [row["QMNAME"] for row in reply.rows if row["EXPSCAN"] == "YES"]


def test_s44_e27_another_member_scans_after_the_serve_of_the_owner_was_killed(
    members: list[QueueManager], serves: dict[str, subprocess.Popen[bytes]]
) -> None:
    assert (discarding(members[2]), owner(members[2])) == ("QM2", ["QM2"])
    serves["QM2"].kill()
    serves["QM2"].wait()
    assert (discarding(members[2]), owner(members[2])) == ("QM1", ["QM1"])
