"""Which member of a queue-sharing group scans shared queues (sharing §8, S43–S45, E26–E28)."""

from __future__ import annotations

import pytest

from store.rules.expiry import Facts, Member, Scan, Verdict, decide_owner, different, may_scan

NOBODY: list[Member] = []
OFF = [Member("QM1", False), Member("QM2", False)]
FIRST = [Member("QM1", False), Member("QM2", True)]
BOTH = [Member("QM1", True, 2), Member("QM2", True, 1)]
THREE = [Member("QM1", True, 5), Member("QM2", False, 3), Member("QM3", True, 4)]


@pytest.mark.parametrize(
    ("facts", "verdict"),
    [
        pytest.param(Facts("", NOBODY), Verdict("", {}), id="no members"),
        pytest.param(Facts("", OFF), Verdict("", {}), id="nobody is a candidate"),
        pytest.param(Facts("", FIRST), Verdict("QM2", {"QM2": 1}), id="the first to become one"),
        pytest.param(Facts("QM2", BOTH), Verdict("QM2", {}), id="it is kept"),
        pytest.param(Facts("QM1", BOTH), Verdict("QM1", {}), id="even by one that has not been one for the longest"),
        pytest.param(
            Facts("QM2", [Member("QM1", True), Member("QM2", True, 1)]), Verdict("QM2", {"QM1": 2}), id="a newcomer"
        ),
        pytest.param(Facts("QM2", THREE), Verdict("QM3", {"QM2": 0}), id="after it the longest candidate"),
        pytest.param(
            Facts("QM2", [Member("QM1", False), Member("QM2", False, 1)]), Verdict("", {"QM2": 0}), id="none is left"
        ),
        pytest.param(Facts("QM9", BOTH), Verdict("QM2", {}), id="the owner has left the group"),
        pytest.param(Facts("QM2", BOTH, "QM1"), Verdict("QM2", {}), id="a tick beside an owner that serves"),
        pytest.param(Facts("QM2", BOTH, "QM1", owner_serves=False), Verdict("QM1", {}), id="and one that does not"),
        pytest.param(Facts("QM2", BOTH, "QM2", owner_serves=False), Verdict("QM2", {}), id="the owner ticks itself"),
        pytest.param(Facts("QM2", FIRST, "QM1", owner_serves=False), Verdict("QM2", {"QM2": 1}), id="no candidate"),
        pytest.param(Facts("", BOTH, "QM1"), Verdict("QM1", {}), id="a tick without an owner"),
    ],
)
def test_who_owns_the_scans_of_shared_queues(facts: Facts, verdict: Verdict) -> None:
    assert decide_owner(facts) == verdict


@pytest.mark.parametrize(
    ("cause", "owner", "others_run", "may"),
    [
        ("interval", "QM1", True, True),
        ("interval", "QM2", True, False),
        ("interval", "", True, False),
        ("restart", "QM2", True, False),
        ("restart", "", False, True),
        ("refresh", "QM2", True, True),
    ],
)
def test_which_scans_take_shared_queues(cause: str, owner: str, others_run: bool, may: bool) -> None:
    assert may_scan(Scan("QM1", cause, owner, others_run)) is may


def test_s47_members_that_do_not_agree() -> None:
    assert different({"QM1": 5, "QM2": 5, "QM3": None}) == {}
    assert different({"QM1": 5, "QM2": None, "QM3": 9}) == {"QM1": 5, "QM3": 9}
