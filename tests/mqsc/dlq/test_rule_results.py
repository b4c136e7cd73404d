"""Why rules of a table apply to a message or not."""

from __future__ import annotations

from mqsc.dlq.rule_results import explain
from tests.mqsc.dlq.tables import facts, table
from tests.rows import rows

TEXT = """\
REASON(MQRC_UNKNOWN_OBJECT_NAME) DESTQ('orders*') USERID('alice') ACTION(DISCARD)
REASON(MQRC_Q_FULL) ACTION(RETRY) RETRY(2)
REPLYQ(?*) MSGTYPE(MQMT_REQUEST) ACTION(FWD) FWDQ(&REPLYQ)
ACTION(FWD) FWDQ(REST)
DESTQ(A) ACTION(DISCARD)
"""
FIRST = (
    "line 1: no match: DESTQ('orders*'), but MQDLH.DestQName is ORDERS; "
    "REASON(MQRC_UNKNOWN_OBJECT_NAME), but MQDLH.Reason is 2053 MQRC_Q_FULL"
)
THIRD = (
    "line 3: no match: MSGTYPE(MQMT_REQUEST), but MQMD.MsgType is 8 MQMT_DATAGRAM; REPLYQ(?*), but "
    "MQMD.ReplyToQ is ' '"
)
FIFTH = "line 5: no match: DESTQ(A), but MQDLH.DestQName is ORDERS"


@rows(
    (0, [FIRST, "line 2: chosen"]),
    (2, [FIRST, "line 2: attempts used up", THIRD, "line 4: chosen"]),
    (3, [FIRST, "line 2: attempts used up", THIRD, "line 4: attempts used up", FIFTH]),
)
def test_every_rule_up_to_the_chosen_one_is_explained(attempts: int, said: list[str]) -> None:
    assert [str(verdict) for verdict in explain(table(TEXT), facts(), attempts)] == said


def test_a_number_without_a_name_is_told_in_digits() -> None:
    ((mismatch,),) = (
        each.mismatches
        for each in explain(table("REASON(70000) ACTION(RETRY)"), facts(reason=65537))
    )
    assert (mismatch.value, mismatch.pattern) == ("65537", "70000")
