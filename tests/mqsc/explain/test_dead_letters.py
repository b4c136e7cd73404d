"""All messages of the dead-letter handler and all keywords of rules tables are explained."""

from __future__ import annotations

import pytest

from mqsc.dlq.keywords import KEYWORDS
from mqsc.dlq.notices import TEXTS
from mqsc.explain.lookup import close_to, explanations
from mqsc.explain.subjects import explain_notice, explain_table_keyword
from mqsc.language.codes import Explanation


def parts(found: Explanation) -> dict[str, str]:
    return {part.label: part.text for part in found.parts}


def test_every_message_of_the_handler_has_a_cause_and_an_action() -> None:
    wrong = [
        word
        for message_id in TEXTS
        for word in (message_id, message_id.lower())
        for found in [next(explain_notice(word))]
        if (found.kind, found.name) != ("message", message_id)
        or [label for label, text in parts(found).items() if text] != ["cause", "action"]
        or found not in explanations(word)
    ]
    assert wrong == []


def test_every_keyword_says_where_it_belongs_and_what_it_takes() -> None:
    wrong = [
        keyword
        for keyword, row in KEYWORDS.items()
        for found in [next(explain_table_keyword(keyword.lower()))]
        for told in [parts(found)]
        if not told["of"].startswith("rules table of the dead-letter queue handler, ")
        or told["takes"] != row.type.wanted
        or ("field" in told) != (row.part == "pattern")
        or found not in explanations(keyword)
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("keyword", "default"),
    [("RETRYINT", "60"), ("WAIT", "YES"), ("REASON", "*"), ("DESTQ", "*"), ("FWDQM", "' '"), ("HEADER", "YES")],
)
def test_a_default(keyword: str, default: str) -> None:
    (found,) = explain_table_keyword(keyword)
    assert parts(found)["default"] == default


@pytest.mark.parametrize("keyword", ["ACTION", "FWDQ"])
def test_what_must_be_said_has_no_default(keyword: str) -> None:
    (found,) = explain_table_keyword(keyword)
    assert "default" not in parts(found)


def test_what_was_meant() -> None:
    assert close_to("APPLIDATA") == "APPLIDAT"
    assert close_to("MQSC0038") in TEXTS
