"""What is offered while a command is typed: words and names, colours, and the line of help."""

from __future__ import annotations

from pathlib import Path

import pytest
from prompt_toolkit.completion import CompleteEvent, Completion
from prompt_toolkit.document import Document

import mqsc
from mqsc.console.options import Choices
from mqsc.main import mqsc as group, run_to_exit_code
from mqsc.script import run
from mqsc.shell.assistant import Assistant
from mqsc.shell.command_text import last_command
from mqsc.shell.completion import MAX_NAMES, completions
from mqsc.shell.hint import NOTHING, hint
from mqsc.shell.own_commands import SessionSurroundings
from mqsc.shell.session import ShellSession
from mqsc.shell.settings import Settings
from mqsc.shell.start import command_at
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import open_store
from tests.rows import rows

SCRIPT = """
DEFINE QLOCAL(ORDERS.IN)
DEFINE QLOCAL(ORDERS.OUT)
DEFINE QLOCAL('Orders.mixed')
DEFINE QALIAS(ORDERS.ALIAS) TARGET(ORDERS.IN)
DEFINE PROCESS(ORDERS.PROC) APPLICID('x')
DEFINE NAMELIST(ORDERS.NL) NAMES(ORDERS.IN)
DEFINE CHANNEL(ORDERS.CHL) CHLTYPE(SVRCONN)
DEFINE CHANNEL(ORDERS.CHL) CHLTYPE(CLNTCONN) CONNAME(X)
"""


def names_at(qmgr: QueueManager, text: str) -> tuple[str, list[str]]:
    found = completions(last_command(text), qmgr)
    return found.begun, [each.word for each in found.candidates]


@rows(
    *(
        ("", "DEFINE DISPLAY", "QLOCAL ARCHIVE"),
        ("ARC", "ARCHIVE", ""),
        ("de", "define delete", "alter"),
    ),
    *(("def q", "qlocal( qalias(", "process( queue("), ("display q", "queue( qmgr", "")),
    *(("define b", "buffpool(", ""), ("define ", "QLOCAL(", "BUFFPOOL(")),
    ("DEFINE QLOCAL(A) MAX", "MAXDEPTH( MAXMSGL(", "MAXUMSGS"),
    ("DEFINE QLOCAL('A (B') MAXDEPTH(5) MAX", "MAXMSGL(", "MAXDEPTH("),
    ("DEFINE QLOCAL(A) TRIGGER NOT", "", "NOTRIGGER"),
    ("DEFINE QLOCAL(A) NOT", "NOTRIGGER", ""),
    ("DEFINE QLOCAL(A) PUT(", "ENABLED DISABLED", "MAXDEPTH("),
    *(
        ("DEFINE QLOCAL(A) PUT(dis", "disabled", "enabled"),
        ("DEFINE QLOCAL(A) PUT('dis", "DISABLED", ""),
    ),
    *(("DEFINE QLOCAL(A) PUT(ENABLED ", "", "DISABLED"), ("DISPLAY QLOCAL(A) CUR", "CURDEPTH", "")),
    *(("DISPLAY QLOCAL(A) CURDEPTH CUR", "", "CURDEPTH"), ("PING QMGR; CLE", "CLEAR", "")),
    ("DEFINE CHL(A) CHLTYPE(SDR) ", "CONNAME( XMITQ(", "CHLTYPE( MCAUSERX("),
    ("DEFINE CHL(A) CHLTYPE(SVRCONN) ", "MAXINST(", "XMITQ("),
    ("DISPLAY QL(*) WHERE(CUR", "CURDEPTH", ""),
    ("DISPLAY QL(*) WHERE(CURDEPTH ", "LT GT EQ NE LE GE", "LK CT"),
    *(("DISPLAY QL(*) WHERE(QDP", "", "QDPHIEV"), ("DISPLAY QSTATUS(*) WHERE(QT", "", "QTIME")),
    *(
        ("DIS CHS(*) WHERE(STATUS ", "EQ NE", "LK LT"),
        ("DIS CHS(*) WHERE(STATUS NE ", "RUNNING STOPPED", ""),
    ),
    *(
        ("DISPLAY QL(*) WHERE(DESCR ", "LK NL", "CT"),
        ("DISPLAY NAMELIST(*) WHERE(NAMES ", "CT EXG", "LK"),
    ),
    *(
        ("DISPLAY QL(*) WHERE(TRIGTYPE EQ ", "FIRST DEPTH", ""),
        ("DISPLAY QL(*) WHERE(TRIGGER EQ ", "YES NO", ""),
    ),
    *(
        ("DISPLAY QL(*) WHERE(CURDEPTH GT 5 ", "", "GT"),
        ("DEFINE QLOCAL(A) +\n  maxd", "maxdepth(", ""),
    ),
    *(("FOO ", "", "QLOCAL("), ("DEFINE ) ", "", "QLOCAL("), ("* de", "", "define DEFINE")),
)
def test_words(text: str, offered: str, not_offered: str) -> None:
    words = {
        f"{each.word}{each.after}" for each in completions(last_command(text), None).candidates
    }
    assert set(offered.split()) - words == set()
    assert set(not_offered.split()) & words == set()


def test_what_a_command_needs_comes_first_and_a_default_before_other_values() -> None:
    assert completions("define chl(x) ", None).candidates[0].word == "CHLTYPE"
    first, *_ = completions("define ql(x) maxdepth(", None).candidates
    assert (first.word, first.about) == ("5000", "default")
    (found,) = completions("define ql(x) maxd", None).candidates
    assert found.about == "The maximum number of messages on the queue."


@rows(
    ("DISPLAY QLOCAL(ORD", "ORD", ["ORDERS.IN", "ORDERS.OUT"]),
    ("dis ql(ord", "ord", ["orders.in", "orders.out"]),
    ("dis queue(orders.", "orders.", ["orders.alias", "orders.in", "orders.out"]),
    *(
        ("dis ql( 'Ord", "Ord", ["Orders.mixed"]),
        ("dis ql('ORD", "ORD", ["ORDERS.IN", "ORDERS.OUT"]),
    ),
    ("alter +\n ql(ORD", "ORD", ["ORDERS.IN", "ORDERS.OUT"]),
    ("ping qmgr; clear qlocal(ORD", "ORD", ["ORDERS.IN", "ORDERS.OUT"]),
    *(
        ("dis chl(ORD", "ORD", ["ORDERS.CHL"]),
        ("dis qstatus(ORD", "ORD", ["ORDERS.IN", "ORDERS.OUT"]),
    ),
    ("dis qs(ORD", "ORD", ["ORDERS.IN", "ORDERS.OUT"]),
    ("define ql(X) like(ORD", "ORD", ["ORDERS.IN", "ORDERS.OUT"]),
    ("define ql(X) maxdepth(5) process(ORD", "ORD", ["ORDERS.PROC"]),
    ("define qa(X) target(ORDERS.A", "ORDERS.A", ["ORDERS.ALIAS"]),
    ("alter qmgr deadq(ORD", "ORD", ["ORDERS.ALIAS", "ORDERS.IN", "ORDERS.OUT"]),
    *(("define qlocal(A) clusnl(ORD", "ORD", ["ORDERS.NL"]), ("dis ql(NONE", "NONE", [])),
    *(("define ql(ORD", "ORD", []), ("define ql(X) descr(ORD", "ORD", [])),
    *(("define qremote(X) rqmname(ORD", "ORD", []), ("define ql(X) nosuch(ORD", "ORD", [])),
    *(("frob ql(ORD", "ORD", []), ("dis frob(ORD", "ORD", [])),
)
def test_names(qmgr: QueueManager, text: str, begun: str, names: list[str]) -> None:
    run(qmgr, SCRIPT)
    assert names_at(qmgr, text) == (begun, names)


def test_a_name_that_needs_quotes_has_them(qmgr: QueueManager) -> None:
    run(qmgr, "DEFINE QLOCAL('ORDERS.mixed')\nDEFINE QLOCAL('orders.lower')\nDEFINE QLOCAL(ORDERS)")
    assert names_at(qmgr, "dis ql(orders") == (
        "orders",
        ["orders", "'ORDERS.mixed'", "'orders.lower'"],
    )
    assert names_at(qmgr, "dis ql('orders") == ("orders", ["orders.lower"])


def test_no_more_than_can_be_read(qmgr: QueueManager) -> None:
    run(qmgr, "\n".join(f"DEFINE NAMELIST(N{number})" for number in range(MAX_NAMES + 5)))
    assert len(names_at(qmgr, "dis namelist(N")[1]) == MAX_NAMES


def test_an_ended_queue_manager_tells_no_names(qmgr: QueueManager) -> None:
    qmgr.end(immediate=True)
    assert names_at(qmgr, "dis ql(SYS") == ("SYS", [])


def test_a_store_that_cannot_be_read_tells_no_names(tmp_path: Path) -> None:
    path = tmp_path / "damaged.db"
    with open_store(f"sqlite:///{path}") as store:
        qmgr = store.create_queue_manager("QM1")
        store.close()
        path.write_bytes(b"no database" * 1000)
        assert names_at(qmgr, "dis ql(SYS") == ("SYS", [])


@pytest.fixture
def assistant(qmgr: QueueManager) -> Assistant:
    mqsc.run(qmgr, "DEFINE QLOCAL(ORDERS.IN)\nDEFINE CHANNEL(TO.QM2) CHLTYPE(SVRCONN)")
    qmgr.store.create_queue_manager("QM2")

    def command(path: str) -> object:
        return command_at(group, path)

    around = SessionSurroundings(Choices(), run_to_exit_code, lambda question: False)
    return Assistant(ShellSession(qmgr, around, Settings()), command)  # type: ignore[arg-type]


def completed(assistant: Assistant, text: str, *, asked: bool = True) -> list[Completion]:
    """What is offered at the end of the text, when Tab is pressed or while it is typed."""
    return [*assistant.get_completions(Document(text), CompleteEvent(completion_requested=asked))]


@rows(
    *(("", "DEFINE", "put"), ("de", "define delete", ""), ("he", "help", "")),
    *(
        ("p", "ping put plan poison pcf", ""),
        ("dis ql(orders", "orders.in", ""),
        ("put ord", "orders.in", ""),
    ),
    *(
        ("get ORD", "ORDERS.IN", ""),
        ("get A --sync", "--syncpoint", "--store"),
        ("browse ", "ORDERS.IN", ""),
    ),
    *(
        ("browse A --", "--limit --msg-id", "--store --qmgr"),
        ("history --kind PUT --", "--since --limit", ""),
    ),
    *(
        ("history --format ", "text json", ""),
        ("trigger ", "run", "show"),
        ("trigger explain or", "orders.in", ""),
    ),
    *(("dlq s", "show", "run"), ("channel explain T", "TO.QM2", ""), ("use ", "QM1 QM2", "")),
    *(("help define ql", "QLOCAL", ""), ("help trigt", "TRIGTYPE", ""), ("?trigt", "", "")),
    *(
        ("explain MQRC_Q_F", "MQRC_Q_FULL", ""),
        ("report dai", "daily", ""),
        ("report --as ", "csv html", ""),
    ),
    *(("\\", "format sort timing pager keys", ""), ("\\format ", "table json", "")),
    *(("dis ql(*) \\fo", "format", ""), ("dis ql(*) \\format c", "classic csv", "table")),
    *(
        ("define process(P) applicid('C:\\fo", "", "format"),
        ("define process(P) applicid( \\fo", "", "format"),
    ),
    *(
        ("watch 2 dis ql(*) curd", "curdepth", ""),
        ("watch dis qst", "qstatus(", ""),
        ("put A 'x", "", "orders.in"),
    ),
    ("frob ", "", "DEFINE"),
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
    for path, names in (
        ("", ["scripts/", "setup.mqsc"]),
        ("/s", ["scripts/", "setup.mqsc"]),
        ("/.", [".hidden"]),
    ):
        for begun in ("source ", "plan a.mqsc ", "dlq check "):
            text = f"{begun}{folder}{path or '/'}"
            found = completed(assistant, text)
            assert [f"{text}{each.text}" for each in found] == [
                f"{begun}{folder}/{name}" for name in names
            ]
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


# The line of help under the prompt.


@rows(
    *(("", NOTHING), ("clear ", "CLEAR QLOCAL | TOPICSTR"), ("frob", "")),
    ("define ql(", "DEFINE QLOCAL( q_name ) … and "),
    ("def chl(X) ", "DEFINE CHANNEL( channel_name ) CHLTYPE( SDR | SVR | "),
    (
        "define ql(X) maxdepth(",
        "MAXDEPTH( 0 to 999999999 ) — The maximum number of messages on the queue.",
    ),
    ("define ql(X) trigtype(d", "TRIGTYPE( one of FIRST, EVERY, DEPTH, NONE ) — "),
    ("define ql(X) frob(", "FROB is not a parameter of DEFINE QLOCAL"),
    ("get A ", "get QUEUE [OPTIONS] — Get messages and print them."),
    ("\\timing", "\\timing on | off — Show how long each command took."),
    ("\\", "\\ — settings: \\format, "),
)
def test_hints(command: str, says: str) -> None:
    assert hint(command).startswith(says)
