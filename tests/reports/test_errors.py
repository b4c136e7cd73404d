"""The cause in the long messages of Spark, and processes of our own modules."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from reports.errors import cause_of, command_of, ending, python_path
from tests.source import ROOT

CAUSES = [
    ("a line\n\tat org.apache.Spark(x.scala:1)", "a line"),
    (
        'Traceback (most recent call last):\n  File "x.py", line 1\n    read()\n    ^^^^\n'
        "adbc_driver_manager.OperationalError: IO: file is not a database\n\tat org.apache\n",
        "adbc_driver_manager.OperationalError: IO: file is not a database",
    ),
    (
        "An error occurred while calling None.org.apache.Context.\n: org.apache.spark.SparkException: No master\n"
        "\tat org.apache.spark\nCaused by: java.io.EOFException\n\tat java.base",
        "org.apache.spark.SparkException: No master",
    ),
    ("[PATH_NOT_FOUND] Path does not exist: file:/a/b.parquet. SQLSTATE: 42K03", "the file /a/b.parquet is missing"),
    (
        "[FAILED_READ_FILE.NO_HINT] Encountered error while reading file file:///a/b.parquet.  SQLSTATE: KD001\n"
        "\tat org.apache\nCaused by: java.io.IOException: CRC checksum verification failed\n\tat java.base",
        "the file /a/b.parquet was changed, or cannot be read: java.io.IOException: CRC checksum verification failed",
    ),
    ("", "ValueError"),
]


@pytest.mark.parametrize(("text", "cause"), CAUSES)
def test_the_cause_is_found_in_a_long_message(text: str, cause: str) -> None:
    assert cause_of(ValueError(text)) == cause


def test_a_process_finds_our_packages_and_those_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine, here = tmp_path / "mine", tmp_path / "here"
    mine.mkdir()
    here.mkdir()
    (mine / "of_the_user.py").write_text("import reports\nprint(reports.__path__[0])", "utf-8")
    (here / "reports.py").write_text("raise SystemExit('the wrong module')", "utf-8")
    monkeypatch.setenv("PYTHONPATH", str(mine))
    environment = {**os.environ, "PYTHONPATH": python_path()}
    command = command_of("of_the_user")
    ended = subprocess.run(command, cwd=here, env=environment, capture_output=True, text=True, check=False)
    assert (ended.stdout, ended.stderr) == (f"{ROOT / 'reports'}\n", "")
    # How a process ended is said for people.
    assert [ending(code) for code in (-9, 2)] == ["SIGKILL", "exit code 2"]
