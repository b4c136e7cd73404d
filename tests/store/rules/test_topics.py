"""The topic tree."""

from typing import Any

from store.rules.names import covers, effective_attributes, parents
from tests.store.tables import rows, verdicts

TOPICS: dict[str, dict[str, Any]] = {
    "": {"PUB": "ENABLED", "DEFPRTY": 0, "MDURMDL": "BASE"},
    "prices": {"PUB": "DISABLED", "DEFPRTY": "ASPARENT", "MDURMDL": ""},
    "prices/fruit/apples": {"PUB": "ASPARENT", "DEFPRTY": 5, "MDURMDL": "OWN"},
}

test_above = verdicts(
    parents, ("", []), ("a", [""]), ("a/b/c", ["a/b", "a", ""]), ("/a", ["", ""]), ("a//b", ["a/", "a", ""])
)


@rows(
    ("", ("ENABLED", 0, "BASE")),
    ("news", ("ENABLED", 0, "BASE")),
    ("prices", ("DISABLED", 0, "BASE")),
    ("prices/fruit", ("DISABLED", 0, "BASE")),
    ("prices/fruit/apples", ("DISABLED", 5, "OWN")),
    ("prices/fruit/apples/red", ("DISABLED", 5, "OWN")),
)
def test_what_is_in_force(string: str, values: tuple[object, ...]) -> None:
    assert tuple(effective_attributes(TOPICS, string, ("PUB", "DEFPRTY", "MDURMDL")).values()) == values


def test_nothing_is_in_force_without_a_root() -> None:
    assert effective_attributes({}, "a", ("PUB",)) == {"PUB": ""}


test_wildcards = verdicts(
    covers,
    ("#", "", True),
    ("#", "a/b", True),
    ("a", "a", True),
    ("a", "a/b", False),
    ("a/#", "a", True),
    ("a/#", "a/b/c", True),
    ("a/+", "a/b", True),
    ("a/+", "a/b/c", False),
    ("+/c", "b/c", True),
    ("a/#/z", "a/b/c/z", True),
    ("a/#/z", "a/b/c/y", False),
    ("#/b/#/c", "a/b/x/b/c", True),
    ("pri*", "prices/fruit", True),
    ("pri*", "news", False),
    ("*", "anything", True),
)


def test_many_wildcards_take_no_more_than_the_product_of_the_lengths() -> None:
    assert covers("/".join(["#", "a"] * 20), "/".join(["a"] * 300 + ["b"])) is False
