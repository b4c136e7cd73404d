"""`mqsc consume` and `mqsc client`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mqsc.clients.environment import MODULES, STARTUP
from tests.mqsc.cli.conftest import bodies
from tests.mqsc.conftest import Command
from tests.mqsc.session import Session
from tests.source import ROOT

SESSIONS = {
    "each message goes to the program": """
        put A one two
        consume A -- sh -c 'cat; echo " is on $MQSC_QUEUE of $MQSC_QMGR"' => !| mqsc: A: 2 processed
            | one is on A of QM1
            | two is on A of QM1
        get A => |
    """,
    "a batch is one unit of work": """
        ALTER QLOCAL(A) BOTHRESH(3)
        put A m1 m2 bad m4
        consume A --batch 4 -- grep -v bad => ! mqsc: A: 3 processed, 3 backed out, 1 moved to the backout queue
            | m1
            | m2
            | m1
            | m2
            | m4
        get B --all => | bad
    """,
    "a program that takes too long": """
        put A m1
        consume A --limit 1 --timeout 100ms -- sh -c 'sleep 60 & wait' => ! it ran longer than 0.1 s and was ended
        get A --all => | m1
    """,
    "a message that can go nowhere is kept": """
        ALTER QLOCAL(B) PUT(DISABLED)
        put A bad --persistent
        put A next --persistent
        consume A -- false => 10 ! mqsc: A: a message that was backed out too often is kept
        get A --all => | bad
            | next
    """,
    "a shell only if asked": """
        put A m1 m2
        consume A --limit 1 -- echo '$MQSC_QUEUE; id' => | $MQSC_QUEUE; id
        consume A --shell -- 'tr a-z A-Z; echo' => | M2
    """,
    "get disabled": """
        ALTER QLOCAL(A) GET(DISABLED)
        consume A -- cat => 10 ! the consumer was interrupted: 2016 MQRC_GET_INHIBITED
    """,
    "refusals": r"""
        put A m1
        cat > text
        consume ...
        A => 20 ! Missing argument '-- PROGRAM [ARGUMENT]...'
        A -- ' ' => 20 ! PROGRAM is empty
        A --shell -- '' => 20 ! PROGRAM is empty
        A -- no-such-program => 20 ! cannot start no-such-program: no such program
        A -- ./text => 20 ! cannot start ./text: no such program, or it is not executable
        A --shell -- "cat '" => 20 ! cannot start cat ':
        A --shell -- 'no-such-program 2>&-' => 20 ! of a command that the shell cannot run
        A --shell -- cat -n => 20 ! with --shell, PROGRAM is one argument
        NONE -- cat => 10 ! cannot consume NONE: 2085 MQRC_UNKNOWN_OBJECT_NAME
        SYSTEM.DEFAULT.MODEL.QUEUE.X -- cat => 10 ! 2085
        A --limit 0 -- cat => 20 ! 0 is not in the range
        A --batch 0 -- cat => 20 ! 0 is not in the range
        A --timeout soon -- cat => 20 ! 'soon' is not a length of time
        ...
        get A --all => | m1
    """,
}


@pytest.fixture(autouse=True)
def _queues_without_ibm(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """The queue A with the backout queue B, and nothing in the environment about an IBM MQ that
    is installed.
    """
    session("DEFINE QLOCAL(A) BOTHRESH(2) BOQNAME(B) MAXMSGL(4194304)\nDEFINE QLOCAL(B)")
    for name in ("MQ_FILE_PATH", "MQ_INSTALLATION_PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("name", SESSIONS)
def test_sessions(session: Session, name: str) -> None:
    session(SESSIONS[name])


def test_a_message_that_fails_goes_to_the_backout_queue(mqsc: Command) -> None:
    mqsc("put", "A", "good", "bad", "fine")
    ended = mqsc("consume", "A", "--", "grep", "-v", "bad")
    assert (ended.code, ended.out) == (0, "good\nfine\n")
    lines = ended.err.splitlines()
    assert [line.rpartition(": ")[2] for line in lines[:2]] == ["exit status 1"] * 2
    assert lines[2:] == ["mqsc: A: 2 processed, 2 backed out, 1 moved to the backout queue"]
    assert bodies(mqsc, "B") == ["bad"]


@pytest.mark.parametrize("concurrency", ["1", "3"])
def test_a_limit(mqsc: Command, concurrency: str) -> None:
    mqsc("put", "A", "m1", "m2", "m3")
    for limit, left in (("2", 1), ("5", 0)):
        assert (
            mqsc("consume", "A", "--limit", limit, "--concurrency", concurrency, "--", "true").code
            == 0
        )
        assert len(bodies(mqsc)) == left


def test_a_message_longer_than_a_pipe_buffer(mqsc: Command, tmp_path: Path) -> None:
    (tmp_path / "long").write_bytes(b"x" * 1_000_000)
    mqsc("put", "A", "--file", "long")
    assert mqsc("consume", "A", "--", "wc", "-c").out.strip() == "1000000"


@pytest.mark.parametrize("shell", [False, True])
def test_properties_too_long_for_a_variable_are_in_a_file(mqsc: Command, *, shell: bool) -> None:
    """A program that may put messages must not be able to stop the consumer."""
    mqsc("run", "-c", "ALTER QMGR MAXPROPL(NOLIMIT)")
    mqsc("put", "A", "first", "--property", f"big={'x' * 200_000}")
    mqsc("put", "A", "second", "--property", "small=1")
    text = 'cat; echo " ${#MQSC_PROPERTIES} $(cat "$MQSC_PROPERTIES_FILE" | wc -c)"'
    ended = mqsc("consume", "A", *(["--shell", "--", text] if shell else ["--", "sh", "-c", text]))
    assert (ended.code, ended.out) == (0, "first 0 200011\nsecond 14 14\n")


@pytest.mark.parametrize(
    ("content", "why"),
    [("junk", "Exec format error"), ("#!/no/such\n", "its interpreter '/no/such' does not exist")],
)
def test_no_start_makes_no_poison(
    mqsc: Command,
    session: Session,
    tmp_path: Path,
    content: str,
    why: str,
) -> None:
    (tmp_path / "program").write_text(content)
    (tmp_path / "program").chmod(0o755)
    mqsc("put", "A", "m1")
    for _ in range(3):
        session(f"consume A -- ./program => 20 ! cannot start ./program: {why}\n~ Traceback")
    session("poison => !| mqsc: no message has been backed out")
    assert (bodies(mqsc), bodies(mqsc, "B")) == (["m1"], [])


def test_a_start_that_fails_after_the_get_costs_one_backout(mqsc: Command, tmp_path: Path) -> None:
    """The program deletes itself, so it cannot be started for the second message."""
    (tmp_path / "once").write_text('#!/bin/sh\nrm "$0"\n')
    (tmp_path / "once").chmod(0o755)
    mqsc("put", "A", "m1", "m2", "m3")
    ended = mqsc("consume", "A", "--", "./once")
    told = [
        "mqsc: cannot start ./once: No such file or directory",
        "mqsc: A: 1 processed, 1 backed out",
    ]
    assert (ended.code, ended.err.splitlines()) == (20, told)
    shown = mqsc("poison").out
    assert (bodies(mqsc), shown.count("backed out"), shown.count("backed out once")) == (
        ["m2", "m3"],
        1,
        1,
    )


def test_output_that_nobody_reads_makes_no_poison(mqsc: Command, tmp_path: Path) -> None:
    """The program ends by SIGPIPE. Continuing would back out every message until it is poison."""
    mqsc("put", "A", "m1", "m2")
    command = [sys.executable, "-m", "mqsc", "consume", "A", "--", "yes"]
    with subprocess.Popen(
        command,
        env=os.environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert process.stdout is not None
        process.stdout.read(1)
        process.stdout.close()
        assert process.wait(60) == 141
    assert bodies(mqsc) == ["m1", "m2"]


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


def run(folder: Path, *arguments: str, path: str = str(ROOT)) -> subprocess.CompletedProcess[str]:
    """The command as a process of its own, which the program replaces."""
    environment = {**os.environ, "MQSC_STORE": "store.db", "PYTHONPATH": path}
    command = [sys.executable, "-m", "mqsc", "client", *arguments]
    return subprocess.run(
        command,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_the_program_finds_our_module_and_its_exit_code_is_ours(tmp_path: Path) -> None:
    ended = run(
        tmp_path,
        "--",
        sys.executable,
        "-c",
        f"{WHICH}; import os; print(os.environ['MQSC_STORE'])",
    )
    assert ended.stdout.splitlines() == [
        str(MODULES / "ibmmqc.py"),
        f"sqlite:///{tmp_path}/store.db",
    ]
    assert ended.stderr == f"mqsc: ibmmq and pymqi use the store {tmp_path}/store.db\n"
    assert ended.returncode == 0
    ended = run(tmp_path, "--quiet", "--", "sh", "-c", "echo data; echo talk >&2; exit 7")
    assert (ended.returncode, ended.stdout, ended.stderr) == (7, "data\n", "talk\n")
    assert (
        run(tmp_path, "--quiet", "sh", "-c", 'echo "$@"', "--", "-m", "--help").stdout
        == "-m --help\n"
    )


def test_the_variables_for_a_shell(
    mqsc: Command,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PYTHONPATH", f"{MODULES}:/it's")
    ended = mqsc("client", "-m", "QM1", "--print-env")
    settings = ended.lines[2]
    assert ended.lines[:2] == [
        f"export MQSC_STORE=sqlite:///{tmp_path}/store.db",
        f"""export PYTHONPATH='{STARTUP}:{MODULES}:/it'"'"'s'""",
    ]
    assert ended.lines[3:] == ["export MQSC_QMGR=QM1"]
    assert settings.startswith("export MQSC_CLIENT_SETTINGS='{")
    (variables,) = mqsc("client", "--print-env", "--format", "json").rows
    assert variables["PYTHONPATH"] == f"{STARTUP}:{MODULES}:/it's"


@pytest.mark.parametrize("library", ["lib64/libmqm_r.so", "lib/libmqm_r.dylib"])
def test_ibms_libraries_win(
    mqsc: Command,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    library: str,
) -> None:
    (tmp_path / library).parent.mkdir()
    (tmp_path / library).touch()
    monkeypatch.setenv("MQ_INSTALLATION_PATH", str(tmp_path))
    ended = mqsc("client", "--print-env")
    assert ended.err.startswith(
        f"mqsc: IBM MQ is installed ({tmp_path / library}), so ibmmq and pymqi use it",
    )
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
    ended = run(
        tmp_path,
        "--replace",
        "--quiet",
        "--",
        sys.executable,
        "-c",
        program,
        path=f"{ROOT}:{tmp_path}",
    )
    # The first line is from the command itself, which Python customizes too.
    assert ended.stdout.splitlines()[1:] == ["customized", str(MODULES / "ibmmqc.py")]


def test_what_cannot_be_run(session: Session) -> None:
    session("""
        client => 20 ! give either a program
        client --print-env -- true => 20 ! give either a program
        client -- no-such-program => 20 ! cannot start no-such-program
        client --store sqlite:// -- true => 20 ! a store in memory
    """)
    told = session("client --store elsewhere.db -- true => 20").err
    assert "`mqsc qmgr create NAME` makes one" in " ".join(told.split())
