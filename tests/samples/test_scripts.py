"""The sample scripts: every command succeeds, and also in a second run, which keeps the messages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import mqsc
from store import Message
from store.constants import MQOO

if TYPE_CHECKING:
    from store.client.api import QueueManager

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
SCRIPTS = sorted(SAMPLES.glob("*.mqsc"))

# The script, the operand of DISPLAY, and the values that the script is to demonstrate.
SHOWN: list[tuple[str, str, dict[str, object]]] = [
    ("shop", "QMGR DEADQ", {"DEADQ": "SHOP.DEAD.LETTER"}),
    ("shop", "QLOCAL(SHOP.ORDERS) ALL", {"BOTHRESH": 3, "BOQNAME": "SHOP.ORDERS.BACKOUT", "HARDENBO": "HARDENBO"}),
    ("shop", "QLOCAL(SHOP.ORDERS) ALL", {"TRIGGER": "TRIGGER", "TRIGTYPE": "FIRST", "PROCESS": "SHOP.TAKE.ORDER"}),
    ("shop", "QLOCAL(SHOP.ORDERS) ALL", {"DEFPSIST": "YES", "DEFPRTY": 4, "INITQ": "SHOP.INITQ"}),
    ("shop", "QLOCAL(SHOP.QUOTES) CAPEXPRY", {"CAPEXPRY": 3000}),
    ("shop", "QALIAS(SHOP.WEB.ORDERS) TARGET", {"TARGET": "SHOP.ORDERS"}),
    ("shop", "QREMOTE(SHOP.PAYMENTS) ALL", {"RNAME": "BANK.PAYMENTS.IN", "RQMNAME": "BANK", "XMITQ": "BANK"}),
    ("shop", "PROCESS(SHOP.TAKE.ORDER) APPLICID", {"APPLICID": "/opt/shop/bin/take-order --until-empty"}),
    ("bank", "QLOCAL(BANK.PAYMENTS.IN) ALL", {"TRIGTYPE": "DEPTH", "TRIGDPTH": 100, "PROCESS": "BANK.CLEARING"}),
    ("bank", "QLOCAL(BANK.CARD.AUTH) CUSTOM", {"CUSTOM": "CAPEXPRY(200)"}),
    ("bank", "PROCESS(BANK.CLEARING) ENVRDATA", {"ENVRDATA": "RUN=batch"}),
]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_every_command_is_carried_out_and_can_be_again(qmgr: QueueManager, script: Path) -> None:
    text = script.read_text("utf-8")
    for _ in range(2):
        failed = [(reply.line, reply.message_id, reply.text) for reply in mqsc.run(qmgr, text) if reply.completion]
        assert failed == []


@pytest.mark.parametrize(("script", "display", "expected"), SHOWN)
def test_a_script_sets_up_what_it_says(
    qmgr: QueueManager, script: str, display: str, expected: dict[str, object]
) -> None:
    mqsc.run(qmgr, (SAMPLES / f"{script}.mqsc").read_text("utf-8"))
    (reply,) = mqsc.run(qmgr, f"DISPLAY {display}")
    (row,) = reply.rows
    assert {keyword: row[keyword] for keyword in expected} == expected


def test_a_second_run_keeps_the_messages(qmgr: QueueManager) -> None:
    text = (SAMPLES / "shop.mqsc").read_text("utf-8")
    mqsc.run(qmgr, text)
    with qmgr.connect() as connection:
        connection.open("SHOP.WEB.ORDERS", MQOO.OUTPUT).put([Message(b"one espresso machine")] * 3)
    mqsc.run(qmgr, text)
    (reply,) = mqsc.run(qmgr, "DISPLAY QLOCAL(SHOP.ORDERS) CURDEPTH")
    assert reply.rows[0]["CURDEPTH"] == 3
