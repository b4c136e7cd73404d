"""An hour of the day in real processes; and losses, duplicates and growth would be noticed."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from msgspec import structs

from mqsc.store.admin.channel.status import change, claim
from mqsc.store.constants import MQCHS
from tests.day_of_work import day
from tests.day_of_work.accounts import Ends, faults_of, unrecorded
from tests.day_of_work.figures import (
    MEGABYTE,
    Hour,
    ProgramFigures,
    StoreFigures,
    excesses,
    line_of,
)
from tests.day_of_work.journals import Journal, Unit, last_number, units
from tests.day_of_work.staff import NAMES
from tests.day_of_work.world import HERE, MIDNIGHT, MINUTE, THERE, Place, World


@pytest.mark.long
def test_an_hour_accounts_for_every_message(tmp_path: Path) -> None:
    result = day.run(tmp_path / "day", day.Plan(hours=1, messages=10), lambda _: None)
    assert result.faults == []
    assert result.kills == 4
    account = result.account
    assert 0 not in (account.got, account.expired, account.discarded)
    gone = account.got + account.expired + account.discarded
    assert account.accepted - account.unsure <= gone <= account.accepted + account.doubtful
    assert str(result.hours[0].messages) in line_of(result.hours[0])


def test_time_passes_for_a_channel_that_waits_for_its_next_attempt(tmp_path: Path) -> None:
    world = World(Place(tmp_path))
    here, there = (world.queue_manager(name) for name in (HERE, THERE))
    world.let_channels_try_again()
    assert here.now() == MIDNIGHT
    claim(here, "HERE.THERE", "", MQCHS.BINDING, {})
    change(here, "HERE.THERE", "", status=MQCHS.RETRYING, retry_at=MIDNIGHT + MINUTE)
    world.let_channels_try_again()
    assert (here.now(), there.now()) == (MIDNIGHT + MINUTE, MIDNIGHT + MINUTE)
    world.let_channels_try_again()
    assert here.now() == MIDNIGHT + MINUTE, "it is due"
    world.close()


ACCEPTED = [Unit(("orders.1", "orders.2"), is_done=True)]
LEFT_OPEN = [Unit(("orders.1", "orders.2"), is_done=False)]


@pytest.mark.parametrize(
    ("written", "certain", "possible", "faults"),
    [
        (ACCEPTED, "orders.1 orders.2", "", []),
        (ACCEPTED, "orders.1", "orders.2", []),
        (ACCEPTED, "orders.1", "", ["lost: orders.2"]),
        (ACCEPTED, "orders.1 orders.1 orders.2", "", ["orders.1 ended twice"]),
        (ACCEPTED, "orders.1 orders.2 orders.3", "", ["orders.3 was never put"]),
        (LEFT_OPEN, "", "", []),
        (LEFT_OPEN, "orders.1 orders.2", "", []),
        (LEFT_OPEN, "orders.2", "", ["lost: orders.1"]),
    ],
)
def test_the_account_finds_what_is_lost_or_doubled(
    written: list[Unit], certain: str, possible: str, faults: list[str]
) -> None:
    ends = Ends(Counter(certain.split()), Counter(possible.split()))
    assert list(faults_of(written, ends)) == faults


def test_an_accepted_message_has_an_event() -> None:
    placed = Counter(["orders.1"])
    assert list(unrecorded(ACCEPTED, placed)) == ["no event says that orders.2 was put"]
    assert list(unrecorded(LEFT_OPEN, placed)) == []


def test_a_journal_goes_on_after_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    assert (list(units(path)), last_number(path)) == ([], 0)
    journal = Journal(path)
    journal.intend(["orders.00000001"])
    journal.done()
    journal.intend(["orders.00000002", "orders.00000003"])
    assert last_number(path) == 3
    Journal(path).intend(["orders.00000004"])
    assert [each.is_done for each in units(path)] == [True, False, False]


def hour(number: int) -> Hour:
    programs = (ProgramFigures("serve-here", 1, 40 * MEGABYTE, 30),)
    store = StoreFigures("HERE", MEGABYTE, MEGABYTE, 10)
    return Hour(number, programs, (store,), (), 0, 0, 0.0)


def test_steady_figures_are_within_their_bounds() -> None:
    assert list(excesses([hour(number) for number in range(1, 13)])) == []


def with_program(number: int, **changed: int) -> Hour:
    (program,) = hour(number).programs
    return structs.replace(hour(number), programs=(structs.replace(program, **changed),))


def with_store(number: int, **changed: int) -> Hour:
    (store,) = hour(number).stores
    return structs.replace(hour(number), stores=(structs.replace(store, **changed),))


@pytest.mark.parametrize(
    ("last", "excess"),
    [
        (with_program(12, memory=300 * MEGABYTE), "hour 12: serve-here takes 300000000 bytes"),
        (with_program(12, memory=50 * MEGABYTE), "serve-here grew by 10000000 bytes of memory"),
        (with_program(12, handles=40), "serve-here has 10 more files open"),
        (with_program(12, handles=100), "hour 12: serve-here has 100 files open"),
        (with_store(12, database=9 * MEGABYTE), "the file of HERE grew by 8000000 bytes"),
        (with_store(12, log=99 * MEGABYTE), "hour 12: the log of HERE took 99000000 bytes"),
        (with_store(12, files=99), "hour 12: HERE has 99 files"),
        (structs.replace(hour(12), temporary=("x",)), "hour 12: temporary files are left: x"),
    ],
)
def test_growth_is_noticed(last: Hour, excess: str) -> None:
    hours = [hour(number) for number in range(1, 12)]
    found = list(excesses([*hours, last]))
    assert any(each.startswith(excess) for each in found), found


def test_a_process_that_was_started_later_has_not_grown() -> None:
    hours = [hour(number) for number in range(1, 12)]
    assert list(excesses([*hours, with_program(12, memory=50 * MEGABYTE, pid=2)])) == []


def test_every_program_is_of_one_kind() -> None:
    assert len(set(NAMES)) == len(NAMES)
    assert {*day.VICTIMS, *day.EARLY_VICTIMS, *day.WRITING, *day.READING} <= {*NAMES}
