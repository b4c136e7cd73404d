"""Which events are part of the life of a message, and in which order."""

from __future__ import annotations

from typing import Any

from mqsc.store.rules import message_trace
from mqsc.store.rules.message_trace import Followed, Role, StoreTrace, TracedEvent, TraceStep

MESSAGE, OUTER = b"m" * 24, b"o" * 24


def event(kind: str, queue: str | None = "Q", at: int = 0, **columns: Any) -> TracedEvent:
    plain: dict[str, Any] = dict.fromkeys(TracedEvent._fields)
    plain |= {"seq": at, "at": at, "qmgr": "QM1", "kind": kind, "queue": queue, "detail": {}}
    return TracedEvent(**(plain | columns))


def message(kind: str, queue: str = "Q", at: int = 0, **columns: Any) -> TracedEvent:
    return event(kind, queue, at, **{"msg_id": MESSAGE, "put_application": "billing", **columns})


def sent(kind: str, at: int = 0, **columns: Any) -> TracedEvent:
    """Return an event about the message on the transmission queue that carries the traced one."""
    return event(
        kind,
        "XQ",
        at,
        **{"msg_id": OUTER, "correl_id": MESSAGE, "put_application": "QM1", **columns},
    )


def batch(cause: str, at: int = 0, queue: str = "XQ", connection: int | None = 7) -> TracedEvent:
    """Return a channel event of a sender, or of a receiver if the queue is blank."""
    return event("CHANNEL", queue, at, cause=cause, target="TO.QM2", connection=connection)


def kinds(*events: TracedEvent) -> list[str]:
    trace = StoreTrace(Followed(MESSAGE))
    for each in events:
        trace.learn(each)
    return [step.event.cause or step.event.kind for step in trace.steps]


def test_what_carries_a_message() -> None:
    assert message_trace.is_transmission(sent("PUT"))
    assert not message_trace.is_transmission(sent("PUT", put_application="billing"))
    assert not message_trace.is_transmission(sent("PUT", correl_id=None))
    assert not message_trace.is_transmission(sent("REPORT"))
    long = "Q" * 48
    assert message_trace.is_transmission(sent("PUT", qmgr=long, put_application=long[:28]))


def test_the_message_inside() -> None:
    assert message_trace.embedded([sent("PUT")], OUTER) == ([MESSAGE], True)
    assert message_trace.embedded([sent("PUT")], MESSAGE).msg_ids == []
    assert message_trace.embedded([message("PUT")], MESSAGE).msg_ids == []
    # A report too has the MsgId of its original as its CorrelId.
    assert message_trace.embedded([sent("REPORT"), sent("PUT")], OUTER).msg_ids == []
    # Another message has that MsgId, too.
    assert message_trace.embedded([sent("PUT"), message("PUT", msg_id=OUTER)], OUTER) == (
        [MESSAGE],
        False,
    )


def test_a_batch_in_doubt_is_followed_until_it_is_resolved() -> None:
    found = kinds(
        batch("batch", 0),
        sent("GET", 1, unit=9, connection=7),
        batch("in-doubt", 2, connection=None),
        batch("resolved", 3, queue="OTHER.XQ"),
        event("COMMIT", None, 4, unit=9),
        batch("resolved", 5, connection=8),
        batch("batch", 6),
    )
    assert found == ["GET", "in-doubt", "COMMIT", "resolved"]


def test_a_batch_that_is_backed_out_is_over_unless_it_is_in_doubt() -> None:
    got = sent("GET", 1, unit=9)
    assert kinds(got, event("BACKOUT", None, 2, unit=9, cause="abend"), batch("batch", 3)) == [
        "GET",
        "abend",
    ]
    in_doubt = (
        batch("in-doubt", 2),
        event("BACKOUT", None, 3, unit=9, cause="resolved"),
        batch("resolved", 4),
    )
    assert kinds(got, *in_doubt) == ["GET", "in-doubt", "resolved", "resolved"]


def test_a_receiver_is_known_by_its_connection() -> None:
    arrived = message("PUT", at=1, connection=7)
    assert kinds(
        arrived,
        batch("batch", 2, "", 8),
        batch("batch", 3, "", 7),
        batch("batch", 4, "", 7),
    ) == [
        "PUT",
        "batch",
    ]


def test_a_message_that_the_sender_could_not_send() -> None:
    refused = sent("DEAD_LETTER", 2, cause="channel", target="DLQ")
    trace = StoreTrace(Followed(MESSAGE))
    trace.learn(refused)
    assert [step.role for step in trace.steps] == [Role.TRANSMISSION]


def test_a_channel_that_only_starts_or_ends_is_not_part_of_it() -> None:
    assert kinds(sent("GET", 1), batch("bound", 2), batch("ended", 3), batch("batch", 4)) == [
        "GET",
        "batch",
    ]


def test_the_end_of_another_unit_of_work_is_not_part_of_it() -> None:
    assert kinds(
        message("PUT", unit=1),
        event("COMMIT", None, unit=2),
        event("COMMIT", None, unit=1),
    ) == [
        "PUT",
        "COMMIT",
    ]


def test_a_queue_that_is_cleared_after_the_put_was_backed_out() -> None:
    cleared = event("CLEAR", detail={"messages": 3})
    assert kinds(message("PUT", unit=1), event("BACKOUT", None, unit=1), cleared) == [
        "PUT",
        "BACKOUT",
    ]
    assert (
        kinds(message("PUT"), message("GET", unit=1), event("BACKOUT", None, unit=1), cleared)[-1]
        == "CLEAR"
    )


def steps(*events: tuple[str, int, Role]) -> list[TraceStep]:
    return [TraceStep(message(kind, at=at), role, MESSAGE) for kind, at, role in events]


def order(*stores: list[TraceStep]) -> list[tuple[int, str]]:
    return [(store, step.event.kind) for store, step in message_trace.in_order(stores)]


SENT = steps(
    ("PUT", 10, Role.TRANSMISSION),
    ("GET", 20, Role.TRANSMISSION),
    ("COMMIT", 21, Role.UNIT),
)


def test_stores_are_merged_by_time() -> None:
    for at, expected in ((20, "PGPCG"), (21, "PGCPG")):
        arrived = steps(("PUT", at, Role.MESSAGE), ("GET", 30, Role.MESSAGE))
        for stores in ((SENT, arrived), (arrived, SENT)):
            assert "".join(kind[0] for _, kind in order(*stores)) == expected


def test_a_message_arrives_after_it_has_left_whatever_the_clocks_say() -> None:
    assert order(steps(("PUT", 1, Role.MESSAGE), ("GET", 2, Role.MESSAGE)), SENT) == [
        *((1, "PUT"), (1, "GET")),
        *((0, "PUT"), (0, "GET")),
        (1, "COMMIT"),
    ]


def test_a_clock_that_runs_backwards_does_not_change_the_order_of_its_store() -> None:
    assert order(steps(("PUT", 30, Role.MESSAGE), ("GET", 5, Role.MESSAGE))) == [
        (0, "PUT"),
        (0, "GET"),
    ]


def test_stores_that_wait_for_each_other() -> None:
    """Incomplete histories: in each store, the message arrives before it leaves the other one."""
    back = steps(("PUT", 5, Role.MESSAGE), ("GET", 6, Role.TRANSMISSION))
    assert len(order(back, back)) == 4
