"""Objects in event messages (events §5)."""

from __future__ import annotations

from typing import Any

from mqsc.store.catalog import KINDS
from mqsc.store.catalog.pcf import PcfAttribute, pcf_attributes
from mqsc.store.headers.pcf import Parameter
from mqsc.store.rules.object_events import (
    cause_parameters,
    has_events,
    object_parameters,
    pcf_parameter,
)
from tests.rows import rows


# (kind, attribute, value as DISPLAY shows it, value in PCF, length that the parameter is padded to)
@rows(
    ("QLOCAL", "MAXDEPTH", 5000, 5000, 0),
    ("QLOCAL", "DEFPSIST", "YES", 1, 0),
    ("QLOCAL", "DESCR", "orders", "orders", 64),
    ("QMGR", "SUITEB", ["128_BIT", "192_BIT"], [2, 4], 0),
    *(
        ("CHANNEL", "COMPMSG", ["RLE", "ZLIBFAST"], [1, 2], 0),
        ("CHANNEL", "COMPHDR", "NONE", [0], 0),
    ),
    ("AUTHREC", "AUTHLIST", ["GET", "PUT"], [9, 11], 0),
    *(("NAMELIST", "NAMES", ["A", "B"], ["A", "B"], 48), ("NAMELIST", "NAMES", ["A"], ["A"], 48)),
    ("NAMELIST", "NAMES", "", [], 48),
    ("CHANNEL", "CONNAME", ["a", "b"], "a,b", 264),
    *(
        ("CHANNEL", "SENDEXIT", ["a", "b"], ["a", "b"], 128),
        ("CHANNEL", "SENDEXIT", ["a"], "a", 128),
    ),
    ("SUB", "SUBID", "00FF", b"\0\xff", 0),
)
def test_the_value_of_an_attribute_has_its_type_in_pcf(
    kind: str,
    word: str,
    shown: Any,
    value: Any,
    length: int,
) -> None:
    row = pcf_attributes(kind)[word]
    assert pcf_parameter(row, shown) == Parameter(row.number, value, length)


def test_a_word_without_a_number_is_left_out() -> None:
    assert pcf_parameter(pcf_attributes("QLOCAL")["MONQ"], "NONE OF THESE") is None
    suite = pcf_attributes("QMGR")["SUITEB"]
    assert pcf_parameter(suite, ["NONE OF THESE", "128_BIT"]) == Parameter(suite.number, [2])


def test_an_object_has_its_type_and_name_then_texts_then_numbers_and_lists() -> None:
    shown = {"QUEUE": "A", "CURDEPTH": 3, "MAXDEPTH": 10, "DESCR": "orders", "PUT": "ENABLED"}
    named = pcf_attributes("QLOCAL")
    values: list[tuple[PcfAttribute, int | str, int]]
    values = [(named["DESCR"], "orders", 64), (named["MAXDEPTH"], 10, 0), (named["PUT"], 0, 0)]
    assert object_parameters(KINDS["QLOCAL"], "A", shown) == [
        *(Parameter(1016, 1), Parameter(2016, "A", 48)),
        *(Parameter(row.number, value, length) for row, value, length in values),
        Parameter(20, 1),
    ]


def test_who_caused_an_event_and_where() -> None:
    expected = [Parameter(3045, "alice", 12), Parameter(1011, 1), Parameter(3047, "QM1", 48)]
    assert cause_parameters("alice", 1, "QM1") == expected


def test_which_objects_have_events() -> None:
    objects = (("QLOCAL", "A"), ("SUB", "A"), ("QLOCAL", "SYSTEM.ADMIN.CONFIG.EVENT"))
    assert [has_events(KINDS[kind], name) for kind, name in objects] == [True, False, False]
