"""Publish/subscribe by the rows of the specification: commands, status and history
(publish-subscribe §6, §10).
"""

from __future__ import annotations

import pytest

from mqsc.store.admin.expiry import refresh_expiry
from mqsc.store.admin.message_trace import life_of
from mqsc.store.admin.user_accounts import add_user
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQOO, MQOT, MQSO
from mqsc.store.environment import FrozenClock
from mqsc.store.error import MQError
from mqsc.store.message import Message
from mqsc.store.rules.message_trace import Role
from mqsc.store.subscription_descriptor import SubscriptionDescriptor
from tests.scenarios.publish_play import (
    CREATE,
    DURABLE,
    MANAGED,
    RESUME,
    RETAIN,
    Publishers,
    gets,
    messages,
    reason_of,
)


@pytest.fixture
def play(qmgr: QueueManager) -> Publishers:
    play = Publishers(qmgr)
    play.run("DEFINE QLOCAL(Q)\nDEFINE TOPIC(T) TOPICSTR('a')")
    return play


def test_b13_the_base_topic_is_deleted(play: Publishers) -> None:
    play.run("DELETE TOPIC(SYSTEM.BASE.TOPIC)")
    [row] = play.rows("DISPLAY TPSTATUS('a') DEFPSIST PUB")
    assert (row["DEFPSIST"], row["PUB"]) == ("NO", "ENABLED")
    assert reason_of(play.publish, "a") == 0


def test_b18_topic_strings_belong_to_one_object(play: Publishers) -> None:
    play.refused("DEFINE TOPIC(U) TOPICSTR('a')")
    assert play.refused("ALTER TOPIC(T) TOPICSTR('b')").message_id == "AMQ8405I"


def test_b72_retained_publications_are_cleared(play: Publishers) -> None:
    for string in ("p", "p/a", "p/b", "q"):
        play.publish(string, string, RETAIN)
    play.run("CLEAR TOPICSTR('p/#') CLRTYPE(RETAINED)")
    assert gets(play.subscribe("#")) == ["q"]
    cleared = [target for _, cause, target, _ in play.events("RETAIN") if cause == "cleared"]
    assert cleared == ["p", "p/a", "p/b"]
    play.run("CLEAR TOPICSTR('none') CLRTYPE(RETAINED)")


def test_b61_b69_a_defined_subscription_gets_what_is_retained(play: Publishers) -> None:
    """B61, B68, B69 for DEFINE SUB: unless REQONLY(YES); it fails if the copies cannot be put."""
    play.publish("p/a", "kept", RETAIN)
    play.run(
        "DEFINE SUB(N) TOPICSTR('p/#') DEST(Q)\nDEFINE SUB(R) TOPICSTR('p/#') DEST(Q) REQONLY(YES)"
    )
    assert gets(play.queue("Q")) == ["kept"]
    play.run("ALTER QLOCAL(Q) PUT(DISABLED)")
    play.refused("DEFINE SUB(M) TOPICSTR('p/#') DEST(Q)")
    play.run("ALTER QLOCAL(SYSTEM.RETAINED.PUB.QUEUE) GET(DISABLED)")
    play.refused("DEFINE SUB(M) TOPICSTR('x') DEST(Q)")
    assert play.rows("DISPLAY SUB(M)") == []


def test_a_name_can_be_deleted_while_a_program_holds_an_earlier_subscription(
    play: Publishers, clock: FrozenClock
) -> None:
    earlier = play.subscribe("x", CREATE | MANAGED | DURABLE, name="D", expiry=10)
    clock.advance(2)
    refresh_expiry(play.qmgr)
    play.run("DEFINE SUB(D) TOPICSTR('y') DEST(Q)\nDELETE SUB(D)")
    assert reason_of(earlier.close) == 0


def test_b83_a_subscription_is_defined(play: Publishers) -> None:
    [reply] = play.run("DEFINE SUB(N) TOPICOBJ(T) TOPICSTR('x') DEST(Q)")
    assert reply.message_id == "AMQ8094I"
    [row] = play.rows("DISPLAY SUB(N)")
    shown = {word: row[word] for word in ("TOPICSTR", "DURABLE", "SUBTYPE", "SUBUSER")}
    assert shown == {
        "TOPICSTR": "a/x",
        "DURABLE": "YES",
        "SUBTYPE": "ADMIN",
        "SUBUSER": play.qmgr.store.environment.user,
    }
    [defined] = play.rows("DISPLAY SUB(N) DISTYPE(DEFINED) TOPICSTR")
    assert defined["TOPICSTR"] == "x"
    play.publish("a/x")
    assert gets(play.queue("Q")) == ["hi"]


def test_b84_a_definition_is_replaced(play: Publishers) -> None:
    play.run("DEFINE SUB(N) TOPICSTR('x') DEST(Q)")
    for other in ("TOPICSTR('y')", "TOPICSTR('x') WSCHEMA(CHAR)", "TOPICSTR('x') SUBLEVEL(2)"):
        play.refused(f"DEFINE SUB(N) {other} DEST(Q) REPLACE")
    [reply] = play.run("DEFINE SUB(N) TOPICSTR('x') DEST(Q) USERDATA('new') REPLACE")
    assert reply.message_id == "AMQ8094I"
    play.run("DEFINE QLOCAL(R)\nALTER SUB(N) DEST(R)")
    play.publish("x")
    assert (gets(play.queue("Q")), gets(play.queue("R"))) == ([], ["hi"])


def test_b85_a_subscription_is_deleted(play: Publishers) -> None:
    play.run("DEFINE SUB(N) TOPICSTR('x') DESTCLAS(MANAGED)")
    opened = play.subscribe("", RESUME, name="N")
    play.refused("DELETE SUB(N)")
    opened.close()
    assert opened.queue is not None
    opened.queue.close()
    [row] = play.rows("DISPLAY SUB(N) SUBID DEST")
    [reply] = play.run(f"DELETE SUB SUBID({row['SUBID']})")
    assert reply.message_id == "AMQ8097I"
    assert play.rows(f"DISPLAY QLOCAL({row['DEST']})") == []


def test_b85_a_subscription_of_a_program_is_altered_and_deleted(play: Publishers) -> None:
    made = play.subscribe("x", CREATE | MANAGED | DURABLE, name="D")
    assert made.queue is not None
    made.queue.close()
    made.close()
    play.run("ALTER SUB(D) USERDATA('new') PUBPRTY(4)")
    [row] = play.rows("DISPLAY SUB(D) USERDATA SUBTYPE PUBPRTY DURABLE")
    assert (row["USERDATA"], row["SUBTYPE"], row["PUBPRTY"]) == ("new", "API", 4)
    play.run("DELETE SUB(D)")
    assert play.rows("DISPLAY SUB(D)") == []
    assert play.rows("DISPLAY QLOCAL(SYSTEM.MANAGED.*)") == []


def test_unnamed_subscriptions_are_displayed(play: Publishers) -> None:
    play.subscribe("x")
    [row] = play.rows("DISPLAY SUB(*) SUBTYPE(API) DURABLE DEST")
    assert (row["SUB"], row["DURABLE"]) == ("", "NO")
    assert row["DEST"].startswith("SYSTEM.MANAGED.NDURABLE.")


def test_b86_the_status_of_topics(play: Publishers) -> None:
    play.run("DEFINE SUB(N) TOPICSTR('a/b/c') DEST(Q)")
    play.subscribe("a/b")
    handle = play.topic("a/z")
    handle.put(Message(b"x"))
    strings = [row["TOPICSTR"] for row in play.rows("DISPLAY TPSTATUS('a/#')")]
    assert strings == ["a", "a/b", "a/b/c", "a/z"]
    [row] = play.rows("DISPLAY TPSTATUS('a/b') SUBCOUNT PUBCOUNT ADMIN")
    assert (row["SUBCOUNT"], row["PUBCOUNT"], row["ADMIN"]) == (1, 0, "")
    [found] = play.rows("DISPLAY TPSTATUS('a/b') TYPE(SUB)")
    assert (found["TOPICSTR"], found["DURABLE"]) == ("a/b", "NO")
    [publisher] = play.rows("DISPLAY TPSTATUS('a/z') TYPE(PUB)")
    assert publisher["NUMPUBS"] == 1
    handle.put([Message(b"x")] * 3)
    [publisher] = play.rows("DISPLAY TPSTATUS('a/z') TYPE(PUB)")
    assert publisher["NUMPUBS"] == 4
    assert publisher["ACTCONN"].endswith(f"{play.program('P').number:016X}")


def test_b87_a_node_is_forgotten(play: Publishers, clock: FrozenClock) -> None:
    play.run("ALTER QMGR TREELIFE(10)")
    play.publish("z/z")
    assert [row["TOPICSTR"] for row in play.rows("DISPLAY TPSTATUS('z/#')")] == ["z", "z/z"]
    clock.advance(11)
    assert play.rows("DISPLAY TPSTATUS('z/#')") == []


def test_the_status_of_subscriptions(play: Publishers) -> None:
    play.run("DEFINE SUB(N) TOPICSTR('x') DEST(Q)")
    for _ in range(2):
        play.publish("x")
    [row] = play.rows("DISPLAY SBSTATUS(N)")
    assert (row["NUMMSGS"], row["ACTCONN"], row["SUBTYPE"]) == (2, "0" * 48, "ADMIN")
    assert row["LMSGDATE"]


def test_the_status_of_publish_subscribe(play: Publishers) -> None:
    assert [row["STATUS"] for row in play.rows("DISPLAY PUBSUB")] == ["ACTIVE"]
    play.run("ALTER QMGR PSMODE(COMPAT)")
    assert [row["STATUS"] for row in play.rows("DISPLAY PUBSUB")] == ["ACTIVE"]
    play.run("ALTER QMGR PSMODE(DISABLED)")
    assert [row["STATUS"] for row in play.rows("DISPLAY PUBSUB")] == ["INACTIVE"]


def test_a_durable_subscription_keeps_a_topic_that_is_deleted(play: Publishers) -> None:
    play.run("DEFINE SUB(N) TOPICOBJ(T) TOPICSTR('x') DEST(Q)\nDELETE TOPIC(T)")
    play.publish("a/x")
    assert gets(play.queue("Q")) == ["hi"]


def test_an_expired_subscription_of_a_command_is_removed(
    play: Publishers, clock: FrozenClock
) -> None:
    play.run("DEFINE SUB(N) TOPICSTR('x') DEST(Q) EXPIRY(10)")
    clock.advance(2)
    play.publish("x")
    assert gets(play.queue("Q")) == []
    play.run("ALTER QMGR EXPRYINT(1)\nREFRESH QMGR TYPE(EXPIRY) NAME(*)")
    assert play.rows("DISPLAY SUB(N)") == []
    assert [cause for _, cause, _, _ in play.events("UNSUBSCRIBE")] == ["expiry"]


def test_the_history_of_a_publication(play: Publishers) -> None:
    play.subscribe("x", CREATE | MANAGED | MQSO.FIXED_USERID)
    play.publish("x", "hi", RETAIN)
    kinds = [row[:3] for row in play.events("SUBSCRIBE", "PUBLISH", "PUT")]
    assert kinds[-4:] == [
        ("SUBSCRIBE", "create", "x"),
        ("PUBLISH", None, "x"),
        ("PUT", None, None),
        ("PUT", "publication", None),
    ]


def test_b91_the_life_of_a_copy(play: Publishers) -> None:
    """It begins with the publication. The queue manager puts the copy, but not for a
    transmission.
    """
    play.run("DEFINE SUB(N) TOPICSTR('x') DEST(Q)")
    play.publish("x")
    [message] = messages(play.queue("Q"))
    life = life_of([play.qmgr.store], message.descriptor.msg_id)
    steps = [step for _, step in life.steps]
    assert {step.role for step in steps} == {Role.MESSAGE}
    assert [step.event.kind for step in steps] == ["PUBLISH", "PUT", "GET"]


def grant(play: Publishers, words: str, profile: str = "T") -> None:
    """Grant authorities on a topic object."""
    play.run(f"SET AUTHREC PROFILE({profile}) OBJTYPE(TOPIC) PRINCIPAL('app') AUTHADD({words})")


def test_authorities_count_at_once(play: Publishers) -> None:
    """PUB, SUB and RESUME on the topic object at or above the string."""
    add_user(play.qmgr.store, "app", "password")
    play.run("SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('app') AUTHADD(CONNECT)")
    program = play.qmgr.connect("A", "app", password="password")
    wanted = {"object_type": MQOT.TOPIC, "object_string": "a/b"}

    def publish() -> int:
        return reason_of(program.put1, "", Message(b"x"), **wanted)

    def subscribe(options: int, name: str = "") -> int:
        described = SubscriptionDescriptor(options, object_string="a/b", name=name)
        try:
            made = program.subscribe(described)
        except MQError as error:
            return int(error.reason)
        made.close()
        return 0

    opened = ("", int(MQOO.OUTPUT))
    assert (publish(), reason_of(program.open, *opened, **wanted)) == (2035, 2035)
    grant(play, "PUB")
    assert (publish(), reason_of(program.open, *opened, **wanted)) == (0, 0)
    durable = int(CREATE | MANAGED | DURABLE)
    assert subscribe(durable, "D") == 2035
    grant(play, "SUB")
    assert (subscribe(durable, "D"), subscribe(int(RESUME), "D")) == (0, 2035)
    grant(play, "RESUME")
    assert subscribe(int(RESUME), "D") == 0
    refused = [target for kind, _, target, _ in play.events("REFUSE")]
    assert len(refused) >= 3
