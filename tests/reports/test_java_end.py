"""The sentence about a signal that ended the Java process."""

from __future__ import annotations

from mqsc.reports.java_end import ended_by_signal
from tests.rows import rows

OTHER = "another program did that"


@rows(
    (-9, f"SIGKILL: {OTHER}, or the system had no memory left"),
    (137, f"SIGKILL: {OTHER}, or the system had no memory left"),
    (-15, f"SIGTERM: {OTHER}"),
    (143, f"SIGTERM: {OTHER}"),
    (129, f"SIGHUP: {OTHER}"),
    (-1, f"SIGHUP: {OTHER}"),
    (130, f"SIGINT: {OTHER}"),
    (-2, f"SIGINT: {OTHER}"),
    (-35, f"signal 35: {OTHER}"),
)
def test_the_signal_is_named(status: int, sentence: str) -> None:
    assert ended_by_signal(status) == f"Spark's Java process was ended by {sentence}"


@rows(0, 1, 3, 50, 56, 128, 255)
def test_other_exit_codes_are_of_no_signal(status: int) -> None:
    assert ended_by_signal(status) == ""
