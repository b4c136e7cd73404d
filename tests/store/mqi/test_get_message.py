"""A stored message as MQGET returns it: truncation, conversion and ageing (mqi-semantics §4.4)."""

from __future__ import annotations

import pytest

from store.client.api import QueueManager
from tests.scenarios.play import Play

OBJECTS = "DEFINE QLOCAL(Q)\nDEFINE QLOCAL(XQ) USAGE(XMITQ)\n"
SCENARIOS = {
    "data that fits its buffer exactly": """
        put m length=10
        get buffer=10 => m 0/0 length=10 data_length=10
    """,
    "data that is too long stays on the queue": """
        put m length=10
        get buffer=9 => m 1/2080 length=9 data_length=10
        get buffer=0 => 1/2080 length=0 data_length=10
        on Q => m
    """,
    "or is truncated and gone": """
        put m length=10
        get buffer=4 accept-truncated-msg => m 1/2079 length=4 data_length=10
        on Q => nothing
    """,
    "without a length any data fits": """
        put m length=5000
        get => m length=5000
    """,
    "conversion": """
        put m codec=cp500 format=MQSTR coded_char_set_id=500 encoding=785
        get convert => m 0/0 coded_char_set_id=1208 encoding=546
    """,
    "what is as wanted is not converted": """
        put m format=MQSTR
        get convert => m 0/0
        put m coded_char_set_id=1208
        get convert => m 0/0
    """,
    "a format that cannot be converted": """
        put m format=OWN coded_char_set_id=500
        get convert => m 1/2110 coded_char_set_id=500
        put m length=0 hex= coded_char_set_id=500
        get convert => coded_char_set_id=500 1/2110
    """,
    "conversion that makes data too long gives it unconverted": """
        put m hex=e9e9 format=MQSTR coded_char_set_id=819
        get convert buffer=3 => 1/2120 length=2 coded_char_set_id=819
    """,
    "conversion that makes truncated data longer truncates it": """
        put m hex=e9e9e9 format=MQSTR coded_char_set_id=819
        get convert buffer=2 accept-truncated-msg => 1/2079 length=2 data_length=6 coded_char_set_id=1208
    """,
    "what is too long and stays is not converted": """
        put m hex=e9e9e9 format=MQSTR coded_char_set_id=819
        get convert buffer=2 => 1/2080 data_length=3 coded_char_set_id=819
    """,
    "the embedded expiry ages on a transmission queue": """
        put m on XQ embedded=50 expiry=50
        advance 2
        get from XQ => embedded=30 expiry=30
    """,
}


@pytest.mark.parametrize("text", SCENARIOS.values(), ids=SCENARIOS)
def test_get(qmgr: QueueManager, text: str) -> None:
    Play(qmgr).run(OBJECTS + text)
