"""What is offered at the cursor: MQSC, the shell's own commands, their options and arguments."""

from __future__ import annotations

from pathlib import Path

import pytest

import mqsc
from mqsc.cli.main import mqsc as group
from mqsc.cli.main import run_to_exit_code
from mqsc.console.options import Choices
from mqsc.shell.assistant import SessionAssistant
from mqsc.shell.session import SessionSurroundings, ShellSession
from mqsc.shell.settings import Settings
from mqsc.shell.start import command_at
from store.client.api import QueueManager


@pytest.fixture
def assistant(qmgr: QueueManager) -> SessionAssistant:
    mqsc.run(qmgr, "DEFINE QLOCAL(ORDERS.IN)\nDEFINE CHANNEL(TO.QM2) CHLTYPE(SVRCONN)")
    qmgr.store.create_queue_manager("QM2")

    def command(path: str) -> object:
        return command_at(group, path)

    around = SessionSurroundings(Choices(), run_to_exit_code, command, lambda question: False)  # type: ignore[arg-type]
    return SessionAssistant(ShellSession(qmgr, around, Settings()), around.command)


@pytest.mark.parametrize(
    ("text", "offered", "not_offered"),
    [
        ("", "DEFINE", "put"),
        ("de", "define delete", ""),
        ("he", "help", ""),
        ("p", "ping put plan poison pcf", ""),
        ("dis ql(orders", "orders.in", ""),
        ("put ord", "orders.in", ""),
        ("get ORD", "ORDERS.IN", ""),
        ("get A --sync", "--syncpoint", "--store"),
        ("browse ", "ORDERS.IN", ""),
        ("browse A --", "--count --msg-id", "--store --qmgr"),
        ("history --kind PUT --", "--since --limit", ""),
        ("history --format ", "text json", ""),
        ("trigger ", "explain", "run"),
        ("trigger explain or", "orders.in", ""),
        ("dlq s", "show", "run"),
        ("channel explain T", "TO.QM2", ""),
        ("use ", "QM1 QM2", ""),
        ("help define ql", "QLOCAL", ""),
        ("help trigt", "TRIGTYPE", ""),
        ("?trigt", "", ""),
        ("explain MQRC_Q_F", "MQRC_Q_FULL", ""),
        ("report dai", "daily", ""),
        ("report --as ", "csv html", ""),
        ("\\", "format sort timing pager keys", ""),
        ("\\format ", "table json", ""),
        ("dis ql(*) \\fo", "format", ""),
        ("dis ql(*) \\format c", "classic csv", "table"),
        ("define process(P) applicid('C:\\fo", "", "format"),
        ("define process(P) applicid( \\fo", "", "format"),
        ("watch 2 dis ql(*) curd", "curdepth", ""),
        ("watch dis qst", "qstatus(", ""),
        ("put A 'x", "", "orders.in"),
        ("frob ", "", "DEFINE"),
    ],
)
def test_candidates(assistant: SessionAssistant, text: str, offered: str, not_offered: str) -> None:
    found = {each.text for each in assistant.completed(text)}
    assert set(offered.split()) - found == set()
    assert set(not_offered.split()) & found == set()


def test_files(assistant: SessionAssistant, tmp_path: Path) -> None:
    folder = tmp_path / "mqsc"
    (folder / "scripts").mkdir(parents=True)
    (folder / "setup.mqsc").write_text("")
    (folder / ".hidden").write_text("")
    for text in (f"source {folder}/", f"plan a.mqsc {folder}/s", f"dlq check {folder}/"):
        assert [each.text for each in assistant.completed(text)] == ["scripts/", "setup.mqsc"]
    assert [*assistant.completed(f"source {folder}/none/x")] == []


def test_the_word_is_replaced(assistant: SessionAssistant) -> None:
    (found,) = assistant.completed("define qlocal(A) +\n  maxd")
    assert (found.text, found.length, found.shown) == ("maxdepth(", 4, "maxdepth")
