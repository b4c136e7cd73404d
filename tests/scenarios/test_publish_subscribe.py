"""Publish/subscribe by the rows of the specification: publishing, subscribing, delivery
(publish-subscribe §12).
"""

from __future__ import annotations

from typing import Any

import pytest

from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQCO, MQGMO, MQOO, MQOT, MQPMO, MQRO, MQSO
from mqsc.store.descriptor import NO_ID
from mqsc.store.environment import FrozenClock
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.rules.properties.property_set import PropertyDescriptor
from mqsc.store.subscription_descriptor import SubscriptionDescriptor
from tests.rows import rows
from tests.scenarios.publish_play import (
    ALTER,
    CREATE,
    DURABLE,
    MANAGED,
    RESUME,
    RETAIN,
    SYNCPOINT,
    Publishers,
    gets,
    messages,
    reason_of,
)

PERSISTENT = 1


@pytest.fixture
def play(qmgr: QueueManager) -> Publishers:
    play = Publishers(qmgr)
    play.run("DEFINE QLOCAL(Q)")
    return play


def test_b01_b02_a_publication_reaches_its_topic_string_alone(play: Publishers) -> None:
    """B01, B02: PutApplType is 26."""
    s1 = play.subscribe("a/b")
    play.publish("a/b")
    for other in ("A/B", "a/b/", "a"):
        play.publish(other)
    [message] = messages(s1)
    assert (message.body, message.descriptor.put_appl_type) == (b"hi", 26)
    assert message.descriptor.put_appl_name == play.qmgr.name


def test_b03_the_full_string(play: Publishers) -> None:
    play.run("DEFINE TOPIC(T) TOPICSTR('Football')")
    assert play.topic("Scores", name="T").topic == "Football/Scores"
    assert play.topic("/Scores", name="T").topic == "Football//Scores"


def test_b04_strings_that_name_no_topic(play: Publishers) -> None:
    assert reason_of(play.topic, "", name="NOPE") == 2085
    assert reason_of(play.topic, "") == 2085
    assert reason_of(play.topic, "", name="SYSTEM.BASE.TOPIC") == 2425


def test_b05_b07_wildcards(play: Publishers) -> None:
    """B05, B07: `+` and `#` are plain characters for a publisher."""
    by_level = play.subscribe("x/#")
    by_character = play.subscribe("x/#", CREATE | MANAGED | MQSO.WILDCARD_CHAR)
    wild = play.subscribe("IBM/*ware/Results", CREATE | MANAGED | MQSO.WILDCARD_CHAR)
    play.publish("x/#", "both")
    play.publish("IBM/a/b/ware/Results", "wild")
    assert [gets(each) for each in (by_level, by_character, wild)] == [
        ["both"],
        ["both"],
        ["wild"],
    ]


def test_b08_a_wrong_pattern(play: Publishers) -> None:
    options = CREATE | MANAGED | MQSO.WILDCARD_CHAR
    assert reason_of(play.subscribe, "a%b", options) == 2425


def test_b09_b10_blocked_wildcards(play: Publishers) -> None:
    play.run("DEFINE TOPIC(BL) TOPICSTR('a/secret') WILDCARD(BLOCK)")
    found = [play.subscribe(each) for each in ("#", "a/#", "a/secret/#", "a/secret/x")]
    play.publish("a/secret/x")
    assert [len(gets(each)) for each in found] == [0, 0, 1, 1]
    play.publish("a/x")
    assert [len(gets(each)) for each in found] == [1, 1, 0, 0]


def test_b09_topics_of_the_system_are_hidden_from_wildcards_above_them(play: Publishers) -> None:
    hidden = [play.subscribe(each) for each in ("#", "$SYS/#", "+/MQ/#", "$SYS/+/INFO")]
    by_character = CREATE | MANAGED | MQSO.WILDCARD_CHAR
    hidden += [play.subscribe(each, by_character) for each in ("*", "$SYS/M*")]
    shown = [play.subscribe(each) for each in ("$SYS/MQ/#", "$SYS/MQ/INFO", "$SYS/MQ/+")]
    shown.append(play.subscribe("$SYS/MQ/IN*", by_character))
    play.publish("$SYS/MQ/INFO")
    assert [len(gets(each)) for each in hidden] == [0] * len(hidden)
    assert [len(gets(each)) for each in shown] == [1] * len(shown)
    play.run("ALTER TOPIC(SYSTEM.ADMIN.TOPIC) WILDCARD(PASSTHRU)")
    play.publish("$SYS/MQ/INFO")
    assert [len(gets(each)) for each in hidden] == [1] * len(hidden)


def test_b11_b12_publishing_is_disabled(play: Publishers) -> None:
    """B11, B12: of a topic, and of those below it; handles that are open notice."""
    play.run("DEFINE TOPIC(T1) TOPICSTR('a') PUB(DISABLED)\nDEFINE TOPIC(T2) TOPICSTR('a/b')")
    play.run("DEFINE TOPIC(T3) TOPICSTR('a/b/c') PUB(ENABLED)")
    assert reason_of(play.publish, "a/b/x") == 2051
    assert reason_of(play.publish, "a/b/c/d") == 0
    play.run("ALTER TOPIC(T1) PUB(ENABLED)")
    handle = play.topic("a/b")
    handle.put(Message(b"x"))
    play.run("ALTER TOPIC(T1) PUB(DISABLED)")
    assert reason_of(handle.put, Message(b"x")) == 2051


def test_b14_priority_and_persistence_of_the_topic(play: Publishers) -> None:
    play.run("DEFINE TOPIC(T) TOPICSTR('a') DEFPRTY(7) DEFPSIST(YES)")
    durable = play.subscribe("a/b/c", CREATE | MANAGED | DURABLE, name="D")
    placed, _ = play.publish("a/b/c")
    [message] = messages(durable)
    for each in (placed, message.descriptor):
        assert (each.priority, each.persistence) == (7, PERSISTENT)


@rows(MQOO.INPUT_SHARED, MQOO.INQUIRE, MQOO.SET, MQOO.BROWSE)
def test_b15_uses_that_a_topic_does_not_have(play: Publishers, options: int) -> None:
    opened = play.program().open
    assert reason_of(opened, "", options, object_type=MQOT.TOPIC, object_string="a") == 2045


def test_b16_b17_aliases_of_topics(play: Publishers) -> None:
    play.run(
        "DEFINE TOPIC(T) TOPICSTR('a')\nDEFINE QALIAS(TA) TARGET(T) TARGTYPE(TOPIC) DEFPRTY(4)"
    )
    play.run("DEFINE QALIAS(LOST) TARGET(NOPE) TARGTYPE(TOPIC)")
    s1 = play.subscribe("a")
    play.program().put1("TA", Message(b"one"))
    handle = play.program().open("TA", MQOO.OUTPUT)
    handle.put(Message(b"two"))
    assert [(each.body, each.descriptor.priority) for each in messages(s1)] == [
        (b"one", 4),
        (b"two", 4),
    ]
    play.run("ALTER QALIAS(TA) PUT(DISABLED)")
    assert reason_of(play.program().put1, "TA", Message(b"x")) == 2051
    assert reason_of(handle.put, Message(b"x")) == 2051
    assert reason_of(play.program().put1, "LOST", Message(b"x")) == 2082
    assert reason_of(play.program().open, "TA", MQOO.INPUT_SHARED) == 2045


def test_b19_b20_a_publication_that_matches_nothing(play: Publishers) -> None:
    warn = MQPMO.WARN_IF_NO_SUBS_MATCHED
    assert play.publish("a")[1] == 0
    assert play.publish("a", "x", warn)[1] == 2550
    play.subscribe("a", CREATE | MANAGED | MQSO.PUBLICATIONS_ON_REQUEST)
    assert play.publish("a", "x", warn)[1] == 2550
    play.subscribe("a")
    assert play.publish("a", "x", warn)[1] == 0


def test_b21_the_queue_for_replies_is_suppressed(play: Publishers) -> None:
    s1 = play.subscribe("a")
    play.publish("a", "x", MQPMO.SUPPRESS_REPLYTO, reply_to_q="R")
    play.publish("a", "y", reply_to_q="R")
    found = [each.descriptor for each in messages(s1)]
    assert [(each.reply_to_q, each.reply_to_q_mgr) for each in found] == [
        ("", ""),
        ("R", play.qmgr.name),
    ]
    fields = {"reply_to_q": "R", "report": MQRO.COD}
    assert reason_of(play.publish, "a", "x", MQPMO.SUPPRESS_REPLYTO, **fields) == 2027


def test_b22_own_subscriptions_are_skipped(play: Publishers) -> None:
    own, other = play.subscribe("a", program="P"), play.subscribe("a", program="B")
    play.publish("a", "x", MQPMO.NOT_OWN_SUBS)
    assert (gets(own), gets(other)) == ([], ["x"])
    assert reason_of(play.publish, "a", "x", MQPMO.NOT_OWN_SUBS | SYNCPOINT) == 2046


def test_b23_b24_b25_levels(play: Publishers) -> None:
    """B23, B24, B25: the interceptor publishes again at a lower level."""
    one, five = play.subscribe("a"), play.subscribe("a", level=5)
    for level, body in ((9, "nine"), (4, "four"), (0, "none")):
        play.publish("a", body, level=level)
    assert (gets(one), gets(five)) == (["four"], ["nine"])
    zero = play.subscribe("b", level=0)
    for level in (0, 9):
        play.publish("b", level=level)
    assert gets(zero) == ["hi", "hi"]
    assert reason_of(play.publish, "a", level=10) == 2173


def test_b26_message_identifiers(play: Publishers) -> None:
    subscriptions = [play.subscribe("a"), play.subscribe("a")]
    given = b"M" * 24

    def identifiers() -> list[bytes]:
        return [each.descriptor.msg_id for each in messages(*subscriptions)]

    play.publish("a", msg_id=given)
    assert identifiers() == [given, given]
    placed, _ = play.publish("a")
    assert placed.msg_id == NO_ID
    assert len({*identifiers(), NO_ID}) == 3
    placed, _ = play.publish("a", "x", MQPMO.NEW_MSG_ID)
    assert len({*identifiers(), placed.msg_id, NO_ID}) == 4


def test_b27_correlation_identifiers(play: Publishers) -> None:
    own = play.subscribe("a")
    options = CREATE | MANAGED | MQSO.SET_CORREL_ID
    given = play.subscribe("a", options, correl_id=b"X" * 24)
    publishers = play.subscribe("a", options, correl_id=NO_ID)
    play.publish("a", correl_id=b"C" * 24)
    found = [messages(each)[0].descriptor.correl_id for each in (own, given, publishers)]
    assert found[0][:4] == b"AMQX"
    assert found[0] == own.descriptor.correl_id
    assert found[1:] == [b"X" * 24, b"C" * 24]


def test_b28_the_user_is_the_subscriber(play: Publishers) -> None:
    s1 = play.subscribe("a", program="B", user="bob")
    play.publish("a", user="anna")
    assert messages(s1)[0].descriptor.user_identifier == "bob"


def test_b29_b30_priority_and_persistence(play: Publishers) -> None:
    play.run("ALTER QLOCAL(Q) DEFPRTY(3)")
    queue = play.queue("Q")
    for priority in (-3, -1, 6):
        play.subscribe("a", CREATE, queue=queue, priority=priority)
    play.publish("a", priority=2)
    assert sorted(each.descriptor.priority for each in messages(queue)) == [2, 3, 6]
    durable = play.subscribe("b", CREATE | MANAGED | DURABLE, name="D")
    found = [play.subscribe("b"), durable]
    play.publish("b", persistence=PERSISTENT)
    assert [messages(each)[0].descriptor.persistence for each in found] == [0, PERSISTENT]


def test_b31_expiry(play: Publishers, clock: FrozenClock) -> None:
    s1 = play.subscribe("a/#")
    play.publish("a", expiry=100)
    clock.advance(4)
    assert messages(s1)[0].descriptor.expiry == 60
    play.run("DEFINE TOPIC(T) TOPICSTR('a') CAPEXPRY(50)")
    play.publish("a/b", expiry=100)
    play.publish("a/b")
    assert [each.descriptor.expiry for each in messages(s1)] == [50, 50]


def properties_of(play: Publishers, handle: object) -> dict[str, object]:
    """Get the next message, and return its properties as a message handle has them."""
    taken = play.program().create_message_handle()
    options = GetMessageOptions(MQGMO.PROPERTIES_IN_HANDLE, message_handle=taken)
    handle.get(options)  # type: ignore[attr-defined]
    return dict(taken.values)


def test_b32_properties_of_the_publisher(play: Publishers) -> None:
    s1 = play.subscribe("a")
    handle = play.program("P").create_message_handle()
    handle.set("Color", "red")
    play.publish("a", handle=handle)
    assert properties_of(play, s1.queue) == {"Color": "red", "MQTopicString": "a"}
    handle.set("Color", "red", descriptor=PropertyDescriptor(copy_options=0))
    play.publish("a", handle=handle)
    assert properties_of(play, s1.queue) == {"MQTopicString": "a"}


def test_b33_user_data_of_the_subscription(play: Publishers) -> None:
    play.run("DEFINE SUB(S) TOPICSTR('a') DEST(Q) USERDATA('x')")
    queue = play.queue("Q")
    play.publish("a", "plain")
    [message] = [queue.get(GetMessageOptions(property_control="COMPAT"))]
    assert message.body == b"plain"
    play.publish("a", "forced")
    message = queue.get(GetMessageOptions(property_control="FORCE"))
    assert b"<Top>a</Top>" in message.body
    assert b"<Sud>x</Sud>" in message.body
    play.publish("a")
    assert properties_of(play, queue) == {"MQTopicString": "a", "MQSubUserData": "x"}


def test_b34_other_forms_of_properties(play: Publishers) -> None:
    play.run("DEFINE SUB(N) TOPICSTR('none') DEST(Q) PSPROP(NONE)")
    play.run("DEFINE SUB(R) TOPICSTR('rfh2') DEST(Q) PSPROP(RFH2)")
    queue = play.queue("Q")
    play.publish("none")
    assert properties_of(play, queue) == {}
    play.publish("rfh2", "data")
    message = queue.get()
    assert message.descriptor.format == "MQHRF2"
    assert b"<psc><Command>Publish</Command><Topic>rfh2</Topic></psc>" in message.body
    assert message.body.endswith(b"data")


def test_b35_b36_selectors(play: Publishers) -> None:
    s1 = play.subscribe("a", selection="Color='red'")
    topic = play.subscribe("#", selection="MQTopicString = 'a'")
    for color in ("red", "blue", ""):
        handle = play.program("P").create_message_handle()
        if color:
            handle.set("Color", color)
        play.publish("a", color or "none", handle=handle)
    assert (gets(s1), gets(topic)) == (["red"], ["red", "blue", "none"])
    assert reason_of(play.subscribe, "a", selection="Color=") == 2459
    assert reason_of(play.subscribe, "a", selection="x" * 10_241) == 2519


def test_b37_b38_b49_options_that_are_refused(play: Publishers) -> None:
    assert reason_of(play.subscribe, "a", MANAGED) == 2046
    assert reason_of(play.subscribe, "a", CREATE | MANAGED | DURABLE) == 2440
    assert reason_of(play.subscribe, "a", expiry=0) == 2013
    assert reason_of(play.subscribe, "a", priority=10) == 2050
    assert reason_of(play.subscribe, "a", level=10) == 2424
    assert reason_of(play.subscribe, "") == 2085


def test_b39_names(play: Publishers) -> None:
    options = MANAGED | DURABLE
    play.subscribe("a", CREATE | options, name="D").close()
    assert reason_of(play.subscribe, "a", CREATE | options, name="D") == 2432
    play.subscribe("a", CREATE | RESUME | options, name="D").close()
    assert reason_of(play.subscribe, "a", RESUME | options, name="X") == 2428
    assert reason_of(play.subscribe, "a", ALTER | options, name="X") == 2428


def test_b40_one_handle_at_a_time(play: Publishers) -> None:
    options = MANAGED | DURABLE
    play.subscribe("a", CREATE | options, name="D")
    assert reason_of(play.subscribe, "", RESUME, name="D", program="B") == 2429
    assert reason_of(play.subscribe, "", RESUME, name="D") == 2429


def test_b41_b42_a_durable_subscription_is_kept(play: Publishers) -> None:
    durable = play.subscribe("a", CREATE | MANAGED | DURABLE, name="D")
    assert durable.queue is not None
    durable.queue.close()
    durable.close(MQCO.KEEP_SUB)
    for body in "123":
        play.publish("a", body)
    again = play.subscribe("", RESUME, name="D")
    assert gets(again) == ["1", "2", "3"]
    again.close()
    play.subscribe("", RESUME, name="D").close(MQCO.REMOVE_SUB)
    assert reason_of(play.subscribe, "", RESUME, name="D") == 2428


def test_b43_options_of_closing(play: Publishers) -> None:
    s1 = play.subscribe("a")
    assert reason_of(s1.close, MQCO.KEEP_SUB) == 2045
    assert reason_of(s1.close, MQCO.DELETE) == 2045
    play.publish("a")
    assert gets(s1) == ["hi"]
    assert reason_of(play.queue("Q").close, MQCO.KEEP_SUB) == 2045
    s1.close()
    assert reason_of(s1.close) == 2019


def test_b44_b45_users(play: Publishers) -> None:
    """B44, B45: FIXED is the default."""
    play.subscribe("a", CREATE | MANAGED | DURABLE, name="F", program="N", user="anna").close()
    resumed = {"name": "F", "program": "B", "user": "bob"}
    assert reason_of(play.subscribe, "", RESUME, **resumed) == 2434
    options = CREATE | MANAGED | DURABLE | MQSO.ANY_USERID
    play.subscribe("b", options, name="V", program="N").close()
    again = play.subscribe("", RESUME, name="V", program="B")
    play.publish("b")
    assert messages(again)[0].descriptor.user_identifier == "bob"
    assert [row["SUBUSER"] for row in play.rows("DISPLAY SUB(V) SUBUSER")] == ["bob"]


@rows(
    (ALTER | MANAGED | DURABLE, {"string": "b"}, 2510),
    (ALTER | MANAGED | DURABLE | MQSO.WILDCARD_CHAR, {}, 2510),
    (ALTER | MANAGED, {}, 2509),
    (ALTER | DURABLE, {}, 2533),
    (ALTER | MANAGED | DURABLE, {"level": 2}, 2512),
    (ALTER | MANAGED | DURABLE, {"selection": "x = 1"}, 2524),
    (ALTER | DURABLE | MQSO.GROUP_SUB | MQSO.SET_CORREL_ID, {}, 2533),
)
def test_b46_what_cannot_be_altered(
    play: Publishers, options: int, fields: dict[str, object], reason: int
) -> None:
    play.subscribe("a", CREATE | MANAGED | DURABLE, name="D").close()
    given = {"string": "", "name": "D", **fields}
    assert reason_of(play.subscribe, options=options, **given) == reason


def test_b47_what_can_be_altered(play: Publishers) -> None:
    play.run("DEFINE QLOCAL(Q2)")
    first, second = play.queue("Q"), play.queue("Q2")
    play.subscribe("a", CREATE | DURABLE, name="D", queue=first).close()
    play.publish("a", "old")
    changed: dict[str, Any] = {"user_data": "new", "priority": 6}
    play.subscribe("", ALTER | DURABLE, name="D", queue=second, **changed)
    play.publish("a", "new")
    assert [row["CURDEPTH"] for row in play.rows("DISPLAY QLOCAL(Q*) CURDEPTH")] == [1, 1]
    taken = play.program().create_message_handle()
    message = second.get(GetMessageOptions(MQGMO.PROPERTIES_IN_HANDLE, message_handle=taken))
    assert (message.body, message.descriptor.priority) == (b"new", 6)
    assert taken.values["MQSubUserData"] == "new"


def test_b48_resuming_says_what_the_subscription_is(play: Publishers) -> None:
    options = CREATE | MANAGED | DURABLE | MQSO.SET_CORREL_ID
    made = play.subscribe("a/+", options, name="D", user_data="x", correl_id=b"C" * 24, expiry=500)
    made.close()
    found = play.subscribe("", RESUME, name="D").descriptor
    assert (found.object_string, found.expiry, found.user_data) == ("a/+", 500, "x")
    assert found.correl_id == b"C" * 24
    kept = MANAGED | DURABLE | MQSO.FIXED_USERID | MQSO.WILDCARD_TOPIC
    assert found.options & kept == kept


def test_b50_b51_subscribing_is_not_allowed(play: Publishers) -> None:
    play.run("DEFINE TOPIC(N) TOPICSTR('n') DURSUB(NO)\nDEFINE TOPIC(T) TOPICSTR('t')")
    options = CREATE | MANAGED | DURABLE
    assert reason_of(play.subscribe, "n/x", options, name="D") == 2436
    assert reason_of(play.subscribe, "n/x") == 0
    play.refused("DEFINE SUB(S) TOPICSTR('n/x') DEST(Q)")
    s1 = play.subscribe("t")
    play.run("ALTER TOPIC(T) SUB(DISABLED)")
    assert reason_of(play.subscribe, "t") == 2503
    play.publish("t")
    assert gets(s1) == ["hi"]


def test_b52_model_queues(play: Publishers) -> None:
    play.run("DEFINE QMODEL(TEMPORARY) DEFTYPE(TEMPDYN)")
    play.run("DEFINE TOPIC(T) TOPICSTR('t') MDURMDL(TEMPORARY)")
    play.run("DEFINE TOPIC(U) TOPICSTR('u') MDURMDL(NOPE) MNDURMDL(NOPE)")
    options = CREATE | MANAGED | DURABLE
    assert reason_of(play.subscribe, "t", options, name="D") == 2522
    assert reason_of(play.subscribe, "u", options, name="D") == 2522
    assert reason_of(play.subscribe, "u") == 2522


def test_b53_b54_b55_provided_queues(play: Publishers) -> None:
    output = play.program().open("Q", MQOO.OUTPUT)
    assert reason_of(play.subscribe, "a", CREATE, queue=output) == 2019
    assert reason_of(play.subscribe, "a", CREATE) == 2019
    play.run("DEFINE QMODEL(TEMPORARY) DEFTYPE(TEMPDYN)")
    temporary = play.program().open("TEMPORARY", MQOO.INPUT_SHARED)
    options = CREATE | DURABLE
    assert reason_of(play.subscribe, "a", options, name="D", queue=temporary) == 2522
    play.run("DEFINE QLOCAL(GONE)\nDEFINE SUB(S) TOPICSTR('a') DEST(GONE)\nDELETE QLOCAL(GONE)")
    assert reason_of(play.subscribe, "", RESUME, name="S") == 2522


def test_b57_an_end_of_the_queue_manager(play: Publishers) -> None:
    s1 = play.subscribe("a")
    assert s1.queue is not None
    name = s1.queue.name
    play.subscribe("a", CREATE | MANAGED | DURABLE, name="D")
    play.publish("a", "kept", persistence=PERSISTENT)
    play.publish("a", "lost")
    play.qmgr.end(immediate=True)
    play.qmgr.start()
    again = Publishers(play.qmgr)
    assert again.rows(f"DISPLAY QLOCAL({name})") == []
    assert [row["SUB"] for row in again.rows("DISPLAY SUB(*) SUBTYPE(API)")] == ["D"]
    assert [row["ACTCONN"] for row in again.rows("DISPLAY SBSTATUS(D)")] == ["0" * 48]
    assert gets(again.subscribe("", RESUME, name="D")) == ["kept"]


def test_b58_an_expired_subscription(play: Publishers, clock: FrozenClock) -> None:
    durable = play.subscribe("a", CREATE | MANAGED | DURABLE, name="D", expiry=100)
    play.publish("a", "old")
    clock.advance(11)
    play.publish("a", "new")
    assert gets(durable) == ["old"]
    assert reason_of(durable.request) == 2523
    assert reason_of(play.subscribe, "", RESUME, name="D", program="B") == 2523
    play.subscribe("b", CREATE | MANAGED | DURABLE, name="D", program="B")


def test_b59_b60_a_subscription_ends_before_its_queue(play: Publishers) -> None:
    s1 = play.subscribe("a")
    assert s1.queue is not None
    for body in "12":
        play.publish("a", body)
    s1.close()
    assert reason_of(s1.queue.get) == 2052
    s1.queue.close()
    other = play.subscribe("a")
    assert other.queue is not None
    play.publish("a")
    other.queue.get(GetMessageOptions(MQGMO.SYNCPOINT))
    other.close()
    other.queue.close()
    play.program().commit()
    assert play.rows("DISPLAY QLOCAL(SYSTEM.MANAGED.*)") == []


def test_b61_b62_b63_retained_publications(play: Publishers) -> None:
    for body in "12":
        play.publish("p", body, RETAIN)
    play.publish("p", "3")
    play.publish("p/a", "a", RETAIN)
    s1 = play.subscribe("p")
    taken = play.program().create_message_handle()
    assert s1.queue is not None
    options = GetMessageOptions(MQGMO.PROPERTIES_IN_HANDLE, message_handle=taken)
    assert s1.queue.get(options).body == b"2"
    assert taken.values["MQIsRetained"] is True
    assert gets(play.subscribe("p/#")) == ["2", "a"]
    assert gets(play.subscribe("p/#", CREATE | MANAGED | MQSO.NEW_PUBLICATIONS_ONLY)) == []
    play.publish("p", "now", RETAIN)
    [message] = messages(s1)
    assert message.body == b"now"


def test_b64_a_restart_keeps_persistent_ones(play: Publishers) -> None:
    play.publish("p/1", "lost", RETAIN)
    play.publish("p/2", "kept", RETAIN, persistence=PERSISTENT)
    play.qmgr.end(immediate=True)
    play.qmgr.start()
    assert gets(Publishers(play.qmgr).subscribe("p/#")) == ["kept"]


def test_b65_a_retained_publication_expires(play: Publishers, clock: FrozenClock) -> None:
    play.publish("p", "x", RETAIN, expiry=10)
    assert [row["RETAINED"] for row in play.rows("DISPLAY TPSTATUS('p') RETAINED")] == ["YES"]
    clock.advance(2)
    assert gets(play.subscribe("p")) == []
    assert [row["RETAINED"] for row in play.rows("DISPLAY TPSTATUS('p') RETAINED")] == ["NO"]


def test_b66_a_unit_of_work_replaces_at_its_commit(play: Publishers) -> None:
    play.publish("p", "old", RETAIN)
    play.publish("p", "new", RETAIN | SYNCPOINT)
    assert gets(play.subscribe("p")) == ["old"]
    play.program("P").back()
    assert gets(play.subscribe("p")) == ["old"]
    play.publish("p", "new", RETAIN | SYNCPOINT)
    play.program("P").commit()
    assert gets(play.subscribe("p")) == ["new"]


def test_b65_b66_the_later_of_two_units_of_work_counts(
    play: Publishers, clock: FrozenClock
) -> None:
    """B65, B66: also when it has expired before anything removes it."""
    play.publish("p", "earlier", RETAIN | SYNCPOINT)
    play.publish("p", "later", RETAIN | SYNCPOINT, program="B", expiry=10)
    play.program("B").commit()
    play.program("P").commit()
    assert gets(play.subscribe("p")) == ["later"]
    clock.advance(2)
    assert gets(play.subscribe("p")) == []
    assert [row["RETAINED"] for row in play.rows("DISPLAY TPSTATUS('p') RETAINED")] == ["NO"]
    play.run("REFRESH QMGR TYPE(EXPIRY)")
    assert gets(play.subscribe("p")) == []


# (How the units of work of the earlier and of the later publication end; what is retained once the
# later one has expired.)
@pytest.mark.parametrize("first_to_end", ["earlier", "later"])
@rows(
    ("commit", "commit", []),
    ("back", "commit", []),
    ("commit", "back", ["earlier"]),
    ("back", "back", ["first"]),
)
def test_b61_b65_b66_what_a_later_publication_replaced_does_not_return(
    play: Publishers,
    clock: FrozenClock,
    first_to_end: str,
    earlier: str,
    later: str,
    left: list[str],
) -> None:
    """B61, B65, B66: whichever unit of work ends first, and also once the later one is discarded."""
    play.publish("p", "first", RETAIN)
    play.publish("p", "earlier", RETAIN | SYNCPOINT, program="earlier")
    play.publish("p", "later", RETAIN | SYNCPOINT, program="later", expiry=10)
    ends = {"earlier": earlier, "later": later}
    getattr(play.program(first_to_end), ends.pop(first_to_end))()
    clock.advance(2)
    play.run("REFRESH QMGR TYPE(EXPIRY)")
    [(last, end)] = ends.items()
    getattr(play.program(last), end)()
    play.run("REFRESH QMGR TYPE(EXPIRY)")
    assert gets(play.subscribe("p")) == left
    [queue] = play.rows("DISPLAY QLOCAL(SYSTEM.RETAINED.PUB.QUEUE) CURDEPTH")
    assert queue["CURDEPTH"] == len(left)


def test_b64_b66_what_was_replaced_in_a_unit_does_not_return_with_a_restart(
    play: Publishers,
) -> None:
    """B64, B66: the later publication is not persistent."""
    play.publish("p", "earlier", RETAIN | SYNCPOINT, program="A", persistence=PERSISTENT)
    play.publish("p", "later", RETAIN | SYNCPOINT, program="B")
    play.program("A").commit()
    play.program("B").commit()
    play.qmgr.end(immediate=True)
    play.qmgr.start()
    assert gets(Publishers(play.qmgr).subscribe("p")) == []


def test_b67_b68_the_queue_of_retained_publications(play: Publishers) -> None:
    play.publish("p", "old", RETAIN)
    s1 = play.subscribe("p", CREATE | MANAGED | MQSO.NEW_PUBLICATIONS_ONLY)
    play.run("ALTER QLOCAL(SYSTEM.RETAINED.PUB.QUEUE) PUT(DISABLED)")
    assert reason_of(play.publish, "p", "x", RETAIN) == 2479
    assert gets(s1) == []
    play.run("ALTER QLOCAL(SYSTEM.RETAINED.PUB.QUEUE) GET(DISABLED)")
    before = len(play.rows("DISPLAY SUB(*)"))
    assert reason_of(play.subscribe, "p") == 2525
    assert len(play.rows("DISPLAY SUB(*)")) == before
    play.subscribe("p", CREATE | MANAGED | MQSO.NEW_PUBLICATIONS_ONLY)


def test_b69_a_retained_publication_that_cannot_be_delivered(play: Publishers) -> None:
    play.publish("p", "x", RETAIN)
    play.run("ALTER QLOCAL(Q) MAXDEPTH(1)")
    play.program().put1("Q", Message(b"full"))
    assert reason_of(play.subscribe, "p", CREATE, queue=play.queue("Q")) == 2526
    assert play.rows("DISPLAY SUB(*) SUBTYPE(API)") == []


def test_b70_b71_publications_on_request(play: Publishers) -> None:
    s1 = play.subscribe("p", CREATE | MANAGED | MQSO.PUBLICATIONS_ON_REQUEST)
    assert reason_of(s1.request) == 2437
    play.publish("p", "x", RETAIN)
    assert gets(s1) == []
    assert (s1.request(), s1.request()) == (1, 1)
    assert gets(s1) == ["x", "x"]
    assert reason_of(s1.request, 2) == 2535
    s1.close()
    assert reason_of(s1.request) == 2019


@rows(
    ("ALL", "D", 2502, 0),
    ("ALLDUR", "D", 2502, 0),
    ("ALLAVAIL", "D", 0, 1),
    ("ALL", "S1", 2502, 0),
    ("ALLDUR", "S1", 0, 1),
    ("ALLAVAIL", "S1", 0, 1),
)
def test_b73_b74_a_queue_is_full(
    play: Publishers, delivery: str, full: str, reason: int, delivered: int
) -> None:
    """B73, B74: the other subscription gets the publication, or nobody does."""
    play.run(f"DEFINE TOPIC(T) TOPICSTR('a') NPMSGDLV({delivery})\nDEFINE QLOCAL(R)")
    of_s1, of_d = play.queue("Q"), play.queue("R")
    play.subscribe("a", CREATE, queue=of_s1)
    play.subscribe("a", CREATE | DURABLE, name="D", queue=of_d)
    name, other = ("R", of_s1) if full == "D" else ("Q", of_d)
    play.run(f"ALTER QLOCAL({name}) PUT(DISABLED)")
    assert reason_of(play.publish, "a") == reason
    assert len(gets(other)) == delivered
    [published] = play.events("PUBLISH")
    assert '"failed"' in published[3]


def test_b75_the_dead_letter_queue(play: Publishers) -> None:
    play.run("DEFINE QLOCAL(DLQ)\nALTER QMGR DEADQ(DLQ)\nALTER QLOCAL(Q) MAXDEPTH(0)")
    play.run("DEFINE TOPIC(T) TOPICSTR('a') NPMSGDLV(ALL)\nDEFINE SUB(D) TOPICSTR('a') DEST(Q)")
    assert play.publish("a")[1] == 0
    [message] = messages(play.queue("DLQ"))
    assert message.descriptor.format == "MQDEAD"
    assert int.from_bytes(message.body[8:12], "little") == 2053
    assert message.body[12:60].rstrip() == b"Q"
    play.run("ALTER TOPIC(T) USEDLQ(NO)")
    assert reason_of(play.publish, "a") == 2502


def test_the_copies_of_dead_letters_must_have_room_together(play: Publishers) -> None:
    """Two copies of one publication are dead-lettered; the stream queue has room for one."""
    play.run("DEFINE QLOCAL(S) MAXDEPTH(1)\nDEFINE QLOCAL(DLQ) STREAMQ(S) STRMQOS(MUSTDUP)")
    play.run("ALTER QMGR DEADQ(DLQ)\nALTER QLOCAL(Q) MAXDEPTH(0)")
    play.run("DEFINE TOPIC(T) TOPICSTR('a') NPMSGDLV(ALLAVAIL)")
    play.run("DEFINE SUB(D) TOPICSTR('a') DEST(Q)\nDEFINE SUB(E) TOPICSTR('a') DEST(Q)")
    play.publish("a")
    assert [len(messages(play.queue(name))) for name in ("DLQ", "S")] == [1, 1]


def test_b76_persistent_publications_have_their_own_rule(play: Publishers) -> None:
    play.run("ALTER QLOCAL(Q) MAXDEPTH(0)\nDEFINE SUB(D) TOPICSTR('a') DEST(Q)")
    assert reason_of(play.publish, "a", persistence=PERSISTENT) == 2502
    assert reason_of(play.publish, "a") == 0


def test_b77_b78_units_of_work(play: Publishers) -> None:
    found = [play.subscribe("a") for _ in range(3)]
    play.publish("a", "x", SYNCPOINT)
    assert gets(*found) == []
    play.program("P").commit()
    assert gets(*found) == ["x", "x", "x"]
    play.publish("a", "y", SYNCPOINT)
    play.program("P").back()
    assert gets(*found) == []
    play.run("ALTER QMGR MAXUMSGS(5)")
    play.publish("a", "first", SYNCPOINT)
    assert reason_of(play.publish, "a", "second", SYNCPOINT) == 2024
    play.program("P").commit()
    assert gets(*found) == ["first"] * 3


def test_b79_a_subscription_that_comes_too_late(play: Publishers) -> None:
    play.publish("a", "x", SYNCPOINT)
    late = play.subscribe("a")
    play.program("P").commit()
    assert gets(late) == []


def test_b80_a_failed_publication_leaves_the_unit_of_work(play: Publishers) -> None:
    play.run("DEFINE QLOCAL(R) MAXDEPTH(0)\nDEFINE SUB(D) TOPICSTR('a') DEST(R)")
    play.run("DEFINE TOPIC(T) TOPICSTR('a') NPMSGDLV(ALL)")
    play.program("P").put1("Q", Message(b"earlier"), PutMessageOptions(SYNCPOINT))
    assert reason_of(play.publish, "a", "x", RETAIN | SYNCPOINT) == 2502
    play.program("P").commit()
    assert gets(play.queue("Q")) == ["earlier"]
    assert [row["RETAINED"] for row in play.rows("DISPLAY TPSTATUS('a') RETAINED")] == ["NO"]


def test_b81_a_group_gets_one_message(play: Publishers) -> None:
    options = CREATE | MQSO.GROUP_SUB | MQSO.SET_CORREL_ID
    queue = play.queue("Q")
    for string in ("a/#", "a/b"):
        play.subscribe(string, options, queue=queue, correl_id=b"G" * 24)
    play.publish("a/b")
    assert gets(queue) == ["hi"]
    again = {"options": options, "queue": queue, "correl_id": b"G" * 24}
    assert reason_of(play.subscribe, "a/b", **again) == 2514


def test_b82_a_publication_triggers(play: Publishers) -> None:
    play.run("DEFINE QLOCAL(INIT)\nDEFINE PROCESS(PR) APPLICID('x')")
    play.run("ALTER QLOCAL(Q) TRIGGER TRIGTYPE(FIRST) INITQ(INIT) PROCESS(PR)")
    play.queue("INIT", program="MONITOR")
    play.run("DEFINE SUB(S) TOPICSTR('a') DEST(Q)")
    play.publish("a")
    assert [row["CURDEPTH"] for row in play.rows("DISPLAY QLOCAL(INIT) CURDEPTH")] == [1]


def test_b88_publish_subscribe_is_switched_off(play: Publishers) -> None:
    s1, handle = play.subscribe("a"), play.topic("a")
    play.publish("a", "old")
    play.run("ALTER QMGR PSMODE(DISABLED)")
    assert reason_of(play.subscribe, "a") == 2531
    assert reason_of(play.publish, "a") == 2531
    assert reason_of(handle.put, Message(b"x")) == 2531
    assert reason_of(s1.request) == 2531
    assert gets(s1) == ["old"]
    play.run("ALTER QMGR PSMODE(COMPAT)")
    play.publish("a", "new")
    assert gets(s1) == ["new"]


def test_a_list_is_published_as_one(play: Publishers) -> None:
    s1 = play.subscribe("a")
    play.topic("a").put([Message(b"1"), Message(b"2")])
    assert gets(s1) == ["1", "2"]


def test_an_alternate_user_subscribes(play: Publishers) -> None:
    descriptor = SubscriptionDescriptor(
        CREATE | MANAGED | MQSO.ALTERNATE_USER_AUTHORITY, object_string="a", alternate_user="carl"
    )
    s1 = play.program().subscribe(descriptor)
    play.publish("a")
    assert messages(s1)[0].descriptor.user_identifier == "carl"
