"""The sample scripts and rules table: every command succeeds, and each dead letter goes to the
right queue.
"""

from __future__ import annotations

from pathlib import Path
from threading import Event

import pytest

import mqsc
from mqsc.dlq.handler_run import HandlerArguments, HandlerOutput, TableSource, run_handler
from mqsc.dlq.lint.table_rule import QueueManagerFacts
from mqsc.store import Message
from mqsc.store.admin.peeking import peek
from mqsc.store.admin.put_preview import PutPreview
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQOO
from tests.mqsc.dlq.handler_system import ORDINARY, dead_letter
from tests.mqsc.dlq.tables import check_table

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
TABLE = (SAMPLES / "shop.rul").read_text("utf-8")
SCRIPTS = sorted(SAMPLES.glob("*.mqsc"))

# The script, the operand of DISPLAY, and the values that the script is to demonstrate.
SHOWN: list[tuple[str, str, dict[str, object]]] = [
    ("shop", "QMGR DEADQ", {"DEADQ": "SHOP.DEAD.LETTER"}),
    (
        "shop",
        "QLOCAL(SHOP.ORDERS) ALL",
        {"BOTHRESH": 3, "BOQNAME": "SHOP.ORDERS.BACKOUT", "HARDENBO": "HARDENBO"},
    ),
    (
        "shop",
        "QLOCAL(SHOP.ORDERS) ALL",
        {"TRIGGER": "TRIGGER", "TRIGTYPE": "FIRST", "PROCESS": "SHOP.TAKE.ORDER"},
    ),
    ("shop", "QLOCAL(SHOP.ORDERS) ALL", {"DEFPSIST": "YES", "DEFPRTY": 4, "INITQ": "SHOP.INITQ"}),
    ("shop", "QLOCAL(SHOP.QUOTES) CAPEXPRY", {"CAPEXPRY": 3000}),
    ("shop", "QALIAS(SHOP.WEB.ORDERS) TARGET", {"TARGET": "SHOP.ORDERS"}),
    (
        "shop",
        "QREMOTE(SHOP.PAYMENTS) ALL",
        {"RNAME": "BANK.PAYMENTS.IN", "RQMNAME": "BANK", "XMITQ": "BANK"},
    ),
    (
        "shop",
        "PROCESS(SHOP.TAKE.ORDER) APPLICID",
        {"APPLICID": "/opt/shop/bin/take-order --until-empty"},
    ),
    (
        "bank",
        "QLOCAL(BANK.PAYMENTS.IN) ALL",
        {"TRIGTYPE": "DEPTH", "TRIGDPTH": 100, "PROCESS": "BANK.CLEARING"},
    ),
    ("bank", "QLOCAL(BANK.CARD.AUTH) CUSTOM", {"CUSTOM": "CAPEXPRY(200)"}),
    ("bank", "PROCESS(BANK.CLEARING) ENVRDATA", {"ENVRDATA": "RUN=batch"}),
]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_every_command_is_carried_out_and_can_be_again(qmgr: QueueManager, script: Path) -> None:
    text = script.read_text("utf-8")
    for _ in range(2):
        failed = [
            (reply.line, reply.message_id, reply.text)
            for reply in mqsc.run(qmgr, text)
            if reply.completion
        ]
        assert failed == []


@pytest.mark.parametrize(("script", "display", "shown"), SHOWN)
def test_a_script_sets_up_what_it_says(
    qmgr: QueueManager,
    script: str,
    display: str,
    shown: dict[str, object],
) -> None:
    mqsc.run(qmgr, (SAMPLES / f"{script}.mqsc").read_text("utf-8"))
    (reply,) = mqsc.run(qmgr, f"DISPLAY {display}")
    (row,) = reply.rows
    assert {keyword: row[keyword] for keyword in shown} == shown


def test_a_second_run_keeps_the_messages(qmgr: QueueManager) -> None:
    text = (SAMPLES / "shop.mqsc").read_text("utf-8")
    mqsc.run(qmgr, text)
    with qmgr.connect() as connection:
        connection.open("SHOP.WEB.ORDERS", MQOO.OUTPUT).put([Message(b"one espresso machine")] * 3)
    mqsc.run(qmgr, text)
    (reply,) = mqsc.run(qmgr, "DISPLAY QLOCAL(SHOP.ORDERS) CURDEPTH")
    assert reply.rows[0]["CURDEPTH"] == 3


GONE_TO = {
    "DEAD.LETTER": [],
    "ORDERS": [b"m2"],
    "CARTS": [b"m3"],
    "REPORTS": [b"m4"],
    "ORDERS.BACKOUT": [b"m5"],
}


@pytest.fixture
def shop(qmgr: QueueManager) -> QueueManager:
    """A queue manager set up with the sample script of the shop."""
    mqsc.run(qmgr, (SAMPLES / "shop.mqsc").read_text("utf-8"))
    return qmgr


def test_there_is_nothing_to_say_about_it(shop: QueueManager) -> None:
    preview = PutPreview(shop)
    manager_facts = QueueManagerFacts(
        "QM1",
        "SHOP.DEAD.LETTER",
        lambda *target: not preview.reason_for(*target),
    )
    assert check_table([TABLE], "shop.rul", manager_facts).diagnostics == ()


def test_every_letter_goes_where_it_should(shop: QueueManager) -> None:
    letters = [
        *(("SHOP.QUOTES", 2053, ""), ("SHOP.ORDERS", 2053, ""), ("SHOP.CARTS", 2051, "")),
        *(("SHOP.NOWHERE", 2085, "SHOP.REPORTS"), ("SHOP.NOWHERE", 2085, "")),
    ]
    with shop.connect() as connection:
        for number, (destination, reason, reply_to) in enumerate(letters, 1):
            message = dead_letter(f"m{number}", number, dest_q_name=destination, reason=reason)
            message.descriptor.msg_type = 1 if reply_to else 8
            message.descriptor.reply_to_q = reply_to
            connection.put1("SHOP.DEAD.LETTER", message)
    rules = TableSource("shop.rul", lambda: [TABLE])
    said: list[str] = []
    listener = HandlerOutput(lambda at, notice: said.append(notice.message_id), said.append)
    assert run_handler(shop.store, rules, HandlerArguments(), listener, Event()) == 0
    assert [message_id for message_id in said if message_id not in ORDINARY] == []
    there = {name: [each.body[-2:] for each in peek(shop, f"SHOP.{name}")] for name in GONE_TO}
    assert there == GONE_TO
