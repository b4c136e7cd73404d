"""Partners of channels: pairs of channel types, destinations of a CONNAME, and partners that
cannot be used.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import mqsc
from mqsc.console.parameters import iso
from mqsc.store.client.store import Store, open_store
from mqsc.store.environment import Environment, FrozenClock
from mqsc.store.sql.rows import SCHEMA_VERSION
from mqsc.store.sqlite.database import Transaction
from tests.scenarios.channel_bench import AT_QM2, Network, events
from tests.scenarios.channel_play import ChannelPlay, new_network

CopyOf = Callable[[Callable[[Store], object]], Store]


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'other.db'}"


@pytest.fixture
def near(copy_of: CopyOf, environment: Environment[FrozenClock]) -> ChannelPlay:
    """QM2 is in the same store; QM1 has an initiator."""
    play = ChannelPlay(Network(copy_of(new_network), environment))
    play.run("initiator")
    return play


@pytest.fixture
def far(store: Store, environment: Environment[FrozenClock], url: str) -> Iterator[ChannelPlay]:
    """QM2 is in another store."""
    with open_store(url, environment) as other:
        play = ChannelPlay(Network(store, environment, other, f"{url}(QM2)"))
        play.run("initiator")
        yield play


SDR = "CHLTYPE(SDR) XMITQ(X) CONNAME('local(QM2)')"
SVR = "CHLTYPE(SVR) XMITQ(X) CONNAME('local(QM2)')"
SVR_ALONE = "CHLTYPE(SVR) XMITQ(X)"
RCVR = "CHLTYPE(RCVR)"
RQSTR = "CHLTYPE(RQSTR) CONNAME('local(QM1)')"
DEFINE = """
    DELETE CHANNEL(C)
    DEFINE CHANNEL(C) {}
    QM2: DELETE CHANNEL(C)
    QM2: DEFINE CHANNEL(C) {}
    send 1 2
"""


@pytest.mark.parametrize(("here", "there"), [(SDR, RCVR), (SVR, RCVR), (SVR, RQSTR), (SDR, RQSTR)])
def test_pairs_begun_by_the_sending_end(near: ChannelPlay, here: str, there: str) -> None:
    near.run(DEFINE.format(here, there) + "drain\nQM2: on Q => 1 2")


@pytest.mark.parametrize("here", [SDR, SVR, SVR_ALONE])
def test_pairs_begun_by_the_requester(near: ChannelPlay, here: str) -> None:
    near.run(
        DEFINE.format(here, RQSTR)
        + "QM2: drain => ended INACTIVE\nQM2: on Q => 1 2\nreceiver => nothing",
    )


@pytest.mark.parametrize(("here", "message"), [(RCVR, "AMQ9547E"), (None, "AMQ9520E")])
def test_a_requester_without_a_sender(near: ChannelPlay, here: str | None, message: str) -> None:
    near.run(f"""
        DELETE CHANNEL(C)
        {f"DEFINE CHANNEL(C) {here}" if here else ""}
        QM2: DELETE CHANNEL(C)
        QM2: DEFINE CHANNEL(C) {RQSTR}
        QM2: drain => failed
        said => {message} AMQ9999E
        receiver => nothing
    """)


@pytest.mark.parametrize("definition", [RCVR, SVR_ALONE, "CHLTYPE(SVRCONN)"])
def test_types_that_nobody_starts(near: ChannelPlay, definition: str) -> None:
    near.run(f"DELETE CHANNEL(C)\nDEFINE CHANNEL(C) {definition}\nrun => 2/4041")


@pytest.mark.parametrize("name", ["QM2", "local(QM2)", "nowhere(1414), local(QM2)"])
def test_addresses_in_this_store(near: ChannelPlay, name: str) -> None:
    near.run(f"ALTER CHANNEL(C) CHLTYPE(SDR) CONNAME('{name}')\nsend 1\ndrain\nQM2: on Q => 1")


@pytest.mark.parametrize("target", ["{url}", "{url}(QM2)"])
def test_a_mapped_host(far: ChannelPlay, url: str, target: str) -> None:
    mapping = ("mq.example.com(1414)", target.format(url=url))
    with Transaction(far.qmgr.store.database, durable=False) as tx:
        tx.connection.execute("INSERT INTO channel_host VALUES (?, ?)", mapping)
    far.run(
        "ALTER CHANNEL(C) CHLTYPE(SDR) CONNAME('MQ.example.com')\nsend 1\ndrain\nQM2: on Q => 1",
    )


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("nowhere(1414)", "the host nowhere(1414) is not mapped to a store"),
        ("local(QM9)", "2058"),
        ("sqlite:////no/such/file.db(QM2)", "there is no store at /no/such/file.db"),
    ],
)
def test_a_partner_that_is_not_there(near: ChannelPlay, name: str, why: str) -> None:
    near.run(f"""
        ALTER CHANNEL(C) CHLTYPE(SDR) CONNAME('{name}')
        run => RETRYING
        said => "...AMQ9202E...{why}..."
        causes => starting retry
    """)
    assert "AMQ9202E" in events(near.qmgr, "CHANNEL")[-1]["detail"]


def test_h42_a_partner_of_the_same_name_is_not_the_partner(
    near: ChannelPlay,
    url: str,
    environment: Environment[FrozenClock],
) -> None:
    near.run(f"""
        ALTER CHANNEL(C) CHLTYPE(SDR) CONNAME('local(QM2),{url}(QM2)')
        send 1 2
        run break=R2-after
        QM2: end immediate
    """)
    old, new = (iso(near.network.clock.now() + seconds * 1_000_000) for seconds in (0, 60))
    near.run("advance 60")
    with open_store(url, environment) as other:
        same_name = other.create_queue_manager("QM2")
        mqsc.run(same_name, "\n".join(AT_QM2), check=True)
        reason = f"the batch was sent to a QM2 created at {old}, and this is a QM2 created at {new}"
        near.run(f"""
            run => RETRYING
            said => "QM1: AMQ9507E: Channel 'C' is currently in-doubt: {reason}."
            forecast partner => "{reason}"
        """)
        assert near.network.texts(qmgr=same_name) == []
    near.run("QM2: start\ndrain\nQM2: on Q => 1 2\ndepth X => 0\ndoubt => nothing")


def test_a_partner_of_a_newer_version(far: ChannelPlay, url: str) -> None:
    far.network.qm2.store.close()
    with sqlite3.connect(url.removeprefix("sqlite:///")) as bare:
        bare.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    bare.close()
    far.run('run => RETRYING\nsaid => "...AMQ9202E...newer..."')


def test_a_partner_that_is_no_store(far: ChannelPlay, url: str) -> None:
    far.network.qm2.store.close()
    Path(url.removeprefix("sqlite:///")).write_bytes(b"not a database at all" * 100)
    # Of what is no store no history is audited.
    far.managers = {
        name: each for name, each in far.managers.items() if each.store is not far.network.qm2.store
    }
    far.run("run => RETRYING\nsaid => AMQ9202E")
