"""The functions that the package pymqi calls."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from types import ModuleType

import pytest

import mqsc
from mqsc.clients.mqi import of_this_process
from mqsc.clients.process import MODULES
from store.admin.user_accounts import add_user
from store.client.api import open_store
from store.constants import MQCA, MQCNO, MQOO, MQOT
from tests.mqsc.clients.caller import od

PASSWORDS = "ALTER AUTHINFO(SYSTEM.DEFAULT.AUTHINFO.IDPWOS) AUTHTYPE(IDPWOS) CHCKLOCL(NONE) CHCKCLNT(REQUIRED)"
CHANNEL = b"an MQCD"


@pytest.fixture
def pymqe(url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """Our module, on a store whose clients need passwords."""
    with open_store(url) as store:
        add_user(store, "alice", "s3cret")
        mqsc.run(store.queue_manager("QM1"), PASSWORDS, check=True)
    monkeypatch.setenv("MQSC_STORE", url)
    of_this_process.cache_clear()
    found = importlib.util.spec_from_file_location("pymqe", MODULES / "pymqe.py")
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    yield module
    process = of_this_process().process
    for linked in process.connections():
        module.MQDISC(linked.number)
    process.close()
    of_this_process.cache_clear()


@pytest.mark.parametrize(
    ("options", "channel", "user", "reason"),
    [
        (0, None, {}, 0),
        (0, CHANNEL, {}, 2035),
        (0, CHANNEL, {"user": b"alice", "password": b"guess"}, 2035),
        (0, CHANNEL, {"user": b"alice", "password": b"s3cret"}, 0),
        (MQCNO.LOCAL_BINDING, CHANNEL, {}, 0),
    ],
)
def test_a_program_that_names_a_channel_is_a_client(
    pymqe: ModuleType, options: int, channel: bytes | None, user: dict[str, bytes], reason: int
) -> None:
    assert pymqe.MQCONNX(b"QM1", options, channel, user, b"")[-1] == reason


def test_a_text_must_fill_the_attribute_that_it_is_set_to(pymqe: ModuleType) -> None:
    connection = pymqe.MQCONN(b"QM1")[0]
    handle = pymqe.MQOPEN(connection, od("Q"), MQOO.INQUIRE | MQOO.SET)[0]
    assert pymqe.MQSET(connection, handle, MQCA.TRIGGER_DATA, b"short") == (2, 2006)
    assert pymqe.MQSET(connection, handle, MQCA.TRIGGER_DATA, b"long".ljust(64)) == (0, 0)
    assert pymqe.MQINQ(connection, handle, MQCA.TRIGGER_DATA) == (b"long".ljust(64), 0, 0)


def test_the_longest_attribute_is_inquired_whole(pymqe: ModuleType) -> None:
    connection = pymqe.MQCONN(b"QM1")[0]
    handle = pymqe.MQOPEN(connection, od("", object_type=MQOT.Q_MGR), MQOO.INQUIRE)[0]
    text, *codes = pymqe.MQINQ(connection, handle, MQCA.SSL_KEY_REPOSITORY)
    assert (len(text), *codes) == (256, 0, 0)
