"""`python -m reports.prepare`: keep the classes that Spark loads, so that every later report starts in half the time.

The file (about 160 MB) lies in the Python environment, under `share/mqsc`, and holds for one installation of Spark and
of Java; a session that finds none that fits starts without it.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from reports import catalog
from reports.fault import ReportError
from reports.java import java_home
from reports.running import produce
from reports.selection import Selection
from reports.session import ARCHIVE_SUFFIX, class_archive, session
from store.published import KINDS, RELATIONS, Bound

ANYTHING: Mapping[str, object] = {"INTEGER": 1, "TEXT": "any", "BLOB": bytes(24)}
BOUND = Bound(len(KINDS), len(KINDS), {"any": 1})


def prepare() -> Path:
    """Make every report of a store with a few rows in each relation, and keep the classes that took; the file's path.

    A file that is there already is left alone. Raises ReportError when it cannot be written or Spark does not start.
    """
    archive = class_archive(java_home())
    if archive.is_file():
        return archive
    try:
        _make(archive)
    except OSError as error:
        raise ReportError(f"{archive} cannot be written: {error.strerror}") from error
    return archive


def _make(archive: Path) -> None:
    archive.parent.mkdir(parents=True, exist_ok=True)
    unfinished = archive.with_name(f"{archive.name}.{os.getpid()}")
    try:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "store.db"
            _write_relations(path)
            with session(archive_to=unfinished) as spark:
                reports = [catalog.report(name) for name in catalog.names()]
                for as_ in ("csv", "parquet"):
                    produce(spark, reports, path, Path(folder), as_, BOUND, Selection())
        for outdated in archive.parent.glob(f"*{ARCHIVE_SUFFIX}"):
            outdated.unlink()
        os.replace(unfinished, archive)
    finally:
        unfinished.unlink(missing_ok=True)


def _write_relations(path: Path) -> None:
    """A store as its readers see it, with an event of every kind, so that no report is without rows."""
    from adbc_driver_sqlite import dbapi

    with dbapi.connect(path.as_uri()) as connection, connection.cursor() as cursor:
        for relation in RELATIONS.values():
            columns = ", ".join(f'"{column.name}" {column.type}' for column in relation.columns)
            cursor.execute(f'CREATE TABLE "{relation.table}" ({columns})')
            for key, kind in enumerate(KINDS, start=1):
                told = {relation.key: key, "kind": kind}
                values = [told.get(column.name, ANYTHING[column.type]) for column in relation.columns]
                cursor.execute(f'INSERT INTO "{relation.table}" VALUES ({", ".join("?" * len(values))})', values)
        connection.commit()


if __name__ == "__main__":
    try:
        prepare()
    except ReportError as fault:
        sys.exit(f"reports start slowly: {fault}")
