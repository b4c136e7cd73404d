"""Clients and message channels with CHLAUTH and MCAUSER (docs/development/specification/authority.md §4.4
and §6).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import mqsc
from mqsc import Message
from mqsc.constants import MQOO
from mqsc.store.admin.user_accounts import set_mode
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.environment import Environment, FrozenClock
from mqsc.store.error import MQError
from tests.rows import rows
from tests.scenarios.authorities import PASSWORD, grant, grant_qmgr, prepare, raised, refusals
from tests.scenarios.channel_bench import Network
from tests.scenarios.channel_play import ChannelPlay, new_network
from tests.scenarios.looking import events_on, waiting_on

CopyOf = Callable[[Callable[[Store], object]], Store]
CHANNELS = "DEFINE CHANNEL(C) CHLTYPE(SVRCONN)\nDEFINE CHANNEL(D) CHLTYPE(SVRCONN)"
AUTHINFO = "ALTER AUTHINFO(SYSTEM.DEFAULT.AUTHINFO.IDPWOS) AUTHTYPE(IDPWOS)"


@pytest.fixture
def qmgr(copy_of: CopyOf) -> QueueManager:
    qmgr = copy_of(prepare).queue_manager("QM1")
    mqsc.run(qmgr, CHANNELS, check=True)
    return qmgr


def client(
    qmgr: QueueManager,
    user: str = "app",
    channel: str = "C",
    password: str | None = None,
    **how: Any,
) -> str:
    """The user of a connection, or the reason why there is none."""
    try:
        with qmgr.connect(
            "shop",
            user,
            password=password,
            client=True,
            channel=channel,
            **how,
        ) as connection:
            return connection.user
    except MQError as error:
        return str(int(error.reason))


def blocked(qmgr: QueueManager) -> list[list[Any]]:
    """(reason, parameters) of the events about blocked channels."""
    found = events_on(qmgr, "SYSTEM.ADMIN.CHANNEL.EVENT")
    return [
        [event.header.reason, *event.values]
        for event in found
        if event.header.reason in (2577, 2578)
    ]


def test_z81_administrators_are_blocked_by_the_record_of_a_new_queue_manager(
    qmgr: QueueManager,
) -> None:
    assert client(qmgr, "adm", password=PASSWORD) == "2035"
    assert blocked(qmgr) == [[2577, "QM1", 22, "C", "adm", "127.0.0.1", "adm", 6, "shop"]]
    assert refusals(qmgr)[-1][:2] == ("channel", "adm")
    assert client(qmgr, "") == "2035"


def test_z82_system_channels_are_blocked(qmgr: QueueManager) -> None:
    assert client(qmgr, channel="SYSTEM.DEF.SVRCONN") == "2035"
    assert [event[:3] for event in blocked(qmgr)] == [[2577, "QM1", 23]]


# Scenario, MQSC, (user, channel, password) and what becomes of it.
CLIENTS: list[tuple[str, str, tuple[str, str, str | None], str]] = [
    (
        "Z83",
        "SET CHLAUTH(C) TYPE(USERMAP) CLNTUSER('app') MCAUSER('web')",
        ("app", "C", None),
        "web",
    ),
    (
        "Z83",
        "SET CHLAUTH(C) TYPE(USERMAP) CLNTUSER('app') MCAUSER('web')",
        ("app", "C", PASSWORD),
        "web",
    ),
    (
        "Z84",
        "SET CHLAUTH(C) TYPE(USERMAP) CLNTUSER('APP') MCAUSER('web')",
        ("app", "C", None),
        "app",
    ),
    ("Z85", "ALTER CHANNEL(C) CHLTYPE(SVRCONN) MCAUSER('web')", ("app", "C", PASSWORD), "app"),
    ("Z85", "ALTER CHANNEL(C) CHLTYPE(SVRCONN) MCAUSER('web')", ("", "C", None), "web"),
    (
        "Z85",
        f"ALTER CHANNEL(C) CHLTYPE(SVRCONN) MCAUSER('web')\n{AUTHINFO} ADOPTCTX(NO)",
        ("app", "C", PASSWORD),
        "web",
    ),
    (
        "Z86",
        "SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS)\n"
        "SET CHLAUTH(C) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL)",
        ("app", "C", None),
        "app",
    ),
    (
        "Z86",
        "SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS)",
        ("app", "D", None),
        "2035",
    ),
    (
        "Z87",
        "SET CHLAUTH(C) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL) CHCKCLNT(REQUIRED)",
        ("app", "C", None),
        "2035",
    ),
    (
        "Z87",
        "SET CHLAUTH(C) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL) CHCKCLNT(REQUIRED)",
        ("app", "C", PASSWORD),
        "app",
    ),
    (
        "Z87",
        "SET CHLAUTH(C) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL) CHCKCLNT(REQDADM)",
        ("app", "C", None),
        "app",
    ),
    (
        "Z88",
        "ALTER QMGR CONNAUTH(' ')\n"
        "SET CHLAUTH(C) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL) CHCKCLNT(REQUIRED)",
        ("app", "C", PASSWORD),
        "2035",
    ),
    (
        "Z89",
        "SET CHLAUTH('*') TYPE(BLOCKADDR) ADDRLIST('127.0.0.1')",
        ("app", "C", PASSWORD),
        "2059",
    ),
    (
        "Z91",
        f"ALTER QMGR CHLAUTH(DISABLED)\n{AUTHINFO} CHCKCLNT(REQDADM)",
        ("adm", "C", None),
        "2035",
    ),
    (
        "Z91",
        f"ALTER QMGR CHLAUTH(DISABLED)\n{AUTHINFO} CHCKCLNT(OPTIONAL)",
        ("adm", "C", None),
        "adm",
    ),
    ("Z98", "", ("app", "NOPE", None), "app"),
    (
        "Z99",
        "SET CHLAUTH(C) TYPE(QMGRMAP) QMNAME('*') USERSRC(NOACCESS)",
        ("app", "C", None),
        "app",
    ),
    ("ZH8", "", ("ghost", "C", None), "2035"),
]


@rows(*CLIENTS)
def test_what_becomes_of_a_client(
    qmgr: QueueManager,
    id: str,
    text: str,
    who: tuple[str, str, str | None],
    becomes: str,
) -> None:
    mqsc.run(qmgr, text, check=True)
    user, channel, password = who
    assert client(qmgr, user, channel, password) == becomes, id


def test_z87_the_event_about_a_missing_password_has_qualifier_29(qmgr: QueueManager) -> None:
    mqsc.run(
        qmgr,
        "SET CHLAUTH(C) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(CHANNEL) CHCKCLNT(REQUIRED)",
        check=True,
    )
    assert client(qmgr) == "2035"
    assert [event[1] for event in raised(qmgr)] == [29]


def test_z89_a_blocked_address_is_an_event_without_channel(qmgr: QueueManager) -> None:
    mqsc.run(qmgr, "SET CHLAUTH('*') TYPE(BLOCKADDR) ADDRLIST('127.0.0.1')", check=True)
    assert client(qmgr) == "2059"
    assert [event[:4] for event in blocked(qmgr)] == [[2577, "QM1", 21, "127.0.0.1"]]
    assert client(qmgr, address="10.0.0.9") == "app"


def test_z90_a_record_that_warns_lets_the_next_decide(qmgr: QueueManager) -> None:
    mqsc.run(
        qmgr,
        "SET CHLAUTH(D) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS) WARN(YES)",
        check=True,
    )
    assert client(qmgr, channel="D") == "app"
    assert [event[:3] for event in blocked(qmgr)] == [[2578, "QM1", 23]]
    assert refusals(qmgr)[-1][:2] == ("would-block", "app")


def test_z90_an_administrator_does_not_pass_beside_a_record_that_warns(qmgr: QueueManager) -> None:
    mqsc.run(
        qmgr,
        "SET CHLAUTH(D) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS) WARN(YES)",
        check=True,
    )
    assert client(qmgr, "adm", channel="D", password=PASSWORD) == "2035"


@rows(
    ("SYSTEM.DEF.SVRCONN", "app", "app", 23),
    ("C", "adm", "adm", 22),
    ("D", "app", "web", 0),
)
def test_z90_with_chlauth_warn_all_records_only_warn(
    qmgr: QueueManager,
    channel: str,
    user: str,
    becomes: str,
    qualifier: int,
) -> None:
    mqsc.run(qmgr, "ALTER QMGR CHLAUTH(WARN)", check=True)
    mqsc.run(
        qmgr,
        "SET CHLAUTH(D) TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(MAP) MCAUSER('web')",
        check=True,
    )
    assert client(qmgr, user, channel, PASSWORD) == becomes
    assert [event[:3] for event in blocked(qmgr)] == (
        [[2578, "QM1", qualifier]] if qualifier else []
    )
    assert [each[0] for each in refusals(qmgr)] == (["would-block"] if qualifier else [])
    mqsc.run(qmgr, "ALTER QMGR CHLAUTH(DISABLED)", check=True)
    assert client(qmgr, user, channel, PASSWORD) == user


def test_mode_warn_records_what_chlauth_would_block(qmgr: QueueManager) -> None:
    set_mode(qmgr, "warn")
    assert client(qmgr, "adm", password=PASSWORD) == "adm"
    assert refusals(qmgr)[-1][:2] == ("would-block", "adm")


def test_z117_without_users_no_record_is_asked(store: Store) -> None:
    qmgr = store.create_queue_manager("QM2")
    assert client(qmgr, "", "SYSTEM.DEF.SVRCONN") == "tester"


def test_z100_a_connection_gets_what_runcheck_says(qmgr: QueueManager) -> None:
    random = Random(100)
    seen = set()
    for _ in range(60):
        profile, address = (
            random.choice(["C", "D", "*", "C*"]),
            random.choice(["127.0.0.1", "10.0.0.*", "*"]),
        )
        source = random.choice(["NOACCESS", "CHANNEL", "MAP"])
        user = " MCAUSER('web')" if source == "MAP" else ""
        kind = random.choice(
            [f"TYPE(ADDRESSMAP) ADDRESS('{address}')", "TYPE(USERMAP) CLNTUSER('app')"],
        )
        mqsc.run(qmgr, f"SET CHLAUTH('{profile}') {kind} USERSRC({source}){user} ACTION(REPLACE)")
        channel, where = random.choice(["C", "D"]), random.choice(["127.0.0.1", "10.0.0.9"])
        asked = f"DISPLAY CHLAUTH({channel}) MATCH(RUNCHECK) ADDRESS('{where}') CLNTUSER('app')"
        (reply,) = mqsc.run(qmgr, asked)
        says = "app"
        if reply.rows:
            row = reply.rows[-1]
            says = {"NOACCESS": "2035", "CHANNEL": "app"}.get(
                row.get("USERSRC", "MAP"),
                row.get("MCAUSER", ""),
            )
        assert client(qmgr, "app", channel, address=where) == says, (asked, reply.rows)
        seen.add(says)
    assert seen == {"app", "web", "2035"}


# Message channels.


@pytest.fixture
def play(copy_of: CopyOf, environment: Environment[FrozenClock]) -> ChannelPlay:
    """QM1 sends to QM2, where authorities are enforced."""
    play = ChannelPlay(Network(copy_of(new_network), environment))
    play.run("initiator")
    set_mode(play.network.qm2, "enforce")
    mqsc.run(play.network.qm2, "ALTER QMGR AUTHOREV(ENABLED)", check=True)
    return play


def at_qm2(play: ChannelPlay, text: str) -> None:
    mqsc.run(play.network.qm2, text, check=True)


def mcauser(play: ChannelPlay, user: str = "qmrcv", more: str = "") -> None:
    at_qm2(play, f"ALTER CHANNEL(C) CHLTYPE(RCVR) MCAUSER('{user}') {more}")


def grant_all(
    play: ChannelPlay,
    *,
    queue: str = "put setall",
    dlq: str = "put setall",
    qmgr: str = "",
) -> None:
    to, qm2 = "PRINCIPAL('qmrcv')", play.network.qm2
    grant_qmgr(qm2, f"connect setall {qmgr}", to)
    for words, name in ((queue, "Q"), (dlq, "DLQ")):
        if words:
            grant(qm2, words, name, to=to)


def status(play: ChannelPlay) -> str:
    return play.network.status()


def test_z92_a_partner_that_is_blocked(play: ChannelPlay) -> None:
    at_qm2(play, "SET CHLAUTH(C) TYPE(QMGRMAP) QMNAME(QM1) USERSRC(NOACCESS)")
    play.run("send 1\nrun => failed")
    assert (status(play), waiting_on(play.network.qm2, "Q")) == ("RETRYING", [])
    (event,) = blocked(play.network.qm2)
    assert event[:6] == [2577, "QM2", 23, "C", "127.0.0.1", "QM1"]
    at_qm2(play, "SET CHLAUTH(C) TYPE(QMGRMAP) QMNAME(QM1) ACTION(REMOVE)")
    play.run("drain")
    assert waiting_on(play.network.qm2, "Q") == ["1"]


def test_z93_mqm_is_not_blocked_on_a_message_channel(play: ChannelPlay) -> None:
    mcauser(play, "mqm")
    play.run("send 1\ndrain")
    assert waiting_on(play.network.qm2, "Q") == ["1"]
    (reply,) = mqsc.run(
        play.network.qm2,
        "DISPLAY CHLAUTH(C) MATCH(RUNCHECK) ADDRESS('127.0.0.1') QMNAME(QM1)",
    )
    assert reply.message_id == "AMQ9783I"


def test_z94_a_mapped_user_with_all_it_needs(play: ChannelPlay) -> None:
    at_qm2(play, "SET CHLAUTH(C) TYPE(QMGRMAP) QMNAME(QM1) MCAUSER('qmrcv')")
    grant_all(play)
    play.run("send 1\nrun")
    assert waiting_on(play.network.qm2, "Q") == ["1"]
    (reply,) = mqsc.run(play.network.qm2, "DISPLAY CHSTATUS(C) MCAUSER")
    assert reply.rows[0]["MCAUSER"] == "qmrcv"


def test_z95_connect_is_asked_with_the_first_message(play: ChannelPlay) -> None:
    mcauser(play, "none9")
    play.run("run => RUNNING\nsend 1\nresume => RETRYING")
    assert (waiting_on(play.network.qm1, "X") != [], waiting_on(play.network.qm2, "DLQ")) == (
        True,
        [],
    )
    assert raised(play.network.qm2)[0][1:3] == [1, "none9"]


def test_z96_a_message_that_may_not_be_put_is_a_dead_letter(play: ChannelPlay) -> None:
    mcauser(play)
    grant_all(play, queue="setall")
    play.run("send 1\ndrain")
    assert [each[:4] for each in waiting_on(play.network.qm2, "DLQ")] == ["DLH "]
    assert waiting_on(play.network.qm2, "Q") == []


def test_z96_without_a_dead_letter_queue_the_channel_ends(play: ChannelPlay) -> None:
    mcauser(play)
    grant_all(play, queue="", dlq="")
    play.run("send 1\nrun => RETRYING")
    assert (waiting_on(play.network.qm2, "DLQ"), waiting_on(play.network.qm2, "Q")) == ([], [])


def sent_by_sara(play: ChannelPlay) -> list[str]:
    """What arrives of two messages from sara, who may put to the queue after the first."""
    for data in (b"1", b"2"):
        with play.network.qm1.connect("shop", "sara") as connection:
            connection.put1("RQ", Message(data))
        play.run("drain")
        grant(play.network.qm2, "put", "Q", to="PRINCIPAL('sara')")
    return waiting_on(play.network.qm2, "Q")


def test_z97_putaut_ctx_asks_the_user_of_the_message(play: ChannelPlay) -> None:
    mcauser(play, more="PUTAUT(CTX)")
    grant_all(play, queue="setall", qmgr="altusr")
    assert sent_by_sara(play) == ["2"]


def test_putaut_ctx_asks_the_user_of_the_message_without_mcauser_too(play: ChannelPlay) -> None:
    at_qm2(play, "ALTER CHANNEL(C) CHLTYPE(RCVR) PUTAUT(CTX)")
    assert sent_by_sara(play) == ["2"]
    assert refusals(play.network.qm2)[-1] == ("authority", "sara", "put:Q")


def test_z118_the_configuration_of_ibms_container_works_as_its_documentation_says(
    corpus: Path,
    copy_of: CopyOf,
) -> None:
    """`app` may use DEV.*, not SYSTEM.*; `admin` is an administrator on its own channel."""
    (template,) = (corpus / "mqsc").glob("*__10-dev.mqsc.tpl")
    qmgr = copy_of(prepare).queue_manager("QM1")
    qmgr.store.add_user("admin", PASSWORD)
    mqsc.run(qmgr, template.read_text().replace("{{ .ChckClnt }}", "REQUIRED"), check=True)
    own, admins = "DEV.APP.SVRCONN", "DEV.ADMIN.SVRCONN"
    assert [client(qmgr, "app", own, each) for each in (PASSWORD, None, "wrong")] == [
        "app",
        "2035",
        "2035",
    ]
    assert [client(qmgr, "app", each, PASSWORD) for each in (admins, "SYSTEM.DEF.SVRCONN")] == [
        "2035",
        "2035",
    ]
    assert client(qmgr, "admin", admins, PASSWORD) == "mqm"
    with qmgr.connect("shop", "app", password=PASSWORD, client=True, channel=own) as connection:
        queue = connection.open("DEV.QUEUE.1", MQOO.INPUT_SHARED | MQOO.OUTPUT | MQOO.INQUIRE)
        queue.put(Message(b"m"))
        reply = connection.open("DEV.APP.MODEL.QUEUE", MQOO.INPUT_SHARED)
        assert reply.destination is not None
        connection.put1(reply.destination.queue.name, Message(b"m"))
        for name in ("SYSTEM.DEFAULT.LOCAL.QUEUE", "SYSTEM.ADMIN.COMMAND.QUEUE"):
            with pytest.raises(MQError, match="2035"):
                connection.open(name, MQOO.OUTPUT)
    with qmgr.connect(
        "shop",
        "admin",
        password=PASSWORD,
        client=True,
        channel=admins,
    ) as connection:
        connection.open("SYSTEM.ADMIN.COMMAND.QUEUE", MQOO.OUTPUT)
