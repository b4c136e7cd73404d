"""What MQPUT and queues accept, in MQ's order, and what a put decides (mqi-semantics §3, §12)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mqsc.store.constants import MQMF, MQOO, MQPMO, MQRC, MQRO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.rules import admission, putting
from mqsc.store.rules.admission import Limits
from tests.rows import rows
from tests.store.tables import giving, verdicts

UNKNOWN = 1 << 30


# (options, reason of MQPUT, reason of MQPUT1)
@rows(
    (0, 0, 0),
    (MQPMO.SYNCPOINT | MQPMO.NEW_MSG_ID | MQPMO.NEW_CORREL_ID | MQPMO.FAIL_IF_QUIESCING, 0, 0),
    *giving(
        0,
        (MQPMO.RESOLVE_LOCAL_Q, 0),
        (MQPMO.ASYNC_RESPONSE, 0),
        (MQPMO.SYNC_RESPONSE, 0),
        (MQPMO.NO_CONTEXT, 0),
    ),
    *giving(0, (MQPMO.DEFAULT_CONTEXT, 0), (MQPMO.ALTERNATE_USER_AUTHORITY, 2046)),
    *giving(2046, (UNKNOWN, 2046), (MQPMO.SYNCPOINT | MQPMO.NO_SYNCPOINT, 2046)),
    (MQPMO.ASYNC_RESPONSE | MQPMO.SYNC_RESPONSE, 2046, 2046),
    (MQPMO.NO_CONTEXT | MQPMO.DEFAULT_CONTEXT, 2046, 2046),
    (MQPMO.PASS_IDENTITY_CONTEXT | MQPMO.PASS_ALL_CONTEXT, 2046, 2046),
    (MQPMO.SET_IDENTITY_CONTEXT | MQPMO.SET_ALL_CONTEXT, 2046, 2046),
    (MQPMO.LOGICAL_ORDER, 0, 2046),
)
def test_options(options: int, of_put: int, of_put1: int) -> None:
    assert (
        putting.options_fault(options, is_put1=False),
        putting.options_fault(options, is_put1=True),
    ) == (of_put, of_put1)


# (options of the put, options of the open, reason)
test_a_handle_must_be_open_for_the_context = verdicts(
    putting.context_fault,
    *giving(
        0,
        (0, MQOO.OUTPUT),
        (MQPMO.NO_CONTEXT, MQOO.OUTPUT),
        (MQPMO.DEFAULT_CONTEXT, MQOO.OUTPUT),
    ),
    (MQPMO.PASS_ALL_CONTEXT, MQOO.OUTPUT, 2093),
    (MQPMO.PASS_ALL_CONTEXT, MQOO.OUTPUT | MQOO.PASS_ALL_CONTEXT, 0),
    (MQPMO.PASS_IDENTITY_CONTEXT, MQOO.OUTPUT, 2094),
    (MQPMO.PASS_IDENTITY_CONTEXT | MQPMO.SYNCPOINT, MQOO.OUTPUT | MQOO.PASS_IDENTITY_CONTEXT, 0),
    (MQPMO.SET_ALL_CONTEXT, MQOO.OUTPUT | MQOO.PASS_ALL_CONTEXT, 2095),
    (MQPMO.SET_ALL_CONTEXT, MQOO.OUTPUT | MQOO.SET_ALL_CONTEXT, 0),
    (MQPMO.SET_IDENTITY_CONTEXT, MQOO.OUTPUT, 2096),
    (MQPMO.SET_IDENTITY_CONTEXT, MQOO.OUTPUT | MQOO.SET_IDENTITY_CONTEXT, 0),
)


# (fields, reason), with the values on both sides of every limit.
@rows(
    *giving(0, {}, {"msg_type": 1, "reply_to_q": "R"}, {"msg_type": 999_999_999}, {"feedback": 1}),
    *giving(
        0,
        {"feedback": 999_999_999},
        {"expiry": -1},
        {"expiry": 1},
        {"priority": -1},
        {"persistence": 1},
    ),
    *giving(
        0,
        {"persistence": 2},
        {"report": int(MQRO.COA), "reply_to_q": "R"},
        {"msg_flags": int(MQMF.MSG_IN_GROUP)},
    ),
    *giving(2029, {"msg_type": 0}, {"msg_type": 1_000_000_000}),
    ({"report": 1 << 15}, 2061),
    *giving(2014, {"feedback": -1}, {"feedback": 1_000_000_000}),
    *giving(2013, {"expiry": -2}, {"expiry": 0}),
    ({"priority": -2}, 2050),
    *giving(2047, {"persistence": -1}, {"persistence": 3}),
    *giving(2027, {"msg_type": 1}, {"msg_type": 1, "reply_to_q": " \0"}, {"report": int(MQRO.COA)}),
    ({"msg_flags": 1 << 19}, 2249),
)
def test_descriptors(fields: dict[str, Any], reason: int) -> None:
    assert putting.descriptor_fault(MessageDescriptor(**fields)) == reason


# Valid fields in the order in which MQ checks them.
MENDED: dict[str, Any] = {
    "msg_type": 1,
    "report": 0,
    "feedback": 0,
    "expiry": -1,
    "priority": 0,
    "persistence": 0,
}


def test_the_first_fault_in_mqs_order_is_the_reason() -> None:
    wrong = dict(zip(MENDED, (0, 1 << 15, -1, 0, -2, 3), strict=True))
    found = []
    for count in range(len(wrong) + 1):
        mended = dict(list(MENDED.items())[:count])
        found.append(
            putting.descriptor_fault(
                MessageDescriptor(**{**wrong, **mended, "msg_flags": 1 << 19}),
            ),
        )
    assert found == [2029, 2061, 2014, 2013, 2050, 2047, 2027]


@rows(({"report": 1 << 15}, 2061), ({"msg_flags": 1 << 19}, 2249))
def test_options_without_meaning_here_may_pass_to_a_transmission_queue(
    fields: dict[str, Any],
    reason: int,
) -> None:
    descriptor = MessageDescriptor(**fields)
    assert (
        putting.descriptor_fault(descriptor),
        putting.descriptor_fault(descriptor, transmission=True),
    ) == (
        reason,
        0,
    )


@rows(
    *giving(False, {"msg_type": 8}, {"report": int(MQRO.PASS_CORREL_ID | MQRO.DISCARD_MSG)}),
    *giving(
        True,
        {"msg_type": 1},
        {"report": int(MQRO.EXCEPTION)},
        {"report": int(MQRO.EXPIRATION)},
    ),
    *giving(True, {"report": int(MQRO.COA)}, {"report": int(MQRO.COD)}),
    *giving(True, {"report": int(MQRO.PAN)}, {"report": int(MQRO.NAN)}),
)
def test_what_needs_a_reply_queue(fields: dict[str, Any], needs: bool) -> None:
    assert putting.needs_reply_queue(MessageDescriptor(**fields)) is needs


test_persistence = verdicts(
    putting.persistence_in_force,
    (0, 1, 0),
    (1, 0, 1),
    (2, 0, 0),
    (2, 1, 1),
)


@rows((0, 0, 4, 0), (9, 0, 4, 9), (10, 2049, 4, 9))
def test_priority(priority: int, warning: int, on_fifo: int, by_priority: int) -> None:
    assert putting.priority_warning(priority) == warning
    assert (putting.rank(priority, True, 4), putting.rank(priority, False, 4)) == (
        on_fifo,
        by_priority,
    )


@dataclass
class Queue:
    """A permanent queue of this queue manager."""

    max_length: int = 100
    definition_type: int = 1
    structure_longest: int | None = None
    structure_keeps_persistent: int = 1


LOCAL = Limits(Queue(), longest_of_all=200, header=0)
TEMPORARY = LOCAL._replace(queue=Queue(definition_type=3))
REMOTE = LOCAL._replace(header=40)
IN_STRUCTURE = LOCAL._replace(queue=Queue(structure_longest=90))
FROM_STRUCTURE = REMOTE._replace(queue=Queue(structure_longest=90))
WIDE = LOCAL._replace(queue=Queue(max_length=1000))

test_what_a_message_may_be_like = verdicts(
    admission.message_fault,
    *giving(0, (LOCAL, 1, 100, 0), (TEMPORARY, 0, 100, 0)),
    (LOCAL, 1, 101, 0, 2030),
    (TEMPORARY, 1, 100, 0, 2048),
    # The persistence is checked before the length.
    (TEMPORARY, 1, 101, 0, 2048),
    (WIDE, 0, 200, 0, 0),
    (WIDE, 0, 201, 0, 2031),
    # The header and an extension count only on the way to another queue manager.
    *giving(0, (REMOTE, 0, 60, 0), (REMOTE, 0, 50, 10), (LOCAL, 0, 100, 10)),
    *giving(2030, (REMOTE, 0, 61, 0), (REMOTE, 0, 51, 10)),
    # So it is with what the structure of a shared queue takes.
    *giving(0, (IN_STRUCTURE, 1, 90, 0), (FROM_STRUCTURE, 1, 50, 0), (FROM_STRUCTURE, 1, 40, 10)),
    *giving(
        int(MQRC.WRONG_CF_LEVEL),
        *((IN_STRUCTURE, 1, 91, 0), (FROM_STRUCTURE, 1, 51, 0), (FROM_STRUCTURE, 1, 41, 10)),
    ),
)

test_what_a_queue_takes_now = verdicts(
    admission.queue_fault,
    (True, 1, 1, 0),
    *giving(2053, (True, 0, 1), (True, 2, 3), (True, -1, 1)),
    # Inhibited is checked before full.
    *giving(2051, (False, 5, 1), (False, 0, 1)),
)

test_the_order_of_the_reasons = verdicts(
    admission.fault,
    (TEMPORARY, False, 0, 1, 101, 2048),
    (LOCAL, False, 0, 1, 101, 2030),
    (LOCAL, False, 0, 1, 100, 2051),
    (LOCAL, True, 0, 1, 100, 2053),
    (LOCAL, True, 1, 1, 100, 0),
)
