"""Profiles of authority records: `?` is any one character, `*` any characters within a qualifier,
`**` any number of qualifiers.
"""

from __future__ import annotations

import re
from functools import lru_cache

# The profile of the queue manager itself, and the profile for the authority to create objects of a
# type.
SELF, CLASS = "self", "@class"

_LITERAL, _ONE, _WITHIN, _ANY = "0123"
_LONGEST = 48


@lru_cache(maxsize=1024)
def _tokens(profile: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\*\*|.", profile, re.DOTALL))


def is_generic_profile(profile: str) -> bool:
    """Whether a profile covers more than the object of its name."""
    return "*" in profile or "?" in profile


def profile_fault(profile: str) -> str:
    """Why no profile can be written like that, or blank."""
    if "**" in profile and (
        profile.split(".").count("**") != 1 or profile.count("**") != 1 or "***" in profile
    ):
        return "`**` may occur once, and only as a whole qualifier"
    return ""


def profile_fits(profile: str, name: str) -> bool:
    """Whether a profile covers a name. `@class` is covered by itself alone."""
    if not is_generic_profile(profile) or name == CLASS:
        return profile == name
    if profile == "**":
        return True
    if profile[0] not in "*?" and profile[0] != name[:1]:
        return False
    # The places in the name that the profile can have reached, as bits: every token is one step for
    # all of them, so that a profile with many asterisks takes no longer.
    places = _places(name)
    dots, every = places.get(".", 0), (1 << len(name)) - 1
    reached = 1
    tokens = _tokens(profile)
    at = 0
    while at < len(tokens) and reached:
        token, follows = tokens[at], tokens[at + 1] if at + 1 < len(tokens) else ""
        if token == "." and follows == "**":
            if at + 2 == len(tokens):
                return bool(reached & (dots | (1 << len(name))))
            first = reached & dots
            reached, at = _after_dots(dots, first & -first), at + 3
        elif token == "**":
            reached, at = 1 | _after_dots(dots, 1), at + 2
        else:
            step = every if token == "?" else places.get(token, 0)
            reached = _spread(reached, every & ~dots) if token == "*" else (reached & step) << 1
            at += 1
    return bool(reached >> len(name) & 1)


def _after_dots(dots: int, lowest: int) -> int:
    """The places after every period from the lowest on; none if there is no lowest."""
    return (dots & -lowest) << 1 if lowest else 0


@lru_cache(maxsize=256)
def _places(name: str) -> dict[str, int]:
    """The places of each character of a name, as bits."""
    return {
        each: sum(1 << at for at, character in enumerate(name) if character == each)
        for each in {*name}
    }


def _spread(reached: int, inside: int) -> int:
    """The places, and those that follow them within their qualifiers: a carry runs through each
    qualifier.
    """
    return reached | (((reached & inside) + inside) ^ inside)


def profile_order(profile: str) -> tuple[str, int]:
    """Sorts profiles that cover the same name, the most specific first.

    From left to right a character comes before `?`, that before `*`, that before `**`; an end
    counts as a character.
    """
    kinds = {"?": _ONE, "*": _WITHIN, "**": _ANY}
    return "".join(kinds.get(token, _LITERAL) for token in _tokens(profile)).ljust(
        _LONGEST,
        _LITERAL,
    ), -len(profile)
