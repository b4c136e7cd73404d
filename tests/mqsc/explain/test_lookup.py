"""The meanings of a word: every keyword, every rule, and words with several meanings."""

from __future__ import annotations

import re

import pytest

from mqsc.dlq.lint import TABLE_RULES
from mqsc.explain.lookup import close_to, explanations, topics, unknown
from mqsc.explain.subjects import _sentences, concept_words, concepts
from mqsc.language.codes import codes_of
from mqsc.language.command_table import COMMANDS
from mqsc.lint.rules import RULES
from store.catalog import KINDS
from tests.source import ROOT


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
        ("AMQ8405", ["message"]),
        ("AMQ8405I", ["message"]),
        ("mqsc-c08", ["rule"]),
        ("DLQ03", ["rule"]),
        ("AMQ8752", ["error"]),
        ("2053", ["reason"]),
        ("AMQ8405E", ["message"]),
        ("AMQ8708I", ["message"]),
        ("amq8752e", ["error"]),
        ("AMQ875", []),
        ("AMQ9776E", ["message"]),
        ("csqx526", ["message"]),
        ("AMQ1234E", []),
        ("C8", ["condition"]),
        ("c14", ["rule", "condition"]),
        ("MQXMIT", ["constant"]),
        ("mqfmt_dead_letter_header", ["constant"]),
        ("AMQ8147E:", ["message"]),
        ("c08", ["rule"]),
        ("EVERY", ["value"]),
        ("LGETDATE", ["keyword"]),
        ("QSTATUS", ["object"]),
        ("MQOO_OUTPUT", ["constant"]),
        ("mqei_unlimited", ["constant"]),
        ("NOSUCH", []),
    ],
)
def test_kinds(word: str, kinds: list[str]) -> None:
    found = [each.kind for each in explanations(word)]
    assert [kind for index, kind in enumerate(found) if kind not in found[:index]] == kinds


def test_a_value_says_which_attributes_take_it() -> None:
    (found,) = explanations("every")
    assert [(part.label, part.text) for part in found.parts] == [("of", "TRIGTYPE (QLOCAL, QMODEL)")]


PRINTED = re.compile(r"\b(?:AMQ|MQSC)\d{4}[IEWS]?\b")
ANSWERED = re.compile(r"\b(?:MQRC|MQRCCF|MQFB)[._][A-Z][A-Z0-9_]+")

# MQI calls give their reasons as numbers.
NUMBERS = re.compile(r"(?<![\d_.])2[0-5]\d\d(?![\d_.])")


def _found_in_source(pattern: re.Pattern[str]) -> set[str]:
    # The tables of all constants contain far more names than the product can print.
    paths = (path for folder in ("mqsc", "store") for path in (ROOT / folder).rglob("*.py"))
    texts = (path.read_text("utf-8") for path in paths if path.parent.name != "constants")
    found = {each.group().replace(".", "_") for text in texts for each in pattern.finditer(text)}
    return {word for word in found if not word.endswith("_") and (codes_of(word) or not word.isdigit())}


@pytest.mark.parametrize("pattern", [PRINTED, ANSWERED, NUMBERS], ids=["messages", "reasons", "numbers"])
def test_whatever_the_source_can_print_has_a_cause(pattern: re.Pattern[str]) -> None:
    def has_a_cause(word: str) -> bool:
        return any(part.label in ("cause", "why") for each in explanations(word) for part in each.parts)

    words = _found_in_source(pattern)
    assert len(words) > 60
    assert [word for word in sorted(words) if not has_a_cause(word)] == []


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


@pytest.mark.parametrize(("word", "suggests"), [("AMQ1234E", False), ("CSQX999E", False), ("MAXDEPHT", True)])
def test_an_unknown_message_is_not_taken_for_another(word: str, suggests: bool) -> None:
    assert ("did you mean" in unknown(word)) == suggests


def test_every_verb_and_object_has_a_sentence() -> None:
    words = {*COMMANDS, *(noun for nouns in COMMANDS.values() for noun in nouns)}
    assert {word for _, word in _sentences()} == words
    assert all(each.endswith(".") for each in _sentences().values())


def test_every_supported_command_has_its_syntax() -> None:
    for verb, nouns in COMMANDS.items():
        for noun in nouns:
            ((said, found),) = topics([verb.lower(), noun])
            assert said == f"{verb.lower()} {noun}"
            assert [each.kind for each in found] == ["command"]
            assert found[0].parts[-1].text.splitlines()[0].startswith(f"  {verb} {noun}")


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (["poison"], ["poison message"]),
        (["Poison-Messages"], ["poison message"]),
        (["backout", "syncpoint"], ["backout", "syncpoint"]),
        (["queue full"], ["queue full"]),
        (["queue", "full", "2053"], ["queue full", "MQRC_Q_FULL"]),
        (["define", "ql", "maxdepth"], ["DEFINE QLOCAL", "MAXDEPTH"]),
    ],
)
def test_topics_of_several_words(words: list[str], names: list[str]) -> None:
    assert [each.name for _, found in topics(words) for each in found] == names


def test_concepts_are_unambiguous() -> None:
    assert len(concept_words()) == len({*concept_words()}) == len(concepts())


def test_what_to_try_names_words_that_are_explained() -> None:
    tried = [word for each in concepts().values() for word in re.findall(r"mqsc explain (\S+?)(?:;|$)", each.attempts)]
    assert len(tried) > 20
    assert [word for word in tried if not explanations(word)] == []


def test_a_message_of_scripts_is_explained_once_with_an_example() -> None:
    (found,) = explanations("AMQ8405")
    assert [part.label for part in found.parts] == ["severity", "cause", "action", "bad"]


def test_a_rule_shows_its_examples() -> None:
    for rule in (*RULES, *TABLE_RULES):
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
    [
        ("MAXDEPHT", "MAXDEPTH"),
        ("MQRC_QFULL", "MQRC_Q_FULL"),
        ("2054", "2053"),
        ("1500", None),
        ("805", "0x805"),
        ("7f3", "0x7f3"),
        ("", None),
    ],
)
def test_nearest(word: str, close: str | None) -> None:
    assert close_to(word) == close
