"""Commands that remove or replace much ask on a terminal, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mqsc.conftest import Command
from tests.mqsc.screen import screen
from tests.mqsc.session import Session

MADE = """
    DEFINE QLOCAL(A)
    put A one
    put A two
    user add alice << a long password
    history keep A
    get A
"""
# The commands before it, the command, what it asks, and a command that succeeds only as long as
# nothing was removed.
ASKING = [
    ("qmgr end QM1", "qmgr delete QM1", "Delete QM1 with 1 message?", "qmgr start QM1"),
    ("", "user remove alice", "Remove the user alice, a member of 0 groups?", "user groups alice"),
    ("", "history keep A --off", "Forget the data of 1 message?", "history keep A --off"),
    ("", "run -c CLEAR\0QLOCAL(A)", "A has 1 message. Remove it?", "get A"),
    (
        "",
        "run --atomic -c DELETE\0QLOCAL(A)\0PURGE",
        "A has 1 message. Delete the queue with it?",
        "get A",
    ),
    ("", "archive --to archive", "events from the store?", "bisect QLOCAL(A)"),
]


def words_of(command: str) -> list[str]:
    return [word.replace("\0", " ") for word in command.split()]


@pytest.mark.parametrize(
    ("before", "command", "question", "still"),
    ASKING,
    ids=[each[1] for each in ASKING],
)
def test_a_command_asks_on_a_terminal(
    session: Session,
    mqsc: Command,
    tmp_path: Path,
    before: str,
    command: str,
    question: str,
    still: str,
) -> None:
    session(MADE + before)
    words = words_of(command)
    shown = screen(tmp_path, *words, typed="n\n")
    assert question in " ".join(shown.split())
    assert "nothing was changed" in shown
    assert mqsc(*still.split()).code == 0
    if "start" in still:
        mqsc("qmgr", "end", "QM1")
    if "get" in still:
        mqsc("put", "A", "three")
    if "--off" in still:
        session("history keep A\nput A four\nget A")
    assert (
        "?"
        not in screen(tmp_path, *words[:1], *words[1:], "--yes", typed="n\n").partition("Starting")[
            0
        ]
    )


@pytest.mark.parametrize(
    ("before", "command", "question", "still"),
    ASKING,
    ids=[each[1] for each in ASKING],
)
def test_no_command_asks_without_a_terminal(
    session: Session,
    mqsc: Command,
    before: str,
    command: str,
    question: str,
    still: str,
) -> None:
    session(MADE + before)
    ended = mqsc(*words_of(command))
    assert (ended.code, question in ended.err) == (0, False)


UNTIDY, TIDY = "define qlocal(a)\n", "DEFINE QLOCAL(A)\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two scripts, one of which has a second name outside, and a link to a script outside."""
    for name in ("in/a.mqsc", "in/b.mqsc", "outside.mqsc"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(UNTIDY, "utf-8")
    (tmp_path / "second").hardlink_to(tmp_path / "in/b.mqsc")
    (tmp_path / "in/link.mqsc").symlink_to(tmp_path / "outside.mqsc")
    (tmp_path / "in/inner.mqsc").symlink_to("a.mqsc")
    return tmp_path / "in"


def test_a_layout_of_a_folder_is_asked_about(folder: Path) -> None:
    shown = screen(folder.parent, "fmt", str(folder), typed="n\n")
    assert "Lay out 2 files anew?" in shown
    assert (folder / "a.mqsc").read_text("utf-8") == UNTIDY
    assert "?" not in screen(folder.parent, "fmt", "--yes", str(folder), typed="n\n")
    assert (folder / "a.mqsc").read_text("utf-8") == TIDY


@pytest.mark.parametrize("given", ["in", "in/*.mqsc"])
def test_a_layout_stays_in_the_folder_and_keeps_names(
    mqsc: Command,
    folder: Path,
    given: str,
) -> None:
    ended = mqsc("fmt", given)
    assert (ended.code, "link.mqsc is left as it is: it is a link to" in ended.err) == (0, True)
    assert (folder.parent / "outside.mqsc").read_text("utf-8") == UNTIDY
    assert (folder / "inner.mqsc").is_symlink()
    assert [(folder / name).read_text("utf-8") for name in ("a.mqsc", "b.mqsc")] == [TIDY, TIDY]
    assert (folder.parent / "second").samefile(folder / "b.mqsc")
    assert sorted(each.name for each in folder.iterdir()) == [
        "a.mqsc",
        "b.mqsc",
        "inner.mqsc",
        "link.mqsc",
    ]
    # A link that is named itself is followed.
    mqsc("fmt", "in/link.mqsc")
    assert (folder.parent / "outside.mqsc").read_text("utf-8") == TIDY
