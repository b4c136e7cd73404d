"""The sample rules table: no lint advice on it in the shop, and each dead letter goes to the right queue."""

from __future__ import annotations

from pathlib import Path
from threading import Event

import pytest

import mqsc
from mqsc.dlq.entry import check_table
from mqsc.dlq.handler_run import HandlerArguments, HandlerOutput, TableSource, run_handler
from mqsc.dlq.lint.table_rule import QueueManagerFacts
from store.admin.put_preview import PutPreview, peek
from store.client.api import QueueManager
from tests.mqsc.dlq.handler_system import ORDINARY, dead_letter

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
TABLE = (SAMPLES / "shop.rul").read_text("utf-8")


@pytest.fixture
def shop(qmgr: QueueManager) -> QueueManager:
    """A queue manager set up with the sample script of the shop."""
    mqsc.run(qmgr, (SAMPLES / "shop.mqsc").read_text("utf-8"))
    return qmgr


def test_there_is_nothing_to_say_about_it(shop: QueueManager) -> None:
    preview = PutPreview(shop)
    manager_facts = QueueManagerFacts("QM1", "SHOP.DEAD.LETTER", lambda *target: not preview.reason_for(*target))
    assert check_table([TABLE], "shop.rul", manager_facts).diagnostics == ()


def test_every_letter_goes_where_it_should(shop: QueueManager) -> None:
    with shop.connect() as connection:
        for number, (destination, reason, reply_to) in enumerate(
            (
                ("SHOP.QUOTES", 2053, ""),
                ("SHOP.ORDERS", 2053, ""),
                ("SHOP.CARTS", 2051, ""),
                ("SHOP.NOWHERE", 2085, "SHOP.REPORTS"),
                ("SHOP.NOWHERE", 2085, ""),
            ),
            1,
        ):
            message = dead_letter(f"m{number}", number, dest_q_name=destination, reason=reason)
            message.descriptor.msg_type = 1 if reply_to else 8
            message.descriptor.reply_to_q = reply_to
            connection.put1("SHOP.DEAD.LETTER", message)
    rules = TableSource("shop.rul", lambda: [TABLE])
    said: list[str] = []
    listener = HandlerOutput(lambda at, notice: said.append(notice.message_id), said.append)
    assert run_handler(shop.store, rules, HandlerArguments(), listener, Event()) == 0
    assert [message_id for message_id in said if message_id not in ORDINARY] == []
    queues = ("SHOP.DEAD.LETTER", "SHOP.ORDERS", "SHOP.CARTS", "SHOP.REPORTS", "SHOP.ORDERS.BACKOUT")
    there = {name: [each.body[-2:] for each in peek(shop, name)] for name in queues}
    assert there == {
        "SHOP.DEAD.LETTER": [],
        "SHOP.ORDERS": [b"m2"],
        "SHOP.CARTS": [b"m3"],
        "SHOP.REPORTS": [b"m4"],
        "SHOP.ORDERS.BACKOUT": [b"m5"],
    }
