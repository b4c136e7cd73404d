"""Whether a text field matches a pattern (dlq-rules §3.1).

A field is a string of fixed length, padded with blanks and case-sensitive. The whole field must
match: `?` is any one character of the text, possibly a blank, but never padding; `*` is any number
of characters.
"""

from __future__ import annotations

import re
from collections.abc import Callable

TextTest = Callable[[str], bool]

# `?` never matches padding: at its place or later there must be a character that is not blank
# (dlq-rules §7, 14).
_ONE_CHARACTER = r"(?! *\Z)."


def text_test(pattern: str, length: int) -> TextTest:
    """A compiled test of one pattern, for fields of `length` characters that are given without
    padding.
    """
    pattern = pattern.rstrip(" ")
    stem = pattern.rstrip("*")
    if "*" not in stem and "?" not in stem:
        if stem == pattern:
            return pattern.__eq__
        if not stem.endswith(" "):
            return lambda text: text.startswith(stem)
    search = re.compile(_expression(pattern), re.DOTALL).match
    return lambda text: search(text.ljust(length)) is not None


def matches_text(pattern: str, text: str, length: int) -> bool:
    """Whether a field of `length` characters, given without padding, matches."""
    return text_test(pattern, length)(text)


def is_wild(pattern: str) -> bool:
    """Whether the pattern has a wildcard."""
    return "*" in pattern or "?" in pattern


def literal_start(pattern: str) -> str:
    """The text before the first wildcard, without trailing blanks: every match begins with it."""
    return re.split(r"[*?]", pattern, maxsplit=1)[0].rstrip(" ")


def literal_end(pattern: str) -> str:
    """The text after the last wildcard: every match ends with it."""
    return re.split(r"[*?]", pattern.rstrip(" "))[-1]


def matches_everything(pattern: str | int | None) -> bool:
    """True for asterisks alone, and for None, which is any number."""
    stripped = pattern.rstrip(" ") if isinstance(pattern, str) else ""
    return pattern is None or (bool(stripped) and not stripped.strip("*"))


def covers(wide: str, narrow: str) -> bool:
    """Whether every text that matches `narrow` certainly matches `wide`. May be False where a proof
    would be harder.

    Reads `narrow` as if it were a text, in which an asterisk matches only an asterisk of `wide`.
    """
    characters = narrow.rstrip(" ")
    reached = {0}
    for wanted in wide.rstrip(" "):
        if wanted == "*":
            reached = set(range(min(reached), len(characters) + 1))
        else:
            reached = {
                at + 1
                for at in reached
                if at < len(characters) and _covers_at(wanted, characters, at)
            }
        if not reached:
            return False
    return len(characters) in reached


def _covers_at(wanted: str, characters: str, at: int) -> bool:
    if wanted != "?":
        return characters[at] == wanted
    # A blank is not padding when a character certainly follows it.
    return characters[at] != "*" and bool(characters[at:].strip("* "))


def _expression(pattern: str) -> str:
    head, *parts = (_part(part) for part in re.split(r"\*+", pattern))
    if not parts:
        return rf"{head} *\Z"
    # An asterisk follows each middle part, so its first match is as good as any other. Atomic
    # groups keep a pattern of many asterisks from trying every combination of places.
    middle = "".join(f"(?>.*?{part})" for part in parts[:-1] if part)
    return head + middle + (rf".*{parts[-1]} *\Z" if parts[-1] else "")


def _part(text: str) -> str:
    return "".join(
        _ONE_CHARACTER if character == "?" else re.escape(character) for character in text
    )
