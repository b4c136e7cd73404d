"""Which rule applies (dlq-rules §3.1, §4.3): cases, slow matchers to compare with, and many
messages.
"""

from __future__ import annotations

from collections import Counter
from time import process_time
from typing import Any

import pytest
from hypothesis import given, strategies as st

from mqsc.dlq.dead_letter import dead_letters_on_queue
from mqsc.dlq.facts import DeadLetterFacts, facts_of
from mqsc.dlq.matching import CACHE_SIZE, RuleMatcher, applicable_rule, rule_turns
from mqsc.dlq.rule_results import mismatches_of
from mqsc.dlq.rules_table import Control, Pattern, Rule, RulesTable
from mqsc.dlq.trial import TrialCounts, try_table
from mqsc.store.admin.peeking import peek
from mqsc.store.admin.put_preview import PutPreview
from mqsc.store.constants import MQOO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.headers import mqdlh
from mqsc.store.headers.mqdlh import DeadLetterHeader
from mqsc.store.message import Message
from tests.mqsc.dlq.handler_system import DLQ, HandlerSystem
from tests.mqsc.dlq.tables import FEW, FIELD, facts, table
from tests.rows import rows

THREE_THEN_TWO = "REASON(2053) ACTION(RETRY) RETRY(3)\nACTION(FWD) FWDQ(REST) RETRY(2)\n"


@rows(
    (THREE_THEN_TWO, [(0, 1), (3, 2), (5, None)]),
    ("ACTION(RETRY) RETRY(2)\nACTION(IGNORE)\nACTION(DISCARD)\n", [(0, 1), (2, 2)]),
    ("REASON(2051) ACTION(RETRY)\n", [(0, None)]),
)
def test_the_turns_of_rules_while_every_attempt_fails(
    text: str,
    turns: list[tuple[int, int | None]],
) -> None:
    matching = RuleMatcher(table(text)).matching(facts(reason=2053))
    assert [(after, rule and rule.line) for after, rule in rule_turns(matching)] == turns


def line_of(text: str, attempts: int = 0, **fields: Any) -> int | None:
    """Return the line of the rule that applies, or None."""
    rule = RuleMatcher(table(text)).rule_for(facts(**fields), attempts)
    return rule.line if rule else None


@rows(
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
    (
        "§4.3 only matching rules count",
        "REASON(1) ACTION(RETRY) RETRY(9)\nACTION(RETRY) RETRY(2)\n",
        1,
        2,
    ),
    (
        "§4.3 only matching rules count",
        "REASON(1) ACTION(RETRY) RETRY(9)\nACTION(RETRY) RETRY(2)\n",
        2,
        None,
    ),
)
def test_attempts(trap: str, text: str, attempts: int, line: int | None) -> None:
    assert line_of(text, attempts) == line, trap


@rows(
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
)
def test_every_keyword_is_compared_with_its_field(
    pattern: str,
    fields: dict[str, Any],
    matches: bool,
) -> None:
    assert (line_of(f"{pattern} ACTION(RETRY)\n", **fields) == 1) is matches


def patterns_of(destinations: str, reason: int | None) -> tuple[Pattern, ...]:
    return Pattern("DESTQ", destinations.rstrip(" ")), Pattern("REASON", reason)


RANDOM_RULES = st.builds(
    Rule,
    patterns=st.builds(patterns_of, FEW, st.none() | st.integers(1, 3)) | st.just(()),
    action=st.sampled_from(["RETRY", "DISCARD", "IGNORE"]),
    retry=st.integers(1, 3),
)
RANDOM_FACTS = st.builds(
    lambda name, reason: facts(dest_q_name=name, reason=reason),
    FIELD,
    st.integers(1, 3),
)


@given(
    st.lists(RANDOM_RULES, max_size=12).map(tuple),
    st.lists(RANDOM_FACTS, min_size=1),
    st.integers(0, 9),
)
def test_the_matcher_agrees_with_comparing_pattern_by_pattern(
    rules: tuple[Rule, ...],
    messages: list[DeadLetterFacts],
    attempts: int,
) -> None:
    matcher = RuleMatcher(RulesTable(Control(), rules))
    for message in messages:
        matching = [rule for rule in rules if not mismatches_of(rule, message)]
        assert list(matcher.matching(message)) == matching
        assert matcher.rule_for(message, attempts) is applicable_rule(matching, attempts)


def test_the_cache_is_bounded() -> None:
    matcher = RuleMatcher(table("DESTQ(Q1*) ACTION(RETRY)\nUSERID(U) ACTION(DISCARD)\n"))
    right = [
        matcher.rule_for(facts(dest_q_name=f"Q{number}")) is not None
        for number in range(2 * CACHE_SIZE + 10)
    ]
    assert right == [str(number).startswith("1") for number in range(2 * CACHE_SIZE + 10)]
    assert max(len(cache) for _, cache in matcher._caches) <= CACHE_SIZE


def test_facts_come_from_the_right_structure() -> None:
    """T01, T02: every field that both structures have gets two different values here."""
    both = {
        "put_appl_type": 6,
        "put_appl_name": "billing",
        "msg_type": 1,
        "feedback": 256,
        "persistence": 1,
    }
    both |= {
        "reply_to_q": "ANSWERS",
        "reply_to_q_mgr": "QM2",
        "user_identifier": "alice",
        "appl_identity_data": "who",
    }
    header = DeadLetterHeader(
        2053,
        "ORDERS",
        "QM1",
        546,
        819,
        "MQSTR",
        26,
        "the channel",
        "20240102",
        "03040506",
    )
    of_header = {
        "dest_q_name": "ORDERS",
        "dest_q_mgr_name": "QM1",
        "format": "MQSTR",
        "reason": 2053,
    }
    given = MessageDescriptor(format="MQDEAD", encoding=273, **both)  # type: ignore[arg-type]
    assert facts_of(given, header)._asdict() == both | of_header


MESSAGES = 100_000
SHAPES = (
    "DESTQ(APP{n}.*) REASON({reason}) ACTION(RETRY) RETRY(3)\n",
    "REASON({reason}) APPLNAME('*job{n}') ACTION(FWD) FWDQ(X{n})\n",
    "USERID('u?{n}*x') PERSIST(0) ACTION(DISCARD)\n",
    "DESTQ(*{n}) REPLYQ(?*) MSGTYPE(1) ACTION(FWD) FWDQ(&REPLYQ) FWDQM(&REPLYQM)\n",
)


@pytest.mark.benchmark
def test_a_hundred_rules_and_a_hundred_thousand_messages() -> None:
    text = "".join(SHAPES[n % 4].format(n=n, reason=2000 + n) for n in range(99))
    matcher = RuleMatcher(table(text + "ACTION(FWD) FWDQ(REST)\n"))
    messages = [message(number) for number in range(MESSAGES)]
    started = process_time()
    lines: Counter[int] = Counter()
    for descriptor, data in messages:
        header = mqdlh.unpack_mqdlh(data, descriptor.encoding, descriptor.coded_char_set_id)
        rule = matcher.rule_for(facts_of(descriptor, header))
        lines[rule.line if rule else 0] += 1
    elapsed = process_time() - started
    assert lines.total() == MESSAGES
    assert len(lines) > 20
    assert MESSAGES / elapsed >= 20_000


@pytest.mark.benchmark
@pytest.mark.long
def test_a_trial_of_a_hundred_thousand_messages_of_a_queue(system: HandlerSystem) -> None:
    system.alter(DLQ, MAXDEPTH=MESSAGES)
    text = (
        "".join(SHAPES[n % 4].format(n=n, reason=2000 + n) for n in range(99))
        + "ACTION(FWD) FWDQ(REST)\n"
    )
    with system.qmgr.connect() as connection:
        handle = connection.open(DLQ, MQOO.OUTPUT)
        for begin in range(0, MESSAGES, 1000):
            pairs = map(message, range(begin, begin + 1000))
            handle.put([Message(body, descriptor) for descriptor, body in pairs])
    started = process_time()
    counts = TrialCounts()
    for result in try_table(
        table(text),
        dead_letters_on_queue(peek(system.qmgr, DLQ, mqdlh.MQDLH_LENGTH)),
        PutPreview(system.qmgr, DLQ),
    ):
        counts.count(result)
    elapsed = process_time() - started
    assert (counts.messages, counts.rules.total() + counts.unmatched) == (MESSAGES, MESSAGES)
    assert counts.puts.total() > MESSAGES // 2
    assert MESSAGES / elapsed >= 20_000


def message(number: int) -> tuple[MessageDescriptor, bytes]:
    """Return a message whose field values depend on its number, so that few of them repeat."""
    descriptor = MessageDescriptor(
        coded_char_set_id=1208,
        msg_type=1 if number % 3 else 8,
        persistence=number % 2,
        put_appl_name=f"job{number % 977}",
        reply_to_q="ANSWERS" if number % 3 else "",
        user_identifier=f"u{number}x",
    )
    destination = f"APP{number % 150}.{number}"
    header = mqdlh.DeadLetterHeader(
        2000 + number % 100,
        destination,
        "QM1",
        546,
        1208,
        "MQSTR",
        6,
        "x",
        "",
        "",
    )
    return descriptor, mqdlh.pack_mqdlh(header) + b"hello"
