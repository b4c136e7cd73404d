"""Selectors of the queue manager; checks that apply to all kinds are in test_selectors.py."""

from __future__ import annotations

from store.client.api import QueueManager
from store.constants import MQCA, MQIA, MQOO, MQOT
from store.mqi.selectors_queue_manager import QUEUE_MANAGER


def test_every_selector_has_a_value_of_its_kind(qmgr: QueueManager) -> None:
    with qmgr.connect() as connection:
        handle = connection.open("", MQOO.INQUIRE, object_type=MQOT.Q_MGR)
        values = handle.inquire(*QUEUE_MANAGER)
    wrong = {
        row.keyword: values[number]
        for number, row in QUEUE_MANAGER.items()
        if isinstance(values[number], str) is not bool(row.length) or values[number] == row.not_applicable != -1
    }
    assert wrong == {}


def test_what_programs_ask_most(qmgr: QueueManager) -> None:
    asked = {
        MQCA.Q_MGR_NAME: "QM1",
        MQCA.DEAD_LETTER_Q_NAME: "",
        MQIA.CODED_CHAR_SET_ID: 1208,
        MQIA.MAX_UNCOMMITTED_MSGS: 10000,
        MQIA.TRIGGER_INTERVAL: 999_999_999,
        MQIA.MAX_PRIORITY: 9,
        MQIA.PERFORMANCE_EVENT: 0,
    }
    with qmgr.connect() as connection:
        assert connection.open("", MQOO.INQUIRE, object_type=MQOT.Q_MGR).inquire(*asked) == asked
