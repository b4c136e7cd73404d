"""Commands on channels and DISPLAY CHSTATUS, by the ids of channel-commands.md §8."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import mqsc
from mqsc.channels.link import Step
from mqsc.language.reply import Reply
from mqsc.lint.script_check import check_script
from mqsc.plan import Trial
from mqsc.script import Answered, Script
from store.admin.channel import status as channel_status
from store.client.api import QueueManager, Store
from store.client.plan_copy import tried_out
from store.constants import MQCHS, MQRCCF
from store.environment import Environment, FrozenClock
from tests.scenarios.channel_bench import FAST, Driven, Network, broken_at

IN_USE = ("AMQ9514E", int(MQRCCF.CHANNEL_IN_USE))
NOT_FOUND = ("AMQ8227E", int(MQRCCF.CHANNEL_NOT_FOUND))
WRONG_TYPE = ("AMQ9502E", int(MQRCCF.WRONG_CHANNEL_TYPE))
NO_STATUS = ("AMQ8420I", int(MQRCCF.CHL_STATUS_NOT_FOUND))
NOT_ACTIVE = ("AMQ9533W", int(MQRCCF.CHANNEL_NOT_ACTIVE))
IN_DOUBT = ("AMQ9507E", int(MQRCCF.CHANNEL_INDOUBT))
STARTED, STOPPED = ("AMQ8018I", 0), ("AMQ8019I", 0)


@pytest.fixture
def network(store: Store, environment: Environment[FrozenClock]) -> Network:
    return Network(store, environment)


class Kept:
    """Keeps references to the runs of a test, which would otherwise be garbage-collected and end."""

    def __init__(self) -> None:
        self.runs: list[Driven] = []

    def start(self, network: Network, hook: Callable[[Step, int], None] | None = None) -> Driven:
        self.runs.append(network.start(hook))
        return self.runs[-1]

    def close(self) -> None:
        for run in self.runs:
            run.close()
        self.runs = []


KEPT = Kept()


@pytest.fixture(autouse=True)
def _no_run_survives() -> Iterator[None]:
    yield
    KEPT.close()


def reply(qmgr: QueueManager, command: str) -> Reply:
    (found,) = mqsc.run(qmgr, command)
    assert found.completion == 2 or not found.reason, found
    return found


def answer(qmgr: QueueManager, command: str) -> tuple[str, int]:
    found = reply(qmgr, command)
    return found.message_id, found.reason


def status(qmgr: QueueManager, what: str = "C) ALL") -> dict[str, Any]:
    """Return the only row of DISPLAY CHSTATUS."""
    (row,) = reply(qmgr, f"DISPLAY CHSTATUS({what}").rows
    return row


def some(row: dict[str, Any], *words: str) -> tuple[Any, ...]:
    return tuple(row[word] for word in words)


def queue(network: Network) -> tuple[Any, ...]:
    (row,) = reply(network.qm1, "DISPLAY QLOCAL(X) GET TRIGGER").rows
    return some(row, "GET", "TRIGGER")


def fail_once(network: Network) -> None:
    """Let an initiator's channel fail because QM2 has ended."""
    network.initiator()
    network.qm2.end(immediate=True)
    KEPT.start(network)
    assert network.status() == "RETRYING"


def leave_in_doubt(network: Network, messages: int = 5) -> None:
    """Leave a channel retrying with a batch in doubt."""
    network.initiator()
    network.put(*(f"m{number}" for number in range(messages)))
    KEPT.start(network, broken_at(Step.R2_AFTER))
    assert network.qm1.in_doubt()


def test_l01_a_channel_that_does_not_exist(network: Network) -> None:
    """L01"""
    commands = ["START", "STOP", "RESET", "RESOLVE", "PING"]
    more = {"RESOLVE": " ACTION(COMMIT)"}
    for verb in commands:
        assert answer(network.qm1, f"{verb} CHANNEL(NOPE){more.get(verb, '')}") == NOT_FOUND
    network.qm1.end(immediate=True)
    for verb in commands:
        command = f"{verb} CHANNEL(NOPE){more.get(verb, '')}"
        assert answer(network.qm1, command) == ("AMQ8146E", 2059)


def test_l02_types_that_a_command_does_not_take(network: Network) -> None:
    """L02, and an SVR that cannot call."""
    network.at1("DEFINE CHANNEL(S) CHLTYPE(SVRCONN)", "DEFINE CHANNEL(R) CHLTYPE(RCVR)")
    network.at1("DEFINE CHANNEL(N) CHLTYPE(CLNTCONN) CONNAME(h)", "DEFINE CHANNEL(V) CHLTYPE(SVR) XMITQ(X)")
    for command in (
        *("RESET CHANNEL(S)", "RESOLVE CHANNEL(R) ACTION(COMMIT)", "PING CHANNEL(R)", "START CHANNEL(N)"),
        *("STOP CHANNEL(N)", "START CHANNEL(V)"),
    ):
        assert answer(network.qm1, command) == WRONG_TYPE


def test_l03_a_start_says_when_nobody_carries_it_out(network: Network) -> None:
    """L03"""
    found = reply(network.qm1, "START CHANNEL(C)")
    assert (found.message_id, found.text.splitlines()[1][:45]) == (
        "AMQ8018I",
        "No channel initiator reads SYSTEM.CHANNEL.INI",
    )
    assert network.status() == "STARTING"
    KEPT.start(network)
    assert network.status() == "RUNNING"


def test_an_initiator_carries_it_out(network: Network) -> None:
    network.initiator()
    assert reply(network.qm1, "START CHANNEL(C)").text == "Start IBM MQ channel accepted."
    (row,) = reply(network.qm1, "DISPLAY CHINIT").rows
    assert row == {"STATUS": "RUNNING", "INITQ": "SYSTEM.CHANNEL.INITQ", "PID": row["PID"]}
    (row,) = reply(network.qm1, "DISPLAY QMSTATUS CHINIT").rows
    assert row["CHINIT"] == "RUNNING"
    assert reply(network.qm1, "START CHINIT").text == "IBM MQ channel initiator started."
    assert answer(network.qm1, "START CHINIT INITQ(NOPE)") == ("AMQ8147E", 2085)


def test_l04_a_start_while_it_runs(network: Network) -> None:
    """L04, and IGNSTATE(YES)."""
    KEPT.start(network)
    found = reply(network.qm1, "START CHANNEL(C)")
    assert (found.message_id, found.reason) == IN_USE
    assert found.text.splitlines()[1].startswith("Process ")
    assert answer(network.qm1, "START CHANNEL(C) IGNSTATE(YES)") == STARTED
    KEPT.close()
    network.at1("START CHANNEL(C)")
    assert answer(network.qm1, "START CHANNEL(C)") == IN_USE


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("DELETE QLOCAL(X)", ("AMQ9509E", 4027)),
        ("ALTER QLOCAL(X) USAGE(NORMAL)", ("AMQ9531E", 4037)),
        ("ALTER CHANNEL(C) CHLTYPE(SDR) XMITQ(' ')", ("AMQ9509E", 4027)),
    ],
)
def test_l05_without_a_transmission_queue(network: Network, command: str, expected: tuple[str, int]) -> None:
    """L05"""
    network.at1(command)
    assert answer(network.qm1, "START CHANNEL(C)") == expected
    assert answer(network.qm1, "DISPLAY CHSTATUS(C)") == NO_STATUS


def test_l06_a_stop_of_an_inactive_channel(network: Network) -> None:
    """L06"""
    found = reply(network.qm1, "STOP CHANNEL(C)")
    assert (found.message_id, found.reason) == NOT_ACTIVE
    assert "a trigger or its partner can still start it" in found.text
    assert answer(network.qm1, "STOP CHANNEL(C) IGNSTATE(YES)") == STOPPED
    assert answer(network.qm1, "DISPLAY CHSTATUS(C)") == NO_STATUS


def test_l07_and_l08_stop_and_start(network: Network) -> None:
    """L07 L08"""
    network.at1("ALTER QLOCAL(X) TRIGGER TRIGTYPE(FIRST) INITQ(SYSTEM.CHANNEL.INITQ)")
    run = KEPT.start(network)
    assert answer(network.qm1, "STOP CHANNEL(C)") == STOPPED
    assert some(status(network.qm1), "STATUS", "STOPREQ") == ("STOPPING", "YES")
    run.resume()
    assert network.status() == "STOPPED"
    assert queue(network) == ("DISABLED", "NOTRIGGER")
    assert answer(network.qm1, "STOP CHANNEL(C)") == NOT_ACTIVE
    assert answer(network.qm1, "START CHANNEL(C)") == STARTED
    assert queue(network) == ("ENABLED", "TRIGGER")
    KEPT.start(network)
    assert network.status() == "RUNNING"


def test_l09_a_start_gives_back_only_what_the_stop_took(network: Network) -> None:
    """L09"""
    run = KEPT.start(network)
    network.at1("STOP CHANNEL(C)")
    run.resume()
    assert queue(network) == ("DISABLED", "NOTRIGGER")
    network.at1("START CHANNEL(C)")
    assert queue(network) == ("ENABLED", "NOTRIGGER")


def test_a_program_that_starts_a_stopped_channel_gives_it_back_too(network: Network) -> None:
    run = KEPT.start(network)
    network.at1("STOP CHANNEL(C)")
    run.resume()
    KEPT.start(network)
    assert (network.status(), queue(network)) == ("RUNNING", ("ENABLED", "NOTRIGGER"))


def test_l10_a_stop_that_lets_a_trigger_start_it(network: Network) -> None:
    """L10 without the initiator."""
    network.at1("ALTER QLOCAL(X) TRIGGER TRIGTYPE(FIRST) INITQ(SYSTEM.CHANNEL.INITQ)")
    run = KEPT.start(network)
    network.at1("STOP CHANNEL(C) STATUS(INACTIVE)")
    run.resume()
    assert answer(network.qm1, "DISPLAY CHSTATUS(C)") == NO_STATUS
    assert queue(network) == ("ENABLED", "TRIGGER")


def test_l11_a_stop_of_some_instances_leaves_none_stopped(network: Network) -> None:
    """L11"""
    KEPT.start(network)
    for word in ("QMNAME(QM2)", "CONNAME('local(QM2)')"):
        assert answer(network.qm1, f"STOP CHANNEL(C) {word} STATUS(STOPPED)") == ("AMQ8405I", 0)
    assert network.status() == "RUNNING"


def test_l12_a_stop_of_one_instance(network: Network, store: Store) -> None:
    """L12"""
    KEPT.start(network)
    channel_status.claim(network.qm2, "C", "QM3", MQCHS.RUNNING, {"RQMNAME": "QM3", "CONNAME": "local(QM3)"})
    found = reply(network.qm2, "STOP CHANNEL(C) QMNAME(QM9)")
    assert (found.message_id, found.reason) == NOT_ACTIVE
    assert answer(network.qm2, "STOP CHANNEL(C) QMNAME(QM3)") == STOPPED
    asked = {each.partner: (each.requested, each.requested_status) for each in channel_status.instances(network.qm2)}
    assert asked == {"QM1": ("", ""), "QM3": ("QUIESCE", "INACTIVE")}
    assert answer(network.qm2, "STOP CHANNEL(C) CONNAME('local(QM1)') MODE(FORCE)") == STOPPED


def test_l13_quiesce_ends_after_the_batch(network: Network) -> None:
    """L13"""
    stop_at_the_third(network, "QUIESCE")
    assert (network.depth("Q", network.qm2), network.depth("X")) == (10, 5)


def test_l14_force_ends_at_once(network: Network) -> None:
    """L14"""
    stop_at_the_third(network, "FORCE")
    assert (network.depth("Q", network.qm2), network.depth("X")) == (0, 15)
    assert some(status(network.qm1), "INDOUBT", "STATUS") == ("NO", "STOPPED")


def stop_at_the_third(network: Network, mode: str) -> None:
    network.at1("ALTER CHANNEL(C) CHLTYPE(SDR) BATCHSZ(10)")
    network.put(*map(str, range(15)))

    def hook(step: Step, number: int) -> None:
        if step is Step.S2 and number == 3 and network.status() == "RUNNING":
            network.at1(f"STOP CHANNEL(C) MODE({mode})")

    KEPT.start(network, hook)
    assert network.status() == "STOPPED"


def test_l16_a_start_of_a_stopped_receiver(network: Network) -> None:
    """L16 without the runner: nothing starts, and the partner may call again."""
    channel_status.claim(network.qm2, "C", "QM1", MQCHS.RUNNING, {})
    channel_status.change(network.qm2, "C", "QM1", status=MQCHS.STOPPED)
    found = reply(network.qm2, "START CHANNEL(C)")
    assert found.text.splitlines()[1].startswith("Its partner starts this channel")
    assert answer(network.qm2, "DISPLAY CHSTATUS(C)") == NO_STATUS


def test_l17_stopped_and_retrying_outlive_a_restart(network: Network) -> None:
    """L17"""
    fail_once(network)
    restart(network)
    assert some(status(network.qm1), "STATUS", "SHORTRTS") == ("RETRYING", 9)
    network.at1("STOP CHANNEL(C)")
    restart(network)
    assert some(status(network.qm1), "STATUS", "SHORTRTS") == ("STOPPED", 10)


def restart(network: Network) -> None:
    network.qm1.end(immediate=True)
    network.qm1.start()


def test_a_request_to_start_does_not_outlive_a_restart(network: Network) -> None:
    network.at1("START CHANNEL(C)")
    restart(network)
    assert answer(network.qm1, "DISPLAY CHSTATUS(C)") == NO_STATUS


def test_l18_a_start_after_the_last_retry_fails_once(network: Network) -> None:
    """L18"""
    network.at1("ALTER CHANNEL(C) CHLTYPE(SDR) SHORTRTY(1) LONGRTY(0)")
    fail_once(network)
    KEPT.start(network)
    assert network.status() == "STOPPED"
    network.at1("START CHANNEL(C)")
    KEPT.start(network)
    assert network.status() == "STOPPED"


def test_l19_a_failed_attempt(network: Network) -> None:
    """L19"""
    fail_once(network)
    found = some(status(network.qm1), "STATUS", "SHORTRTS", "MCASTAT", "JOBNAME", "SUBSTATE")
    assert found == ("RETRYING", 9, "NOT RUNNING", "0" * 16, "")


def test_retries_begin_anew_after_a_stop(network: Network) -> None:
    fail_once(network)
    assert answer(network.qm1, "STOP CHANNEL(C)") == STOPPED
    assert network.status() == "STOPPED"
    assert answer(network.qm1, "START CHANNEL(C)") == STARTED
    assert some(status(network.qm1), "STATUS", "SHORTRTS", "LONGRTS") == ("STARTING", 10, 999_999_999)
    assert answer(network.qm1, "STOP CHANNEL(C) STATUS(INACTIVE)") == STOPPED
    assert answer(network.qm1, "DISPLAY CHSTATUS(C)") == NO_STATUS


def test_l22_reset_is_shown_until_a_start_uses_it(network: Network) -> None:
    """L22"""
    assert answer(network.qm1, "RESET CHANNEL(C) SEQNUM(5)") == ("AMQ8023I", 0)
    assert reply(network.qm1, "DISPLAY CHANNEL(C) RESETSEQ").rows[0]["RESETSEQ"] == "5"
    network.put("a")
    KEPT.start(network)
    assert reply(network.qm1, "DISPLAY CHANNEL(C) RESETSEQ").rows[0]["RESETSEQ"] == "NO"
    assert [status(qmgr)["LSTSEQNO"] for qmgr in (network.qm1, network.qm2)] == [5, 5]


def test_l24_resolve_without_doubt(network: Network) -> None:
    """L24"""
    found = reply(network.qm1, "RESOLVE CHANNEL(C) ACTION(COMMIT)")
    assert (found.message_id, found.text.splitlines()[1]) == ("AMQ8025I", "No batch was in doubt.")
    KEPT.start(network)
    assert answer(network.qm1, "RESOLVE CHANNEL(C) ACTION(COMMIT)") == IN_USE
    assert answer(network.qm1, "RESOLVE CHANNEL(C)") == ("AMQ8421E", int(MQRCCF.PARM_MISSING))


def test_l25_resolve_commit(network: Network) -> None:
    """L25 H43"""
    leave_in_doubt(network)
    row = status(network.qm1)
    assert some(row, "STATUS", "INDOUBT", "CURMSGS", "CURSEQNO", "LSTSEQNO") == ("RETRYING", "YES", 5, 5, 0)
    saved = status(network.qm1, "C) SAVED ALL")
    assert some(saved, "INDOUBT", "CURMSGS", "CURSEQNO", "LSTSEQNO") == ("YES", 5, 5, 0)
    assert saved["CURLUWID"] == row["CURLUWID"] != saved["LSTLUWID"] == "0" * 16
    found = reply(network.qm1, "RESOLVE CHANNEL(C) ACTION(COMMIT)")
    assert found.text.splitlines()[1] == (
        "The batch had 5 messages; they were removed: if the partner has not committed the batch, they are lost."
    )
    assert network.depth("X") == 0
    row = status(network.qm1)
    assert some(row, "INDOUBT", "CURMSGS", "CURSEQNO", "LSTSEQNO") == ("NO", 0, 5, 5)
    assert row["LSTLUWID"] == saved["CURLUWID"]
    assert some(status(network.qm1, "C) SAVED ALL"), "INDOUBT", "LSTSEQNO", "CURSEQNO") == ("NO", 5, 5)


def test_resolve_backout_may_duplicate(network: Network) -> None:
    """H43"""
    leave_in_doubt(network)
    found = reply(network.qm1, "RESOLVE CHANNEL(C) ACTION(BACKOUT)")
    assert found.text.splitlines()[1].endswith("if the partner has committed the batch, they arrive twice.")
    assert network.depth("X") == 5
    assert some(status(network.qm1), "INDOUBT", "CURMSGS", "CURSEQNO", "LSTSEQNO") == ("NO", 0, 0, 0)


@pytest.mark.parametrize("action", ["COMMIT", "BACKOUT"])
def test_h43_resolve_counts_messages_and_no_records(network: Network, action: str) -> None:
    """H43: the second batch also replaces the record of the first."""
    network.put("first")
    network.drain()
    leave_in_doubt(network, 1)
    found = reply(network.qm1, f"RESOLVE CHANNEL(C) ACTION({action})")
    assert found.text.splitlines()[1].startswith("The batch had 1 message; it ")


def test_l26_what_is_refused_in_doubt(network: Network) -> None:
    """L26 H45"""
    leave_in_doubt(network)
    assert answer(network.qm1, "ALTER CHANNEL(C) CHLTYPE(SDR) CONNAME(h)") == IN_DOUBT
    assert answer(network.qm1, "ALTER CHANNEL(C) CHLTYPE(SDR) DESCR(x)") == ("AMQ8016I", 0)
    assert answer(network.qm1, "DEFINE CHANNEL(C) CHLTYPE(SDR) XMITQ(X) CONNAME(h) REPLACE") == IN_DOUBT
    assert answer(network.qm1, "RESET CHANNEL(C)") == IN_DOUBT
    assert answer(network.qm1, "DELETE CHANNEL(C)") == IN_DOUBT
    assert answer(network.qm1, "CLEAR QLOCAL(X)") == ("AMQ8143E", 2055)
    assert "RESOLVE CHANNEL" in reply(network.qm1, "RESET CHANNEL(C)").text
    restart(network)
    assert status(network.qm1)["INDOUBT"] == "YES"


def test_delete_takes_the_status_with_it(network: Network) -> None:
    network.put("a")
    network.initiator()
    run = KEPT.start(network)
    assert answer(network.qm1, "DELETE CHANNEL(C)") == IN_USE
    network.at1("STOP CHANNEL(C)")
    run.resume()
    assert status(network.qm1, "C) SAVED")["STATUS"] == "STOPPED"
    assert answer(network.qm1, "DELETE CHANNEL(C)") == ("AMQ8015I", 0)
    for word in ("", "SAVED"):
        assert answer(network.qm1, f"DISPLAY CHSTATUS(C) {word}") == NO_STATUS
    assert network.depth("SYSTEM.CHANNEL.SYNCQ") == 0


def test_l27_a_ping_leaves_no_trace(network: Network) -> None:
    """L27"""
    found = ("AMQ8020I", 0)
    assert answer(network.qm1, "PING CHANNEL(C)") == found
    assert answer(network.qm1, "DISPLAY CHSTATUS(C)") == NO_STATUS
    fail_once(network)
    network.qm2.start()
    before = status(network.qm1)
    assert answer(network.qm1, "PING CHANNEL(C)") == found
    assert status(network.qm1) == before
    network.at1("STOP CHANNEL(C)")
    assert answer(network.qm1, "PING CHANNEL(C)") == found
    network.at1("START CHANNEL(C)")
    KEPT.start(network)
    assert answer(network.qm1, "PING CHANNEL(C)") == IN_USE


def test_l28_a_partner_that_does_not_answer(network: Network) -> None:
    """L28"""
    channel_status.claim(network.qm2, "C", "QM1", MQCHS.RUNNING, {})
    channel_status.change(network.qm2, "C", "QM1", status=MQCHS.STOPPED)
    assert answer(network.qm1, "PING CHANNEL(C)") == ("AMQ9558E", 4038)
    network.at2("DELETE CHANNEL(C)")
    assert answer(network.qm1, "PING CHANNEL(C)") == ("AMQ9520E", 4033)
    network.at2("DEFINE CHANNEL(C) CHLTYPE(SDR) XMITQ(X) CONNAME(h)")
    assert answer(network.qm1, "PING CHANNEL(C)") == ("AMQ9547E", 3376)
    network.qm2.end(immediate=True)
    assert answer(network.qm1, "PING CHANNEL(C)") == ("AMQ9524E", 4034)
    network.at1("ALTER CHANNEL(C) CHLTYPE(SDR) CONNAME('nowhere(1414)')")
    found = reply(network.qm1, "PING CHANNEL(C)")
    assert (found.message_id, found.reason) == ("AMQ9202E", 4010)
    assert "nowhere(1414)" in found.text


def test_l29_what_is_always_shown(network: Network) -> None:
    """L29"""
    KEPT.start(network)
    assert [*status(network.qm1, "C)").items()] == [
        ("CHANNEL", "C"), ("CHLTYPE", "SDR"), ("CONNAME", "local(QM2)"), ("CURRENT", "CURRENT"), ("RQMNAME", "QM2"),
        ("STATUS", "RUNNING"), ("SUBSTATE", "MQGET"), ("XMITQ", "X"),
    ]  # fmt: skip
    assert [*status(network.qm2, "C)").items()] == [
        ("CHANNEL", "C"), ("CHLTYPE", "RCVR"), ("CONNAME", "local(QM1)"), ("CURRENT", "CURRENT"), ("RQMNAME", "QM1"),
        ("STATUS", "RUNNING"), ("SUBSTATE", "RECEIVE"),
    ]  # fmt: skip


ALL = """
    CHANNEL CHLTYPE BATCHES BATCHSZ BUFSRCVD BUFSSENT BYTSRCVD BYTSSENT CHSTADA CHSTATI COMPHDR COMPMSG COMPRATE
    COMPTIME
    CONNAME CURLUWID CURMSGS CURRENT CURSEQNO EXITTIME HBINT INDOUBT JOBNAME LOCLADDR LONGRTS LSTLUWID LSTMSGDA LSTMSGTI
    LSTSEQNO MCASTAT MCAUSER MONCHL MSGS NETTIME NPMSPEED RQMNAME SECPROT SHORTRTS SSLCERTI SSLKEYDA SSLKEYTI SSLPEER
    SSLRKEYS STATUS STOPREQ SUBSTATE XBATCHSZ XMITQ XQTIME RVERSION RPRODUCT
""".split()


def test_the_order_of_all(network: Network) -> None:
    KEPT.start(network)
    assert [*status(network.qm1)] == [word for word in ALL if word != "MCAUSER"]
    missing = {"LONGRTS", "SHORTRTS", "NETTIME", "XMITQ", "XQTIME"}
    assert [*status(network.qm2)] == [word for word in ALL if word not in missing]


def test_what_is_shown_only_when_it_is_named(network: Network) -> None:
    KEPT.start(network)
    row = status(network.qm1, "C) XQMSGSA MAXMSGL KAINT QMNAME STATCHL SSLCIPH MCAUSER")
    assert some(row, "XQMSGSA", "MAXMSGL", "KAINT", "QMNAME", "STATCHL", "SSLCIPH") == (
        0, 4_194_304, "AUTO", "QM1", "OFF", "",
    )  # fmt: skip
    assert "MCAUSER" not in row
    monitored = status(network.qm1, "C) MONITOR")
    assert {"MONCHL", "COMPRATE", "COMPTIME", "EXITTIME", "NETTIME", "XBATCHSZ", "XQMSGSA", "XQTIME"} < {*monitored}
    assert {"CURRENT", "QMNAME"} & {*status(network.qm1, "C) SHORT")} == {"QMNAME"}
    assert "SHORT" in status(network.qm1, "C) SHORT")


def test_l30_saved_status(network: Network) -> None:
    """L30"""
    assert answer(network.qm1, "DISPLAY CHSTATUS(C) SAVED") == NO_STATUS
    network.put("fast", persistence=int(FAST))
    KEPT.start(network)
    assert answer(network.qm1, "DISPLAY CHSTATUS(C) SAVED") == NO_STATUS
    network.put("a", "b", "c")
    KEPT.close()
    KEPT.start(network)
    row = status(network.qm1, "C) SAVED ALL")
    assert [*row] == [
        "CHANNEL", "CHLTYPE", "CONNAME", "CURLUWID", "CURMSGS", "SAVED", "CURSEQNO", "INDOUBT", "LSTLUWID", "LSTSEQNO",
        "RQMNAME", "STATUS", "XMITQ",
    ]  # fmt: skip
    assert some(row, "CURMSGS", "CURSEQNO", "LSTSEQNO", "STATUS", "RQMNAME") == (0, 3, 3, "RUNNING", "QM2")
    assert some(status(network.qm2, "C) SAVED ALL"), "LSTSEQNO", "RQMNAME", "STATUS") == (3, "QM1", "RUNNING")


def test_l31_the_saved_status_outlives_the_channel(network: Network) -> None:
    """L31"""
    network.at1("ALTER CHANNEL(C) CHLTYPE(SDR) DISCINT(2)")
    network.put("a")
    KEPT.start(network).after(3)
    assert answer(network.qm1, "DISPLAY CHSTATUS(C)") == NO_STATUS
    assert some(status(network.qm1, "C) SAVED CURMSGS"), "CURMSGS", "STATUS") == (0, "INACTIVE")


def test_l32_what_three_messages_cost(network: Network) -> None:
    """L32"""
    network.put(*("x" * 100 for _ in range(3)))
    KEPT.start(network)
    assert some(
        status(network.qm1),
        *("BATCHES", "MSGS", "BUFSSENT", "BUFSRCVD", "BYTSSENT", "BYTSRCVD", "CURSEQNO", "LSTSEQNO"),
    ) == (1, 3, 4, 2, 1936, 296, 3, 3)  # fmt: skip


def test_l33_fast_messages_take_no_number(network: Network) -> None:
    """L33"""
    network.put("a", "b")
    network.put("c", "d", persistence=int(FAST))
    KEPT.start(network)
    assert some(status(network.qm1), "MSGS", "LSTSEQNO") == (4, 2)


def test_l34_a_break_before_the_doubt(network: Network) -> None:
    """L34"""
    network.initiator()
    network.put(*map(str, range(5)))
    KEPT.start(network, broken_at(Step.S2, 3))
    row = status(network.qm1)
    assert some(row, "STATUS", "CURMSGS", "INDOUBT", "RQMNAME") == ("RETRYING", 3, "NO", "QM2")
    assert row["CURSEQNO"] == row["LSTSEQNO"] + 3


def test_l35_a_break_in_doubt(network: Network) -> None:
    """L35"""
    network.initiator()
    network.put(*map(str, range(5)))
    seen: list[str] = []

    def hook(step: Step, number: int) -> None:
        if step is Step.R2_BEFORE:
            seen.extend(str(status(qmgr)["INDOUBT"]) for qmgr in (network.qm1, network.qm2))
            broken_at(Step.R2_BEFORE)(step, number)

    KEPT.start(network, hook)
    assert some(status(network.qm1), "CURMSGS", "INDOUBT") == (5, "YES")
    assert seen == ["YES", "NO"]


def test_l36_nothing_to_show(network: Network) -> None:
    """L36"""
    KEPT.start(network)
    assert answer(network.qm1, "DISPLAY CHSTATUS(*) WHERE(STATUS EQ STOPPED)") == NO_STATUS
    assert answer(network.qm1, "DISPLAY CHSTATUS(C) CONNAME(other)") == NO_STATUS
    assert status(network.qm1, "*) XMITQ(X)")["CHANNEL"] == "C"
    assert status(network.qm1, "*) WHERE(STATUS EQ RUNNING)")["CHANNEL"] == "C"
    for words in ("CURRENT SAVED", "SHORT CURRENT", "SAVED SHORT"):
        assert answer(network.qm1, f"DISPLAY CHSTATUS(C) {words}") == ("AMQ8405I", 0)


def test_stop_chinit_leaves_no_channel_stopped(network: Network) -> None:
    run = KEPT.start(network)
    network.at2("DEFINE CHANNEL(D) CHLTYPE(SDR) XMITQ(QM1) CONNAME('local(QM1)')", "START CHANNEL(D)")
    found = reply(network.qm2, "STOP CHINIT")
    assert (found.message_id, found.text.splitlines()[1][:20]) == ("MQSC0004I", "2 channels will end.")
    (left,) = channel_status.instances(network.qm2)
    assert (left.channel, left.requested, left.requested_status) == ("C", "FORCE", "INACTIVE")
    network.at1("STOP CHINIT")
    run.resume()
    assert network.status() == "INACTIVE"
    assert reply(network.qm1, "STOP CHINIT").text.splitlines()[1] == "No channel was running."


def test_channels_that_nothing_runs(network: Network) -> None:
    network.at1("DEFINE CHANNEL(S) CHLTYPE(SVRCONN)", "DEFINE CHANNEL(T) CHLTYPE(CLUSSDR) CONNAME(h)")
    assert reply(network.qm1, "START CHANNEL(S)").text.splitlines()[1] == "No channel of this type runs here."
    assert reply(network.qm1, "START CHANNEL(T)").text.splitlines()[1].startswith("There are no clusters here")
    assert answer(network.qm1, "DISPLAY CHSTATUS(*)") == NO_STATUS


def planned(qmgr: QueueManager, *commands: str) -> list[tuple[str, str]]:
    """Plan commands; return the action of each, or the id of its error message."""
    with tried_out(qmgr) as copy:
        trial = Trial(qmgr, copy)
        script = Script(None, carry_out=trial.carry_out)
        steps = script.steps([f"{command}\n" for command in commands])
        found = [each for step in steps if isinstance(step, Answered) for each in trial.planned(step)]
    return [(each.action.name, each.message_id or f"{each.type} {each.name}") for each in found]


def test_a_plan_knows_the_status(network: Network) -> None:
    """A plan does not contact the partner and starts nothing."""
    before = channel_status.instances(network.qm1)
    action = ("ACTION", "CHANNEL C")
    commands = ("PING CHANNEL(C)", "START CHANNEL(C)", "START CHANNEL(C)", "STOP CHANNEL(C)", "DISPLAY CHSTATUS(C)")
    assert planned(network.qm1, *commands) == [action, ("ERROR", "AMQ9514E"), action]
    assert channel_status.instances(network.qm1) == before
    leave_in_doubt(network)
    ending = ("DELETE CHANNEL(C)", "RESOLVE CHANNEL(C) ACTION(COMMIT)", "DELETE CHANNEL(C)", "DELETE CHANNEL(C)")
    assert planned(network.qm1, *ending) == [
        ("ERROR", "AMQ9507E"), action, ("DELETE", "CHANNEL C"), ("ERROR", "AMQ8227E"),
    ]  # fmt: skip
    KEPT.start(network)
    assert planned(network.qm1, "START CHANNEL(C)", "STOP CHANNEL(C)") == [("ERROR", "AMQ9514E"), action]
    assert some(status(network.qm1), "STATUS", "STOPREQ") == ("RUNNING", "NO")


def test_a_check_finds_what_a_run_finds() -> None:
    script = (
        "DEFINE QLOCAL(X) USAGE(XMITQ)", "DEFINE QLOCAL(Y)", "DEFINE CHANNEL(C) CHLTYPE(SDR) XMITQ(X) CONNAME('h')",
        "PING CHANNEL(C)", "START CHANNEL(C)", "STOP CHANNEL(C) STATUS(STOPPED) QMNAME(QM2)", "DISPLAY CHSTATUS(C)",
        "DEFINE CHANNEL(D) CHLTYPE(SDR) XMITQ(Y) CONNAME('h')", "START CHANNEL(D)", "DISPLAY CHS(C) SAVED SHORT",
    )  # fmt: skip
    found = check_script([f"{line}\n" for line in script])
    errors = [(each.rule_id, each.line) for each in found if each.severity == "error"]
    assert errors == [("AMQ8405I", 6), ("AMQ9531E", 9), ("AMQ8405I", 10)]
