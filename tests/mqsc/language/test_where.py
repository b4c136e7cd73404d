"""WHERE: whether a row passes a filter of three words."""

from typing import Any

import pytest

from mqsc.language.where import FilterError, read_filter
from store.catalog import KINDS, QUEUES

ROW: dict[str, Any] = {
    "QUEUE": "ORDERS.IN",
    "CURDEPTH": 7,
    "CAPEXPRY": "NOLIMIT",
    "DESCR": "orders of the day",
    "TRIGGER": "NOTRIGGER",
    "USAGE": "NORMAL",
}


@pytest.mark.parametrize(
    ("words", "passes"),
    [
        (("CURDEPTH", "GT", "6"), True),
        (("CURDEPTH", "GT", "7"), False),
        (("CURDEPTH", "GE", "7"), True),
        (("CURDEPTH", "LT", "10"), True),
        (("curdepth", "ne", "7"), False),
        (("CAPEXPRY", "LT", "10"), True),
        (("CAPEXPRY", "EQ", "NOLIMIT"), True),
        (("DESCR", "EQ", "orders of the day"), True),
        (("DESCR", "LK", "orders*"), True),
        (("DESCR", "NL", "orders*"), False),
        (("DESCR", "LK", "Orders*"), False),
        (("QUEUE", "LK", "ORD*"), True),
        (("USAGE", "EQ", "XMITQ"), False),
        (("TRIGGER", "EQ", "NO"), True),
        (("NOTRIGGER", "EQ", "NO"), True),
        (("TRIGGER", "NE", "NO"), False),
        (("XMITQ", "EQ", ""), False),
    ],
)
def test_filter(words: tuple[str, str, str], passes: bool) -> None:
    assert read_filter(words, QUEUES).passes(ROW) is passes


@pytest.mark.parametrize(
    ("operator", "value", "passes"),
    [("CT", "a", True), ("EX", "a", False), ("CT", "c", False), ("CTG", "a*", True), ("EXG", "x*", True)],
)
def test_filter_of_a_list(operator: str, value: str, passes: bool) -> None:
    assert read_filter(("SUITEB", operator, value), [KINDS["QMGR"]]).passes({"SUITEB": ["a", "b"]}) is passes


@pytest.mark.parametrize(
    ("words", "index", "says"),
    [
        (("CURDEPTH", "GT"), 1, "a keyword, an operator and a value"),
        (("CURDEPT", "GT", "1"), 0, "CURDEPT"),
        (("CMDSCOPE", "EQ", "QM1"), 0, "CMDSCOPE"),
        (("CURDEPTH", "LK", "1"), 1, "LT, GT, EQ, NE, LE, GE"),
        (("USAGE", "GT", "NORMAL"), 1, "EQ, NE"),
        (("CURDEPTH", "GT", "many"), 2, "number"),
        (("USAGE", "EQ", "XMIT"), 2, "XMITQ"),
        (("TRIGGER", "EQ", "MAYBE"), 2, "YES or NO"),
    ],
)
def test_refused_filter(words: tuple[str, ...], index: int, says: str) -> None:
    with pytest.raises(FilterError, match=says) as raised:
        read_filter(words, QUEUES)
    assert raised.value.index == index
