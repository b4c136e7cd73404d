"""Processes that run channels are killed: at random moments, and while a batch is in doubt (H40 to H45, L50)."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from signal import SIGKILL

import pytest

from store.admin.channel import status
from store.client.api import QueueManager
from store.constants import MQCHS, MQIACF, MQOO, MQRQ
from store.headers import pcf
from tests.conftest import START
from tests.processes.campaign import held
from tests.processes.channel_cells import MOMENTS, Cell, Killer
from tests.processes.channel_oracle import Sent, faults
from tests.processes.channel_world import MESSAGES, Bench, Folders, Kind, World, breaks, nothing, opened
from tests.scenarios.channel_bench import answer, events, mqsc, row

BY_NAME = {moment.name: moment for moment in MOMENTS}
SECOND = 1_000_000
HOUR = 3600 * SECOND


@pytest.mark.long
def test_channels_deliver_exactly_once_while_their_programs_are_killed(tmp_path: Path) -> None:
    """72 kills in three stores; for a longer run set MQSC_KILLS. The seed is printed, so that a run can be repeated."""
    held("channel_kill_driver", tmp_path, "kills", os.environ.get("MQSC_KILLS", "72"))


@pytest.fixture(params=[False, True], ids=["one store", "two stores"])
def folders(request: pytest.FixtureRequest, bench: Bench) -> Folders:
    """Two queue managers and a channel with batches of three."""
    return bench.begin(two=request.param)


Killed = Callable[[str], list[Sent]]


@pytest.fixture
def killed_at(folders: Folders, killer: Killer) -> Killed:
    """Put eight messages; kill the process that runs the channel at a moment of the second batch of three."""

    def kill(moment: str) -> list[Sent]:
        with opened(folders) as world:
            sent = world.put(Kind.PERSISTENT, range(1, MESSAGES + 1))
        assert killer.play(Cell(BY_NAME[moment], Kind.PERSISTENT, folders.two), folders) == SIGKILL
        return sent

    return kill


def depth(qmgr: QueueManager, queue: str) -> int:
    return int(row(qmgr, f"DISPLAY QLOCAL({queue}) CURDEPTH")["CURDEPTH"])


def saved(world: World) -> dict[str, str | int]:
    return row(world.qm1, "DISPLAY CHSTATUS(C) SAVED INDOUBT CURLUWID LSTLUWID LSTSEQNO")


@pytest.mark.parametrize(("moment", "arrived"), [("S4 after", 3), ("R2 before", 3), ("R2 after", 5), ("S5 before", 5)])
def test_h40_h41_h42_a_batch_in_doubt(folders: Folders, killed_at: Killed, moment: str, arrived: int) -> None:
    """Three messages arrive with the first batch, and two with the second, whose third is dead-lettered."""
    sent = killed_at(moment)
    with opened(folders) as world:
        found = saved(world)
        assert found["INDOUBT"] == "YES"
        assert found["CURLUWID"] != found["LSTLUWID"]
        assert [unit.gets for unit in world.qm1.in_doubt()] == [3 + 1]
        assert (depth(world.qm2, "Q"), depth(world.qm1, "X")) == (arrived, 2)
        assert not world.run(nothing).failed
        assert saved(world)["INDOUBT"] == "NO"
        assert faults(world.route(), sent) == []


@pytest.mark.parametrize(
    ("moment", "action", "left", "in_target"),
    [
        ("R2 after", "COMMIT", 2, 7),
        ("R2 before", "BACKOUT", 5, 7),
        # The wrong decision loses or duplicates messages.
        ("R2 before", "COMMIT", 2, 5),
        ("R2 after", "BACKOUT", 5, 9),
    ],
)
def test_h43_resolve_by_hand(
    folders: Folders, killed_at: Killed, moment: str, action: str, left: int, in_target: int
) -> None:
    killed_at(moment)
    with opened(folders) as world:
        assert mqsc(world.qm1, f"RESOLVE CHANNEL(C) ACTION({action})") == ["AMQ8025I"]
        assert (depth(world.qm1, "X"), world.qm1.in_doubt()) == (left, [])
        if world.run(nothing).failed:
            # After the wrong decision, the sequence numbers of the two ends differ.
            mqsc(world.qm1, "RESET CHANNEL(C) SEQNUM(100)")
            assert not world.run(nothing).failed
        assert depth(world.qm2, "Q") == in_target


@pytest.mark.parametrize("moment", ["S4 after", "R2 after"])
def test_h44_nothing_that_is_in_doubt_expires(folders: Folders, killed_at: Killed, moment: str) -> None:
    """The last two messages are not in doubt and expire; the others expire only once known not to have arrived."""
    sent = killed_at(moment)
    with opened(folders, START + 2 * HOUR) as world:
        mqsc(world.qm1, "REFRESH QMGR TYPE(EXPIRY) NAME(X)")
        assert [unit.gets for unit in world.qm1.in_doubt()] == [3 + 1]
        assert depth(world.qm1, "REPLIES") == 2
        assert not world.run(nothing).failed
        assert depth(world.qm1, "REPLIES") == (2 if moment == "R2 after" else 5)
        assert faults(world.route(), sent) == []


def test_h45_what_a_batch_in_doubt_forbids(folders: Folders, killed_at: Killed) -> None:
    sent = killed_at("R2 after")
    with opened(folders) as world:
        assert answer(world.qm1, "RESET CHANNEL(C) SEQNUM(1)") == "AMQ9507E"
        assert answer(world.qm1, "DELETE CHANNEL(C)") == "AMQ9507E"
        assert answer(world.qm1, "CLEAR QLOCAL(X)") == "AMQ8143E"
        world.qm1.end(immediate=True)
        world.qm1.start()
        assert saved(world)["INDOUBT"] == "YES"
        assert not world.run(nothing).failed
        assert faults(world.route(), sent) == []


def test_l50_without_an_initiator_a_killed_channel_is_inactive(folders: Folders, killed_at: Killed) -> None:
    killed_at("S2 middle")
    with opened(folders) as world:
        assert answer(world.qm1, "DISPLAY CHSTATUS(C)") == "AMQ8420I"
        assert answer(world.qm2, "DISPLAY CHSTATUS(C)") == "AMQ8420I"


def test_l50_with_an_initiator_it_is_retried(folders: Folders, killed_at: Killed) -> None:
    killed_at("S2 middle")
    with opened(folders) as world, world.qm1.connect("runmqchi") as initiator:
        mqsc(world.qm1, "ALTER QMGR CHLEV(EXCEPTION)")
        mqsc(world.qm2, "ALTER QMGR CHLEV(EXCEPTION)")
        initiator.open("SYSTEM.CHANNEL.INITQ", MQOO.INPUT_SHARED)
        (found,) = senders(world)
        assert status.instances(world.qm2, "C") == []
        address = found.figures["CONNAME"]
        assert left_by_kill(world.qm1) == ("retry", address, 2283, int(MQRQ.CHANNEL_STOPPED_RETRY))
        assert left_by_kill(world.qm2) == ("failed", "QM1", 2283, int(MQRQ.CHANNEL_STOPPED_ERROR))
        assert (found.status, found.retry_at) == (MQCHS.RETRYING, START + 60 * SECOND)
        assert found.figures["SHORTRTS"] == 9


def left_by_kill(qmgr: QueueManager) -> tuple[str, str, int, int]:
    """Cause of the last CHANNEL event, the partner in its message; reason and qualifier of the event message."""
    last = events(qmgr, "CHANNEL")[-1]
    message = str(json.loads(last["detail"])["message"])
    found = re.fullmatch(r"AMQ9999E: .* to host '(.*)' ended abnormally: the program that ran it was killed\.", message)
    assert found is not None, message
    with qmgr.connect("looking") as connection:
        body = connection.open("SYSTEM.ADMIN.CHANNEL.EVENT", MQOO.INPUT_SHARED).get().body
    header, parameters = pcf.unpack(body)
    (qualifier,) = (each.value for each in parameters if each.number == MQIACF.REASON_QUALIFIER)
    assert isinstance(qualifier, int)
    return last["cause"], found[1], int(header.reason), qualifier


def senders(world: World) -> list[status.ChannelInstance]:
    return [each for each in status.instances(world.qm1, "C") if not each.partner]


def test_v01_v02_two_failures_in_the_same_second(folders: Folders, killed_at: Killed) -> None:
    """The batch that the second run leaves in doubt has a LUWID other than that of the committed first one."""
    sent = killed_at("R2 after")
    with opened(folders) as world:
        world.run(BY_NAME["S4 after"]._replace(passed=0).hook(breaks))
        assert len(world.qm1.in_doubt()) == 1
        assert not world.run(nothing).failed
        assert faults(world.route(), sent) == []
