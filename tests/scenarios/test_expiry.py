"""Expiry: what a put accepts, what a get returns, skips and discards, and the reports (pages and tests)."""

from __future__ import annotations

import pytest

from store.client.api import QueueManager
from store.constants import MQRC
from tests.scenarios.looking import happened
from tests.scenarios.pages import page
from tests.scenarios.play import Play
from tests.scenarios.waiting import PauseCountingClock, Waiter

OBJECTS = "DEFINE QLOCAL(Q)\nDEFINE QLOCAL(R)\n"


@pytest.mark.parametrize("scenario", page("expiry"))
def test_expiry(qmgr: QueueManager, scenario: str) -> None:
    Play(qmgr).run(scenario)


@pytest.mark.parametrize("scenario", page("expiry_discard"))
def test_discarding(qmgr: QueueManager, scenario: str) -> None:
    Play(qmgr).run(scenario)


def test_e19_a_reply_may_copy_the_remaining_expiry_of_the_request(qmgr: QueueManager) -> None:
    play = Play(qmgr)
    play.run(OBJECTS + "put m1 expiry=100 msg_type=REQUEST reply_to_q=R\nadvance 4\nget => m1 expiry=60")

    request = play.last["A"].descriptor
    play.run(f"put reply on R expiry={request.expiry} correl_id=m1\nget from R => reply expiry=60")


def test_e39_a_message_that_expires_uncommitted_ends_no_wait(qmgr: QueueManager, clock: PauseCountingClock) -> None:
    play = Play(qmgr)
    play.run(OBJECTS)
    waiter = Waiter(qmgr, wait_interval=10_000)
    clock.wait_for_a_search()

    play.run("put exp1 expiry=1 syncpoint\nadvance 2\ncommit")
    clock.wait_for_a_search()
    assert waiter.is_waiting
    play.run("depth Q => 0\nadvance 7.999")
    clock.wait_for_a_search()
    assert waiter.is_waiting
    play.run("advance 0.001")
    assert waiter.outcome() == MQRC.NO_MSG_AVAILABLE


def test_x1_more_expired_messages_than_fit_in_one_transaction(qmgr: QueueManager) -> None:
    play = Play(qmgr)
    play.run(f"{OBJECTS}\nput exp*2002 expiry=10\nput live\nput exp9 expiry=10\nadvance 1")

    play.run("get => live\ndepth Q => 1")
    assert len(happened(qmgr.store, "EXPIRE")) == 2002


@pytest.mark.parametrize("wait_interval", [10_000, -1])
def test_x15_a_waiting_get_discards_expired_messages_and_keeps_waiting(
    qmgr: QueueManager, clock: PauseCountingClock, wait_interval: int
) -> None:
    play = Play(qmgr)
    play.run(OBJECTS + "put exp*3 expiry=10\nadvance 1")
    waiter = Waiter(qmgr, wait_interval=wait_interval)

    clock.wait_for_a_search()
    play.run("depth Q => 0\nput live4")
    assert waiter.outcome() == b"live4"
