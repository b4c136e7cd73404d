"""The options of the `mqsc dlq` commands."""

from __future__ import annotations

import click
import pytest

from mqsc.cli.dlq.show import ReasonCode, dead_letter_queue, filter_of
from mqsc.console.target import CommandFailedError
from store.admin.altering import change_queue_manager
from store.admin.defining import create
from store.catalog import KINDS
from store.client.api import QueueManager
from store.constants import MQFB, MQRC


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("2053", MQRC.Q_FULL),
        ("MQRC_Q_FULL", MQRC.Q_FULL),
        ("q_full", MQRC.Q_FULL),
        ("MQFB_EXPIRATION", MQFB.EXPIRATION),
        ("EXPIRATION", MQFB.EXPIRATION),
        ("99999", 99999),
    ],
)
def test_reasons(text: str, reason: int) -> None:
    assert ReasonCode().convert(text, None, None) == reason


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Q_FUL", "did you mean MQRC_Q_FULL?"),
        ("FOO", "use a number, or a name such as MQRC_Q_FULL"),
        ("MQRC_FOO", "use a number, or a name such as MQRC_Q_FULL"),
        ("MQFB_EXPIRATON", "did you mean MQFB_EXPIRATION?"),
        ("ZZZZZZZZZZZZZZZZZZZZ", "use a number, or a name such as MQRC_Q_FULL"),
    ],
)
def test_no_reason(text: str, says: str) -> None:
    with pytest.raises(click.BadParameter, match="is not a reason") as refused:
        ReasonCode().convert(text, None, None)
    assert says in refused.value.message


def test_the_filter_takes_its_options_only() -> None:
    given = {"reasons": (2053,), "destination": "Q*", "older_than": None, "msg_id": None, "limit": 5}
    found = filter_of(given)
    assert (found.reasons, found.destination, found.selects_all) == (frozenset({2053}), "Q*", False)
    assert given == {"limit": 5}


def test_the_dead_letter_queue(qmgr: QueueManager) -> None:
    change_queue_manager(qmgr, {"DEADQ": ""})
    with pytest.raises(CommandFailedError, match="QM1 has no dead-letter queue; name a queue, or set one"):
        dead_letter_queue(qmgr, None)
    create(qmgr, KINDS["QALIAS"], "FRONT", {"TARGET": "DLQ"})
    change_queue_manager(qmgr, {"DEADQ": "DLQ"})
    assert [dead_letter_queue(qmgr, name) for name in (None, " ", "FRONT")] == ["DLQ"] * 3
    with pytest.raises(CommandFailedError, match="AMQ8147E: IBM MQ object NOPE not found"):
        dead_letter_queue(qmgr, "NOPE")
