"""MQSET."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from mqsc.store.admin.altering import change
from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS
from mqsc.store.client.connection import Connection
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.constants import MQCA, MQIA, MQOO, MQOT, MQRC
from mqsc.store.environment import Environment, FrozenClock
from mqsc.store.message import Message
from tests.rows import rows
from tests.store.admin.looking import history, queue_row, shown
from tests.store.mqi.calls import reason_of
from tests.store.tables import giving, named_rows

MOST = 999_999_999
QLOCAL, QALIAS, QREMOTE = KINDS["QLOCAL"], KINDS["QALIAS"], KINDS["QREMOTE"]


@pytest.fixture
def connection(qmgr: QueueManager) -> Iterator[Connection]:
    """A connection to a queue manager with a queue Q that triggers to INIT, its alias A, and a
    remote queue R.
    """
    create(qmgr, QLOCAL, "INIT", {})
    create(qmgr, KINDS["PROCESS"], "P", {"APPLICID": "run"})
    create(qmgr, QLOCAL, "Q", {"INITQ": "INIT", "PROCESS": "P"})
    create(qmgr, QALIAS, "A", {"TARGET": "Q"})
    create(qmgr, QLOCAL, "X", {"USAGE": "XMITQ"})
    create(qmgr, QREMOTE, "R", {"RNAME": "THERE", "RQMNAME": "QM2", "XMITQ": "X"})
    with qmgr.connect(application="billing", user="alice") as connected:
        yield connected


Values = dict[int, int | str]


# (kind, name, values to set, attributes of that object afterwards)
@rows(
    (
        "QLOCAL",
        "Q",
        {MQIA.INHIBIT_GET: 1, MQIA.INHIBIT_PUT: 1},
        {"GET": "DISABLED", "PUT": "DISABLED"},
    ),
    ("QLOCAL", "Q", {MQIA.INHIBIT_GET: 0}, {"GET": "ENABLED"}),
    ("QLOCAL", "Q", {MQIA.TRIGGER_CONTROL: 1}, {"TRIGGER": "TRIGGER"}),
    ("QLOCAL", "Q", {MQIA.TRIGGER_TYPE: 0}, {"TRIGTYPE": "NONE"}),
    (
        "QLOCAL",
        "Q",
        {MQIA.TRIGGER_TYPE: 3, MQIA.TRIGGER_DEPTH: MOST},
        {"TRIGTYPE": "DEPTH", "TRIGDPTH": MOST},
    ),
    ("QLOCAL", "Q", {MQIA.TRIGGER_MSG_PRIORITY: 9}, {"TRIGMPRI": 9}),
    ("QLOCAL", "Q", {MQCA.TRIGGER_DATA: "x" * 64}, {"TRIGDATA": "x" * 64}),
    ("QLOCAL", "Q", {MQCA.TRIGGER_DATA: "to be cut   "}, {"TRIGDATA": "to be cut"}),
    ("QLOCAL", "Q", {MQIA.DIST_LISTS: 1}, {"DISTL": "YES"}),
    (
        "QALIAS",
        "A",
        {MQIA.INHIBIT_GET: 1, MQIA.INHIBIT_PUT: 1},
        {"GET": "DISABLED", "PUT": "DISABLED"},
    ),
    ("QLOCAL", "Q", {}, {"GET": "ENABLED", "PUT": "ENABLED"}),
    ("QREMOTE", "R", {MQIA.INHIBIT_PUT: 1}, {"PUT": "DISABLED"}),
)
def test_m5_what_mqset_can_set(
    qmgr: QueueManager,
    connection: Connection,
    kind: str,
    name: str,
    values: Values,
    attributes: dict[str, Any],
) -> None:
    connection.open(name, MQOO.SET).set(values)
    row = shown(qmgr, kind, name)
    assert {word: row[word] for word in attributes} == attributes


@rows(
    *giving(MQRC.INHIBIT_VALUE_ERROR, ("Q", {MQIA.INHIBIT_GET: 2}), ("Q", {MQIA.INHIBIT_PUT: -1})),
    ("Q", {MQIA.TRIGGER_CONTROL: 2}, MQRC.TRIGGER_CONTROL_ERROR),
    *giving(
        MQRC.TRIGGER_DEPTH_ERROR,
        ("Q", {MQIA.TRIGGER_DEPTH: 0}),
        ("Q", {MQIA.TRIGGER_DEPTH: MOST + 1}),
    ),
    ("Q", {MQIA.INHIBIT_PUT: 1, MQIA.TRIGGER_DEPTH: 0}, MQRC.TRIGGER_DEPTH_ERROR),
    ("Q", {MQIA.TRIGGER_MSG_PRIORITY: 10}, MQRC.TRIGGER_MSG_PRIORITY_ERR),
    ("Q", {MQIA.TRIGGER_MSG_PRIORITY: -1}, MQRC.TRIGGER_MSG_PRIORITY_ERR),
    ("Q", {MQIA.TRIGGER_TYPE: 4}, MQRC.TRIGGER_TYPE_ERROR),
    ("Q", {MQCA.TRIGGER_DATA: "x" * 65}, MQRC.CHAR_ATTR_LENGTH_ERROR),
    ("Q", {MQCA.TRIGGER_DATA: 7}, MQRC.CHAR_ATTRS_ERROR),
    ("Q", {MQIA.INHIBIT_GET: "1"}, MQRC.INT_ATTRS_ARRAY_ERROR),
    *giving(
        MQRC.SELECTOR_ERROR,
        ("Q", {MQIA.MAX_Q_DEPTH: 10}),
        ("Q", {MQCA.INITIATION_Q_NAME: "I"}),
        ("Q", {1999: 1}),
    ),
    *giving(MQRC.SELECTOR_ERROR, ("A", {MQIA.TRIGGER_CONTROL: 1}), ("R", {MQIA.INHIBIT_GET: 1})),
)
def test_m5_what_mqset_refuses_changes_nothing(
    qmgr: QueueManager,
    connection: Connection,
    name: str,
    values: Values,
    reason: int,
) -> None:
    before = queue_row(qmgr, name)
    handle = connection.open(name, MQOO.SET)
    assert reason_of(lambda: handle.set(values)) == reason
    assert queue_row(qmgr, name) == before
    assert [each.kind for each in history(qmgr.store, name)] == ["DEFINE", "OPEN"]


def test_m5_a_handle_must_be_open_for_set(connection: Connection) -> None:
    closed = connection.open("Q", MQOO.SET)
    closed.close()
    manager = connection.open("", MQOO.INQUIRE, object_type=MQOT.Q_MGR)
    handles = (connection.open("Q", MQOO.INQUIRE), manager, closed)
    reasons = [reason_of(partial(each.set, {MQIA.INHIBIT_GET: 1})) for each in handles]
    assert reasons == [MQRC.NOT_OPEN_FOR_SET, MQRC.NOT_OPEN_FOR_SET, MQRC.HOBJ_ERROR]


def test_m5_a_change_counts_at_once_and_is_not_undone_by_back(
    qmgr: QueueManager,
    connection: Connection,
) -> None:
    handle = connection.open("Q", MQOO.SET | MQOO.OUTPUT)
    connection.begin()
    handle.set({MQIA.INHIBIT_PUT: 1})
    assert reason_of(lambda: handle.put(Message(b"x"))) == MQRC.PUT_INHIBITED
    connection.back()
    assert shown(qmgr, "QLOCAL", "Q")["PUT"] == "DISABLED"


def test_through_an_alias_opened_for_more_than_set_the_base_queue_is_changed(
    qmgr: QueueManager,
    connection: Connection,
) -> None:
    connection.open("A", MQOO.SET | MQOO.INPUT_SHARED).set(
        {MQIA.INHIBIT_GET: 1, MQIA.TRIGGER_DEPTH: 7},
    )
    assert (shown(qmgr, "QLOCAL", "Q")["GET"], shown(qmgr, "QALIAS", "A")["GET"]) == (
        "DISABLED",
        "ENABLED",
    )


def test_the_history_tells_who_changed_what(store: Store, connection: Connection) -> None:
    connection.open("Q", MQOO.SET).set(
        {MQIA.INHIBIT_GET: 1, MQIA.TRIGGER_DEPTH: 1, MQCA.TRIGGER_DATA: "x"},
    )
    last = history(store, "Q")[-1]
    assert (last.kind, last.cause, last.target, last.user) == (
        "SET",
        "application",
        "QLOCAL",
        "alice",
    )
    assert last.detail == {"GET": ["ENABLED", "DISABLED"], "TRIGDATA": ["", "x"]}


def test_the_date_of_alteration_stays(
    qmgr: QueueManager,
    connection: Connection,
    environment: Environment[FrozenClock],
) -> None:
    before = shown(qmgr, "QLOCAL", "Q")
    environment.clock.advance(3600)
    connection.open("Q", MQOO.SET).set({MQIA.TRIGGER_DEPTH: 5})
    after = shown(qmgr, "QLOCAL", "Q")
    assert (after["ALTDATE"], after["ALTTIME"]) == (before["ALTDATE"], before["ALTTIME"])


def test_columns_and_definition_change_together(qmgr: QueueManager, connection: Connection) -> None:
    version = queue_row(qmgr, "Q").version
    connection.open("Q", MQOO.SET).set(
        {MQIA.TRIGGER_TYPE: 3, MQIA.TRIGGER_CONTROL: 1, MQIA.INHIBIT_GET: 1},
    )
    row = queue_row(qmgr, "Q")
    assert (row.trigger_type, row.trigger_on, row.get_enabled) == (3, 1, 0)
    assert row.version > version


# triggering §4: (name, attributes before, values to set, trigger messages made). Q holds two
# messages.
@named_rows(
    ("T31 O-ALTER", {}, {MQIA.TRIGGER_CONTROL: 1}, 1),
    ("T45 no change", {"TRIGGER": "TRIGGER"}, {MQIA.TRIGGER_CONTROL: 1}, 0),
    ("O-ALTER", {"TRIGGER": "TRIGGER", "TRIGMPRI": 5}, {MQIA.TRIGGER_MSG_PRIORITY: 0}, 1),
    ("T44 not relevant", {"TRIGGER": "TRIGGER"}, {MQIA.TRIGGER_DEPTH: 2}, 0),
    (
        "O-ALTER",
        {"TRIGGER": "TRIGGER", "TRIGTYPE": "DEPTH", "TRIGDPTH": 9},
        {MQIA.TRIGGER_DEPTH: 2},
        1,
    ),
    ("text is no occasion", {"TRIGGER": "TRIGGER"}, {MQCA.TRIGGER_DATA: "x"}, 0),
)
def test_trigger_messages_that_a_change_brings_about(
    qmgr: QueueManager,
    connection: Connection,
    before: dict[str, Any],
    values: Values,
    made: int,
) -> None:
    with qmgr.connect() as other:
        other.open("Q", MQOO.OUTPUT).put([Message(b"1"), Message(b"2")])
    change(qmgr, QLOCAL, "Q", before)
    already = shown(qmgr, "QLOCAL", "INIT")["CURDEPTH"]
    connection.open("Q", MQOO.SET).set(values)
    assert shown(qmgr, "QLOCAL", "INIT")["CURDEPTH"] - already == made


def test_get_enabled_is_an_occasion_too(qmgr: QueueManager, connection: Connection) -> None:
    """O-GET requires a monitor, unlike O-ALTER."""
    change(qmgr, QLOCAL, "Q", {"TRIGGER": "TRIGGER", "GET": "DISABLED"})
    connection.open("INIT", MQOO.INPUT_SHARED)
    connection.open("Q", MQOO.OUTPUT).put(Message(b"x"))
    assert shown(qmgr, "QLOCAL", "INIT")["CURDEPTH"] == 0
    connection.open("Q", MQOO.SET).set({MQIA.INHIBIT_GET: 0})
    assert shown(qmgr, "QLOCAL", "INIT")["CURDEPTH"] == 1
