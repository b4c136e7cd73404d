"""100 rules and 100 000 messages: more than 20 000 a second of processor time, for matching and for `mqsc dlq test`."""

from __future__ import annotations

from collections import Counter
from time import process_time

import pytest

from mqsc.dlq.matching import RuleMatcher, facts_of
from mqsc.dlq.redrive import dead_letters_on_queue
from mqsc.dlq.trial import TrialCounts, try_table
from store.admin.put_preview import PutPreview, peek
from store.constants import MQOO
from store.descriptor import MessageDescriptor
from store.headers import mqxqh
from store.message import Message
from tests.mqsc.dlq.handler_system import DLQ, HandlerSystem
from tests.mqsc.dlq.tables import table

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
        header = mqxqh.unpack_mqdlh(data, descriptor.encoding, descriptor.coded_char_set_id)
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
    text = "".join(SHAPES[n % 4].format(n=n, reason=2000 + n) for n in range(99)) + "ACTION(FWD) FWDQ(REST)\n"
    with system.qmgr.connect() as connection:
        handle = connection.open(DLQ, MQOO.OUTPUT)
        for begin in range(0, MESSAGES, 1000):
            pairs = map(message, range(begin, begin + 1000))
            handle.put([Message(body, descriptor) for descriptor, body in pairs])
    started = process_time()
    counts = TrialCounts()
    for result in try_table(
        table(text), dead_letters_on_queue(peek(system.qmgr, DLQ, mqxqh.MQDLH_LENGTH)), PutPreview(system.qmgr, DLQ)
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
    header = mqxqh.DeadLetterHeader(2000 + number % 100, destination, "QM1", 546, 1208, "MQSTR", 6, "x", "", "")
    return descriptor, mqxqh.pack_mqdlh(header) + b"hello"
