"""MQI calls by the rows of the specification: pages about calls, units of work, expiry and
poison messages.
"""

from __future__ import annotations

import pytest

from mqsc.store.client.queue_manager import QueueManager
from tests.scenarios.looking import happened
from tests.scenarios.pages import page
from tests.scenarios.play import Play
from tests.scenarios.poison_play import PoisonPlay


@pytest.mark.parametrize("scenario", [*page("mqi_open"), *page("mqi_put"), *page("mqi_get")])
def test_calls(qmgr: QueueManager, scenario: str) -> None:
    Play(qmgr).run(scenario)


@pytest.mark.parametrize("scenario", [*page("mqi_groups"), *page("mqi_reports")])
def test_groups_and_reports(qmgr: QueueManager, scenario: str) -> None:
    Play(qmgr).run(scenario)


@pytest.mark.parametrize("scenario", [*page("mqi_units"), *page("mqi_traps")])
def test_units_of_work_depths_and_traps(qmgr: QueueManager, scenario: str) -> None:
    Play(qmgr).run(scenario)


@pytest.mark.parametrize("scenario", [*page("backout"), *page("skip_backout"), *page("in_doubt")])
def test_backout_and_doubt(qmgr: QueueManager, scenario: str) -> None:
    Play(qmgr).run(scenario)


@pytest.mark.parametrize("scenario", page("poison"))
def test_poison(qmgr: QueueManager, scenario: str) -> None:
    PoisonPlay(qmgr).run(scenario)


@pytest.mark.parametrize("scenario", [*page("expiry"), *page("expiry_discard")])
def test_expiry(qmgr: QueueManager, scenario: str) -> None:
    Play(qmgr).run(scenario)


def test_e19_a_reply_may_copy_the_remaining_expiry_of_the_request(qmgr: QueueManager) -> None:
    play = Play(qmgr)
    play.run("""
        DEFINE QLOCAL(Q)
        DEFINE QLOCAL(R)
        put m1 expiry=100 msg_type=REQUEST reply_to_q=R
        advance 4
        get => m1 expiry=60
    """)
    request = play.last["A"].descriptor
    play.run(f"put reply on R expiry={request.expiry} correl_id=m1\nget from R => reply expiry=60")


def test_x1_more_expired_messages_than_fit_in_one_transaction(qmgr: QueueManager) -> None:
    play = Play(qmgr)
    play.run("DEFINE QLOCAL(Q)\nput exp*2002 expiry=10\nput live\nput exp9 expiry=10\nadvance 1")
    play.run("get => live\ndepth Q => 1")
    assert len(happened(qmgr.store, "EXPIRE")) == 2002
