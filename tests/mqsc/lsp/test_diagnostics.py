"""What is known of a document at once: the last check of commands that stayed, and the errors of
those that changed.
"""

from __future__ import annotations

from hypothesis import given, strategies as st

from mqsc.lsp.diagnostics import MOST_AT_ONCE, MOST_SHOWN, checked, known_at_once

LINES = [
    "DEFINE QLOCAL(A)",
    "DEFINE QLOCAL(B) +",
    "   MAXDEPTH(x)",
    "MAKE",
    "",
    "* note",
    "ALTER QLOCAL(C) TRIGGER(",
    "PING QMGR",
]


def places(path: str, before: list[str], after: list[str]) -> list[tuple[int, int, object]]:
    last = checked(path, "\n".join(before), lambda: False)
    found = known_at_once(path, "\n".join(after), last)
    assert found.lines == after
    return sorted(
        (each.range.start.line, each.range.start.character, each.code) for each in found.diagnostics
    )


def test_what_the_check_found_stays_with_its_command() -> None:
    before = [
        "DEFINE QALIAS(A) TARGET(NOT.THERE)",
        "MAKE",
        "",
        "DEFINE QALIAS(B) TARGET(NOT.THERE.EITHER)",
    ]
    was = places("a.mqsc", before, before)
    assert {line for line, _, _ in was} == {0, 1, 3}
    after = [before[0], "PING QMGR", "PING QMGR", *before[2:]]
    now = places("a.mqsc", before, after)
    assert now == [(line + (line > 1), column, code) for line, column, code in was if line != 1]


def test_a_command_that_becomes_two_is_read_again() -> None:
    before = ["DEFINE QLOCAL(B) +", "   MAXDEPTH(x)"]
    (there,) = places("a.mqsc", before, before)
    assert there[:2] == (1, 12)
    (now,) = places("a.mqsc", before, ["DEFINE QLOCAL(B)", "   MAXDEPTH(x)"])
    assert now[:2] == (1, 3)


def test_regions_keep_their_columns_and_rules_tables_wait() -> None:
    before = ["data:", "  a.mqsc: |", "    PING QMGR", "  other: MAKE"]
    after = [*before[:2], "    MAKE QMGR", before[3]]
    assert [each[:2] for each in places("a.yaml", before, after)] == [(2, 4)]
    assert places("a.rul", [""], ["ACTION(FLY)"]) == []


def test_many_lines_wait_for_the_check_and_few_diagnostics_are_sent() -> None:
    lines = ["PING QMGR", *["MAKE"] * (MOST_SHOWN + 1)]
    assert len(checked("a.mqsc", "\n".join(lines), lambda: False).diagnostics) == MOST_SHOWN
    assert places("a.mqsc", [""], lines[: MOST_AT_ONCE + 2]) == []


@given(*[st.lists(st.sampled_from(LINES), max_size=6)] * 4)
def test_errors_are_those_of_a_check(
    start: list[str],
    removed: list[str],
    put: list[str],
    end: list[str],
) -> None:
    """Of commands that stand alone, whatever the change; a trial of them together finds more."""
    before, after = ["", *start, *removed, *end], ["", *start, *put, *end]
    alone = {(line, column) for line, column, _ in places("a.mqsc", ["?"], after)}
    assert alone <= {(line, column) for line, column, _ in places("a.mqsc", before, after)}
