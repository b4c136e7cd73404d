"""Which files `--quick` leaves out."""

from __future__ import annotations

import pytest

from tests.quick import TESTS, is_quick


@pytest.mark.parametrize(
    ("file", "quick"),
    [
        ("store/rules/test_expiry.py", True),
        ("mqsc/cli/test_get.py", True),
        # By their folder, by a word in them, and by what they import.
        ("processes/test_log.py", False),
        ("grammar/test_properties.py", False),
        ("mqsc/shell/test_terminal.py", False),
        ("reports/jobs/test_channels.py", False),
        ("scenarios/test_channels.py", False),
        ("mqsc/cli/test_put.py", False),
    ],
)
def test_what_starts_programs_or_tries_random_cases_is_not_quick(file: str, quick: bool) -> None:
    assert is_quick(TESTS / file) == quick


def test_many_files_are_quick() -> None:
    files = [is_quick(each) for each in TESTS.rglob("test_*.py")]
    assert sum(files) > len(files) / 3
