"""Every attribute has a selector, and every word of its values a number."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest

from store.catalog import KINDS, Attribute
from store.catalog.types import Items, Number
from store.client.api import QueueManager
from store.constants import MQCA, MQIA, MQOO, MQOT
from store.mqi.selectors import Selector, selectors_of

QUEUE, PROCESS, NAMELIST, QUEUE_MANAGER = map(selectors_of, ("queue", "process", "namelist", "qmgr"))
TABLES: dict[str, Mapping[int, Selector]] = {
    "QLOCAL": QUEUE,
    "QMODEL": QUEUE,
    "QALIAS": QUEUE,
    "QREMOTE": QUEUE,
    "PROCESS": PROCESS,
    "NAMELIST": NAMELIST,
    "QMGR": QUEUE_MANAGER,
}
# Attributes without a selector: facts about clusters, new attributes without a documented number, and secrets.
WITHOUT = set("PSID TPIPE OTELPCTL OTELTRAC CLUSDATE CLUSTIME CLUSQMGR CLUSQT AUTHEVSC INITKEY KEYRPWD".split())
WITHOUT_IN_A_KIND = {("QLOCAL", "QMID"), ("QALIAS", "QMID"), ("NAMELIST", "NAMCOUNT")}
# The name of an object is not one of its attributes.
NAMES = {"QUEUE", "PROCESS", "NAMELIST"}
DATES = {"ALTDATE": 12, "CRDATE": 12, "ALTTIME": 8, "CRTIME": 8}


def asked() -> Iterator[tuple[str, Attribute]]:
    return ((kind, row) for kind in TABLES for row in KINDS[kind].attributes.values() if not row.option)


def test_every_attribute_has_a_selector_and_every_selector_an_attribute() -> None:
    missing = {
        (kind, row.keyword)
        for kind, row in asked()
        if row.keyword not in {selector.keyword for selector in TABLES[kind].values()} and row.keyword not in WITHOUT
    }
    assert missing == WITHOUT_IN_A_KIND
    known = {row.keyword for _, row in asked()} | NAMES
    assert {row.keyword for table in TABLES.values() for row in table.values()} <= known


@pytest.mark.parametrize("kind", TABLES)
def test_no_two_selectors_share_a_number_or_an_attribute(kind: str) -> None:
    rows = list(TABLES[kind].values())
    assert all(number == row.number for number, row in TABLES[kind].items())
    several = [row for row in rows if row.keyword == "NAMES"]
    assert len({row.keyword for row in rows}) == len(rows) - max(0, len(several) - 1)


def test_every_word_has_a_number() -> None:
    unnumbered = [
        (kind, row.keyword, word)
        for kind, row in asked()
        for selector in TABLES[kind].values()
        if selector.keyword == row.keyword and not selector.length and not isinstance(row.type, Number)
        for word in ((row.type.of if isinstance(row.type, Items) else row.type).words)
        if word not in selector.words and (row.keyword, word) != ("TYPE", "QCLUSTER") and word != "Q"
    ]
    assert unnumbered == []


def test_every_text_has_the_length_of_its_field() -> None:
    wrong = [
        (kind, row.keyword, selector.length)
        for kind, row in asked()
        for selector in TABLES[kind].values()
        if selector.keyword == row.keyword
        and selector.length
        and selector.length != (DATES.get(row.keyword) or getattr(row.type, "length", selector.length))
    ]
    assert wrong == []


def test_numbers_and_texts_lie_in_their_ranges() -> None:
    for table in TABLES.values():
        for row in table.values():
            assert (1 <= row.number <= 2000) if not row.length else (2001 <= row.number <= 4000), row
            assert row.not_applicable == ("*" * row.length if row.length else -1)


def test_what_mqset_can_change_and_how_it_refuses() -> None:
    assert {row.keyword: row.refusal for row in QUEUE.values() if row.refusal} == {
        "GET": 2020,
        "PUT": 2020,
        "DISTL": 2020,
        "TRIGGER": 2075,
        "TRIGTYPE": 2078,
        "TRIGDPTH": 2076,
        "TRIGMPRI": 2077,
        "TRIGDATA": 2006,
    }
    assert not any(row.refusal for table in (PROCESS, NAMELIST, QUEUE_MANAGER) for row in table.values())


def test_every_selector_has_a_value_of_its_kind(qmgr: QueueManager) -> None:
    with qmgr.connect() as connection:
        handle = connection.open("", MQOO.INQUIRE, object_type=MQOT.Q_MGR)
        values = handle.inquire(*QUEUE_MANAGER)
    wrong = {
        row.keyword: values[number]
        for number, row in QUEUE_MANAGER.items()
        if isinstance(values[number], str) is not bool(row.length) or values[number] == row.not_applicable != -1
    }
    assert wrong == {}


def test_what_programs_ask_most(qmgr: QueueManager) -> None:
    asked = {
        MQCA.Q_MGR_NAME: "QM1",
        MQCA.DEAD_LETTER_Q_NAME: "",
        MQIA.CODED_CHAR_SET_ID: 1208,
        MQIA.MAX_UNCOMMITTED_MSGS: 10000,
        MQIA.TRIGGER_INTERVAL: 999_999_999,
        MQIA.MAX_PRIORITY: 9,
        MQIA.PERFORMANCE_EVENT: 0,
    }
    with qmgr.connect() as connection:
        assert connection.open("", MQOO.INQUIRE, object_type=MQOT.Q_MGR).inquire(*asked) == asked
