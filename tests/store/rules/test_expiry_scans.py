"""Who scans shared queues for expired messages."""

from __future__ import annotations

from mqsc.store.rules.expiry_scans import (
    Facts,
    Member,
    Scan,
    Verdict,
    decide_owner,
    different,
    may_scan,
)
from tests.rows import rows
from tests.store.tables import giving, named_verdicts

NOBODY: list[Member] = []
OFF = [Member("QM1", False), Member("QM2", False)]
FIRST = [Member("QM1", False), Member("QM2", True)]
BOTH = [Member("QM1", True, 2), Member("QM2", True, 1)]
THREE = [Member("QM1", True, 5), Member("QM2", False, 3), Member("QM3", True, 4)]

test_who_owns_the_scans_of_shared_queues = named_verdicts(
    decide_owner,
    ("no members", Facts("", NOBODY), Verdict("", {})),
    ("nobody is a candidate", Facts("", OFF), Verdict("", {})),
    ("the first to become one", Facts("", FIRST), Verdict("QM2", {"QM2": 1})),
    ("it is kept", Facts("QM2", BOTH), Verdict("QM2", {})),
    ("even by one that has not been one for the longest", Facts("QM1", BOTH), Verdict("QM1", {})),
    (
        "a newcomer",
        Facts("QM2", [Member("QM1", True), Member("QM2", True, 1)]),
        Verdict("QM2", {"QM1": 2}),
    ),
    ("after it the longest candidate", Facts("QM2", THREE), Verdict("QM3", {"QM2": 0})),
    (
        "none is left",
        Facts("QM2", [Member("QM1", False), Member("QM2", False, 1)]),
        Verdict("", {"QM2": 0}),
    ),
    ("the owner has left the group", Facts("QM9", BOTH), Verdict("QM2", {})),
    ("a tick beside an owner that serves", Facts("QM2", BOTH, "QM1"), Verdict("QM2", {})),
    ("and one that does not", Facts("QM2", BOTH, "QM1", owner_serves=False), Verdict("QM1", {})),
    ("the owner ticks itself", Facts("QM2", BOTH, "QM2", owner_serves=False), Verdict("QM2", {})),
    ("no candidate", Facts("QM2", FIRST, "QM1", owner_serves=False), Verdict("QM2", {"QM2": 1})),
    ("a tick without an owner", Facts("", BOTH, "QM1"), Verdict("QM1", {})),
)


@rows(
    *giving(True, ("interval", "QM1", True), ("restart", "", False), ("refresh", "QM2", True)),
    *giving(False, ("interval", "QM2", True), ("interval", "", True), ("restart", "QM2", True)),
)
def test_which_scans_take_shared_queues(
    cause: str,
    owner: str,
    others_run: bool,
    may: bool,
) -> None:
    assert may_scan(Scan("QM1", cause, owner, others_run)) is may


def test_s47_members_that_do_not_agree() -> None:
    assert different({"QM1": 5, "QM2": 5, "QM3": None}) == {}
    assert different({"QM1": 5, "QM2": None, "QM3": 9}) == {"QM1": 5, "QM3": 9}
