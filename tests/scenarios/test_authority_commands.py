"""Authorities of commands, by MQSC and by PCF (docs/development/specification/authority.md §5)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import mqsc
from mqsc import Message, MessageDescriptor
from mqsc.constants import MQOO, MQPMO
from mqsc.store.client.connection import Connection
from mqsc.store.client.plan_copy import tried_out
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.constants import MQCMD
from mqsc.store.error import MQError
from mqsc.store.headers import pcf
from mqsc.store.headers.layout import NATIVE
from mqsc.store.headers.mqdlh import unpack_mqdlh
from mqsc.store.headers.pcf import CommandHeader, Parameter
from mqsc.store.rules.command_message import COMMAND_QUEUE
from tests.rows import rows
from tests.scenarios.authorities import (
    grant,
    grant_qmgr,
    outcome,
    prepare,
    putting,
    raised,
    refusals,
)

DEV = "PRINCIPAL('dev')"
OK = 0


@pytest.fixture
def qmgr(copy_of: Callable[[Callable[[Store], object]], Store]) -> QueueManager:
    """The queue manager, where commands are those of dev, who may display it."""
    qmgr = copy_of(prepare).queue_manager("QM1")
    grant_qmgr(qmgr, "dsp", DEV)
    qmgr.store.acting_user = "dev"
    return qmgr


def allow(qmgr: QueueManager, words: str, on: str, type: str = "QUEUE") -> None:
    qmgr.store.acting_user = ""
    grant(qmgr, words, on, to=DEV, type=type)
    qmgr.store.acting_user = "dev"


def as_owner(qmgr: QueueManager, command: str) -> None:
    qmgr.store.acting_user = ""
    mqsc.run(qmgr, command, check=True)
    qmgr.store.acting_user = "dev"


def told(qmgr: QueueManager, command: str) -> str:
    """The message id of the answer, or what is missing if that is AMQ8135E."""
    (reply,) = mqsc.run(qmgr, command)
    return (
        reply.text.partition("lacks ")[2].rstrip(".")
        if reply.message_id == "AMQ8135E"
        else reply.message_id
    )


# Scenario, command, what is missing first, the grants, the answer then.
COMMANDS: list[tuple[str, str, str, list[tuple[str, ...]], str]] = [
    ("Z66", "DISPLAY QLOCAL(Q)", "+dsp on queue Q", [("dsp", "Q")], "AMQ8409I"),
    (
        "Z69",
        "DEFINE QLOCAL(Q) REPLACE",
        "+chg on queue Q, +dsp on queue SYSTEM.DEFAULT.LOCAL.QUEUE",
        [("chg", "Q"), ("dsp", "SYSTEM.DEFAULT.LOCAL.QUEUE")],
        "AMQ8006I",
    ),
    (
        "Z68",
        "DEFINE QLOCAL(C) LIKE(B)",
        "+crt for objects of type queue, +dsp on queue B",
        [("crt", "@class"), ("dsp", "B")],
        "AMQ8006I",
    ),
    ("Z70", "ALTER QLOCAL(Q) MAXDEPTH(5)", "+chg on queue Q", [("chg", "Q")], "AMQ8008I"),
    (
        "Z63",
        "ALTER QLOCAL(Q) STREAMQ(DLQ)",
        "+chg on queue Q, +chg on queue DLQ",
        [("chg", "Q"), ("chg", "DLQ")],
        "AMQ8008I",
    ),
    ("Z70", "DELETE QLOCAL(Q)", "+dlt on queue Q", [("dlt", "Q")], "AMQ8007I"),
    ("Z70", "CLEAR QLOCAL(Q)", "+clr on queue Q", [("clr", "Q")], "AMQ8022I"),
    (
        "Z70",
        "MOVE QLOCAL(Q) TOQLOCAL(B)",
        "+clr on queue Q, +put on queue B",
        [("clr", "Q"), ("put", "B")],
        "",
    ),
    ("Z73", "RESET QSTATS(Q)", "+dsp on queue Q, +chg on queue Q", [("dsp chg", "Q")], "MQSC0008I"),
    ("Z71", "RESET CHANNEL(CH)", "+ctrlx on channel CH", [("ctrlx", "CH", "CHANNEL")], ""),
    ("Z71", "STOP CHANNEL(CH)", "+ctrl on channel CH", [("ctrl", "CH", "CHANNEL")], ""),
    (
        "Z72",
        "SET AUTHREC PROFILE(Q) OBJTYPE(QUEUE) PRINCIPAL('dev') AUTHADD(ALL)",
        "+chg on the queue manager",
        [("chg", "self", "QMGR")],
        "AMQ8862I",
    ),
    (
        "ZC10",
        "SET CHLAUTH(X) TYPE(USERMAP) CLNTUSER('a') USERSRC(CHANNEL)",
        "+chg on the queue manager",
        [("chg", "self", "QMGR")],
        "AMQ8877I",
    ),
    (
        "ZC10",
        "ALTER QMGR DESCR('x')",
        "+chg on the queue manager",
        [("chg", "self", "QMGR")],
        "AMQ8005I",
    ),
    (
        "ZC10",
        "REFRESH SECURITY",
        "+chg on the queue manager",
        [("chg", "self", "QMGR")],
        "AMQ8560I",
    ),
    ("ZC11", "START LISTENER(L)", "+ctrl on listener L", [("ctrl", "L", "LISTENER")], ""),
    ("ZC13", "STOP CMDSERV", "+ctrl on the queue manager", [("ctrl", "self", "QMGR")], ""),
    (
        "ZC15",
        "DEFINE SUB(S) TOPICSTR('a') DEST(Q)",
        "+ctrl on topic SYSTEM.BASE.TOPIC",
        [("ctrl", "SYSTEM.BASE.TOPIC", "TOPIC")],
        "",
    ),
    (
        "ZC16",
        "DEFINE STGCLASS(S) PSID(1)",
        "+chg on the queue manager",
        [("chg", "self", "QMGR")],
        "",
    ),
    ("ZC9", "DISPLAY AUTHREC", "", [], "AMQ8864I"),
    ("ZC9", "PING QMGR", "", [], "AMQ8415I"),
]


@rows(*COMMANDS)
def test_what_a_command_asks_for(
    qmgr: QueueManager,
    id: str,
    command: str,
    missing: str,
    grants: list[tuple[str, ...]],
    answer: str,
) -> None:
    as_owner(qmgr, "DEFINE CHANNEL(CH) CHLTYPE(SDR) CONNAME('QM2') XMITQ(X)")
    if missing:
        assert told(qmgr, command) == missing, id
    for each in grants:
        allow(qmgr, *each)
    then = told(qmgr, command)
    assert (then == answer) if answer else ("+" not in then), id


def test_z30_z31_what_a_user_defines_is_its_own(qmgr: QueueManager) -> None:
    allow(qmgr, "crt", "@class")
    allow(qmgr, "dsp", "SYSTEM.DEFAULT.LOCAL.QUEUE")
    assert told(qmgr, "DEFINE QLOCAL(NEW)") == "AMQ8006I"
    assert outcome(qmgr, putting("NEW"), "dev") == "0"
    assert (told(qmgr, "DELETE QLOCAL(NEW) PURGE"), told(qmgr, "DISPLAY AUTHREC PROFILE(NEW)")) == (
        "AMQ8007I",
        "AMQ8958E",
    )


def test_z66_a_refused_command_is_an_event(qmgr: QueueManager) -> None:
    as_owner(qmgr, "DELETE AUTHREC OBJTYPE(QMGR) PRINCIPAL('dev')")
    assert (
        told(qmgr, "DISPLAY QLOCAL(Q)")
        == "+connect on the queue manager, +dsp on the queue manager"
    )
    qmgr.store.acting_user = ""
    assert raised(qmgr) == [["QM1", 4, int(MQCMD.INQUIRE_Q), "dev"]]
    assert refusals(qmgr)[0][:2] == ("command", "dev")


def test_z67_a_generic_display_shows_what_the_user_may_see(qmgr: QueueManager) -> None:
    assert told(qmgr, "DISPLAY QUEUE(Q*)").startswith("+dsp on queue Q")
    allow(qmgr, "dsp", "Q")
    allow(qmgr, "dsp", "B")
    (reply,) = mqsc.run(qmgr, "DISPLAY QUEUE(*)")
    assert [row["QUEUE"] for row in reply.rows] == ["B", "Q"]
    assert reply.text.endswith("not shown: dev lacks +dsp.")
    assert len(refusals(qmgr)) == 1


def test_a_generic_name_of_a_change_asks_for_every_object(qmgr: QueueManager) -> None:
    allow(qmgr, "dsp chg", "Q")
    assert "queue QM2A" in told(qmgr, "RESET QSTATS(Q*)") or "X" in told(qmgr, "RESET QSTATS(*)")


def test_z79_a_plan_shows_everything_that_is_missing(qmgr: QueueManager) -> None:
    allow(qmgr, "chg", "Q")
    with tried_out(qmgr) as copy:
        replies = mqsc.run(
            copy,
            "ALTER QLOCAL(Q) MAXDEPTH(9)\nDELETE QLOCAL(B)\nALTER QMGR DESCR('x')",
        )
    assert [reply.message_id for reply in replies] == ["AMQ8008I", "AMQ8135E", "AMQ8135E"]


def test_z80_what_z_os_alone_has_is_refused_as_before(qmgr: QueueManager) -> None:
    qmgr.store.acting_user = ""
    for command, answer in {
        "DISPLAY SECURITY": "MQSC0003E",
        "RVERIFY SECURITY": "AMQ8405I",
        "SET AUTHREC PROFILE(Q) OBJTYPE(QUEUE) PRINCIPAL('a') AUTHADD(*ADMCHG)": "AMQ8405I",
    }.items():
        assert mqsc.run(qmgr, command)[0].message_id == answer, command


# PCF.


def inquire(connection: Connection, name: str, user: str = "") -> list[tuple[int, int]]:
    """(completion, reason) of the responses to MQCMD_INQUIRE_Q."""
    return ask(connection, MQCMD.INQUIRE_Q, [Parameter(2016, name, 48)], user)


def ask(
    connection: Connection,
    command: MQCMD,
    parameters: list[Parameter],
    user: str = "",
) -> list[tuple[int, int]]:
    header = CommandHeader(pcf.COMMAND, int(command), 0, 0, 1, 1, len(parameters))
    body = pcf.pack(header, parameters, NATIVE, 1208)
    asked = MessageDescriptor(
        msg_type=1,
        format="MQADMIN",
        reply_to_q="REPLY",
        user_identifier=user,
    )
    options = MQOO.OUTPUT | (MQOO.SET_IDENTITY_CONTEXT if user else 0)
    handle = connection.open(COMMAND_QUEUE, options)
    how = mqsc.PutMessageOptions(int(MQPMO.SET_IDENTITY_CONTEXT)) if user else None
    handle.put(Message(body, asked), how)
    answers: list[tuple[int, int]] = []
    replies = connection.open("REPLY", MQOO.INPUT_SHARED)
    while True:
        try:
            found, _ = pcf.unpack(replies.get().body)
        except MQError:
            return answers
        answers.append((found.comp_code, found.reason))


@pytest.fixture
def served(qmgr: QueueManager) -> QueueManager:
    """The queue manager, with a queue for replies, as a program of the owner sees it."""
    qmgr.store.acting_user = ""
    mqsc.run(qmgr, "DEFINE QLOCAL(REPLY)", check=True)
    return qmgr


def test_z74_a_command_in_pcf_is_that_of_its_message(served: QueueManager) -> None:
    for words, on in (("put", COMMAND_QUEUE), ("get put", "REPLY")):
        grant(served, words, on, to=DEV)
    with served.connect("admin", "dev") as connection:
        assert inquire(connection, "Q") == [(2, 2035), (2, 3008)]
        grant(served, "dsp", "Q", to=DEV)
        assert inquire(connection, "Q") == [(0, 0)]
    with served.connect() as connection:
        assert inquire(connection, "B") == [(0, 0)]


def test_z75_an_escape_command_asks_as_the_same_text(served: QueueManager) -> None:
    for words, on in (("put", COMMAND_QUEUE), ("get put", "REPLY"), ("dsp", "Q")):
        grant(served, words, on, to=DEV)
    text = [Parameter(1017, 1), Parameter(3014, "ALTER QLOCAL(Q) MAXDEPTH(5)")]
    with served.connect("admin", "dev") as connection:
        assert ask(connection, MQCMD.ESCAPE, text)[0] == (2, 2035)
        grant(served, "chg", "Q", to=DEV)
        assert ask(connection, MQCMD.ESCAPE, text)[0] == (0, 0)


def test_a_response_on_a_queue_of_others_becomes_a_dead_letter(served: QueueManager) -> None:
    for words, on in (("put", COMMAND_QUEUE), ("get", "REPLY")):
        grant(served, words, on, to=DEV)
    with served.connect("admin", "dev") as connection:
        assert inquire(connection, "Q") == []
    assert ("authority", "dev", "put:REPLY") in refusals(served)
    with served.connect() as connection:
        assert unpack_mqdlh(connection.open("DLQ", MQOO.INPUT_SHARED).get().body).reason == 2035


def test_z76_the_user_of_a_command_cannot_be_chosen(served: QueueManager) -> None:
    for words, on in (("put setid", COMMAND_QUEUE), ("get put", "REPLY")):
        grant(served, words, on, to=DEV)
    with served.connect("admin", "dev") as connection:
        with pytest.raises(MQError, match="2035"):
            inquire(connection, "Q", "tester")
        grant_qmgr(served, "setid", DEV)
        assert inquire(connection, "Q", "tester") == [(0, 0)]


def test_z77_the_command_queue_itself_is_asked(served: QueueManager) -> None:
    assert outcome(served, putting(COMMAND_QUEUE), "dev") == f"put:{COMMAND_QUEUE}"
