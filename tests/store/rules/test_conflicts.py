"""Definitions that are refused or need FORCE, and copies for stream queues (streaming §2, §5)."""

from __future__ import annotations

from mqsc.store.catalog import KINDS, Stored, defaults
from mqsc.store.constants import MQRCCF, MQRO
from mqsc.store.descriptor import FIELDS, MessageDescriptor
from mqsc.store.rules import conflicts
from mqsc.store.rules.conflicts import NamedQueue, QueueUse, Surroundings
from tests.rows import rows
from tests.store.tables import giving, verdicts


@rows(
    *giving(0, ("QLOCAL", {}), ("QLOCAL", {"CLUSTER": "C"}), ("QLOCAL", {"USAGE": "XMITQ"})),
    ("QMODEL", {"USAGE": "XMITQ"}, 0),
    ("QMODEL", {"DEFTYPE": "SHAREDYN", "CFSTRUCT": "APPL1"}, 0),
    *giving(
        0,
        ("QMGR", {"REPOS": "C"}),
        ("QMGR", {"DEFXMITQ": "XQ"}),
        ("PROCESS", {"APPLICID": "run"}),
    ),
    ("QLOCAL", {"CLUSTER": "C", "CLUSNL": "NL"}, MQRCCF.CLUSTER_NAME_CONFLICT),
    ("QALIAS", {"CLUSTER": "C", "CLUSNL": "NL"}, MQRCCF.CLUSTER_NAME_CONFLICT),
    ("QREMOTE", {"CLUSTER": "C", "CLUSNL": "NL"}, MQRCCF.CLUSTER_NAME_CONFLICT),
    ("QLOCAL", {"USAGE": "XMITQ", "CLUSTER": "C"}, MQRCCF.CLUSTER_Q_USAGE_ERROR),
    ("QLOCAL", {"USAGE": "XMITQ", "CLUSNL": "NL"}, MQRCCF.CLUSTER_Q_USAGE_ERROR),
    ("QLOCAL", {"USAGE": "XMITQ", "CLCHNAME": "TO.*"}, 0),
    ("QLOCAL", {"CLCHNAME": "TO.*"}, MQRCCF.CLUS_XMIT_Q_USAGE_ERROR),
    ("QMODEL", {"DEFTYPE": "SHAREDYN"}, MQRCCF.DISPOSITION_CONFLICT),
    ("QMGR", {"REPOS": "C", "REPOSNL": "NL"}, MQRCCF.REPOS_NAME_CONFLICT),
    ("QMGR", {"LOGGEREV": "ENABLED"}, MQRCCF.LOG_TYPE_ERROR),
    ("QMGR", {"DEFXMITQ": "SYSTEM.CLUSTER.TRANSMIT.QUEUE"}, MQRCCF.DEF_XMIT_Q_CLUS_ERROR),
)
def test_conflicting_attributes(kind: str, given: dict[str, Stored], reason: int) -> None:
    assert conflicts.conflict(KINDS[kind], "X", {**defaults(KINDS[kind]), **given}) == reason


@rows(
    "SYSTEM.CHANNEL.INITQ",
    "SYSTEM.CHANNEL.SYNCQ",
    "SYSTEM.CLUSTER.COMMAND.QUEUE",
    "SYSTEM.CLUSTER.REPOSITORY.QUEUE",
    "SYSTEM.COMMAND.INPUT",
    "SYSTEM.QSG.CHANNEL.SYNCQ",
    "SYSTEM.QSG.TRANSMIT.QUEUE",
)
def test_a_reserved_queue_is_never_a_cluster_queue(name: str) -> None:
    for kind in (KINDS["QLOCAL"], KINDS["QALIAS"], KINDS["QREMOTE"]):
        plain = defaults(kind)
        assert conflicts.conflict(kind, name, plain) == 0
        for word in ("CLUSTER", "CLUSNL"):
            assert (
                conflicts.conflict(kind, name, {**plain, word: "C"}) == MQRCCF.CLUSTER_Q_USAGE_ERROR
            )
    assert conflicts.conflict(KINDS["PROCESS"], name, defaults(KINDS["PROCESS"])) == 0


FREE = QueueUse(input_handles=0, is_open=False, has_messages=False, is_manager_alias=False)


# (kind, attribute, new value, use of the queue, whether FORCE is needed) by the FORCE rules of the
# ALTER commands.
@rows(
    ("QLOCAL", "SHARE", "NOSHARE", FREE, False),
    ("QLOCAL", "SHARE", "NOSHARE", FREE._replace(input_handles=1, is_open=True), False),
    ("QLOCAL", "SHARE", "NOSHARE", FREE._replace(input_handles=2, is_open=True), True),
    ("QLOCAL", "SHARE", "SHARE", FREE._replace(input_handles=2, is_open=True), False),
    ("QLOCAL", "USAGE", "XMITQ", FREE, False),
    ("QLOCAL", "USAGE", "XMITQ", FREE._replace(has_messages=True), True),
    ("QLOCAL", "USAGE", "NORMAL", FREE._replace(is_open=True), True),
    (
        "QLOCAL",
        "MAXDEPTH",
        1,
        FREE._replace(input_handles=2, is_open=True, has_messages=True),
        False,
    ),
    (
        "QLOCAL",
        "PUT",
        "DISABLED",
        FREE._replace(input_handles=2, is_open=True, has_messages=True),
        False,
    ),
    ("QMODEL", "USAGE", "XMITQ", FREE._replace(is_open=True), False),
    ("QALIAS", "TARGET", "B", FREE, False),
    ("QALIAS", "TARGET", "B", FREE._replace(is_open=True), True),
    ("QREMOTE", "XMITQ", "B", FREE._replace(is_open=True), True),
    ("QREMOTE", "RNAME", "B", FREE._replace(is_open=True), False),
    ("QREMOTE", "RNAME", "B", FREE._replace(is_open=True, is_manager_alias=True), True),
    ("QREMOTE", "RQMNAME", "B", FREE._replace(is_open=True, is_manager_alias=True), True),
)
def test_force_is_needed_when_programs_or_messages_are_affected(
    kind: str,
    word: str,
    value: Stored,
    use: QueueUse,
    needed: bool,
) -> None:
    changes: dict[str, tuple[Stored | None, Stored]] = {
        word: ("before", value),
        "DESCR": ("", "new"),
    }
    assert conflicts.needs_force(KINDS[kind], changes, use) is needed
    assert conflicts.has_marked(KINDS[kind], changes) or not needed


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
    copy = conflicts.copy_of(original, caps)
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
    assert conflicts.definition_refusal(keyword, name, attributes, surroundings) == reason
    # Other definitions are not read for one that does not depend on them.
    assert not reason or conflicts.depends_on_others(keyword, attributes)


# (kind, attributes, the queue that the definition depends on)
test_the_queue_that_a_definition_depends_on = verdicts(
    conflicts.named_queue,
    *giving("B", ("QLOCAL", {"STREAMQ": "B"}), ("QMODEL", {"STREAMQ": "B"})),
    *giving("", ("QLOCAL", {}), ("QALIAS", {"TARGET": "T", "TARGTYPE": "TOPIC"})),
    *giving("", ("SUB", {"DEST": "A", "DESTCLAS": "MANAGED"}), ("QREMOTE", {"RNAME": "A"})),
    *giving("A", ("QALIAS", {"TARGET": "A"}), ("SUB", {"DEST": "A"})),
)
