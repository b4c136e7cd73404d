"""Copies for stream queues, and definitions that are refused for them (streaming §2, §5)."""

from __future__ import annotations

from mqsc.store.catalog import Stored
from mqsc.store.constants import MQRCCF, MQRO
from mqsc.store.descriptor import FIELDS, MessageDescriptor
from mqsc.store.rules import streaming
from mqsc.store.rules.streaming import NamedQueue, Surroundings
from tests.rows import rows
from tests.store.tables import giving, verdicts

PLAIN = NamedQueue(is_model=False, is_transmission=False, streams=False)
MODEL = NamedQueue(is_model=True, is_transmission=False, streams=False)
TRANSMISSION = NamedQueue(is_model=False, is_transmission=True, streams=False)
STREAMING = NamedQueue(is_model=False, is_transmission=False, streams=True)
TARGET, CONFLICT = MQRCCF.STREAMQ_DEST_NOT_SUPP, MQRCCF.STREAMQ_DEST_CONFLICT
UNSUPPORTED, USED = MQRCCF.STREAMQ_NOT_SUPPORTED, MQRCCF.STREAMQ_CONFLICT
TO_B: dict[str, Stored] = {"STREAMQ": "B"}


@rows(([], -1), ([100], 100), ([100, 30], 30), ([0], -1))
def test_a_copy(caps: list[int], expiry: int) -> None:
    kept = int(MQRO.PAN | MQRO.NAN | MQRO.PASS_CORREL_ID | MQRO.DISCARD_MSG)
    dropped = int(
        MQRO.ACTIVITY
        | MQRO.EXPIRATION_WITH_DATA
        | MQRO.EXCEPTION
        | MQRO.COA_WITH_FULL_DATA
        | MQRO.COD,
    )
    original = MessageDescriptor(
        report=kept | dropped,
        expiry=50,
        priority=3,
        msg_id=b"M",
        backout_count=2,
    )
    copy = streaming.copy_of(original, caps)
    differing = {
        name: getattr(copy, name)
        for name in FIELDS
        if getattr(copy, name) != getattr(original, name)
    }
    assert differing == {"report": kept, "expiry": expiry, "backout_count": 0}


@rows(
    ("QLOCAL", "A", TO_B, Surroundings(), 0),
    ("QLOCAL", "A", TO_B, Surroundings(PLAIN), 0),
    ("QLOCAL", "A", {}, Surroundings(is_stream_queue=True, is_destination=True), 0),
    ("QLOCAL", "A", TO_B, Surroundings(MODEL), TARGET),
    ("QLOCAL", "A", TO_B, Surroundings(TRANSMISSION), TARGET),
    ("QLOCAL", "A", {"STREAMQ": "SYSTEM.ADMIN.QMGR.EVENT"}, Surroundings(PLAIN), TARGET),
    ("QLOCAL", "A", {"STREAMQ": "SYSTEM.DEFAULT.LOCAL.QUEUE"}, Surroundings(PLAIN), 0),
    ("QLOCAL", "A", TO_B, Surroundings(STREAMING), CONFLICT),
    ("QLOCAL", "A", TO_B, Surroundings(PLAIN, leads_back=True), CONFLICT),
    ("QLOCAL", "B", TO_B, Surroundings(), CONFLICT),
    ("QLOCAL", "A", {**TO_B, "USAGE": "XMITQ"}, Surroundings(PLAIN), UNSUPPORTED),
    ("QLOCAL", "A", TO_B, Surroundings(PLAIN, is_dynamic=True), UNSUPPORTED),
    ("QLOCAL", "SYSTEM.CHANNEL.INITQ", TO_B, Surroundings(PLAIN), UNSUPPORTED),
    ("QMODEL", "SYSTEM.MQEXPLORER.REPLY.MODEL", TO_B, Surroundings(PLAIN), UNSUPPORTED),
    ("QMODEL", "SYSTEM.JMS.TEMPQ.MODEL", TO_B, Surroundings(PLAIN), 0),
    ("QLOCAL", "SYSTEM.ADMIN.LOGGER.EVENT", TO_B, Surroundings(PLAIN), 0),
    ("QLOCAL", "A", TO_B, Surroundings(PLAIN, is_stream_queue=True), USED),
    ("QLOCAL", "A", TO_B, Surroundings(PLAIN, is_destination=True), USED),
    ("QLOCAL", "B", {"USAGE": "XMITQ"}, Surroundings(is_stream_queue=True), TARGET),
    ("QALIAS", "B", {"TARGET": "X"}, Surroundings(STREAMING), 0),
    ("QALIAS", "B", {"TARGET": "X"}, Surroundings(STREAMING, is_stream_queue=True), CONFLICT),
    ("QALIAS", "B", {"TARGET": "X"}, Surroundings(TRANSMISSION, is_stream_queue=True), TARGET),
    ("SUB", "S", {"DEST": "X"}, Surroundings(STREAMING), USED),
    ("SUB", "S", {"DEST": "X"}, Surroundings(PLAIN), 0),
)
def test_a_definition(
    keyword: str,
    name: str,
    attributes: dict[str, Stored],
    surroundings: Surroundings,
    reason: int,
) -> None:
    assert streaming.definition_refusal(keyword, name, attributes, surroundings) == reason
    # Other definitions are not read for one that does not depend on them.
    assert not reason or streaming.depends_on_others(keyword, attributes)


# (kind, attributes, the queue that the definition depends on)
test_the_queue_that_a_definition_depends_on = verdicts(
    streaming.named_queue,
    *giving("B", ("QLOCAL", {"STREAMQ": "B"}), ("QMODEL", {"STREAMQ": "B"})),
    *giving("", ("QLOCAL", {}), ("QALIAS", {"TARGET": "T", "TARGTYPE": "TOPIC"})),
    *giving("", ("SUB", {"DEST": "A", "DESTCLAS": "MANAGED"}), ("QREMOTE", {"RNAME": "A"})),
    *giving("A", ("QALIAS", {"TARGET": "A"}), ("SUB", {"DEST": "A"})),
)
