"""Every row of expiry, backout and triggering has a scenario under its id."""

from __future__ import annotations

import re

import pytest

from tests.scenarios import test_triggering_events, test_triggering_messages, test_triggering_puts
from tests.scenarios.pages import headings
from tests.source import ROOT

# Rows that are no lines of a page: they need threads, another program, or what there is none of here.
ELSEWHERE = {
    "E19": "test_expiry",
    "E26": "a queue-sharing group",
    "E27": "a queue-sharing group",
    "E28": "a queue-sharing group",
    "E29": "channels",
    "E30": "channels",
    "E36": "the dead-letter queue handler",
    "E37": "the dead-letter queue handler",
    "E39": "test_expiry",
    "E43": "another reading of A5",
    "E44": "another reading of A5",
    "X15": "test_expiry",
    "K5": "DB2",
    "K6": "another platform",
    "B18": "DB2",
    **{f"B{number}": "poison messages" for number in (21, 22, 23, 24, 25, 27, 28)},
}
ROWS = {
    "expiry": [f"E{number:02}" for number in range(1, 46)],
    "expiry_discard": [f"X{number}" for number in range(1, 16)],
    "backout": [f"B{number:02}" for number in range(1, 30)],
    "skip_backout": [f"K{number}" for number in range(1, 21)],
    "mqi_traps": [f"M13-{number}" for number in range(1, 26)],
}


@pytest.mark.parametrize("page", ROWS)
def test_every_row_is_played(page: str) -> None:
    played = {re.split(r"[ ,]", heading)[0] for heading in headings(page)}

    assert [row for row in ROWS[page] if row not in played] == [row for row in ROWS[page] if row in ELSEWHERE]


# Rows of triggering that are no scenario of puts and other events.
TRIGGERING_ELSEWHERE = {
    "T54": "a queue-sharing group",
    "T55": "a queue-sharing group",
    "T56": "a queue-sharing group",
    "T57": "the trigger monitor",
    "T58": "the trigger monitor",
    "T59": "the trigger monitor",
    "T60": "the trigger monitor",
}
OCCASIONS = ("O-CLOSE", "O-ALTER", "O-INITQ-PUT", "O-GET", "O-OPEN")


def test_every_row_of_triggering_is_played() -> None:
    modules = (test_triggering_events, test_triggering_messages, test_triggering_puts)
    told = [name.upper() for module in modules for name in vars(module) if name.startswith("test_")]
    tables = (
        *test_triggering_events.ALL,
        *test_triggering_messages.SCENARIOS,
        *test_triggering_puts.ROWS,
        *test_triggering_puts.SCENARIOS,
    )
    played = set(re.findall(r"O-[A-Z-]+[A-Z]|[TP]\d+", " ".join([*(id for id, _ in tables), *told])))
    rows = [*(f"T{number:02}" for number in range(1, 67)), *(f"P{number}" for number in range(1, 14)), *OCCASIONS]

    assert [row for row in rows if row not in played] == list(TRIGGERING_ELSEWHERE)


# Tables of the calls: how many rows each has, or what stands in its first column.
TABLES: dict[str, int | tuple[str, ...]] = {
    "M1": 11,
    "M2.1": 7,
    "M2.2": 3,
    "M2.3": 9,
    "M2.4": 5,
    "M3.1": (
        *("Report", "MsgType", "Expiry", "Feedback", "Encoding", "CodedCharSetId", "Format", "Priority"),
        *("Persistence", "MsgId", "CorrelId", "BackoutCount", "ReplyToQ", "ReplyToQMgr", "identity"),
    ),
    "M3.2": 6,
    "M3.3": 14,
    "M3.4": 5,
    "M4.1": 7,
    "M4.2": 7,
    "M4.4": 6,
    "M4.5": 6,
    "M6": 8,
    "M7": 5,
    "M9": ("expiration", "COA", "COD", "PAN", "exception", "activity", "ids", "fields", "disposition", "destination"),
}
# Rows that cannot come about here.
NEVER = {
    "M1-2": "every connection is independent",
    "M1-7": "no authority is enforced, connections are not limited",
    "M1-10": "no unit of work is backed out behind the back of its program",
    "M2.3-8": "no authority is enforced",
    "M3.3-4": "data has no negative length",
    "M3.3-9": "no unit of work is backed out behind the back of its program",
    "M3.3-10": "syncpoint is always supported",
}
# Sections that are no tables, each with tests of its own.
SECTIONS = ("M4.3", "M5", "M8", "M11", "M12")


def test_every_row_of_the_calls_is_played() -> None:
    played = _ids_of_pages() | _ids_of_tests()
    wanted = [f"{table}-{row}" for table, rows in TABLES.items() for row in _names(rows)]

    assert [row for row in wanted if row not in played] == list(NEVER)
    assert [section for section in SECTIONS if section not in {each.partition("-")[0] for each in played}] == []


def _names(rows: int | tuple[str, ...]) -> tuple[str, ...]:
    return rows if isinstance(rows, tuple) else tuple(str(number) for number in range(1, rows + 1))


def _ids_of_pages() -> set[str]:
    pages = ("mqi_open", "mqi_put", "mqi_get", "mqi_groups", "mqi_units", "mqi_reports")
    return {re.split(r"[ ,]", heading)[0] for page in pages for heading in headings(page)}


def _ids_of_tests() -> set[str]:
    """`test_m1_6_a_quiescing…` is about M1-6, `test_m4_3_…` about M4.3 or M4-3."""
    found = set()
    for path in (ROOT / "tests").rglob("test_*.py"):
        for section, row in re.findall(r"(?m)^def test_m(\d+)_(?:(\d+)_)?", path.read_text("utf-8")):
            found |= {f"M{section}-{row}", f"M{section}.{row}"} if row else {f"M{section}"}
    return found
