"""Clients in DISPLAY CONN, QSTATUS and CHSTATUS, and STOP and START of the channel that they use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

import mqsc
from mqsc.store.admin.channel.explanation import explain
from mqsc.store.client.connection import Connection
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQOO, MQPMO, MQRC, MQRCCF
from mqsc.store.message import Message, PutMessageOptions
from tests.store.admin.looking import queue_row, refused

CLIENT: Mapping[str, Any] = {"client": True, "channel": "APP", "address": "10.0.0.9"}
Shown = list[tuple[object, ...]]


@pytest.fixture
def served(qmgr: QueueManager) -> QueueManager:
    """QM1 with a channel for clients, three connections on each instance, and a queue."""
    mqsc.run(
        qmgr,
        "DEFINE CHANNEL(APP) CHLTYPE(SVRCONN) SHARECNV(3)\nDEFINE QLOCAL(Q)",
        check=True,
    )
    return qmgr


def shown(qmgr: QueueManager, command: str, *words: str) -> Shown:
    [reply] = mqsc.run(qmgr, f"DISPLAY {command} {' '.join(words)}")
    return [tuple(row.get(word) for word in words) for row in reply.rows]


def clients(qmgr: QueueManager, count: int, **changed: Any) -> list[Connection]:
    return [qmgr.connect(**{**CLIENT, **changed}) for _ in range(count)]


def test_a_client_is_shown_with_its_channel_and_address(served: QueueManager) -> None:
    given: tuple[Mapping[str, Any], ...] = (
        {**CLIENT, "channel": "NO.SUCH"},
        CLIENT,
        {"client": True},
        {"channel": "APP"},
        {},
    )
    connections = [served.connect(**each) for each in given]
    for connection in connections:
        connection.open("Q", MQOO.OUTPUT)
    expected = [
        ("NO.SUCH", "10.0.0.9"),
        ("APP", "10.0.0.9"),
        ("", "127.0.0.1"),
        ("", ""),
        ("", ""),
    ]
    assert shown(served, "CONN(*)", "CHANNEL", "CONNAME") == expected
    assert shown(served, "QSTATUS(Q) TYPE(HANDLE)", "CHANNEL", "CONNAME") == expected
    for condition, count in (
        ("CHANNEL EQ APP", 1),
        ("CHANNEL LK 'N*'", 1),
        ("CONNAME EQ '10.0.0.9'", 2),
        ("CONNAME EQ '10.0.0.8'", 0),
    ):
        assert len(shown(served, f"CONN(*) WHERE({condition})", "CHANNEL")) == count, condition


def test_connections_of_a_process_share_an_instance_up_to_sharecnv(served: QueueManager) -> None:
    words = ("CONNAME", "CURSHCNV", "MAXSHCNV", "RAPPLTAG", "MCAUSER", "STATUS", "SUBSTATE")
    kept = clients(served, 4, application="billing", user="anna")
    kept += clients(served, 1, address="10.0.0.10", application="other", user="bob")
    kept += clients(served, 1, channel="NO.SUCH")
    of_anna = ("billing", "anna", "RUNNING", "RECEIVE")
    assert shown(served, "CHSTATUS(*)", *words) == [
        ("10.0.0.10", 1, 3, "other", "bob", "RUNNING", "RECEIVE"),
        ("10.0.0.9", 3, 3, *of_anna),
        ("10.0.0.9", 1, 3, *of_anna),
    ]
    jobs = {str(job) for [job] in shown(served, "CHSTATUS(APP) CONNAME(10.0.0.9)", "JOBNAME")}
    assert len(jobs) == 2
    for connection in kept:
        connection.disconnect()
    assert shown(served, "CHSTATUS(*)", "STATUS") == []


@pytest.mark.parametrize("sharing", [0, 1])
def test_without_sharing_each_connection_is_an_instance(served: QueueManager, sharing: int) -> None:
    mqsc.run(served, f"ALTER CHANNEL(APP) CHLTYPE(SVRCONN) SHARECNV({sharing})", check=True)
    _kept = clients(served, 2)
    assert shown(served, "CHSTATUS(APP)", "CURSHCNV", "MAXSHCNV") == [(1, sharing)] * 2


def test_a_stopped_channel_breaks_its_clients_and_refuses_others(served: QueueManager) -> None:
    [first, second] = clients(served, 2)
    elsewhere = served.connect()
    queue = first.open("Q", MQOO.OUTPUT)
    queue.put(Message(b"x"), PutMessageOptions(MQPMO.SYNCPOINT))
    assert mqsc.run(served, "STOP CHANNEL(APP)")[0].message_id == "AMQ8019I"
    assert queue_row(served, "Q").depth == 0
    for connection in (first, second):
        with refused(MQRC.CONNECTION_BROKEN):
            connection.commit()
    elsewhere.commit()
    assert shown(served, "CHSTATUS(*)", "CHANNEL", "STATUS") == [("APP", "STOPPED")]
    with refused(MQRC.CHANNEL_NOT_AVAILABLE):
        served.connect(**CLIENT)
    _kept = clients(served, 1, channel="NO.SUCH")
    again = mqsc.run(served, "STOP CHANNEL(APP)")[0]
    assert (again.message_id, again.reason) == ("AMQ9533W", MQRCCF.CHANNEL_NOT_ACTIVE)
    mqsc.run(served, "START CHANNEL(APP)", check=True)
    _kept = clients(served, 1)
    assert shown(served, "CHSTATUS(*)", "CHANNEL", "STATUS") == [("APP", "RUNNING")]


def test_clients_of_one_address_are_stopped(served: QueueManager) -> None:
    _kept = clients(served, 1)
    _others = clients(served, 2, address="10.0.0.10")
    for address, message in (("10.0.0.8", "AMQ9533W"), ("10.0.0.9", "AMQ8019I")):
        stop = f"STOP CHANNEL(APP) CONNAME('{address}')"
        assert mqsc.run(served, stop)[0].message_id == message
    assert shown(served, "CHSTATUS(APP)", "CONNAME", "CURSHCNV") == [("10.0.0.10", 2)]
    # Only these instances were stopped, not the channel.
    _kept = clients(served, 1)
    assert mqsc.run(served, "STOP CHANNEL(APP) QMNAME(QM2)")[0].message_id == "AMQ9533W"


def test_a_channel_of_that_name_but_another_type_has_no_clients(served: QueueManager) -> None:
    _kept = clients(served, 1, channel="R")
    mqsc.run(served, "DEFINE CHANNEL(R) CHLTYPE(RCVR)", check=True)
    assert shown(served, "CHSTATUS(*)", "CHANNEL") == []
    assert mqsc.run(served, "STOP CHANNEL(R)")[0].message_id == "AMQ9533W"
    _kept = clients(served, 1, channel="R")


def test_the_explanation_says_what_stop_would_do(served: QueueManager) -> None:
    def said() -> tuple[list[str], dict[str, object]]:
        facts = explain(served, "APP")
        states = [each.instance.status.name for each in facts.instances]
        return states, {each.command: each.refusal for each in facts.answers}

    states, answers = said()
    assert (states, answers["STOP"]) == ([], MQRCCF.CHANNEL_NOT_ACTIVE)
    _kept = clients(served, 1)
    states, answers = said()
    assert (states, answers["STOP"]) == (["RUNNING"], None)


@pytest.mark.parametrize("word", ["channel", "address"])
def test_what_is_no_text_is_refused(served: QueueManager, word: str) -> None:
    for value, error in ((None, TypeError), (b"APP", TypeError), ("\ud800", ValueError)):
        given: dict[str, Any] = {word: value}
        with pytest.raises(error, match=word):
            served.connect(client=True, **given)
    assert shown(served, "CONN(*)", "CONN") == []


def test_texts_that_are_too_long_are_cut_where_they_are_shown(served: QueueManager) -> None:
    [connection] = clients(served, 1, address="x" * 300)
    connection.open("Q", MQOO.OUTPUT)
    _other = clients(served, 1, channel="APP" * 10)
    assert shown(served, "CONN(*)", "CHANNEL", "CONNAME") == [
        ("APP", "x" * 264),
        ("APPAPPAPPAPPAPPAPPAP", "10.0.0.9"),
    ]
    assert shown(served, "CHSTATUS(*)", "CONNAME") == [("x" * 264,)]
    assert shown(served, "QSTATUS(Q) TYPE(HANDLE)", "CONNAME") == [("x" * 264,)]
    stop = f"STOP CHANNEL(APP) CONNAME('{'x' * 264}')"
    assert mqsc.run(served, stop)[0].message_id == "AMQ8019I"
