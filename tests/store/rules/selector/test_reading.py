"""Selection strings of any words are read or refused, and never fail on a message."""

from __future__ import annotations

import time
from contextlib import suppress

import pytest
from hypothesis import given, settings, strategies as st

from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.rules.properties.property_names import PropertyName
from mqsc.store.rules.properties.property_set import Property
from mqsc.store.rules.selector.conditions import SelectorFault
from mqsc.store.rules.selector.reading import parse
from tests.examples import examples
from tests.rows import rows
from tests.store.tables import giving

WORDS = (
    "Color = <> < > 'red' 5 0x1F 07 AND OR NOT ( ) BETWEEN IN LIKE ESCAPE '%a_' IS NULL + - * / "
    "TRUE n 1E300"
    ' Root.MQMD.Priority JMSPriority "0x0A" , usr.x \'\' 9223372036854775808 # "'
).split()
PROPERTIES = {
    PropertyName("usr", "Color"): Property(PropertyName("usr", "Color"), 1024, "red"),
    PropertyName("usr", "n"): Property(PropertyName("usr", "n"), 64, 5),
}
DESCRIPTOR = MessageDescriptor(put_date="", put_time="")


@settings(max_examples=examples(150), deadline=None)
@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=14).map(" ".join))
def test_any_words(text: str) -> None:
    with suppress(SelectorFault):
        assert parse(text).selects((DESCRIPTOR, PROPERTIES)) in (True, False)


@rows(
    (f"JMSMessageID = 'ID:{'4a' * 24}' AND n > 1", {"msg_id": b"\x4a" * 24}),
    (f'n > 1 AND "0x{"4A" * 24}" = Root.MQMD.CorrelId', {"correl_id": b"\x4a" * 24}),
    (f"JMSMessageID = 'ID:{'4a' * 24}' OR n > 1", {}),
    (f"NOT JMSMessageID = 'ID:{'4a' * 24}'", {}),
    (f'Root.MQMD.CorrelId = "0x{"00" * 24}"', {}),
    ('Root.MQMD.MsgId = "0x4A"', {}),
)
def test_identifiers_for_the_index(text: str, identifiers: dict[str, bytes]) -> None:
    assert parse(text).identifiers == identifiers


def test_no_pattern_is_slow() -> None:
    selector = parse(f"Color LIKE '{'%a' * 500}%b'")
    long = {
        PropertyName("usr", "Color"): Property(PropertyName("usr", "Color"), 1024, "a" * 20_000),
    }
    before = time.process_time()
    assert not selector.selects((DESCRIPTOR, long))
    assert time.process_time() - before < 2


@rows(
    ("n >", "a value expected, not the end", 4),
    ("n > and", "a value expected, not AND", 5),
    ("n > 'red'", "> compares numbers only", 5),
    ("n = JMSFoo", "there is no property JMSFoo", 5),
    ("n = 5x AND", "not a number: 5x", 5),
    ("n = 1.5.2", "not a number: 1.5.2", 5),
    ("n = 09", "09 is no octal number, as the 0 at its start says", 5),
    ('n = "0x0"', '"0x0" is no byte string, such as "0x0AFC"; a text is in single quotes', 5),
    ("n = 'red", "a string without its closing quote", 5),
    ("n = #", "unexpected '#'", 5),
    ("n = 9223372036854775808", "9223372036854775808 is more than a number of 8 bytes can hold", 5),
    ("n = 5 Color", "AND, OR or the end expected, not Color", 7),
    ("n = 1 = 2", "AND, OR or the end expected, not =", 7),
    ("(n = 5", ") expected, not the end", 7),
    ("n not 5", "BETWEEN, IN or LIKE expected, not 5", 7),
    ("n = 5)", "AND, OR or the end expected, not )", 6),
    ("n IS 5", "NULL expected, not 5", 6),
    ("n = -'red'", "a number expected", 6),
    (
        "n = -9223372036854775809",
        "9223372036854775809 is more than a number of 8 bytes can hold",
        6,
    ),
    ("(n = 5 'x'", ") expected, not 'x'", 8),
    (
        "n = - (9223372036854775808 + 1)",
        "9223372036854775808 is more than a number of 8 bytes can hold",
        8,
    ),
    ("n BETWEEN 1 OR 2", "AND expected, not OR", 13),
    ("n IS NOT true", "NULL expected, not TRUE", 10),
    ("Color IN 'red'", "( expected, not 'red'", 10),
    ("Color IN ('red' 'blue')", ") expected, not 'blue'", 17),
    ("n BETWEEN 1 AND TRUE", "BETWEEN compares numbers only", 17),
    ("Color IN (5)", "a text in single quotes expected, not 5", 11),
    ("n = 1 AND 5", "a comparison expected, not a value", 11),
    ("Color LIKE n", "a pattern in single quotes expected, not n", 12),
    ("Color LIKE 'ab' ESCAPE 'b'", "the pattern ends with its escape character", 12),
    ("Color LIKE 'a' ESCAPE", "a character in single quotes expected, not the end", 22),
    ("Color LIKE 'a' ESCAPE 'bc'", "ESCAPE needs one character", 23),
    ("n = 1 + 'red'", "a number expected", 9),
    ("(n = 1) = 2", "a value expected, not a comparison", 2),
    ("n + 1 IS NULL", "IS NULL needs the name of a property", 1),
    ("(" * 41 + "n = 5" + ")" * 41, "more than 40 parentheses in each other", 41),
)
def test_what_is_wrong_and_where(text: str, fault: str, position: int) -> None:
    with pytest.raises(SelectorFault) as raised:
        parse(text)
    assert (raised.value.reason, raised.value.fault, raised.value.position) == (
        2459,
        fault,
        position,
    )


def test_a_number_of_any_length_is_refused() -> None:
    with pytest.raises(SelectorFault, match="8 bytes"):
        parse(f"n = {'1' * 9000}")


@rows(
    *giving(True, "n = 9223372036854775807 - 9223372036854775802", "-9223372036854775808 + n < 0"),
    *giving(
        True,
        "NOT " * 2000 + "n = 5",
        "- " * 4000 + "n = 5",
        "(" * 40 + "n" + ")" * 40 + " = 5",
    ),
    *giving(True, "n = 1 OR n = 5 AND Color = 'red'", "n = 5 OR n = 5 AND Color = 'blue'"),
    *giving(True, "n - 1 - 1 = 3 aNd n / 2 * 2 = 4", "n BETWEEN 1 AND 7 AND Color = 'red'"),
    ("NOT " * 2001 + "n = 5", False),
)
def test_order_of_operations(text: str, selected: bool) -> None:
    assert parse(text).selects((DESCRIPTOR, PROPERTIES)) is selected


names = st.sampled_from("n Color usr.n x Root.MQMD.Priority".split())
values = names | st.sampled_from("5 -1 2.5 'red' TRUE (n+1)".split())
comparisons = st.tuples(names, st.sampled_from(["=", "<>"]), values).map(" ".join)
conditions = st.recursive(
    comparisons
    | st.sampled_from(["n IS NULL", "x IS NOT NULL", "Color LIKE 'r%'", "n BETWEEN 1 AND 9", "b"]),
    lambda inner: (
        inner.map("NOT ({})".format)
        | st.tuples(inner, st.sampled_from(["AND", "OR"]), inner).map("(%s %s %s)".__mod__)
    ),
    max_leaves=6,
)


@settings(deadline=None)
@given(conditions)
def test_blanks_case_and_parentheses_mean_nothing(text: str) -> None:
    message = (DESCRIPTOR, PROPERTIES)
    expected = parse(text).selects(message)
    assert parse(f" ( {text} )\n").selects(message) is expected
    assert (
        parse(f"NOT NOT {text.replace('NOT', 'not').replace('AND', 'And')}").selects(message)
        is expected
    )
