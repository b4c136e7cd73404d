"""Units of work in doubt."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select

from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQRC
from mqsc.store.engine.channel_event import ChannelEvent
from mqsc.store.engine.message_outcomes import MessageOutcome
from mqsc.store.sql.core.compiling import text_of
from mqsc.store.sql.core.schema import event
from mqsc.store.sqlite.database import Reading
from tests.rows import rows
from tests.scenarios.play import Play
from tests.scenarios.trigger_play import TriggerPlay
from tests.store.mqi.calls import reason_of

_HISTORY = text_of(select(event).order_by(event.c.seq))
BATCH = ChannelEvent(
    "batch",
    "TO.QM2",
    "Q",
    detail={"partner": "QM2", "role": "sender", "messages": 2},
)


def rows_of(qmgr: QueueManager, *kinds: str) -> list[dict[str, Any]]:
    with Reading(qmgr.store.database) as reading:
        rows = [dict(zip(event.columns.keys(), row, strict=True)) for row in reading.all(_HISTORY)]
    return [row for row in rows if row["kind"] in kinds]


@pytest.fixture
def play(qmgr: QueueManager) -> Play:
    """A play whose program A has put p and got g in a unit that is in doubt."""
    play = Play(qmgr)
    play.run(
        "DEFINE QLOCAL(Q) · put g · A: get syncpoint => g · A: put p syncpoint · A: prepare TO.QM2 "
        "7",
    )
    return play


def test_its_events_have_one_number(qmgr: QueueManager, play: Play) -> None:
    play.run("A: disconnect · resolve TO.QM2 7 commit")
    units = {row["unit"] for row in rows_of(qmgr, "GET", "COMMIT")} | {
        rows_of(qmgr, "PUT")[-1]["unit"],
    }
    assert (len(units), None in units) == (1, False)


def test_a_backout_is_recorded_with_its_cause_and_counts(qmgr: QueueManager, play: Play) -> None:
    play.run("resolve TO.QM2 7 backout")
    (backout,) = rows_of(qmgr, "BACKOUT")
    assert (backout["cause"], backout["detail"]) == ("resolved", '{"Q": {"puts": 1, "gets": 1}}')
    assert backout["unit"] == rows_of(qmgr, "GET")[0]["unit"]


@rows("commit", "backout")
def test_a_unit_that_was_resolved_is_in_doubt_no_more(
    qmgr: QueueManager,
    play: Play,
    decision: str,
) -> None:
    assert [unit.name for unit in qmgr.in_doubt()] == ["TO.QM2"]
    play.run(f"resolve TO.QM2 7 {decision}")
    assert qmgr.in_doubt() == []
    assert reason_of(lambda: qmgr.resolve("TO.QM2", "7", commit=True)) == MQRC.UOW_NOT_AVAILABLE


@rows(("commit", ["DEAD_LETTER"]), ("backout", []))
def test_what_a_commit_was_to_record_is_recorded_by_the_one_that_resolves(
    qmgr: QueueManager,
    decision: str,
    kinds: list[str],
) -> None:
    play = Play(qmgr)
    play.run("DEFINE QLOCAL(Q) · put g · A: get syncpoint => g")
    connection = play.connection("A")
    number = play.got["A"].saved_message
    connection.unit.outcomes = (
        (number, MessageOutcome("DEAD_LETTER", "channel", "DLQ", 2053, detail={"a": 1})),
    )
    play.run(f"A: prepare CH 1 · A: disconnect · resolve CH 1 {decision}")
    found = rows_of(qmgr, "DEAD_LETTER")
    assert [row["kind"] for row in found] == kinds
    assert [(row["queue"], row["target"], row["reason"]) for row in found] == [
        ("Q", "DLQ", 2053),
    ] * len(kinds)


def test_events_are_noted_in_the_transaction_that_commits(qmgr: QueueManager) -> None:
    play = Play(qmgr)
    play.run("DEFINE QLOCAL(Q) · put m syncpoint")
    connection = play.connection("A")
    for _ in range(2):
        connection.commit(noted=[BATCH])
    first, second = rows_of(qmgr, "CHANNEL")
    assert (first["cause"], first["queue"], first["target"]) == ("batch", "Q", "TO.QM2")
    assert (first["connection"], first["unit"]) == (
        connection.number,
        rows_of(qmgr, "COMMIT")[0]["unit"],
    )
    assert second["unit"] is None


def test_events_are_noted_in_the_transaction_that_resolves(qmgr: QueueManager, play: Play) -> None:
    assert (
        reason_of(lambda: qmgr.resolve("TO.QM2", "8", commit=True, noted=[BATCH]))
        == MQRC.UOW_NOT_AVAILABLE
    )
    assert rows_of(qmgr, "CHANNEL") == []
    qmgr.resolve("TO.QM2", "7", commit=True, noted=[BATCH])
    (noted,) = rows_of(qmgr, "CHANNEL")
    assert noted["unit"] == rows_of(qmgr, "COMMIT")[0]["unit"]


def test_a_connection_resolves_beside_its_own_unit(qmgr: QueueManager, play: Play) -> None:
    play.run("A: put mine syncpoint")
    connection = play.connection("A")
    connection.resolve("TO.QM2", "7", commit=True, noted=[BATCH])
    play.run("on Q => p · A: commit · on Q => p mine")
    assert {row["connection"] for row in rows_of(qmgr, "CHANNEL", "COMMIT")} == {connection.number}


def test_trigger_messages_appear_at_the_commit(qmgr: QueueManager) -> None:
    TriggerPlay(qmgr).run("""
        put m1 on APPQ syncpoint · prepare CH 1 · disconnect · new INIT1 => nothing
        resolve CH 1 commit · new INIT1 => APPQ · depth APPQ => 1
    """)


@rows(("", "7"), ("CH", " "), ("CH\udcff", "7"), ("CH", "\udcff"))
def test_names_that_cannot_be_kept_are_refused(qmgr: QueueManager, name: str, luwid: str) -> None:
    with qmgr.connect() as connection:
        for call in (connection.prepare, lambda *names: connection.resolve(*names, commit=True)):
            with pytest.raises(ValueError, match=r"is blank|unpaired surrogate"):
                call(name, luwid)
    with pytest.raises(ValueError, match=r"is blank|unpaired surrogate"):
        qmgr.resolve(name, luwid, commit=True)


def test_an_ended_queue_manager_shows_its_units_but_does_not_resolve_them(
    qmgr: QueueManager,
    play: Play,
) -> None:
    qmgr.end(immediate=True)
    assert [each[:5] for each in qmgr.in_doubt()] == [("TO.QM2", "7", qmgr.now(), 1, 1)]
    assert reason_of(lambda: qmgr.resolve("TO.QM2", "7", commit=True)) == MQRC.Q_MGR_NOT_AVAILABLE
    qmgr.start()
    qmgr.resolve("TO.QM2", "7", commit=True)
