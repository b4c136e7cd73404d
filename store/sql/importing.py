"""Statements for what was imported from files of other queue managers."""

from __future__ import annotations

from collections.abc import Iterable

from store.sql.core import *
from store.sql.rows import ImportPositionRow
from store.sql.statements import column, exists, for_each, insertion, to_json, value
from store.sqlite.database import Queries, Transaction

_r, _g, _p = imported_record.c, imported_manager.c, import_position.c


@column(str)
def _known(listed: str) -> ClauseElement:
    return select(_r.fingerprint).where(_r.fingerprint.in_(values_of(listed)))


def known(tx: Queries, fingerprints: Iterable[str]) -> set[str]:
    """Return those of the fingerprints whose records were imported."""
    return set(_known(tx, to_json(list(fingerprints))))


@insertion
def _add(fingerprint: str) -> ClauseElement:
    return insert(imported_record).values(fingerprint=fingerprint)


def add(tx: Transaction, fingerprints: Iterable[str]) -> None:
    """Add the fingerprints of records that are imported now."""
    for_each(tx, _add, ((each,) for each in fingerprints))


@exists
def is_imported(qmgr: str) -> ClauseElement:
    """Return whether events of a queue manager of this name were imported."""
    return select(ONE).select_from(imported_manager).where(_g.name == qmgr)


@insertion
def add_manager(qmgr: str) -> ClauseElement:
    """Record that events of a queue manager are imported; nothing happens if it is known."""
    return insert(imported_manager).prefix_with("OR IGNORE").values(name=qmgr)


@value(str)
def position(file: str) -> ClauseElement:
    """Return the state in which the import of a file was left, or blank."""
    return select(_p.state).where(_p.file == file)


def keep_position(tx: Transaction, file: str, state: str) -> None:
    """Keep the state in which the import of a file is left, for `position`."""
    tx.replace("import_position", ImportPositionRow(file, state))
