"""The oracle of the campaign finds every kind of mistake that it is there for, in histories written by hand."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.processes.campaign import Broken
from tests.processes.owner_oracle import HistoryRow, Life, Oracle


def row(kind: str, qmgr: str, cause: str | None = None, *, target: str | None = None, **detail: Any) -> HistoryRow:
    return HistoryRow(0, kind, cause, qmgr, None, target, b"M", json.dumps(detail))


def alter(member: str, value: int | str) -> HistoryRow:
    return row("ALTER", member, EXPRYINT=["OFF", value])


def owner(cause: str, target: str | None, member: str, before: str = "") -> HistoryRow:
    return row("OWNER", "QSG1", cause, target=target, member=member, **({"from": before} if before else {}))


def expire(member: str, cause: str = "interval") -> HistoryRow:
    return row("EXPIRE", "QSG1", cause, member=member)


def judge(rows: list[HistoryRow], *lives: Life) -> Oracle:
    oracle = Oracle("QSG1", list(lives))
    oracle.read(each._replace(seq=number) for number, each in enumerate(rows, start=1))
    return oracle


BOTH = [row("START", "QM1"), row("START", "QM2"), alter("QM2", 5), owner("alter", "QM2", "QM2"), alter("QM1", 5)]
# The number of the event after those.
NEXT = len(BOTH) + 1


def test_a_history_without_a_mistake() -> None:
    history = [
        *BOTH,
        row("PUT", "QSG1"),
        expire("QM2"),
        owner("takeover", "QM1", "QM1", "QM2"),
        row("END", "QM1"),
        owner("end", "QM2", "QM1", "QM1"),
        alter("QM2", "OFF"),
        owner("alter", None, "QM2", "QM2"),
        row("START", "QM1"),
        owner("start", "QM1", "QM1"),
    ]
    oracle = judge(history, Life("QM2", 0, NEXT + 1), Life("QM2", NEXT + 2, 99))
    oracle.finish()
    assert oracle.changes == {"alter": 2, "takeover": 1, "end": 1, "start": 1}


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([expire("QM1")], "QM1 scanned, the owner is QM2"),
        ([expire("QM2"), expire("QM2")], "expired twice"),
        ([expire("QM1", "restart")], "QM1 scanned at its start while"),
        ([row("END", "QM2"), expire("QM1")], "the owner is QM2, candidates"),
        ([row("END", "QM2"), owner("end", None, "QM2", "QM2")], "makes None the owner"),
        ([owner("takeover", "QM1", "QM1", "QM2")], "for which a serve runs"),
        ([owner("takeover", "QM3", "QM3", "QM2")], "makes QM3 the owner"),
        ([owner("alter", "QM1", "QM1", "QM2")], "makes QM1 the owner"),
        ([owner("alter", "QM2", "QM1", "QM1")], "makes QM2 the owner"),
        ([alter("QM2", "OFF"), owner("alter", "QM1", "QM2", "QM2"), row("START", "QM3"), expire("QM2")], "QM2 scanned"),
    ],
)
def test_mistakes_that_it_finds(rows: list[HistoryRow], said: str) -> None:
    with pytest.raises(Broken, match=said):
        judge([*BOTH, *rows], Life("QM2", 0, 99))


def test_a_message_that_nobody_discarded() -> None:
    with pytest.raises(Broken, match="1 messages have no EXPIRE event"):
        judge([*BOTH, row("PUT", "QSG1")]).finish()
