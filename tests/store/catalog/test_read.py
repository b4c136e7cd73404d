"""The texts that each type of value accepts and rejects."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, strategies as st

from mqsc.store.catalog import (
    KINDS,
    Attribute,
    AttributeValueError,
    Stored,
    attribute_of,
    read_value,
)
from mqsc.store.catalog.types import (
    Flag,
    InvalidValueError,
    Items,
    Name,
    Number,
    Profile,
    Text,
    Type,
    User,
    Word,
)

MOST = 999_999_999
READABLE = [
    row
    for kind in KINDS.values()
    for row in kind.attributes.values()
    if not isinstance(row.type, Flag)
]
PROBLEMS = {"word", "number", "range", "length", "name", "empty", "form", "count"}


def row_of(kind: str, word: str) -> tuple[Attribute, bool]:
    found = attribute_of(KINDS[kind], word)
    assert found is not None
    return found


def read(kind: str, word: str, *texts: str) -> Stored:
    row, on = row_of(kind, word)
    return read_value(row, list(texts), on)


# Of each attribute, texts that it accepts and what is stored; several values are separated by |.
ACCEPTED: Mapping[str, Mapping[str, Stored]] = {
    "QLOCAL MAXDEPTH": {"0": 0, "007": 7},
    "QLOCAL GET": {"ENABLED": "ENABLED", "disabled": "DISABLED"},
    "QLOCAL CAPEXPRY": {"NOLIMIT": "NOLIMIT", "600": 600},
    "QLOCAL CUSTOM": {each: each for each in ("CAPEXPRY(600)", "", "SOMETHING(ELSE)")},
    "QLOCAL DESCR": {"it's  mine   ": "it's  mine", " ": "", "": "", "é" * 32: "é" * 32},
    "QLOCAL INITQ": {" ": "", "a/B.c_d%1": "a/B.c_d%1"},
    "QMGR EXPRYINT": {"OFF": "OFF", "99999999": 99_999_999},
    "QMGR CONNAUTH": {" ": ""},
    "QMGR SUITEB": {"128_BIT|192_BIT": ["128_BIT", "192_BIT"]},
    "PROCESS APPLTYPE": {"DEF": "UNIX", "6": "UNIX", "65536": 65_536},
    "NAMELIST NAMES": {" ": [], "A|b.c": ["A", "b.c"]},
    "NAMELIST NLTYPE": {"Q": "QUEUE"},
    "CHANNEL CONNAME": {
        " ": "",
        **{each: each for each in ("host(1414),other(1415)", "sqlite:////srv/a,b.db (QM2), QM3,")},
        **{
            each: each
            for each in (
                "a, ,b( 1414 ) ,local()",
                "host(1414",
                "(1414)",
                "a(1) b(2)",
                "my.local(1",
                " ,",
            )
        },
    },
    "CHANNEL COMPMSG": {"ZLIBFAST|RLE": ["ZLIBFAST", "RLE"]},
    "CHANNEL KAINT": {"AUTO": "AUTO"},
    "CHANNEL QMNAME": {"*GROUP": "*GROUP"},
    "TOPIC TOPICSTR": {"a/b ": "a/b "},
    "TOPIC DEFPRTY": {"ASPARENT": "ASPARENT"},
    "SUB DESTCORL": {"0a" * 24: "0A" * 24},
    "CHLAUTH USERLIST": {"*MQADMIN": ["*MQADMIN"]},
    "CFSTRUCT DSBLOCK": {"256K": "256K"},
}
# Of each attribute and problem, texts that are refused, and what the error says; None stands for no
# value.
REFUSED: Mapping[tuple[str, str, str], list[str | None]] = {
    ("QLOCAL MAXDEPTH", "range", "0 to 999999999"): ["1000000000", "9" * 5000],
    ("QLOCAL MAXDEPTH", "number", "0 to 999999999"): ["-1"],
    ("QLOCAL MAXDEPTH", "number", "number"): ["+1", "1 000", "\u0664", ""],
    ("QLOCAL MAXDEPTH", "empty", "number"): [None],
    ("QLOCAL MAXDEPTH", "count", "one value"): ["1|2"],
    ("QLOCAL TRIGDPTH", "range", "1 to 999999999"): ["0"],
    ("QLOCAL CAPEXPRY", "range", "or NOLIMIT"): ["0"],
    ("QLOCAL CUSTOM", "form", "CAPEXPRY"): ["CAPEXPRY(0)", "CAPEXPRY(1000000000)", "CAPEXPRY 5"],
    ("QLOCAL GET", "word", "did you mean ENABLED?"): ["ENABLD"],
    ("QLOCAL GET", "word", "ENABLED, DISABLED"): [" "],
    ("QLOCAL DESCR", "length", "64 bytes"): ["x" * 65, "é" * 33],
    ("QLOCAL INITQ", "name", "letters, digits"): ["two words", "A*"],
    ("QLOCAL INITQ", "length", "48 bytes"): ["x" * 49],
    ("QLOCAL CFSTRUCT", "name", "capital letters and digits"): ["1A"],
    ("QLOCAL STGCLASS", "name", "capital letters and digits"): ["a.b"],
    ("QLOCAL TRIGGER", "form", "TRIGGER or NOTRIGGER"): ["YES"],
    ("QLOCAL NOTRIGGER", "form", "without a value"): [None],
    ("QLOCAL ALTDATE", "form", "yyyy-mm-dd"): ["yesterday"],
    ("QMGR SUITEB", "empty", "a list"): [None],
    ("QMGR SUITEB", "count", "at most 2"): ["NONE|NONE|NONE"],
    ("QMGR EXPRYINT", "range", "1 to 99999999 or OFF"): ["0"],
    ("QMGR MAXMSGL", "range", "32768 to 104857600"): ["32767"],
    ("PROCESS APPLTYPE", "number", "did you mean UNIX?"): ["UNX"],
    ("NAMELIST NAMES", "name", "letters, digits"): ["A|B C"],
    ("NAMELIST NAMES", "empty", "a list"): ["A| "],
    ("NAMELIST NAMES", "count", "at most 256"): ["|".join("A" * 257)],
    ("CHANNEL CONNAME", "form", "addresses such as host(1414), separated by commas"): [
        *(
            "local(QM2",
            "local QM2)",
            "a(1414),Local((QM2))",
            "sqlite:///a.db(QM2)(2)",
            "a(1) sqlite:///b(2)",
        ),
    ],
    ("CHANNEL CONNAME", "length", "at most 264 bytes"): ["h" * 265],
    ("CHANNEL MSGEXIT", "length", "999 bytes in all"): ["|".join(["x" * 128] * 8)],
    ("TOPIC TYPE", "word", "LOCAL"): ["CLUSTER"],
    ("SUB DESTCORL", "length", "48 hexadecimal digits"): ["0A"],
    ("SUB DESTCORL", "form", "48 hexadecimal digits"): ["XY" * 24],
}


@pytest.mark.parametrize("attribute", ACCEPTED)
def test_accepted(attribute: str) -> None:
    texts = ACCEPTED[attribute]
    assert {text: read(*attribute.split(), *text.split("|")) for text in texts} == texts
    assert read("NAMELIST", "NAMES") == []


@pytest.mark.parametrize(("attribute", "problem", "says"), REFUSED)
def test_refused_with_what_would_be_right(attribute: str, problem: str, says: str) -> None:
    kind, word = attribute.split()
    for text in REFUSED[attribute, problem, says]:
        with pytest.raises(AttributeValueError) as caught:
            read(kind, word, *([] if text is None else text.split("|")))
        assert (caught.value.problem, caught.value.keyword) == (
            problem,
            row_of(kind, word)[0].keyword,
        ), text
        assert says in caught.value.detail


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


def fits(*texts: str) -> dict[str, str]:
    return {text: text for text in texts}


def names(kind: str) -> Type:
    return KINDS[kind].name_type


LONG = "x" * 57 + "@domain"
# Texts, and how they are stored or what the problem is.
NAMES: list[tuple[Type, dict[str, str]]] = [
    (
        names("QLOCAL"),
        fits("A.b/c_d%1", "x" * 48)
        | {"x" * 49: "length", "A B": "name", "A*": "name", "é": "name"},
    ),
    (names("CFSTRUCT"), {"1A": "name", "CSQ_ADMIN": "name"}),
    (names("STGCLASS"), {"a": "name", "X" * 9: "length"}),
    (names("CHANNEL"), fits("x" * 20, "x" * 20 + "+QMNAME+") | {"x" * 21: "length"}),
    (names("SUB"), fits("any text at all")),
    (names("CHLAUTH"), fits("SYSTEM.*.X")),
    (Name(symbols=("&DESTQ",)), {"&destq": "&DESTQ", "&DEST": "word"}),
    (Name(), {"&DESTQ": "name", " ": ""}),
    (Name(required=True), {" ": "empty"}),
    (Name(strict=False), {"A B": "A B", "A*": "name", "A?B": "name", "x" * 49: "length"}),
    (Profile(20), {"A.*": "A.*", "A?": "name"}),
    (Profile(20, question_mark=True), fits("A?*")),
    (Profile(4), {"ABCDE": "length"}),
    (Profile(48, special=("@class",)), {"@CLASS": "@class"}),
    (Profile(48), {"@class": "name"}),
    (User(12), fits("x" * 12, LONG) | {"x" * 13: "length", f"x{LONG}": "length"}),
]


@pytest.mark.parametrize(("type", "texts"), NAMES)
def test_names_profiles_and_users(type: Type, texts: dict[str, str]) -> None:
    for text, expected in texts.items():
        try:
            found = type.accept(text)
        except InvalidValueError as error:
            found = error.problem
        assert found == expected, text


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


def test_ranges_texts_and_names_end_at_their_bounds() -> None:
    """Numbers are stored as the number or its word, and every word that is offered is accepted."""
    wrong: list[object] = []
    rows = [(kind.keyword, row) for kind in KINDS.values() for row in kind.attributes.values()]
    for keyword, row in rows:
        expected: dict[str, str] = {}
        if isinstance(row.type, Number):
            low, high = row.type.low, row.type.high
            expected = {str(low): "", str(high): "", str(high + 1): "range"}
            expected |= {str(low - 1): "range"} if low > 0 else {}
            stored = [row.type.number_of(row.type.accept(str(number))) for number in (low, high)]
            wrong += [] if stored == [low, high] else [(keyword, row.keyword, stored)]
        elif isinstance(row.type, (Text, Name)):
            expected = {"X" * row.type.length: "", "X" * (row.type.length + 1): "length"}
        if isinstance(row.type, (Word, Items, Number)):
            expected |= dict.fromkeys(row.type.words, "")
        found = {text: answer(keyword, row.keyword, text) for text in expected}
        wrong += [] if found == expected else [(keyword, row.keyword, found)]
    assert wrong == []


def read_or_error(row: Attribute, texts: list[str]) -> Stored | AttributeValueError:
    try:
        return read_value(row, texts)
    except AttributeValueError as error:
        return error


@given(st.sampled_from(READABLE), st.lists(st.text(max_size=80), max_size=4))
def test_any_texts_are_stored_or_refused_and_stay_as_they_are(
    row: Attribute,
    texts: list[str],
) -> None:
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
