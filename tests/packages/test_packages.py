"""Packages of other people on a store, unmodified, as the index serves them. Their pages in `docs` are
tried in tests/docs/test_program_pages.py.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.source import ROOT

HERE = Path(__file__).parent


@pytest.mark.long
def test_faststream_in_four_behaviours(tmp_path: Path) -> None:
    """A batch, a connection that breaks, FastAPI and metrics, under `pytest --mqsc`."""
    for each in ("faststream_mq", "fastapi", "httpx"):
        pytest.importorskip(each, reason=f"the package {each} is not installed")
    suite = shutil.copy(HERE / "faststream_suite.py", tmp_path)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--mqsc", "-q", "-p", "pytest_mqsc", suite],
        cwd=tmp_path,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "4 passed" in done.stdout, done.stdout + done.stderr


@pytest.mark.long
@pytest.mark.skipif(find_spec("IBMMQLibrary") is None, reason="robotframework-ibmmq is missing")
def test_the_seven_keywords_of_robot_framework(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mqsc"]
    settings = {**os.environ, "MQSC_STORE": "sqlite:///robot.db", "PYTHONPATH": str(ROOT)}
    for name in ("QM1", "QM2"):
        subprocess.run(
            [*command, "qmgr", "create", name, "--dev"], cwd=tmp_path, env=settings, check=True
        )
    hosts = [
        "--connection=QM1 host=mq.example",
        "--connection=QM2 host=other.example channel=DEV.APP.SVRCONN",
    ]
    suite = str(HERE / "keywords.robot")
    done = subprocess.run(
        [*command, "client", *hosts, "--", sys.executable, "-m", "robot", suite],
        cwd=tmp_path,
        env=settings,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "4 tests, 4 passed" in done.stdout, done.stdout + done.stderr
    assert "mqsc: 2540: QM2 has no channel NONE, only DEV.APP.SVRCONN" in done.stderr
