"""Rules as text, their keywords and values, and what each action does with a message (dlq-rules
§4.4).
"""

from __future__ import annotations

from dataclasses import fields

import pytest
from hypothesis import given

from mqsc.dlq.facts import DeadLetterFacts
from mqsc.dlq.keywords import ACTIONS, CONTROLS, KEYWORDS, PATTERNS, Keyword, RuleValue
from mqsc.dlq.rules_table import COLUMNS, Control, Rule, RulesTable, text_of
from mqsc.dlq.value_types import NumberPattern, TextPattern, constants_of, name_of_number
from mqsc.store.catalog.types import InvalidValueError
from mqsc.store.headers.mqdlh import MQDLH
from mqsc.store.headers.mqmd import MQMD_2
from tests.mqsc.dlq.tables import TABLES, table
from tests.rows import rows

FROM_HEADER = {"DESTQ", "DESTQM", "FORMAT", "REASON"}
NUMBER_PATTERNS = [row for row in PATTERNS if isinstance(row.type, NumberPattern)]


def test_there_are_as_many_keywords_as_the_language_has() -> None:
    """Each says what it takes and means."""
    assert ([row.keyword for row in CONTROLS], len(PATTERNS)) == (
        ["INPUTQ", "INPUTQM", "RETRYINT", "WAIT"],
        13,
    )
    assert [row.keyword for row in ACTIONS] == [
        "ACTION",
        "FWDQ",
        "FWDQM",
        "HEADER",
        "PUTAUT",
        "RETRY",
    ]
    assert [
        row.keyword for row in KEYWORDS.values() if not (row.help.endswith(".") and row.type.wanted)
    ] == []


@pytest.mark.parametrize("row", PATTERNS, ids=lambda row: row.keyword)
def test_a_pattern_is_compared_with_the_right_field(row: Keyword) -> None:
    """T01, T02: format, reason and destination are the header's; everything else is the
    descriptor's.
    """
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
def test_every_keyword_has_its_place_and_its_default(
    rows: tuple[Keyword, ...],
    entry: type,
) -> None:
    defaults = {field.name: field.default for field in fields(entry)}
    assert {row.field for row in rows} <= defaults.keys()
    assert [
        row.keyword
        for row in rows
        if row.keyword != "ACTION" and defaults[row.field] != row.default
    ] == []


@pytest.mark.parametrize("row", NUMBER_PATTERNS, ids=lambda row: row.keyword)
def test_every_constant_is_read_and_written(row: Keyword) -> None:
    assert isinstance(row.type, NumberPattern)
    for name, number in constants_of(row.type.families).items():
        assert (row.read(name), row.read(row.write(number))) == (number, number)


REASONS = NumberPattern(("MQRC", "MQFB"))


@rows(
    *((TextPattern(4), text, text.rstrip(" ")) for text in ("A  ", "ABCD", "*A*B*C*D*", "éé")),
    *((TextPattern(4), text, "length") for text in ("ABCDE", "AB?DE", "ABCD ", "ééx")),
    *(
        (REASONS, "*", "*"),
        (REASONS, "0", 0),
        (REASONS, "2053", 2053),
        (REASONS, "mqrc_q_full", 2053),
    ),
    *(
        (REASONS, "999999999", 999_999_999),
        (REASONS, "1000000000", "range"),
        (REASONS, "MQRC_NONSENSE", "word"),
    ),
    *((REASONS, text, "number") for text in ("-1", "20*", "")),
    *(
        (NumberPattern(("MQAT",)), "MQAT_UNKNOWN", -1),
        (NumberPattern(("MQAT",)), "MQRC_Q_FULL", "word"),
    ),
)
def test_what_a_pattern_accepts(
    type: TextPattern | NumberPattern,
    text: str,
    expected: int | str,
) -> None:
    found: int | str
    try:
        found = type.accept(text)
    except InvalidValueError as error:
        found = error.problem
    assert found == expected


@rows(
    ("Q_FULL", "MQRC_Q_FULL"),
    ("MQRC_Q_FUL", "MQRC_Q_FULL"),
    ("MQRC_UNKNOWN_OBJECT", "MQRC_UNKNOWN_OBJECT_NAME"),
)
def test_a_similar_constant_is_suggested(text: str, near: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        REASONS.accept(text)
    assert caught.value.near == near


@rows(
    *((2053, ("MQRC", "MQFB"), "MQRC_Q_FULL"), (258, ("MQRC", "MQFB"), "MQFB_EXPIRATION")),
    *((6, ("MQAT",), "MQAT_UNIX"), (-1, ("MQAT",), "MQAT_UNKNOWN"), (123_456, ("MQRC",), "123456")),
    (65_536, ("MQAT",), "65536"),  # MQAT_USER_FIRST only bounds a range
)
def test_the_name_of_a_number(number: int, families: tuple[str, ...], name: str) -> None:
    assert name_of_number(number, families) == name
    names = constants_of(("MQRC", "MQFB"))
    assert (names["MQRC_Q_FULL"], names["MQFB_EXPIRATION"], "MQAT_UNIX" in names) == (
        2053,
        258,
        False,
    )


@rows(
    *(
        ("WAIT", None, "YES"),
        ("WAIT", 0, "NO"),
        ("WAIT", 30, "30"),
        ("RETRYINT", 0, "0"),
        ("ACTION", "RETRY", "RETRY"),
    ),
    *(
        ("REASON", None, "*"),
        ("REASON", 2053, "MQRC_Q_FULL"),
        ("FEEDBACK", 0, "MQFB_NONE"),
        ("INPUTQ", "", "' '"),
    ),
    *(("FWDQ", "&REPLYQ", "&REPLYQ"), ("FWDQ", "A.B", "A.B"), ("FWDQ", "a.b", "'a.b'")),
    *(
        ("APPLNAME", "it's", "'it''s'"),
        ("APPLNAME", "A*", "A*"),
        ("APPLNAME", "A B", "'A B'"),
        ("APPLNAME", "", "' '"),
    ),
)
def test_a_value_is_written_so_that_it_is_read_again(
    keyword: str,
    value: RuleValue,
    text: str,
) -> None:
    row = KEYWORDS[keyword]
    assert (row.write(value), row.read(text.strip("'").replace("''", "'"))) == (text, value)


@given(TABLES)
def test_a_table_prints_back_to_itself(printed: RulesTable) -> None:
    text = text_of(printed)
    assert (table(text), text_of(table(text))) == (printed, text)


@rows(
    ("reason(2053) action(retry)", "REASON(MQRC_Q_FULL) ACTION(RETRY)"),
    ("reason(900) action(retry)", "REASON(900) ACTION(RETRY)"),
    ("reason(258) action(retry)", "REASON(MQFB_EXPIRATION) ACTION(RETRY)"),
    ("feedback(2053) action(retry)", "FEEDBACK(MQRC_Q_FULL) ACTION(RETRY)"),
    ("appltype(mqat_unknown) action(retry)", "APPLTYPE(MQAT_UNKNOWN) ACTION(RETRY)"),
    ("ACTION(RETRY) RETRY(1) PUTAUT(DEF)", "ACTION(RETRY)"),
    ("ACTION(RETRY) RETRY(00002) PUTAUT('ctx')", "ACTION(RETRY) PUTAUT(CTX) RETRY(2)"),
    ("FWDQ(&destq) FWDQM(' ') ACTION(FWD) HEADER(YES)", "ACTION(FWD) FWDQ(&DESTQ)"),
    ("USERID('ABC  ') ACTION(RETRY)", "USERID(ABC) ACTION(RETRY)"),
    ("USERID('it''s') DESTQ(' ') ACTION(RETRY)", "DESTQ(' ') USERID('it''s') ACTION(RETRY)"),
    ("MSGTYPE('*') DESTQ(A*) ACTION(RETRY)", "DESTQ(A*) MSGTYPE(*) ACTION(RETRY)"),
    ("WAIT(YES) RETRYINT(60)\nACTION(RETRY)", "ACTION(RETRY)"),
    ("WAIT(0) INPUTQ('dlq')\nACTION(RETRY)", "INPUTQ('dlq') WAIT(NO)\nACTION(RETRY)"),
)
def test_what_is_written_in_many_ways_is_printed_in_one(written: str, canonical: str) -> None:
    assert text_of(table(written)) == canonical + "\n"


def test_a_long_entry_is_continued_before_column_72() -> None:
    text = text_of(
        table(
            f"DESTQ({'D' * 48}) REPLYQ({'R' * 48}) APPLIDAT('{'x' * 32}') ACTION(FWD) "
            f"FWDQ({'F' * 48})",
        ),
    )
    assert len(text.splitlines()) == 4
    assert max(map(len, text.splitlines())) <= COLUMNS
    assert all(line.endswith(" +") for line in text.splitlines()[:-1])
