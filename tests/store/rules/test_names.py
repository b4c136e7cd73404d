"""Names: of objects, generic ones, of queue-sharing groups and their members (sharing §5, §10,
S26, S48), topics.
"""

from __future__ import annotations

from typing import Any

from mqsc.store.rules import names
from mqsc.store.rules.names import LAST, MOST_MEMBERS, Group, Joining, Member
from tests.rows import rows
from tests.store.tables import giving, verdicts

test_valid_names = verdicts(
    names.is_object_name,
    *giving(True, "Q", "a.B/c_d%9", "Q" * 48),
    *giving(False, "Q" * 49, "", "A B", "A-B", "Ä", "A\n"),
)


@rows(
    *giving(0, ("Q", ""), ("Q", "QM1"), ("Q", "QM2")),
    *giving(2085, ("", ""), ("", "QM1"), ("A B", ""), ("A B", "QM2")),
    ("", "QM2", 2184),
    *giving(2086, ("Q", "A B"), ("", "A B")),
)
def test_what_mqopen_says(name: str, queue_manager: str, reason: int) -> None:
    assert names.name_fault(name, queue_manager, "QM1") == reason


# (pattern, names that match, names that do not match)
@rows(
    ("*", ["", "A", "z", LAST], []),
    ("AB*", ["AB", "AB.C", "ABZ", f"AB{LAST}"], ["A", "AA", "AC", "ab", ""]),
    ("AB", ["AB"], ["AB ", "ABC", "A", "AB\0"]),
    ("A_*", ["A_", "A_B"], ["A.", "AB"]),
    ("A%*", ["A%", "A%B"], ["A", "AB"]),
    ("A*B", ["A*B"], ["AXB", "A*"]),
    ("A**", ["A*", "A*B"], ["A", "AB"]),
    ("", [""], ["A"]),
)
def test_which_names_match(pattern: str, matching: list[str], others: list[str]) -> None:
    assert [name for name in matching if not names.matches(pattern, name)] == []
    assert [name for name in others if names.matches(pattern, name)] == []
    low, high = names.prefix_range(pattern)
    assert [name for name in matching if name < low or (high and name >= high)] == []
    assert [name for name in others if low <= name and (not high or name < high)] == []


# The range includes its first name and ends before its last.
test_ranges = verdicts(
    names.prefix_range,
    *(("AB*", ("AB", "AC")), ("AB", ("AB", "AB\0")), ("*", ("", "")), ("Z*", ("Z", "["))),
)
test_generic_names = verdicts(
    names.is_generic,
    *giving(True, "*", "A*"),
    *giving(False, "A", "*A", ""),
)

JOINING = Joining("QM4", "QSG1", "", has_ended=True, manual_clock=False, manager_of_that_name=False)
GROUP = Group("QSG1", frozenset({1, 2}), manual_clock=False)
FULL = GROUP._replace(numbers=frozenset(range(1, MOST_MEMBERS + 1)))


test_names_of_groups = verdicts(
    names.is_group_name,
    *giving(True, "Q", "QSG1", "$#@9", "A1"),
    *giving(False, "", "QSG12", "1QSG", "qsg", "Q G", "Q.G", "QSG1\n"),
)


@rows(
    (JOINING, None, ""),
    (JOINING, GROUP, ""),
    (JOINING, GROUP._replace(numbers=frozenset(), manual_clock=None), ""),
    (JOINING._replace(wanted="2"), GROUP, "'2' is not a valid name for a group"),
    (JOINING._replace(wanted="QSG2"), GROUP, "the store has the group QSG1"),
    (JOINING._replace(manager_of_that_name=True), None, "QSG1 is the name of a queue manager"),
    (JOINING._replace(own_group="QSG1"), GROUP, "QM4 belongs to QSG1 already"),
    (JOINING._replace(has_ended=False), GROUP, "QM4 has not ended"),
    (JOINING._replace(manual_clock=True), GROUP, "the members of QSG1 use the system clock"),
    (JOINING, GROUP._replace(manual_clock=True), "the members of QSG1 use manual clocks"),
    (JOINING, FULL, "QSG1 has 32 members"),
)
def test_who_may_join(joining: Joining, group: Group | None, refusal: str) -> None:
    said = names.join_refusal(joining, group)
    assert said.startswith(refusal)
    assert bool(said) == bool(refusal)


@rows(
    ("QSG1", True, False, ""),
    ("", True, False, "QM1 does not belong to a group"),
    ("QSG1", False, False, "QM1 has not ended"),
    ("QSG1", True, True, "QM1 has a unit of work in doubt"),
)
def test_who_may_leave(group: str, has_ended: bool, in_doubt: bool, refusal: str) -> None:
    said = names.leave_refusal("QM1", group, has_ended=has_ended, unit_in_doubt=in_doubt)
    assert said.startswith(refusal)
    assert bool(said) == bool(refusal)


def test_a_member_gets_the_lowest_free_number() -> None:
    assert [names.number_for(frozenset(taken)) for taken in ((), (1, 2), (2, 3))] == [1, 3, 1]


def member(number: int, connections: int = 0, state: str = "running") -> Member:
    return Member(f"QM{number}", number, state == "running", state == "quiescing", connections)


test_s26_the_member_that_a_connection_goes_to = verdicts(
    names.member_to_connect_to,
    ([member(1, 2), member(2, 1), member(3, 1)], (0, "QM2")),
    ([member(1, 2), member(2, 0, "quiescing"), member(3, 1)], (0, "QM3")),
    ([member(1, 0, "ended"), member(2, 1)], (0, "QM2")),
    ([member(1, 0, "ended"), member(2, 1, "quiescing")], (2161, "")),
    ([member(1, 0, "ended")], (2059, "")),
    ([], (2059, "")),
)


TOPICS: dict[str, dict[str, Any]] = {
    "": {"PUB": "ENABLED", "DEFPRTY": 0, "MDURMDL": "BASE"},
    "prices": {"PUB": "DISABLED", "DEFPRTY": "ASPARENT", "MDURMDL": ""},
    "prices/fruit/apples": {"PUB": "ASPARENT", "DEFPRTY": 5, "MDURMDL": "OWN"},
}

test_above = verdicts(
    names.parents,
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
        tuple(names.effective_attributes(TOPICS, string, ("PUB", "DEFPRTY", "MDURMDL")).values())
        == values
    )
    # Without a root.
    assert names.effective_attributes({}, string, ("PUB",)) == {"PUB": ""}


test_wildcards = verdicts(
    names.covers,
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
