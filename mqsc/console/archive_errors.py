"""For the commands on archives: the check of the libraries, and the errors as exit codes."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from mqsc.console.target import NothingRunError, failing

# The libraries that the extra `archive` installs.
EXTRA = ("pyarrow", "adbc_driver_manager", "adbc_driver_sqlite")


@contextmanager
def archive_errors() -> Iterator[None]:
    """Exit code 20 without the libraries or an archive, 10 when it cannot be read or written."""
    missing = next((name for name in EXTRA if find_spec(name) is None), None)
    if missing:
        raise NothingRunError(
            f"archives need {missing}, which is not installed; in the source tree of mqsc, run: "
            "pip install '.[archive]'",
        )
    from mqsc.reports.errors import ArchiveError, NoArchiveError

    with failing(ArchiveError), failing(NoArchiveError, NothingRunError):
        yield
