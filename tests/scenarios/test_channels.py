"""Channels: H01 to H34 of expiry-backout-channels, on a frozen clock and without threads."""

from __future__ import annotations

import json

import pytest

from mqsc import run
from mqsc.channels.driver import run_channel
from mqsc.channels.forecast import forecast
from mqsc.channels.link import Step
from store.admin.channel.display import explain
from store.client.api import Store
from store.constants import MQOO, MQRO
from store.descriptor import MessageDescriptor
from store.environment import Environment, FrozenClock
from store.error import MQError
from store.headers import mqxqh
from store.message import Message
from store.rules.channel.decisions import Action
from tests.scenarios.channel_bench import FAST, PERSISTENT, SECOND, Driven, Network, events, row


@pytest.fixture
def net(store: Store, environment: Environment[FrozenClock]) -> Network:
    return Network(store, environment)


def test_h01_a_message_waits_on_the_transmission_queue(net: Network) -> None:
    net.put("hello", msg_id=b"m1")
    (message,) = net.messages("X", net.qm1)
    assert message.descriptor.format == "MQXMIT"
    assert len(message.body) == 428 + 5
    embedded = mqxqh.unpack(message.body, message.descriptor.encoding).descriptor
    assert embedded.msg_id == message.descriptor.correl_id == b"m1".ljust(24, b"\0")


def test_h02_it_arrives_as_it_was_put(net: Network) -> None:
    net.put("hello", msg_id=b"m1")
    run = net.start()
    assert net.status() == "RUNNING"
    (message,) = net.messages("Q", net.qm2)
    assert message.body == b"hello"
    assert message.descriptor.format == "MQSTR"
    assert message.descriptor.put_appl_name == "app"
    assert message.descriptor.msg_id == b"m1".ljust(24, b"\0")
    assert net.depth("X") == 0
    assert run.ending is None


def full(net: Network, *, commands: tuple[str, ...] = ()) -> None:
    """Fill Q with one message."""
    net.at2("ALTER QLOCAL(Q) MAXDEPTH(1)", *commands)
    net.put("old", queue="Q", qmgr=net.qm2)


def test_h03_a_full_queue_is_tried_again_then_dead_lettered(net: Network) -> None:
    full(net, commands=("ALTER CHANNEL(C) CHLTYPE(RCVR) MRRTY(3) MRTMR(100)",))
    net.put("new")
    run = net.start()
    receiver = net.receiver()
    assert receiver is not None
    assert receiver.status.name == "PAUSED"
    run.after(0.299)
    assert net.dead(net.qm2) == []
    run.after(0.001)
    assert net.dead(net.qm2) == [(2053, "Q", b"new")]
    assert [step for step, _ in net.steps].count(Step.RETRY_WAIT) == 3
    assert net.status() == "RUNNING"
    message = (
        "AMQ9544E: Messages of channel 'C' not put to destination queue; put to the dead-letter queue (location {})."
    )
    reports = [line for line in net.reports if "AMQ9544E" in line]
    assert reports == [f"QM2: {message.format(1)}", f"QM1: {message.format(2)}"]
    for qmgr, location in ((net.qm1, 2), (net.qm2, 1)):
        batch = next(each for each in events(qmgr, "CHANNEL") if each["cause"] == "batch")
        assert json.loads(batch["detail"])["message"] == message.format(location)


def test_h04_a_slot_is_freed_in_time(net: Network) -> None:
    full(net, commands=("ALTER CHANNEL(C) CHLTYPE(RCVR) MRRTY(3) MRTMR(100)",))
    net.put("new")
    run = net.start().after(0.15)
    net.take("Q", net.qm2)
    run.after(0.05)
    assert net.texts() == ["new"]
    assert net.dead(net.qm2) == []
    assert [step for step, _ in net.steps].count(Step.RETRY_WAIT) == 2


def test_h05_an_unknown_queue_is_not_tried_again(net: Network) -> None:
    net.at2("DELETE QLOCAL(Q)")
    net.put("lost")
    net.start()
    assert net.dead(net.qm2) == [(2085, "Q", b"lost")]
    assert Step.RETRY_WAIT not in [step for step, _ in net.steps]
    (event,) = events(net.qm2, "DEAD_LETTER")
    assert (event["cause"], event["queue"], event["target"], event["reason"]) == ("channel", "Q", "DLQ", 2085)


@pytest.mark.parametrize(
    ("id", "commands", "persistence"),
    [
        ("H06", ["ALTER CHANNEL(C) CHLTYPE(RCVR) USEDLQ(NO)"], PERSISTENT),
        ("H08", ["ALTER CHANNEL(C) CHLTYPE(RCVR) USEDLQ(NO) NPMSPEED(NORMAL)"], FAST),
        ("H09", ["ALTER QMGR DEADQ(' ')"], PERSISTENT),
    ],
)
def test_h06_h08_h09_the_channel_ends(net: Network, id: str, commands: list[str], persistence: int) -> None:
    net.initiator()
    net.at2("DELETE QLOCAL(Q)", *commands)
    net.put("kept", persistence=int(persistence))
    net.start()
    assert net.status() == "RETRYING"
    assert net.receiver() is None
    assert net.depth("X") == 1
    assert net.dead(net.qm2) == []
    assert net.said("AMQ9506E", "AMQ9511E", "AMQ9999E")


def test_h07_a_fast_message_is_discarded(net: Network) -> None:
    net.at2("DELETE QLOCAL(Q)", "ALTER CHANNEL(C) CHLTYPE(RCVR) USEDLQ(NO)")
    net.put("gone", persistence=int(FAST))
    net.start()
    assert (net.depth("X"), net.status()) == (0, "RUNNING")
    assert [event["cause"] for event in events(net.qm2, "DISCARD")] == ["channel"]


def test_h10_a_discarded_fast_message_is_reported(net: Network) -> None:
    net.at2("DELETE QLOCAL(Q)", "ALTER QMGR DEADQ(' ')")
    net.put("gone", persistence=int(FAST), report=int(MQRO.EXCEPTION), reply_to_q="REPLIES")
    net.start()
    (report,) = net.messages("QM1", net.qm2)
    assert mqxqh.unpack(report.body, report.descriptor.encoding).descriptor.feedback == 2085


def test_h11_no_report_for_a_message_that_is_kept(net: Network) -> None:
    net.initiator()
    net.at2("DELETE QLOCAL(Q)", "ALTER QLOCAL(DLQ) MAXDEPTH(0)")
    net.put("kept", report=int(MQRO.EXCEPTION), reply_to_q="REPLIES")
    net.start()
    assert net.status() == "RETRYING"
    assert net.depth("QM1", net.qm2) == 0
    assert net.depth("X") == 1


def test_h12_return_to_sender(net: Network) -> None:
    net.at2("DELETE QLOCAL(Q)")
    net.put("full text", report=int(MQRO.EXCEPTION_WITH_FULL_DATA | MQRO.DISCARD_MSG), reply_to_q="REPLIES")
    net.start()
    (report,) = net.messages("QM1", net.qm2)
    header = mqxqh.unpack(report.body, report.descriptor.encoding)
    assert (header.remote_q_name, header.remote_q_mgr_name) == ("REPLIES", "QM1")
    assert report.body[mqxqh.LENGTH :] == b"full text"
    assert net.dead(net.qm2) == []


def test_h13_nothing_of_a_batch_that_fails_is_visible(net: Network) -> None:
    net.initiator()
    net.at2("ALTER QMGR DEADQ(' ')")
    net.at1("DEFINE QREMOTE(RX) RNAME(NOWHERE) RQMNAME(QM2) XMITQ(X)")
    net.put("1", "2")
    net.put("3", queue="RX")
    net.put("4", "5")
    run = net.keep()
    assert net.texts() == []
    assert net.depth("X") == 5
    net.at2("DEFINE QLOCAL(NOWHERE)")
    run.after(60)
    assert net.texts() == ["1", "2", "4", "5"]
    assert net.texts("NOWHERE") == ["3"]


def test_h14_of_fast_messages_the_others_arrive(net: Network) -> None:
    net.at2("ALTER QMGR DEADQ(' ')")
    net.at1("DEFINE QREMOTE(RX) RNAME(NOWHERE) RQMNAME(QM2) XMITQ(X)")
    net.put("1", "2", persistence=int(FAST))
    net.put("3", queue="RX", persistence=int(FAST))
    net.put("4", "5", persistence=int(FAST))
    net.start()
    assert net.texts() == ["1", "2", "4", "5"]
    assert net.depth("X") == 0


@pytest.mark.parametrize(("id", "speed", "before_the_commit"), [("H15", "FAST", ["N1"]), ("H16", "NORMAL", [])])
def test_h15_h16_fast_messages_may_overtake(net: Network, id: str, speed: str, before_the_commit: list[str]) -> None:
    seen: list[list[str]] = []

    def look(step: Step, number: int) -> None:
        if step is Step.S3:
            seen.append(net.texts())

    net.at1(f"ALTER CHANNEL(C) CHLTYPE(SDR) NPMSPEED({speed})")
    net.put("P1")
    net.put("N1", persistence=int(FAST))
    net.put("P2")
    net.start(look)
    assert seen == [before_the_commit]
    assert net.texts() == ["P1", "N1", "P2"]


def test_h17_a_stopped_channel_is_not_triggered(net: Network) -> None:
    net.at1("ALTER QLOCAL(X) TRIGGER TRIGTYPE(FIRST) INITQ(SYSTEM.CHANNEL.INITQ) TRIGDATA(C)")
    net.initiator()
    run = net.start()
    net.at1("STOP CHANNEL(C)")
    run.resume()
    assert net.status() == "STOPPED"
    net.put("waits")
    assert (net.depth("X"), net.depth("SYSTEM.CHANNEL.INITQ")) == (1, 0)
    net.at1("START CHANNEL(C)")
    net.drain()
    assert net.texts() == ["waits"]


def test_h18_h50_retries_then_stopped(net: Network) -> None:
    net.initiator()
    net.at1("ALTER CHANNEL(C) CHLTYPE(SDR) SHORTRTY(2) SHORTTMR(10) LONGRTY(1) LONGTMR(100)")
    net.qm2.end(immediate=True)
    run = net.keep()
    began = net.clock.now()
    at = []
    while run.wait is not None and run.wait.until is not None:
        at.append((run.wait.until - began) // SECOND)
        run.after((run.wait.until - net.clock.now()) / SECOND)
    assert at == [10, 20, 120]
    assert net.status() == "STOPPED"
    queue = row(net.qm1, "DISPLAY QLOCAL(X) GET TRIGGER")
    assert (queue["GET"], queue["TRIGGER"]) == ("DISABLED", "NOTRIGGER")


def test_h19_start_is_an_attempt_at_once(net: Network) -> None:
    net.initiator()
    net.qm2.end(immediate=True)
    run = net.keep()
    assert net.status() == "RETRYING"
    net.qm2.start()
    net.at1("START CHANNEL(C)")
    run.resume()
    assert net.status() == "RUNNING"


def junk(net: Network) -> None:
    net.put("junk", queue="X")


def test_h20_junk_goes_to_the_dead_letter_queue_of_the_sender(net: Network) -> None:
    junk(net)
    net.put("good")
    net.start()
    assert net.dead(net.qm1) == [(271, "X", b"junk")]
    assert net.texts() == ["good"]
    assert net.status() == "RUNNING"
    (event,) = events(net.qm1, "DEAD_LETTER")
    assert (event["cause"], event["queue"], event["target"], event["reason"]) == ("channel", "X", "DLQ", 271)


def test_h21_junk_without_a_dead_letter_queue_ends_the_channel(net: Network) -> None:
    net.initiator()
    net.at1("ALTER QMGR DEADQ(' ')")
    junk(net)
    net.start()
    assert (net.status(), net.depth("X")) == ("RETRYING", 1)


def test_h22_a_message_that_is_too_long_for_the_channel(net: Network) -> None:
    net.at2("ALTER CHANNEL(C) CHLTYPE(RCVR) MAXMSGL(10)")
    net.put("01234567890", "0123456789")
    net.start()
    assert net.dead(net.qm1) == [(2218, "Q", b"01234567890")]
    assert net.texts() == ["0123456789"]


def test_e29_expiry_runs_on(net: Network) -> None:
    net.put("soon", expiry=100)
    net.clock.advance(3)
    net.drain()
    net.clock.advance(2)
    (message,) = net.messages("Q", net.qm2)
    assert message.descriptor.expiry == 50


def test_h24_e30_a_message_expires_on_the_transmission_queue(net: Network) -> None:
    net.put("late", expiry=20, report=int(MQRO.EXPIRATION), reply_to_q="REPLIES")
    net.clock.advance(5)
    net.start()
    (report,) = net.messages("REPLIES", net.qm1)
    assert (report.descriptor.put_appl_name, report.descriptor.feedback) == ("QM1", 258)
    assert net.texts() == []
    assert [event["cause"] for event in events(net.qm1, "EXPIRE")] == ["channel"]


def test_a5_an_embedded_descriptor_that_has_expired_is_discarded_by_the_receiver(net: Network) -> None:
    sent = MessageDescriptor(
        expiry=20, priority=0, persistence=1, report=int(MQRO.EXPIRATION), reply_to_q="REPLIES", reply_to_q_mgr="QM1"
    )
    header = mqxqh.pack(mqxqh.TransmissionHeader("Q", "QM2", sent))
    with net.qm1.connect() as connection:
        handle = connection.open("X", MQOO.OUTPUT)
        handle.put(Message(header + b"late", MessageDescriptor(expiry=1000, format="MQXMIT", persistence=1)))
    net.clock.advance(5)
    foreseen = forecast(net.qm1, explain(net.qm1, "C")).next
    assert foreseen is not None
    assert foreseen.destiny is not None
    assert foreseen.destiny.action is Action.EXPIRE
    net.start()
    assert (net.texts(), net.dead(net.qm1), net.dead(net.qm2)) == ([], [], [])
    assert [(event["cause"], event["queue"]) for event in events(net.qm2, "EXPIRE")] == [("channel", "Q")]
    assert net.depth("QM1", net.qm2) == 1


def test_h25_a_message_expires_while_it_is_tried_again(net: Network) -> None:
    full(net, commands=("ALTER CHANNEL(C) CHLTYPE(RCVR) MRRTY(10) MRTMR(1000)",))
    net.put("late", expiry=20, report=int(MQRO.EXPIRATION), reply_to_q="REPLIES")
    run = net.start().after(2)
    assert run.ending is None
    assert net.dead(net.qm2) == []
    assert net.depth("QM1", net.qm2) == 1
    assert [event["cause"] for event in events(net.qm2, "EXPIRE")] == ["channel"]


def test_h26_different_numbers(net: Network) -> None:
    net.put("1", "2")
    net.drain()
    net.at2("RESET CHANNEL(C) SEQNUM(9)")
    net.drain()
    assert any("number 3 sent, 9 expected" in line for line in net.reports)
    net.at1("RESET CHANNEL(C) SEQNUM(9)")
    net.put("3")
    net.drain()
    assert net.texts() == ["1", "2", "3"]
    assert net.numbers() == (9, 9)


def test_h27_numbers_wrap(net: Network) -> None:
    net.at1("ALTER CHANNEL(C) CHLTYPE(SDR) SEQWRAP(100)")
    net.at2("ALTER CHANNEL(C) CHLTYPE(RCVR) SEQWRAP(100)")
    net.put(*(str(number) for number in range(101)))
    net.drain()
    assert net.numbers() == (1, 1)
    assert net.depth("Q", net.qm2) == 101


def test_h28_the_disconnect_interval(net: Network) -> None:
    net.at1(
        "ALTER CHANNEL(C) CHLTYPE(SDR) DISCINT(2)",
        "ALTER QLOCAL(X) TRIGGER TRIGTYPE(FIRST) INITQ(SYSTEM.CHANNEL.INITQ) TRIGDATA(C)",
    )
    net.initiator()
    run = net.start().after(1.9)
    assert net.status() == "RUNNING"
    run.after(0.1)
    assert (net.sender(), net.receiver()) == (None, None)
    assert net.said("AMQ9545I", "AMQ9001I")
    net.put("next")
    assert net.depth("SYSTEM.CHANNEL.INITQ") == 1


def test_h29_triggers_at_the_target(net: Network) -> None:
    net.at2(
        "DEFINE QLOCAL(INITQ)", "DEFINE PROCESS(P)", "ALTER QLOCAL(Q) TRIGGER TRIGTYPE(EVERY) INITQ(INITQ) PROCESS(P)"
    )
    seen: list[int] = []

    def look(step: Step, number: int) -> None:
        if step is Step.R2_BEFORE:
            seen.append(len(net.messages("INITQ", net.qm2)))

    with net.qm2.connect("monitor") as monitor:
        monitor.open("INITQ", MQOO.INPUT_SHARED)
        net.put("1", "2", "3")
        net.start(look)
        assert seen == [0]
        assert len(net.messages("INITQ", net.qm2)) == 3


def test_h30_a_dead_letter_is_complete(net: Network) -> None:
    net.at2("DELETE QLOCAL(Q)")
    net.put("hello", expiry=1000, msg_id=b"m1")
    net.drain()
    (message,) = net.messages("DLQ", net.qm2)
    header = mqxqh.unpack_mqdlh(message.body, message.descriptor.encoding)
    assert (header.format, header.dest_q_mgr_name, header.put_appl_name) == ("MQSTR", "QM2", "runmqchl")
    assert message.descriptor.put_appl_name == "app"
    assert (message.descriptor.msg_id, message.descriptor.expiry) == (b"m1".ljust(24, b"\0"), 1000)


def test_h31_putaut_is_accepted(net: Network) -> None:
    """No authority is enforced, so no message is refused because of its user."""
    net.at2("ALTER CHANNEL(C) CHLTYPE(RCVR) PUTAUT(CTX)")
    net.put("hello")
    net.drain()
    assert net.texts() == ["hello"]


def test_h32_an_unknown_queue_manager(net: Network) -> None:
    with net.qm1.connect("app") as connection, pytest.raises(MQError) as error:
        connection.open("Q", MQOO.OUTPUT, queue_manager="QM9")
    assert error.value.reason == 2087


def test_h33_the_others_of_a_batch_are_delivered(net: Network) -> None:
    net.at1("DEFINE QREMOTE(RX) RNAME(NOWHERE) RQMNAME(QM2) XMITQ(X)")
    net.put("P1")
    net.put("P2", queue="RX")
    net.put("P3")
    net.start()
    assert net.texts() == ["P1", "P3"]
    assert net.dead(net.qm2) == [(2085, "NOWHERE", b"P2")]
    assert net.status() == "RUNNING"


def test_h34_a_repaired_queue_is_found_by_the_next_retry(net: Network) -> None:
    net.initiator()
    net.at2("DELETE QLOCAL(Q)", "ALTER QMGR DEADQ(' ')")
    net.put("kept")
    run = net.keep()
    net.at2("DEFINE QLOCAL(Q)")
    run.after(60)
    assert (net.texts(), net.depth("X")) == (["kept"], 0)


@pytest.mark.parametrize("type", ["TEMPDYN", "PERMDYN"])
def test_a_model_queue_is_no_destination(net: Network, type: str) -> None:
    """As for MQPUT1. On a dynamic queue the message would be lost when the receiver closes it."""
    net.at1("DEFINE QREMOTE(RM) RNAME(M) RQMNAME(QM2) XMITQ(X)")
    net.at2(f"DEFINE QMODEL(M) DEFTYPE({type})")
    net.put("a", queue="RM")
    assert not net.drain().failed
    assert net.dead(net.qm2) == [(2057, "M", b"a")]
    assert not [each for each in run(net.qm2, "DISPLAY QLOCAL(AMQ.*)") if each.rows]


def test_a_model_queue_is_no_dead_letter_queue(net: Network) -> None:
    net.at1("DEFINE QREMOTE(FAR) RNAME(NOWHERE) RQMNAME(QM2) XMITQ(X)")
    net.at2("DEFINE QMODEL(M)", "ALTER QMGR DEADQ(M)")
    net.put("a", queue="FAR")
    assert net.drain().message.startswith("AMQ9506E")
    assert net.depth("X") == 1


def test_a_reply_for_a_model_queue_is_a_dead_letter(net: Network) -> None:
    """So is the confirmation of delivery."""
    net.at1("DEFINE QMODEL(M)", "DEFINE QREMOTE(QM2) RNAME('') RQMNAME(QM2) XMITQ(X)")
    net.at2("DEFINE CHANNEL(B) CHLTYPE(SDR) XMITQ(QM1) CONNAME('local(QM1)')")
    net.at1("DEFINE CHANNEL(B) CHLTYPE(RCVR)")
    net.put("a", reply_to_q="M", reply_to_q_mgr="QM1", report=int(MQRO.COD))
    assert not net.drain().failed
    assert net.take("Q", net.qm2) == b"a"
    back = Driven(run_channel(net.qm2, "B", net.settings(until_empty=True)), net)
    assert back.ending is not None
    assert not back.ending.failed
    assert [(reason, queue) for reason, queue, _ in net.dead(net.qm1)] == [(2057, "M")]


def test_a_model_queue_is_no_transmission_queue(net: Network) -> None:
    net.at1("DEFINE QMODEL(MX) USAGE(XMITQ)", "ALTER CHANNEL(C) CHLTYPE(SDR) XMITQ(MX)")
    assert net.drain().message.startswith("AMQ9509E")
