"""What is offered at the cursor: MQSC, the shell's own commands, their options and arguments."""

from __future__ import annotations

from pathlib import Path

import pytest
from prompt_toolkit.completion import CompleteEvent, Completion
from prompt_toolkit.document import Document

import mqsc
from mqsc.console.options import Choices
from mqsc.main import mqsc as group
from mqsc.main import run_to_exit_code
from mqsc.shell.assistant import Assistant
from mqsc.shell.command_text import Settings
from mqsc.shell.session import SessionSurroundings, ShellSession
from mqsc.shell.start import command_at
from store.client.api import QueueManager


@pytest.fixture
def assistant(qmgr: QueueManager) -> Assistant:
    mqsc.run(qmgr, "DEFINE QLOCAL(ORDERS.IN)\nDEFINE CHANNEL(TO.QM2) CHLTYPE(SVRCONN)")
    qmgr.store.create_queue_manager("QM2")

    def command(path: str) -> object:
        return command_at(group, path)

    around = SessionSurroundings(Choices(), run_to_exit_code, command, lambda question: False)  # type: ignore[arg-type]
    return Assistant(ShellSession(qmgr, around, Settings()), around.command)


def completed(assistant: Assistant, text: str, *, asked: bool = True) -> list[Completion]:
    """What is offered at the end of the text, when Tab is pressed or while it is typed."""
    return [*assistant.get_completions(Document(text), CompleteEvent(completion_requested=asked))]


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
        ("trigger ", "run", "show"),
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
def test_candidates(assistant: Assistant, text: str, offered: str, not_offered: str) -> None:
    found = {each.text for each in completed(assistant, text)}
    assert set(offered.split()) - found == set()
    assert set(not_offered.split()) & found == set()


def test_files(assistant: Assistant, tmp_path: Path) -> None:
    folder = tmp_path / "mqsc"
    (folder / "scripts").mkdir(parents=True)
    (folder / "setup.mqsc").write_text("")
    (folder / ".hidden").write_text("")
    for path, names in (("", ["scripts/", "setup.mqsc"]), ("/s", ["scripts/", "setup.mqsc"]), ("/.", [".hidden"])):
        for begun in ("source ", "plan a.mqsc ", "dlq check "):
            text = f"{begun}{folder}{path or '/'}"
            found = completed(assistant, text)
            assert [f"{text}{each.text}" for each in found] == [f"{begun}{folder}/{name}" for name in names]
            assert [each.display_text for each in found] == names
    assert completed(assistant, f"source {folder}/none/x") == []


def test_the_word_is_replaced(assistant: Assistant) -> None:
    (found,) = completed(assistant, "define qlocal(A) +\n  maxd")
    assert (found.text, found.start_position, found.display_text) == ("maxdepth(", -4, "maxdepth")


def test_no_list_opens_by_itself_before_a_command(assistant: Assistant) -> None:
    assert completed(assistant, "DISPLAY QMGR\n", asked=False) == []
    assert completed(assistant, "DISPLAY QMGR\nd", asked=False) != []


def test_colours(assistant: Assistant) -> None:
    line = assistant.lex_document(Document("DEFINE QLOCAL(A)\n"))
    assert ("class:verb", "DEFINE") in line(0)
    assert line(5) == []
