"""Valid names of queues and queue managers, and the reasons of MQOPEN for invalid ones."""

from __future__ import annotations

import pytest

from store.rules.names import is_object_name, name_fault


@pytest.mark.parametrize(
    ("name", "valid"),
    [
        ("Q", True),
        ("a.B/c_d%9", True),
        ("Q" * 48, True),
        ("Q" * 49, False),
        ("", False),
        ("A B", False),
        ("A-B", False),
        ("Ä", False),
        ("A\n", False),
    ],
)
def test_valid_names(name: str, valid: bool) -> None:
    assert is_object_name(name) is valid


@pytest.mark.parametrize(
    ("name", "queue_manager", "reason"),
    [
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
    ],
)
def test_what_mqopen_says(name: str, queue_manager: str, reason: int) -> None:
    assert name_fault(name, queue_manager, "QM1") == reason
