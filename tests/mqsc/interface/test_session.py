"""Puts, gets, units of work and requests of sessions."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import mqsc
from tests.rows import rows

NO_WAIT = timedelta(0)
ANY = "SYSTEM.DEFAULT.LOCAL.QUEUE"


def test_a_message_comes_back_as_it_was_put(orders: mqsc.Queue) -> None:
    before = datetime.now(UTC)
    placed = orders.put(
        "ein Käsekuchen",
        priority=5,
        persistent=True,
        expiry=timedelta(minutes=1),
        size=3,
        gone=None,
    )
    got = orders.get(NO_WAIT)
    assert (got.text, got.body, got.priority, got.persistent) == (
        "ein Käsekuchen",
        "ein Käsekuchen".encode(),
        5,
        True,
    )
    assert (got.properties, got.msg_id, got.backout_count) == (
        {"size": 3, "gone": None},
        placed.msg_id,
        0,
    )
    assert got.expiry is not None
    assert timedelta(seconds=50) < got.expiry <= timedelta(minutes=1)
    assert got.put_at is not None
    assert abs(got.put_at - before) < timedelta(minutes=1)


@rows(
    ({}, None, TypeError, "what is the data"),
    ({"json": 1}, "x", TypeError, "not two of them"),
    ({}, 5, TypeError, "give text, bytes, json= or a Message, not int"),
    ({"persistent": "no"}, "x", TypeError, "persistent must be bool, not str"),
    ({"json": object()}, None, TypeError, "not JSON serializable"),
    (
        {"expiry": 30},
        "x",
        TypeError,
        r"expiry must be a timedelta, such as timedelta\(seconds=5\), not 30",
    ),
    ({"expiry": timedelta(0)}, "x", ValueError, "expiry must be from 0:00:00.100000 to 2485 days"),
    ({"expiry": timedelta(days=99999)}, "x", ValueError, "or None forever; it is 99999 days"),
    ({"colors": ["red"]}, "x", TypeError, "colors: the value of a property must be .*, not list"),
    ({"reply_to": 5}, "x", TypeError, "reply_to_q"),
)
def test_what_cannot_be_put(
    orders: mqsc.Queue,
    named: dict[str, Any],
    body: Any,
    kind: type[Exception],
    said: str,
) -> None:
    with pytest.raises(kind, match=said):
        orders.put(body, **named)
    assert orders.depth() == 0


def test_json_bytes_and_whole_messages(orders: mqsc.Queue) -> None:
    orders.put(json=None)
    orders.put(b"\xff")
    orders.put(mqsc.Message(b"x", mqsc.MessageDescriptor(feedback=7, priority=2)), priority=0)
    empty, raw, whole = orders.messages(NO_WAIT)
    assert (empty.json(), raw.body, whole.descriptor.feedback, whole.priority) == (
        None,
        b"\xff",
        7,
        0,
    )
    with pytest.raises(ValueError, match="utf-8"):
        print(raw.text)


@pytest.mark.parametrize("properties", [{}, {"color": "red", "size": 3}])
def test_a_message_that_was_got_is_put_with_its_properties(
    orders: mqsc.Queue,
    properties: dict[str, Any],
) -> None:
    orders.put("tea", priority=5, **properties)
    got = orders.get(NO_WAIT)
    orders.put(got)
    orders.put(got, priority=6, size=4)
    changed, same = orders.messages(NO_WAIT)
    assert (same.text, same.priority, same.properties) == ("tea", 5, properties)
    assert (changed.text, changed.priority, changed.properties) == (
        "tea",
        6,
        {**properties, "size": 4},
    )
    assert same.msg_id == changed.msg_id == got.msg_id


def test_text_is_read_by_its_ccsid(orders: mqsc.Queue) -> None:
    orders.put(
        mqsc.Message("Käse".encode("latin-1"), mqsc.MessageDescriptor(coded_char_set_id=819)),
    )
    orders.put(mqsc.Message(b"x", mqsc.MessageDescriptor(coded_char_set_id=12)))
    known, unknown = orders.messages(NO_WAIT)
    assert known.text == "Käse"
    with pytest.raises(ValueError, match="CCSID 12, which is unknown"):
        print(unknown.text)


def test_messages_are_selected_by_identifier_and_by_property(orders: mqsc.Queue) -> None:
    first, second = orders.put("a", color="red"), orders.put("b", correl_id=b"7", color="blue")
    assert [each.text for each in orders.browse(where="color = 'blue'")] == ["b"]
    assert orders.get(NO_WAIT, correl_id=b"7").msg_id == second.msg_id
    assert orders.get(NO_WAIT, msg_id=first.msg_id).properties == {"color": "red"}
    orders.put("c", n=1)
    orders.put("d", n=2)
    assert [each.text for each in orders.messages(NO_WAIT, where="n > 1")] == ["d"]
    assert orders.get(NO_WAIT).properties == {"n": 1}


def test_a_queue_has_as_many_handles_as_it_needs(shop: mqsc.Session, orders: mqsc.Queue) -> None:
    """An iteration that ends early leaves none behind, nor does a selection."""
    for number in range(5):
        orders.put("x", n=number)
    for number in range(3):
        assert next(iter(orders.messages(NO_WAIT, where=f"n = {number}"))).properties["n"] == number
        assert next(iter(orders.browse())).properties["n"] == number + 1
    assert len(shop.connection.handles) == 1
    orders.close()
    assert len(shop.connection.handles) == 0
    assert orders.depth() == 2


@rows(
    (5, TypeError, "timedelta"),
    (timedelta(-1), ValueError, "wait must be from 0:00:00 to 24 days"),
)
def test_a_wait_is_a_timedelta(
    orders: mqsc.Queue,
    wait: Any,
    kind: type[Exception],
    said: str,
) -> None:
    for call in (
        orders.get,
        lambda each: next(orders.messages(each)),
        lambda each: orders.serve(print, wait=each),
    ):
        with pytest.raises(kind, match=said):
            call(wait)


def test_a_get_waits_for_another_program(place: Path, orders: mqsc.Queue) -> None:
    def put() -> None:
        with mqsc.connect(place) as other:
            other.queue("ORDERS").put("late")

    thread = threading.Thread(target=put)
    thread.start()
    assert orders.get(timedelta(seconds=50)).text == "late"
    thread.join()


def test_a_unit_is_all_or_nothing(shop: mqsc.Session, orders: mqsc.Queue) -> None:
    done = shop.queue("DONE")
    orders.put("tea")

    def move_and_fail() -> None:
        with shop.unit():
            done.put(orders.get(NO_WAIT).text)
            raise KeyError

    with pytest.raises(KeyError):
        move_and_fail()
    assert [(each.text, each.backout_count) for each in orders.browse()] == [("tea", 1)]
    with shop.unit() as unit:
        done.put(orders.get(NO_WAIT).text)
        unit.commit()
        done.put("never")
        unit.back()
    assert [each.text for each in done.messages(NO_WAIT)] == ["tea"]
    with shop.unit(), pytest.raises(mqsc.UnitInProgress):
        shop.unit().__enter__()
    with shop.unit():
        done.put("again")
    assert done.depth() == 1


def put_and_fail(place: Path, *, end: bool) -> None:
    with mqsc.connect(place) as session, session.unit():
        session.queue(ANY).put("tea")
        if end:
            session.manager.end(immediate=True)
        raise KeyError


def test_leaving_a_session_by_an_exception_backs_out(place: Path) -> None:
    for end in (False, True):
        with pytest.raises(KeyError):
            put_and_fail(place, end=end)
    with mqsc.open_store(place) as store:
        store.queue_manager().start()
        with mqsc.connect(store) as other:
            assert other.queue(ANY).depth() == 0


def answering(
    place: Path,
    function: Callable[[mqsc.ReceivedMessage], object],
    requests: int,
) -> threading.Thread:
    def serve() -> None:
        with mqsc.connect(place) as other:
            other.queue("ORDERS").serve(function, limit=requests)

    thread = threading.Thread(target=serve)
    thread.start()
    return thread


def test_a_request_gets_its_reply(place: Path, shop: mqsc.Session) -> None:
    """Also from within a unit of work, and in any form."""
    answers: dict[str, object] = {"text": "ready", "bytes": b"ready", "json": {"ready": True}}
    left: list[timedelta | None] = []

    def answer(message: mqsc.ReceivedMessage) -> object:
        left.append(message.expiry)
        return answers[message.text]

    thread = answering(place, answer, 3)
    limit = timedelta(seconds=50)
    assert shop.request("ORDERS", "text", timeout=limit, color="red").text == "ready"
    with shop.unit():
        assert shop.request("ORDERS", "bytes", timeout=limit).body == b"ready"
    reply = shop.request("ORDERS", "json", timeout=limit)
    assert (reply.json(), reply.descriptor.msg_type) == ({"ready": True}, mqsc.MQMT.REPLY)
    thread.join()
    # The request expires with its time, and so does a reply that comes too late.
    assert all(each is not None and each <= limit for each in (*left, reply.expiry))


def test_a_request_without_a_reply(shop: mqsc.Session) -> None:
    with pytest.raises(mqsc.NoReply, match="no reply to the request on ORDERS came in time"):
        shop.request("ORDERS", "status?", timeout=timedelta(milliseconds=20))
    with pytest.raises(mqsc.NotFound, match="Did you mean ORDERS"):
        shop.request("ORDER", "status?", timeout=timedelta(milliseconds=20))


def test_a_function_that_fails_leaves_its_request(shop: mqsc.Session, orders: mqsc.Queue) -> None:
    """BOTHRESH and BOQNAME apply to it."""
    shop.run("ALTER QLOCAL(ORDERS) BOTHRESH(2) BOQNAME(DONE)")
    orders.put("broken")

    def fail(message: mqsc.ReceivedMessage) -> None:
        shop.queue("DONE").put("never")
        raise KeyError(message.text)

    for _ in range(2):
        with pytest.raises(KeyError):
            orders.serve(fail, wait=NO_WAIT)
    assert orders.serve(fail, wait=NO_WAIT) == 0
    assert [each.text for each in shop.queue("DONE").messages(NO_WAIT)] == ["broken"]


def test_a_model_queue_is_a_queue_of_its_own(shop: mqsc.Session) -> None:
    mine = shop.queue("SYSTEM.DEFAULT.MODEL.QUEUE")
    assert mine.depth() == 0
    mine.put("x")
    assert (mine.get(NO_WAIT).text, mine.name[:4]) == ("x", "AMQ.")


def test_everything_says_what_it_is(shop: mqsc.Session, orders: mqsc.Queue, place: Path) -> None:
    orders.put("x" * 50)
    shown = [*map(repr, (shop, orders, shop.unit(), shop.manager, orders.get(NO_WAIT)))]
    assert shown == [
        "<mqsc.Session with QM1>",
        "<mqsc.Queue ORDERS>",
        "<mqsc.Unit of <mqsc.Session with QM1>>",
        f"<QueueManager QM1 of <Store {place}>>",
        f"<mqsc.ReceivedMessage of 50 bytes, priority 0: {b'x' * 40!r}...>",
    ]
    handle = shop.connection.open("ORDERS", mqsc.MQOO.OUTPUT)
    assert repr(handle) == "<ObjectHandle queue ORDERS, open with <MQOO.OUTPUT: 16>>"
    handle.close()
    assert repr(handle).endswith("closed>")
    assert repr(shop.connection).startswith("<Connection ")
    assert "with 0 properties" in repr(mqsc.MessageHandle(None))
    assert "ORDERS" in repr(shop.connection.consumer("ORDERS"))


@rows(
    (
        lambda shop: shop.request("ORDERS", "status?", timeout=timedelta(0)),
        ValueError,
        "timeout must be from",
    ),
    (
        lambda shop: shop.reply("ORDERS", "ready"),
        TypeError,
        "the request must be ReceivedMessage, not str",
    ),
    (lambda shop: shop.run(5), TypeError, "mqsc must be str, not int"),
    (
        lambda shop: mqsc.connect(shop.manager.store, qmgr=5),  # type: ignore[arg-type]
        TypeError,
        ("qmgr must be str, not int"),
    ),
    (lambda shop: (shop.close(), shop.run("PING QMGR")), mqsc.NotConnected, "2018"),
)
def test_a_wrong_call_is_told(
    shop: mqsc.Session,
    call: Callable[[Any], object],
    kind: type[Exception],
    said: str,
) -> None:
    with pytest.raises(kind, match=said):
        call(shop)


@rows(
    ("expirey", "expiry"),
    ("EXPIRY", "expiry"),
    ("priorty", "priority"),
    ("persistence", "persistent"),
    ("persitent", "persistent"),
    ("corel_id", "correl_id"),
    ("replyto", "reply_to"),
    ("jsno", "json"),
)
def test_a_misspelt_argument_is_no_property(orders: mqsc.Queue, name: str, meant: str) -> None:
    wrong: Any = {name: 5}
    with pytest.raises(TypeError, match=f"'{name}' is not an argument; did you mean {meant}"):
        orders.put("x", **wrong)
    orders.put("x", properties=wrong)
    assert orders.get(NO_WAIT).properties == {name: 5}


@rows("color", "size", "expires", "retail", "reply", "type", "jms", "orderId", "user_id")
def test_a_property_needs_no_mapping(orders: mqsc.Queue, name: str) -> None:
    real: Any = {name: 5}
    orders.put("x", **real, properties={"more": True})
    assert orders.get(NO_WAIT).properties == {name: 5, "more": True}


def test_a_message_is_put_again_whatever_its_properties_are_called(orders: mqsc.Queue) -> None:
    orders.put("x", properties={"expirey": 5})
    orders.put(orders.get(NO_WAIT))
    assert orders.get(NO_WAIT).properties == {"expirey": 5}


def test_misspelt_arguments_of_other_calls(orders: mqsc.Queue, shop: mqsc.Session) -> None:
    with pytest.raises(TypeError, match="did you mean retain"):
        shop.topic("a").publish("x", retian=True)
    with pytest.raises(TypeError, match="did you mean timeout"):
        shop.request(ANY, "x", tmeout=5)
    orders.put(mqsc.Message(b"x", mqsc.MessageDescriptor(reply_to_q=ANY)))
    with pytest.raises(TypeError, match="did you mean json"):
        shop.reply(orders.get(NO_WAIT), jsno=1)


def test_arguments_that_only_put_has(orders: mqsc.Queue, shop: mqsc.Session) -> None:
    with pytest.raises(TypeError, match="no argument 'priority'; a Message as the body"):
        shop.request(ANY, "x", priority=5)
    with pytest.raises(TypeError, match="no argument 'reply_to'"):
        shop.topic("a").publish("x", reply_to=ANY)
    orders.put(mqsc.Message(b"x", mqsc.MessageDescriptor(reply_to_q=ANY)))
    with pytest.raises(TypeError, match="no argument 'expiry'"):
        shop.reply(orders.get(NO_WAIT), expiry=5)
