"""What each type of value takes and refuses."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.catalog import (
    KINDS,
    Attribute,
    AttributeValueError,
    Stored,
    attribute_of,
    read_choice,
    read_name,
    read_value,
)
from store.catalog.types import Flag, Items, Name, Number, Text, Word

MOST = 999_999_999
READABLE = [row for kind in KINDS.values() for row in kind.attributes.values() if not isinstance(row.type, Flag)]
PROBLEMS = {"word", "number", "range", "length", "name", "empty", "form", "count"}


def row_of(kind: str, word: str) -> tuple[Attribute, bool]:
    found = attribute_of(KINDS[kind], word)
    assert found is not None
    return found


def read(kind: str, word: str, *texts: str) -> Stored:
    row, on = row_of(kind, word)
    return read_value(row, [(text, True) for text in texts], on)


# A list item that stands for a whole column of the plan: kind, keyword, texts, stored value.
ACCEPTED: list[tuple[str, str, tuple[str, ...], Stored]] = [
    ("QLOCAL", "MAXDEPTH", ("0",), 0),
    ("QLOCAL", "MAXDEPTH", ("007",), 7),
    ("QLOCAL", "GET", ("ENABLED",), "ENABLED"),
    ("QLOCAL", "GET", ("disabled",), "DISABLED"),
    ("QLOCAL", "CAPEXPRY", ("NOLIMIT",), "NOLIMIT"),
    ("QLOCAL", "CAPEXPRY", ("600",), 600),
    ("QLOCAL", "CUSTOM", ("CAPEXPRY(600)",), "CAPEXPRY(600)"),
    ("QLOCAL", "CUSTOM", ("",), ""),
    ("QLOCAL", "CUSTOM", ("SOMETHING(ELSE)",), "SOMETHING(ELSE)"),
    ("QLOCAL", "DESCR", ("it's  mine   ",), "it's  mine"),
    ("QLOCAL", "DESCR", (" ",), ""),
    ("QLOCAL", "DESCR", ("",), ""),
    ("QLOCAL", "DESCR", ("é" * 32,), "é" * 32),
    ("QLOCAL", "INITQ", (" ",), ""),
    ("QLOCAL", "INITQ", ("a/B.c_d%1",), "a/B.c_d%1"),
    ("QMGR", "EXPRYINT", ("OFF",), "OFF"),
    ("QMGR", "EXPRYINT", ("99999999",), 99_999_999),
    ("QMGR", "CONNAUTH", (" ",), ""),
    ("QMGR", "SUITEB", ("128_BIT", "192_BIT"), ["128_BIT", "192_BIT"]),
    ("PROCESS", "APPLTYPE", ("DEF",), "UNIX"),
    ("PROCESS", "APPLTYPE", ("6",), "UNIX"),
    ("PROCESS", "APPLTYPE", ("65536",), 65_536),
    ("NAMELIST", "NAMES", (), []),
    ("NAMELIST", "NAMES", (" ",), []),
    ("NAMELIST", "NAMES", ("A", "b.c"), ["A", "b.c"]),
    ("NAMELIST", "NLTYPE", ("Q",), "QUEUE"),
    ("CHANNEL", "CONNAME", ("host(1414),other(1415)",), "host(1414),other(1415)"),
    ("CHANNEL", "COMPMSG", ("ZLIBFAST", "RLE"), ["ZLIBFAST", "RLE"]),
    ("CHANNEL", "KAINT", ("AUTO",), "AUTO"),
    ("CHANNEL", "QMNAME", ("*GROUP",), "*GROUP"),
    ("TOPIC", "TOPICSTR", ("a/b ",), "a/b "),
    ("TOPIC", "DEFPRTY", ("ASPARENT",), "ASPARENT"),
    ("SUB", "DESTCORL", ("0a" * 24,), "0A" * 24),
    ("CHLAUTH", "USERLIST", ("*MQADMIN",), ["*MQADMIN"]),
    ("CFSTRUCT", "DSBLOCK", ("256K",), "256K"),
]

REFUSED: list[tuple[str, str, tuple[str, ...], str, str]] = [
    ("QLOCAL", "MAXDEPTH", ("1000000000",), "range", "0 to 999999999"),
    ("QLOCAL", "MAXDEPTH", ("9" * 5000,), "range", "0 to 999999999"),
    ("QLOCAL", "MAXDEPTH", ("-1",), "number", "0 to 999999999"),
    ("QLOCAL", "MAXDEPTH", ("+1",), "number", "number"),
    ("QLOCAL", "MAXDEPTH", ("1 000",), "number", "number"),
    ("QLOCAL", "MAXDEPTH", ("\u0664",), "number", "number"),
    ("QLOCAL", "MAXDEPTH", ("",), "number", "number"),
    ("QLOCAL", "MAXDEPTH", (), "empty", "number"),
    ("QLOCAL", "MAXDEPTH", ("1", "2"), "count", "one value"),
    ("QLOCAL", "TRIGDPTH", ("0",), "range", "1 to 999999999"),
    ("QLOCAL", "CAPEXPRY", ("0",), "range", "or NOLIMIT"),
    ("QLOCAL", "CUSTOM", ("CAPEXPRY(0)",), "form", "CAPEXPRY"),
    ("QLOCAL", "CUSTOM", ("CAPEXPRY(1000000000)",), "form", "CAPEXPRY"),
    ("QLOCAL", "CUSTOM", ("CAPEXPRY 5",), "form", "CAPEXPRY"),
    ("QLOCAL", "GET", ("ENABLD",), "word", "did you mean ENABLED?"),
    ("QLOCAL", "GET", (" ",), "word", "ENABLED, DISABLED"),
    ("QLOCAL", "DESCR", ("x" * 65,), "length", "64 bytes"),
    ("QLOCAL", "DESCR", ("é" * 33,), "length", "64 bytes"),
    ("QLOCAL", "INITQ", ("two words",), "name", "letters, digits"),
    ("QLOCAL", "INITQ", ("A*",), "name", "letters, digits"),
    ("QLOCAL", "INITQ", ("x" * 49,), "length", "48 bytes"),
    ("QLOCAL", "TRIGGER", ("YES",), "form", "TRIGGER or NOTRIGGER"),
    ("QLOCAL", "NOTRIGGER", (), "form", "without a value"),
    ("QMGR", "SUITEB", (), "empty", "a list"),
    ("QMGR", "SUITEB", ("NONE", "NONE", "NONE"), "count", "at most 2"),
    ("QMGR", "EXPRYINT", ("0",), "range", "1 to 99999999 or OFF"),
    ("QMGR", "MAXMSGL", ("32767",), "range", "32768 to 104857600"),
    ("PROCESS", "APPLTYPE", ("UNX",), "number", "did you mean UNIX?"),
    ("NAMELIST", "NAMES", ("A", "B C"), "name", "letters, digits"),
    ("NAMELIST", "NAMES", ("A", " "), "empty", "a list"),
    ("NAMELIST", "NAMES", ("A",) * 257, "count", "at most 256"),
    ("CHANNEL", "MSGEXIT", ("x" * 128,) * 8, "length", "999 bytes in all"),
    ("TOPIC", "TYPE", ("CLUSTER",), "word", "LOCAL"),
    ("SUB", "DESTCORL", ("0A",), "length", "48 hexadecimal digits"),
    ("SUB", "DESTCORL", ("XY" * 24,), "form", "48 hexadecimal digits"),
    ("QLOCAL", "ALTDATE", ("yesterday",), "form", "yyyy-mm-dd"),
]


@pytest.mark.parametrize(("kind", "word", "texts", "stored"), ACCEPTED)
def test_accepted(kind: str, word: str, texts: tuple[str, ...], stored: Stored) -> None:
    assert read(kind, word, *texts) == stored


@pytest.mark.parametrize(("kind", "word", "texts", "problem", "says"), REFUSED)
def test_refused_with_what_would_be_right(
    kind: str, word: str, texts: tuple[str, ...], problem: str, says: str
) -> None:
    with pytest.raises(AttributeValueError) as caught:
        read(kind, word, *texts)
    assert caught.value.problem == problem
    assert says in caught.value.detail
    assert caught.value.keyword == row_of(kind, word)[0].keyword


def test_a_fault_tells_which_of_several_values_it_is_about() -> None:
    with pytest.raises(AttributeValueError) as caught:
        read("NAMELIST", "NAMES", "A", "B", "C D")
    assert caught.value.index == 2


def test_flags_are_stored_as_the_word_in_force() -> None:
    row, on = row_of("QLOCAL", "NOTRIGGER")
    assert read_value(row, None, on) == "NOTRIGGER"
    assert read_value(row, None) == "TRIGGER"


def test_a_keyword_with_a_value_needs_its_parentheses() -> None:
    row, _ = row_of("QLOCAL", "MAXDEPTH")
    with pytest.raises(AttributeValueError) as caught:
        read_value(row, None)
    assert (caught.value.problem, str(caught.value).split()[0]) == ("form", "MAXDEPTH")


def test_what_display_chooses_by_may_be_more_than_what_is_stored() -> None:
    row, _ = row_of("TOPIC", "TYPE")
    assert read_choice(row, [("ALL", False)]) == "ALL"
    depth, _ = row_of("QLOCAL", "MAXDEPTH")
    assert read_choice(depth, [("5", False)]) == 5


@pytest.mark.parametrize(
    ("kind", "name", "problem"),
    [("QLOCAL", "A.b/c_d%1", None), ("QLOCAL", "x" * 48, None), ("QLOCAL", "x" * 49, "length"), ("QLOCAL", "", "name"),
     ("QLOCAL", " ", "name"), ("QLOCAL", "A B", "name"), ("QLOCAL", "A*", "name"), ("QLOCAL", "\u00e9", "name"),
     ("CHANNEL", "x" * 20, None), ("CHANNEL", "x" * 21, "length"), ("SUB", "any text at all", None),
     ("CHLAUTH", "SYSTEM.*.X", None), ("STGCLASS", "x" * 9, "length")],
)  # fmt: skip
def test_names_of_objects(kind: str, name: str, problem: str | None) -> None:
    if problem is None:
        assert read_name(KINDS[kind], [(name, True)]) == name
        return
    with pytest.raises(AttributeValueError) as caught:
        read_name(KINDS[kind], [(name, True)])
    assert (caught.value.keyword, caught.value.problem) == (kind, problem)


@pytest.mark.parametrize(("texts", "problem"), [(None, "form"), ([], "empty"), ([("A", False), ("B", False)], "count")])
def test_an_object_has_one_name(texts: list[tuple[str, bool]] | None, problem: str) -> None:
    with pytest.raises(AttributeValueError) as caught:
        read_name(KINDS["QLOCAL"], texts)
    assert caught.value.problem == problem


def edges() -> Iterator[tuple[str, str, int, bool]]:
    for kind in KINDS.values():
        for row in kind.attributes.values():
            if isinstance(row.type, Number):
                low, high = row.type.low, row.type.high
                yield from ((kind.keyword, row.keyword, number, True) for number in (low, high))
                yield kind.keyword, row.keyword, high + 1, False
                if low > 0:
                    yield kind.keyword, row.keyword, low - 1, False


@pytest.mark.parametrize(("kind", "word", "number", "accepted"), list(edges()))
def test_ranges_end_where_they_say(kind: str, word: str, number: int, accepted: bool) -> None:
    row, _ = row_of(kind, word)
    assert isinstance(row.type, Number)
    if accepted:
        stored = read(kind, word, str(number))
        assert isinstance(stored, (int, str))
        assert row.type.number_of(stored) == number
        return
    with pytest.raises(AttributeValueError) as caught:
        read(kind, word, str(number))
    assert caught.value.problem == "range"
    assert f"{row.type.low} to {row.type.high}" in caught.value.detail


def lengths() -> Iterator[tuple[str, str, int]]:
    for kind in KINDS.values():
        for row in kind.attributes.values():
            if isinstance(row.type, (Text, Name)):
                yield kind.keyword, row.keyword, row.type.length


@pytest.mark.parametrize(("kind", "word", "length"), list(lengths()))
def test_texts_and_names_are_as_long_as_they_say(kind: str, word: str, length: int) -> None:
    assert read(kind, word, "x" * length) == "x" * length
    with pytest.raises(AttributeValueError, match=str(length)) as caught:
        read(kind, word, "x" * (length + 1))
    assert caught.value.problem == "length"


def words() -> Iterator[tuple[str, str, str]]:
    for kind in KINDS.values():
        for row in kind.attributes.values():
            if isinstance(row.type, (Word, Items)):
                yield from ((kind.keyword, row.keyword, word) for word in row.type.words)


@pytest.mark.parametrize(("kind", "word", "value"), list(words()))
def test_every_word_that_is_offered_is_accepted(kind: str, word: str, value: str) -> None:
    assert read(kind, word, value)


def read_or_fault(row: Attribute, texts: list[tuple[str, bool]]) -> Stored | AttributeValueError:
    try:
        return read_value(row, texts)
    except AttributeValueError as fault:
        return fault


@given(st.sampled_from(READABLE), st.lists(st.tuples(st.text(max_size=80), st.booleans()), max_size=4))
def test_any_texts_are_stored_or_refused_and_stay_as_they_are(row: Attribute, texts: list[tuple[str, bool]]) -> None:
    stored = read_or_fault(row, texts)
    if isinstance(stored, AttributeValueError):
        assert stored.problem in PROBLEMS
        assert stored.detail
        assert 0 <= stored.index <= len(texts)
        return
    again = [(text, True) for text in stored] if isinstance(stored, list) else [(str(stored), True)]
    assert read_value(row, again) == stored


@given(st.integers(0, 10**12))
def test_a_number_is_stored_exactly_when_it_is_in_range(number: int) -> None:
    row, _ = row_of("QLOCAL", "MAXDEPTH")
    stored = read_or_fault(row, [(str(number), False)])
    if isinstance(stored, AttributeValueError):
        assert (stored.problem, number > MOST) == ("range", True)
    else:
        assert (stored, number <= MOST) == (number, True)


@given(st.text(alphabet="abcXYZ019./_%", min_size=1, max_size=48))
def test_a_name_is_stored_as_it_is_written(name: str) -> None:
    assert read("QALIAS", "TARGET", name) == name
