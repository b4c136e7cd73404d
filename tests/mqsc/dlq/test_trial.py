"""Dry runs of a rules table predict what the handler then does."""

from __future__ import annotations

from mqsc.dlq.redrive import dead_letters_from_messages, dead_letters_on_queue
from mqsc.dlq.trial import TrialCounts, TrialResult, consequence, try_table
from store.admin.put_preview import PutPreview
from store.descriptor import MessageDescriptor
from store.headers import mqxqh
from store.message import Message
from tests.mqsc.dlq.handler_system import DLQ, HEADER, HandlerSystem
from tests.mqsc.dlq.tables import table

RULES = (
    "WAIT(NO)\n"
    "DESTQ(THROWN) ACTION(DISCARD)\n"
    "REASON(MQRC_Q_FULL) ACTION(RETRY) RETRY(2)\n"
    "REPLYQ(?*) ACTION(FWD) FWDQ(&REPLYQ) HEADER(NO)\n"
    "MSGTYPE(MQMT_REPORT) ACTION(IGNORE)\n"
)


def put_messages(system: HandlerSystem) -> None:
    """Put dead letters for every rule, one that matches no rule, one without a header, and an expired one."""
    system.define("Q1", MAXDEPTH=1)
    system.define("ANSWERS")
    system.put_dead_letter("a")
    system.put_dead_letter("b")
    system.put_dead_letter("c", dest_q_name="THROWN")
    system.put_dead_letter("d", reason=2051, reply_to_q="ANSWERS")
    system.put_dead_letter("e", reason=2051, msg_type=4)
    system.put_dead_letter("f", reason=2051)
    system.put(DLQ, b"odd")
    system.put_dead_letter("g", expiry=1)
    system.clock.advance(1)


def tried(system: HandlerSystem, rules: str = RULES) -> list[TrialResult]:
    return list(try_table(table(rules), dead_letters_on_queue(system.seen(DLQ)), PutPreview(system.qmgr, DLQ)))


def counted(found: list[TrialResult]) -> TrialCounts:
    counts = TrialCounts()
    for result in found:
        counts.count(result)
    return counts


def test_results(system: HandlerSystem) -> None:
    put_messages(system)
    told = [(result.rule.line if result.rule else None, result.target, result.reason) for result in tried(system)]
    assert told == [
        (3, ("Q1", "QM1"), 0),
        (3, ("Q1", "QM1"), 2053),
        (2, None, None),
        (4, ("ANSWERS", ""), 0),
        (5, None, None),
        (None, None, None),
        (None, None, None),
        (None, None, None),
    ]


def test_counts(system: HandlerSystem) -> None:
    put_messages(system)
    counts = counted(tried(system))
    assert (counts.messages, counts.unmatched, counts.without_header, counts.expired) == (8, 1, 1, 1)
    assert counts.rules == {2: 1, 3: 2, 4: 1, 5: 1}
    assert counts.reasons == {(2053, "Q1", "QM1"): 2, (2053, "THROWN", "QM1"): 1, (2051, "Q1", "QM1"): 3}
    assert counts.puts == {(("Q1", "QM1"), 0): 1, (("Q1", "QM1"), 2053): 1, (("ANSWERS", ""), 0): 1}


def test_the_handler_does_what_the_trial_predicts(system: HandlerSystem) -> None:
    put_messages(system)
    tried(system)
    assert [len(system.seen(name)) for name in (DLQ, "Q1", "ANSWERS")] == [8, 0, 0]
    assert system.history("GET", "EXPIRE", "BACKOUT") == []
    system.run(RULES.replace("RETRY(2)", "RETRY(1)"))
    assert [system.on(name) for name in (DLQ, "Q1", "ANSWERS")] == [["b", "e", "f", "odd"], ["a"], ["d"]]


def test_without_a_queue_manager_the_result_of_a_put_is_unknown() -> None:
    given = [Message(mqxqh.pack_mqdlh(HEADER) + b"x", MessageDescriptor(coded_char_set_id=1208)), Message(b"odd")]
    first, second = try_table(table(RULES), dead_letters_from_messages(given), None)
    assert (first.target, first.reason, second.rule) == (("Q1", "QM1"), None, None)
    assert consequence(first).endswith("unknown without a queue manager")
