"""The SQL of statements, by name: `queues.sql` beside `queues.py` has the statements that its
functions execute.

The files are made from `store/sql/core` by `python -m mqsc.store.sql.core`; a test compares them.
So no command imports SQLAlchemy, and what a call sends to SQLite can be read.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

# Before each statement of such a file.
NAME = "-- name: "
# For a parameter that is a list; the driver has no adapter for them, because that would be the
# whole program's.
json_list = json.JSONEncoder().encode


def named_statements(module: str) -> Mapping[str, str]:
    """Return the statements of the file beside a module, given its `__file__`, by name.

    Parameters are numbered, ?1 and so on, in the order in which the function of that name takes
    them.
    """
    return statements_in(Path(module).with_suffix(".sql"))


def statements_in(file: Path) -> Mapping[str, str]:
    """Return the statements of such a file by name."""
    # A new module has none until its statements are made.
    text = file.read_text("utf-8") if file.exists() else ""
    _, *parts = text.split(NAME)
    return {name: sql.strip() for name, _, sql in (part.partition("\n") for part in parts)}
