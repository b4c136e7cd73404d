"""The keywords compared with the structures they name; values are converted to text and back."""

from __future__ import annotations

from dataclasses import fields

import pytest

from mqsc.dlq.keywords import ACTIONS, CONTROLS, KEYWORDS, PATTERNS, Keyword, NumberPattern, TextPattern, constants_of
from mqsc.dlq.matching import DeadLetterFacts
from mqsc.dlq.rules_table import Control, Rule
from store.headers.mqmd import MQMD_2
from store.headers.mqxqh import MQDLH

FROM_HEADER = {"DESTQ", "DESTQM", "FORMAT", "REASON"}
NUMBER_PATTERNS = [row for row in PATTERNS if isinstance(row.type, NumberPattern)]


def test_there_are_as_many_keywords_as_the_language_has() -> None:
    assert [row.keyword for row in CONTROLS] == ["INPUTQ", "INPUTQM", "RETRYINT", "WAIT"]
    assert len(PATTERNS) == 13
    assert [row.keyword for row in ACTIONS] == ["ACTION", "FWDQ", "FWDQM", "HEADER", "PUTAUT", "RETRY"]


@pytest.mark.parametrize("row", PATTERNS, ids=lambda row: row.keyword)
def test_a_pattern_is_compared_with_the_right_field(row: Keyword) -> None:
    """T01, T02: format, reason and destination are the header's; everything else is the descriptor's."""
    structure, field = row.source.split(".")
    assert (structure == "MQDLH") == (row.keyword in FROM_HEADER)
    layout = MQDLH if structure == "MQDLH" else MQMD_2
    (found,) = [each for each in layout.fields if each.name == row.field]
    assert row.field in DeadLetterFacts._fields
    assert row.field.replace("_", "") == field.lower()
    if isinstance(row.type, TextPattern):
        assert row.type.length == found.length
    else:
        assert isinstance(row.type, NumberPattern)
        assert found.length == 4


@pytest.mark.parametrize(("rows", "entry"), [(CONTROLS, Control), (ACTIONS, Rule)])
def test_every_keyword_has_its_place_and_its_default(rows: tuple[Keyword, ...], entry: type) -> None:
    defaults = {field.name: field.default for field in fields(entry)}
    assert {row.field for row in rows} <= defaults.keys()
    assert [row.keyword for row in rows if row.keyword != "ACTION" and defaults[row.field] != row.default] == []


@pytest.mark.parametrize(
    "row", [row for row in PATTERNS if isinstance(row.type, NumberPattern)], ids=lambda row: row.keyword
)
def test_every_constant_is_read_and_written(row: Keyword) -> None:
    assert isinstance(row.type, NumberPattern)
    for name, number in constants_of(row.type.families).items():
        assert row.read(name) == number
        assert row.read(row.write(number)) == number


def test_every_keyword_says_what_it_takes_and_means() -> None:
    assert [row.keyword for row in KEYWORDS.values() if not (row.help.endswith(".") and row.type.wanted)] == []
