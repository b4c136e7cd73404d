"""How many random cases the tests of properties try, and which random histories."""

from __future__ import annotations

import os

TIMES = int(os.environ.get("MQSC_TIMES", "1"))
FIRST_SEED = int(os.environ.get("MQSC_FIRST_SEED", "0"))


def examples(usual: int) -> int:
    """So many as a run of all tests has time for. MQSC_TIMES=10 makes it a campaign with ten
    times as many.
    """
    return usual * TIMES


def seeds(usual: int) -> range:
    """The seeds of so many random histories, and of more with MQSC_TIMES.

    They begin with 0; MQSC_FIRST_SEED=301 makes it a campaign of other histories.
    """
    return range(FIRST_SEED, FIRST_SEED + examples(usual))
