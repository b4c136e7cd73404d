"""MQPUT of lists and of values that do not fit into an MQMD, the context of messages, and MQPUT1
(mqi-semantics §3).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Any

import pytest

from mqsc.store.admin.altering import change, change_queue_manager
from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS
from mqsc.store.client.connection import Connection
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQMF, MQMT, MQOO, MQPMO, MQRC
from mqsc.store.descriptor import NO_TOKEN, MessageDescriptor
from mqsc.store.error import MQError
from mqsc.store.message import Message, PutMessageOptions
from mqsc.store.mqi.put_context import IDENTITY_FIELDS, ORIGIN_FIELDS
from tests.rows import rows
from tests.scenarios.play import Play
from tests.store.admin.looking import history, queue_row
from tests.store.mqi.calls import reason_of
from tests.store.plays import failures, plays
from tests.store.tables import giving


@pytest.fixture
def qmgr(qmgr: QueueManager) -> QueueManager:
    create(qmgr, KINDS["QLOCAL"], "Q", {"MAXDEPTH": 5, "MAXMSGL": 100})
    create(qmgr, KINDS["QLOCAL"], "XQ", {"USAGE": "XMITQ"})
    create(qmgr, KINDS["QREMOTE"], "FAR", {"RNAME": "T", "RQMNAME": "QM2", "XMITQ": "XQ"})
    return qmgr


@pytest.fixture
def handle(qmgr: QueueManager) -> Iterator[ObjectHandle]:
    """Q, open for output."""
    with qmgr.connect() as connection:
        yield connection.open("Q", MQOO.OUTPUT)


# (field, a value that does not fit into an MQMD, the expected error)
MISFITS: list[tuple[str, object, str]] = [
    ("expiry", 1 << 31, "expiry is 2147483648; it must be from -2147483648 to 2147483647"),
    ("priority", -(1 << 63) - 1, "priority is -9223372036854775809"),
    ("feedback", 1 << 64, "feedback is 18446744073709551616"),
    ("msg_seq_number", 1 << 40, "msg_seq_number is 1099511627776"),
    ("report", 1 << 32, "report is 4294967296"),
    ("expiry", "5", "expiry must be int, not str"),
    ("persistence", 1.0, "persistence must be int, not float"),
    ("priority", None, "priority must be int, not NoneType"),
    ("format", "TOO LONG A NAME", "format has 15 bytes; at most 8 are allowed"),
    ("reply_to_q", "Q" * 49, "reply_to_q has 49 bytes; at most 48 are allowed"),
    ("reply_to_q", "Ä" * 25, "reply_to_q has 50 bytes; at most 48 are allowed"),
    (
        "appl_identity_data",
        "half \ud83d a smile",
        "appl_identity_data has an unpaired surrogate at position 5",
    ),
    ("user_identifier", b"me", "user_identifier must be str, not bytes"),
    ("msg_id", "x" * 24, "msg_id must be bytes, not str"),
    ("correl_id", b"x" * 25, "correl_id has 25 bytes; at most 24 are allowed"),
    ("put_date", 20231114, "put_date must be str, not int"),
    ("put_date", 0, "put_date must be str, not int"),
    ("put_time", [], "put_time must be str, not list"),
]
Send = Callable[[Connection, ObjectHandle, Message], object]
WAYS: dict[str, Send] = {
    "MQPUT": lambda _, handle, message: handle.put(message),
    "MQPUT under syncpoint": lambda _, handle, message: handle.put(
        message,
        PutMessageOptions(MQPMO.SYNCPOINT),
    ),
    "a list": lambda _, handle, message: handle.put([Message(b"before"), message]),
    "MQPUT1": lambda connection, handle, message: connection.put1(handle.name, message),
}


@pytest.mark.parametrize(("field", "value", "said"), MISFITS)
def test_a_value_that_does_not_fit_its_field_is_refused_in_words(
    qmgr: QueueManager,
    field: str,
    value: object,
    said: str,
) -> None:
    descriptor = MessageDescriptor()
    setattr(descriptor, field, value)
    for queue, (way, send) in product(("Q", "FAR"), WAYS.items()):
        with qmgr.connect() as connection:
            handle = connection.open(queue, MQOO.OUTPUT)
            with pytest.raises(ValueError) as refused:
                send(connection, handle, Message(b"x", descriptor))
            assert str(refused.value).startswith(said), (queue, way)
            handle.put(Message(b"y"))
    assert (queue_row(qmgr, "Q").depth, queue_row(qmgr, "XQ").depth) == (len(WAYS), len(WAYS))


def reason_and_index(put: Callable[[], object]) -> tuple[int, int | None]:
    """Return the reason why a put fails, and the index of the message in the list."""
    with pytest.raises(MQError) as refused:
        put()
    return int(refused.value.reason), refused.value.index


def test_a_list_is_one_transaction_and_gives_a_list(
    qmgr: QueueManager,
    handle: ObjectHandle,
) -> None:
    assert handle.put([]) == []
    placed = handle.put([Message(b"a"), Message(b"b")])
    assert (len({each.msg_id for each in placed}), queue_row(qmgr, "Q").depth) == (2, 2)


def test_the_index_tells_which_message_of_a_list_was_refused(
    qmgr: QueueManager,
    handle: ObjectHandle,
) -> None:
    for bad, reason in (
        (Message(b"x" * 101), MQRC.MSG_TOO_BIG_FOR_Q),
        (Message(b"x", MessageDescriptor(expiry=0)), MQRC.EXPIRY_ERROR),
        (Message(b"x", MessageDescriptor(msg_type=0)), MQRC.MSG_TYPE_ERROR),
        (Message(b"", MessageDescriptor(msg_flags=MQMF.SEGMENT)), MQRC.SEGMENT_LENGTH_ZERO),
    ):
        refused = [Message(b"a"), Message(b"b"), bad, bad]
        assert reason_and_index(partial(handle.put, refused)) == (reason, 2)
    assert queue_row(qmgr, "Q").depth == 0


def test_the_index_is_that_of_the_first_where_the_queue_takes_none(
    qmgr: QueueManager,
    handle: ObjectHandle,
) -> None:
    change(qmgr, KINDS["QLOCAL"], "Q", {"PUT": "DISABLED"})
    assert reason_and_index(lambda: handle.put([Message(b"a"), Message(b"b")])) == (
        MQRC.PUT_INHIBITED,
        0,
    )
    assert reason_and_index(lambda: handle.put(Message(b"a"))) == (MQRC.PUT_INHIBITED, None)


def test_the_index_tells_for_which_message_of_a_list_there_is_no_room(
    qmgr: QueueManager,
    handle: ObjectHandle,
) -> None:
    handle.put([Message(b"1"), Message(b"2")])
    assert reason_and_index(lambda: handle.put([Message(b"x")] * 5)) == (MQRC.Q_FULL, 3)
    split = Message(b"x" * 210, MessageDescriptor(msg_flags=MQMF.SEGMENTATION_ALLOWED))
    assert reason_and_index(lambda: handle.put([Message(b"a"), split, Message(b"b")])) == (
        MQRC.Q_FULL,
        1,
    )
    assert queue_row(qmgr, "Q").depth == 2


def test_the_index_tells_which_message_of_a_list_the_unit_of_work_has_no_room_for(
    qmgr: QueueManager,
    handle: ObjectHandle,
) -> None:
    change_queue_manager(qmgr, {"MAXUMSGS": 2})
    syncpoint = PutMessageOptions(MQPMO.SYNCPOINT)
    handle.put(Message(b"1"), syncpoint)
    assert reason_and_index(lambda: handle.put([Message(b"x")] * 3, syncpoint)) == (
        MQRC.SYNCPOINT_LIMIT_REACHED,
        1,
    )
    handle.put(Message(b"2"), syncpoint)
    assert reason_and_index(lambda: handle.put(Message(b"x"), syncpoint)) == (
        MQRC.SYNCPOINT_LIMIT_REACHED,
        0,
    )


def test_warnings_are_on_the_messages_of_a_list(handle: ObjectHandle) -> None:
    fields: tuple[dict[str, Any], ...]
    fields = ({}, {"priority": 11}, {"report": 0x20000000}, {"priority": 11, "report": 0x20000000})
    given = [Message(b"m", MessageDescriptor(**each)) for each in fields]
    handle.put(given)
    assert [(each.completion, each.reason) for each in given] == [
        (0, 0),
        (1, 2049),
        (1, 2104),
        (1, 2049),
    ]


def test_a_message_may_be_put_again_and_forgets_its_warning(handle: ObjectHandle) -> None:
    message = Message(b"a", MessageDescriptor(priority=11))
    first = handle.put(message)
    message.descriptor.priority = 1
    second = handle.put(message)
    assert (message.completion, message.reason, message.descriptor.msg_id) == (0, 0, bytes(24))
    assert first.msg_id != second.msg_id


@pytest.mark.parametrize("blank", ["", " " * 48, "\0"])
def test_a_request_needs_a_queue_for_its_reply_and_padding_names_none(
    handle: ObjectHandle,
    blank: str,
) -> None:
    descriptor = MessageDescriptor(msg_type=MQMT.REQUEST)
    descriptor.reply_to_q = blank
    assert reason_and_index(lambda: handle.put(Message(b"x", descriptor))) == (
        MQRC.MISSING_REPLY_TO_Q,
        0,
    )


def test_a_group_in_one_list(handle: ObjectHandle) -> None:
    flags = [MQMF.MSG_IN_GROUP, MQMF.MSG_IN_GROUP, MQMF.LAST_MSG_IN_GROUP]
    given = [Message(b"x", MessageDescriptor(msg_flags=int(each))) for each in flags]
    placed = handle.put(given, PutMessageOptions(MQPMO.LOGICAL_ORDER))
    assert ([each.msg_seq_number for each in placed], len({each.group_id for each in placed})) == (
        [1, 2, 3],
        1,
    )


def test_identifiers_are_those_of_the_queue_manager(handle: ObjectHandle) -> None:
    placed = handle.put(Message(b"x"), PutMessageOptions(MQPMO.NEW_CORREL_ID))
    assert placed.msg_id[:16] == placed.correl_id[:16] == b"AMQ QM1         "
    assert placed.msg_id != placed.correl_id


@pytest.mark.parametrize("given", ["text", ["text"], [Message(b"x"), None], [Message(b"x"), b"y"]])
def test_only_messages_can_be_put(qmgr: QueueManager, handle: ObjectHandle, given: object) -> None:
    with pytest.raises(TypeError, match="a Message, or a list of them, can be put, not"):
        handle.put(given)  # type: ignore[call-overload]
    assert queue_row(qmgr, "Q").depth == 0


@pytest.mark.parametrize("user", ["a" * 13, "half \ud83d"])
def test_another_user_must_fit_its_field(qmgr: QueueManager, user: str) -> None:
    with qmgr.connect() as connection:
        with pytest.raises(ValueError, match="alternate user: user_identifier has"):
            connection.open("Q", MQOO.OUTPUT | MQOO.ALTERNATE_USER_AUTHORITY, alternate_user=user)
        with pytest.raises(ValueError, match="alternate user: user_identifier has"):
            connection.put1(
                "Q",
                Message(b""),
                PutMessageOptions(MQPMO.ALTERNATE_USER_AUTHORITY),
                alternate_user=user,
            )


def test_names_of_programs_and_users_are_cut_to_their_fields(qmgr: QueueManager) -> None:
    with qmgr.connect(application="ä" * 20, user="ö" * 20) as connection:
        placed = connection.put1("Q", Message(b""))
        again = connection.put1("Q", Message(b"", placed), PutMessageOptions(MQPMO.SET_ALL_CONTEXT))
    for each in (placed, again):
        assert (each.user_identifier, each.put_appl_name) == ("ö" * 6, "ä" * 14)


OBJECTS = """
    DEFINE QALIAS(AL) TARGET(Q) · DEFINE QMODEL(TEMP) · DEFINE QLOCAL(SHUT) PUT(DISABLED)
    DEFINE QLOCAL(FULL) MAXDEPTH(0)
"""
# The words of MQPUT1, by completion and reason.
PUTS = {
    "0/0": ("m on Q", "m on AL", "m on FAR", "m on Z at=XQ", "m on Q at=QM1"),
    "2/2085": ("m on NONE", "m on A?B"),
    "2/2057": ("m on TEMP",),
    "2/2087": ("m on Z at=QM9",),
    "2/2086": ("m on Q at=Q?M",),
    "2/2051": ("m on SHUT",),
    "2/2053": ("m on FULL",),
    "2/2013": ("m on Q expiry=0",),
    "1/2049": ("m on Q priority=10",),
    "2/2046": (
        "m on Q syncpoint no-syncpoint",
        "m on Q logical-order",
        "m on NONE syncpoint no-syncpoint",
    ),
}


def test_put1(qmgr: QueueManager) -> None:
    play = Play(qmgr)
    play.run(OBJECTS)
    assert (
        failures(
            play,
            *(f"put1 {each} => {ended}" for ended, words in PUTS.items() for each in words),
        )
        == []
    )
    play.run("on Q => m m m m · depth XQ => 2")


def test_put1_opens_no_handle(qmgr: QueueManager) -> None:
    Play(qmgr).run("put1 m on Q")
    assert [each.kind for each in history(qmgr.store, "Q")] == ["DEFINE", "PUT"]


test_put1_by_its_options = plays(
    "",
    {
        "it joins the unit of work if asked": (
            "put1 m1 on Q syncpoint · put1 m2 on Q · back · on Q => m2"
        ),
        "another user": """
            put1 m on Q alternate-user-authority alternate=bob · get => user_identifier=bob
            put1 m on Q alternate=bob · get => user_identifier=a
        """,
        "context needs no open option": """
            put1 m on Q set-all-context user_identifier=carol · get => user_identifier=carol
        """,
    },
)

CONTEXT = (
    MQOO.OUTPUT
    | MQOO.PASS_IDENTITY_CONTEXT
    | MQOO.PASS_ALL_CONTEXT
    | MQOO.SET_IDENTITY_CONTEXT
    | MQOO.SET_ALL_CONTEXT
)
GIVEN: dict[str, Any] = {
    "user_identifier": "given",
    "accounting_token": b"T" * 32,
    "appl_identity_data": "identity",
    "put_appl_type": 28,
    "put_appl_name": "program",
    "put_date": "20200102",
    "put_time": "03040500",
    "appl_origin_data": "orig",
}
OWN: dict[str, Any] = {
    "user_identifier": "alice",
    "accounting_token": b"\x041000".ljust(31, b"\0") + b"\x06",
    "appl_identity_data": "",
    "put_appl_type": 6,
    "put_appl_name": "billing",
    "put_date": "20231114",
    "put_time": "22132000",
    "appl_origin_data": "",
}
NONE: dict[str, Any] = {
    **dict.fromkeys(GIVEN, ""),
    "accounting_token": NO_TOKEN,
    "put_appl_type": 0,
}


@pytest.fixture
def connection(qmgr: QueueManager) -> Connection:
    create(qmgr, KINDS["QLOCAL"], "R", {})
    return qmgr.connect(application="billing", user="alice")


# The option, and where identity and origin come from.
@rows(
    *giving(OWN, (0, OWN), (MQPMO.DEFAULT_CONTEXT, OWN), (MQPMO.SET_IDENTITY_CONTEXT, GIVEN)),
    (MQPMO.PASS_IDENTITY_CONTEXT, GIVEN, OWN),
    (MQPMO.NO_CONTEXT, NONE, NONE),
    *giving(GIVEN, (MQPMO.SET_ALL_CONTEXT, GIVEN), (MQPMO.PASS_ALL_CONTEXT, GIVEN)),
)
def test_where_the_context_of_a_message_comes_from(
    connection: Connection,
    option: int,
    identity: dict[str, Any],
    origin: dict[str, Any],
) -> None:
    source = connection.open("R", CONTEXT | MQOO.INPUT_SHARED | MQOO.SAVE_ALL_CONTEXT)
    source.put(Message(b"", MessageDescriptor(**GIVEN)), PutMessageOptions(MQPMO.SET_ALL_CONTEXT))
    source.get()
    passes = option in (MQPMO.PASS_IDENTITY_CONTEXT, MQPMO.PASS_ALL_CONTEXT)
    descriptor = MessageDescriptor() if passes else MessageDescriptor(**GIVEN)
    connection.open("Q", CONTEXT).put(
        Message(b"", descriptor),
        PutMessageOptions(option, context=source),
    )
    got = connection.open("Q", MQOO.INPUT_SHARED).get().descriptor
    expected = [
        *((name, identity[name]) for name in IDENTITY_FIELDS),
        *((name, origin[name]) for name in ORIGIN_FIELDS),
    ]
    assert {name: getattr(got, name) for name in GIVEN} == dict(expected)


def test_context_that_cannot_be_passed(qmgr: QueueManager, connection: Connection) -> None:
    save = MQOO.INPUT_SHARED | MQOO.SAVE_ALL_CONTEXT
    unused, plain = connection.open("R", save), connection.open("R", MQOO.INPUT_SHARED)
    closed, foreign = connection.open("R", save), qmgr.connect().open("R", save)
    closed.close()
    handle = connection.open("Q", CONTEXT)
    options = [
        PutMessageOptions(MQPMO.PASS_ALL_CONTEXT, context=each)
        for each in (None, plain, closed, foreign, unused)
    ]
    reasons = [reason_of(partial(handle.put, Message(b""), each)) for each in options]
    assert reasons == [MQRC.CONTEXT_HANDLE_ERROR] * 4 + [MQRC.CONTEXT_NOT_AVAILABLE]


def test_a_browse_leaves_no_context_to_pass(connection: Connection) -> None:
    Play(connection.qmgr).run("""
        put m on R · get from R => m · put n on Q pass-all-context
        put m on R · get from R browse-first => m · put n on Q pass-all-context => 2/2098
    """)
