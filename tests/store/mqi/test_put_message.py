"""Messages as they will be stored: what the queue manager decides, and what it refuses (mqi-semantics §3, §12)."""

from __future__ import annotations

import pytest

from store.client.api import QueueManager
from tests.scenarios.play import Play

OBJECTS = """
    DEFINE QLOCAL(Q) DEFPRTY(4) DEFPSIST(YES)
    DEFINE QALIAS(AL) TARGET(Q) DEFPRTY(2) DEFPSIST(NO)
    DEFINE QLOCAL(SHORT) MAXMSGL(32)
    DEFINE QLOCAL(XQ) USAGE(XMITQ)
    DEFINE QREMOTE(FAR) RNAME(THERE) RQMNAME(QM2) XMITQ(XQ)
    DEFINE QMODEL(TEMP) DEFTYPE(TEMPDYN)
    DEFINE QLOCAL(CAP) CAPEXPRY(50)
    DEFINE QALIAS(CAP.AL) TARGET(CAP) CUSTOM('CAPEXPRY(30)')
"""
SCENARIOS = {
    "defaults come from the object opened": """
        put m
        get => priority=4 persistence=1 coded_char_set_id=1208 backout_count=0
        put m on AL
        get => priority=2 persistence=0
        put m priority=0 persistence=0 coded_char_set_id=819 bc=9
        get => priority=0 persistence=0 coded_char_set_id=819 backout_count=0
    """,
    "a blank reply queue manager is filled": """
        put m reply_to_q=Q
        get => reply_to_q=Q reply_to_q_mgr=QM1
        put m reply_to_q=FAR
        get => reply_to_q=THERE reply_to_q_mgr=QM2
        put m reply_to_q=FAR reply_to_q_mgr=QM7
        get => reply_to_q=FAR reply_to_q_mgr=QM7
        put m
        get => reply_to_q= reply_to_q_mgr=QM1
    """,
    "the lowest CAPEXPRY on the way counts": """
        put m on CAP
        get from CAP => expiry=50
        put m on CAP.AL
        get from CAP => expiry=30
        put m on CAP.AL expiry=20
        get from CAP => expiry=20
    """,
    "refusals and warnings": """
        put m expiry=0 => 2/2013
        put m priority=10 => 1/2049
        put m priority=-2 => 2/2050
        put m length=33 on SHORT => 2/2030
        put m report=0x20000000 => 1/2104
        open TEMP output dynamic=D as D
        put m on D persistence=1 => 2/2048
        put m on D persistence=0
        put m on D => 0/0
    """,
    "a message that may be segmented is split to the length of the queue": """
        put m length=80 on SHORT flags=SEGMENTATION_ALLOWED
        depth SHORT => 3
        get from SHORT => m length=32 offset=0 flags=SEGMENTATION_ALLOWED+SEGMENT
        get from SHORT => offset=32 length=32
        get from SHORT => offset=64 length=16 flags=SEGMENTATION_ALLOWED+SEGMENT+LAST_SEGMENT
        put m length=32 on SHORT flags=SEGMENTATION_ALLOWED
        depth SHORT => 1
    """,
    "a direct put on a transmission queue must carry a valid header": """
        put m on XQ embedded=-1
        put m on XQ embedded=-1 expiry=10 => 2/2013
        put m on XQ embedded=10 => 2/2013
        put m on XQ embedded=-1 cut=100 => 2/2260
        put m on XQ
        put m on FAR
        depth XQ => 3
    """,
    "identifiers are kept, or made": """
        put m msg_id=M correl_id=C
        get => msg_id=M correl_id=C
        put m
        put n msg_id=M new-msg-id
        get => msg_id=m
        get => msg_id=n
    """,
}


@pytest.mark.parametrize("text", SCENARIOS.values(), ids=SCENARIOS)
def test_put(qmgr: QueueManager, text: str) -> None:
    Play(qmgr).run(OBJECTS + text)


@pytest.mark.parametrize("first", ["put m", "put m priority=1"])
def test_a_prepared_put_holds_only_for_data_that_fits(qmgr: QueueManager, first: str) -> None:
    Play(qmgr).run(OBJECTS + f"{first} on SHORT\nput m on SHORT length=33 => 2/2030\nput m on SHORT length=32")
