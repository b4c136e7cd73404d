"""The command line as a whole: unknown commands, common options, imports, closed streams."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mqsc.conftest import Command


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("putt", "Q", "x"), 20, "No such command 'putt'; did you mean put?"),
        (("dis", "QLOCAL(*)"), 20, "No such command 'dis'; to run MQSC, use `mqsc run -c 'dis QLOCAL(*)'`."),
    ],
)
def test_refusals(mqsc: Command, arguments: tuple[str, ...], code: int, says: str) -> None:
    mqsc("qmgr", "create", "QM1")
    ended = mqsc(*arguments)
    assert (ended.code, ended.out) == (code, "")
    assert says in ended.err


@pytest.mark.parametrize("arguments", [("qmgr", "list"), ("qmgr", "start"), ("clock", "show"), ("browse", "A")])
def test_a_missing_store_is_not_made(mqsc: Command, arguments: tuple[str, ...]) -> None:
    ended = mqsc(*arguments)
    assert (ended.code, ended.out) == (20, "")
    assert "there is no store at" in ended.err


HEAVY = "alembic lark prompt_toolkit pyarrow pyspark rich sqlalchemy"
IMPORTED = f"""
import sys
from mqsc.cli.main import run_to_exit_code
code = run_to_exit_code(sys.argv[1:])
print("heavy:", *sorted(set("{HEAVY}".split()) & set(sys.modules)), file=sys.stderr)
sys.exit(code)
"""


def start(folder: Path, *arguments: str, program: tuple[str, ...] = ("-m", "mqsc")) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "MQSC_STORE": f"sqlite:///{folder}/store.db", "HOME": str(folder)}
    pipe = subprocess.PIPE
    command = [sys.executable, *program, *arguments]
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment)


@pytest.mark.parametrize(
    ("arguments", "heavy"),
    [
        (("--help",), "heavy:"),
        (("--version",), "heavy:"),
        (("qmgr", "--help"), "heavy: sqlalchemy"),
        (("run", "-v", "-c", "PING QMGR"), "heavy: lark"),
        (("report", "--help"), "heavy:"),
    ],
)
def test_little_is_imported(tmp_path: Path, arguments: tuple[str, ...], heavy: str) -> None:
    _, said = start(tmp_path, *arguments, program=("-c", IMPORTED)).communicate()
    assert said.decode().splitlines()[-1] == heavy


def test_a_closed_pipe_ends_quietly_and_loses_no_message(tmp_path: Path) -> None:
    start(tmp_path, "run", "-c", "DEFINE QLOCAL(A)").communicate()
    start(tmp_path, "put", "A", "x" * 10_000, "--count", "200").communicate()
    with start(tmp_path, "get", "A", "--all") as getting:
        assert getting.stdout is not None
        assert getting.stderr is not None
        getting.stdout.read(1)
        getting.stdout.close()
        assert (getting.stderr.read(), getting.wait()) == (b"", 141)
    left, _ = start(tmp_path, "run", "-e", "-c", "DISPLAY QLOCAL(A) CURDEPTH").communicate()
    assert b"CURDEPTH(200)" in left


@pytest.mark.parametrize(
    ("closed", "arguments", "code", "said"),
    [
        ("<&-", ("run", "-"), 0, b"No commands have a syntax error"),
        ("<&-", ("dlq", "check", "-"), 10, b"AMQ8750"),
        ("<&-", (), 0, b"No commands have a syntax error"),
        ("2>&-", ("get", "A"), 0, b"one"),
        (">&-", ("get", "A"), 20, b"mqsc: standard output is closed; nothing was done"),
        ("<&- >&- 2>&-", ("get", "A"), 20, b""),
    ],
)
def test_streams_that_are_closed(
    tmp_path: Path, closed: str, arguments: tuple[str, ...], code: int, said: bytes
) -> None:
    """Nothing to read is no input, talk goes nowhere; no message is got that nobody would see."""
    start(tmp_path, "run", "-c", "DEFINE QLOCAL(A)").communicate()
    start(tmp_path, "put", "A", "one").communicate()
    environment = {**os.environ, "MQSC_STORE": f"sqlite:///{tmp_path}/store.db"}
    command = ["sh", "-c", f'exec "$@" {closed}', "sh", sys.executable, "-m", "mqsc", *arguments]
    ended = subprocess.run(command, capture_output=True, env=environment, check=False)
    told = ended.stdout + ended.stderr
    assert (ended.returncode, said in told, b"Traceback" in told) == (code, True, False)
    left, _ = start(tmp_path, "browse", "A", "--format", "jsonl").communicate()
    assert left.count(b"one") == (0 if said == b"one" else 1)


def test_a_store_that_cannot_be_written(tmp_path: Path) -> None:
    _, said = start(tmp_path, "run", "-c", "PING QMGR", "--store", f"sqlite:///{tmp_path}/none/store.db").communicate()
    assert said.decode().startswith(f"mqsc: {tmp_path}/none/store.db cannot be created")
