"""Running channels: figures, limits, retries and events (L18 to L45 of channel-commands)."""

from __future__ import annotations

import json

import pytest

from mqsc.channels.link import Step
from store.admin.channel.starts import NewFault, add_fault
from store.client.api import Store
from store.environment import Environment, FrozenClock
from tests.scenarios.channel_bench import FAST, SECOND, Network, broken_at, events, mqsc, row


@pytest.fixture
def net(store: Store, environment: Environment[FrozenClock]) -> Network:
    net = Network(store, environment)
    net.initiator()
    return net


def figures(net: Network) -> dict[str, int | str]:
    found = net.sender()
    assert found is not None
    return dict(found.figures)


def hundred(net: Network, number: int, **fields: object) -> None:
    """Put messages of 100 bytes."""
    net.put(*("x" * 100 for _ in range(number)), **fields)  # type: ignore[arg-type]


def test_l18_the_retry_limit(net: Network) -> None:
    net.at1("ALTER CHANNEL(C) CHLTYPE(SDR) SHORTRTY(1) LONGRTY(0)")
    net.qm2.end(immediate=True)
    run = net.keep().after(59)
    assert net.status() == "RETRYING"
    run.after(1)
    assert (run.ending is not None, net.status()) == (True, "STOPPED")
    net.at1("START CHANNEL(C)")
    again = net.keep()
    assert (again.ending is not None, net.status()) == (True, "STOPPED")


def test_l19_l20_the_first_message_gives_the_retries_back(net: Network) -> None:
    net.qm2.end(immediate=True)
    run = net.keep()
    assert (net.status(), figures(net)["SHORTRTS"], figures(net)["MCASTAT"]) == ("RETRYING", 9, "NOT RUNNING")
    net.qm2.start()
    run.after(60)
    assert (net.status(), figures(net)["SHORTRTS"]) == ("RUNNING", 9)
    net.put("1")
    run.resume()
    assert figures(net)["SHORTRTS"] == 10


def test_l17_a_retrying_channel_outlives_the_queue_manager(net: Network) -> None:
    net.qm2.end(immediate=True)
    net.keep().close()
    before = figures(net)
    net.qm1.end(immediate=True)
    net.qm1.start()
    assert (net.status(), figures(net)["SHORTRTS"]) == ("RETRYING", before["SHORTRTS"])


def test_l21_without_an_initiator_a_failure_leaves_it_inactive(net: Network) -> None:
    net.end_initiator()
    net.qm2.end(immediate=True)
    ending = net.keep().ending
    assert ending is not None
    assert (ending.failed, net.status()) == (True, "INACTIVE")


def test_l22_a_number_that_was_reset(net: Network) -> None:
    net.at1("RESET CHANNEL(C) SEQNUM(5)")
    assert row(net.qm1, "DISPLAY CHANNEL(C) RESETSEQ")["RESETSEQ"] == "5"
    hundred(net, 1)
    net.start()
    assert row(net.qm1, "DISPLAY CHANNEL(C) RESETSEQ")["RESETSEQ"] == "NO"
    receiver = net.receiver()
    assert receiver is not None
    assert (figures(net)["LSTSEQNO"], receiver.figures["LSTSEQNO"]) == (5, 5)


def test_l23_the_numbers_differ(net: Network) -> None:
    hundred(net, 3)
    net.drain()
    net.at2("RESET CHANNEL(C) SEQNUM(9)")
    net.start()
    assert net.status() == "RETRYING"
    assert any("number 4 sent, 9 expected" in line for line in net.reports)
    net.at1("RESET CHANNEL(C) SEQNUM(9)")
    net.at1("START CHANNEL(C)")
    net.start()
    assert net.status() == "RUNNING"


def test_l32_what_passes_the_link(net: Network) -> None:
    hundred(net, 3)
    net.start()
    expected = {
        "BATCHES": 1, "MSGS": 3, "BUFSSENT": 4, "BUFSRCVD": 2, "BYTSSENT": 1936, "BYTSRCVD": 296,
        "CURSEQNO": 3, "LSTSEQNO": 3, "CURMSGS": 0, "RQMNAME": "QM2", "SUBSTATE": "MQGET",
    }  # fmt: skip
    assert {word: figures(net)[word] for word in expected} == expected
    receiver = net.receiver()
    assert receiver is not None
    mirrored = {"BATCHES": 1, "MSGS": 3, "BUFSSENT": 2, "BYTSRCVD": 1936, "LSTSEQNO": 3, "SUBSTATE": "RECEIVE"}
    assert {word: receiver.figures[word] for word in mirrored} == mirrored


def test_l30_l33_fast_messages_have_no_number(net: Network) -> None:
    hundred(net, 2, persistence=int(FAST))
    run = net.start()
    assert net.numbers() == (0, 0)
    hundred(net, 2)
    hundred(net, 2, persistence=int(FAST))
    run.resume()
    assert (figures(net)["MSGS"], figures(net)["LSTSEQNO"]) == (6, 2)


def test_l35_a_break_after_the_batch_was_prepared(net: Network) -> None:
    hundred(net, 5)
    net.start(broken_at(Step.S4_AFTER))
    assert (figures(net)["CURMSGS"], len(net.qm1.in_doubt())) == (5, 1)
    assert net.receiver() is None


def test_l37_the_time_on_the_transmission_queue(net: Network) -> None:
    net.at1("ALTER CHANNEL(C) CHLTYPE(SDR) MONCHL(HIGH)")
    hundred(net, 1)
    net.clock.advance(2)
    net.start()
    assert figures(net)["XQTIME"] == "2000000,2000000"


def test_l37_the_time_until_the_receiver_answers(net: Network) -> None:
    net.at1("ALTER CHANNEL(C) CHLTYPE(SDR) MONCHL(HIGH)")
    add_fault(net.qm1, "C", NewFault("R2-after", 0, "slow", 500, 1))
    hundred(net, 1)
    run = net.start().after(0.5)
    assert figures(net)["NETTIME"] == "500000,500000"
    hundred(net, 1)
    run.resume()
    assert figures(net)["NETTIME"] == "250000,250000"


def test_l37_not_monitored(net: Network) -> None:
    hundred(net, 1)
    net.start()
    assert (figures(net)["XQTIME"], figures(net)["NETTIME"]) == ("0,0", "0,0")


def test_l38_a_change_acts_at_the_next_start(net: Network) -> None:
    run = net.start()
    net.at1("ALTER CHANNEL(C) CHLTYPE(SDR) BATCHSZ(5)")
    run.resume()
    assert figures(net)["BATCHSZ"] == 50
    net.at1("STOP CHANNEL(C)")
    run.resume()
    net.at1("START CHANNEL(C)")
    net.start()
    assert figures(net)["BATCHSZ"] == 5


def test_l39_the_limit_of_uncommitted_messages(net: Network) -> None:
    net.at2("ALTER QMGR MAXUMSGS(20)")
    hundred(net, 45)
    net.start()
    assert (figures(net)["BATCHSZ"], figures(net)["BATCHES"], net.depth("Q", net.qm2)) == (20, 3, 45)


def test_l39_a_limit_of_one(net: Network) -> None:
    net.at1("ALTER QMGR MAXUMSGS(1)")
    net.at2("ALTER QMGR MAXUMSGS(1)")
    hundred(net, 3)
    net.drain()
    assert net.depth("Q", net.qm2) == 3


def test_l40_the_limit_of_bytes(net: Network) -> None:
    net.at1("ALTER CHANNEL(C) CHLTYPE(SDR) BATCHLIM(1)")
    net.put(*("x" * 600 for _ in range(3)))
    net.start()
    assert (figures(net)["BATCHES"], figures(net)["MSGS"]) == (2, 3)


def test_batchint_keeps_a_batch_open(net: Network) -> None:
    net.at1("ALTER CHANNEL(C) CHLTYPE(SDR) BATCHINT(500)")
    net.put("1")
    run = net.start().after(0.4)
    net.put("2")
    run.resume()
    assert net.texts() == []
    run.after(0.1)
    assert net.texts() == ["1", "2"]
    assert figures(net)["BATCHES"] == 1


def test_l41_gets_are_inhibited(net: Network) -> None:
    run = net.start()
    net.at1("ALTER QLOCAL(X) GET(DISABLED)")
    run.resume()
    assert net.status() == "RETRYING"
    assert net.said("AMQ9549E", "AMQ9999E")


def test_l42_events_of_a_run(net: Network) -> None:
    net.at1("ALTER CHANNEL(C) CHLTYPE(SDR) DISCINT(2)")
    net.start().after(2)
    assert (net.channel_events(net.qm1), net.channel_events(net.qm2)) == ([2282, 2283], [2282, 2283])


def test_l43_only_exceptions(net: Network) -> None:
    net.at1("ALTER QMGR CHLEV(EXCEPTION)")
    net.at2("ALTER QMGR CHLEV(EXCEPTION)")
    net.drain()
    assert (net.channel_events(net.qm1), net.channel_events(net.qm2)) == ([], [])
    hundred(net, 1)
    net.start(broken_at(Step.S2, 1))
    assert (net.channel_events(net.qm1), net.channel_events(net.qm2)) == ([2283], [2283])


def test_l44_events_of_a_stop(net: Network) -> None:
    run = net.start()
    net.at1("STOP CHANNEL(C)")
    run.resume()
    assert net.channel_events(net.qm1) == [2282, 2279, 2283]


def test_l45_a_receiver_is_defined_for_the_caller(net: Network) -> None:
    net.at2("DELETE CHANNEL(C)", "ALTER QMGR CHAD(ENABLED) CHADEV(ENABLED)")
    net.start()
    assert net.status() == "RUNNING"
    assert 2233 in net.channel_events(net.qm2)


def test_l45_no_receiver(net: Network) -> None:
    net.at2("DELETE CHANNEL(C)")
    net.start()
    assert net.status() == "RETRYING"
    assert net.said("AMQ9519E", "AMQ9520E")


def test_l10_a_stop_that_leaves_the_channel_inactive(net: Network) -> None:
    net.at1("ALTER QLOCAL(X) TRIGGER TRIGTYPE(FIRST) INITQ(SYSTEM.CHANNEL.INITQ) TRIGDATA(C)")
    run = net.start()
    net.at1("STOP CHANNEL(C) STATUS(INACTIVE)")
    run.resume()
    assert net.sender() is None
    hundred(net, 1)
    assert net.depth("SYSTEM.CHANNEL.INITQ") == 1


def test_l07_l08_a_stop_takes_trigger_and_get(net: Network) -> None:
    net.at1("ALTER QLOCAL(X) TRIGGER")
    run = net.start()
    net.at1("STOP CHANNEL(C)")
    run.resume()
    queue = row(net.qm1, "DISPLAY QLOCAL(X) GET TRIGGER")
    assert (queue["GET"], queue["TRIGGER"]) == ("DISABLED", "NOTRIGGER")
    net.at1("START CHANNEL(C)")
    net.start()
    queue = row(net.qm1, "DISPLAY QLOCAL(X) GET TRIGGER")
    assert (net.status(), queue["GET"], queue["TRIGGER"]) == ("RUNNING", "ENABLED", "TRIGGER")


def test_junk_with_the_smallest_limit_of_uncommitted_messages(net: Network) -> None:
    net.at1("ALTER QMGR MAXUMSGS(1)")
    net.put("junk", "junk", queue="X")
    net.drain()
    assert [reason for reason, _, _ in net.dead(net.qm1)] == [271, 271]


def test_the_history_names_the_program_and_its_connection(net: Network) -> None:
    net.put("1")
    net.drain()
    for qmgr, kind, queue in ((net.qm1, "GET", "X"), (net.qm2, "PUT", "Q")):
        found = events(qmgr, "CHANNEL")
        assert {event["application"] for event in found} == {"runmqchl"}
        batch = next(event for event in found if event["cause"] == "batch")
        (moved,) = [event for event in events(qmgr, kind) if event["queue"] == queue]
        assert {event["connection"] for event in found[1:]} == {batch["connection"]} == {moved["connection"]}
        assert batch["unit"] == moved["unit"]


def test_the_history_counts_failures(net: Network) -> None:
    net.qm2.end(immediate=True)
    net.keep().after(60)
    details = [json.loads(event["detail"]) for event in events(net.qm1, "CHANNEL") if event["cause"] == "retry"]
    assert [detail["attempt"] for detail in details] == [1, 2]
    assert details[1]["retry_at"] == net.clock.now() + 60 * SECOND


@pytest.mark.parametrize(
    ("at", "attribute", "message"),
    [
        ("QM1", "PUT(DISABLED)", "QM1: AMQ9511E: Messages cannot be put to queue 'SYSTEM.CHANNEL.SYNCQ'"),
        ("QM1", "GET(DISABLED)", "QM1: AMQ9510E: Messages cannot be retrieved from queue 'SYSTEM.CHANNEL.SYNCQ'"),
        ("QM2", "PUT(DISABLED)", "QM2: AMQ9511E: Messages cannot be put to queue 'SYSTEM.CHANNEL.SYNCQ'"),
        ("QM2", "GET(DISABLED)", "QM2: AMQ9510E: Messages cannot be retrieved from queue 'SYSTEM.CHANNEL.SYNCQ'"),
        ("QM1", "", "QM1: AMQ9510E: Messages cannot be retrieved from queue 'SYSTEM.CHANNEL.SYNCQ'"),
        ("QM2", "", "QM2: AMQ9509E: Program cannot open queue manager object 'SYSTEM.CHANNEL.SYNCQ'"),
    ],
)
def test_a_failure_of_the_records_names_their_queue(net: Network, at: str, attribute: str, message: str) -> None:
    net.put("a")
    verb = "ALTER" if attribute else "DELETE"
    mqsc(net.qm1 if at == "QM1" else net.qm2, f"{verb} QLOCAL(SYSTEM.CHANNEL.SYNCQ) {attribute}")
    assert net.drain().failed
    assert [line for line in net.reports if line.startswith(message)], net.reports
    assert not [line for line in net.reports if "'X'" in line]


def test_a_receiver_that_fails_backs_out_itself(net: Network) -> None:
    """Its program has not ended."""
    net.at1("DEFINE QREMOTE(FAR) RNAME(NOWHERE) RQMNAME(QM2) XMITQ(X)")
    net.at2("ALTER QMGR DEADQ('')")
    net.put("a")
    net.put("b", queue="FAR")
    assert net.drain().failed
    assert [each["cause"] for each in events(net.qm2, "BACKOUT")] == ["application"]


def test_fast_messages_that_are_discarded_are_counted_once_a_batch(net: Network) -> None:
    net.at1("DEFINE QREMOTE(FAR) RNAME(NOWHERE) RQMNAME(QM2) XMITQ(X)", "ALTER QMGR DEADQ('')")
    net.at2("ALTER QMGR DEADQ('')", "ALTER QLOCAL(Q) PUT(DISABLED)", "ALTER CHANNEL(C) CHLTYPE(RCVR) MRRTY(0)")
    net.put("a", "b", queue="FAR", persistence=FAST)
    net.put("c", persistence=FAST)
    net.put("junk", queue="X", persistence=FAST)
    assert not net.drain().failed
    assert [line for line in net.reports if "MQSC0048W" in line] == [
        "QM2: MQSC0048W: Channel 'C' discarded messages: 2 for 2085 MQRC_UNKNOWN_OBJECT_NAME, 1 for 2051 "
        "MQRC_PUT_INHIBITED.",
        "QM1: MQSC0048W: Channel 'C' discarded messages: 1 for 271 MQFB_XMIT_Q_MSG_ERROR.",
    ]


def test_discarded_messages_are_counted_when_the_batch_fails(net: Network) -> None:
    net.at1("DEFINE QREMOTE(FAR) RNAME(NOWHERE) RQMNAME(QM2) XMITQ(X)")
    net.at2("ALTER QMGR DEADQ('')")
    net.put("a", queue="FAR", persistence=FAST)
    net.put("b", queue="FAR")
    assert net.drain().failed
    assert net.said("MQSC0048W")
