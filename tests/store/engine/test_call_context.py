"""Time, identifiers and the cause of an event."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from store.client.api import QueueManager
from store.engine.state import CallContext, identifiers, time_of
from store.environment import Environment
from store.sqlite.database import Reading
from tests.conftest import START
from tests.store.tables import rows


@pytest.fixture
def call(qmgr: QueueManager) -> CallContext:
    with Reading(qmgr.store.database) as reading:
        return qmgr.call_context(reading)


def test_a_frozen_clock_overrides_a_manual_one_and_a_manual_one_the_machines(call: CallContext) -> None:
    manual, real = replace(call.qmgr, clock_at=7), Environment.system()
    assert time_of(call.qmgr, call.environment) == START
    assert time_of(manual, call.environment) == START
    assert time_of(manual, real) == 7
    assert time_of(call.qmgr, real) > START


@rows(
    ("QM1", 0, 2, b"AMQ QM1         " + bytes([0, 0, 0, 2, 0, 0, 0, 3])),
    ("LONG.NAME.OF.QM", 0, 0, b"AMQ LONG.NAME.OF" + bytes([0, 0, 0, 0, 0, 0, 0, 3])),
    # The salt is added, modulo 2 to the 64th.
    ("QM1", (1 << 64) - 1, 2, b"AMQ QM1         " + bytes([0, 0, 0, 2, 0, 0, 0, 2])),
    ("QM1", (1 << 64) - 2, 0, b"AMQ QM1         " + bytes([0, 0, 0, 0, 0, 0, 0, 1])),
)
def test_an_identifier_names_the_queue_manager_the_connection_and_its_number(
    qmgr: str, salt: int, connection: int, third: bytes
) -> None:
    made = identifiers(qmgr, salt, connection)
    assert [next(made) for _ in range(3)][2] == third


def test_generated_identifiers_differ_from_each_other_and_from_those_of_connections(call: CallContext) -> None:
    made = {call.new_identifier() for _ in range(20)}
    assert len(made) == 20
    # Identifiers of connections have their number there, which is never 0.
    assert {each[16:20] for each in made} == {bytes(4)}


def test_an_event_names_who_caused_it_and_when(call: CallContext) -> None:
    by = replace(call, connection=5, application="billing", user="alice")
    assert by.event("GET", queue="Q") == {
        "at": START,
        "qmgr": "QM1",
        "kind": "GET",
        "connection": 5,
        "application": "billing",
        "user": "alice",
        "queue": "Q",
    }
