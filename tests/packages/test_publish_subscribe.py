"""Programs of other people that publish and subscribe, unmodified, from the folder of suites beside
MQSC_CORPUS (publish-subscribe B90).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import mqsc
from tests.packages.installing import pymqi_code
from tests.processes.programs import Program, command
from tests.source import ROOT

SUITES = Path(os.environ.get("MQSC_CORPUS", "/none")).parent / "suites"
EXAMPLES = SUITES / "ibmmq" / "examples"
PYMQI = SUITES / "pymqi" / "tests"


@pytest.mark.long
@pytest.mark.skipif(find_spec("ibmmq") is None, reason="the package ibmmq is not installed")
@pytest.mark.skipif(
    not EXAMPLES.exists(), reason="beside MQSC_CORPUS there is no folder of IBM's examples"
)
def test_b90_ibms_examples(tmp_path: Path) -> None:
    """`subscribe.py` prints what `publish_message.py` publishes, and ends when no more comes."""
    settings: dict[str, Any] = {
        "MQSC_STORE": f"sqlite:///{tmp_path / 'examples.db'}",
        "PYTHONPATH": str(ROOT),
        "PYTHONUNBUFFERED": "1",
        "MQIPY_NOOTEL": "1",
    }
    with Program(command, "qmgr", "create", "QM1", "--dev", **settings) as creating:
        assert creating.rest()[0] == 0
    client = ("client", "--quiet", "--", sys.executable)
    subscriber = str(EXAMPLES / "subscribe.py")
    publisher = str(EXAMPLES / "publish_message.py")
    with Program(command, *client, subscriber, errors=True, **settings) as subscribing:
        with mqsc.connect(tmp_path / "examples.db") as qmgr:
            while not mqsc.run(qmgr.manager, "DISPLAY SUB(*) SUBTYPE(API)")[0].rows:
                assert not subscribing.has_ended
        with Program(command, *client, publisher, errors=True, **settings) as publishing:
            code, output, errors = publishing.rest()
        assert (code, output) == (0, "Message published OK\nDone.\n"), errors
        code, output, errors = subscribing.rest()
    assert code == 0, errors
    received = (
        r"Received publication:  b'Hello from Python! Published at [^']+'\nNo more messages.\n"
    )
    assert re.fullmatch(received, output), output


@pytest.mark.long
@pytest.mark.skipif(
    not PYMQI.exists(), reason="beside MQSC_CORPUS there is no folder of pymqi's tests"
)
def test_pymqis_tests_of_publish_subscribe(tmp_path: Path) -> None:
    """All ten of its `test_pubsub`, on a store of their own."""
    shutil.copytree(PYMQI, tmp_path / "suite")
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    own = {"NAME": "QM1", "CHANNEL": "DEV.ADMIN.SVRCONN", "USER": "admin", "PASSWORD": "password"}
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "--mqsc", "-p", "pytest_mqsc", "-q", "test_pubsub.py"],
        cwd=tmp_path / "suite",
        env={
            **os.environ,
            **{f"PYMQI_TEST_QM_{word}": value for word, value in own.items()},
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PYTHONPATH": os.pathsep.join((str(ROOT), str(pymqi_code()))),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert "10 passed" in ended.stdout, ended.stdout + ended.stderr
