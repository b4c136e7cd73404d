"""Which events are archived next, and which may be pruned (archive §1, §3)."""

from __future__ import annotations

import ast

import pytest

from mqsc.store.published import KINDS
from mqsc.store.rules import archive_ranges
from mqsc.store.rules.archive_ranges import READERS, Claim, Head, PastEvent, Step
from tests.rows import rows
from tests.source import MODULES, within
from tests.store.tables import giving

# The functions of `store.sql.core` that read or write events, besides READERS.
# These read what happened to messages that are in the store: events with their MsgId, and the end
# of those units.
READERS_OF_MESSAGES = ("history.last_gets", "history.backouts", "units_of_work.gets")
# These only append.
APPENDERS = (
    "history.record",
    "history.record_copy",
    "history.record_copies",
    "history.record_copies_apart",
    "history.record_plainly",
    "expiry.record_batch",
)
# This reads only what is recorded while it runs.
READERS_OF_NEW_EVENTS = ("managers.changes", "statistics.kinds_since")
# These show the history itself, check it or remove it: after pruning they show what is left, or
# refuse (`past`).
VIEWS = (
    "search",
    "past",
    "history.bound",
    "history.refusals",
    "maintenance.history",
    "maintenance.old_events",
    "maintenance.remove_events",
)

HERE = "/archive"
DONE = Claim(HERE, 1, 50, committed=True, sha256="abc")
OPEN = Claim(HERE, 51, 80, committed=False)
HEAD = Head(1, 50, "abc")
NEW = Claim()


# The claim, the last commit in the archive, the last event, and the step.
@rows(
    (NEW, Head(), 0, None),
    (NEW, Head(), 7, Step(1, 7)),
    (NEW, Head(), 1_000, Step(1, 100)),
    (DONE, HEAD, 50, None),
    (DONE, HEAD, 51, Step(51, 51)),
    # A claim that was not finished is continued with its own range, not with a longer one.
    (OPEN, HEAD, 90, Step(51, 80)),
    # It was committed, but not marked.
    (OPEN, Head(51, 80, "def"), 90, Step(51, 80, written=True)),
    # Another archive begins at the first event, as long as the store has it.
    (DONE._replace(url="/other"), Head(), 60, Step(1, 60)),
    (OPEN._replace(url="/other"), Head(), 60, Step(1, 60)),
    (DONE._replace(url="/other"), HEAD._replace(sha256="other"), 60, Step(51, 60)),
)
def test_the_next_step(claim: Claim, head: Head, last: int, step: Step | None) -> None:
    assert archive_ranges.next_step(claim, head, HERE, last, most=100) == step


@rows(
    *giving(
        "was restored from a backup",
        (NEW, HEAD),
        (DONE, Head(51, 60, "x")),
        (OPEN, Head(51, 70, "x")),
    ),
    *giving("files are missing", (DONE, Head(1, 40, "x")), (DONE, Head())),
    (DONE, HEAD._replace(sha256="x"), "is not the one that this store wrote"),
    (DONE._replace(url="/other", pruned=20), Head(), "events 1 to 20 are no longer in the store"),
)
def test_an_archive_that_does_not_fit_the_store(claim: Claim, head: Head, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        archive_ranges.next_step(claim, head, HERE, 90)


def event(
    kind: str,
    cause: str | None = None,
    unit: int | None = None,
    waits: int = 0,
) -> PastEvent:
    return PastEvent(1, 0, "QM1", kind, cause, unit, waits)


@rows(
    *giving(
        True,
        ("CREATE", None),
        ("END", "controlled"),
        ("REQUEUE", "handler"),
        ("FORWARD", None),
    ),
    ("CHANNEL", "failed", True),
    *giving(
        False,
        ("CHANNEL", "batch"),
        ("PUT", None),
        ("GET", None),
        ("EXPIRE", "get"),
        ("COMMIT", None),
    ),
    *giving(False, ("BACKOUT", "abend"), ("DEFINE", None)),
)
def test_events_that_are_needed_for_ever(kind: str, cause: str | None, needed: bool) -> None:
    assert archive_ranges.is_needed(event(kind, cause), set()) is needed


def test_events_of_messages_in_the_store_and_their_units_are_needed() -> None:
    units: set[int] = set()
    events = [
        event("GET", unit=7, waits=1),
        *(event("BACKOUT", "application", unit=each) for each in (7, 8)),
    ]
    found = [archive_ranges.is_needed(each, units) for each in [*events, event("GET", unit=7)]]
    assert found == [True, True, False, False]


def test_the_kinds_and_causes_exist() -> None:
    for reader in READERS.values():
        assert reader.reads
        for kind in reader.kinds:
            assert reader.causes <= set(KINDS[kind].causes)


def test_every_reader_of_the_history_is_classified() -> None:
    """Code that reads old events must say so, or pruning would change what it does."""
    others = (READERS_OF_MESSAGES, READERS_OF_NEW_EVENTS, VIEWS, APPENDERS)
    classified = set(READERS).union(*others)
    readers = {
        f"{module.name.rpartition('.')[2]}.{function.name}"
        for module in MODULES
        if within(module.name, "store.sql.core")
        for function in module.tree.body
        if isinstance(function, ast.FunctionDef) and _mentions_events(function)
    }
    found = {
        name if (module := name.partition(".")[0]) not in classified else module for name in readers
    }
    assert found == classified


def _mentions_events(function: ast.FunctionDef) -> bool:
    nodes = list(ast.walk(function))
    return any(isinstance(each, ast.Name) and each.id in ("event", "_e") for each in nodes) or any(
        isinstance(each, ast.Constant) and "FROM event" in str(each.value) for each in nodes
    )
