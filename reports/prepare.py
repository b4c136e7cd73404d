"""`python -m reports.prepare`: archive the Java classes that Spark loads, so that later reports start in half the time.

The file (about 160 MB) is in the Python environment, under `share/mqsc`, and is valid for one installation of Spark and
Java. A session without a valid file starts more slowly.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from reports import catalog
from reports.errors import ReportError
from reports.java import java_home
from reports.running import produce
from reports.selection import ReportSelection
from reports.session import ARCHIVE_SUFFIX, class_archive, session
from reports.sources import Sources
from reports.table_writing import Target
from store.published import KINDS, RELATIONS, Bound

ANYTHING: Mapping[str, object] = {"INTEGER": 1, "TEXT": "any", "BLOB": bytes(24)}
BOUND = Bound(len(KINDS), len(KINDS), {"any": 1})


def prepare() -> Path:
    """Make every report from a small store, archive the classes that Java loaded, and return the file's path.

    Does nothing if the file exists. Raises ReportError if it cannot be written or Spark does not start.
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
                    produce(spark, reports, Sources(path, BOUND), Target(Path(folder)), as_, ReportSelection())
        for outdated in archive.parent.glob(f"*{ARCHIVE_SUFFIX}"):
            outdated.unlink()
        os.replace(unfinished, archive)
    finally:
        unfinished.unlink(missing_ok=True)


def _write_relations(path: Path) -> None:
    """Write the published relations with an event of every kind, so that every report has rows."""
    from adbc_driver_sqlite import dbapi

    with dbapi.connect(path.as_uri()) as connection, connection.cursor() as cursor:
        for relation in RELATIONS.values():
            columns = ", ".join(f'"{column.name}" {column.type}' for column in relation.columns)
            cursor.execute(f'CREATE TABLE "{relation.table}" ({columns})')
            for key, kind in enumerate(KINDS, start=1):
                given = {relation.key: key, "kind": kind}
                values = [given.get(column.name, ANYTHING[column.type]) for column in relation.columns]
                cursor.execute(f'INSERT INTO "{relation.table}" VALUES ({", ".join("?" * len(values))})', values)
        connection.commit()


if __name__ == "__main__":
    try:
        prepare()
    except ReportError as error:
        sys.exit(f"reports will start slowly: {error}")
