"""`python -m mqsc.reports.prepare`: archive the Java classes that Spark loads, so that reports
start in half the time.

The first report does that, too, with the classes that it used. The archive made here serves every
report.
"""

import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from mqsc.reports import catalog, sources, table_writing
from mqsc.reports.class_archives import OFF, SWITCH, class_archive, folders, is_switched_off
from mqsc.reports.errors import ReportError
from mqsc.reports.java_runtime import java_home
from mqsc.reports.output import CSV, Files
from mqsc.reports.selection import ReportSelection
from mqsc.reports.session import FEW, session
from mqsc.reports.settings import INTERPRETED
from mqsc.reports.table_building import produce
from mqsc.store.published import KINDS, RELATIONS, Bound

ANYTHING: Mapping[str, object] = {"INTEGER": 1, "TEXT": "any", "BLOB": bytes(24)}
BOUND = Bound(len(KINDS), len(KINDS), {"any": 1})
# Together they load the classes of all reports: with all eight, the archive would have two classes
# more of 21,000.
TYPICAL = ("message-lifetimes", "queue-activity", "dead-letters")
# Of a store with more than FEW rows, Spark reads the rows itself.
MANY = BOUND._replace(seq=FEW + 1)


def prepare() -> Path:
    """Make typical reports from a small store, so that Java archives the classes, and return the
    file's path.

    Does nothing if the file exists. Raises ReportError if it cannot be written or Spark does not
    start.
    """
    home = java_home()
    if is_switched_off():
        raise ReportError(f"{SWITCH} is {OFF}")
    if class_archive(home) is None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "store.db"
            _write_relations(path)
            with session() as spark:
                typical = [catalog.report(name) for name in TYPICAL]
                to = table_writing.TableWriter(
                    table_writing.Target(Path(folder)),
                    CSV,
                    0,
                    Files(Path(folder), CSV, 0),
                )
                produce(spark, typical, sources.Sources(path, BOUND), to, ReportSelection())
                # Other classes take part in reports on many events; one such report loads nearly
                # all of them.
                for name in INTERPRETED:
                    spark.conf.unset(name)
                produce(spark, typical[-1:], sources.Sources(path, MANY), to, ReportSelection())
    archive = class_archive(home)
    if archive is None:
        raise ReportError(
            f"no archive of Java classes can be written to {' or '.join(map(str, folders()))}",
        )
    return archive


def _write_relations(path: Path) -> None:
    """Write the published relations with an event of every kind, so that reports have rows."""
    from adbc_driver_sqlite import dbapi

    with dbapi.connect(path.as_uri()) as connection, connection.cursor() as cursor:
        for relation in (relation for relation in RELATIONS.values() if relation.table):
            columns = ", ".join(f'"{column.name}" {column.type}' for column in relation.columns)
            cursor.execute(f'CREATE TABLE "{relation.table}" ({columns})')
            for key, kind in enumerate(KINDS, start=1):
                fixed = {relation.key: key, "kind": kind}
                values = [
                    fixed.get(column.name, ANYTHING[column.type]) for column in relation.columns
                ]
                cursor.execute(
                    f'INSERT INTO "{relation.table}" VALUES ({", ".join("?" * len(values))})',
                    values,
                )
        connection.commit()


if __name__ == "__main__":
    try:
        prepare()
    except ReportError as error:
        sys.exit(f"reports will start slowly: {error}")
