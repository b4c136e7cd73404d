"""`mqsc demo`: every question has its answer."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from mqsc.cli.demo import QUESTIONS
from tests.mqsc.conftest import Command

ANSWERS = {
    "depth": ("ORDERS: 5 messages now\n114 ┤", "2026-03-02 10:00:00"),
    "expiry": ("QUOTES     11       11", "web shop"),
    "trigger": ("TRIGMPRI(4) on INVOICES", "A put now would not trigger"),
    "poison": ("backed out 2 times, last by billing",),
    "dlq": ("4  2053 MQRC_Q_FULL  STOCK on DEPOT",),
    "auth": ("REFUSED 2035", "ben", "PROFILE(ORDERS)"),
    "channel": ("of 2 messages", "DEPOT has committed it."),
}


def test_every_question_is_answered(
    mqsc: Command,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    made = mqsc("demo")
    assert made.code == 0
    assert made.lines[0] == "export MQSC_STORE=sqlite:///demo.db"
    for question, words in QUESTIONS:
        assert f"{words} " in made.out
        assert question in made.out
        answer = mqsc("--store", "demo.db", *shlex.split(words)[1:])
        assert answer.code == 0
        (key,) = ANSWERS.keys() & set(words.split())
        assert [text for text in ANSWERS[key] if text not in answer.out] == []
    assert mqsc("--store", "demo.db", "reconcile").code == 0


def test_a_file_that_exists_is_kept(mqsc: Command, tmp_path: Path) -> None:
    file = tmp_path / "shop.db"
    file.write_text("precious")
    refused = mqsc("demo", str(file))
    assert (refused.code, file.read_text()) == (20, "precious")
    assert refused.err == f"mqsc: {file} exists; name another file, or delete it\n"
    refused = mqsc("demo", str(tmp_path / "none" / "shop.db"))
    assert (refused.code, refused.err) == (20, f"mqsc: there is no folder {tmp_path / 'none'}\n")
