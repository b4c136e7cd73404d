"""Every row of expiry, backout and triggering has a scenario under its id."""

from __future__ import annotations

import re

import pytest

from tests.scenarios import test_triggering_events, test_triggering_messages, test_triggering_puts
from tests.scenarios.pages import headings

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
