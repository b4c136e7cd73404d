"""The interactive shell without a terminal: keys in, output out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from mqsc.console.options import Choices
from mqsc.main import mqsc, run_to_exit_code
from mqsc.shell.start import is_secret, prompt_of, run_shell
from mqsc.store.error import StoreError
from tests.rows import rows

Typed = Callable[[str], list[str]]
UP, ENTER, INTERRUPT, END_OF_FILE = "\x1b[A", "\r", "\x03", "\x04"
# The escape sequences around pasted text, so that its lines arrive together.
PASTE, PASTED = "\x1b[200~", "\x1b[201~"
TALLY = 3


@pytest.fixture
def typed(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Typed:
    """Types keys into a shell on QM1; returns its output without the heading and the tally."""
    for name in ("MQPROMPT", "MQSC_QMGR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    choices = Choices(store=f"sqlite:///{tmp_path}/store.db", quiet=True)

    def call(keys: str) -> list[str]:
        with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
            pipe.send_text(keys + END_OF_FILE)
            run_shell(choices, run_to_exit_code, mqsc)
        heading, answers = capsys.readouterr().out.split("\n\n\n")
        assert heading.endswith("Starting MQSC for queue manager QM1.")
        return [line.rstrip() for line in answers.splitlines()[:-TALLY]]

    return call


def entered(*lines: str) -> str:
    return "".join(f"{line}{ENTER}" for line in lines)


MADE = "AMQ8006I: IBM MQ queue created."
PING = "AMQ8415I: Ping Queue Manager command complete."


@rows(
    *((entered("ping qmgr"), [PING]), (entered("", "   ", "* a comment"), [])),
    *(
        (entered("define qlocal(A) +", "   descr(x)"), [MADE]),
        (entered("define qlo-", "cal(A)"), [MADE]),
    ),
    (entered("define qlocal(A) +", "* between", " put(disabled)"), [MADE]),
    (entered("define qlocal(A) +") + INTERRUPT + entered("ping qmgr"), [PING]),
    ("something wrong" + INTERRUPT + entered("ping qmgr"), [PING]),
    (entered("ping qmgr; define qlocal(A)"), [PING, MADE]),
    (f"{PASTE}define qlocal(A) +\n  descr(x)\n* comment\nping qmgr\n{PASTED}{ENTER}", [MADE, PING]),
    (f"{PASTE}define qlocal(A) +{PASTED}{ENTER}" + entered(" descr(x)"), [MADE]),
    (f"{PASTE}ping qmgr\nend\ndefine qlocal(A){PASTED}{ENTER}" + entered("ping qmgr"), [PING]),
    *((entered("ping qmgr", "end", "ping qmgr"), [PING]), (entered("QUIT;", "ping qmgr"), [])),
    (entered("  exit ", "ping qmgr"), []),
)
def test_what_is_typed(typed: Typed, keys: str, answers: list[str]) -> None:
    found = typed(keys)
    assert [line for line in found if line.startswith("AMQ8") and line in (MADE, PING)] == answers


def test_a_mistake_names_the_place_and_the_shell_goes_on(typed: Typed) -> None:
    found = typed(entered("alter ql(A) +", " maxdpeth(5)", "ping qmgr"))
    assert found[-4:] == [
        "2: maxdpeth(5)",
        "   ^^^^^^^^",
        "AMQ8405I: 'MAXDPETH' is not a keyword of ALTER QLOCAL; did you mean MAXDEPTH?",
        PING,
    ]


def test_the_history_has_whole_commands(typed: Typed, tmp_path: Path) -> None:
    """The next shell offers them. Commands with a secret are not stored, however they are broken
    into lines.
    """
    typed(entered("define qlocal(A) replace +", "  descr(x)"))
    assert typed(f"{UP}{ENTER}") == [MADE]
    typed(entered("define authinfo(L) authtype(crlldap) conname(x) ldappwd(+", "'s3cret')"))
    assert typed(f"{UP}{ENTER}") == [MADE]
    history = tmp_path / "state" / "mqsc" / "history"
    assert "s3cret" not in history.read_text()
    assert history.stat().st_mode & 0o777 == 0o600


def test_a_queue_manager_is_made_only_where_that_is_wanted(tmp_path: Path) -> None:
    """The shell creates a queue manager if the store has none; runmqsc does not."""
    with pytest.raises(StoreError):
        run_shell(
            Choices(store=f"sqlite:///{tmp_path}/none.db"),
            run_to_exit_code,
            mqsc,
            create=False,
        )
    assert [*tmp_path.iterdir()] == []


def test_what_a_secret_is() -> None:
    assert is_secret("define authinfo(L) ldappwd('x')")
    assert not is_secret("define ql(A) descr('x')")


def test_codes_are_explained(typed: Typed) -> None:
    assert any("2053 0x00000805 MQRC_Q_FULL" in line for line in typed(entered("explain 2053")))


@rows(
    *(
        ("", "QM1> "),
        ("+QMNAME+ as +WHO+: ", "QM1 as joe: "),
        ("+NOT_SET+ + +QMNAME+", "+NOT_SET+ + QM1"),
    ),
    ("\x1b[2J", "\\x1b[2J"),
)
def test_the_prompt(monkeypatch: pytest.MonkeyPatch, wanted: str, prompt: str) -> None:
    monkeypatch.setenv("MQPROMPT", wanted)
    monkeypatch.setenv("WHO", "joe")
    assert prompt_of("QM1") == prompt
