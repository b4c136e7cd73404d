"""A call or command, and what it was refused for."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, field

from mqsc.store.rules.wanted_authorities import Wanted


class Attempt(Struct, frozen=True):
    """What a user tries: the call or command, the object as named, and where the connection comes
    from.

    `alternate` is the user that the call names, None for none. `is_dynamic`: the object is
    a dynamic queue. `facts` are further facts for the event and the history.
    """

    call: str
    object: str
    user: str
    wanted: tuple[Wanted, ...]
    options: int = 0
    queue_manager: str = ""
    alternate: str | None = None
    is_dynamic: bool = False
    facts: dict[str, Any] = field(default_factory=dict)


class Refusal(Struct, frozen=True):
    """What was refused: the attempt, what is missing, and the user that lacks it."""

    attempt: Attempt
    missing: tuple[Wanted, ...]
    user: str

    @property
    def text(self) -> str:
        """For people: who lacks what."""
        return f"{self.user or '(blank)'} lacks {', '.join(each.text for each in self.missing)}"

    @property
    def detail(self) -> dict[str, Any]:
        """The detail of the event REFUSE."""
        attempt = self.attempt
        detail: dict[str, Any] = {
            "call": attempt.call,
            "object": attempt.object,
            "options": attempt.options if attempt.call in ("MQOPEN", "MQPUT1") else 0,
            "asked": [each.history_text for each in attempt.wanted],
            "missing": [each.history_text for each in self.missing],
            "alternate": attempt.alternate,
            **attempt.facts,
        }
        return {word: value for word, value in detail.items() if value not in (None, "", 0)}
