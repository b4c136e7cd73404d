"""Event messages about objects that are defined, altered, deleted and refreshed (events §5)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

import mqsc
from mqsc.store.admin.altering import change, change_queue_manager
from mqsc.store.admin.clearing import clear
from mqsc.store.admin.defining import create
from mqsc.store.admin.peeking import peek
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.engine import configuration_event
from mqsc.store.engine.state import CallContext, Command
from mqsc.store.headers import pcf
from mqsc.store.rules.object_events import CHANGED, CREATED, DELETED, INTERNAL, REFRESHED
from mqsc.store.sql import objects
from mqsc.store.sql.objects import ObjectRow
from mqsc.store.sqlite.database import Transaction
from tests.rows import rows
from tests.store.tables import giving

QUEUE = "SYSTEM.ADMIN.CONFIG.EVENT"
QLOCAL = KINDS["QLOCAL"]
USER, ORIGIN, NAME, DEPTH = 3045, 1011, 2016, 15


class Shown(NamedTuple):
    """An event message: its reason, its number in its series, whether it is the last of that,
    and its object.
    """

    reason: int
    number: int
    control: int
    name: object
    correl_id: bytes
    values: dict[int, object]


def shown(qmgr: QueueManager) -> list[Shown]:
    """Return the configuration events on the event queue."""
    found = []
    for each in peek(qmgr, QUEUE):
        header, parameters = pcf.unpack(each.body)
        values: dict[int, object] = {parameter.number: parameter.value for parameter in parameters}
        name = values.get(NAME)
        correl_id = each.descriptor.correl_id
        found.append(
            Shown(header.reason, header.msg_seq_number, header.control, name, correl_id, values),
        )
    return found


def calling(qmgr: QueueManager, act: Callable[[Transaction, CallContext], object]) -> list[Shown]:
    """Run `act` in a transaction; return the events it causes."""
    clear(qmgr, QUEUE)
    with Transaction(qmgr.store.database, durable=False) as tx:
        act(tx, qmgr.call_context(tx))
    return shown(qmgr)


@pytest.fixture
def enabled(qmgr: QueueManager) -> QueueManager:
    """A queue manager with CONFIGEV(ENABLED) and the queues A and AB."""
    create(qmgr, QLOCAL, "A", {"MAXDEPTH": 7})
    create(qmgr, QLOCAL, "AB", {})
    change_queue_manager(qmgr, {"CONFIGEV": "ENABLED"})
    return qmgr


def definition(tx: Transaction, name: str = "A", **changes: str) -> ObjectRow:
    row = objects.by_name(tx, "QM1", "queue", name)
    assert row is not None
    return row._replace(attributes={**row.attributes, **changes})


def test_an_object_is_created(enabled: QueueManager) -> None:
    (event,) = calling(
        enabled,
        lambda tx, call: configuration_event.created(
            tx,
            replace(call, user="alice"),
            QLOCAL,
            "NEW",
            definition(tx).attributes,
        ),
    )
    assert (event.reason, event.number, event.control, event.name) == (CREATED, 1, pcf.LAST, "NEW")
    assert (event.values[USER], event.values[ORIGIN], event.values[DEPTH]) == ("alice", 1, 7)
    assert event.correl_id != bytes(24)


def test_an_object_is_deleted(enabled: QueueManager) -> None:
    (event,) = calling(
        enabled,
        lambda tx, call: configuration_event.deleted(tx, call, definition(tx), origin=INTERNAL),
    )
    assert (event.reason, event.number, event.control, event.name) == (DELETED, 1, pcf.LAST, "A")
    assert (event.values[ORIGIN], event.values[DEPTH]) == (INTERNAL, 7)


def test_a_change_shows_the_object_before_and_after_it(enabled: QueueManager) -> None:
    def act(tx: Transaction, call: CallContext) -> None:
        before = definition(tx)
        configuration_event.changed(
            tx, call, before, {**before.attributes, "MAXDEPTH": 8}, call.now
        )

    before, after = calling(enabled, act)
    assert (before.reason, before.number, before.control, before.values[DEPTH]) == (
        CHANGED,
        1,
        pcf.NOT_LAST,
        7,
    )
    assert (after.reason, after.number, after.control, after.values[DEPTH]) == (
        CHANGED,
        2,
        pcf.LAST,
        8,
    )
    assert before.correl_id == after.correl_id != bytes(24)


def test_events_of_one_command_carry_the_same_identifier(enabled: QueueManager) -> None:
    command = Command()

    def act(tx: Transaction, call: CallContext) -> None:
        for name in ("A", "AB"):
            configuration_event.deleted(tx, replace(call, command=command), definition(tx, name))

    assert {each.correl_id for each in calling(enabled, act)} == {command.identifier}


def test_a_call_becomes_a_command_only_once(enabled: QueueManager) -> None:
    with Transaction(enabled.store.database, durable=False) as tx:
        call = enabled.call_context(tx)
    as_command = configuration_event.with_command(call)
    assert isinstance(as_command.command, Command)
    assert configuration_event.with_command(as_command) is as_command


def all_events_of(row: ObjectRow) -> Callable[[Transaction, CallContext], None]:
    def act(tx: Transaction, call: CallContext) -> None:
        configuration_event.created(tx, call, KINDS[row.type], row.name, row.attributes)
        configuration_event.deleted(tx, call, row)
        configuration_event.changed(tx, call, row, row.attributes, call.now)

    return act


@rows(
    *giving(4, {}, {"attributes": {"DEFTYPE": "PERMDYN"}}),
    *giving(0, {"name": QUEUE}, {"type": "SUB"}, {"attributes": {"DEFTYPE": "TEMPDYN"}}),
)
def test_objects_without_events(enabled: QueueManager, changes: dict[str, Any], count: int) -> None:
    """The queue of these events, kinds without event messages, and temporary dynamic queues."""
    row = ObjectRow(0, "QM1", "queue", "A", "QLOCAL", {}, 1, 1)._replace(**changes)
    assert len(calling(enabled, all_events_of(row))) == count


def test_no_event_while_they_are_disabled(enabled: QueueManager) -> None:
    change_queue_manager(enabled, {"CONFIGEV": "DISABLED"})
    assert (
        calling(enabled, all_events_of(ObjectRow(0, "QM1", "queue", "A", "QLOCAL", {}, 1, 1))) == []
    )


def test_enabling_the_events_shows_every_object_once(qmgr: QueueManager) -> None:
    create(qmgr, QLOCAL, "A", {})
    change_queue_manager(qmgr, {"CONFIGEV": "ENABLED"})
    events = shown(qmgr)
    assert [(each.reason, each.number) for each in events[:2]] == [(CHANGED, 1), (CHANGED, 2)]
    assert {each.reason for each in events[2:]} == {REFRESHED}
    assert [each.name for each in events if each.name in ("A", QUEUE)] == ["A", QUEUE]
    clear(qmgr, QUEUE)
    change_queue_manager(qmgr, {"CONFIGEV": "ENABLED"})
    assert [each.reason for each in shown(qmgr)] == [CHANGED, CHANGED], "they were enabled already"
    clear(qmgr, QUEUE)
    change_queue_manager(qmgr, {"CONFIGEV": "DISABLED"})
    assert [each.reason for each in shown(qmgr)] == [CHANGED, CHANGED], "both values count"
    clear(qmgr, QUEUE)
    change(qmgr, QLOCAL, "A", {"DESCR": "x"})
    assert shown(qmgr) == []


@rows(
    ("QLOCAL", "A", 0, ["A"]),
    *giving(["A", "AB"], ("QLOCAL", "A*", 0), ("QLOCAL", "A*", 1_700_000_000_000_000)),
    *giving(
        [],
        ("QLOCAL", "NONE", 0),
        ("QALIAS", "A*", 0),
        ("QLOCAL", "A*", 1_700_000_000_000_001),
        ("SUB", "*", 0),
    ),
)
def test_objects_are_shown_by_kind_name_and_time(
    enabled: QueueManager,
    kind: str,
    pattern: str,
    since: int,
    names: list[str],
) -> None:
    counted: list[int] = []
    events = calling(
        enabled,
        lambda tx, call: counted.append(
            configuration_event.refresh(tx, call, KINDS[kind], pattern, since),
        ),
    )
    assert [each.name for each in events] == names
    assert counted == [len(names)]
    assert {each.reason for each in events} <= {REFRESHED}


def test_more_objects_than_a_page_are_all_shown_once(enabled: QueueManager) -> None:
    """A page has 1 000 objects."""
    common = {
        "owner": "QM1",
        "namespace": "queue",
        "type": "QLOCAL",
        "created_at": 1,
        "altered_at": 1,
    }
    with Transaction(enabled.store.database, durable=False) as tx:
        objects.add_all(
            tx,
            [{**common, "name": f"X{number:04}", "attributes": {}} for number in range(1001)],
        )
    events = calling(enabled, lambda tx, call: configuration_event.refresh(tx, call, QLOCAL, "X*"))
    assert [each.name for each in events] == [f"X{number:04}" for number in range(1001)]


def test_every_record_of_a_profile_is_shown(enabled: QueueManager) -> None:
    """The name of a record is that of its profile, a line feed, and more."""
    for user in ("alice", "bob"):
        create_authority(enabled, "ORDERS", user)
    create_authority(enabled, "ORDERS2", "alice")
    events = calling(
        enabled,
        lambda tx, call: configuration_event.refresh(tx, call, KINDS["AUTHREC"], "ORDERS"),
    )
    assert len(events) == 2


def create_authority(qmgr: QueueManager, profile: str, user: str) -> None:
    command = f"SET AUTHREC PROFILE({profile}) OBJTYPE(QUEUE) PRINCIPAL('{user}') AUTHADD(GET)"
    mqsc.run(qmgr, command, check=True)
