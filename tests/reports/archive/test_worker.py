"""The process that writes an archive, when the program that started it is gone."""

from __future__ import annotations

import os
import subprocess

from reports.errors import command_of, python_path


def test_a_request_that_was_never_written_ends_it_silently() -> None:
    ended = subprocess.run(
        command_of("reports.archive.worker"),
        input=b'{"path": ',
        capture_output=True,
        env={**os.environ, "PYTHONPATH": python_path()},
        check=False,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (1, b"", b"")
