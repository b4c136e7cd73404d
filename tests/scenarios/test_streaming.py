"""Streaming queues: STREAMQ and STRMQOS by the rows of the specification (streaming §6)."""

from __future__ import annotations

import pytest

from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQCA, MQIA, MQOO
from mqsc.store.descriptor import FIELDS
from mqsc.store.message import Message
from tests.scenarios.pages import page
from tests.scenarios.play import Play
from tests.scenarios.trigger_play import TriggerPlay


@pytest.mark.parametrize("scenario", page("streaming"))
def test_streaming(qmgr: QueueManager, scenario: str) -> None:
    TriggerPlay(qmgr).run(scenario)


@pytest.fixture
def play(qmgr: QueueManager) -> Play:
    play = Play(qmgr)
    play.run("DEFINE QLOCAL(B)\nDEFINE QLOCAL(C)\nDEFINE QLOCAL(A) STREAMQ(B)")
    return play


def got(play: Play, queue: str) -> Message:
    return play.connection("A").open(queue, MQOO.INPUT_SHARED).get()


def test_q01_every_field_but_report_and_expiry_is_the_originals(play: Play) -> None:
    play.run(
        "put x on A correl_id=C priority=5 persistence=1 expiry=50 report=COA+NAN reply_to_q=C "
        "format=MQSTR",
    )
    original, copy = got(play, "A"), got(play, "B")
    assert copy.body == original.body == b"x"
    differing = [
        name
        for name in FIELDS
        if getattr(copy.descriptor, name) != getattr(original.descriptor, name)
    ]
    assert differing == ["report", "expiry"]


def test_q01_mqinq_gives_both_attributes(play: Play) -> None:
    play.run("ALTER QLOCAL(A) STRMQOS(MUSTDUP)")
    both = (MQCA.STREAM_QUEUE_NAME, MQIA.STREAM_QUEUE_QOS)
    assert play.connection("A").open("A", MQOO.INQUIRE).inquire(*both) == {both[0]: "B", both[1]: 1}
    assert tuple(map(int, both)) == (2138, 275)


def test_q25_an_event_message_is_copied(play: Play) -> None:
    play.run(
        "raised\nALTER QLOCAL(SYSTEM.ADMIN.QMGR.EVENT) STREAMQ(B)\nALTER QMGR LOCALEV(ENABLED)",
    )
    play.run(
        "open NOPE output => 2/2085\nDISPLAY QLOCAL(SYSTEM.ADMIN.QMGR.EVENT) CURDEPTH => "
        "CURDEPTH=1",
    )
    original, copy = got(play, "SYSTEM.ADMIN.QMGR.EVENT"), got(play, "B")
    assert (copy.body, copy.descriptor) == (original.body, original.descriptor)
    play.run(
        "depth SYSTEM.ADMIN.QMGR.EVENT => 0\ndepth B => 0\nopen NOPE output => 2/2085\nraised => "
        "2085",
    )
