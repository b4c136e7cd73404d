"""Queue managers of one store with clocks of their own: what is asked of one is answered by its
clock.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from mqsc import run
from mqsc.store.client.store import Store, open_store
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.message import Message
from tests.mqsc.conftest import Command

START = 1_772_355_600_000_000  # 2026-03-01T09:00
HOUR = 3_600_000_000
# Tenths of a second.
TEN_MINUTES = 6_000


@pytest.fixture
def shops(tmp_path: Path, mqsc: Command) -> Command:
    """QM1 is ten hours ahead of QM2. On Q of QM2 are messages of 09:00 and 09:05 that expire
    after ten minutes.
    """
    with open_store(f"sqlite:///{tmp_path}/store.db") as store:
        for name, hours in (("QM1", 10), ("QM2", 0)):
            run(
                store.create_queue_manager(name, manual_clock_at=START + hours * HOUR),
                "DEFINE QLOCAL(Q)",
                check=True,
            )
        put(store, "QM2")
        store.queue_manager("QM2").advance_clock(HOUR // 12)
        put(store, "QM2")
        put(store, "QM1")
    return mqsc


def put(store: Store, name: str) -> None:
    with store.queue_manager(name).connect("shop") as connection:
        connection.put1("Q", Message(b"x", MessageDescriptor(expiry=TEN_MINUTES)))


def last_event(mqsc: Command) -> str:
    return str(mqsc("history", "--format", "jsonl").rows[-1]["seq"])


def test_as_of_an_event_of_another_queue_manager(shops: Command) -> None:
    seq = last_event(shops)
    shops("clock", "advance", "1h", "-m", "QM2")
    ended = shops("browse", "Q", "-m", "QM2", "--as-of", seq, "--format", "jsonl")
    assert len(ended.rows) == 2
    assert "2026-03-01T09:05:00Z" in ended.err
    assert shops("browse", "Q", "-m", "QM1", "--as-of", seq).code == 0
    # By time, the moment is one of the clock that was asked.
    assert (
        "2026-03-01T09:06:00Z"
        in shops("browse", "Q", "-m", "QM2", "--as-of", "2026-03-01T09:06:00").err
    )


def test_depths_since_a_time(shops: Command) -> None:
    rows = shops("depth", "Q", "-m", "QM2", "--since", "3m", "--format", "jsonl").rows
    assert [(row["change"], row["depth"]) for row in rows] == [(1, 2)]


def test_the_audit_since_a_time(shops: Command) -> None:
    rows = {
        (row["qmgr"], row["queue"]): row
        for row in shops("reconcile", "--since", "3m", "--format", "jsonl").rows
    }
    assert (rows["QM2", "Q"]["before"], rows["QM2", "Q"]["put"]) == (1, 1)
    assert (rows["QM1", "Q"]["before"], rows["QM1", "Q"]["put"]) == (0, 1)
    rows = {
        (row["qmgr"], row["queue"]): row
        for row in shops("reconcile", "--until", "3m", "--format", "jsonl").rows
    }
    assert (rows["QM2", "Q"]["put"], ("QM1", "Q") in rows) == (1, False)


def test_bisect_since_a_time(shops: Command) -> None:
    ended = shops("bisect", "QLOCAL(Q) WHERE(CURDEPTH GT 1)", "-m", "QM2", "--since", "3m")
    assert (ended.code, "message put on Q" in ended.out) == (0, True), ended.err


def test_scans_of_whatif_follow_the_clock_of_the_queue_manager(shops: Command) -> None:
    ended = shops("whatif", "--refresh", "every 1m", "-m", "QM2", "--since", "2026-03-01T09:00")
    # Nothing has expired by 09:05, though QM1 shows 19:00.
    assert (ended.code, ended.err) == (0, ""), ended.out
    assert (
        shops("whatif", "--refresh", "every 1m", "-m", "QM2", "--since", last_event(shops)).code
        == 20
    )
