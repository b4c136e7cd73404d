"""Which rule applies (dlq-rules §4.3): single cases, and the matcher compared with testing every pattern."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mqsc.dlq.matching import CACHE_SIZE, DeadLetterFacts, RuleMatcher, applicable_rule
from mqsc.dlq.notices import mismatches_of
from mqsc.dlq.rules_table import Control, Pattern, Rule, RulesTable
from tests.mqsc.dlq.tables import FEW, FIELD, facts, table

THREE_THEN_TWO = "REASON(2053) ACTION(RETRY) RETRY(3)\nACTION(FWD) FWDQ(REST) RETRY(2)\n"


def line_of(text: str, attempts: int = 0, **fields: Any) -> int | None:
    """Return the line of the rule that applies, or None."""
    rule = RuleMatcher(table(text)).rule_for(facts(**fields), attempts)
    return rule.line if rule else None


ATTEMPTS: list[tuple[str, str, int, int | None]] = [
    ("T03", "ACTION(RETRY) RETRY(2)\n", 0, 1),
    ("T03", "ACTION(RETRY) RETRY(2)\n", 1, 1),
    ("T03", "ACTION(RETRY) RETRY(2)\n", 2, None),
    ("T03", "ACTION(RETRY)\n", 1, None),
    ("T04", THREE_THEN_TWO, 0, 1),
    ("T04", THREE_THEN_TWO, 2, 1),
    ("T04", THREE_THEN_TWO, 3, 2),
    ("T04", THREE_THEN_TWO, 4, 2),
    ("T04", THREE_THEN_TWO, 5, None),
    ("T05", "REASON(2053) ACTION(IGNORE)\nACTION(DISCARD)\n", 0, 1),
    ("T05", "REASON(2053) ACTION(IGNORE) RETRY(1)\nACTION(DISCARD)\n", 99, 1),
    ("T05", "REASON(2085) ACTION(IGNORE)\nACTION(DISCARD)\n", 0, 2),
    ("§4.3 DISCARD", "ACTION(DISCARD)\nACTION(FWD) FWDQ(Q)\n", 1, 2),
    ("§4.3 only matching rules count", "REASON(1) ACTION(RETRY) RETRY(9)\nACTION(RETRY) RETRY(2)\n", 1, 2),
    ("§4.3 only matching rules count", "REASON(1) ACTION(RETRY) RETRY(9)\nACTION(RETRY) RETRY(2)\n", 2, None),
]


def test_attempts() -> None:
    assert [row for row in ATTEMPTS if line_of(row[1], row[2]) != row[3]] == []


FIELDS: list[tuple[str, dict[str, Any], bool]] = [
    ("APPLIDAT('x y')", {"appl_identity_data": "x y"}, True),
    ("APPLNAME('billing')", {"put_appl_name": "billing"}, True),
    ("APPLNAME(BILLING)", {"put_appl_name": "billing"}, False),
    ("APPLTYPE(MQAT_UNIX)", {"put_appl_type": 6}, True),
    ("APPLTYPE(MQAT_UNKNOWN)", {"put_appl_type": -1}, True),
    ("DESTQ(ORD*)", {"dest_q_name": "ORDERS"}, True),
    ("DESTQM(QM?)", {"dest_q_mgr_name": "QM1"}, True),
    ("FEEDBACK(MQFB_QUIT)", {"feedback": 256}, True),
    ("FEEDBACK(MQRC_Q_FULL)", {"feedback": 2053}, True),
    ("FORMAT(MQSTR)", {"format": "MQSTR"}, True),
    ("FORMAT(MQDEAD)", {"format": "MQSTR"}, False),
    ("FORMAT(' ')", {"format": ""}, True),
    ("MSGTYPE(MQMT_REQUEST)", {"msg_type": 1}, True),
    ("MSGTYPE(*)", {"msg_type": 1}, True),
    ("PERSIST(MQPER_PERSISTENT)", {"persistence": 0}, False),
    ("REASON(MQRC_Q_FULL)", {"reason": 2053}, True),
    ("REASON(MQFB_EXPIRATION)", {"reason": 258}, True),
    ("REPLYQ(?*)", {"reply_to_q": ""}, False),
    ("REPLYQ(?*)", {"reply_to_q": "ANSWERS"}, True),
    ("REPLYQ(' ')", {"reply_to_q": ""}, True),
    ("REPLYQM(AAAA.*)", {"reply_to_q_mgr": "AAAA.1"}, True),
    ("USERID('tmp*')", {"user_identifier": "tmp01"}, True),
    ("USERID('tmp*')", {"user_identifier": "TMP01"}, False),
    ("REASON(2053) DESTQ(X)", {"reason": 2053, "dest_q_name": "ORDERS"}, False),
]


def test_every_keyword_is_compared_with_its_field() -> None:
    assert [row for row in FIELDS if (line_of(f"{row[0]} ACTION(RETRY)\n", **row[1]) == 1) is not row[2]] == []


def patterns_of(destinations: str, reason: int | None) -> tuple[Pattern, ...]:
    return Pattern("DESTQ", destinations.rstrip(" ")), Pattern("REASON", reason)


RANDOM_RULES = st.builds(
    Rule,
    patterns=st.builds(patterns_of, FEW, st.none() | st.integers(1, 3)) | st.just(()),
    action=st.sampled_from(["RETRY", "DISCARD", "IGNORE"]),
    retry=st.integers(1, 3),
)
RANDOM_FACTS = st.builds(lambda name, reason: facts(dest_q_name=name, reason=reason), FIELD, st.integers(1, 3))


@given(st.lists(RANDOM_RULES, max_size=12).map(tuple), st.lists(RANDOM_FACTS, min_size=1), st.integers(0, 9))
def test_the_matcher_agrees_with_comparing_pattern_by_pattern(
    rules: tuple[Rule, ...], messages: list[DeadLetterFacts], attempts: int
) -> None:
    matcher = RuleMatcher(RulesTable(Control(), rules))
    for message in messages:
        matching = [rule for rule in rules if not mismatches_of(rule, message)]
        assert list(matcher.matching(message)) == matching
        assert matcher.rule_for(message, attempts) is applicable_rule(matching, attempts)


def test_the_cache_is_bounded() -> None:
    matcher = RuleMatcher(table("DESTQ(Q1*) ACTION(RETRY)\nUSERID(U) ACTION(DISCARD)\n"))
    right = [matcher.rule_for(facts(dest_q_name=f"Q{number}")) is not None for number in range(2 * CACHE_SIZE + 10)]
    assert right == [str(number).startswith("1") for number in range(2 * CACHE_SIZE + 10)]
    assert max(len(cache) for _, cache in matcher._caches) <= CACHE_SIZE
