"""channels: literal rows in, rows out. Each case is a queue manager of its own."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from mqsc.reports.catalog import report
from tests.reports.history import Row, event
from tests.reports.tables import Answer, written

if TYPE_CHECKING:
    pass

REPORT = report("channels")
SENDER: dict[str, Any] = {"role": "sender", "partner": "QM2"}
RECEIVER: dict[str, Any] = {"role": "receiver", "partner": "QM0"}


def channel(cause: str, when: float = 0, *, connection: int | None = None, **detail: Any) -> Row:
    """Return an event of the sender of TO.QM2, or of the receiver of TO.QM1 if `role` says so."""
    detail = {**SENDER, **detail}
    queue, name = ("XQ", "TO.QM2") if detail["role"] == "sender" else ("", "TO.QM1")
    text = json.dumps(detail)
    return event(
        "CHANNEL",
        queue,
        when,
        cause=cause,
        target=name,
        connection=connection,
        detail=text,
    )


def batch(
    when: float = 0,
    messages: int = 1,
    *,
    connection: int | None = None,
    **detail: Any,
) -> Row:
    counts = {
        "messages": messages,
        "bytes": 100 * messages,
        "fast": 0,
        "luwid": f"{when}",
        "sequence": messages,
    }
    return channel("batch", when, connection=connection, **{**counts, **detail})


def received(
    when: float = 0,
    messages: int = 1,
    *,
    connection: int | None = None,
    **detail: Any,
) -> Row:
    return batch(
        when,
        messages,
        connection=connection,
        **{**RECEIVER, "waited_ms": 0, "longest_ms": 0, **detail},
    )


def got(when: float, connection: int = 1, kind: str = "GET", queue: str = "XQ") -> Row:
    return event(kind, queue, when, connection=connection)


def undelivered(kind: str, when: float = 0, connection: int | None = None, queue: str = "Q") -> Row:
    return event(kind, queue, when, cause="channel", connection=connection)


CASES = written(
    r"""
table channels
    channel=TO.QM2 role=sender partner=QM2 hour=0 batches=0 messages=0 bytes=0 fast=0 throughput=- latency_mean=-
    latency_longest=- retries=0 stops=0 failures=0 dead_lettered=0 discarded=0 expired=0 in_doubt=0
what was carried, by hour
    batch 1 3 fast=1, batch 2 5, batch 3600 7
    => batches=2 messages=8 bytes=800 fast=1, hour=1 batches=1 messages=7 bytes=700
both ends, and every partner of a receiver
    batch 1, received 1, received 2 partner=QM9
    => TO.QM1 receiver QM0 batches=1 messages=1 bytes=100 latency_mean=0 latency_longest=0
    => TO.QM1 receiver QM9 batches=1 messages=1 bytes=100 latency_mean=0 latency_longest=0
    => batches=1 messages=1 bytes=100
a sender that does not know its partner yet
    channel starting partner="", channel retry 1 partner="", batch 2 => batches=1 messages=1 bytes=100 retries=1
a partner that was never met | channel failed partner="" => TO.QM2 sender - failures=1
latency
    received 1 4 waited_ms=1000 longest_ms=700, received 2 1 waited_ms=1500 longest_ms=1500
    => TO.QM1 receiver QM0 batches=2 messages=5 bytes=500 latency_mean=0.5 latency_longest=1.5
throughput while batches were open
    got 10, got 11, batch 12 2 connection=1, got 50, batch 52 6 connection=1
    => batches=2 messages=8 bytes=800 throughput=2
throughput of two runs at a time
    got 10 1 PUT A, got 11 2 PUT A, received 12 3 connection=1, received 13 1 connection=2
    => TO.QM1 receiver QM0 batches=2 messages=4 bytes=400 throughput=1 latency_mean=0 latency_longest=0
only the batches whose beginning is known
    got 10, batch 12 4 connection=1, batch 20 9 connection=2, got 30 3, batch 40 9
    => batches=3 messages=22 bytes=2200 throughput=2
a record of the channel is no message
    got 10 queue=SYSTEM.CHANNEL.SYNCQ, got 11, batch 12 3 connection=1 => batches=1 messages=3 bytes=300 throughput=3
no time passed | got 1, batch 1 connection=1 => batches=1 messages=1 bytes=100
the batch began before the selection
    outside got 10, batch 12 4 connection=1 => batches=1 messages=4 bytes=400 throughput=2
only what was selected | outside batch 1, outside channel failed
what kept it from carrying
    channel starting, channel bound, channel retry, channel retry, channel stopped, channel ended, channel failed,
    channel failed, channel failed, channel in-doubt 1 luwid=A => retries=2 stops=1 failures=3 in_doubt=1
messages that were not delivered
    undelivered DEAD_LETTER 1 1, undelivered DEAD_LETTER 1 1, undelivered DISCARD 1 1, undelivered EXPIRE 1 1,
    received 2 4 connection=1 => TO.QM1 receiver QM0 0 1 4 400 0 - 0 0 0 0 0 2 1 1
by the transmission queue, if the connection committed no batch
    channel bound, undelivered DISCARD 1 9 XQ, undelivered DISCARD 1 9 OTHER => discarded=1, - - - discarded=1
by another cause | DISCARD XQ cause=command, channel starting => TO.QM2
Ch4: resolved to be committed, and no other event about the batch
    channel resolved 1 luwid=A decision=commit messages=3 bytes=30,
    channel resolved 1 luwid=B decision=backout messages=9 bytes=90, channel resolved 1 luwid=C decision=commit
    => batches=1 messages=3 bytes=30
resolved, with another event about the batch
    channel resolved 1 luwid=A decision=commit messages=3, batch 1 3 luwid=A => batches=1 messages=3 bytes=300

table failures
    channel role partner message_id outcome times first last message
by message, and what became of the channel
    channel retry 1 message="AMQ9202E: host A is not available",
    channel retry 2 message="AMQ9202E: host B is not available",
    channel failed 3 message="AMQ9202E: host B is not available",
    channel failed 4 message="AMQ9526E: sequence numbers differ", channel stopped 5,
    channel ended 6 message="AMQ9545I: idle"
    => TO.QM2 sender QM2 AMQ9202E failed 1 @3 @3 "AMQ9202E: host B is not available"
    => TO.QM2 sender QM2 AMQ9202E retry 2 @1 @2 "AMQ9202E: host B is not available"
    => TO.QM2 sender QM2 AMQ9526E failed 1 @4 @4 "AMQ9526E: sequence numbers differ"
    => TO.QM2 sender QM2 - stopped 1 @5 @5 -
none | batch
only what was selected | outside channel failed message=AMQ9202E

table in_doubt
    channel partner luwid sequence lasted decision
resolved, and still in doubt
    channel in-doubt 10 luwid=A sequence=50, channel resolved 25.5 luwid=A decision=commit,
    channel in-doubt 30 luwid=B sequence=51 partner="", channel in-doubt 40 luwid=B sequence=51
    => TO.QM2 QM2 A 50 15.5 commit, TO.QM2 QM2 B 51 70 -
never in doubt | batch 1 luwid=A
resolved after the sender was killed | channel resolved 2 luwid=A decision=commit => TO.QM2 QM2 A - - commit
resolved in the period
    outside channel in-doubt 1 luwid=A, channel resolved 2 luwid=A decision=backout => TO.QM2 QM2 A - 1 backout
outside | outside channel in-doubt 1 luwid=A
""",
    globals(),
)


def test_cases(found: dict[tuple[str, str], Answer], table: str, case: str) -> None:
    assert found[table, case] == CASES[table][1][case].rows
