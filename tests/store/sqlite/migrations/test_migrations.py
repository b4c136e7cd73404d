"""A store of an earlier version gets the schema of a new store and keeps its contents."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import mqsc
from store import Environment, Message, StoreError, open_store
from store.sql.rows import SCHEMA_VERSION
from store.sqlite.locks import LivenessFile, folder_beside
from store.sqlite.migrations import STEPS

FIRST_VERSION = (Path(__file__).parent / "version_1.sql").read_text(encoding="utf-8")
AT = 1_700_000_000_000_000


@pytest.fixture
def first(tmp_path: Path) -> Path:
    """A store with the tables of the first version."""
    path = tmp_path / "first.db"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(FIRST_VERSION)
    return path


def schema_of(path: Path) -> dict[str, str]:
    with closing(sqlite3.connect(path)) as database:
        found = database.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
        assert database.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
    return {name: re.sub(r" ?([(),]) ?", r"\1", " ".join(sql.split())) for name, sql in found}


def test_there_is_a_step_for_every_version() -> None:
    assert sorted(STEPS) == list(range(2, SCHEMA_VERSION + 1))


def test_an_upgraded_store_has_the_tables_and_indexes_of_a_new_one(first: Path, tmp_path: Path) -> None:
    new = tmp_path / "new.db"
    for path in (first, new):
        open_store(f"sqlite:///{path}").close()
    assert schema_of(first) == schema_of(new)


def test_an_upgraded_store_works(first: Path) -> None:
    with open_store(f"sqlite:///{first}", Environment.frozen(at=AT)) as store:
        qmgr = store.create_queue_manager("QM1")
        assert mqsc.run(qmgr, "DEFINE QLOCAL(A)")[0].completion == 0
        with qmgr.connect() as connection:
            connection.put1("A", Message(b"kept"))
    with open_store(f"sqlite:///{first}", Environment.frozen(at=AT)) as store:
        [reply] = mqsc.run(store.queue_manager("QM1"), "DISPLAY QLOCAL(A) CURDEPTH")
        assert reply.rows[0]["CURDEPTH"] == 1


def test_units_of_work_keep_their_connection_and_number(first: Path) -> None:
    with closing(sqlite3.connect(first)) as database, database:
        database.execute("INSERT INTO event (qmgr, kind, unit) VALUES ('QM1', 'PUT', ?)", [(7 << 24) | 5])
        database.execute("INSERT INTO event (qmgr, kind, unit) VALUES ('QM1', 'PUT', NULL)")
    open_store(f"sqlite:///{first}").close()
    with closing(sqlite3.connect(first)) as database:
        assert database.execute("SELECT unit FROM event ORDER BY seq").fetchall() == [((7 << 32) | 5,), (None,)]


def test_intra_group_queuing_is_disabled_because_it_does_not_exist(first: Path) -> None:
    with closing(sqlite3.connect(first)) as database, database:
        database.execute(
            "INSERT INTO object (owner, namespace, name, type, attributes)"
            """ VALUES ('QM1', 'qmgr', 'QM1', 'QMGR', '{"DESCR": "x", "IGQ": "ENABLED"}')"""
        )
    open_store(f"sqlite:///{first}").close()
    with closing(sqlite3.connect(first)) as database:
        assert database.execute("SELECT attributes FROM object").fetchall() == [('{"DESCR":"x"}',)]


def test_stream_queues_are_read_from_the_definitions(first: Path) -> None:
    definitions = {
        "A": '{"STREAMQ": "B", "STRMQOS": "MUSTDUP"}',
        "B": '{"STREAMQ": "", "STRMQOS": "BESTEF"}',
        "OLD": '{"MAXDEPTH": 5}',
    }
    with closing(sqlite3.connect(first)) as database, database:
        for name, attributes in definitions.items():
            values = ["QM1", "queue", name, "QLOCAL", attributes]
            database.execute(
                "INSERT INTO object (owner, namespace, name, type, attributes) VALUES (?, ?, ?, ?, ?)", values
            )
            database.execute("INSERT INTO queue (owner, name, type) VALUES ('QM1', ?, 'QLOCAL')", [name])
        database.execute("INSERT INTO queue (owner, name, type) VALUES ('QM1', 'NO.DEFINITION', 'QLOCAL')")
    open_store(f"sqlite:///{first}").close()
    with closing(sqlite3.connect(first)) as database:
        rows = database.execute("SELECT name, stream_queue, must_duplicate FROM queue ORDER BY id").fetchall()
    assert rows == [("A", "B", 1), ("B", "", 0), ("OLD", "", 0), ("NO.DEFINITION", "", 0)]


def test_event_attributes_are_read_from_the_definition(first: Path) -> None:
    with closing(sqlite3.connect(first)) as database, database:
        database.execute("INSERT INTO queue_manager (name, state) VALUES ('QM1', 'RUNNING'), ('QM2', 'RUNNING')")
        database.execute(
            "INSERT INTO object (owner, namespace, name, type, attributes)"
            """ VALUES ('QM1', 'qmgr', 'QM1', 'QMGR', '{"CMDEV": "NODISPLAY", "CONFIGEV": "ENABLED"}')"""
        )
    open_store(f"sqlite:///{first}").close()
    with closing(sqlite3.connect(first)) as database:
        rows = database.execute("SELECT command_event, configuration_event FROM queue_manager ORDER BY name").fetchall()
    assert rows == [(2, 1), (0, 0)]


def test_the_index_type_is_read_from_the_definition(first: Path) -> None:
    definitions = {"A": '{"INDXTYPE": "CORRELID"}', "B": '{"INDXTYPE": "NONE"}', "OLD": '{"MAXDEPTH": 5}'}
    with closing(sqlite3.connect(first)) as database, database:
        for name, attributes in definitions.items():
            values = ["QM1", "queue", name, "QLOCAL", attributes]
            database.execute(
                "INSERT INTO object (owner, namespace, name, type, attributes) VALUES (?, ?, ?, ?, ?)", values
            )
            database.execute("INSERT INTO queue (owner, name, type) VALUES ('QM1', ?, 'QLOCAL')", [name])
    open_store(f"sqlite:///{first}").close()
    with closing(sqlite3.connect(first)) as database:
        rows = database.execute("SELECT index_type, structure, structure_longest FROM queue ORDER BY id").fetchall()
    assert rows == [(2, "", None), (0, "", None), (0, "", None)]


def test_the_definition_of_a_queue_manager_is_where_the_upgrade_looks(tmp_path: Path) -> None:
    with open_store(f"sqlite:///{tmp_path / 'new.db'}") as store:
        store.create_queue_manager("QM1")
    with closing(sqlite3.connect(tmp_path / "new.db")) as database:
        rows = database.execute("SELECT owner, namespace, name FROM object WHERE type = 'QMGR'").fetchall()
    assert rows == [("QM1", "qmgr", "QM1")]


def test_no_store_is_upgraded_under_a_program_of_the_older_version(first: Path) -> None:
    alive = LivenessFile(folder_beside(str(first)))
    with closing(sqlite3.connect(first)) as database, database:
        database.execute("INSERT INTO process (file) VALUES (?)", [alive.name])
    with pytest.raises(StoreError, match="programs of that version are using it"):
        open_store(f"sqlite:///{first}")
    alive.release()
    open_store(f"sqlite:///{first}").close()
    assert schema_of(first)
