"""Channels on a frozen clock and without threads: batches, batches in doubt, commands and runs,
most from pages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import mqsc
from mqsc.plan import Trial
from mqsc.script import Answered, Script
from mqsc.store.admin.channel import status as channel_status
from mqsc.store.client.plan_copy import tried_out
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store, open_store
from mqsc.store.constants import MQOO, MQRO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.environment import Environment, FrozenClock
from mqsc.store.headers import mqxqh
from mqsc.store.message import Message
from tests.mqsc.lint.checking import check_script
from tests.scenarios.channel_bench import Network, events, row
from tests.scenarios.channel_play import ChannelPlay, new_network
from tests.scenarios.pages import page

CopyOf = Callable[[Callable[[Store], object]], Store]


@pytest.fixture
def play(copy_of: CopyOf, environment: Environment[FrozenClock]) -> ChannelPlay:
    return ChannelPlay(Network(copy_of(new_network), environment))


@pytest.fixture(params=["one store", "two stores"])
def either(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    environment: Environment[FrozenClock],
) -> Iterator[ChannelPlay]:
    """QM1 and QM2 in one store or in two."""
    if request.param == "one store":
        yield request.getfixturevalue("play")
        return
    url = f"sqlite:///{tmp_path / 'other.db'}"
    with open_store(url, environment) as other:
        yield ChannelPlay(
            Network(request.getfixturevalue("store"), environment, other, f"{url}(QM2)"),
        )


@pytest.mark.parametrize("scenario", page("channels"))
def test_batches(play: ChannelPlay, scenario: str) -> None:
    play.run(scenario)


@pytest.mark.parametrize("scenario", page("channels_in_doubt"))
def test_batches_in_doubt(either: ChannelPlay, scenario: str) -> None:
    either.run(scenario)


@pytest.mark.parametrize("scenario", page("channel_commands"))
def test_commands_and_display_chstatus(play: ChannelPlay, scenario: str) -> None:
    play.run(scenario)


@pytest.mark.parametrize("scenario", page("channel_running"))
def test_runs(play: ChannelPlay, scenario: str) -> None:
    play.run(scenario)


@pytest.mark.parametrize("earlier", [[], ["0"]], ids=["the first batch", "a later batch"])
@pytest.mark.parametrize(
    "remove",
    [
        ("CLEAR QLOCAL(SYSTEM.CHANNEL.SYNCQ)",),
        ("DELETE CHANNEL(C)", "DEFINE CHANNEL(C) CHLTYPE(RCVR)"),
        ("DEFINE QLOCAL(KEPT)", "MOVE QLOCAL(SYSTEM.CHANNEL.SYNCQ) TOQLOCAL(KEPT)"),
        (
            "DELETE QLOCAL(SYSTEM.CHANNEL.SYNCQ) PURGE",
            "DEFINE QLOCAL(SYSTEM.CHANNEL.SYNCQ) DEFPSIST(YES)",
        ),
    ],
    ids=["CLEAR", "DELETE CHANNEL", "MOVE", "DELETE QLOCAL"],
)
def test_a_receiver_without_its_record_decides_nothing(
    either: ChannelPlay,
    remove: tuple[str, ...],
    earlier: list[str],
) -> None:
    """The batch may have been committed: to send it again would double its messages."""
    if earlier:
        either.run("send 0\ndrain")
    either.run("initiator\nsend 1 2 3 4 5\nrun break=R2-after => RETRYING")
    replies = [each for command in remove for each in mqsc.run(either.network.qm2, command)]
    assert [
        line for each in replies for line in each.text.splitlines() if line.startswith("MQSC0046W")
    ] == [
        "MQSC0046W: Records of channels are gone: C (batches from QM1). The next start may need "
        "RESET CHANNEL, and a "
        "batch in doubt RESOLVE CHANNEL.",
    ]
    there = " ".join([*earlier, "1 2 3 4 5"])
    either.run(f"""
        forecast partner => "QM2 no longer has its record of the channel"
        drain => AMQ9507E
        doubt => 1+{6 if earlier else 5}
        QM2: on Q => {there}
        RESOLVE CHANNEL(C) ACTION(COMMIT)
        RESET CHANNEL(C) SEQNUM(1)
        send 6
        drain => ended
        QM2: on Q => {there} 6
    """)


def test_a5_an_embedded_descriptor_that_has_expired_is_discarded_by_the_receiver(
    play: ChannelPlay,
) -> None:
    asking = MessageDescriptor(
        expiry=20,
        report=MQRO.EXPIRATION,
        reply_to_q="REPLIES",
        reply_to_q_mgr="QM1",
    )
    asking.priority, asking.persistence = 0, 1
    header = mqxqh.pack(mqxqh.TransmissionHeader("Q", "QM2", asking))
    handle = play.handle("A", "X", "put", MQOO.OUTPUT)
    handle.put(
        Message(header + b"late", MessageDescriptor(expiry=1000, format="MQXMIT", persistence=1)),
    )
    play.run("""
        advance 5
        forecast => expire
        run
        QM2: on Q => nothing
        dead => nothing
        QM2: dead => nothing
        QM2: happened EXPIRE => channel/Q//0
        QM2: depth QM1 => 1
    """)


def test_l25_h43_resolve_commit(play: ChannelPlay) -> None:
    play.run("""
        initiator
        send m*5
        run break=R2-after
        DISPLAY CHSTATUS(C) ALL => STATUS=RETRYING INDOUBT=YES CURMSGS=5 CURSEQNO=5 LSTSEQNO=0
        DISPLAY CHSTATUS(C) SAVED ALL => INDOUBT=YES CURMSGS=5 CURSEQNO=5 LSTSEQNO=0 LSTLUWID=0000000000000000
    """)
    current, saved = (
        row(play.qmgr, f"DISPLAY CHSTATUS(C) {word} ALL")["CURLUWID"] for word in ("", "SAVED")
    )
    assert current == saved != "0" * 16
    play.run(f"""
        RESOLVE CHANNEL(C) ACTION(COMMIT) => "The batch had 5 messages; they were removed: if the partner has not \
committed the batch, they are lost."
        depth X => 0
        DISPLAY CHSTATUS(C) ALL => INDOUBT=NO CURMSGS=0 CURSEQNO=5 LSTSEQNO=5 LSTLUWID={saved}
        DISPLAY CHSTATUS(C) SAVED ALL => INDOUBT=NO LSTSEQNO=5 CURSEQNO=5
    """)


ALL = """
    CHANNEL CHLTYPE BATCHES BATCHSZ BUFSRCVD BUFSSENT BYTSRCVD BYTSSENT CHSTADA CHSTATI COMPHDR COMPMSG COMPRATE
    COMPTIME
    CONNAME CURLUWID CURMSGS CURRENT CURSEQNO EXITTIME HBINT INDOUBT JOBNAME LOCLADDR LONGRTS LSTLUWID LSTMSGDA LSTMSGTI
    LSTSEQNO MCASTAT MCAUSER MONCHL MSGS NETTIME NPMSPEED RQMNAME SECPROT SHORTRTS SSLCERTI SSLKEYDA SSLKEYTI SSLPEER
    SSLRKEYS STATUS STOPREQ SUBSTATE XBATCHSZ XMITQ XQTIME RVERSION RPRODUCT
""".split()


def test_the_columns_of_chstatus(play: ChannelPlay) -> None:
    play.run("run")
    assert [*row(play.qmgr, "DISPLAY CHSTATUS(C) ALL")] == [
        word for word in ALL if word != "MCAUSER"
    ]
    missing = {"LONGRTS", "SHORTRTS", "NETTIME", "XMITQ", "XQTIME"}
    assert [*row(play.network.qm2, "DISPLAY CHSTATUS(C) ALL")] == [
        word for word in ALL if word not in missing
    ]
    play.run("""
        DISPLAY CHSTATUS(C) XQMSGSA MAXMSGL KAINT QMNAME STATCHL SSLCIPH MCAUSER => XQMSGSA=0 MAXMSGL=4194304 \
KAINT=AUTO QMNAME=QM1 STATCHL=OFF SSLCIPH= MCAUSER=-
    """)
    monitored, short = (
        row(play.qmgr, f"DISPLAY CHSTATUS(C) {word}").keys() for word in ("MONITOR", "SHORT")
    )
    assert {
        "MONCHL",
        "COMPRATE",
        "COMPTIME",
        "EXITTIME",
        "NETTIME",
        "XBATCHSZ",
        "XQMSGSA",
        "XQTIME",
    } < monitored
    assert {"CURRENT", "QMNAME", "SHORT"} & short == {"QMNAME", "SHORT"}


def planned(qmgr: QueueManager, *commands: str) -> list[tuple[str, str]]:
    """Plan commands; return the action of each, or the id of its error message."""
    with tried_out(qmgr) as copy:
        trial = Trial(qmgr, copy)
        steps = Script(None, carry_out=trial.carry_out).steps(
            [f"{command}\n" for command in commands],
        )
        found = [
            each for step in steps if isinstance(step, Answered) for each in trial.planned(step)
        ]
    return [(each.action.name, each.message_id or f"{each.type} {each.name}") for each in found]


def test_a_plan_knows_the_status(play: ChannelPlay) -> None:
    """A plan does not contact the partner and starts nothing."""
    qmgr, action, in_use = play.qmgr, ("ACTION", "CHANNEL C"), ("ERROR", "AMQ9514E")
    before = channel_status.instances(qmgr)
    commands = (
        "PING CHANNEL(C)",
        "START CHANNEL(C)",
        "START CHANNEL(C)",
        "STOP CHANNEL(C)",
        "DISPLAY CHSTATUS(C)",
    )
    assert planned(qmgr, *commands) == [action, in_use, action]
    assert channel_status.instances(qmgr) == before
    play.run("initiator\nsend m*5\nrun break=R2-after\ndoubt => 1+5")
    resolving = (
        "DELETE CHANNEL(C)",
        "RESOLVE CHANNEL(C) ACTION(COMMIT)",
        "DELETE CHANNEL(C)",
        "DELETE CHANNEL(C)",
    )
    gone = [("DELETE", "CHANNEL C"), ("ERROR", "AMQ8227E")]
    assert planned(qmgr, *resolving) == [("ERROR", "AMQ9507E"), action, *gone]
    play.run("run")
    assert planned(qmgr, "START CHANNEL(C)", "STOP CHANNEL(C)") == [in_use, action]
    play.run("DISPLAY CHSTATUS(C) ALL => STATUS=RUNNING STOPREQ=NO")


def test_a_check_finds_what_a_run_finds() -> None:
    script = (
        "DEFINE QLOCAL(X) USAGE(XMITQ)",
        "DEFINE QLOCAL(Y)",
        "DEFINE CHANNEL(C) CHLTYPE(SDR) XMITQ(X) CONNAME('h')",
        "PING CHANNEL(C)",
        "START CHANNEL(C)",
        "STOP CHANNEL(C) STATUS(STOPPED) QMNAME(QM2)",
        "DISPLAY CHSTATUS(C)",
        "DEFINE CHANNEL(D) CHLTYPE(SDR) XMITQ(Y) CONNAME('h')",
        "START CHANNEL(D)",
        "DISPLAY CHS(C) SAVED SHORT",
    )
    found = check_script([f"{line}\n" for line in script])
    errors = [(each.rule_id, each.line) for each in found if each.severity == "error"]
    assert errors == [("AMQ8405I", 6), ("AMQ9531E", 9), ("AMQ8405I", 10)]


def test_the_history_names_the_program_and_its_connection(play: ChannelPlay) -> None:
    play.run("send 1\ndrain")
    for qmgr, kind, queue in ((play.network.qm1, "GET", "X"), (play.network.qm2, "PUT", "Q")):
        found = events(qmgr, "CHANNEL")
        assert {event["application"] for event in found} == {"runmqchl"}
        batch = next(event for event in found if event["cause"] == "batch")
        (moved,) = [event for event in events(qmgr, kind) if event["queue"] == queue]
        assert (
            {event["connection"] for event in found[1:]}
            == {batch["connection"]}
            == {moved["connection"]}
        )
        assert batch["unit"] == moved["unit"]


SYNCQ = "queue 'SYSTEM.CHANNEL.SYNCQ'"


@pytest.mark.parametrize(
    ("at", "change", "message"),
    [
        ("QM1", "PUT(DISABLED)", f"QM1: AMQ9511E: Messages cannot be put to {SYNCQ}"),
        ("QM1", "GET(DISABLED)", f"QM1: AMQ9510E: Messages cannot be retrieved from {SYNCQ}"),
        ("QM2", "PUT(DISABLED)", f"QM2: AMQ9511E: Messages cannot be put to {SYNCQ}"),
        ("QM2", "GET(DISABLED)", f"QM2: AMQ9510E: Messages cannot be retrieved from {SYNCQ}"),
        ("QM1", "", f"QM1: AMQ9510E: Messages cannot be retrieved from {SYNCQ}"),
        (
            "QM2",
            "",
            "QM2: AMQ9509E: Program cannot open queue manager object 'SYSTEM.CHANNEL.SYNCQ'",
        ),
    ],
)
def test_a_failure_of_the_records_names_their_queue(
    play: ChannelPlay,
    at: str,
    change: str,
    message: str,
) -> None:
    verb = "ALTER" if change else "DELETE"
    play.run(
        f"initiator\nsend a\n{at}: {verb} QLOCAL(SYSTEM.CHANNEL.SYNCQ) {change}\ndrain => failed",
    )
    play.run(f'said => "{message}..."')
    assert not [line for line in play.network.reports if "'X'" in line]
