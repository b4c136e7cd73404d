"""The context of a message (mqi-semantics §3.2)."""

from __future__ import annotations

from typing import Any

import pytest

from store.client.api import Connection, QueueManager
from store.constants import MQOO, MQPMO, MQRC
from store.descriptor import NO_TOKEN, MessageDescriptor
from store.error import MQError
from store.message import Message, PutMessageOptions
from store.mqi.put_message import IDENTITY_FIELDS, ORIGIN_FIELDS
from tests.scenarios.play import Play
from tests.store.tables import rows

CONTEXT = (
    MQOO.OUTPUT | MQOO.PASS_IDENTITY_CONTEXT | MQOO.PASS_ALL_CONTEXT | MQOO.SET_IDENTITY_CONTEXT | MQOO.SET_ALL_CONTEXT
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
NONE: dict[str, Any] = {**dict.fromkeys(GIVEN, ""), "accounting_token": NO_TOKEN, "put_appl_type": 0}


def part(values: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: values[name] for name in names}


@pytest.fixture
def connection(qmgr: QueueManager) -> Connection:
    Play(qmgr).run("DEFINE QLOCAL(Q)\nDEFINE QLOCAL(R)")
    return qmgr.connect(application="billing", user="alice")


# The option, and where identity and origin come from.
@rows(
    (0, OWN, OWN),
    (MQPMO.DEFAULT_CONTEXT, OWN, OWN),
    (MQPMO.NO_CONTEXT, NONE, NONE),
    (MQPMO.SET_IDENTITY_CONTEXT, GIVEN, OWN),
    (MQPMO.SET_ALL_CONTEXT, GIVEN, GIVEN),
    (MQPMO.PASS_IDENTITY_CONTEXT, GIVEN, OWN),
    (MQPMO.PASS_ALL_CONTEXT, GIVEN, GIVEN),
)
def test_where_the_context_of_a_message_comes_from(
    connection: Connection, option: int, identity: dict[str, Any], origin: dict[str, Any]
) -> None:
    source = connection.open("R", CONTEXT | MQOO.INPUT_SHARED | MQOO.SAVE_ALL_CONTEXT)
    source.put(Message(b"", MessageDescriptor(**GIVEN)), PutMessageOptions(MQPMO.SET_ALL_CONTEXT))
    source.get()
    passes = option in (MQPMO.PASS_IDENTITY_CONTEXT, MQPMO.PASS_ALL_CONTEXT)
    descriptor = MessageDescriptor() if passes else MessageDescriptor(**GIVEN)
    connection.open("Q", CONTEXT).put(Message(b"", descriptor), PutMessageOptions(option, context=source))
    got = connection.open("Q", MQOO.INPUT_SHARED).get().descriptor
    assert {name: getattr(got, name) for name in GIVEN} == {
        **part(identity, IDENTITY_FIELDS),
        **part(origin, ORIGIN_FIELDS),
    }


def test_context_that_cannot_be_passed(qmgr: QueueManager, connection: Connection) -> None:
    save = MQOO.INPUT_SHARED | MQOO.SAVE_ALL_CONTEXT
    unused, plain = connection.open("R", save), connection.open("R", MQOO.INPUT_SHARED)
    closed, foreign = connection.open("R", save), qmgr.connect().open("R", save)
    closed.close()
    handle = connection.open("Q", CONTEXT)
    reasons = []
    for source in (None, plain, closed, foreign, unused):
        with pytest.raises(MQError) as refused:
            handle.put(Message(b""), PutMessageOptions(MQPMO.PASS_ALL_CONTEXT, context=source))
        reasons.append(refused.value.reason)
    assert reasons == [MQRC.CONTEXT_HANDLE_ERROR] * 4 + [MQRC.CONTEXT_NOT_AVAILABLE]


def test_a_browse_leaves_no_context_to_pass(connection: Connection) -> None:
    play = Play(connection.qmgr)
    play.run("put m on R\nget from R => m\nput n on Q pass-all-context\nput m on R\nget from R browse-first => m")
    play.run("put n on Q pass-all-context => 2/2098")
