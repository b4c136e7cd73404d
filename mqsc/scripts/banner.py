"""The first lines of a run."""

from __future__ import annotations

from mqsc import __version__

BANNER = f"mqsc {__version__}, an MQ-style queue manager in SQLite."


def heading(qmgr: str) -> tuple[str, ...]:
    """The lines before the first command, as in runmqsc."""
    return BANNER, f"Starting MQSC for queue manager {qmgr}.", "", ""
