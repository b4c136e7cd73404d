"""MQCONN, MQCONNX and MQDISC: names, users, and threads (clients §3)."""

from __future__ import annotations

import ctypes
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import mqsc
from mqsc.clients import messages
from mqsc.clients.mqi import Mqi
from mqsc.clients.process import ClientProcess
from mqsc.clients.structures import MQCSP
from store.admin.user_accounts import add_user
from store.client.api import open_store
from store.constants import MQCNO
from store.environment import Environment
from tests.conftest import START
from tests.mqsc.clients.caller import SHARED, Caller, cno, gmo, md, od, pmo

MANY = 20
CLIENT = int(MQCNO.CLIENT_BINDING)
PASSWORDS = "ALTER AUTHINFO(SYSTEM.DEFAULT.AUTHINFO.IDPWOS) AUTHTYPE(IDPWOS) CHCKLOCL(REQUIRED) CHCKCLNT(OPTIONAL)"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        (b"QM1", 0),
        (b"QM1".ljust(48), 0),
        (b"QM1\0junk", 0),
        (b"", 0),
        (None, 0),
        (b"*QM1", 0),
        (b"*", 0),
        ("QM1", 0),
        (b"qm1", 2058),
        (b"NONE", 2058),
        (b"\xff\xfe", 2058),
    ],
)
def test_which_queue_manager(mqi: Mqi, name: bytes | None, reason: int) -> None:
    number, completion, answered = mqi.MQCONN(name)
    assert (answered, completion) == (reason, 2 if reason else 0)
    assert (number > 0) is not bool(reason)


def test_no_store_is_no_queue_manager() -> None:
    assert Mqi(ClientProcess("sqlite:////no/such/folder/store.db")).MQCONN(b"QM1") == (-1, 2, 2059)
    assert Mqi(ClientProcess("postgresql://host/db")).MQCONN(b"QM1") == (-1, 2, 2059)


def test_the_user_is_that_of_the_mqcsp_and_the_program_that_of_the_mqcno(mqi: Mqi) -> None:
    memory = ctypes.create_string_buffer(b"alice")
    pointer = {"user_id_pointer": ctypes.addressof(memory), "user_id_length": 5}
    security = MQCSP.new(1, authentication_type=1, **pointer)
    number, _, *code = mqi.MQCONNX(b"QM1", cno(application_name="billing"), security)
    assert code == [0, 0]
    _, placed, *_ = mqi.MQPUT1(number, od("Q"), md(), pmo(), b"")
    _, found = messages.read(placed)
    assert (found.user_identifier, found.put_appl_name) == ("alice", "billing")


@pytest.mark.parametrize(
    ("connect", "password", "reason"),
    [
        (0, b"s3cret", 0),
        (0, b"guess", 2035),
        (0, b"\xff", 2035),
        (0, None, 2035),
        (CLIENT, None, 0),
        (CLIENT, b"x", 2035),
    ],
)
def test_passwords(url: str, mqi: Mqi, connect: int, password: bytes | None, reason: int) -> None:
    with open_store(url, environment=Environment.frozen(at=START)) as store:
        add_user(store, "alice", "s3cret")
        mqsc.run(store.queue_manager("QM1"), PASSWORDS, check=True)
    memory = [ctypes.create_string_buffer(each) for each in (b"alice", password or b"")]
    fields = {"user_id_pointer": ctypes.addressof(memory[0]), "user_id_length": 5}
    fields |= {"password_pointer": ctypes.addressof(memory[1]), "password_length": len(password or b"")}
    security = None if password is None else MQCSP.new(3, authentication_type=1, **fields)
    assert mqi.MQCONNX(b"QM1", cno(options=connect), security)[-1] == reason


def test_two_kinds_of_sharing_exclude_each_other(mqi: Mqi) -> None:
    both = int(MQCNO.HANDLE_SHARE_BLOCK | MQCNO.HANDLE_SHARE_NO_BLOCK)
    assert mqi.MQCONNX(b"QM1", cno(options=both))[-1] == 2046


def test_disconnecting_commits_and_ends_the_handles(mqi: Mqi, caller: Caller) -> None:
    queue = caller.open("Q")
    caller.put(queue, b"in a unit", options=2)
    assert mqi.MQDISC(caller.number) == (0, 0)
    assert mqi.MQDISC(caller.number) == (2, 2018)
    assert mqi.MQCMIT(caller.number) == (2, 2018)
    again = Caller(mqi)
    assert again.get(again.open("Q")) == b"in a unit"


def in_a_thread(call: object) -> object:
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(call).result()  # type: ignore[arg-type]


def test_a_connection_that_is_not_shared_belongs_to_its_thread(mqi: Mqi) -> None:
    number, *_ = mqi.MQCONN(b"QM1")
    assert in_a_thread(lambda: mqi.MQCMIT(number)) == (2, 2018)
    assert mqi.MQCMIT(number) == (0, 0)


@pytest.mark.parametrize(("sharing", "answer"), [(SHARED, (0, 0)), (int(MQCNO.HANDLE_SHARE_NO_BLOCK), (2, 2219))])
def test_a_shared_connection_in_use(mqi: Mqi, sharing: int, answer: tuple[int, int]) -> None:
    caller = Caller(mqi, options=cno(options=sharing))
    queue = caller.open("Q")
    linked = mqi.process.linked(caller.number)
    with ThreadPoolExecutor(2) as pool:
        waiter = pool.submit(lambda: caller.get(queue, options=1, wait_interval=-1))
        while linked.connection.cancel_wait is None:
            threading.Event().wait(0.001)
        other = pool.submit(lambda: mqi.MQCMIT(caller.number))
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
        body, *_, completion, reason = mqi.MQGET(own.number, queue, wanted, gmo(match_options=2), 9)
        assert (completion, reason) == (0, 0)
        assert mqi.MQCLOSE(own.number, queue, 0) == (0, 0)
        return bytes(body)

    with ThreadPoolExecutor(MANY) as pool:
        assert sorted(pool.map(work, range(MANY))) == sorted(b"%d" % each for each in range(MANY))
