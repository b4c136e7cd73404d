"""The schema of a store's file: create the tables in a new file, upgrade an old one, refuse any
other.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from mqsc.store.error import StoreError
from mqsc.store.sql import connections, maintenance
from mqsc.store.sql.kept import TRIGGERS
from mqsc.store.sql.rows import APPLICATION_ID, SCHEMA_VERSION
from mqsc.store.sql.texts import statements_in
from mqsc.store.sqlite import liveness
from mqsc.store.sqlite.database import Database, Reading, Transaction
from mqsc.store.sqlite.driver import DriverConnection, open_to_look_at, sqlite_library
from mqsc.store.sqlite.integrity import (
    damage,
    faults_that_last,
    schema_faults,
    schema_made_by,
    wrong_values,
)

# The statements that create what a new store has.
DEFINITIONS = [*statements_in(Path(__file__).with_name("schema.sql")).values()]


def create_or_upgrade(database: Database, identity: str = "") -> None:
    """Give the file the current schema and, unless it has one, this identity.

    StoreError when the file is another program's database, when a newer version of mqsc wrote it,
    or when programs of an older version are still using it.
    """
    with Reading(database) as reading:
        version, application = reading.pragma("user_version"), reading.pragma("application_id")
        is_complete = (version, application) == (SCHEMA_VERSION, APPLICATION_ID) and (
            not identity or maintenance.archiving(reading) is not None
        )
    if version and application != APPLICATION_ID:
        raise _not_a_store(database)
    if version > SCHEMA_VERSION:
        raise StoreError(
            f"{database.path} was written by a newer version of mqsc (its schema is {version}, "
            "this one knows "
            f"{SCHEMA_VERSION}); upgrade mqsc to use it",
        )
    if not is_complete:
        with Transaction(database, durable=True) as tx:
            # Another process may have created or upgraded it since.
            version = tx.pragma("user_version")
            if version == 0:
                _create(tx, database)
            elif version < SCHEMA_VERSION:
                _upgrade(tx, database, version)
            # A store made before 1.0 had none until it was first archived.
            if identity and maintenance.archiving(tx) is None:
                maintenance.write_archiving(tx, maintenance.not_archived(identity))


def is_current_in(path: str) -> bool:
    """Whether a file that is only looked at is a store of the current schema."""
    return version_in(path) == SCHEMA_VERSION


def version_in(path: str) -> int:
    """The schema of a store in a file that is only looked at; 0 if there is none."""
    library = sqlite_library()
    try:
        connection = open_to_look_at(library, path)
        try:
            version, application = (
                int(connection.execute(f"PRAGMA {name}").fetchone()[0])
                for name in ("user_version", "application_id")
            )
        finally:
            connection.close()
    except library.Error:
        return 0
    return version if application == APPLICATION_ID else 0


def _create(tx: Transaction, database: Database) -> None:
    if tx.execute("SELECT count(*) FROM sqlite_master", ()).fetchone()[0]:
        raise _not_a_store(database)
    pragmas = (
        f"PRAGMA user_version = {SCHEMA_VERSION}",
        f"PRAGMA application_id = {APPLICATION_ID}",
    )
    tx.script((*DEFINITIONS, *pragmas))


def file_faults(connection: DriverConnection, limit: int) -> list[str]:
    """What is wrong with a file that has the version of a store: damage, a foreign schema, values
    of a wrong type.

    Nothing for a sound file of this version or an older one, which opening it upgrades.
    """
    return faults_that_last(partial(_faults_seen, connection, limit))


def _faults_seen(connection: DriverConnection, limit: int) -> list[str]:
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    expected = schema_made_by((*DEFINITIONS, *TRIGGERS.values()))
    is_older = version < SCHEMA_VERSION
    faults = damage(connection, limit) + schema_faults(
        connection,
        expected,
        optional=TRIGGERS,
        is_older=is_older,
    )
    return faults or ([] if is_older else wrong_values(connection, expected, limit))


def _upgrade(tx: Transaction, database: Database, version: int) -> None:
    from mqsc.store.sqlite import (
        migrations,
    )  # imports Alembic, which takes 0.1 s, so only an upgrade pays for it

    folder = liveness.folder_beside(database.path or "")
    if any(
        not liveness.is_dead(folder, file) for _, file in connections.other_processes(tx, mine=0)
    ):
        raise StoreError(
            f"{database.path} was written by an older version of mqsc, and programs of that "
            "version are using it; end "
            "them so that it can be upgraded",
        )
    migrations.upgrade(tx, version)


def _not_a_store(database: Database) -> StoreError:
    return StoreError(
        f"{database.path} is not a store: another program created this SQLite database",
    )
