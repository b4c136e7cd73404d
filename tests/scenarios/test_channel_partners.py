"""Partners of channels: pairs of channel types, destinations of a CONNAME, and partners that cannot be used."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from mqsc.channels.driver import run_channel
from mqsc.channels.forecast import forecast
from mqsc.channels.link import Step
from mqsc.console.parameters import iso
from store.admin.channel.display import explain
from store.client.api import QueueManager, Store, open_store
from store.environment import Environment, FrozenClock
from store.error import MQError
from store.sql.rows import SCHEMA_VERSION
from store.sqlite.database import Transaction
from tests.scenarios.channel_bench import AT_QM2, Driven, Network, broken_at, events, mqsc


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'other.db'}"


@pytest.fixture
def net(store: Store, environment: Environment[FrozenClock]) -> Network:
    net = Network(store, environment)
    net.initiator()
    return net


@pytest.fixture
def far(store: Store, environment: Environment[FrozenClock], url: str) -> Iterator[Network]:
    """A network whose partner is in another store."""
    with open_store(url, environment) as other:
        net = Network(store, environment, other, f"{url}(QM2)")
        net.initiator()
        yield net


def run_at(net: Network, qmgr: QueueManager, *, until_empty: bool = True) -> Driven:
    return Driven(run_channel(qmgr, "C", net.settings(until_empty=until_empty)), net)


def define(net: Network, here: str, there: str) -> None:
    net.at1("DELETE CHANNEL(C)", f"DEFINE CHANNEL(C) {here}")
    net.at2("DELETE CHANNEL(C)", f"DEFINE CHANNEL(C) {there}")
    net.put("1", "2")


SDR = "CHLTYPE(SDR) XMITQ(X) CONNAME('local(QM2)')"
SVR = "CHLTYPE(SVR) XMITQ(X) CONNAME('local(QM2)')"
SVR_ALONE = "CHLTYPE(SVR) XMITQ(X)"
RCVR = "CHLTYPE(RCVR)"
RQSTR = "CHLTYPE(RQSTR) CONNAME('local(QM1)')"


@pytest.mark.parametrize(("here", "there"), [(SDR, RCVR), (SVR, RCVR), (SVR, RQSTR), (SDR, RQSTR)])
def test_pairs_begun_by_the_sending_end(net: Network, here: str, there: str) -> None:
    define(net, here, there)
    net.drain()
    assert net.texts() == ["1", "2"]


@pytest.mark.parametrize("here", [SDR, SVR, SVR_ALONE])
def test_pairs_begun_by_the_requester(net: Network, here: str) -> None:
    define(net, here, RQSTR)
    run = run_at(net, net.qm2)
    assert net.texts() == ["1", "2"]
    assert run.ending is not None
    assert not run.ending.failed
    assert (net.sender(), net.receiver()) == (None, None)


def test_a_requester_that_runs(net: Network) -> None:
    define(net, SVR_ALONE, RQSTR)
    run_at(net, net.qm2, until_empty=False)
    receiver = net.receiver()
    assert receiver is not None
    assert (receiver.status.name, net.status()) == ("RUNNING", "RUNNING")


@pytest.mark.parametrize(
    ("here", "message"),
    [(RCVR, "AMQ9547E"), (None, "AMQ9520E")],
)
def test_a_requester_without_a_sender(net: Network, here: str | None, message: str) -> None:
    net.at1("DELETE CHANNEL(C)", *([] if here is None else [f"DEFINE CHANNEL(C) {here}"]))
    net.at2("DELETE CHANNEL(C)", f"DEFINE CHANNEL(C) {RQSTR}")
    run = run_at(net, net.qm2)
    assert run.ending is not None
    assert run.ending.failed
    assert net.said(message, "AMQ9999E")
    assert net.receiver() is None


@pytest.mark.parametrize("definition", [RCVR, SVR_ALONE, "CHLTYPE(SVRCONN)"])
def test_types_that_nobody_starts(net: Network, definition: str) -> None:
    net.at1("DELETE CHANNEL(C)", f"DEFINE CHANNEL(C) {definition}")
    with pytest.raises(MQError) as error:
        next(run_channel(net.qm1, "C"))
    assert error.value.reason == 4041


def test_names_that_differ_by_case_are_two_channels(net: Network) -> None:
    net.at1("DEFINE CHANNEL('c') CHLTYPE(SDR) XMITQ(X) CONNAME('local(QM2)')")
    run = Driven(run_channel(net.qm1, "c", net.settings()), net)
    assert run.ending is not None
    assert net.said("AMQ9520E")


def test_a_sender_calls_a_sender(net: Network) -> None:
    net.at2("DELETE CHANNEL(C)", "DEFINE CHANNEL(C) CHLTYPE(SDR) XMITQ(QM1) CONNAME('local(QM1)')")
    net.start()
    assert net.status() == "RETRYING"
    assert net.said("AMQ9547E")


@pytest.mark.parametrize("name", ["QM2", "local(QM2)", "nowhere(1414), local(QM2)"])
def test_addresses_in_this_store(net: Network, name: str) -> None:
    net.at1(f"ALTER CHANNEL(C) CHLTYPE(SDR) CONNAME('{name}')")
    net.put("1")
    net.drain()
    assert net.texts() == ["1"]


@pytest.mark.parametrize("target", ["{url}", "{url}(QM2)"])
def test_a_mapped_host(far: Network, url: str, target: str) -> None:
    with Transaction(far.qm1.store.database, durable=False) as tx:
        tx.connection.execute(
            "INSERT INTO channel_host VALUES (?, ?)", ("mq.example.com(1414)", target.format(url=url))
        )
    far.at1("ALTER CHANNEL(C) CHLTYPE(SDR) CONNAME('MQ.example.com')")
    far.put("1")
    far.drain()
    assert far.texts() == ["1"]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("nowhere(1414)", "the host nowhere(1414) is not mapped to a store"),
        ("local(QM9)", "2058"),
        ("sqlite:////no/such/file.db(QM2)", "there is no store at /no/such/file.db"),
    ],
)
def test_a_partner_that_is_not_there(net: Network, name: str, why: str) -> None:
    net.at1(f"ALTER CHANNEL(C) CHLTYPE(SDR) CONNAME('{name}')")
    net.start()
    assert net.status() == "RETRYING"
    assert any("AMQ9202E" in line and why in line for line in net.reports)
    (event,) = [each for each in events(net.qm1, "CHANNEL") if each["cause"] == "retry"]
    assert "AMQ9202E" in event["detail"]


def test_a_partner_that_has_ended(far: Network) -> None:
    far.qm2.end(immediate=True)
    far.start()
    assert far.status() == "RETRYING"
    assert far.said("AMQ9524E")


def test_an_address_whose_queue_manager_has_ended_is_passed_over(net: Network) -> None:
    define_third(net)
    net.put("1")
    net.qm2.end(immediate=True)
    net.drain()
    assert net.texts(qmgr=net.qm1.store.queue_manager("QM3")) == ["1"]


def test_h42_a_batch_in_doubt_waits_for_the_partner_that_it_was_sent_to(net: Network) -> None:
    define_third(net)
    net.put("1", "2")
    net.start(broken_at(Step.R2_AFTER))
    net.qm2.end(immediate=True)
    net.start()
    assert net.status() == "RETRYING"
    assert "QM1: AMQ9507E: Channel 'C' is currently in-doubt: the batch was sent to QM2." in net.reports
    assert net.texts(qmgr=net.qm1.store.queue_manager("QM3")) == []
    net.qm2.start()
    net.drain()
    assert net.texts() == ["1", "2"]
    assert (net.depth("X"), net.qm1.in_doubt()) == (0, [])


def test_h42_a_partner_of_the_same_name_is_not_the_partner(
    net: Network, url: str, environment: Environment[FrozenClock]
) -> None:
    net.at1(f"ALTER CHANNEL(C) CHLTYPE(SDR) CONNAME('local(QM2),{url}(QM2)')")
    net.put("1", "2")
    net.start(broken_at(Step.R2_AFTER))
    net.qm2.end(immediate=True)
    old = iso(net.clock.now())
    net.clock.advance(60)
    new = iso(net.clock.now())
    with open_store(url, environment) as other:
        same_name = other.create_queue_manager("QM2")
        mqsc(same_name, *AT_QM2)
        net.start()
        assert net.status() == "RETRYING"
        reason = f"the batch was sent to a QM2 created at {old}, and this is a QM2 created at {new}"
        assert f"QM1: AMQ9507E: Channel 'C' is currently in-doubt: {reason}." in net.reports
        facts = explain(net.qm1, "C")
        assert list(forecast(net.qm1, facts).partner.strange.values()) == [reason]
        assert net.texts(qmgr=same_name) == []
    net.qm2.start()
    net.drain()
    assert net.texts() == ["1", "2"]
    assert (net.depth("X"), net.qm1.in_doubt()) == (0, [])


def define_third(net: Network) -> None:
    """Create QM3, and let the channel try it as a stand-in for QM2."""
    stand_in = "DEFINE QREMOTE(QM2) RQMNAME(QM3) RNAME('')"
    mqsc(net.qm1.store.create_queue_manager("QM3"), "DEFINE QLOCAL(Q)", "DEFINE CHANNEL(C) CHLTYPE(RCVR)", stand_in)
    net.at1("ALTER CHANNEL(C) CHLTYPE(SDR) CONNAME('local(QM2),local(QM3)')")


@pytest.mark.parametrize("queue", ["N", "A"])
def test_a_transmission_queue_that_is_none(net: Network, queue: str) -> None:
    net.at1("DEFINE QLOCAL(N)", "DEFINE QALIAS(A) TARGET(X)", f"ALTER CHANNEL(C) CHLTYPE(SDR) XMITQ({queue})")
    net.put("1", queue="N")
    net.start()
    assert net.status() == "RETRYING"
    assert f"QM1: AMQ9531E: Transmission queue specification error: {queue} has USAGE(NORMAL)." in net.reports
    assert net.texts("N", net.qm1) == ["1"]


def test_a_partner_that_ends_while_the_channel_runs(far: Network) -> None:
    run = far.start()
    far.put("1")
    far.qm2.end(immediate=True)
    run.resume()
    assert (far.status(), far.depth("X")) == ("RETRYING", 1)
    assert far.said("AMQ9524E", "AMQ9542W")


def test_the_own_queue_manager_ends(net: Network) -> None:
    run = net.start()
    net.qm1.end()
    run.resume()
    assert run.ending is not None
    assert (run.ending.failed, net.status()) == (False, "INACTIVE")
    assert net.said("AMQ9542W", "AMQ9001I")


def test_a_partner_of_a_newer_version(far: Network, url: str) -> None:
    far.qm2.store.close()
    path = url.removeprefix("sqlite:///")
    with sqlite3.connect(path) as bare:
        bare.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    bare.close()
    far.start()
    assert far.status() == "RETRYING"
    assert any("AMQ9202E" in line and "newer" in line for line in far.reports)


def test_a_partner_that_is_no_store(far: Network, url: str) -> None:
    far.qm2.store.close()
    Path(url.removeprefix("sqlite:///")).write_bytes(b"not a database at all" * 100)
    far.start()
    assert far.status() == "RETRYING"
    assert far.said("AMQ9202E")


def test_the_queue_of_the_records_is_missing_at_the_partner(net: Network) -> None:
    net.at2("DELETE QLOCAL(SYSTEM.CHANNEL.SYNCQ)")
    net.start()
    assert net.status() == "RETRYING"
    assert net.said("AMQ9509E", "AMQ9999E")


def test_a_transmission_queue_that_another_program_reads(net: Network) -> None:
    with net.qm1.connect("other") as connection:
        connection.open("X", 2)
        net.start()
    assert net.status() == "RETRYING"
    assert net.said("AMQ9509E")


def test_h23_expiry_runs_on_from_hop_to_hop(net: Network) -> None:
    net.qm2.store.create_queue_manager("QM3")
    qm3 = net.qm2.store.queue_manager("QM3")
    mqsc(qm3, "DEFINE QLOCAL(Q)", "DEFINE CHANNEL(D) CHLTYPE(RCVR)")
    net.at2(
        "DEFINE QLOCAL(QM3) USAGE(XMITQ)",
        "DEFINE CHANNEL(D) CHLTYPE(SDR) XMITQ(QM3) CONNAME('local(QM3)')",
    )
    net.at1("DEFINE QREMOTE(FAR) RNAME(Q) RQMNAME(QM3) XMITQ(X)")
    net.put("hello", queue="FAR", expiry=50)
    net.clock.advance(2)
    net.drain()
    net.clock.advance(1)
    Driven(run_channel(net.qm2, "D", net.settings(until_empty=True)), net)
    net.clock.advance(1)
    (message,) = net.messages("Q", qm3)
    assert (message.body, message.descriptor.expiry) == (b"hello", 10)
