"""Valid names of queues and queue managers, and the reasons of MQOPEN for invalid ones."""

from __future__ import annotations

from store.rules.names import is_object_name, name_fault
from tests.store.tables import rows, verdicts

test_valid_names = verdicts(
    is_object_name,
    ("Q", True),
    ("a.B/c_d%9", True),
    ("Q" * 48, True),
    ("Q" * 49, False),
    ("", False),
    ("A B", False),
    ("A-B", False),
    ("Ä", False),
    ("A\n", False),
)


@rows(
    ("Q", "", 0),
    ("Q", "QM1", 0),
    ("Q", "QM2", 0),
    ("", "", 2085),
    ("", "QM1", 2085),
    ("A B", "", 2085),
    ("", "QM2", 2184),
    ("A B", "QM2", 2085),
    ("Q", "A B", 2086),
    ("", "A B", 2086),
)
def test_what_mqopen_says(name: str, queue_manager: str, reason: int) -> None:
    assert name_fault(name, queue_manager, "QM1") == reason
