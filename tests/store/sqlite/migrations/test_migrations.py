"""A store of an earlier version gets the schema of a new store and keeps its contents."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import pytest

import mqsc
from mqsc.store import Environment, Message, StoreError, open_store
from mqsc.store.admin.authority import status
from mqsc.store.sql.rows import SCHEMA_VERSION
from mqsc.store.sqlite.liveness import LivenessFile, folder_beside
from mqsc.store.sqlite.migrations import STEPS

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
        found = database.execute(
            "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL",
        ).fetchall()
        assert database.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
    return {name: re.sub(r" ?([(),]) ?", r"\1", " ".join(sql.split())) for name, sql in found}


def test_there_is_a_step_for_every_version() -> None:
    assert sorted(STEPS) == list(range(2, SCHEMA_VERSION + 1))


def test_an_upgraded_store_has_the_tables_and_indexes_of_a_new_one(
    first: Path,
    tmp_path: Path,
) -> None:
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


def upgraded(path: Path, query: str, *statements: str) -> list[tuple[object, ...]]:
    """What a query finds after these statements in a store of the first version, and its
    upgrade.
    """
    with closing(sqlite3.connect(path)) as database:
        database.executescript(";".join(statements))
    open_store(f"sqlite:///{path}").close()
    with closing(sqlite3.connect(path)) as database:
        return database.execute(query).fetchall()


def defined(namespace: str, type: str, attributes: Mapping[str, str]) -> list[str]:
    """Statements that add definitions of QM1 by name, and rows of queues."""
    rows = [
        f"('QM1', '{namespace}', '{name}', '{type}', '{text}')" for name, text in attributes.items()
    ]
    made = [
        f"INSERT INTO object (owner, namespace, name, type, attributes) VALUES {', '.join(rows)}",
    ]
    if type == "QLOCAL":
        made += [
            f"INSERT INTO queue (owner, name, type) VALUES ('QM1', '{name}', 'QLOCAL')"
            for name in attributes
        ]
    return made


# What the step to version 8 adds, taken away again.
BEFORE_AUTHORITIES = """
DROP TABLE subscription;
DROP TABLE retained;
DROP TABLE published_topic;
DROP TABLE publisher;
DROP TABLE user_group;
DROP TABLE running_object;
DROP INDEX event_refused;
ALTER TABLE queue_manager DROP COLUMN authority_mode;
ALTER TABLE queue_manager DROP COLUMN os_groups;
ALTER TABLE connection DROP COLUMN channel;
ALTER TABLE connection DROP COLUMN address;
PRAGMA user_version = 7
"""


@pytest.mark.parametrize(("user", "mode", "acts"), [("app", "warn", "warn"), ("", "auto", "")])
def test_z06_a_store_with_users_from_before_only_warns(
    tmp_path: Path,
    user: str,
    mode: str,
    acts: str,
) -> None:
    path = tmp_path / "store.db"
    with open_store(f"sqlite:///{path}", Environment.frozen(at=AT)) as store:
        mqsc.run(store.create_queue_manager("QM1"), "DEFINE QLOCAL(A)", check=True)
        if user:
            store.add_user(user, "a password")
    with closing(sqlite3.connect(path)) as database:
        database.executescript(BEFORE_AUTHORITIES)
    with open_store(f"sqlite:///{path}", Environment.frozen(at=AT)) as store:
        qmgr = store.queue_manager("QM1")
        assert (status(qmgr).mode, status(qmgr).acts) == (mode, acts)
        with qmgr.connect(user="bob") as connection:
            connection.put1("A", Message(b"as before"))


def test_units_of_work_keep_their_connection_and_number(first: Path) -> None:
    insert = (
        f"INSERT INTO event (qmgr, kind, unit) VALUES ('QM1', 'PUT', {(7 << 24) | 5}), ('QM1', "
        "'PUT', NULL)"
    )
    assert upgraded(first, "SELECT unit FROM event ORDER BY seq", insert) == [
        ((7 << 32) | 5,),
        (None,),
    ]


def test_attributes_of_the_queue_manager(first: Path) -> None:
    """Intra-group queuing is disabled, because it does not exist; event attributes are read from
    the definition.
    """
    attributes = {
        "QM1": '{"DESCR": "x", "IGQ": "ENABLED", "CMDEV": "NODISPLAY", "CONFIGEV": "ENABLED"}',
    }
    managers = (
        "INSERT INTO queue_manager (name, state) VALUES ('QM1', 'RUNNING'), ('QM2', 'RUNNING')"
    )
    query = "SELECT command_event, configuration_event FROM queue_manager ORDER BY name"
    assert upgraded(first, query, *defined("qmgr", "QMGR", attributes), managers) == [
        (2, 1),
        (0, 0),
    ]
    left = '{"DESCR":"x","CMDEV":"NODISPLAY","CONFIGEV":"ENABLED"}'
    assert upgraded(first, "SELECT attributes FROM object") == [(left,)]


def test_stream_queues_and_the_index_type_are_read_from_the_definitions(first: Path) -> None:
    definitions = {
        "A": '{"STREAMQ": "B", "STRMQOS": "MUSTDUP", "INDXTYPE": "CORRELID"}',
        "B": '{"STREAMQ": "", "STRMQOS": "BESTEF", "INDXTYPE": "NONE"}',
        "OLD": '{"MAXDEPTH": 5}',
    }
    without = "INSERT INTO queue (owner, name, type) VALUES ('QM1', 'NO.DEFINITION', 'QLOCAL')"
    columns = "name, stream_queue, must_duplicate, index_type, structure, structure_longest"
    query = f"SELECT {columns} FROM queue ORDER BY id"
    assert upgraded(first, query, *defined("queue", "QLOCAL", definitions), without) == [
        *(("A", "B", 1, 2, "", None), ("B", "", 0, 0, "", None), ("OLD", "", 0, 0, "", None)),
        ("NO.DEFINITION", "", 0, 0, "", None),
    ]


def test_subscriptions_act_as_their_definitions_say(first: Path) -> None:
    topics = {"T": '{"TOPICSTR": "prices"}'}
    common = (
        '"SUBLEVEL": 1, "DESTCORL": "", "SUBUSER": "anna", "VARUSER": "ANY", "WSCHEMA": "TOPIC"'
    )
    definitions = {
        "S": f'{{"TOPICOBJ": "T", "TOPICSTR": "fruit", "SUBID": "AA", "DEST": "Q", {common}}}',
        "MANAGED": f'{{"TOPICSTR": "x", "SUBID": "BB", "DESTCLAS": "MANAGED", {common}}}',
        "SYSTEM.DEFAULT.SUB": f'{{"TOPICSTR": "", "SUBID": "CC", {common}}}',
    }
    provided = {
        name: text.replace("{", '{"DESTCLAS": "PROVIDED", ', 1) if "MANAGED" not in text else text
        for name, text in definitions.items()
    }
    columns = "name, topic_string, destination, correlation, user, any_user, level, durable, bucket"
    rows = upgraded(
        first,
        f"SELECT {columns} FROM subscription",
        *defined("topic", "TOPIC", topics),
        *defined("sub", "SUB", provided),
    )
    assert rows == [("S", "prices/fruit", "Q", "AA", "anna", 1, 1, 1, "")]


def test_the_definition_of_a_queue_manager_is_where_the_upgrade_looks(tmp_path: Path) -> None:
    with open_store(f"sqlite:///{tmp_path / 'new.db'}") as store:
        store.create_queue_manager("QM1")
    rows = upgraded(
        tmp_path / "new.db",
        "SELECT owner, namespace, name FROM object WHERE type = 'QMGR'",
    )
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
