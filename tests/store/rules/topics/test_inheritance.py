"""Attributes of topic strings."""

from __future__ import annotations

from typing import Any

from mqsc.store.rules.topics import inheritance, matching
from tests.rows import rows
from tests.store.tables import giving, verdicts

TOPICS: dict[str, dict[str, Any]] = {
    "": {"PUB": "ENABLED", "DEFPRTY": 0, "MDURMDL": "BASE", "WILDCARD": "PASSTHRU"},
    "prices": {"PUB": "DISABLED", "DEFPRTY": "ASPARENT", "MDURMDL": "", "WILDCARD": "BLOCK"},
    "prices/fruit/apples": {"PUB": "ASPARENT", "DEFPRTY": 5, "MDURMDL": "OWN"},
}
# B11.
SWITCHED = {
    "a": {"PUB": "DISABLED"},
    "a/b": {"PUB": "ASPARENT"},
    "a/b/c": {"PUB": "ENABLED"},
}


@rows(
    *giving(("ENABLED", 0, "BASE"), "", "news"),
    *giving(("DISABLED", 0, "BASE"), "prices", "prices/fruit"),
    *giving(("DISABLED", 5, "OWN"), "prices/fruit/apples", "prices/fruit/apples/red"),
)
def test_what_is_in_force(string: str, values: tuple[object, ...]) -> None:
    words = ("PUB", "DEFPRTY", "MDURMDL")
    assert tuple(inheritance.effective_attributes(TOPICS, string, words).values()) == values


def test_b11_a_topic_below_one_that_is_disabled() -> None:
    found = [
        inheritance.effective_attributes(SWITCHED, string, ("PUB",))["PUB"]
        for string in ("a/b/x", "a/b/c/d", "b")
    ]
    assert found == ["DISABLED", "ENABLED", "ENABLED"]


def test_b13_without_an_object_the_base_topic_counts_as_shipped() -> None:
    """B13: DEFPSIST is NO; an attribute that the base topic does not have is blank."""
    found = inheritance.effective_attributes({}, "a/b", ("DEFPSIST", "PMSGDLV", "CLUSTER"))
    assert found == {"DEFPSIST": "NO", "PMSGDLV": "ALLDUR", "CLUSTER": ""}


test_where_an_attribute_comes_from = verdicts(
    lambda string, word: inheritance.source_of(TOPICS, string, word),
    ("prices/fruit/apples/red", "DEFPRTY", "prices/fruit/apples"),
    ("prices/fruit/apples/red", "PUB", "prices"),
    ("news", "PUB", ""),
    ("news", "NPMSGDLV", None),
)
test_what_blocks_wildcards = verdicts(
    lambda string: matching.blocking(TOPICS, string),
    ("prices", "prices"),
    ("prices/fruit", "prices"),
    ("news", None),
)


def test_the_nodes_above_strings() -> None:
    assert inheritance.nodes_of(["a/b", "c"]) == {"a/b", "a", "c", ""}
