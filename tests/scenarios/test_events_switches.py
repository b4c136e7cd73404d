"""The attributes that enable events (events.md §1): each has its effect, or is listed as having none here."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import mqsc
from mqsc.language.unsupported import inert_because
from store.admin.channel.starts import define_automatically
from store.catalog import KINDS
from store.client.api import QueueManager
from store.constants import MQOO
from store.error import MQError
from store.message import Message
from tests.scenarios.event_bench import COMMAND, CONFIG, PERFM, QMGR, EventBench

CHANNEL = "SYSTEM.ADMIN.CHANNEL.EVENT"
Cause = Callable[[EventBench], None]


def stop_a_channel(bench: EventBench) -> None:
    bench.run("DEFINE QLOCAL(T) USAGE(XMITQ) REPLACE", "DEFINE CHANNEL(C) CHLTYPE(SDR) CONNAME('h') XMITQ(T) REPLACE")
    bench.run("START CHANNEL(C)", "STOP CHANNEL(C) STATUS(INACTIVE)")


def define_a_receiver(bench: EventBench) -> None:
    bench.run("ALTER QMGR CHAD(ENABLED)", "DELETE CHANNEL(R) IGNSTATE(YES)")
    assert define_automatically(bench.qmgr, "R", "local(QM9)")


def put_on_an_inhibited_queue(bench: EventBench) -> None:
    bench.run("DEFINE QLOCAL(C) PUT(DISABLED)")
    bench.fails(2051, bench.connection.put1, "C", Message(b"x"))


def open_an_unknown_queue(bench: EventBench) -> None:
    bench.open_fails(2085, "NOPE")


def open_an_unknown_queue_manager(bench: EventBench) -> None:
    bench.open_fails(2087, "Q", "QM9")


def fill_a_queue(bench: EventBench) -> None:
    bench.run("DEFINE QLOCAL(F) MAXDEPTH(0)")
    bench.fails(2053, bench.connection.put1, "F", Message(b"x"))


def end_and_start(bench: EventBench) -> None:
    bench.restart()


def define_a_queue(bench: EventBench) -> None:
    bench.run("DEFINE QLOCAL(D)")


def give_a_wrong_password(bench: EventBench) -> None:
    bench.run("ALTER AUTHINFO(SYSTEM.DEFAULT.AUTHINFO.IDPWOS) AUTHTYPE(IDPWOS) CHCKLOCL(REQUIRED)")
    with pytest.raises(MQError):
        bench.qmgr.connect(user="mallory", password="guess")
    bench.run("ALTER AUTHINFO(SYSTEM.DEFAULT.AUTHINFO.IDPWOS) AUTHTYPE(IDPWOS) CHCKLOCL(OPTIONAL)")


# For each attribute that enables events, a function that causes one, and the queue of the event.
CAUSES: dict[str, tuple[Cause, str]] = {
    "AUTHOREV": (give_a_wrong_password, QMGR),
    "CHADEV": (define_a_receiver, CHANNEL),
    "CHLEV": (stop_a_channel, CHANNEL),
    "CMDEV": (define_a_queue, COMMAND),
    "CONFIGEV": (define_a_queue, CONFIG),
    "INHIBTEV": (put_on_an_inhibited_queue, QMGR),
    "LOCALEV": (open_an_unknown_queue, QMGR),
    "PERFMEV": (fill_a_queue, PERFM),
    "REMOTEEV": (open_an_unknown_queue_manager, QMGR),
    "STRSTPEV": (end_and_start, QMGR),
}
SWITCHES = [word for word, row in KINDS["QMGR"].attributes.items() if word.endswith("EV") and "ALTER" in row.verbs]
INERT = [word for word in SWITCHES if inert_because(KINDS["QMGR"], KINDS["QMGR"].attributes[word])]


def test_every_switch_works_or_is_listed_as_inert() -> None:
    assert sorted([*CAUSES, *INERT]) == sorted(SWITCHES)
    assert sorted(INERT) == ["BRIDGEEV", "LOGGEREV", "SSLEV"]


@pytest.mark.parametrize(("keyword", "cause", "queue"), [(word, *row) for word, row in CAUSES.items()])
def test_a_switch_that_works(qmgr: QueueManager, keyword: str, cause: Cause, queue: str) -> None:
    bench = EventBench(qmgr, *(f"ALTER QMGR {word}(DISABLED)" for word in CAUSES))
    cause(bench)
    assert bench.reasons(queue) == []
    bench.run("DELETE QLOCAL(C) IGNSTATE(YES)", "DELETE QLOCAL(D) IGNSTATE(YES)", "DELETE QLOCAL(F) IGNSTATE(YES)")
    bench.run(f"ALTER QMGR {keyword}(ENABLED)")
    bench.read(queue)
    cause(bench)
    assert bench.reasons(queue) != []


def test_an_inert_switch(qmgr: QueueManager) -> None:
    """LOGGEREV cannot be enabled. The others never raise an event, not even for calls that need authority."""
    bench = EventBench(
        qmgr,
        *(f"ALTER QMGR {word}(ENABLED)" for word in INERT if word != "LOGGEREV"),
        "ALTER QMGR CHAD(ENABLED) CHLAUTH(ENABLED) CONNAUTH(SYSTEM.DEFAULT.AUTHINFO.IDPWOS)",
        "DEFINE QLOCAL(Q)",
        "DEFINE CHANNEL(C) CHLTYPE(SDR) CONNAME('h') XMITQ(X) SSLCIPH(ANY)",
        "SET AUTHREC PROFILE(Q) OBJTYPE(QUEUE) PRINCIPAL('mallory') AUTHADD(NONE)",
        "SET CHLAUTH('*') TYPE(BLOCKUSER) USERLIST('mallory') ACTION(REPLACE)",
        "SET CHLAUTH('*') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS)",
    )
    with qmgr.connect(application="billing", user="mallory") as connection:
        queue = connection.open("Q", MQOO.OUTPUT | MQOO.INPUT_SHARED | MQOO.SET | MQOO.INQUIRE)
        queue.put(Message(b"x"))
        assert queue.get().body == b"x"
    mqsc.run(qmgr, "START CHANNEL(C)\nPING CHANNEL(C)\nREFRESH SECURITY")
    assert bench.reasons(QMGR) == bench.reasons(CHANNEL) == []
    (reply,) = mqsc.run(qmgr, "ALTER QMGR LOGGEREV(ENABLED)")
    assert reply.message_id == "AMQ8518E"
