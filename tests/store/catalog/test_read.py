"""The texts that each type of value accepts and rejects."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.catalog import KINDS, Attribute, AttributeValueError, Stored, attribute_of, read_value
from store.catalog.types import Flag, InvalidValueError, Items, Name, Number, Profile, Text, User, Word

MOST = 999_999_999
READABLE = [row for kind in KINDS.values() for row in kind.attributes.values() if not isinstance(row.type, Flag)]
PROBLEMS = {"word", "number", "range", "length", "name", "empty", "form", "count"}


def row_of(kind: str, word: str) -> tuple[Attribute, bool]:
    found = attribute_of(KINDS[kind], word)
    assert found is not None
    return found


def read(kind: str, word: str, *texts: str) -> Stored:
    row, on = row_of(kind, word)
    return read_value(row, list(texts), on)


# (kind, keyword, texts, stored value)
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
    ("CHANNEL", "CONNAME", ("sqlite:////srv/a,b.db (QM2), QM3,",), "sqlite:////srv/a,b.db (QM2), QM3,"),
    ("CHANNEL", "CONNAME", ("a, ,b( 1414 ) ,local()",), "a, ,b( 1414 ) ,local()"),
    ("CHANNEL", "CONNAME", (" ",), ""),
    *[("CHANNEL", "CONNAME", (text,), text) for text in ("host(1414", "(1414)", "a(1) b(2)", "my.local(1", " ,")],
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
    *[
        ("CHANNEL", "CONNAME", (text,), "form", "addresses such as host(1414), separated by commas")
        for text in ("local(QM2", "local QM2)", "a(1414),Local((QM2))", "sqlite:///a.db(QM2)(2)", "a(1) sqlite:///b(2)")
    ],
    ("CHANNEL", "CONNAME", ("h" * 265,), "length", "at most 264 bytes"),
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
    ("QLOCAL", "CFSTRUCT", ("1A",), "name", "capital letters and digits"),
    ("QLOCAL", "STGCLASS", ("a.b",), "name", "capital letters and digits"),
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


def test_an_error_says_which_of_several_values_is_wrong() -> None:
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


@pytest.mark.parametrize(
    ("kind", "name", "problem"),
    [("QLOCAL", "A.b/c_d%1", None), ("QLOCAL", "x" * 48, None), ("QLOCAL", "x" * 49, "length"),
     ("QLOCAL", "A B", "name"), ("QLOCAL", "A*", "name"), ("QLOCAL", "\u00e9", "name"),
     ("CFSTRUCT", "1A", "name"), ("CFSTRUCT", "CSQ_ADMIN", "name"), ("STGCLASS", "a", "name"),
     ("CHANNEL", "x" * 20, None), ("CHANNEL", "x" * 21, "length"), ("CHANNEL", "x" * 20 + "+QMNAME+", None),
     ("SUB", "any text at all", None), ("CHLAUTH", "SYSTEM.*.X", None), ("STGCLASS", "X" * 9, "length")],
)  # fmt: skip
def test_names_of_objects(kind: str, name: str, problem: str | None) -> None:
    found = None
    try:
        assert KINDS[kind].name_type.accept(name) == name
    except InvalidValueError as error:
        found = error.problem
    assert found == problem


@pytest.mark.parametrize(
    ("type", "text", "expected"),
    [(Name(symbols=("&DESTQ",)), "&destq", "&DESTQ"), (Name(symbols=("&DESTQ",)), "&DEST", "word"),
     (Name(), "&DESTQ", "name"), (Name(), " ", ""), (Name(required=True), " ", "empty"),
     (Name(strict=False), "A B", "A B"), (Name(strict=False), "A*", "name"), (Name(strict=False), "A?B", "name"),
     (Name(strict=False), "x" * 49, "length")],
)  # fmt: skip
def test_variants_of_names(type: Name, text: str, expected: str) -> None:
    try:
        found = type.accept(text)
    except InvalidValueError as error:
        found = error.problem
    assert found == expected


@pytest.mark.parametrize(
    ("type", "text", "expected"),
    [(Profile(20), "A.*", "A.*"), (Profile(20), "A?", "name"), (Profile(20, question_mark=True), "A?*", "A?*"),
     (Profile(4), "ABCDE", "length"), (Profile(48, special=("@class",)), "@CLASS", "@class"),
     (Profile(48), "@class", "name"), (User(12), "x" * 12, "x" * 12), (User(12), "x" * 13, "length"),
     (User(12), "x" * 57 + "@domain", "x" * 57 + "@domain"), (User(12), "x" * 58 + "@domain", "length")],
)  # fmt: skip
def test_profiles_and_users(type: Profile | User, text: str, expected: str) -> None:
    try:
        found = type.accept(text)
    except InvalidValueError as error:
        found = error.problem
    assert found == expected


def test_a_similar_word_is_suggested() -> None:
    with pytest.raises(InvalidValueError) as caught:
        Word(("ENABLED", "DISABLED")).accept("ENABLD")
    assert (caught.value.near, caught.value.wanted) == ("ENABLED", "one of ENABLED, DISABLED")
    assert caught.value.detail == "one of ENABLED, DISABLED (did you mean ENABLED?)"


def answer(kind: str, word: str, text: str) -> str:
    """Return the problem with a text, or blank if it is accepted."""
    try:
        read(kind, word, text)
    except AttributeValueError as error:
        return error.problem
    return ""


def test_ranges_end_at_their_bounds() -> None:
    wrong = []
    for kind in KINDS.values():
        for row in kind.attributes.values():
            if isinstance(row.type, Number):
                low, high = row.type.low, row.type.high
                expected = {str(low): "", str(high): "", str(high + 1): "range"}
                if low > 0:
                    expected[str(low - 1)] = "range"
                found = {text: answer(kind.keyword, row.keyword, text) for text in expected}
                if found != expected:
                    wrong.append((kind.keyword, row.keyword, found))
    assert wrong == []


def test_numbers_are_stored_as_the_number_or_its_word() -> None:
    wrong = []
    for kind in KINDS.values():
        for row in kind.attributes.values():
            if isinstance(row.type, Number):
                for number in (row.type.low, row.type.high):
                    stored = row.type.accept(str(number))
                    if row.type.number_of(stored) != number:
                        wrong.append((kind.keyword, row.keyword, number, stored))
    assert wrong == []


def test_texts_and_names_end_at_their_length() -> None:
    wrong = []
    for kind in KINDS.values():
        for row in kind.attributes.values():
            if isinstance(row.type, (Text, Name)):
                fits, too_long = "X" * row.type.length, "X" * (row.type.length + 1)
                found = (answer(kind.keyword, row.keyword, fits), answer(kind.keyword, row.keyword, too_long))
                if found != ("", "length"):
                    wrong.append((kind.keyword, row.keyword, found))
    assert wrong == []


def test_every_word_that_is_offered_is_accepted() -> None:
    wrong = [
        (kind.keyword, row.keyword, word)
        for kind in KINDS.values()
        for row in kind.attributes.values()
        if isinstance(row.type, (Word, Items, Number))
        for word in row.type.words
        if answer(kind.keyword, row.keyword, word)
    ]
    assert wrong == []


def read_or_error(row: Attribute, texts: list[str]) -> Stored | AttributeValueError:
    try:
        return read_value(row, texts)
    except AttributeValueError as error:
        return error


@given(st.sampled_from(READABLE), st.lists(st.text(max_size=80), max_size=4))
def test_any_texts_are_stored_or_refused_and_stay_as_they_are(row: Attribute, texts: list[str]) -> None:
    stored = read_or_error(row, texts)
    if isinstance(stored, AttributeValueError):
        assert stored.problem in PROBLEMS
        assert stored.detail
        assert 0 <= stored.index <= len(texts)
        return
    again = stored if isinstance(stored, list) else [str(stored)]
    assert read_value(row, again) == stored


@given(st.integers(0, 10**12))
def test_a_number_is_stored_exactly_when_it_is_in_range(number: int) -> None:
    row, _ = row_of("QLOCAL", "MAXDEPTH")
    stored = read_or_error(row, [str(number)])
    if isinstance(stored, AttributeValueError):
        assert (stored.problem, number > MOST) == ("range", True)
    else:
        assert (stored, number <= MOST) == (number, True)


@given(st.text(alphabet="abcXYZ019./_%", min_size=1, max_size=48))
def test_a_name_is_stored_as_it_is_written(name: str) -> None:
    assert read("QALIAS", "TARGET", name) == name
