"""How long calls wait for a store that another program holds: not long in a program that is
asked to end.
"""

from mqsc.store.environment import elapsed_real_seconds

# How long a call waits then, and for how long after the request: a program that goes on is patient
# again.
HURRIED_SECONDS = 1.0
HURRY_LASTS_SECONDS = 10.0


class _Hurry:
    """Until when this process is in a hurry, in elapsed real seconds."""

    until = 0.0


def hurry() -> None:
    """From now on, and for HURRY_LASTS_SECONDS, no call of this process waits long, nor one that
    waits already.
    """
    _Hurry.until = elapsed_real_seconds() + HURRY_LASTS_SECONDS


def patience(busy_timeout: float) -> float:
    """The seconds that a call waits; `busy_timeout`, unless the user wants it to end sooner."""
    return (
        min(busy_timeout, HURRIED_SECONDS)
        if elapsed_real_seconds() < _Hurry.until
        else busy_timeout
    )
