"""How many random cases the tests of properties try."""

from __future__ import annotations

import os

TIMES = int(os.environ.get("MQSC_TIMES", "1"))


def examples(usual: int) -> int:
    """So many as a run of all tests has time for. MQSC_TIMES=10 makes it a campaign with ten
    times as many.
    """
    return usual * TIMES
