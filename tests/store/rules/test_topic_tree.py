"""The topic tree: parents, inherited attributes and wildcards."""

from __future__ import annotations

from typing import Any

from mqsc.store.rules import topic_tree
from tests.rows import rows
from tests.store.tables import giving, verdicts

TOPICS: dict[str, dict[str, Any]] = {
    "": {"PUB": "ENABLED", "DEFPRTY": 0, "MDURMDL": "BASE"},
    "prices": {"PUB": "DISABLED", "DEFPRTY": "ASPARENT", "MDURMDL": ""},
    "prices/fruit/apples": {"PUB": "ASPARENT", "DEFPRTY": 5, "MDURMDL": "OWN"},
}

test_above = verdicts(
    topic_tree.parents,
    ("", []),
    ("a", [""]),
    ("a/b/c", ["a/b", "a", ""]),
    ("/a", ["", ""]),
    ("a//b", ["a/", "a", ""]),
)


@rows(
    *giving(("ENABLED", 0, "BASE"), "", "news"),
    *giving(("DISABLED", 0, "BASE"), "prices", "prices/fruit"),
    *giving(("DISABLED", 5, "OWN"), "prices/fruit/apples", "prices/fruit/apples/red"),
)
def test_what_is_in_force(string: str, values: tuple[object, ...]) -> None:
    assert (
        tuple(
            topic_tree.effective_attributes(TOPICS, string, ("PUB", "DEFPRTY", "MDURMDL")).values()
        )
        == values
    )
    # Without a root.
    assert topic_tree.effective_attributes({}, string, ("PUB",)) == {"PUB": ""}


test_wildcards = verdicts(
    topic_tree.covers,
    *giving(
        True,
        ("#", ""),
        ("#", "a/b"),
        ("a", "a"),
        ("a/#", "a"),
        ("a/#", "a/b/c"),
        ("a/+", "a/b"),
        ("+/c", "b/c"),
    ),
    *giving(
        True,
        ("a/#/z", "a/b/c/z"),
        ("#/b/#/c", "a/b/x/b/c"),
        ("pri*", "prices/fruit"),
        ("*", "anything"),
    ),
    *giving(False, ("a", "a/b"), ("a/+", "a/b/c"), ("a/#/z", "a/b/c/y"), ("pri*", "news")),
    # Many wildcards take no more than the product of the lengths.
    ("/".join(["#", "a"] * 20), "/".join(["a"] * 300 + ["b"]), False),
)
