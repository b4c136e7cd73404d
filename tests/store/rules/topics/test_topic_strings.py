"""Topic strings: full strings and parents."""

from __future__ import annotations

from mqsc.store.rules.topics import topic_strings
from tests.store.tables import named_verdicts, verdicts


def full(of_object: str | None, given: str) -> tuple[object, ...]:
    return tuple(topic_strings.full_string(of_object, given))


test_parents = verdicts(
    topic_strings.parents,
    ("", []),
    ("a", [""]),
    ("a/b/c", ["a/b", "a", ""]),
    ("/a", ["", ""]),
    ("a//b", ["a/", "a", ""]),
)
test_full_strings = named_verdicts(
    full,
    ("B03 object and string", "Football", "Scores", ("Football/Scores", 0)),
    ("B03 a leading slash", "Football", "/Scores", ("Football//Scores", 0)),
    ("object alone", "Football", "", ("Football", 0)),
    ("string alone", None, "a/b", ("a/b", 0)),
    ("a blank string is none", "Football", " x", ("Football", 0)),
    ("a string that begins with NUL is none", "Football", "\0x", ("Football", 0)),
    ("B04 neither", None, "", ("", 2085)),
    ("B04 the base topic alone", "", "", ("", 2425)),
    ("as long as possible", None, "x" * 10_240, ("x" * 10_240, 0)),
    ("too long together", "x" * 10_239, "yy", ("", 2441)),
)
