"""Units of work in doubt: their history, and the other effects of resolving them."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select

from store.client.api import QueueManager
from store.constants import MQRC
from store.engine.channel_event import ChannelEvent
from store.engine.dequeue import MessageOutcome
from store.error import MQError
from store.sql.schema import event
from store.sqlite.database import Reading
from store.sqlite.statement import Statement
from tests.scenarios.play import Play
from tests.scenarios.trigger_play import TriggerPlay
from tests.store.tables import rows

_HISTORY = Statement(select(event).order_by(event.c.seq))
BATCH = ChannelEvent("batch", "TO.QM2", "Q", detail={"partner": "QM2", "role": "sender", "messages": 2})


def history(qmgr: QueueManager, *kinds: str) -> list[dict[str, Any]]:
    with Reading(qmgr.store.database) as reading:
        rows = [dict(zip(event.columns.keys(), row, strict=True)) for row in reading.all(_HISTORY)]
    return [row for row in rows if row["kind"] in kinds]


@pytest.fixture
def play(qmgr: QueueManager) -> Play:
    """A play whose program A has put p and got g in a unit that is in doubt."""
    play = Play(qmgr)
    play.run("DEFINE QLOCAL(Q)\nput g\nA: get syncpoint => g\nA: put p syncpoint\nA: prepare TO.QM2 7")
    return play


def test_its_events_have_one_number(qmgr: QueueManager, play: Play) -> None:
    play.run("A: disconnect\nresolve TO.QM2 7 commit")
    units = {row["unit"] for row in history(qmgr, "GET", "COMMIT")} | {history(qmgr, "PUT")[-1]["unit"]}
    assert len(units) == 1
    assert None not in units


def test_a_backout_is_recorded_with_its_cause_and_counts(qmgr: QueueManager, play: Play) -> None:
    play.run("resolve TO.QM2 7 backout")
    (backout,) = history(qmgr, "BACKOUT")
    assert (backout["cause"], backout["detail"]) == ("resolved", '{"Q": {"puts": 1, "gets": 1}}')
    assert backout["unit"] == history(qmgr, "GET")[0]["unit"]


@pytest.mark.parametrize("recorded", [True, False])
def test_a_commit_is_recorded_if_a_queue_wants_it(qmgr: QueueManager, recorded: bool) -> None:
    Play(qmgr).run(f"""
        DEFINE QLOCAL(Q) ACCTQ({"ON" if recorded else "OFF"})
        put m syncpoint
        prepare CH 1
        resolve CH 1 commit
    """)
    assert len(history(qmgr, "COMMIT")) == recorded


@rows(("commit", ["DEAD_LETTER"]), ("backout", []))
def test_what_a_commit_was_to_record_is_recorded_by_the_one_that_resolves(
    qmgr: QueueManager, decision: str, kinds: list[str]
) -> None:
    play = Play(qmgr)
    play.run("DEFINE QLOCAL(Q)\nput g\nA: get syncpoint => g")
    connection = play.connection("A")
    number = play.got["A"].saved_message
    connection.unit.outcomes = ((number, MessageOutcome("DEAD_LETTER", "channel", "DLQ", 2053, detail={"a": 1})),)
    play.run(f"A: prepare CH 1\nA: disconnect\nresolve CH 1 {decision}")
    found = history(qmgr, "DEAD_LETTER")
    assert [row["kind"] for row in found] == kinds
    assert [(row["queue"], row["target"], row["reason"]) for row in found] == [("Q", "DLQ", 2053)] * len(kinds)


def test_events_are_noted_in_the_transaction_that_commits(qmgr: QueueManager) -> None:
    play = Play(qmgr)
    play.run("DEFINE QLOCAL(Q)\nput m syncpoint")
    connection = play.connection("A")
    connection.commit(noted=[BATCH])
    connection.commit(noted=[BATCH])
    first, second = history(qmgr, "CHANNEL")
    assert (first["cause"], first["queue"], first["target"]) == ("batch", "Q", "TO.QM2")
    assert (first["connection"], first["unit"]) == (connection.number, history(qmgr, "COMMIT")[0]["unit"])
    assert second["unit"] is None


def test_events_are_noted_in_the_transaction_that_resolves(qmgr: QueueManager, play: Play) -> None:
    with pytest.raises(MQError) as refused:
        qmgr.resolve("TO.QM2", "8", commit=True, noted=[BATCH])
    assert refused.value.reason == MQRC.UOW_NOT_AVAILABLE
    assert history(qmgr, "CHANNEL") == []
    qmgr.resolve("TO.QM2", "7", commit=True, noted=[BATCH])
    (noted,) = history(qmgr, "CHANNEL")
    assert noted["unit"] == history(qmgr, "COMMIT")[0]["unit"]


def test_a_connection_resolves_beside_its_own_unit(qmgr: QueueManager, play: Play) -> None:
    play.run("A: put mine syncpoint")
    connection = play.connection("A")
    connection.resolve("TO.QM2", "7", commit=True, noted=[BATCH])
    play.run("on Q => p\nA: commit\non Q => p mine")
    assert {row["connection"] for row in history(qmgr, "CHANNEL", "COMMIT")} == {connection.number}


@rows(("FIRST", "APPQ"), ("DEPTH", "APPQ"), ("EVERY", "nothing"))
def test_trigger_messages_wait_and_survive_a_backout_as_in_any_unit(qmgr: QueueManager, kind: str, kept: str) -> None:
    play = TriggerPlay(qmgr)
    play.run(f"""
        ALTER QLOCAL(APPQ) TRIGTYPE({kind}) TRIGDPTH(1)
        put m1 on APPQ syncpoint
        prepare CH 1
        new INIT1 => nothing
        resolve CH 1 backout
        new INIT1 => {kept}
        depth APPQ => 0
    """)


def test_trigger_messages_appear_at_the_commit(qmgr: QueueManager) -> None:
    play = TriggerPlay(qmgr)
    play.run("""
        put m1 on APPQ syncpoint
        prepare CH 1
        disconnect
        new INIT1 => nothing
        resolve CH 1 commit
        new INIT1 => APPQ
        depth APPQ => 1
    """)


@rows(("", "7"), ("CH", " "), ("CH\udcff", "7"), ("CH", "\udcff"))
def test_names_that_cannot_be_kept_are_refused(qmgr: QueueManager, name: str, luwid: str) -> None:
    with qmgr.connect() as connection:
        for call in (connection.prepare, lambda *names: connection.resolve(*names, commit=True)):
            with pytest.raises(ValueError, match=r"is blank|unpaired surrogate"):
                call(name, luwid)
    with pytest.raises(ValueError, match=r"is blank|unpaired surrogate"):
        qmgr.resolve(name, luwid, commit=True)


def test_an_ended_queue_manager_shows_its_units_but_does_not_resolve_them(qmgr: QueueManager, play: Play) -> None:
    qmgr.end(immediate=True)
    assert [each[:5] for each in qmgr.in_doubt()] == [("TO.QM2", "7", qmgr.now(), 1, 1)]
    with pytest.raises(MQError) as refused:
        qmgr.resolve("TO.QM2", "7", commit=True)
    assert refused.value.reason == MQRC.Q_MGR_NOT_AVAILABLE
    qmgr.start()
    qmgr.resolve("TO.QM2", "7", commit=True)
