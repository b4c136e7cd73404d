"""The pytest plugin, in a pytest of its own: its fixtures, its marker, and the examples of
docs/testing.md.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

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
SAID = [
    "line 1: DEFINE QLOCAL(Q) MAXDETH(3): AMQ8405I",
    "it takes script, name and clock, not scrip",
    "@pytest.mark.mqsc: none.mqsc: No such file or directory",
    "script is MQSC text; for a file write Path('setup.mqsc')",
    "its arguments need names, such as script=",
    "clock is one of manual, system, not 'frozen'",
    "2058 MQRC_Q_MGR_NAME_ERROR (NO GOOD)",
]


def pytest_of(folder: Path, **files: str) -> str:
    """The output of pytest on some files, with our plugin alone."""
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    settings = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(ROOT)}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "pytest_mqsc",
        "-p",
        "no:cacheprovider",
        "--strict-markers",
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


def test_the_plugin_is_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert project["project"]["entry-points"]["pytest11"] == {"mqsc": "pytest_mqsc"}
    assert "pytest_mqsc" in project["tool"]["setuptools"]["py-modules"]
