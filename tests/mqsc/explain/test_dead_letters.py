"""Messages of the dead-letter handler and keywords of rules tables: all of them are explained."""

from __future__ import annotations

import pytest

from mqsc.dlq.keywords import KEYWORDS
from mqsc.dlq.notices import TEXTS
from mqsc.explain.dead_letters import explain_notice, explain_table_keyword
from mqsc.explain.explanation import Explanation
from mqsc.explain.lookup import close_to, explanations


def parts(found: Explanation) -> dict[str, str]:
    return {part.label: part.text for part in found.parts}


@pytest.mark.parametrize("message_id", TEXTS)
def test_every_message_of_the_handler_has_a_cause_and_something_to_do(message_id: str) -> None:
    for word in (message_id, message_id.lower()):
        (found,) = explain_notice(word)
        assert (found.kind, found.name) == ("message", message_id)
        assert list(parts(found)) == ["cause", "action"]
        assert all(parts(found).values())
        assert found in explanations(word)


@pytest.mark.parametrize("keyword", KEYWORDS)
def test_every_keyword_says_where_it_stands_and_what_it_takes(keyword: str) -> None:
    (found,) = explain_table_keyword(keyword.lower())
    told = parts(found)
    assert told["of"].startswith("rules table of the dead-letter handler, ")
    assert told["takes"] == KEYWORDS[keyword].type.wanted
    assert ("field" in told) is (KEYWORDS[keyword].part == "pattern")
    assert found in explanations(keyword)


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
    assert close_to("MQSC0034") in TEXTS
