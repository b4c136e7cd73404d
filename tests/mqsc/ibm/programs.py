"""The commands under IBM's names as programs of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def as_program(
    main: str,
    *arguments: str,
    store: Path,
    stdin: bytes = b"",
) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-c", f"from mqsc.start import {main}; {main}()", *arguments]
    environment = {**os.environ, "MQSC_STORE": f"sqlite:///{store}"}
    return subprocess.run(command, input=stdin, capture_output=True, env=environment, check=False)
