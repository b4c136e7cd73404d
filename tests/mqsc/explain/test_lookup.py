"""The meanings of a word: every keyword, rule, code and message, and words with several
meanings; the layout.
"""

from __future__ import annotations

import re
from itertools import chain

import pytest

from mqsc.dlq.keywords import KEYWORDS
from mqsc.dlq.lint import TABLE_RULES
from mqsc.dlq.notices import TEXTS as NOTICES
from mqsc.explain.concepts import CONCEPTS, concept_words, concepts
from mqsc.explain.lookup import close_to, explanations, topics, unknown
from mqsc.explain.rules_tables import explain_notice, explain_table_keyword
from mqsc.explain.words_of_mqsc import _sentences
from mqsc.language.codes import (
    codes_of,
    explain_code,
    explain_message,
    ibm_messages,
    messages,
    number_of,
    reasons,
)
from mqsc.language.command_table import COMMANDS
from mqsc.language.explanation import Explanation, Part
from mqsc.language.reply import TEXTS
from mqsc.lint.rules import RULES
from mqsc.store.catalog import KINDS
from mqsc.store.constants import value_of
from tests.rows import rows
from tests.source import ROOT


@rows(
    *((word, ["keyword"]) for word in ("MAXDEPTH", "NOTRIGGER", "TARGQ", "REPLACE", "LGETDATE")),
    *((word, ["object"]) for word in ("QL", "QSTATUS")),
    *(
        (word, ["message"])
        for word in (
            "AMQ8405",
            "AMQ8405I",
            "AMQ8405E",
            "AMQ8708I",
            "AMQ9776E",
            "csqx526",
            "AMQ8147E:",
        )
    ),
    *((word, ["rule"]) for word in ("mqsc-c08", "DLQ03", "c08")),
    *((word, ["error"]) for word in ("AMQ8752", "amq8752e")),
    *(
        (word, ["constant"])
        for word in ("MQXMIT", "mqfmt_dead_letter_header", "MQOO_OUTPUT", "mqei_unlimited")
    ),
    *((word, []) for word in ("AMQ875", "AMQ1234E", "NOSUCH")),
    *(
        ("PROCESS", ["object", "keyword"]),
        ("define", ["verb"]),
        ("2053", ["reason"]),
        ("EVERY", ["value"]),
    ),
    *(("C8", ["condition"]), ("c14", ["rule", "condition"])),
)
def test_kinds(word: str, kinds: list[str]) -> None:
    assert [*dict.fromkeys(each.kind for each in explanations(word))] == kinds


def test_a_value_says_which_attributes_take_it() -> None:
    (found,) = explanations("every")
    assert [(part.label, part.text) for part in found.parts] == [
        ("of", "TRIGTYPE (QLOCAL, QMODEL)"),
    ]


PRINTED = re.compile(r"\b(?:AMQ|MQSC)\d{4}[IEWS]?\b")
ANSWERED = re.compile(r"\b(?:MQRC|MQRCCF|MQFB)[._][A-Z][A-Z0-9_]+")

# MQI calls give their reasons as numbers.
NUMBERS = re.compile(r"(?<![\d_.])2[0-5]\d\d(?![\d_.])")


def _found_in_source(pattern: re.Pattern[str]) -> set[str]:
    # The tables of all constants contain far more names than the product can print, and what
    # programs of IBM print is read in `mqsc/targets`. Errors of the REST API bring their cause.
    paths = (path for folder in ("mqsc", "store") for path in (ROOT / folder).rglob("*.py"))
    texts = (
        path.read_text("utf-8")
        for path in paths
        if path.parent.name not in ("constants", "http", "targets")
    )
    found = {each.group().replace(".", "_") for text in texts for each in pattern.finditer(text)}
    return {
        word for word in found if not word.endswith("_") and (codes_of(word) or not word.isdigit())
    }


@pytest.mark.parametrize(
    "pattern",
    [PRINTED, ANSWERED, NUMBERS],
    ids=["messages", "reasons", "numbers"],
)
def test_whatever_the_source_can_print_has_a_cause(pattern: re.Pattern[str]) -> None:
    def has_a_cause(word: str) -> bool:
        return any(
            part.label in ("cause", "why") for each in explanations(word) for part in each.parts
        )

    words = _found_in_source(pattern)
    assert len(words) > 60
    assert [word for word in sorted(words) if not has_a_cause(word)] == []


def test_every_keyword_verb_and_object_is_explained() -> None:
    keywords = {word for kind in KINDS.values() for word in kind.words}
    assert [
        word for word in keywords if not any(each.kind == "keyword" for each in explanations(word))
    ] == []
    words = {*COMMANDS, *(noun for nouns in COMMANDS.values() for noun in nouns)}
    assert [word for word in sorted(words) if not explanations(word)] == []
    assert {word for _, word in _sentences()} == words
    assert all(each.endswith(".") for each in _sentences().values())


@pytest.mark.parametrize(
    ("word", "suggests"),
    [("AMQ1234E", False), ("CSQX999E", False), ("MAXDEPHT", True)],
)
def test_an_unknown_message_is_not_taken_for_another(word: str, suggests: bool) -> None:
    assert ("did you mean" in unknown(word)) == suggests


def test_every_supported_command_has_its_syntax() -> None:
    for verb, noun in ((verb, noun) for verb, nouns in COMMANDS.items() for noun in nouns):
        ((said, found),) = topics([verb.lower(), noun])
        assert (said, [each.kind for each in found]) == (f"{verb.lower()} {noun}", ["command"])
        assert found[0].parts[-1].text.splitlines()[0].startswith(f"  {verb} {noun}")


@rows(
    (["poison"], ["poison message"]),
    (["Poison-Messages"], ["poison message"]),
    (["backout", "syncpoint"], ["backout", "syncpoint"]),
    (["queue full"], ["queue full"]),
    (["queue", "full", "2053"], ["queue full", "MQRC_Q_FULL"]),
    (["define", "ql", "maxdepth"], ["DEFINE QLOCAL", "MAXDEPTH"]),
)
def test_topics_of_several_words(words: list[str], names: list[str]) -> None:
    assert [each.name for _, found in topics(words) for each in found] == names


def test_concepts_are_unambiguous_and_what_to_try_is_explained() -> None:
    assert len(concept_words()) == len({*concept_words()}) == len(concepts())
    commands = chain.from_iterable(concept.commands for concept in CONCEPTS)
    tried = re.findall(r"^mqsc explain (\S+)$", "\n".join(commands), re.MULTILINE)
    assert len(tried) > 20
    assert [word for word in tried if not explanations(word)] == []


@rows(
    ("AMQ8405", ["severity", "cause", "action", "bad"]),
    *((rule.rule_id, ["severity", "why", "bad", "good"]) for rule in (*RULES, *TABLE_RULES)),
)
def test_a_message_of_scripts_and_a_rule_show_their_examples(word: str, labels: list[str]) -> None:
    (found,) = explanations(word)
    assert [part.label for part in found.parts] == labels


def test_a_keyword_says_what_differs_between_objects() -> None:
    defaults = {
        of: next(part.text for part in each.parts if part.label == "default")
        for each in explanations("DEFSOPT")
        for of in each.parts[0].text.split(", ")
    }
    assert defaults == {"QLOCAL": "SHARED", "QMODEL": "EXCL"}


@rows(
    *(("MAXDEPHT", "MAXDEPTH"), ("MQRC_QFULL", "MQRC_Q_FULL"), ("2054", "2053"), ("1500", None)),
    *(("805", "0x805"), ("7f3", "0x7f3"), ("", None), ("APPLIDATA", "APPLIDAT")),
)
def test_nearest(word: str, close: str | None) -> None:
    assert close_to(word) == close


def test_every_reason_and_message_has_a_cause_and_something_to_do() -> None:
    assert len(reasons()) >= 120
    assert all(value_of(name) >= 0 for name in reasons())
    for found in (reasons(), messages(), ibm_messages()):
        assert [
            name for name, meaning in found.items() if not (meaning.cause and meaning.action)
        ] == []
    assert all(name[-1] in "IWES" for name in (*messages(), *ibm_messages()))
    told = {each: [part.label for part in next(explain_message(each)).parts] for each in TEXTS}
    assert [each for each, labels in told.items() if "cause" not in labels] == []
    assert close_to("MQSC0038") in NOTICES


def test_messages_of_ibm_mq_are_explained_but_never_printed_here() -> None:
    assert {*ibm_messages()} & {*TEXTS, *messages()} == set()
    (found,) = explain_message("AMQ9203")
    assert found.parts[-1].label == "here"


@rows(
    *((word, ["MQRC_Q_FULL"]) for word in ("2053", "0X805", "Q_FULL", "mqrc_q_full")),
    *(("4005", ["MQRCCF_ATTR_VALUE_ERROR"]), ("258", ["MQFB_EXPIRATION"])),
    # A name that belongs to two families.
    ("CONNECTION_ID_ERROR", ["MQRCCF_CONNECTION_ID_ERROR"]),
    ("UNEXPECTED_ERROR", ["MQRC_UNEXPECTED_ERROR", "MQRCCF_UNEXPECTED_ERROR"]),
    *((word, []) for word in ("MQRC_FILTER_ERROR", "MQGMO_WAIT", "-1", "99999999999999999999")),
)
def test_codes(word: str, names: list[str]) -> None:
    assert [code.name for code in codes_of(word)] == names


@rows(
    *(("12", 12), ("0x10", 16), ("00012", 12)),
    *(
        (word, 2053)
        for word in ("0X00000805", "X805", "x'805'", "X'00000805'", "RC2053", "mqrc2053")
    ),
    *((word, None) for word in ("x", "XADD", "X'805", "0x", "", "1e3", "1_000", "-1")),
)
def test_numbers(word: str, number: int | None) -> None:
    assert number_of(word) == number


def test_a_reason_names_the_message_that_it_is_answered_with_and_a_message_its_reasons() -> None:
    (found,) = explain_code("2085")
    assert [part.text for part in found.parts if part.label == "message"] == ["AMQ8147E"]
    (found,) = explain_message("amq8148")
    (reason,) = [part.text for part in found.parts if part.label == "reason"]
    assert "MQRC_OBJECT_IN_USE" in reason.split(", ")
    assert found.heading.startswith("AMQ8148E: IBM MQ object in use")


def parts(found: Explanation) -> dict[str, str]:
    return {part.label: part.text for part in found.parts}


@pytest.mark.parametrize("message_id", NOTICES)
def test_every_message_of_the_handler_has_a_cause_and_an_action(message_id: str) -> None:
    for word in (message_id, message_id.lower()):
        found = next(explain_notice(word))
        labels = [label for label, text in parts(found).items() if text]
        assert (found.kind, found.name, labels) == ("message", message_id, ["cause", "action"])
        assert found in explanations(word)


@pytest.mark.parametrize("keyword", KEYWORDS)
def test_every_keyword_says_where_it_belongs_and_what_it_takes(keyword: str) -> None:
    found, row = next(explain_table_keyword(keyword.lower())), KEYWORDS[keyword]
    told = parts(found)
    assert told["of"].startswith("rules table of the dead-letter queue handler, ")
    assert (told["takes"], "field" in told) == (row.type.wanted, row.part == "pattern")
    assert found in explanations(keyword)


@rows(
    *(
        ("RETRYINT", "60"),
        ("WAIT", "YES"),
        ("REASON", "*"),
        ("DESTQ", "*"),
        ("FWDQM", "' '"),
        ("HEADER", "YES"),
    ),
    *(("ACTION", None), ("FWDQ", None)),
)
def test_a_default(keyword: str, default: str | None) -> None:
    """What must be said has none."""
    (found,) = explain_table_keyword(keyword)
    assert parts(found).get("default") == default


WHY, HEADING = "because of a reason that is longer than a line", "R1: A rule with a heading"
EXPLANATION = Explanation(
    "rule",
    "R1",
    HEADING,
    (Part("why", WHY), Part("bad", "ONE\n  TWO\n", True)),
)


def test_text_is_wrapped_and_scripts_are_not() -> None:
    heading, *lines = EXPLANATION.lines(40)
    assert heading == HEADING
    assert lines[:2] == [
        "  why:       because of a reason that is",
        "             longer than a line",
    ]
    assert lines[2:] == ["  bad:", "      ONE", "        TWO"]
    shown = {"kind": "rule", "name": "R1", "heading": HEADING, "why": WHY, "bad": "ONE\n  TWO\n"}
    assert EXPLANATION.as_json() == shown
