"""Arguments of the wrong type: every call names the expected type and has no effect."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from mqsc.store.admin.defining import create
from mqsc.store.argument_checks import bits, checked_list, checked_name, must_be
from mqsc.store.catalog import KINDS
from mqsc.store.client.connection import Connection
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQCA, MQGMO, MQIA, MQOO, MQOT, MQPMO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.error import MQError
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from tests.store.admin.looking import queue_row

EVERYTHING = MQOO.INPUT_SHARED | MQOO.OUTPUT | MQOO.BROWSE | MQOO.INQUIRE | MQOO.SET


@pytest.fixture
def connection(qmgr: QueueManager) -> Iterator[Connection]:
    """A connection to a queue manager that has the queue Q."""
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    with qmgr.connect() as connection:
        yield connection


# (a call of a handle of Q with a wrong argument, the expected error)
TO_A_HANDLE: list[tuple[Callable[[Any], object], str]] = [
    (lambda q: q.get(MQGMO.WAIT), "options must be GetMessageOptions, not MQGMO"),
    (lambda q: q.get(b""), "options must be GetMessageOptions, not bytes"),
    (lambda q: q.put(Message(b""), 0), "options must be PutMessageOptions, not int"),
    (lambda q: q.put(Message(b""), PutMessageOptions("sync")), "options must be int, not str"),  # type: ignore[arg-type]
    (lambda q: q.put(None), "a Message, or a list of them, can be put, not NoneType"),
    (lambda q: q.put(5), "a Message, or a list of them, can be put, not int"),
    (lambda q: q.put(b"x"), "a Message, or a list of them, can be put, not bytes"),
    (lambda q: q.put("x"), "a Message, or a list of them, can be put, not str"),
    (lambda q: q.inquire("CURDEPTH"), "selectors are MQIA and MQCA numbers, not str"),
    (lambda q: q.inquire([MQIA.CURRENT_Q_DEPTH]), "selectors are MQIA and MQCA numbers, not list"),
    (lambda q: q.set([MQIA.INHIBIT_GET]), "values by their selectors can be set, not list"),
    (lambda q: q.set({"GET": 1}), "selectors are MQIA and MQCA numbers, not str"),
    (lambda q: q.close("delete"), "options must be int, not str"),
    (lambda q: q.get(GetMessageOptions(True)), "options must be int, not bool"),
]
TO_A_CONNECTION: list[tuple[Callable[[Any], object], str]] = [
    (lambda c: c.open(None, MQOO.OUTPUT), "the name of the object must be str, not NoneType"),
    (lambda c: c.open(b"Q", MQOO.OUTPUT), "the name of the object must be str, not bytes"),
    (lambda c: c.open("Q", "output"), "options must be int, not str"),
    (lambda c: c.open("Q", 1.5), "options must be int, not float"),
    (
        lambda c: c.open("Q", MQOO.OUTPUT, queue_manager=None),
        "queue_manager must be str, not NoneType",
    ),
    (lambda c: c.open("Q", MQOO.OUTPUT, dynamic_name=5), "dynamic_name must be str, not int"),
    (lambda c: c.open("Q", MQOO.OUTPUT, object_type="Q"), "object_type must be int, not str"),
    (
        lambda c: c.open(5, MQOO.INQUIRE, object_type=MQOT.PROCESS),
        "the name of the object must be str, not int",
    ),
    (lambda c: c.put1("Q", b"data"), "the message must be Message, not bytes"),
    (
        lambda c: c.put1("Q", Message(b""), MQGMO.WAIT),
        "options must be PutMessageOptions, not MQGMO",
    ),
    (lambda c: c.put1(5, Message(b"")), "the name of the queue must be str, not int"),
    (lambda c: c.consumer("Q", wait=True), "wait must be int, not bool"),
    (lambda c: c.consumer("Q", limit=True), "limit must be int, not bool"),
    (lambda c: c.consumer("Q", batch=True), "batch must be int, not bool"),
]


@pytest.mark.parametrize(("call", "said"), TO_A_HANDLE, ids=[said for _, said in TO_A_HANDLE])
def test_what_is_handed_to_a_handle(
    connection: Connection,
    call: Callable[[Any], object],
    said: str,
) -> None:
    handle = connection.open("Q", EVERYTHING)
    with pytest.raises(TypeError) as refused:
        call(handle)

    assert str(refused.value) == said
    assert queue_row(connection.qmgr, "Q").depth == 0
    handle.close()


@pytest.mark.parametrize(
    ("call", "said"),
    TO_A_CONNECTION,
    ids=[said for _, said in TO_A_CONNECTION],
)
def test_what_is_handed_to_a_connection(
    connection: Connection,
    call: Callable[[Any], object],
    said: str,
) -> None:
    with pytest.raises(TypeError) as refused:
        call(connection)

    assert str(refused.value) == said
    assert queue_row(connection.qmgr, "Q").depth == 0


# (a constructor, a value of the wrong type for it, the expected error)
MADE: list[tuple[Callable[[Any], object], object, str]] = [
    (lambda value: MessageDescriptor(format=value), 5, "format must be str, not int"),
    (lambda value: MessageDescriptor(reply_to_q=value), b"Q", "reply_to_q must be str, not bytes"),
    (
        lambda value: MessageDescriptor(appl_origin_data=value),
        1.5,
        "appl_origin_data must be str, not float",
    ),
    (lambda value: MessageDescriptor(msg_id=value), "abc", "msg_id must be bytes, not str"),
    (
        lambda value: MessageDescriptor(correl_id=value),
        None,
        "correl_id must be bytes, not NoneType",
    ),
    (
        lambda value: MessageDescriptor(accounting_token=value),
        5,
        "accounting_token must be bytes, not int",
    ),
    (lambda value: GetMessageOptions(msg_id=value), "abc", "msg_id must be bytes, not str"),
    (
        lambda value: GetMessageOptions(correl_id=value),
        None,
        "correl_id must be bytes, not NoneType",
    ),
    (
        lambda value: Message(b"", value),
        "MD",
        "the descriptor of a message must be MessageDescriptor, not str",
    ),
]


@pytest.mark.parametrize(("make", "value", "said"), MADE, ids=[said for *_, said in MADE])
def test_what_nothing_can_be_made_of(
    make: Callable[[Any], object],
    value: object,
    said: str,
) -> None:
    with pytest.raises(TypeError) as refused:
        make(value)

    assert str(refused.value) == said


def test_any_row_of_messages_can_be_put(connection: Connection) -> None:
    handle = connection.open("Q", MQOO.OUTPUT)

    assert len(handle.put(Message(each) for each in (b"a", b"b"))) == 2  # type: ignore[call-overload]
    assert len(handle.put((Message(b"c"),), PutMessageOptions())) == 1


def test_names_may_be_padded_as_their_fields_are(connection: Connection) -> None:
    handle = connection.open("Q".ljust(48), MQOO.INQUIRE, queue_manager="QM1\0\0")

    assert handle.name == "Q"
    as_bob = PutMessageOptions(MQPMO.ALTERNATE_USER_AUTHORITY)
    assert (
        connection.put1("Q", Message(b""), as_bob, alternate_user="bob".ljust(12)).user_identifier
        == "bob"
    )
    assert connection.put1("Q ", Message(b""), queue_manager=" ").reply_to_q_mgr == "QM1"


NOBODYS = [("Q" * 48, 2085), ("Q" * 49, 2085), ("q", 2085), ("", 2085), (" Q", 2085)]


@pytest.mark.parametrize(("named", "reason"), NOBODYS)
def test_names_that_nothing_has(connection: Connection, named: str, reason: int) -> None:
    for call in (
        lambda: connection.open(named, MQOO.OUTPUT),
        lambda: connection.put1(named, Message(b"")),
    ):
        with pytest.raises(MQError) as refused:
            call()
        assert refused.value.reason == reason


def test_a_text_that_nothing_can_write_is_not_set(connection: Connection) -> None:
    handle = connection.open("Q", MQOO.SET)
    with pytest.raises(
        ValueError,
        match="TRIGDATA has an unpaired surrogate at position 4, which cannot be encoded",
    ):
        handle.set({MQCA.TRIGGER_DATA: "half\ud83d"})


def test_the_value_is_given_back() -> None:
    assert must_be(str, "x", "it") == "x"
    assert bits(MQGMO.WAIT, "it") == 1
    assert checked_name("Q \0", "it") == "Q"
    assert checked_list(int, (1, 2), "numbers") == [1, 2]
