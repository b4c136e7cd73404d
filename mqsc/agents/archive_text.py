"""What archiving did, as sentences."""

from __future__ import annotations

from mqsc.agents.archiver import ArchivedRange
from store.admin.archiving import Pruned
from store.rules.health import quantity, size


def archived_text(archived: ArchivedRange) -> str:
    where = f"{quantity(archived.files, 'file')}, {size(archived.bytes)}"
    return f"archived events {archived.first} to {archived.last} ({where})"


def pruned_text(pruned: Pruned) -> str:
    returned = f", returned {size(pruned.returned)} to the file system" if pruned.returned else ""
    rest = "; a report is reading the history, so the rest is left to the next run" if pruned.interrupted else ""
    return f"pruned {quantity(pruned.events, 'event')}{returned}{rest}"
