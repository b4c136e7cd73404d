"""Identities: sums of columns of a report that must agree."""

from __future__ import annotations

import pyarrow as pa  # type: ignore[import-untyped]
import pytest

from mqsc.reports import catalog
from mqsc.reports.declaration import Identity, Report, Table
from mqsc.reports.identities import Ledger, Term, terms_of


def broken(
    identity: Identity,
    *,
    is_whole: bool = True,
    **tables: dict[str, list[object]],
) -> list[str]:
    ledger = Ledger(Report("r", "", {}, (), (identity,)), is_whole=is_whole)
    for name, columns in tables.items():
        ledger.take(Table(name, "", (), pa.table, (), ()), pa.table(columns))
    return [str(each) for each in ledger.broken()]


def test_an_identity_is_read_from_its_text() -> None:
    left = [Term(1, "a", "x"), Term(1, "a", "y"), Term(-1, "b", "z")]
    right = [Term(-1, "c", "seq", True), Term(1, "d", "*")]
    assert terms_of("a.x + a.y - b.z = distinct c.seq - d.*") == left + right
    assert terms_of("a.x = 0") == [Term(1, "a", "x")]
    with pytest.raises(ValueError, match="plus b is not a sum of columns"):
        terms_of("a.x plus b = 0")


@pytest.mark.parametrize("name", catalog.names())
def test_every_report_states_identities_of_its_own_tables(name: str) -> None:
    declared = catalog.report(name)
    columns = {table.name: {column.name for column in table.columns} for table in declared.tables}
    assert declared.identities
    for identity in declared.identities:
        for term in terms_of(identity.says):
            assert {*identity.by, *({term.column} - {"*"})} <= columns[term.table]
        for each in identity.exempt:
            table, _, column = each.partition(".")
            assert {*identity.by, column} <= columns[table]


CAME: dict[str, list[object]] = {"queue": ["A", "B", "B", "C"], "n": [3, 1, 1, 5]}
EQUAL = Identity("came.n = left.n + there.*", ("queue",))


def test_groups_are_compared_one_by_one() -> None:
    there: dict[str, list[object]] = {"queue": ["A", "B"]}
    assert (
        broken(EQUAL, came=CAME, left={"queue": ["A", "B", "C"], "n": [2, 1, 5]}, there=there) == []
    )
    # A surplus of one queue and a loss of another do not cancel out.
    assert broken(
        EQUAL,
        came=CAME,
        left={"queue": ["A", "B", "C"], "n": [4, 1, 3]},
        there=there,
    ) == [
        "r does not add up: came.n = left.n + there.* does not hold for 2 groups of rows, such as "
        "C (difference +2)",
    ]


def test_what_is_not_known_adds_nothing() -> None:
    lost = Identity("t.lost = 0", ("qmgr", "hour"))
    hours = pa.array([0, 3_600_000_000], pa.timestamp("us", "UTC"))
    assert broken(lost, t={"qmgr": ["QM1", "QM1"], "hour": hours, "lost": [None, 0]}) == []
    assert broken(lost, t={"qmgr": ["QM1", "QM1"], "hour": hours, "lost": [None, 4]}) == [
        "r does not add up: t.lost = 0 does not hold for one group of rows, such as QM1 "
        "1970-01-01T01:00:00Z "
        "(difference +4)",
    ]


def test_exempt_groups_a_part_of_the_history_and_bounds() -> None:
    rows: dict[str, list[object]] = {
        "queue": ["A", "B", "C"],
        "n": [1, 0, 2],
        "most": [1, 1, 1],
        "off": [0, 0, 1],
    }
    assert len(broken(Identity("t.n = t.most", ("queue",), exempt=("t.off",)), t=rows)) == 1
    assert broken(Identity("t.n = t.most", ("queue",), whole=True), is_whole=False, t=rows) == []
    assert broken(Identity("t.most >= t.n", ("queue",), exempt=("t.off",)), t=rows) == []
    assert len(broken(Identity("t.most >= t.n", ("queue",)), t=rows)) == 1
