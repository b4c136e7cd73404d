"""Selection strings of any words are read or refused, and never fail on a message."""

from __future__ import annotations

import time
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from store.descriptor import MessageDescriptor
from store.rules.properties.property_names import PropertyName
from store.rules.properties.property_set import Property
from store.rules.selector.parser import parse
from store.rules.selector.tokens import SelectorFault

WORDS = (
    "Color = <> < > 'red' 5 0x1F 07 AND OR NOT ( ) BETWEEN IN LIKE ESCAPE '%a_' IS NULL + - * / TRUE n 1E300"
    ' Root.MQMD.Priority JMSPriority "0x0A" , usr.x \'\' 9223372036854775808 # "'
).split()
PROPERTIES = {
    PropertyName("usr", "Color"): Property(PropertyName("usr", "Color"), 1024, "red"),
    PropertyName("usr", "n"): Property(PropertyName("usr", "n"), 64, 5),
}
DESCRIPTOR = MessageDescriptor(put_date="", put_time="")


@settings(max_examples=300)
@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=14).map(" ".join))
def test_any_words(text: str) -> None:
    with suppress(SelectorFault):
        assert parse(text).selects((DESCRIPTOR, PROPERTIES)) in (True, False)


@pytest.mark.parametrize(
    ("text", "identifiers"),
    [
        (f"JMSMessageID = 'ID:{'4a' * 24}' AND n > 1", {"msg_id": b"\x4a" * 24}),
        (f'n > 1 AND "0x{"4A" * 24}" = Root.MQMD.CorrelId', {"correl_id": b"\x4a" * 24}),
        (f"JMSMessageID = 'ID:{'4a' * 24}' OR n > 1", {}),
        (f"NOT JMSMessageID = 'ID:{'4a' * 24}'", {}),
        (f'Root.MQMD.CorrelId = "0x{"00" * 24}"', {}),
        ('Root.MQMD.MsgId = "0x4A"', {}),
    ],
)
def test_identifiers_for_the_index(text: str, identifiers: dict[str, bytes]) -> None:
    assert parse(text).identifiers == identifiers


def test_no_pattern_is_slow() -> None:
    selector = parse(f"Color LIKE '{'%a' * 500}%b'")
    long = {PropertyName("usr", "Color"): Property(PropertyName("usr", "Color"), 1024, "a" * 20_000)}
    before = time.process_time()
    assert not selector.selects((DESCRIPTOR, long))
    assert time.process_time() - before < 2
