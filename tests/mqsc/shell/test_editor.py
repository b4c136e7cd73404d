"""The line below the prompt: the hint is not cut for what is beside it."""

from __future__ import annotations

import pytest

from mqsc.shell.editor import status_beside
from mqsc.shell.hint import NOTHING

TIME = "  09:00:00Z"


@pytest.mark.parametrize(
    ("status", "width", "expected"),
    [
        (f"QM1{TIME}", 80, f"QM1{TIME}"),
        (f"A.QUEUE.MANAGER{TIME}", 80, "A.QUEUE.MANAGER"),
        (f"A.QUEUE.MANAGER.WITH.A.LONG.NAME{TIME}", 80, ""),
        # It is cut in any case.
        (f"QM1{TIME}", 50, f"QM1{TIME}"),
    ],
)
def test_thestatus_beside_the_first_hint(status: str, width: int, expected: str) -> None:
    assert status_beside(NOTHING, status, width) == expected
