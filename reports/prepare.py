"""`python -m reports.prepare`: keep the classes that Spark loads, so that every later report starts in half the time.

The file (about 150 MB) lies in the Python environment, under `share/mqsc`, and holds for one version of Spark and of
Java; a session that finds none that fits starts without it.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from reports import catalog
from reports.fault import ReportFault
from reports.java import java_home
from reports.running import produce
from reports.selection import Selection
from reports.session import class_archive, session
from store.published import RELATIONS, Bound, Relation


def prepare() -> Path:
    """Make every report of a store with one row in each relation, and keep the classes that took; the file's path.

    A file that is there already is left alone. Raises ReportFault when it cannot be written or Spark does not start.
    """
    archive = class_archive(java_home())
    if archive.is_file():
        return archive
    unfinished = archive.with_name(f"{archive.name}.{os.getpid()}")
    try:
        archive.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "store.db"
            _write_relations(path)
            with session(archive_to=unfinished) as spark:
                reports = [catalog.report(name) for name in catalog.names()]
                for as_ in ("csv", "parquet"):
                    produce(spark, reports, path, Path(folder), as_, Bound(1, 1, {"": 1}), Selection())
        os.replace(unfinished, archive)
    except OSError as error:
        raise ReportFault(f"{archive} cannot be written: {error.strerror}") from error
    finally:
        unfinished.unlink(missing_ok=True)
    return archive


def _write_relations(path: Path) -> None:
    from adbc_driver_sqlite import dbapi

    with dbapi.connect(path.as_uri()) as connection, connection.cursor() as cursor:
        for relation in RELATIONS.values():
            cursor.execute(_create(relation))
            cursor.execute(f'INSERT INTO "{relation.table}" ({relation.key}) VALUES (1)')
        connection.commit()


def _create(relation: Relation) -> str:
    columns = ", ".join(f'"{column.name}" {column.type}' for column in relation.columns)
    return f'CREATE TABLE "{relation.table}" ({columns})'


if __name__ == "__main__":
    try:
        prepare()
    except ReportFault as fault:
        sys.exit(f"reports start slowly: {fault}")
