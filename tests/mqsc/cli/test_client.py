"""`mqsc client`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mqsc.clients.process import MODULES, STARTUP
from tests.mqsc.conftest import Command
from tests.source import ROOT

WHICH = "import importlib.util as u; print(u.find_spec('ibmmqc').origin)"

LIKE_IBMS = """
import os, sys
try:
    from . import ibmmqc
except ImportError:
    import ibmmqc
sys.path.insert(0, os.path.dirname(__file__))
"""
SPAWNS = """
import multiprocessing
import ibmmq
print(ibmmq.ibmmqc.__file__, flush=True)
if __name__ == "__main__":
    process = multiprocessing.get_context("spawn").Process(target=int)
    process.start()
    process.join()
"""


@pytest.fixture(autouse=True)
def _without_ibm(mqsc: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    mqsc("qmgr", "create", "QM1")
    for name in ("MQ_FILE_PATH", "MQ_INSTALLATION_PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"):
        monkeypatch.delenv(name, raising=False)


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command as a process of its own, which the program replaces."""
    environment = {**os.environ, "MQSC_STORE": "store.db", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "mqsc", "client", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=60)


def test_the_program_finds_our_module_and_the_store(tmp_path: Path) -> None:
    ended = run(tmp_path, "--", sys.executable, "-c", f"{WHICH}; import os; print(os.environ['MQSC_STORE'])")
    assert ended.stdout.splitlines() == [str(MODULES / "ibmmqc.py"), f"sqlite:///{tmp_path}/store.db"]
    assert ended.stderr == f"mqsc: ibmmq and pymqi use the store {tmp_path}/store.db\n"
    assert ended.returncode == 0


def test_the_exit_code_is_that_of_the_program(tmp_path: Path) -> None:
    ended = run(tmp_path, "--quiet", "--", "sh", "-c", "echo data; echo talk >&2; exit 7")
    assert (ended.returncode, ended.stdout, ended.stderr) == (7, "data\n", "talk\n")
    assert run(tmp_path, "--quiet", "sh", "-c", 'echo "$@"', "--", "-m", "--help").stdout == "-m --help\n"


def test_the_variables_for_a_shell(mqsc: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", f"{MODULES}:/it's")
    ended = mqsc("client", "-m", "QM1", "--print-env")
    assert ended.lines == [
        f"export MQSC_STORE=sqlite:///{tmp_path}/store.db",
        f"""export PYTHONPATH='{STARTUP}:{MODULES}:/it'"'"'s'""",
        "export MQSC_QMGR=QM1",
    ]
    (variables,) = json.loads(mqsc("client", "--print-env", "--format", "json").out)
    assert variables["PYTHONPATH"] == f"{STARTUP}:{MODULES}:/it's"


@pytest.mark.parametrize("library", ["lib64/libmqm_r.so", "lib/libmqm_r.dylib"])
def test_ibms_libraries_are_used_unless_they_are_to_be_replaced(
    mqsc: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, library: str
) -> None:
    (tmp_path / library).parent.mkdir()
    (tmp_path / library).touch()
    monkeypatch.setenv("MQ_INSTALLATION_PATH", str(tmp_path))
    ended = mqsc("client", "--print-env")
    assert ended.err.startswith(f"mqsc: IBM MQ is installed ({tmp_path / library}), so ibmmq and pymqi use it")
    assert str(STARTUP) not in ended.out
    replaced = mqsc("client", "--print-env", "--replace")
    assert replaced.err == f"mqsc: ibmmq and pymqi use the store {tmp_path}/store.db\n"
    assert f"PYTHONPATH={STARTUP}:{MODULES}" in replaced.out


def test_a_process_of_multiprocessing_finds_our_module(tmp_path: Path) -> None:
    """Even though the package puts its folder first on the path that the process inherits."""
    (tmp_path / "ibmmq").mkdir()
    (tmp_path / "ibmmq" / "__init__.py").write_text(LIKE_IBMS)
    (tmp_path / "ibmmq" / "ibmmqc.py").write_text("raise ImportError('libmqm_r.so')\n")
    (tmp_path / "app.py").write_text(SPAWNS)
    ended = run(tmp_path, "--", sys.executable, "app.py")
    assert ended.stdout.splitlines() == [str(MODULES / "ibmmqc.py")] * 2, ended.stderr


def test_replaced_modules_are_found_first(tmp_path: Path) -> None:
    """Before an extension of the package, and with the sitecustomize of the environment."""
    (tmp_path / "ibmmq").mkdir()
    (tmp_path / "ibmmq" / "__init__.py").write_text("from . import ibmmqc\n")
    (tmp_path / "ibmmq" / "ibmmqc.py").write_text("raise ImportError('IBM')\n")
    (tmp_path / "sitecustomize.py").write_text("print('customized')\n")
    program = "import ibmmq; print(ibmmq.ibmmqc.__file__)"
    environment = {**os.environ, "MQSC_STORE": "store.db", "PYTHONPATH": f"{ROOT}:{tmp_path}"}
    command = [sys.executable, "-m", "mqsc", "client", "--replace", "--quiet", "--", sys.executable, "-c", program]
    ended = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60)
    # The first line is from the command itself, which Python customizes too.
    assert ended.stdout.splitlines()[1:] == ["customized", str(MODULES / "ibmmqc.py")]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "give either a program"),
        (("--print-env", "--", "true"), "give either a program"),
        (("--", "no-such-program"), "cannot start no-such-program"),
        (("--store", "elsewhere.db", "--", "true"), "create one with `mqsc qmgr create QM1`"),
        (("--store", "sqlite://", "--", "true"), "a store in memory"),
    ],
)
def test_what_cannot_be_run(mqsc: Command, arguments: tuple[str, ...], said: str) -> None:
    ended = mqsc("client", *arguments)
    assert (ended.code, ended.out) == (20, "")
    assert said in " ".join(ended.err.split())
