"""The events of a trigger monitor as sentences. Runs are tested in tests/mqsc/cli/trigger/test_run.py."""

from __future__ import annotations

from typing import Any

import pytest

from mqsc.cli.foreground import event_text, is_success

ENDED = {"process_id": 7, "exit_status": 3, "run_time": 1_500_000}
NOT_STARTED = "The trigger monitor could not start the program of a trigger message."
FAILED = {"reason": 265, "why": "APPLICID is blank"}


@pytest.mark.parametrize(
    ("row", "text"),
    [
        ({"event": "started", "program": "/bin/a", "process": "P", "process_id": 7}, "started /bin/a for P, process 7"),
        (
            {"event": "started", "program": "/bin/a", "process": "", "process_id": 7},
            "started /bin/a for no process, process 7",
        ),
        ({"event": "ended", **ENDED}, "process 7 ended with 3 after 1.500 s"),
        (
            {"event": "ended", **ENDED, "timed_out": True},
            "process 7 ended with 3 after 1.500 s, ended because it ran too long",
        ),
        (
            {"event": "unrecorded", **ENDED, "why": "disk full"},
            "process 7 ended with 3 after 1.500 s; not in the history: disk full",
        ),
        (
            {"event": "failed", **FAILED, "dead_letter_queue": "DLQ"},
            f"265 MQFB_APPL_CANNOT_BE_STARTED, APPLICID is blank; put on DLQ. {NOT_STARTED}",
        ),
        (
            {"event": "failed", **FAILED, "dead_letter_queue": "", "lost": "2053 MQRC_Q_FULL (DLQ)"},
            f"265 MQFB_APPL_CANNOT_BE_STARTED, APPLICID is blank; lost: 2053 MQRC_Q_FULL (DLQ). {NOT_STARTED}",
        ),
        (
            {"event": "would fail", **FAILED, "dead_letter_queue": ""},
            f"265 MQFB_APPL_CANNOT_BE_STARTED, APPLICID is blank; lost: no DEADQ. {NOT_STARTED}",
        ),
        ({"event": "would start", "words": ["/bin/a", "b c"], "waits": False}, "/bin/a 'b c' &"),
    ],
)
def test_sentences(row: dict[str, Any], text: str) -> None:
    assert event_text({"queue": "Q", **row}) == f"Q: {text}"


def test_quiet_leaves_out_programs_that_succeed() -> None:
    rows: list[dict[str, Any]] = [
        {"event": "started"},
        {"event": "ended", **ENDED, "exit_status": 0},
        {"event": "ended", **ENDED},
        {"event": "ended", **ENDED, "exit_status": 0, "timed_out": True},
        {"event": "failed", **FAILED},
        {"event": "would start"},
    ]
    assert [is_success(row) for row in rows] == [True, True, False, False, False, False]
