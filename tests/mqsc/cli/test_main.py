"""The command line as a whole: unknown commands, common options, imports, closed streams."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mqsc.conftest import Command
from tests.mqsc.session import Session
from tests.source import ROOT

SESSIONS = {
    "unknown commands": """
        qmgr create QM1
        putt Q x => 20 ! No such command 'putt'; did you mean put?
        dis QLOCAL(*) => 20 ! No such command 'dis'; to run MQSC, use `mqsc run -c 'dis QLOCAL(*)'`.
    """,
    "a missing store is not made": """
        qmgr list => 20 ! there is no store at
        qmgr start => 20 ! there is no store at
        clock show => 20 ! there is no store at
        browse A => 20 ! there is no store at
    """,
    "a plan may be made for a store in memory": """
        run --plan -c 'DEFINE QLOCAL(A)' --store sqlite:// => 2 > CREATE
    """,
    "quiet does not hide data or errors": """
        DEFINE QLOCAL(A)
        put A text
        run --quiet -c 'DISPLAY QLOCAL(A)' => > QUEUE(A)
        run --quiet -c 'ALTER QLOCAL(NONE) DESCR(X)' => 10 > AMQ8147E
        get A --quiet => | text
        put NONE x --quiet => 10 ! 2085
        run --plan --quiet -c 'DEFINE QLOCAL(B)' => 2 > CREATE
    """,
}


@pytest.mark.parametrize("name", SESSIONS)
def test_sessions(session: Session, name: str) -> None:
    session(SESSIONS[name])


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("sqlite://shop.db", "'sqlite://shop.db' does not name a file; write sqlite:///shop.db"),
        (
            "sqlite://data/shop.db",
            "'sqlite://data/shop.db' does not name a file; write sqlite:///data/shop.db",
        ),
        (
            "sqlite://",
            "sqlite:// is a store in memory, gone when the command ends; write sqlite:///PATH",
        ),
        ("sqlite:///:memory:", "sqlite:///:memory: is a store in memory"),
    ],
)
def test_a_store_that_would_not_be_kept_is_refused(
    session: Session,
    tmp_path: Path,
    url: str,
    says: str,
) -> None:
    for command in ("qmgr create SHOP", "run -c 'DEFINE QLOCAL(A)'", "put A x"):
        session(f"{command} --store {url} => 20 ! {says}")
    session(f"crtmqm A --store {url} => 71 ! {says}")
    assert not [*tmp_path.iterdir()]


def test_an_empty_input_creates_nothing(session: Session, tmp_path: Path) -> None:
    (tmp_path / "empty.mqsc").touch()
    for command in ("run", "run -", "run --atomic", "run empty.mqsc", "run -c ''"):
        ended = session(f"{command} => ! the input is empty")
        assert ended.lines[-1] == "All valid MQSC commands were processed."
    session("put A - => 20 ! there is no store at")
    for command in ("doctor", "backup copy.db", "restore copy.db"):
        session(f"{command} => 20\n--store sqlite:// {command} => 20")
    assert [each.name for each in tmp_path.iterdir()] == ["empty.mqsc"]


def test_without_words_standard_input_is_run(mqsc: Command, tmp_path: Path) -> None:
    ended = mqsc()
    assert (ended.code, ended.lines[-1]) == (0, "All valid MQSC commands were processed.")
    assert "the input is empty" in ended.err
    assert [*tmp_path.iterdir()] == []


QUIET = r"""
    qmgr create QM1 --clock manual;
    run - << DEFINE QLOCAL(A)\nALTER QMGR DEADQ(A)\nSET AUTHREC OBJTYPE(QMGR) GROUP('g') AUTHADD(CONNECT);
    run --atomic - << DEFINE QLOCAL(B); put A text --expiry 5; amqsput B << one\n\n; clock advance 90s;
    clock set 2030-01-01; run - << REFRESH QMGR TYPE(EXPIRY); get A; browse A; check - << DEFINE QLOCAL(C);
    dlq run - << WAIT(NO)\nACTION(DISCARD); dlq check - << WAIT(NO)\nACTION(DISCARD); dlq retry; trigger run --once;
    qmgr end; qmgr start; endmqm -i QM1; strmqm QM1; qmgr end QM1; qmgr delete QM1;
    crtmqm QM2; strmqm -c QM2; dltmqm QM2
"""


def commands(text: str) -> list[str]:
    return " ".join(text.split()).split("; ")


def test_quiet_is_silent_when_all_is_well(session: Session) -> None:
    """Cron sends mail if a job prints anything."""
    for command in commands(QUIET):
        words, _, given = command.partition(" << ")
        session(f"{words} --quiet << {given} => |\n!|")


HEAVY = "alembic lark prompt_toolkit pyarrow pyspark rich sqlalchemy"
IMPORTED = f"""
import sys
from mqsc.main import run_to_exit_code
code = run_to_exit_code(sys.argv[1:])
print("heavy:", *sorted(set("{HEAVY}".split()) & set(sys.modules)), file=sys.stderr)
sys.exit(code)
"""


def start(
    folder: Path,
    *arguments: str,
    program: tuple[str, ...] = ("-m", "mqsc"),
) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "MQSC_STORE": f"sqlite:///{folder}/store.db", "HOME": str(folder)}
    pipe = subprocess.PIPE
    command = [sys.executable, *program, *arguments]
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment)


LIGHT = "--help; --version; qmgr --help; report --help; put SYSTEM.DEFAULT.LOCAL.QUEUE text"
LIGHT += "; get SYSTEM.DEFAULT.LOCAL.QUEUE --all; history"
WITH_GRAMMAR = "run -v -c 'PING QMGR'; run -c 'DEFINE QLOCAL(A)' -c 'DISPLAY QLOCAL(*)'"


@pytest.mark.parametrize(
    ("command", "heavy"),
    [
        *((each, "heavy:") for each in commands(LIGHT)),
        *((each, "heavy: lark") for each in commands(WITH_GRAMMAR)),
    ],
)
def test_little_is_imported(tmp_path: Path, prepared_store: Path, command: str, heavy: str) -> None:
    shutil.copy(prepared_store, tmp_path / "store.db")
    _, said = start(tmp_path, *shlex.split(command), program=("-c", IMPORTED)).communicate()
    assert said.decode().splitlines()[-1] == heavy


def test_a_closed_pipe_ends_quietly_and_loses_no_message(mqsc: Command, tmp_path: Path) -> None:
    mqsc("run", "-c", "DEFINE QLOCAL(A)")
    mqsc("put", "A", "x" * 10_000, "--count", "200")
    with start(tmp_path, "get", "A", "--all") as getting:
        assert getting.stdout is not None
        assert getting.stderr is not None
        getting.stdout.read(1)
        getting.stdout.close()
        assert (getting.stderr.read(), getting.wait()) == (b"", 141)
    assert "CURDEPTH(200)" in mqsc("run", "-e", "-c", "DISPLAY QLOCAL(A) CURDEPTH").out


UNHEARD = [("put A two", 0, b""), ("put NIX two", 10, b""), ("nix", 20, b"")]


@pytest.mark.parametrize(
    ("closed", "words", "code", "said"),
    [
        ("<&-", "run -", 0, b"No commands have a syntax error"),
        ("<&-", "dlq check -", 10, b"AMQ8750"),
        ("<&-", "", 0, b"No commands have a syntax error"),
        ("2>&-", "get A", 0, b"one"),
        # Only Linux has a device that is always full.
        *((f"2>{full}", *each) for full in Path("/dev").glob("full") for each in UNHEARD),
        (">&-", "get A", 20, b"mqsc: standard output is closed; nothing was done"),
        ("<&- >&- 2>&-", "get A", 20, b""),
    ],
)
def test_closed_streams(
    session: Session,
    tmp_path: Path,
    closed: str,
    words: str,
    code: int,
    said: bytes,
) -> None:
    """A closed stdin is empty; messages nobody can read are dropped; no message is got that
    could not be printed.
    """
    session("DEFINE QLOCAL(A)\nput A one")
    environment = {**os.environ, "MQSC_STORE": f"sqlite:///{tmp_path}/store.db"}
    command = [
        "sh",
        "-c",
        f'exec "$@" {closed}',
        "sh",
        sys.executable,
        "-m",
        "mqsc",
        *words.split(),
    ]
    ended = subprocess.run(command, capture_output=True, env=environment, check=False)
    told = ended.stdout + ended.stderr
    assert (ended.returncode, said in told, b"Traceback" in told) == (code, True, False)
    left = 1 + (words.startswith("put A")) - (said == b"one")
    assert len(session("browse A --format jsonl").rows) == left


def test_a_folder_that_was_deleted(tmp_path: Path) -> None:
    command = [
        "sh",
        "-c",
        'mkdir gone && cd gone && rmdir ../gone && exec "$@"',
        "sh",
        sys.executable,
        "-m",
        "mqsc",
    ]
    given = ["--store", "x.db", "clock", "show"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONSAFEPATH": "1"}
    ended = subprocess.run(
        [*command, *given],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (
        20,
        b"mqsc: the current folder: No such file or directory\n",
    )


def test_a_store_that_cannot_be_written(tmp_path: Path) -> None:
    _, said = start(
        tmp_path,
        "run",
        "-c",
        "PING QMGR",
        "--store",
        f"sqlite:///{tmp_path}/none/store.db",
    ).communicate()
    assert said.decode().startswith(f"mqsc: {tmp_path}/none/store.db cannot be created")


def programs_in(folder: Path, *names: str) -> None:
    """Create programs with these names in `folder`, as an installation does."""
    for name in names:
        entry = "main" if name == "mqsc" else name
        path = folder / name
        path.write_text(f"#!{sys.executable}\nfrom mqsc.start import {entry}\n{entry}()\n")
        path.chmod(0o755)


def completed(folder: Path, shell: str, *words: str) -> list[str]:
    """Return the completions that click offers `shell` for the last word."""
    at = words[-1] if shell == "fish" else str(len(words) - 1)
    variables = {
        f"_{words[0].upper()}_COMPLETE": f"{shell}_complete",
        "COMP_WORDS": " ".join(words),
        "COMP_CWORD": at,
    }
    environment = {**os.environ, **variables, "MQSC_STORE": f"sqlite:///{folder}/store.db"}
    ended = subprocess.run(
        [folder / words[0]],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ended.stderr == ""
    return ended.stdout.splitlines()


def test_the_shells_complete_commands_and_options(tmp_path: Path) -> None:
    programs_in(tmp_path, "mqsc", "runmqsc")
    for words, offered in {
        "mqsc br": ["plain,browse"],
        "mqsc qmgr cr": ["plain,create"],
        "mqsc --quiet trigger ": ["plain,explain", "plain,run"],
        "mqsc get A --no": ["plain,--no-newline"],
        "mqsc get A --format ": ["plain,text", "plain,json", "plain,jsonl", "plain,csv"],
        "mqsc run --format j": ["plain,json", "plain,jsonl"],
        "mqsc run scr": ["file,scr"],
        "mqsc report dead-letters me": ["plain,message-lifetimes"],
        "mqsc explain trigd": ["plain,TRIGDATA", "plain,TRIGDPTH"],
        "runmqsc --q": ["plain,--qmgr", "plain,--quiet"],
    }.items():
        assert completed(tmp_path, "bash", *words.split(" ")) == offered, words
    assert completed(tmp_path, "zsh", "mqsc", "br")[:2] == ["plain", "browse"]
    assert completed(tmp_path, "fish", "mqsc", "br")[0].startswith("plain")
    assert not (tmp_path / "store.db").exists()


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
def test_fish_completes_with_the_script_that_it_is_given(tmp_path: Path) -> None:
    programs_in(tmp_path, "mqsc")
    start(tmp_path, "qmgr", "create", "QM1").communicate()
    script = """
_MQSC_COMPLETE=fish_source mqsc | source
complete --do-complete 'mqsc hist'
complete --do-complete 'mqsc check --ignore C01,C0'
complete --do-complete 'mqsc qmgr start '
"""
    path = f"{tmp_path}:{os.environ['PATH']}"
    environment = {
        **os.environ,
        "PATH": path,
        "HOME": str(tmp_path),
        "MQSC_STORE": f"sqlite:///{tmp_path}/store.db",
    }
    ended = subprocess.run(
        ["fish", "--no-config", "-c", script],
        env=environment,
        capture_output=True,
        text=True,
    )
    first, *rules, last = ended.stdout.splitlines()
    assert (first, ended.stderr) == (
        "history\tShow the events of queues, messages, units of work, connections.",
        "",
    )
    assert [each.partition("\t")[0] for each in rules][:2] == ["C01,C02", "C01,C03"]
    assert last == "QM1"


def test_bash_completes_with_the_script_that_it_is_given(tmp_path: Path) -> None:
    programs_in(tmp_path, "mqsc", "crtmqm")
    script = """
        for program in mqsc crtmqm; do
            source <(env _${program^^}_COMPLETE=bash_source $program)
        done
        COMP_WORDS=(mqsc qmgr de); COMP_CWORD=2; _mqsc_completion mqsc; echo "${COMPREPLY[@]}"
        COMP_WORDS=(crtmqm --qu); COMP_CWORD=1; COMPREPLY=(); _crtmqm_completion crtmqm; echo "${COMPREPLY[@]}"
        complete -p mqsc crtmqm
    """
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    ended = subprocess.run(
        ["bash", "-c", script],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    scripts = [f"complete -o nosort -F _{name}_completion {name}" for name in ("mqsc", "crtmqm")]
    assert ended.stdout.splitlines() == ["delete", "--quiet", *scripts]


def test_a_group_without_a_command_shows_its_help(mqsc: Command) -> None:
    ended = mqsc("user")
    assert ended.code == 20
    assert ended.err == mqsc("user", "--help").out.partition("\n\n  Examples:")[0] + "\n"


NAMED = """
    consume NOPE -- cat; get NOPE; put NOPE x; browse NOPE; trigger run -q NOPE --once; trigger explain NOPE;
    channel run NOPE; channel explain NOPE; qmgr end NOPE; qmgr start NOPE; qmgr delete NOPE; user remove nobody;
    history NOPE; dlq show NOPE; qmgr join NOPE G; qmgr leave NOPE; user password nobody; dlq retry NOPE;
    dlq test - --queue NOPE; channel fault NOPE break --at S1; expiry NOPE; poison NOPE; pcf --queue NOPE; serve NOPE
"""
GIVEN_NOPE = """
    put Q x; get Q; browse Q; export; poison; expiry A*; history; serve; clock show; clock advance 5s; dlq show;
    dlq retry; dlq test -; trigger run --once; trigger explain Q; channel run C; channel explain C; pcf --queue Q;
    apply -; apply --plan -; diff -; run -c END; run -v -c END; run --plan -c END; run --atomic -c END
"""
MISSING = [*commands(NAMED), *(f"{each} -m NOPE" for each in commands(GIVEN_NOPE))]


@pytest.mark.parametrize("command", MISSING)
def test_what_does_not_exist_is_exit_code_10(mqsc: Command, command: str) -> None:
    mqsc("qmgr", "create", "QM1")
    words = command.split()
    ended = mqsc(*words, stdin=b"ACTION(RETRY)\n" if words[0] == "dlq" else b"PING QMGR\n")
    assert (ended.code, ended.out, bool(ended.err)) == (10, "", True), ended.err


SAID_ON_STDOUT = """
    runmqdlq NOPE; runmqdlq Q NOPE; dlq run - --queue NOPE; dlq run - -m NOPE
"""


@pytest.mark.parametrize("command", commands(SAID_ON_STDOUT))
def test_so_it_is_for_programs_that_say_it_on_stdout(mqsc: Command, command: str) -> None:
    mqsc("qmgr", "create", "QM1")
    ended = mqsc(*command.split(), stdin=b"ACTION(RETRY)\n")
    assert (ended.code, bool(ended.out)) == (10, True)


CREATING = (
    "run -c END; run -v -c END; run --plan -c END; run --atomic -c END; apply -; apply --plan -; "
    "put Q x"
)


def test_commands_that_would_create_a_store_do_not_if_a_queue_manager_is_named(
    session: Session,
    tmp_path: Path,
) -> None:
    missing = f"there is no store at {tmp_path / 'store.db'}; --store or MQSC_STORE names another"
    for command in (*commands(CREATING), "get Q", "export", "diff -"):
        session(f"{command} -m NOPE << PING QMGR => 20 ! {missing}")
    assert not (tmp_path / "store.db").exists()


WHOLE_STORE = """
    archive --to archive; backup copy.db; client -- true; client --print-env; doctor;
    qmgr list; user list; export; history
"""


@pytest.mark.parametrize("command", commands(WHOLE_STORE))
def test_an_unknown_queue_manager_is_refused_by_every_command(
    session: Session,
    tmp_path: Path,
    command: str,
) -> None:
    session(f"""
        qmgr create QM1 --group QSG1
        -m NOPE {command} => 10 ! AMQ8118E: IBM MQ queue manager 'NOPE' does not exist.
    """)
    assert not (tmp_path / "copy.db").exists()


@pytest.mark.parametrize("name", ["QM1", "QSG1"])
def test_a_queue_manager_or_group_may_be_named_for_a_whole_store(
    session: Session,
    name: str,
) -> None:
    session(f"qmgr create QM1 --group QSG1\n-m {name} backup copy.db\n-m {name} client --print-env")
