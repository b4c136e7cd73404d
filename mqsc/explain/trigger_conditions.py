"""Explains the conditions for a trigger event, which `mqsc trigger explain` calls triggering C1 to
C14.
"""

from collections.abc import Iterator

from mqsc.language.explanation import Explanation, Part
from mqsc.store.rules.trigger.conditions import CONDITIONS

PARTS = (
    Part("of", "the fourteen conditions for a trigger event, under IBM's numbers"),
    Part("action", "`mqsc trigger explain QUEUE` says whether it holds, why, and what would help."),
)


def explain_condition(word: str) -> Iterator[Explanation]:
    """Explain a condition by its number."""
    name = word.upper()
    for number, condition in CONDITIONS.items():
        if name == f"C{number}":
            yield Explanation("condition", name, f"{name}: {condition.name}", PARTS)
