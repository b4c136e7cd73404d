"""The modules that IBM's and pymqi's packages load: pymqi's functions, and IBM's own tests,
unmodified, on a store.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest

import mqsc
from mqsc.clients.environment import MODULES
from mqsc.clients.mqi import of_this_process
from mqsc.store.admin.user_accounts import add_user
from mqsc.store.client.store import open_store
from mqsc.store.constants import MQCA, MQCNO, MQOO, MQOT
from tests.mqsc.clients.caller import od
from tests.rows import rows
from tests.source import ROOT

PASSWORDS = (
    "ALTER AUTHINFO(SYSTEM.DEFAULT.AUTHINFO.IDPWOS) AUTHTYPE(IDPWOS) CHCKLOCL(NONE) "
    "CHCKCLNT(REQUIRED)"
)
MAY_CONNECT = "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('alice') AUTHADD(CONNECT,INQ)"
CHANNEL = b"an MQCD"
NOBODY_ENTERS = """
DEFINE CHANNEL(OPEN) CHLTYPE(SVRCONN)
DEFINE CHANNEL(SHUT) CHLTYPE(SVRCONN)
SET CHLAUTH(SHUT) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS)
"""


@pytest.fixture(scope="module")
def store_with_passwords(
    store_of_clients: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """The file of a store whose clients need passwords; hashing one takes longer than a test."""
    path = tmp_path_factory.mktemp("passwords") / "passwords.db"
    shutil.copyfile(store_of_clients, path)
    with open_store(f"sqlite:///{path}") as store:
        add_user(store, "alice", "s3cret")
        mqsc.run(store.queue_manager("QM1"), f"{PASSWORDS}\n{MAY_CONNECT}", check=True)
    return path


@pytest.fixture
def url(tmp_path: Path, store_with_passwords: Path) -> str:
    """A copy of that store."""
    path = tmp_path / "test.db"
    shutil.copyfile(store_with_passwords, path)
    return f"sqlite:///{path}"


@pytest.fixture
def pymqe(url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """Our module, on a store whose clients need passwords."""
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


def test_the_records_about_the_channel_of_an_mqcd_or_of_mqserver_decide(
    url: str,
    pymqe: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with open_store(url) as store:
        mqsc.run(store.queue_manager("QM1"), NOBODY_ENTERS, check=True)
    user, client = {"user": b"alice", "password": b"s3cret"}, int(MQCNO.CLIENT_BINDING)
    answers = [
        pymqe.MQCONNX(b"QM1", client, each, user, b"")[-1]
        for each in (b"OPEN".ljust(20), b"SHUT".ljust(20))
    ]
    monkeypatch.setenv("MQSERVER", "SHUT/TCP/localhost(1414)")
    answers += [pymqe.MQCONNX(b"QM1", each, None, user, b"")[-1] for each in (client, 0)]
    assert answers == [0, 2035, 2035, 0]


@rows(
    (0, None, {}, 0),
    (0, CHANNEL, {}, 2035),
    (0, CHANNEL, {"user": b"alice", "password": b"guess"}, 2035),
    (0, CHANNEL, {"user": b"alice", "password": b"s3cret"}, 0),
    (MQCNO.LOCAL_BINDING, CHANNEL, {}, 0),
)
def test_a_program_that_names_a_channel_is_a_client(
    pymqe: ModuleType,
    options: int,
    channel: bytes | None,
    user: dict[str, bytes],
    reason: int,
) -> None:
    assert pymqe.MQCONNX(b"QM1", options, channel, user, b"")[-1] == reason


def test_a_text_must_fill_the_attribute_that_it_is_set_to(pymqe: ModuleType) -> None:
    """The longest attribute is inquired whole."""
    connection = pymqe.MQCONN(b"QM1")[0]
    handle = pymqe.MQOPEN(connection, od("Q"), MQOO.INQUIRE | MQOO.SET)[0]
    assert pymqe.MQSET(connection, handle, MQCA.TRIGGER_DATA, b"short") == (2, 2006)
    assert pymqe.MQSET(connection, handle, MQCA.TRIGGER_DATA, b"long".ljust(64)) == (0, 0)
    assert pymqe.MQINQ(connection, handle, MQCA.TRIGGER_DATA) == (b"long".ljust(64), 0, 0)
    handle = pymqe.MQOPEN(connection, od("", object_type=MQOT.Q_MGR), MQOO.INQUIRE)[0]
    text, *codes = pymqe.MQINQ(connection, handle, MQCA.SSL_KEY_REPOSITORY)
    assert (len(text), *codes) == (256, 0, 0)


SUITE = Path(os.environ.get("MQSC_CORPUS", "/none")).parent / "suites" / "ibmmq" / "tests"
# From this version on the package itself takes another byte order for the encoding that the test
# names.
CHANGED_IN = (2, 1, 1)
SUITE_SETTINGS = """
[pytest]
mqsc_users =
    admin password administrator
    app password
"""


@pytest.mark.long
@pytest.mark.skipif(find_spec("ibmmq") is None, reason="the package ibmmq is not installed")
@pytest.mark.skipif(
    not SUITE.exists(),
    reason="beside MQSC_CORPUS there is no folder of IBM's tests",
)
def test_ibms_tests(tmp_path: Path) -> None:
    """With `pytest --mqsc`, in the configuration of IBM's container, where `app` is no
    administrator; authorities act as there are users.
    """
    shutil.copytree(SUITE, tmp_path / "suite")
    (tmp_path / "pytest.ini").write_text(SUITE_SETTINGS)
    options = ["-q", "-p", "no:cacheprovider", "--tb=line", "-rf"]
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "--mqsc", "-p", "pytest_mqsc", *options],
        cwd=tmp_path / "suite",
        env={
            **os.environ,
            "PY_IBMMQ_TEST_QM_CONNAUTH_USE_PW": "OPTIONAL",
            # Where OpenTelemetry is installed, the package 2.1.2 cannot put its own MQRFH2.
            "MQIPY_NOOTEL": "1",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PYTHONPATH": str(ROOT),
        },
        capture_output=True,
        text=True,
        timeout=200,
    )
    failed = set(re.findall(r"^FAILED .*::(\w+)", ended.stdout, re.MULTILINE))
    installed = tuple(int(each) for each in version("ibmmq").split(".")[:3])
    expected = {"test_encoding_on_pack_big_endian"} if installed >= CHANGED_IN else set()
    # It expects the channel for administrators to admit a program without a password; another test,
    # to refuse it.
    expected.add("test_successful_connect_without_optional_credentials")
    assert failed == expected, ended.stdout[-3000:]
    passed = re.search(r"(\d+) passed", ended.stdout)
    assert passed is not None
    assert int(passed[1]) >= 105
