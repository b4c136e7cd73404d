"""Connections (clients §3): names, users, threads and finalizers; every call answers, whatever
its arguments are.
"""

from __future__ import annotations

import ctypes
import gc
import random
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

import mqsc
from mqsc.clients import message_descriptors
from mqsc.clients.mqi import Mqi, Values
from mqsc.clients.process import ClientProcess
from mqsc.clients.structures import MQCSP, MQSD, MQSRO
from mqsc.store.admin.user_accounts import add_user
from mqsc.store.client.store import open_store
from mqsc.store.constants import MQCNO, MQOT, MQSO
from mqsc.store.environment import Environment, FrozenClock
from tests.conftest import START
from tests.garbage import only_new_garbage
from tests.mqsc.clients.caller import SHARED, Caller, cno, gmo, md, od, pmo
from tests.rows import rows

MANY = 20
CLIENT = int(MQCNO.CLIENT_BINDING)
PASSWORDS = (
    "ALTER AUTHINFO(SYSTEM.DEFAULT.AUTHINFO.IDPWOS) AUTHTYPE(IDPWOS) CHCKLOCL(REQUIRED) "
    "CHCKCLNT(OPTIONAL)"
)
MAY_CONNECT = "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('alice') AUTHADD(CONNECT)"


@rows(
    *(
        (name, 0)
        for name in (b"QM1", b"QM1".ljust(48), b"QM1\0junk", b"", None, b"*QM1", b"*", "QM1")
    ),
    *((name, 2058) for name in (b"qm1", b"NONE", b"\xff\xfe")),
)
def test_which_queue_manager(mqi: Mqi, name: bytes | None, reason: int) -> None:
    number, completion, answered = mqi.MQCONN(name)
    assert (answered, completion, number > 0) == (reason, 2 if reason else 0, not reason)


def test_no_store_is_no_queue_manager_and_two_kinds_of_sharing_exclude_each_other(mqi: Mqi) -> None:
    for url in ("sqlite:////no/such/folder/store.db", "postgresql://host/db"):
        assert Mqi(ClientProcess(url)).MQCONN(b"QM1") == (-1, 2, 2059)
    both = int(MQCNO.HANDLE_SHARE_BLOCK | MQCNO.HANDLE_SHARE_NO_BLOCK)
    assert mqi.MQCONNX(b"QM1", cno(options=both))[-1] == 2046


def test_the_user_is_that_of_the_mqcsp_and_the_program_that_of_the_mqcno(mqi: Mqi) -> None:
    memory = ctypes.create_string_buffer(b"alice")
    pointer = {"user_id_pointer": ctypes.addressof(memory), "user_id_length": 5}
    security = MQCSP.new(1, authentication_type=1, **pointer)
    number, _, *code = mqi.MQCONNX(b"QM1", cno(application_name="billing"), security)
    assert code == [0, 0]
    _, placed, *_ = mqi.MQPUT1(number, od("Q"), md(), pmo(), b"")
    _, found = message_descriptors.read_descriptor(placed)
    assert (found.user_identifier, found.put_appl_name) == ("alice", "billing")


@rows(
    (0, b"s3cret", 0),
    (0, b"guess", 2035),
    (0, b"\xff", 2035),
    (0, None, 2035),
    (CLIENT, None, 0),
    (CLIENT, b"x", 2035),
)
def test_passwords(url: str, mqi: Mqi, connect: int, password: bytes | None, reason: int) -> None:
    with open_store(url, environment=Environment.frozen(at=START)) as store:
        add_user(store, "alice", "s3cret")
        mqsc.run(store.queue_manager("QM1"), f"{PASSWORDS}\n{MAY_CONNECT}", check=True)
    memory = [ctypes.create_string_buffer(each) for each in (b"alice", password or b"")]
    fields = {"user_id_pointer": ctypes.addressof(memory[0]), "user_id_length": 5}
    fields |= {
        "password_pointer": ctypes.addressof(memory[1]),
        "password_length": len(password or b""),
    }
    security = None if password is None else MQCSP.new(3, authentication_type=1, **fields)
    assert mqi.MQCONNX(b"QM1", cno(options=connect), security)[-1] == reason


def connect_as(mqi: Mqi, user: bytes, options: int = 0) -> Values:
    """MQCONNX with the password s3cret."""
    memory = [ctypes.create_string_buffer(each) for each in (user, b"s3cret")]
    fields = {"user_id_pointer": ctypes.addressof(memory[0]), "user_id_length": len(user)}
    fields |= {"password_pointer": ctypes.addressof(memory[1]), "password_length": 6}
    return mqi.MQCONNX(b"QM1", cno(options=options), MQCSP.new(3, authentication_type=1, **fields))


def test_z10_a_longer_name_of_a_user_is_cut(url: str, mqi: Mqi) -> None:
    with open_store(url, environment=Environment.frozen(at=START)) as store:
        add_user(store, "order-servic", "s3cret")
        mqsc.run(
            store.queue_manager("QM1"),
            f"{MAY_CONNECT}".replace("alice", "order-servic"),
            check=True,
        )
    number, _, *code = connect_as(mqi, b"order-service-1", CLIENT)
    assert (code, mqi.process.linked(number).connection.user) == ([0, 0], "order-servic")


@rows(
    ("0", ""),
    (
        "1",
        "mqsc: 2035: alice lacks {}; SET AUTHREC PROFILE(Q) OBJTYPE(QUEUE) PRINCIPAL('alice') {}\n",
    ),
)
def test_z104_a_program_gets_2035_only_and_stderr_says_more_on_request(
    url: str,
    mqi: Mqi,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    asked: str,
    says: str,
) -> None:
    with open_store(url, environment=Environment.frozen(at=START)) as store:
        add_user(store, "alice", "s3cret")
        mqsc.run(store.queue_manager("QM1"), MAY_CONNECT, check=True)
    monkeypatch.setenv("MQSC_EXPLAIN", asked)
    number, *_ = connect_as(mqi, b"alice")
    assert mqi.MQOPEN(number, od("Q"), 16 | 1)[2:] == (2, 2035)
    assert capsys.readouterr() == (
        "",
        says.format("+get on queue Q, +put on queue Q", "AUTHADD(GET,PUT)"),
    )


def test_a_connection_that_is_not_shared_belongs_to_its_thread(mqi: Mqi) -> None:
    number, *_ = mqi.MQCONN(b"QM1")
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(mqi.MQCMIT, number).result() == (2, 2018)
    assert mqi.MQCMIT(number) == (0, 0)


def test_disconnecting_commits_and_ends_the_handles(mqi: Mqi, caller: Caller) -> None:
    caller.put(caller.open("Q"), b"in a unit", options=2)
    assert (caller.MQDISC(), caller.MQDISC(), caller.MQCMIT()) == ((0, 0), (2, 2018), (2, 2018))
    again = Caller(mqi)
    assert again.get(again.open("Q")) == b"in a unit"


@pytest.mark.parametrize(
    ("sharing", "answer"),
    [(SHARED, (0, 0)), (int(MQCNO.HANDLE_SHARE_NO_BLOCK), (2, 2219))],
)
def test_a_shared_connection_in_use(mqi: Mqi, sharing: int, answer: tuple[int, int]) -> None:
    caller = Caller(mqi, options=cno(options=sharing))
    queue = caller.open("Q")
    linked = mqi.process.linked(caller.number)
    with ThreadPoolExecutor(2) as pool:
        waiter = pool.submit(lambda: caller.get(queue, options=1, wait_interval=-1))
        while linked.connection.cancel_wait is None:
            threading.Event().wait(0.001)
        other = pool.submit(lambda: caller.MQCMIT())
        if sharing != SHARED:
            assert other.result() == answer
        sender = Caller(mqi)
        sender.put(sender.open("Q"), b"awaited")
        assert (waiter.result(), other.result()) == (b"awaited", answer)


@pytest.mark.parametrize("shared", [True, False])
def test_twenty_threads(mqi: Mqi, caller: Caller, shared: bool) -> None:
    """On one connection, or on one each."""

    def work(place: int) -> bytes:
        own = caller if shared else Caller(mqi)
        queue = own.open("Q")
        own.put(queue, b"%d" % place, correl_id=b"%d" % place)
        wanted = md(correl_id=b"%d" % place)
        body, *_, completion, reason = own.MQGET(queue, wanted, gmo(match_options=2), 9)
        assert (completion, reason, own.MQCLOSE(queue, 0)) == (0, 0, (0, 0))
        return bytes(body)

    with ThreadPoolExecutor(MANY) as pool:
        assert sorted(pool.map(work, range(MANY))) == sorted(b"%d" % each for each in range(MANY))


OD, MD, PMO, GMO, CNO, CSP, BO = 2044, 2026, 2173, 2186, 2139, 2595, 2134
CSP_1 = b"CSP \1\0\0\0".ljust(56, b"\0")
# Each structure of a call: the call, with the structure left out, a valid one, and the reason for
# an invalid one.
PARAMETERS: dict[str, tuple[Callable[[Caller, int, Any], Values], bytes, int]] = {
    "MQCONNX MQCNO": (lambda c, _, given: c.mqi.MQCONNX(b"QM1", given), cno(), CNO),
    "MQCONNX MQCSP": (lambda c, _, given: c.mqi.MQCONNX(b"QM1", cno(), given), CSP_1, CSP),
    "MQOPEN MQOD": (lambda c, _, given: c.MQOPEN(given, 16), od("Q"), OD),
    "MQPUT MQMD": (lambda c, q, given: c.MQPUT(q, given, pmo(), b""), md(), MD),
    "MQPUT MQPMO": (lambda c, q, given: c.MQPUT(q, md(), given, b""), pmo(), PMO),
    "MQPUT1 MQOD": (lambda c, _, given: c.MQPUT1(given, md(), pmo(), b""), od("Q"), OD),
    "MQPUT1 MQMD": (lambda c, _, given: c.MQPUT1(od("Q"), given, pmo(), b""), md(), MD),
    "MQPUT1 MQPMO": (lambda c, _, given: c.MQPUT1(od("Q"), md(), given, b""), pmo(), PMO),
    "MQGET MQMD": (lambda c, q, given: c.MQGET(q, given, gmo(), 9), md(), MD),
    "MQGET MQGMO": (lambda c, q, given: c.MQGET(q, md(), given, 9), gmo(), GMO),
    "MQBEGIN MQBO": (lambda c, _, given: c.MQBEGIN(given), b"BO  \1\0\0\0\0\0\0\0", BO),
}
# Where NULL means that there is none.
OPTIONAL = {"MQCONNX MQCSP", "MQBEGIN MQBO"}


def spoiled(valid: bytes) -> Iterator[Any]:
    """No structure, too short ones, another StrucId, and versions that do not exist."""
    yield None
    yield from (b"", valid[:4], valid[:7], valid[: min(len(valid) - 1, 11)])
    yield b"XXXX" + valid[4:]
    yield from (
        valid[:4] + version.to_bytes(4, "little", signed=True) + valid[8:]
        for version in (0, -1, 99)
    )
    yield "text"


@pytest.mark.parametrize("parameter", PARAMETERS)
def test_what_is_no_such_structure(caller: Caller, parameter: str) -> None:
    call, valid, reason = PARAMETERS[parameter]
    queue = caller.open("Q")
    for given in spoiled(valid):
        if given is None and parameter in OPTIONAL:
            continue
        assert call(caller, queue, given)[-2:] == (2, reason), given
    assert call(caller, queue, valid)[-1] != reason


def test_random_structures_never_raise(caller: Caller) -> None:
    chance = random.Random(19)
    queue = caller.open("Q")
    for call, valid, _ in PARAMETERS.values():
        for _ in range(60):
            given = bytearray(valid)
            for _ in range(chance.randrange(1, 6)):
                given[chance.randrange(8, len(given))] = chance.randrange(256)
            if valid == gmo():
                # An unlimited wait is not what is tested.
                given[8:16] = (chance.getrandbits(32) & ~1).to_bytes(8, "little")
            answered = call(caller, queue, bytes(given))
            assert answered[-2] in (0, 1, 2)
            assert answered[-1] != 2195, bytes(given)


def test_a_failed_call_returns_its_structures_as_they_were(caller: Caller) -> None:
    given = md(), pmo(), gmo()
    assert caller.MQPUT(99, given[0], given[1], b"") == (given[0], given[1], 2, 2019)
    assert caller.MQGET(99, given[0], given[2], 9) == (b"", given[0], given[2], 0, 2, 2019)
    assert caller.MQOPEN(od("NONE"), 16) == (-1, od("NONE"), 2, 2085)


def every_call(mqi: Mqi, number: Any, handle: Any) -> list[Values]:
    put, get = (md(), pmo(), b""), (md(), gmo(), 9)
    return [
        *(
            mqi.MQOPEN(number, od("Q"), 16),
            mqi.MQCLOSE(number, handle, 0),
            mqi.MQPUT(number, handle, *put),
        ),
        *(
            mqi.MQPUT1(number, od("Q"), *put),
            mqi.MQGET(number, handle, *get),
            mqi.MQINQ(number, handle, [3], 1, 0),
        ),
        *(
            mqi.MQSET(number, handle, [10], [0], b""),
            mqi.MQBEGIN(number),
            mqi.MQCMIT(number),
            mqi.MQBACK(number),
        ),
        *(mqi.MQSUB(number, b"", 0), mqi.MQSUBRQ(number, 0, 0, b""), mqi.MQDISC(number)),
    ]


@pytest.mark.parametrize("number", [0, -1, -3, 999, 1 << 40])
def test_no_such_connection(mqi: Mqi, number: int) -> None:
    assert {answered[-2:] for answered in every_call(mqi, number, 2)} == {(2, 2018)}


@pytest.mark.parametrize("handle", [0, -1, 1, 999, None])
def test_no_such_handle(caller: Caller, handle: Any) -> None:
    answered = every_call(caller.mqi, caller.number, handle)
    assert [each[-1] for each in answered[1:7]] == [2019, 2019, 0, 2019, 2019, 2019]


def test_messages_are_put_on_queues_and_topics_only(caller: Caller) -> None:
    for name, kind in (("Q", MQOT.PROCESS), ("Q", MQOT.Q_MGR), ("Q", 99)):
        assert caller.MQPUT1(od(name, object_type=int(kind)), md(), pmo(), b"")[-2:] == (2, 2043)


def test_a_subscription_in_bytes(caller: Caller) -> None:
    """B01, B48, B71: the MQSD comes back with what the subscription is, the MQSRO with NumPubs."""
    string = b"prices/tea"
    memory = ctypes.create_string_buffer(string)
    resolved = ctypes.create_string_buffer(64)
    described = MQSD.new(
        1,
        options=int(MQSO.CREATE | MQSO.MANAGED),
        sub_expiry=-1,
        pub_priority=-3,
        sub_level=1,
        object_string_pointer=ctypes.addressof(memory),
        object_string_length=len(string),
        res_object_string_pointer=ctypes.addressof(resolved),
        res_object_string_buffer_size=64,
    )
    filled, queue, subscription, *codes = caller.MQSUB(described, 0)
    assert (codes, resolved.value) == ([0, 0], string)
    assert MQSD.read(filled)["sub_correl_id"][:4] == b"AMQX"
    topic = od(
        "",
        object_type=int(MQOT.TOPIC),
        object_string_pointer=ctypes.addressof(memory),
        object_string_length=len(string),
    )
    assert caller.MQPUT1(topic, md(), pmo(pub_level=9), b"3.20")[-2:] == (0, 0)
    assert caller.MQGET(queue, md(), gmo(), 100)[0] == b"3.20"
    request = MQSRO.new(1)
    assert caller.MQSUBRQ(subscription, 1, request)[-1] == 2437
    assert caller.MQSUBRQ(subscription, 2, request)[-1] == 2535
    assert caller.MQSUBRQ(queue, 1, request)[-1] == 2019
    assert caller.MQCLOSE(subscription, 0) == (0, 0)
    assert caller.MQGET(queue, md(), gmo(), 100)[-1] == 2052


@pytest.mark.parametrize("described", [None, b"SD", MQSRO.new(1)])
def test_a_structure_that_is_no_mqsd(caller: Caller, described: bytes | None) -> None:
    assert caller.MQSUB(described, 0)[-2:] == (2, 2424)


def test_arguments_of_other_types_are_answered_too(caller: Caller) -> None:
    queue = caller.open("Q")
    put, get = caller.MQPUT(queue, md(), pmo(), "text"), caller.MQGET(queue, md(), gmo(), "x")
    inquired, opened = caller.MQINQ(queue, None, 1, 0), caller.MQOPEN(od("Q"), "x")
    assert {each[-2] for each in (put, get, inquired, opened)} == {2}


class CollectingClock(FrozenClock):
    """Collects garbage when it is read, which is in the middle of transactions."""

    def now(self) -> int:
        gc.collect()
        return super().now()


class Program:
    """Holds a connection as IBM's classes do, in a reference cycle, so that only the garbage
    collector ends it.
    """

    def __init__(self, mqi: Mqi, ended: list[object]) -> None:
        self.caller = Caller(mqi)
        self.queue = self.caller.open("R")
        self.itself, self.ended = self, ended

    def __del__(self) -> None:
        self.ended.append(self.caller.MQCLOSE(self.queue, 0))
        self.ended.append(self.caller.MQDISC())


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
    assert (ended, [linked.number for linked in collecting.process.connections()]) == (
        [(0, 0)] * 6,
        [caller.number],
    )
    Program(collecting, ended)
    assert (caller.MQCMIT(), len(collecting.process.connections())) == ((0, 0), 1)
    assert [caller.get(queue) for _ in range(3)] == [b"%d" % each for each in range(3)]


class Committing(Program):
    """Makes another call than those of IBM's classes when it is collected."""

    def __init__(self, mqi: Mqi, ended: list[object], call: Callable[[Committing], Values]) -> None:
        super().__init__(mqi, ended)
        self.call = call

    def __del__(self) -> None:
        self.ended.append(self.call(self)[-2:])


@rows(
    (lambda own: own.caller.MQCMIT(), (2, 2219)),
    (lambda own: own.caller.MQPUT1(od("R"), md(), pmo(), b""), (2, 2219)),
    (lambda own: own.caller.MQGET(own.queue, md(), gmo(), 1), (2, 2219)),
    (lambda own: own.caller.mqi.MQCONN(b"QM1"), (2, 2219)),
    (lambda own: own.caller.MQINQ(own.queue, [3], 1, 0), (0, 0)),
)
def test_other_calls_of_a_finalizer_are_refused_at_once(
    collecting: Mqi,
    call: Callable[[Committing], Values],
    answer: tuple[int, int],
) -> None:
    caller = Caller(collecting)
    queue = caller.open("Q")
    ended: list[object] = []
    Committing(collecting, ended, call)
    caller.put(queue, b"first")
    assert (ended, caller.get(queue)) == ([answer], b"first")
