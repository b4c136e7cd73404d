"""The width of the terminal, which limits that of tables."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from mqsc.console.terminal import columns

WIDTHS = "from mqsc.console.terminal import columns; print(columns())"


def test_a_table_for_a_program_is_as_wide_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert columns() == sys.maxsize


def test_a_table_on_a_terminal_is_as_wide_as_that() -> None:
    reading, terminal = os.openpty()
    with os.fdopen(reading, "rb", buffering=0) as screen:
        subprocess.run([sys.executable, "-c", WIDTHS], stdout=terminal, env={**os.environ, "COLUMNS": "50"}, check=True)
        os.close(terminal)
        assert screen.read(80).strip() == b"50"
