"""The steps of a channel by the names that people give."""

from __future__ import annotations

from mqsc.channels.link import Step

# Those that happen for every message, so that a number can follow.
NUMBERED = (Step.S1, Step.S2, Step.R1, Step.RETRY_WAIT, Step.DEAD_LETTER)
_NAMES = {"got": Step.S1, "sent": Step.S2, "received": Step.R1, "batch-end": Step.S3}


def step_of(word: str) -> Step | None:
    """The step of that name, in capitals or not; None for a word that names none."""
    known = {**{each.value.lower(): each for each in Step}, **_NAMES}
    return known.get(word.lower())


def step_words() -> str:
    """The names of all steps, for a message."""
    return ", ".join(each.value for each in Step)
