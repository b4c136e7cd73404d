"""Channels: batches in doubt, negotiation and stops (H40 to H55 of poison-and-channels)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mqsc import run
from mqsc.channels.driver import run_channel
from mqsc.channels.forecast import forecast
from mqsc.channels.link import Step
from store.admin.channel.commands import in_doubt
from store.admin.channel.display import explain
from store.client.api import Store, open_store
from store.constants import MQRO
from store.environment import Environment, FrozenClock
from store.error import MQError
from store.sqlite.database import Reading
from tests.scenarios.channel_bench import SECOND, Network, answer, broken_at, events, mqsc, row

FIVE = ("1", "2", "3", "4", "5")


@pytest.fixture(params=["one store", "two stores"])
def net(
    request: pytest.FixtureRequest, tmp_path: Path, store: Store, environment: Environment[FrozenClock]
) -> Iterator[Network]:
    url = f"sqlite:///{tmp_path / 'other.db'}"
    with open_store(url, environment) as other:
        two = request.param == "two stores"
        net = Network(store, environment, other, f"{url}(QM2)") if two else Network(store, environment)
        net.initiator()
        yield net


def doubts(net: Network) -> int:
    with Reading(net.qm1.store.database) as reading:
        return len(in_doubt(reading, "QM1", "C"))


def in_doubt_after(net: Network, step: Step) -> None:
    """Break the link at a step in a batch of five messages, which may or may not have arrived."""
    net.put(*FIVE)
    net.start(broken_at(step))
    assert net.status() == "RETRYING"


def test_h40_the_link_breaks_before_the_sender_commits(net: Network) -> None:
    in_doubt_after(net, Step.R2_AFTER)
    sender = net.sender()
    assert sender is not None
    assert doubts(net) == 1
    assert sender.figures["CURLUWID"] != sender.figures["LSTLUWID"]
    assert (sender.figures["CURMSGS"], sender.figures["CURSEQNO"], sender.figures["LSTSEQNO"]) == (5, 5, 0)
    # Gets lower the depth even while they are in doubt, and no program can get the messages.
    assert [(unit.gets, unit.puts) for unit in net.qm1.in_doubt()] == [(5, 1)]
    assert (net.depth("X"), net.messages("X", net.qm1)) == (0, [])
    assert net.texts() == [*FIVE]
    assert [event["cause"] for event in events(net.qm1, "CHANNEL")][-2:] == ["in-doubt", "retry"]


def test_h41_a_restart_commits_what_has_arrived(net: Network) -> None:
    in_doubt_after(net, Step.R2_AFTER)
    net.drain()
    assert net.texts() == [*FIVE]
    assert (net.depth("X"), doubts(net), net.numbers()) == (0, 0, (5, 5))
    (event,) = [event for event in events(net.qm1, "CHANNEL") if event["cause"] == "resolved"]
    detail = json.loads(event["detail"])
    assert (detail["decision"], detail["messages"], detail["bytes"]) == ("commit", 5, sum(map(len, FIVE)))


@pytest.mark.parametrize("step", [Step.S4_AFTER, Step.R2_BEFORE])
def test_h42_a_restart_sends_again_what_has_not(net: Network, step: Step) -> None:
    in_doubt_after(net, step)
    assert net.texts() == []
    assert doubts(net) == 1
    net.drain()
    assert net.texts() == [*FIVE]
    assert (net.depth("X"), doubts(net), net.numbers()) == (0, 0, (5, 5))


@pytest.mark.parametrize(("action", "left"), [("COMMIT", 0), ("BACKOUT", 5)])
def test_h43_resolve_by_hand(net: Network, action: str, left: int) -> None:
    in_doubt_after(net, Step.R2_AFTER)
    net.at1("STOP CHANNEL(C)", f"RESOLVE CHANNEL(C) ACTION({action})")
    assert (net.depth("X"), doubts(net)) == (left, 0)


def test_h43_a_backout_that_was_wrong_duplicates(net: Network) -> None:
    in_doubt_after(net, Step.R2_AFTER)
    net.at1("STOP CHANNEL(C)", "RESOLVE CHANNEL(C) ACTION(BACKOUT)", "START CHANNEL(C)")
    net.drain()
    assert any("AMQ9526E" in line and "number 1 sent, 6 expected" in line for line in net.reports)
    net.at1("RESET CHANNEL(C) SEQNUM(1)")
    net.drain()
    assert net.texts() == [*FIVE, *FIVE]


def test_h44_no_message_in_doubt_expires(net: Network) -> None:
    net.put(*FIVE, expiry=10, report=int(MQRO.EXPIRATION), reply_to_q="REPLIES")
    net.start(broken_at(Step.R2_AFTER))
    net.clock.advance(3600)
    net.at1("REFRESH QMGR TYPE(EXPIRY) NAME(*)")
    net.drain()
    assert net.depth("REPLIES") == 0
    assert net.depth("Q", net.qm2) == 5


def test_h45_what_a_batch_in_doubt_forbids(net: Network) -> None:
    in_doubt_after(net, Step.R2_AFTER)
    assert answer(net.qm1, "RESET CHANNEL(C) SEQNUM(1)") == "AMQ9507E"
    assert answer(net.qm1, "DELETE CHANNEL(C)") == "AMQ9507E"
    assert answer(net.qm1, "CLEAR QLOCAL(X)") == "AMQ8143E"
    net.end_initiator()
    net.qm1.end(immediate=True)
    net.qm1.start()
    assert doubts(net) == 1


def test_h46_the_lower_batch_size(net: Network) -> None:
    net.at2("ALTER CHANNEL(C) CHLTYPE(RCVR) BATCHSZ(10)")
    net.put(*(str(number) for number in range(25)))
    net.start()
    sender = net.sender()
    assert sender is not None
    assert (sender.figures["BATCHES"], sender.figures["MSGS"], sender.figures["BATCHSZ"]) == (3, 25, 10)


def test_h47_different_wraps(net: Network) -> None:
    net.at1("ALTER CHANNEL(C) CHLTYPE(SDR) SEQWRAP(100)")
    net.at2("ALTER CHANNEL(C) CHLTYPE(RCVR) SEQWRAP(200)")
    net.start()
    assert net.status() == "RETRYING"
    assert net.said("AMQ9505E")


def test_h48_a_reset_of_the_sender_resets_both(net: Network) -> None:
    net.at1("RESET CHANNEL(C) SEQNUM(5)")
    net.put("1")
    net.drain()
    assert net.numbers() == (5, 5)
    assert row(net.qm1, "DISPLAY CHANNEL(C) RESETSEQ")["RESETSEQ"] == "NO"


def test_h48_a_reset_of_the_receiver_is_its_own(net: Network) -> None:
    net.at2("RESET CHANNEL(C) SEQNUM(5)")
    net.put("1")
    net.start()
    assert net.status() == "RETRYING"
    assert net.said("AMQ9526E")


def test_h49_conversion_that_fails(net: Network) -> None:
    net.at1("ALTER CHANNEL(C) CHLTYPE(SDR) CONVERT(YES)")
    net.put("x", coded_char_set_id=9)
    net.put("y")
    net.start()
    assert [(reason, queue) for reason, queue, _ in net.dead(net.qm1)] == [(2111, "Q")]
    assert (net.status(), net.texts()) == ("RUNNING", ["y"])
    assert net.channel_events(net.qm1)[-1] == 2284


def test_h49_conversion_that_fails_without_usedlq(net: Network) -> None:
    net.at1("ALTER CHANNEL(C) CHLTYPE(SDR) CONVERT(YES) USEDLQ(NO)")
    net.put("x", coded_char_set_id=9)
    net.start()
    assert (net.status(), net.depth("X")) == ("RETRYING", 1)


def test_convert_sends_the_characters_of_the_partner(net: Network) -> None:
    net.at1("ALTER CHANNEL(C) CHLTYPE(SDR) CONVERT(YES)")
    net.put("text", coded_char_set_id=819)
    net.drain()
    (message,) = net.messages("Q", net.qm2)
    assert (message.body, message.descriptor.coded_char_set_id) == (b"text", net.qm2.row().ccsid)


def test_h51_a_report_that_nobody_can_take(net: Network) -> None:
    net.at2("DELETE QLOCAL(Q)", "ALTER QLOCAL(QM1) MAXDEPTH(0)")
    net.put("text", report=int(MQRO.EXCEPTION_WITH_FULL_DATA | MQRO.DISCARD_MSG), reply_to_q="REPLIES")
    net.start()
    assert net.dead(net.qm2) == [(2053, "REPLIES", b"text")]
    assert (net.status(), net.depth("X")) == ("RUNNING", 0)


def test_h52_a_second_runner(net: Network) -> None:
    net.start()
    with pytest.raises(MQError) as error:
        next(run_channel(net.qm1, "C"))
    assert error.value.reason == 4031
    assert net.status() == "RUNNING"


def test_h53_a_dead_letter_queue_behind_the_same_transmission_queue(net: Network) -> None:
    net.at1("DEFINE QREMOTE(RDLQ) RNAME(DLQ) RQMNAME(QM2) XMITQ(X)", "ALTER QMGR DEADQ(RDLQ)")
    net.put("junk", queue="X")
    net.start()
    assert (net.status(), net.depth("X")) == ("RETRYING", 1)


def test_h54_a_dead_letter_queue_behind_an_alias(net: Network) -> None:
    net.at2("DEFINE QALIAS(ADLQ) TARGET(DLQ)", "ALTER QMGR DEADQ(ADLQ)", "DELETE QLOCAL(Q)")
    net.put("lost")
    net.start()
    assert net.dead(net.qm2) == [(2085, "Q", b"lost")]


def test_h54_a_message_that_is_too_long_for_the_dead_letter_queue(net: Network) -> None:
    net.at2("ALTER QLOCAL(DLQ) MAXMSGL(10)", "DELETE QLOCAL(Q)")
    net.put("a long message")
    net.start()
    assert (net.status(), net.depth("X")) == ("RETRYING", 1)


def stopping(net: Network, mode: str, step: Step, number: int = 0) -> Callable[[Step, int], None]:
    """Return a hook that stops the channel at a step."""

    def hook(at: Step, message: int) -> None:
        if (at, message) == (step, number):
            mqsc(net.qm1, f"STOP CHANNEL(C) MODE({mode})")

    return hook


@pytest.mark.parametrize(
    ("mode", "step", "arrived", "doubtful"),
    [
        ("QUIESCE", Step.S4_AFTER, 5, 0),
        ("FORCE", Step.S4_AFTER, 0, 1),
        ("TERMINATE", Step.S4_AFTER, 0, 1),
        ("QUIESCE", Step.R2_AFTER, 5, 0),
        ("FORCE", Step.R2_AFTER, 5, 1),
    ],
)
def test_h55_stops_in_the_confirm_window(net: Network, mode: str, step: Step, arrived: int, doubtful: int) -> None:
    net.put(*FIVE)
    net.start(stopping(net, mode, step))
    assert net.status() == "STOPPED"
    assert (net.depth("Q", net.qm2), doubts(net)) == (arrived, doubtful)


@pytest.mark.parametrize(("id", "mode", "arrived", "left"), [("L13", "QUIESCE", 10, 5), ("L14", "FORCE", 0, 15)])
def test_l13_l14_stops_within_a_batch(net: Network, id: str, mode: str, arrived: int, left: int) -> None:
    net.at1("ALTER CHANNEL(C) CHLTYPE(SDR) BATCHSZ(10)")
    net.put(*(str(number) for number in range(15)))
    net.start(stopping(net, mode, Step.S2, 3))
    assert net.status() == "STOPPED"
    assert (net.depth("Q", net.qm2), net.depth("X"), doubts(net)) == (arrived, left, 0)
    assert net.receiver() is None


def test_l34_a_break_before_the_batch_is_prepared(net: Network) -> None:
    net.put(*FIVE)
    net.start(broken_at(Step.S2, 3))
    sender = net.sender()
    assert sender is not None
    figures = sender.figures
    assert (net.status(), figures["CURMSGS"], figures["RQMNAME"], doubts(net)) == ("RETRYING", 3, "QM2", 0)
    assert int(figures["CURSEQNO"]) == int(figures["LSTSEQNO"]) + 3


def test_l15_l16_the_receiver_is_stopped(net: Network) -> None:
    run = net.keep()
    net.at2("STOP CHANNEL(C)")
    run.after(299)
    assert net.status() == "RUNNING"
    run.after(1)
    receiver = net.receiver()
    assert receiver is not None
    assert (receiver.status.name, net.status()) == ("STOPPED", "RETRYING")
    run.after(60)
    assert net.said("AMQ9558E", "AMQ9534E")
    net.at2("START CHANNEL(C)")
    run.after(60)
    assert net.status() == "RUNNING"


def test_l16_a_stop_of_the_receiver_loses_no_fast_message(net: Network) -> None:
    run = net.start()
    net.at2("STOP CHANNEL(C) MODE(FORCE)")
    net.put("1", persistence=0)
    run.resume()
    assert net.said("AMQ9558E")
    assert (net.texts(), net.depth("X")) == ([], 1)


def test_one_event_for_each_batch_and_end(net: Network) -> None:
    net.at1("ALTER CHANNEL(C) CHLTYPE(SDR) BATCHSZ(2)")
    net.put(*FIVE)
    net.clock.advance(2)
    net.drain()
    for qmgr in (net.qm1, net.qm2):
        causes = [event["cause"] for event in events(qmgr, "CHANNEL")]
        assert causes == ["starting", "bound", "batch", "batch", "batch", "ended"]
    assert '"waited_ms": 4000, "longest_ms": 2000' in events(net.qm2, "CHANNEL")[2]["detail"]
    assert SECOND == 1_000_000


@pytest.mark.parametrize("earlier", [0, 1], ids=["the first batch", "a later batch"])
@pytest.mark.parametrize(
    "remove",
    [
        ("CLEAR QLOCAL(SYSTEM.CHANNEL.SYNCQ)",),
        ("DELETE CHANNEL(C)", "DEFINE CHANNEL(C) CHLTYPE(RCVR)"),
        ("DEFINE QLOCAL(KEPT)", "MOVE QLOCAL(SYSTEM.CHANNEL.SYNCQ) TOQLOCAL(KEPT)"),
        ("DELETE QLOCAL(SYSTEM.CHANNEL.SYNCQ) PURGE", "DEFINE QLOCAL(SYSTEM.CHANNEL.SYNCQ) DEFPSIST(YES)"),
    ],
    ids=["CLEAR", "DELETE CHANNEL", "MOVE", "DELETE QLOCAL"],
)
def test_a_receiver_without_its_record_decides_nothing(net: Network, remove: tuple[str, ...], earlier: int) -> None:
    """The batch may have been committed: to send it again would double its messages."""
    if earlier:
        net.put("0")
        net.drain()
    in_doubt_after(net, Step.R2_AFTER)
    replies = [each for command in remove for each in run(net.qm2, command)]
    assert [line for each in replies for line in each.text.splitlines() if line.startswith("MQSC0046W")] == [
        "MQSC0046W: Records of channels are gone: C (batches from QM1). The next start may need RESET CHANNEL, and a "
        "batch in doubt RESOLVE CHANNEL."
    ]
    facts = forecast(net.qm1, explain(net.qm1, "C")).partner
    assert list(facts.strange.values()) == ["QM2 no longer has its record of the channel"]
    ending = net.drain()
    assert ending.message.startswith("AMQ9507E: Channel 'C' is currently in-doubt")
    assert (doubts(net), net.texts()[earlier:]) == (1, [*FIVE])
    mqsc(net.qm1, "RESOLVE CHANNEL(C) ACTION(COMMIT)", "RESET CHANNEL(C) SEQNUM(1)")
    net.put("6")
    assert not net.drain().failed
    assert net.texts()[earlier:] == [*FIVE, "6"]


def test_a_record_that_was_not_removed_is_not_mentioned(net: Network) -> None:
    (reply,) = run(net.qm2, "CLEAR QLOCAL(SYSTEM.CHANNEL.SYNCQ)")
    assert (reply.message_id, len(reply.text.splitlines())) == ("AMQ8022I", 1)
