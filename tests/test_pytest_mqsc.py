"""The pytest plugin, in a pytest of its own: its fixtures, its marker, and the examples of
docs/testing.md.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

from mqsc.store.client.store import open_store
from mqsc.testing import assert_on_queue
from tests.rows import rows
from tests.source import ROOT

PAGE = (ROOT / "docs/testing.md").read_text(encoding="utf-8")
EXAMPLES = dict(re.findall(r"```python\n# (test_\w+\.py)\n(.*?)```", PAGE, re.DOTALL))
FIXTURES = """
import os
import subprocess
import sys
from pathlib import Path
import pytest
from mqsc import Message, run
from mqsc.testing import assert_on_queue
pytestmark = pytest.mark.mqsc(script="DEFINE QLOCAL(Q)")

@pytest.mark.parametrize("number", [1, 2])
def test_each_test_has_its_own(queue_manager, number):
    assert_on_queue(queue_manager, "Q", count=0)
    queue_manager.connect().put1("Q", Message(b"x"))

def test_programs_use_the_store(queue_manager, mqsc_clock, tmp_path):
    mqsc_clock.set(1_700_000_000_000_000)
    mqsc_clock.advance(1.5)
    program = "from mqsc.main import main; main(['put', 'Q', 'text'])"
    subprocess.run([sys.executable, "-c", program], check=True)
    (there,) = assert_on_queue(queue_manager, "Q", "text")
    assert (there.descriptor.put_date, there.descriptor.put_time) == ("20231114", "22132150")
    assert mqsc_clock.now() == 1_700_000_001_500_000

CLIENT = '''
import ibmmq
qmgr = ibmmq.QueueManager("QM1")
qmgr.put1("Q", {body!r})
{end}
'''

@pytest.mark.parametrize("number", [1, 2])
def test_ibmmq_in_the_test(queue_manager, mqsc_client, number):
    pytest.importorskip("ibmmq")
    # Left connected, as by a test that fails.
    exec(CLIENT.format(body=b"here", end=""))
    assert_on_queue(queue_manager, "Q", "here")

def test_ibmmq_in_a_program(queue_manager, mqsc_client):
    pytest.importorskip("ibmmq")
    subprocess.run([sys.executable, "-c", CLIENT.format(body=b"there", end="qmgr.disconnect()")], check=True)
    assert_on_queue(queue_manager, "Q", "there")

@pytest.mark.mqsc(name="OTHER", clock="system", script=Path(__file__).with_name("setup.mqsc"))
def test_the_marker(queue_manager, mqsc_clock):
    assert queue_manager.name == "OTHER"
    assert_on_queue(queue_manager, "FROM.A.FILE", count=0)
    with pytest.raises(ValueError, match="follows real time"):
        mqsc_clock.advance(1)
"""
WRONG = """
import pytest
from pathlib import Path
@pytest.mark.mqsc(script="DEFINE QLOCAL(Q) MAXDETH(3)")
def test_command(queue_manager): ...
@pytest.mark.mqsc(scrip="DEFINE QLOCAL(Q)")
def test_keyword(queue_manager): ...
@pytest.mark.mqsc(script="setup.mqsc")
def test_file(queue_manager): ...
@pytest.mark.mqsc(script=Path("none.mqsc"))
def test_path(queue_manager): ...
@pytest.mark.mqsc("DEFINE QLOCAL(Q)")
def test_without_a_name(queue_manager): ...
@pytest.mark.mqsc(clock="frozen")
def test_clock(queue_manager): ...
@pytest.mark.mqsc(name="NO GOOD")
def test_name(queue_manager): ...
"""
SUITE_CONFTEST = """
import ibmmq

def connected(name="QM1", channel="APP.CHANNEL", host="mq.example(1414)", **others):
    return ibmmq.connect(name, channel, host, **others)
"""
SUITE = """
import os, subprocess, sys, threading
import ibmmq
import pytest
from conftest import connected

FIRST = connected()

@pytest.fixture(scope="session")
def orders():
    return ibmmq.Queue(connected(), "ORDERS")

def test_put(orders):
    orders.put(b"of the session")

def test_the_same_store_in_a_program():
    program = "from conftest import *; print(ibmmq.Queue(connected(), 'ORDERS').get().decode())"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "of the session\\n"

def test_threads():
    def put():
        qmgr = connected()
        ibmmq.Queue(qmgr, "ORDERS").put(b"of a thread")
        qmgr.disconnect()
    threads = [threading.Thread(target=put) for _ in range(3)]
    [each.start() for each in threads]
    [each.join() for each in threads]
    queue = ibmmq.Queue(FIRST, "ORDERS", ibmmq.CMQC.MQOO_INQUIRE)
    assert queue.inquire(ibmmq.CMQC.MQIA_CURRENT_Q_DEPTH) == 3

def test_another_queue_manager_by_its_host():
    qmgr = connected("", "ANY", "other.example")
    assert qmgr.inquire(ibmmq.CMQC.MQCA_Q_MGR_NAME).strip() == b"QM2"
    ibmmq.Queue(qmgr, "DEV.QUEUE.1").put(b"there")

def test_passwords():
    connected(user="app", password="s3cret")
    with pytest.raises(ibmmq.MQMIError) as refused:
        connected(user="app", password="guess")
    assert refused.value.reason == 2035

def test_tls():
    descriptor = ibmmq.CD(ChannelName=b"APP.CHANNEL", ConnectionName=b"mq.example(1414)", SSLCipherSpec=b"ANY_TLS12")
    with pytest.raises(ibmmq.MQMIError) as refused:
        ibmmq.QueueManager(None).connect_with_options("QM1", cd=descriptor)
    assert refused.value.reason == 2393

def test_that_fails():
    connected("QM9")
"""
SUITE_SETTINGS = """
[pytest]
mqsc_users = app s3cret
mqsc_qmgrs =
    QM1 channel=APP.CHANNEL host=mq.example(1414) script=qm1.mqsc
    QM2 host=other.example
"""
SUITE_SCRIPT = """
DEFINE QLOCAL(ORDERS)
"""
WRONG_SETTINGS = {
    "mqsc_tls=no": "mqsc_tls is refuse or ignore, not no",
    "mqsc_scope=class": "mqsc_scope is session or test, not class",
    "mqsc_qmgrs=QM1 hosts=a": "hosts=a is not a setting of QM1",
    "mqsc_qmgrs=QM1 script=none.mqsc": "none.mqsc",
    "mqsc_qmgrs=QM1 script=wrong.mqsc": "line 1: DEFINE QLOCAL(Q) MAXDETH(3): AMQ8405I",
    "mqsc_qmgrs=Q:1": "mqsc_qmgrs: Q:1: 2058",
    "mqsc_users=app": "mqsc_users: write NAME PASSWORD",
}
SAID = [
    "line 1: DEFINE QLOCAL(Q) MAXDETH(3): AMQ8405I",
    "it takes script, name and clock, not scrip",
    "@pytest.mark.mqsc: none.mqsc: No such file or directory",
    "script is MQSC text; for a file write Path('setup.mqsc')",
    "its arguments need names, such as script=",
    "clock is one of manual, system, not 'frozen'",
    "2058 MQRC_Q_MGR_NAME_ERROR (NO GOOD)",
]


def pytest_of(folder: Path, *options: str, **files: str) -> str:
    """The output of pytest on some files, with our plugin alone."""
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    settings = {
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTHONPATH": str(ROOT),
        # The temporary folder of the process, which must be empty at its end.
        "PYTEST_DEBUG_TEMPROOT": str(folder),
    }
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "pytest_mqsc",
        "--strict-markers",
        *options,
    ]
    done = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | settings,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr


def test_fixtures_marker_and_examples(tmp_path: Path) -> None:
    (tmp_path / "setup.mqsc").write_text("DEFINE QLOCAL(FROM.A.FILE)")
    said = pytest_of(
        tmp_path,
        test_fixtures=FIXTURES,
        **{name[:-3]: text for name, text in EXAMPLES.items()},
    )
    assert re.search(r"^(7 passed, 4 skipped|11 passed)", said, re.MULTILINE), said


def test_a_marker_that_cannot_be_followed_says_why(tmp_path: Path) -> None:
    said = pytest_of(tmp_path, test_wrong=WRONG)
    assert "7 errors" in said
    assert [each for each in SAID if each not in said] == []
    assert "Traceback" not in said
    assert "Valid syntax" not in said
    assert "During handling" not in said


def test_a_project_may_have_a_package_named_like_ours(tmp_path: Path) -> None:
    (tmp_path / "store").mkdir()
    (tmp_path / "store/__init__.py").write_text("")
    said = pytest_of(
        tmp_path,
        test_own="import store\ndef test_own(): ...\ndef test_ours(queue_manager): ...\n",
    )
    assert "2 passed" in said


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """The folder of a test suite for ibmmq that knows nothing of stores."""
    if find_spec("ibmmq") is None:
        pytest.skip("the package ibmmq is not installed")
    (tmp_path / "pytest.ini").write_text(SUITE_SETTINGS)
    (tmp_path / "qm1.mqsc").write_text(SUITE_SCRIPT)
    (tmp_path / "conftest.py").write_text(SUITE_CONFTEST)
    (tmp_path / "test_suite.py").write_text(SUITE)
    return tmp_path


def test_a_suite_of_a_program_for_ibmmq(suite: Path) -> None:
    """Its conftest imports the package, a module connects when it is loaded, and programs and
    threads that it starts use the same store.
    """
    said = pytest_of(suite, "--mqsc")
    assert "1 failed, 6 passed" in said, said
    assert (
        "mqsc: 2058: QM9 is not at mq.example(1414), only QM1; name the host in the line of QM9 in "
        "mqsc_qmgrs"
    ) in said
    assert "mqsc: the stores of this run are in" in said
    kept = suite / ".pytest_cache/d/mqsc/main/session/mqsc.db"
    with open_store(f"sqlite:///{kept}", create=False) as store:
        assert [each.name for each in store.queue_managers()] == ["QM1", "QM2"]
        assert_on_queue(store.queue_manager("QM2"), "DEV.QUEUE.1", "there")
    assert temporary_stores(suite) == []


def test_a_store_for_each_test_of_a_suite(suite: Path) -> None:
    (suite / "test_suite.py").write_text(
        SUITE.replace("FIRST = connected()", "")
        + "def test_empty():\n    ibmmq.Queue(connected(), 'ORDERS').get()\n"
    )
    said = pytest_of(suite, "--mqsc", "-o", "mqsc_scope=test", "-k", "put or empty or passwords")
    assert "1 failed, 2 passed" in said, said
    kept = suite / ".pytest_cache/d/mqsc/main"
    assert sorted(each.name for each in kept.iterdir()) == ["3-test_empty", "session"]
    assert temporary_stores(suite) == []


def test_a_suite_in_several_processes(suite: Path) -> None:
    (suite / "test_suite.py").write_text(
        "import os\nfrom conftest import *\n"
        "def test_of_a_worker():\n"
        "    worker = os.environ['PYTEST_XDIST_WORKER']\n"
        "    ibmmq.Queue(connected(), 'ORDERS').put(worker)\n"
        "    assert ibmmq.Queue(connected(), 'ORDERS').get() == worker.encode()\n"
    )
    files = {f"test_more_{number}": "from test_suite import *" for number in range(4)}
    said = pytest_of(suite, "--mqsc", "-p", "xdist", "-n", "2", **files)
    assert "5 passed" in said, said
    assert temporary_stores(suite) == []


def test_a_suite_that_asks_for_tls_is_let_in_without(suite: Path) -> None:
    said = pytest_of(suite, "--mqsc", "-o", "mqsc_tls=ignore", "-k", "test_tls")
    assert "DID NOT RAISE" in said


def test_a_conftest_that_cannot_be_imported(suite: Path) -> None:
    (suite / "conftest.py").write_text("import ibmmq\nimport none_such\n")
    assert "No module named 'none_such'" in pytest_of(suite, "--mqsc")
    assert temporary_stores(suite) == []


@rows(*WRONG_SETTINGS.items())
def test_settings_that_cannot_be_followed(tmp_path: Path, setting: str, part: str) -> None:
    (tmp_path / "wrong.mqsc").write_text("DEFINE QLOCAL(Q) MAXDETH(3)")
    said = pytest_of(tmp_path, "--mqsc", "-o", setting, test_nothing="def test_nothing(): ...\n")
    assert f"ERROR: --mqsc: {setting.partition('=')[0]}" in said
    assert part in said
    assert "Traceback" not in said
    assert "Valid syntax" not in said
    assert temporary_stores(tmp_path) == []


def test_without_the_option_nothing_is_replaced(suite: Path) -> None:
    assert "No module named 'ibmmqc'" in pytest_of(suite)


def temporary_stores(folder: Path) -> list[Path]:
    return list(folder.glob("mqsc-*"))


def test_the_plugin_is_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert project["project"]["entry-points"]["pytest11"] == {"mqsc": "pytest_mqsc"}
    assert "pytest_mqsc" in project["tool"]["setuptools"]["py-modules"]
