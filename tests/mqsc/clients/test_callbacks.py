"""MQCB, MQCTL and MQSTAT in bytes, by the specification's ids (callbacks §6)."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from mqsc.clients import message_descriptors
from mqsc.clients.mqi import Mqi
from mqsc.clients.structures import MQCBC, MQCBD, MQCTLO, MQSTS
from mqsc.store.constants import MQCBDO, MQGMO, MQOP, MQPMO
from tests.mqsc.clients.caller import BOTH_WAYS, Caller, gmo, md, od, pmo
from tests.rows import rows

REGISTER, DEREGISTER = int(MQOP.REGISTER), int(MQOP.DEREGISTER)
START, START_WAIT, STOP, SUSPEND = (
    int(MQOP.START),
    int(MQOP.START_WAIT),
    int(MQOP.STOP),
    int(MQOP.SUSPEND),
)
RESUME = int(MQOP.RESUME)
CONTROL_CALLS = int(
    MQCBDO.REGISTER_CALL | MQCBDO.START_CALL | MQCBDO.STOP_CALL | MQCBDO.DEREGISTER_CALL,
)
SYNCPOINT, ASYNC = int(MQGMO.SYNCPOINT), int(MQPMO.ASYNC_RESPONSE)
ALL = MQCTLO.new(1, connection_area=77)
EVENT, REMOVED, NOT_REMOVED = 5, 6, 7


class Consumer:
    """A function that notes its calls, and does what it is told to in each."""

    def __init__(
        self,
        caller: Caller,
        queue: int | None,
        does: Any = None,
        *,
        kind: int = 1,
        **fields: int,
    ) -> None:
        self.caller, self.queue, self.does = caller, queue, does
        self.calls: list[dict[str, Any]] = []
        self.bodies: list[bytes] = []
        self.descriptors: list[bytes | None] = []
        self.arrived = threading.Condition()
        values = {"callback_type": kind, "max_msg_length": -1, "callback_area": 55, **fields}
        self.described = MQCBD.new(1, **values) + bytes(4)

    def operate(self, operation: int, **fields: int) -> Any:
        return self.caller.MQCB(
            operation,
            self.described,
            self.queue or 0,
            md(),
            gmo(**fields),
            self,
        )

    def __call__(
        self,
        number: int,
        md: bytes | None,
        gmo: bytes | None,
        body: bytes | None,
        about: bytes,
    ) -> None:
        with self.arrived:
            self.calls.append(MQCBC.read(about))
            self.descriptors.append(md)
            self.bodies += [] if body is None else [body]
            self.arrived.notify_all()
        if self.does is not None:
            self.does(self)

    def wait_for(self, messages: int) -> None:
        with self.arrived:
            assert self.arrived.wait_for(lambda: len(self.bodies) >= messages, 20)

    @property
    def types(self) -> list[int]:
        return [each["call_type"] for each in self.calls]


def control(caller: Caller, operation: int) -> Any:
    return caller.MQCTL(operation, ALL)


def test_A01_messages_in_order(caller: Caller) -> None:
    queue = caller.open("Q")
    for body in (b"one", b"two"):
        caller.put(queue, body, correl_id=body)
    consumer = Consumer(caller, queue)
    assert (consumer.operate(REGISTER), control(caller, START)) == ((0, 0), (0, 0))
    consumer.wait_for(2)
    assert (control(caller, STOP), consumer.bodies) == ((0, 0), [b"one", b"two"])
    first = consumer.calls[0]
    assert (first["call_type"], first["object_handle"], first["data_length"], first["reason"]) == (
        REMOVED,
        queue,
        3,
        0,
    )
    assert (first["callback_area"], first["connection_area"]) == (55, 77)
    assert [
        message_descriptors.read_descriptor(each)[1].correl_id[:3]
        for each in consumer.descriptors[:2]
    ] == [
        b"one",
        b"two",
    ]


def test_A02_control_calls(caller: Caller) -> None:
    consumer = Consumer(caller, caller.open("Q"), options=CONTROL_CALLS)
    consumer.operate(REGISTER)
    assert ([control(caller, START), control(caller, STOP)], consumer.operate(DEREGISTER)) == (
        [(0, 0), (0, 0)],
        (0, 0),
    )
    assert consumer.types == [3, 1, 2, 4]


def test_A03_A10_nothing_to_start(caller: Caller) -> None:
    assert (control(caller, START), control(caller, START_WAIT)) == ((2, 2488), (2, 2446))
    Consumer(caller, None, kind=2).operate(REGISTER)
    assert control(caller, START) == (2, 2488)


def test_A04_while_functions_are_called(caller: Caller) -> None:
    queue = caller.open("Q")
    consumer = Consumer(caller, queue)
    consumer.operate(REGISTER)
    assert (control(caller, START), caller.MQPUT(queue, md(), pmo(), b"")[-2:]) == (
        (0, 0),
        (2, 2500),
    )
    assert caller.MQOPEN(od("R"), BOTH_WAYS)[-2:] == (2, 2500)
    assert (consumer.operate(REGISTER), control(caller, SUSPEND)) == ((2, 2500), (0, 0))
    caller.put(queue, b"x")


def test_A05_operations_that_are_not_allowed(caller: Caller) -> None:
    assert ([control(caller, SUSPEND), control(caller, RESUME)], control(caller, 3)) == (
        [(2, 2534)] * 2,
        (2, 2488),
    )
    assert caller.MQCTL(START, None) == (2, 2445)


@pytest.mark.parametrize("operation", [START, START_WAIT])
def test_A06_a_callback_uses_the_connection(caller: Caller, operation: int) -> None:
    """A08 and A09 too: units of work, and a STOP after the last message."""
    queue, reply = caller.open("Q"), caller.open("R")
    for each in range(3):
        caller.put(queue, b"%d" % each)

    def answer(consumer: Consumer) -> None:
        if consumer.types[-1] == REMOVED:
            caller.put(reply, consumer.bodies[-1].upper() + b"!", options=2)
            assert (caller.MQCMIT(), caller.MQCLOSE(caller.open("R"), 0)) == ((0, 0), (0, 0))
            if len(consumer.bodies) == 3:
                assert control(caller, STOP) == (0, 0)

    consumer = Consumer(caller, queue, answer)
    consumer.operate(REGISTER, options=SYNCPOINT)
    assert control(caller, operation) == (0, 0)
    consumer.wait_for(3)
    if operation == START:
        control(caller, STOP)
    assert [caller.get(reply) for _ in range(3)] == [b"0!", b"1!", b"2!"]
    caller.get(queue, (2, 2033))


def test_A11_disconnecting(mqi: Mqi, caller: Caller) -> None:
    queue = caller.open("Q")
    caller.put(queue, b"x")
    answers: list[Any] = []
    consumer = Consumer(
        caller,
        queue,
        lambda _: answers.append(caller.MQDISC()),
        options=CONTROL_CALLS,
    )
    consumer.operate(REGISTER, options=SYNCPOINT)
    control(caller, START)
    consumer.wait_for(1)
    assert (caller.MQDISC(), {*answers}) == ((0, 0), {(2, 2500)})
    assert [each for each in consumer.types if each != EVENT] == [3, 1, REMOVED, 2, 4]
    again = Caller(mqi)
    again.get(again.open("Q"), (2, 2033))


def test_A14_a_message_that_is_too_long(caller: Caller) -> None:
    queue = caller.open("Q")
    caller.put(queue, b"12345")
    consumer = Consumer(caller, queue, max_msg_length=3)
    consumer.operate(REGISTER)
    control(caller, START)
    consumer.wait_for(1)
    control(caller, STOP)
    (call,) = [each for each in consumer.calls if each["call_type"] == NOT_REMOVED]
    assert (call["completion"], call["reason"], call["data_length"], call["buffer_length"]) == (
        1,
        2080,
        5,
        3,
    )
    assert (consumer.bodies, caller.get(queue)) == ([b"123"], b"12345")


@rows(
    ({"callback_name": "module(function)"}, 2486),
    ({"callback_type": 3}, 2483),
    ({"max_msg_length": -2}, 2485),
    ({"options": 1 << 30}, 2484),
)
def test_A16_what_cannot_be_registered(caller: Caller, fields: dict[str, Any], reason: int) -> None:
    consumer = Consumer(caller, caller.open("Q"))
    consumer.described = MQCBD.write(consumer.described, **fields)
    assert consumer.operate(REGISTER) == (2, reason)


def test_A16_operations_and_structures(caller: Caller) -> None:
    queue = caller.open("Q")
    consumer = Consumer(caller, queue)
    valid = consumer.described
    assert consumer.operate(0) == (2, 2488)
    for given in (None, b"", valid[:100], b"XXXX" + valid[4:], valid[:4] + b"\2" + valid[5:]):
        assert caller.MQCB(REGISTER, given, queue, md(), gmo(), consumer) == (2, 2444)
    assert caller.MQCB(REGISTER, valid, 99, md(), gmo(), consumer) == (2, 2019)
    assert caller.MQCB(REGISTER, valid, queue, None, gmo(), consumer) == (2, 2026)
    assert caller.MQCB(REGISTER, valid, queue, md(), None, consumer) == (2, 2186)
    assert caller.MQCB(REGISTER, valid, queue, md(), gmo()) == (2, 2486)
    named = MQCBD.write(valid, callback_name="module(function)")
    assert caller.MQCB(REGISTER, named, queue, md(), gmo()) == (2, 2495)


def test_A17_a_function_replaces_another(caller: Caller) -> None:
    queue = caller.open("Q")
    first, second = (Consumer(caller, queue, options=CONTROL_CALLS) for _ in range(2))
    first.operate(REGISTER)
    second.operate(REGISTER)
    assert [second.operate(DEREGISTER), second.operate(DEREGISTER)] == [(0, 0), (2, 2448)]
    assert (first.types, second.types) == ([], [4])


def test_A19_asynchronous_puts(caller: Caller) -> None:
    queue = caller.open("Q")
    for at in range(20):
        caller.put(queue, b"", options=ASYNC)
        if at == 9:
            assert caller.MQSET(queue, [10], [1], b"") == (0, 0)
    keys = (
        "success_count",
        "warning_count",
        "failure_count",
        "completion",
        "reason",
        "object_name",
    )
    for counts in ([10, 0, 10, 2, 2051, "Q"], [0, 0, 0, 0, 0, ""]):
        filled, *code = caller.MQSTAT(0, MQSTS.new(2))
        assert ([MQSTS.read(filled)[each] for each in keys], code) == (counts, [0, 0])
    for type, given, reason in (
        (9, MQSTS.new(1), 2430),
        (1, MQSTS.new(1), 2012),
        (0, b"STAT", 2426),
    ):
        assert caller.MQSTAT(type, given) == (given, 2, reason)
