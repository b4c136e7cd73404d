"""Whether a field matches a pattern (dlq-rules §3.1).

A field is a string of fixed length, blank padded, and case counts. The end of the pattern must meet the end of the
text in the field; `?` is any one character up to that end, a blank among them, but not the padding; `*` is any number.
"""

from __future__ import annotations

import re
from collections.abc import Callable

Test = Callable[[str], bool]

# A `?` never stands for the padding: somewhere behind it there is a character (trap 14).
_ONE = r"(?! *\Z)."


def text_test(pattern: str, length: int) -> Test:
    """A fast test for fields of `length` characters, given without padding, against one pattern."""
    wanted = pattern.rstrip(" ")
    stem = wanted.rstrip("*")
    if "*" not in stem and "?" not in stem:
        if stem == wanted:
            return wanted.__eq__
        if not stem.endswith(" "):
            return lambda text: text.startswith(stem)
    search = re.compile(_expression(wanted), re.DOTALL).match
    return lambda text: search(text.ljust(length)) is not None


def matches_text(pattern: str, text: str, length: int) -> bool:
    """Whether the field, given without padding, matches."""
    return text_test(pattern, length)(text)


def is_wild(pattern: str) -> bool:
    """Whether more than one text can match."""
    return "*" in pattern or "?" in pattern


def literal_start(pattern: str) -> str:
    """The beginning that every matching text has: what stands before the first wildcard, without blanks at its end."""
    return re.split(r"[*?]", pattern, maxsplit=1)[0].rstrip(" ")


def literal_end(pattern: str) -> str:
    """The end that every matching text has: what stands behind the last wildcard."""
    return re.split(r"[*?]", pattern.rstrip(" "))[-1]


def takes_anything(pattern: str | int | None) -> bool:
    """Whether every field matches: asterisks alone, or no test of a number."""
    wanted = pattern.rstrip(" ") if isinstance(pattern, str) else ""
    return pattern is None or (bool(wanted) and not wanted.strip("*"))


def covers(wide: str, narrow: str) -> bool:
    """Whether every text that matches `narrow` surely matches `wide`; False also when that is merely not sure.

    The signs of `narrow` are read one by one as if they were a text: an asterisk in it is met by an asterisk alone.
    """
    signs = narrow.rstrip(" ")
    reached = {0}
    for sign in wide.rstrip(" "):
        if sign == "*":
            reached = set(range(min(reached), len(signs) + 1))
        else:
            reached = {at + 1 for at in reached if at < len(signs) and _meets(sign, signs, at)}
        if not reached:
            return False
    return len(signs) in reached


def _meets(sign: str, signs: str, at: int) -> bool:
    if sign != "?":
        return signs[at] == sign
    # A blank at `at` is no padding when something that is surely a character follows.
    return signs[at] != "*" and bool(signs[at:].strip("* "))


def _expression(pattern: str) -> str:
    head, *parts = (_part(each) for each in re.split(r"\*+", pattern))
    if not parts:
        return rf"{head} *\Z"
    # The first place where a part fits is as good as any other: behind it stands an asterisk. Atomic groups keep a
    # pattern of many asterisks from trying every combination of places.
    middle = "".join(f"(?>.*?{part})" for part in parts[:-1] if part)
    return head + middle + (rf".*{parts[-1]} *\Z" if parts[-1] else "")


def _part(text: str) -> str:
    return "".join(_ONE if sign == "?" else re.escape(sign) for sign in text)
