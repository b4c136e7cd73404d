"""The sentence about how the Java process ended."""

from __future__ import annotations

from pathlib import Path

from mqsc.reports.java_end import ended_by_signal, sentence_about
from tests.rows import rows

OTHER = "another program did that"
# As Java 17 begins its reports.
CRASHED = """#
# A fatal error has been detected by the Java Runtime Environment:
#
#  SIGSEGV (0xb) at pc=0x00007f7a3c0d2a3c, pid=71, tid=72
#
"""
NO_MEMORY = """#
# There is insufficient memory for the Java Runtime Environment to continue.
# Native memory allocation (mmap) failed to map 16777216 bytes for committing reserved memory.
# Possible reasons:
#   The system is out of physical RAM or swap space
"""
ALLOCATION = (
    "Native memory allocation (mmap) failed to map 16777216 bytes for committing reserved memory"
)


@rows(
    (-9, f"SIGKILL (exit status 137): {OTHER}, or the system had no memory left"),
    (137, f"SIGKILL (exit status 137): {OTHER}, or the system had no memory left"),
    (-15, f"SIGTERM (exit status 143): {OTHER}"),
    (143, f"SIGTERM (exit status 143): {OTHER}"),
    (129, f"SIGHUP (exit status 129): {OTHER}"),
    (-1, f"SIGHUP (exit status 129): {OTHER}"),
    (130, f"SIGINT (exit status 130): {OTHER}"),
    (-2, f"SIGINT (exit status 130): {OTHER}"),
    (-35, f"signal 35 (exit status 163): {OTHER}"),
)
def test_the_signal_is_named(status: int, sentence: str) -> None:
    assert ended_by_signal(status) == f"Spark's Java process was ended by {sentence}"


@rows(0, 1, 3, 50, 56, 128, 255)
def test_other_exit_codes_are_of_no_signal(status: int) -> None:
    assert ended_by_signal(status) == ""


@rows(
    (0, "", "ended by itself (exit status 0)"),
    (1, "", "ended (exit status 1)"),
    (53, "DiskBlockManager: no folder", "ended (exit status 53): DiskBlockManager: no folder"),
    (143, "Shutting down", f"was ended by SIGTERM (exit status 143): {OTHER}"),
)
def test_the_exit_status_is_named(tmp_path: Path, status: int, said: str, sentence: str) -> None:
    about = sentence_about(status, tmp_path / "none", said)
    assert about == f"Spark's Java process {sentence}"


@rows(
    (CRASHED, -6, "crashed (exit status 134): see"),
    (CRASHED, 134, "crashed (exit status 134): see"),
    ("", 1, "crashed (exit status 1): see"),
    (NO_MEMORY, 1, f"got no memory from the system (exit status 1): {ALLOCATION}; see"),
)
def test_the_report_of_java_is_named(
    tmp_path: Path, report: str, status: int, sentence: str
) -> None:
    file = tmp_path / "report"
    file.write_text(report)
    about = sentence_about(status, file, "the last line")
    assert about == f"Spark's Java process {sentence} {file}"
