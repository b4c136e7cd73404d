"""Programs disconnect in finalizers, which Python may run in the middle of another call of the same thread."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from mqsc.clients.mqi import Mqi, Values
from mqsc.clients.process import ClientProcess
from store.environment import Environment, FrozenClock
from tests.conftest import START
from tests.garbage import only_new_garbage
from tests.mqsc.clients.caller import Caller, gmo, md, od, pmo


class CollectingClock(FrozenClock):
    """Collects garbage when it is read, which is in the middle of transactions."""

    def now(self) -> int:
        gc.collect()
        return super().now()


class Program:
    """Holds a connection as IBM's classes do, in a reference cycle, so that only the garbage collector ends it."""

    def __init__(self, mqi: Mqi, ended: list[object]) -> None:
        self.caller = Caller(mqi)
        self.queue = self.caller.open("R")
        self.itself, self.ended = self, ended

    def __del__(self) -> None:
        mqi = self.caller.mqi
        self.ended.append(mqi.MQCLOSE(self.caller.number, self.queue, 0))
        self.ended.append(mqi.MQDISC(self.caller.number))


@pytest.fixture
def collecting(url: str) -> Iterator[Mqi]:
    environment = replace(Environment.frozen(at=START), clock=CollectingClock(START))
    mqi = Mqi(ClientProcess(url, environment))
    with only_new_garbage():
        yield mqi
    for linked in mqi.process.connections():
        mqi.MQDISC(linked.number)
    mqi.process.close()


def test_a_finalizer_that_runs_during_a_call(collecting: Mqi) -> None:
    caller = Caller(collecting)
    queue = caller.open("Q")
    ended: list[object] = []
    for each in range(3):
        Program(collecting, ended)
        caller.put(queue, b"%d" % each, options=2)
        assert len(ended) == 2 * each + 2
    assert ended == [(0, 0)] * 6
    assert [linked.number for linked in collecting.process.connections()] == [caller.number]
    Program(collecting, ended)
    assert collecting.MQCMIT(caller.number) == (0, 0)
    assert len(collecting.process.connections()) == 1
    assert [caller.get(queue) for _ in range(3)] == [b"%d" % each for each in range(3)]


class Committing(Program):
    """Makes another call than those of IBM's classes when it is collected."""

    def __init__(self, mqi: Mqi, ended: list[object], call: Callable[[Committing], Values]) -> None:
        super().__init__(mqi, ended)
        self.call = call

    def __del__(self) -> None:
        self.ended.append(self.call(self)[-2:])


@pytest.mark.parametrize(
    ("call", "answer"),
    [
        (lambda own: own.caller.mqi.MQCMIT(own.caller.number), (2, 2219)),
        (lambda own: own.caller.mqi.MQPUT1(own.caller.number, od("R"), md(), pmo(), b""), (2, 2219)),
        (lambda own: own.caller.mqi.MQGET(own.caller.number, own.queue, md(), gmo(), 1), (2, 2219)),
        (lambda own: own.caller.mqi.MQCONN(b"QM1"), (2, 2219)),
        (lambda own: own.caller.mqi.MQINQ(own.caller.number, own.queue, [3], 1, 0), (0, 0)),
    ],
)
def test_other_calls_of_a_finalizer_are_refused_at_once(
    collecting: Mqi, call: Callable[[Committing], Values], answer: tuple[int, int]
) -> None:
    caller = Caller(collecting)
    queue = caller.open("Q")
    ended: list[object] = []
    Committing(collecting, ended, call)
    caller.put(queue, b"first")
    assert ended == [answer]
    assert caller.get(queue) == b"first"
