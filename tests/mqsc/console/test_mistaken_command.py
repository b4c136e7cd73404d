"""Answers to a first word that is no command."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mqsc.conftest import Command


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("QM1",), "QM1 is a queue manager: use `mqsc -m QM1` for its shell, `mqsc run -m QM1 FILE` for a file."),
        (("QM2",), "for the shell of a queue manager QM2, use `mqsc -m QM2`."),
        (("a b.mqsc",), "a b.mqsc is a file: to run its MQSC, use `mqsc run 'a b.mqsc'`."),
        (("setup",), "setup is a folder: to run its MQSC, use `mqsc run setup`."),
        (("DEFINE", "QLOCAL(A)"), "to run MQSC, use `mqsc run -c 'DEFINE QLOCAL(A)'`."),
        (("qmg",), "did you mean qmgr?"),
        (("PUT",), "did you mean put?"),
        (("QMGR1",), "for the shell of a queue manager QMGR1, use `mqsc -m QMGR1`."),
        (("displ",), "DISPLAY is a command of MQSC: use `mqsc run -c 'DISPLAY ...'`, or `mqsc` for the shell."),
        (("alt",), "ALT is a command of MQSC: use `mqsc run -c 'alt ...'`, or `mqsc` for the shell."),
        (("displ", "qlocal(*)"), "to run MQSC, use `mqsc run -c 'DISPLAY qlocal(*)'`."),
        (("resovle", "CHANNEL(A)"), "to run MQSC, use `mqsc run -c 'RESOLVE CHANNEL(A)'`."),
        (("xyzzy",), "No such command 'xyzzy'."),
    ],
)
def test_what_was_probably_meant(mqsc: Command, tmp_path: Path, words: tuple[str, ...], says: str) -> None:
    mqsc("qmgr", "create", "QM1")
    (tmp_path / "a b.mqsc").touch()
    (tmp_path / "setup").mkdir()
    ended = mqsc(*words)
    assert (ended.code, ended.out) == (20, "")
    assert ended.err.splitlines()[-1].endswith(says)


def test_no_store_is_made_to_find_out(mqsc: Command, tmp_path: Path) -> None:
    assert mqsc("QM1").code == 20
    assert [*tmp_path.iterdir()] == []
    (tmp_path / "store.db").write_bytes(b"no store")
    assert mqsc("QM1").err.endswith("for the shell of a queue manager QM1, use `mqsc -m QM1`.\n")


def test_runmqsc_with_a_file(mqsc: Command, tmp_path: Path) -> None:
    mqsc("qmgr", "create", "QM1")
    (tmp_path / "a.mqsc").write_text("DISPLAY QMGR\n")
    ended = mqsc("runmqsc", "a.mqsc")
    assert (ended.code, ended.err) == (
        10,
        "mqsc: AMQ8118E: IBM MQ queue manager 'a.mqsc' does not exist.\n"
        "a.mqsc is a file: use `runmqsc -f a.mqsc` or `runmqsc < a.mqsc`\n",
    )
