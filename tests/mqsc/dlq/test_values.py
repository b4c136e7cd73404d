"""The texts that pattern types accept, and how values are written."""

from __future__ import annotations

import pytest

from mqsc.dlq.keywords import KEYWORDS, NumberPattern, RuleValue, TextPattern, constants_of, name_of_number
from store.catalog.types import InvalidValueError

REASONS = NumberPattern(("MQRC", "MQFB"))


@pytest.mark.parametrize(
    ("type", "text", "expected"),
    [
        (TextPattern(4), "A  ", "A"),
        (TextPattern(4), "ABCD", "ABCD"),
        (TextPattern(4), "*A*B*C*D*", "*A*B*C*D*"),
        (TextPattern(4), "ABCDE", "length"),
        (TextPattern(4), "AB?DE", "length"),
        (TextPattern(4), "ABCD ", "length"),
        (TextPattern(4), "éé", "éé"),
        (TextPattern(4), "ééx", "length"),
        (REASONS, "*", "*"),
        (REASONS, "0", 0),
        (REASONS, "2053", 2053),
        (REASONS, "mqrc_q_full", 2053),
        (REASONS, "999999999", 999_999_999),
        (REASONS, "1000000000", "range"),
        (REASONS, "-1", "number"),
        (REASONS, "20*", "number"),
        (REASONS, "", "number"),
        (REASONS, "MQRC_NONSENSE", "word"),
        (NumberPattern(("MQAT",)), "MQAT_UNKNOWN", -1),
        (NumberPattern(("MQAT",)), "MQRC_Q_FULL", "word"),
    ],
)
def test_what_a_pattern_accepts(type: TextPattern | NumberPattern, text: str, expected: int | str) -> None:
    found: int | str
    try:
        found = type.accept(text)
    except InvalidValueError as error:
        found = error.problem
    assert found == expected


@pytest.mark.parametrize(
    ("text", "near"),
    [("Q_FULL", "MQRC_Q_FULL"), ("MQRC_Q_FUL", "MQRC_Q_FULL"), ("MQRC_UNKNOWN_OBJECT", "MQRC_UNKNOWN_OBJECT_NAME")],
)
def test_a_similar_constant_is_suggested(text: str, near: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        REASONS.accept(text)
    assert caught.value.near == near


@pytest.mark.parametrize(
    ("number", "families", "name"),
    [
        (2053, ("MQRC", "MQFB"), "MQRC_Q_FULL"),
        (258, ("MQRC", "MQFB"), "MQFB_EXPIRATION"),
        (6, ("MQAT",), "MQAT_UNIX"),
        (-1, ("MQAT",), "MQAT_UNKNOWN"),
        (65_536, ("MQAT",), "65536"),  # MQAT_USER_FIRST only bounds a range
        (123_456, ("MQRC",), "123456"),
    ],
)
def test_the_name_of_a_number(number: int, families: tuple[str, ...], name: str) -> None:
    assert name_of_number(number, families) == name


def test_the_constants_of_two_families() -> None:
    names = constants_of(("MQRC", "MQFB"))
    assert (names["MQRC_Q_FULL"], names["MQFB_EXPIRATION"]) == (2053, 258)
    assert "MQAT_UNIX" not in names


@pytest.mark.parametrize(
    ("keyword", "value", "text"),
    [
        ("WAIT", None, "YES"),
        ("WAIT", 0, "NO"),
        ("WAIT", 30, "30"),
        ("RETRYINT", 0, "0"),
        ("REASON", None, "*"),
        ("REASON", 2053, "MQRC_Q_FULL"),
        ("FEEDBACK", 0, "MQFB_NONE"),
        ("INPUTQ", "", "' '"),
        ("FWDQ", "&REPLYQ", "&REPLYQ"),
        ("FWDQ", "A.B", "A.B"),
        ("FWDQ", "a.b", "'a.b'"),
        ("APPLNAME", "it's", "'it''s'"),
        ("APPLNAME", "A*", "A*"),
        ("APPLNAME", "A B", "'A B'"),
        ("APPLNAME", "", "' '"),
        ("ACTION", "RETRY", "RETRY"),
    ],
)
def test_a_value_is_written_so_that_it_is_read_again(keyword: str, value: RuleValue, text: str) -> None:
    row = KEYWORDS[keyword]
    assert row.write(value) == text
    assert row.read(text.strip("'").replace("''", "'")) == value
