"""The verdict of `mqsc doctor` on each fact, with what to do."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from mqsc.store.rules.health import (
    CHECKS,
    Depth,
    Facts,
    InDoubt,
    LostReference,
    Program,
    Severity,
    size,
)
from tests.rows import rows

HEALTHY = Facts(
    path="/var/shop.db",
    schema=2,
    queue_managers=1,
    events=3,
    first_event=1,
    last_event=3,
    event_counter=3,
)
BACKUP = Program(812, "python3", 1)
ADVICE, ERROR = Severity.ADVICE, Severity.ERROR


def test_a_healthy_store_has_one_sentence_for_each_check_and_no_remedy() -> None:
    found = [finding for _, check in CHECKS for finding in check(HEALTHY)]
    assert len(found) == len(CHECKS)
    assert [
        finding for finding in found if finding.severity or finding.remedy or not finding.text
    ] == []


# (the facts that differ from a healthy store, the check, its severity, part of its sentence)
@rows(
    (
        {"damage": ("Tree 5 page 7: bad",)},
        "integrity",
        ERROR,
        "the file is damaged: Tree 5 page 7: bad",
    ),
    (
        {"damaged_definitions": (("QM1", "QLOCAL", "Q"),)},
        "integrity",
        ERROR,
        "definition of QLOCAL(Q) of QM1",
    ),
    (
        {"messages_without_queue": 2},
        "integrity",
        ERROR,
        "2 messages of a queue that does not exist",
    ),
    (
        {"messages_without_unit": 2},
        "integrity",
        ERROR,
        "2 messages of a unit of work that does not exist",
    ),
    (
        {"lost_references": (LostReference("message", "handle", 1),)},
        "integrity",
        ERROR,
        "1 message locked by a handle that does not exist, so no get or browse finds it",
    ),
    (
        {"lost_references": (LostReference("handle", "queue", 2),)},
        "integrity",
        ERROR,
        "2 open handles of a queue that does not exist",
    ),
    (
        {"in_doubt": (InDoubt("QM1", "TO.QM2", "7", 2, False),)},
        "units",
        ADVICE,
        "QM1: 2 messages of TO.QM2 in doubt (7)",
    ),
    (
        {"wrong_depths": (Depth("QM1", "Q", 5, 4),)},
        "depth",
        ERROR,
        "QM1 Q: CURDEPTH is 5, but the queue holds 4",
    ),
    ({"events": 2}, "history", ERROR, "1 event missing"),
    ({"event_counter": 2}, "history", ERROR, "used twice"),
    ({"event_counter": 5}, "history", ERROR, "2 events missing"),
    (
        {"dead_processes": 1, "dead_connections": 2},
        "programs",
        ADVICE,
        "1 program ended without disconnecting",
    ),
    ({"blocking_writers": (BACKUP,)}, "locks", ERROR, "not released by 812 (python3)"),
    ({"blocking_writers": ()}, "locks", ERROR, "not released by an unknown process"),
    (
        {"log_is_copied": False, "readers": (BACKUP,)},
        "log",
        ADVICE,
        "because 812 (python3) reads an old state",
    ),
    ({"log_bytes": 17 << 20}, "log", ADVICE, "the log takes 17.0 MB"),
    ({"free_pages": 25_600}, "space", ADVICE, "100.0 MB of the file hold no data"),
    ({"free_pages": 25_600, "returns_pages": False}, "space", ADVICE, "100.0 MB"),
    ({"disk_free": 50 << 20}, "disk", ADVICE, "50.0 MB free"),
    ({"disk_free": (64 << 20) - 1}, "disk", ADVICE, "64.0 MB free"),
    ({"disk_free": 1 << 20}, "disk", ADVICE, "1.0 MB free"),
    ({"disk_free": (1 << 20) - 1}, "disk", ERROR, "1.0 MB free"),
    ({"disk_free": 1000}, "disk", ERROR, "1,000 bytes free"),
    ({"disk_free": 100 << 20, "file_bytes": 2000 << 20}, "disk", ADVICE, "100.0 MB free"),
    ({"library_warning": "SQLite 3.40.0 can damage"}, "sqlite", ADVICE, "3.40.0"),
)
def test_one_check_finds_it_and_says_what_to_do(
    changed: dict[str, Any],
    check: str,
    severity: Severity,
    sentence: str,
) -> None:
    facts = replace(HEALTHY, **changed)
    ((name, finding),) = [
        (name, each) for name, run in CHECKS for each in run(facts) if each.severity
    ]
    assert (name, finding.severity) == (check, severity)
    assert sentence in finding.text
    assert finding.remedy


def test_who_uses_the_store_is_listed() -> None:
    facts = replace(HEALTHY, programs=(BACKUP,), lock_holders=(("serve-QM1", BACKUP),))
    checks = dict(CHECKS)
    assert checks["programs"](facts)[0].text == "in use by 812 (python3) with 1 connection"
    assert "serve-QM1 by 812 (python3)" in checks["locks"](facts)[0].text


def test_the_first_events_may_have_been_archived() -> None:
    facts = replace(
        HEALTHY,
        events=2,
        first_event=11,
        last_event=12,
        event_counter=12,
        events_left=3,
    )
    (found,) = dict(CHECKS)["history"](facts)
    assert not found.severity
    assert found.text == (
        "2 events after event 10, numbered without a gap; events up to 10 were archived and "
        "removed, except 3 that are still needed"
    )


def test_sizes_are_readable() -> None:
    assert [size(900), size(1 << 20), size(150 << 30)] == ["900 bytes", "1.0 MB", "150.0 GB"]
