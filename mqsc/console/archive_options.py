"""What the commands on archives share: the check of the libraries, and the errors as exit codes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from mqsc.console.parameter_types import UNITS, Duration
from mqsc.console.target import NothingRunError, failing

# Microseconds; a bare number is in days.
KEEP = Duration(1, lowest=0, bare=UNITS["d"])
# The libraries that the extra mqsc[archive] installs.
EXTRA = ("pyarrow", "adbc_driver_manager", "adbc_driver_sqlite")


@contextmanager
def archive_errors() -> Iterator[None]:
    """Exit code 20 without the libraries or an archive, 10 when it cannot be read or written."""
    missing = next((name for name in EXTRA if find_spec(name) is None), None)
    if missing:
        raise NothingRunError(f"archives need {missing}, which is not installed; run: pip install 'mqsc[archive]'")
    from reports.errors import ArchiveError, NoArchiveError

    with failing(ArchiveError), failing(NoArchiveError, NothingRunError):
        yield
