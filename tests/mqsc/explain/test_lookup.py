"""What a word can mean: every keyword, every rule, and words that mean several things."""

from __future__ import annotations

import pytest

from mqsc.advice.rules import RULES
from mqsc.dlq.check import ADVICE
from mqsc.explain.lookup import close_to, explanations
from mqsc.known import COMMANDS
from store.catalog import KINDS


@pytest.mark.parametrize(
    ("word", "kinds"),
    [
        ("MAXDEPTH", ["keyword"]),
        ("NOTRIGGER", ["keyword"]),
        ("TARGQ", ["keyword"]),
        ("PROCESS", ["object", "keyword"]),
        ("QL", ["object"]),
        ("define", ["verb"]),
        ("REPLACE", ["keyword"]),
        ("AMQ8405", ["message", "error"]),
        ("AMQ8405I", ["message", "error"]),
        ("mqsc-c08", ["rule"]),
        ("DLQ03", ["rule"]),
        ("AMQ8752", ["error"]),
        ("2053", ["reason"]),
        ("NOSUCH", []),
    ],
)
def test_kinds(word: str, kinds: list[str]) -> None:
    found = [each.kind for each in explanations(word)]
    assert [kind for index, kind in enumerate(found) if kind not in found[:index]] == kinds


def test_every_keyword_is_explained() -> None:
    silent = [
        word
        for kind in KINDS.values()
        for word in kind.words
        if not any(each.kind == "keyword" for each in explanations(word))
    ]
    assert silent == []


def test_every_verb_and_object_is_explained() -> None:
    words = {*COMMANDS, *(noun for nouns in COMMANDS.values() for noun in nouns)}
    assert [word for word in sorted(words) if not explanations(word)] == []


def test_a_rule_shows_its_examples() -> None:
    for rule in (*RULES, *ADVICE):
        (found,) = explanations(rule.rule_id)
        labels = [part.label for part in found.parts]
        assert labels == ["severity", "why", "bad", "good"]


def test_a_keyword_says_what_differs_between_objects() -> None:
    defaults = {
        of: next(part.text for part in each.parts if part.label == "default")
        for each in explanations("DEFSOPT")
        for of in each.parts[0].text.split(", ")
    }
    assert defaults == {"QLOCAL": "SHARED", "QMODEL": "EXCL"}


@pytest.mark.parametrize(
    ("word", "close"),
    [("MAXDEPHT", "MAXDEPTH"), ("MQRC_QFULL", "MQRC_Q_FULL"), ("2054", "2053"), ("1500", None), ("", None)],
)
def test_nearest(word: str, close: str | None) -> None:
    assert close_to(word) == close
