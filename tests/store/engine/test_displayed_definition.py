"""Definitions as DISPLAY and MQINQ show them."""

from __future__ import annotations

from mqsc.store.catalog import KINDS
from mqsc.store.engine import displayed_definition
from tests.conftest import START
from tests.store.tables import verdicts

test_dates_are_utc = verdicts(
    displayed_definition.date_and_time,
    (0, ("1970-01-01", "00.00.00")),
    (1_700_000_000_999_999, ("2023-11-14", "22.13.20")),
    (1_709_164_800_000_000, ("2024-02-29", "00.00.00")),
)


def test_every_attribute_with_name_and_dates_in_the_order_of_display() -> None:
    wrong = []
    for keyword in ("QLOCAL", "QALIAS", "QREMOTE", "QMODEL", "PROCESS", "NAMELIST", "QMGR"):
        kind = KINDS[keyword]
        row = displayed_definition.in_order(
            kind,
            displayed_definition.displayed(kind, "N", {}, START, START + 60_000_000),
        )
        first = next(iter(row))
        dates = [row[word] for word in ("CRDATE", "CRTIME", "ALTDATE", "ALTTIME") if word in row]
        expected = ["2023-11-14", "22.13.20", "2023-11-14", "22.14.20"]
        if row[first] != "N" or (dates[:4] != expected and dates != ["2023-11-14", "22.14.20"]):
            wrong.append((keyword, first, dates))
        if [word for word in row if word != first] != [
            w for w in kind.display_order if w in row and w != first
        ]:
            wrong.append((keyword, "order", [*row]))
    assert wrong == []


def test_a_queue_shows_its_name_as_queue_and_its_type() -> None:
    row = displayed_definition.displayed(KINDS["QALIAS"], "A", {"TARGET": "Q"}, START, START)
    assert (row["QUEUE"], row["TYPE"], row["TARGET"]) == ("A", "QALIAS", "Q")
    assert "QALIAS" not in row


def test_a_namelist_counts_its_names() -> None:
    row = displayed_definition.displayed(
        KINDS["NAMELIST"], "N", {"NAMES": ["A", "B"]}, START, START
    )
    assert (row["NAMCOUNT"], row["NAMES"]) == (2, ["A", "B"])


def test_a_record_shows_the_profile_and_not_its_key() -> None:
    row = displayed_definition.displayed(
        KINDS["CHLAUTH"],
        "TO.*\nUSERMAP\njoe",
        {"TYPE": "USERMAP"},
        START,
        START,
    )
    assert row["CHLAUTH"] == "TO.*"


def test_the_identifier_of_a_queue_manager_is_its_name_and_creation() -> None:
    values = {"QMNAME": "QM1", "CRDATE": "2023-11-14", "CRTIME": "22.13.20"}
    assert displayed_definition.queue_manager_identifier(values) == "QM1_2023-11-14_22.13.20"
