"""Transcripts of runmqsc found on the web: every command that can be replayed gets the same message."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from mqsc.script import run
from store import open_store
from tests.mqsc.transcripts import Exchange, exchanges

FOLDER = Path(os.environ["MQSC_CORPUS"]) / "transcripts" if "MQSC_CORPUS" in os.environ else None
FILES = sorted(FOLDER.iterdir()) if FOLDER else []

_QUEUES = "DEFINE QLOCAL(QL.A); DEFINE QLOCAL(QL.B); DEFINE QLOCAL(DLQ)"
_CHANNELS = (
    "DEFINE QLOCAL(QMW) USAGE(XMITQ); DEFINE CHANNEL(QMC.QMW) CHLTYPE(SDR) XMITQ(QMW) CONNAME('127.0.0.1(1414)');"
    "DEFINE QLOCAL(QMC) USAGE(XMITQ); DEFINE CHANNEL(QMW.QMC) CHLTYPE(SDR) XMITQ(QMC) CONNAME('127.0.0.1(4141)')"
)
# The objects that exist before the first command of a transcript, by a part of its file name.
SETTINGS: Mapping[str, str] = {
    "issues__72": "DEFINE CHANNEL(DEV.APP.SVRCONN) CHLTYPE(SVRCONN)",
    "runmqsc__index.md#L203": "DEFINE QLOCAL(QL.A) DESCR('x')",
    "runmqsc__index.md#L243": "DEFINE QLOCAL(QL.A) DESCR('x')",
    "local-queue__index.md#L241": _QUEUES,
    "qalias__index.md#L28": _QUEUES,
    "qalias__index.md#L39": f"{_QUEUES}; DEFINE QALIAS(QA.A) TARGET(QL.A)",
    "qalias__index.md#L48": _QUEUES,
    "delete-queue": _QUEUES,
    "trigger__index.md#L241": _QUEUES,
    "amqsinq__index.md#L71": _QUEUES,
    "recovery__index.md#L135": _QUEUES,
    "sender-receiver": _CHANNELS,
    "channel-initiator": f"{_QUEUES}; {_CHANNELS}",
    "dead-letter": _QUEUES,
}
# Answers that cannot be the same here, by a part of the file name and the number of the command.
ELSEWHERE: Mapping[tuple[str, int], str] = {
    ("sender-receiver__index.md#L98", 1): "a channel reaches its partner",
    ("sender-receiver__index.md#L110", 1): "a channel reaches its partner",
    ("channel-initiator__index.md#L44", 18): "a channel has run and ended",
    ("channel-initiator__index.md#L85", 9): "a channel has run and ended",
    ("recovery__index.md#L103", 1): "the queue's file was damaged on purpose",
}
# Words whose position has changed since version 7.0.1, with which the transcripts were made.
MOVED = frozenset({"PSMODE", "PSRTYCNT"})
# The number of commands replayed, and of transcripts that contain any.
REPLAYED = (65, 35)


def setting(path: Path) -> str:
    """Return the commands that create the objects a transcript expects."""
    return next((text for part, text in SETTINGS.items() if part in path.name), "")


def said(path: Path) -> list[Exchange]:
    """Return the commands of a transcript with their answers."""
    return list(exchanges(path.read_text(encoding="utf-8", errors="replace")))


def left_out(path: Path, exchange: Exchange) -> bool:
    """Return whether the answer cannot be the same here."""
    return any(part in path.name and number == exchange.number for part, number in ELSEWHERE)


@pytest.mark.skipif(FOLDER is None, reason="MQSC_CORPUS names no folder of transcripts")
def test_the_same_messages() -> None:
    for path in FILES:
        with open_store("sqlite://") as store:
            qmgr = store.create_queue_manager("QM1")
            run(qmgr, setting(path), check=True)
            for exchange in said(path):
                if left_out(path, exchange):
                    continue
                (reply,) = run(qmgr, exchange.command)
                where = (path.name, exchange.command)
                assert (where, reply.message_id[3:7]) == (where, exchange.messages[0])
                if reply.rows:
                    assert (where, {*exchange.messages}) == (where, {reply.message_id[3:7]})
                    assert_same_order(exchange.words, [word for row in reply.rows for word in shown(row)])


def shown(row: Mapping[str, object]) -> list[str]:
    """Return the words that a row shows; a flag is shown as its current value."""
    return [str(value) if word in ("SHARE", "TRIGGER", "HARDENBO", "SYNCPT") else word for word, value in row.items()]


def assert_same_order(words: list[str], ours: list[str]) -> None:
    """Check that the words in both outputs have the same order, unless a word is repeated."""
    if len(words) == len({*words}) and len(ours) == len({*ours}):
        words, ours = [[each for each in said if each not in MOVED] for said in (words, ours)]
        assert [word for word in ours if word in words] == [word for word in words if word in ours]
        assert {*words} <= {*ours}


@pytest.mark.skipif(FOLDER is None, reason="MQSC_CORPUS names no folder of transcripts")
def test_how_many_are_replayed() -> None:
    replayed = [[each for each in said(path) if not left_out(path, each)] for path in FILES]
    assert (sum(map(len, replayed)), sum(map(bool, replayed))) == REPLAYED
