"""The structure that provides each fact of a message."""

from __future__ import annotations

from mqsc.dlq.matching import DeadLetterFacts, facts_of
from store.descriptor import MessageDescriptor
from store.headers.mqxqh import DeadLetterHeader


def test_facts_come_from_the_right_structure() -> None:
    """T01, T02: every field that both structures have gets two different values here."""
    descriptor = MessageDescriptor(
        format="MQDEAD",
        encoding=273,
        put_appl_type=6,
        put_appl_name="billing",
        msg_type=1,
        feedback=256,
        persistence=1,
        reply_to_q="ANSWERS",
        reply_to_q_mgr="QM2",
        user_identifier="alice",
        appl_identity_data="who",
    )
    header = DeadLetterHeader(2053, "ORDERS", "QM1", 546, 819, "MQSTR", 26, "the channel", "20240102", "03040506")
    assert facts_of(descriptor, header) == DeadLetterFacts(
        appl_identity_data="who",
        put_appl_name="billing",
        put_appl_type=6,
        dest_q_name="ORDERS",
        dest_q_mgr_name="QM1",
        feedback=256,
        format="MQSTR",
        msg_type=1,
        persistence=1,
        reason=2053,
        reply_to_q="ANSWERS",
        reply_to_q_mgr="QM2",
        user_identifier="alice",
    )
