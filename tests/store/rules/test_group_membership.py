"""Queue-sharing groups and their members (sharing §5, §10, S26, S48)."""

from __future__ import annotations

from mqsc.store.rules import group_membership
from mqsc.store.rules.group_membership import MOST_MEMBERS, Group, Joining, Member
from tests.rows import rows
from tests.store.tables import giving, verdicts

JOINING = Joining("QM4", "QSG1", "", has_ended=True, manual_clock=False, manager_of_that_name=False)
GROUP = Group("QSG1", frozenset({1, 2}), manual_clock=False)
FULL = GROUP._replace(numbers=frozenset(range(1, MOST_MEMBERS + 1)))

test_names_of_groups = verdicts(
    group_membership.is_group_name,
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
    said = group_membership.join_refusal(joining, group)
    assert said.startswith(refusal)
    assert bool(said) == bool(refusal)


@rows(
    ("QSG1", True, False, ""),
    ("", True, False, "QM1 does not belong to a group"),
    ("QSG1", False, False, "QM1 has not ended"),
    ("QSG1", True, True, "QM1 has a unit of work in doubt"),
)
def test_who_may_leave(group: str, has_ended: bool, in_doubt: bool, refusal: str) -> None:
    said = group_membership.leave_refusal("QM1", group, has_ended=has_ended, unit_in_doubt=in_doubt)
    assert said.startswith(refusal)
    assert bool(said) == bool(refusal)


def test_a_member_gets_the_lowest_free_number() -> None:
    assert [group_membership.number_for(frozenset(taken)) for taken in ((), (1, 2), (2, 3))] == [
        1,
        3,
        1,
    ]


def member(number: int, connections: int = 0, state: str = "running") -> Member:
    return Member(f"QM{number}", number, state == "running", state == "quiescing", connections)


def outcome(members: list[Member]) -> tuple[int, str]:
    """The reason of a refused connection, or 0, and the name of the member that it goes to."""
    chosen = group_membership.member_to_connect_to(members)
    if chosen is None:
        return group_membership.none_runs_reason(members), ""
    return 0, chosen.name


test_s26_the_member_that_a_connection_goes_to = verdicts(
    outcome,
    ([member(1, 2), member(2, 1), member(3, 1)], (0, "QM2")),
    ([member(1, 2), member(2, 0, "quiescing"), member(3, 1)], (0, "QM3")),
    ([member(1, 0, "ended"), member(2, 1)], (0, "QM2")),
    ([member(1, 0, "ended"), member(2, 1, "quiescing")], (2161, "")),
    ([member(1, 0, "ended")], (2059, "")),
    ([], (2059, "")),
)
