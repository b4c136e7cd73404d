"""channels: literal rows in, rows out; and a generated history, computed a second time by SQLite.

Each case is a queue manager of its own.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import mqsc
from reports.catalog import report
from store import Environment
from store.admin.history import record
from tests.reports.history import Row, at, event
from tests.reports.parts import in_forms, lines_of
from tests.reports.tables import START as HOUR
from tests.reports.tables import Answer, by_sqlite, shown, tables_of, written

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

REPORT = report("channels")
SENDER: dict[str, Any] = {"role": "sender", "partner": "QM2"}
RECEIVER: dict[str, Any] = {"role": "receiver", "partner": "QM0"}


def channel(cause: str, when: float = 0, *, connection: int | None = None, **detail: Any) -> Row:
    """Return an event of the sender of TO.QM2, or of the receiver of TO.QM1 if `role` says so."""
    detail = {**SENDER, **detail}
    queue, name = ("XQ", "TO.QM2") if detail["role"] == "sender" else ("", "TO.QM1")
    text = json.dumps(detail)
    return event("CHANNEL", queue, when, cause=cause, target=name, connection=connection, detail=text)


def batch(when: float = 0, messages: int = 1, *, connection: int | None = None, **detail: Any) -> Row:
    counts = {"messages": messages, "bytes": 100 * messages, "fast": 0, "luwid": f"{when}", "sequence": messages}
    return channel("batch", when, connection=connection, **{**counts, **detail})


def received(when: float = 0, messages: int = 1, *, connection: int | None = None, **detail: Any) -> Row:
    return batch(when, messages, connection=connection, **{**RECEIVER, "waited_ms": 0, "longest_ms": 0, **detail})


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
    channel role partner message_id outcome times message
by message, and what became of the channel
    channel retry 1 message="AMQ9202E: host A is not available",
    channel retry 2 message="AMQ9202E: host B is not available",
    channel failed 3 message="AMQ9202E: host B is not available",
    channel failed 4 message="AMQ9526E: sequence numbers differ", channel stopped 5,
    channel ended 6 message="AMQ9545I: idle"
    => TO.QM2 sender QM2 AMQ9202E failed 1 "AMQ9202E: host B is not available"
    => TO.QM2 sender QM2 AMQ9202E retry 2 "AMQ9202E: host B is not available"
    => TO.QM2 sender QM2 AMQ9526E failed 1 "AMQ9526E: sequence numbers differ"
    => TO.QM2 sender QM2 - stopped 1 -
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


# The same tables by SQLite. A batch begins with the first message of its connection after the batch before.
SECOND_COMPUTATION = """
CREATE TEMP TABLE told AS
    SELECT e.*, target AS channel, (at - :start) / 3600000000 AS hour, detail ->> 'role' AS role,
        detail ->> 'partner' AS partner, CASE WHEN detail ->> 'role' = 'sender' THEN '' ELSE detail ->> 'partner' END
        AS end_partner, detail ->> 'messages' AS messages, detail ->> 'luwid' AS luwid
    FROM event e WHERE kind = 'CHANNEL'
"""
BY_SQLITE = {
    "channels": (
        CASES["channels"][0].replace(" throughput", ""),
        """
        WITH ends AS (SELECT connection, max(channel) AS channel, max(role) AS role, max(partner) AS partner,
                          max(end_partner) AS end_partner FROM told WHERE connection IS NOT NULL GROUP BY connection),
        all_of_it AS (
            SELECT kind, cause, channel, role, partner, end_partner, hour, detail, messages FROM told
            UNION ALL
            SELECT e.kind, NULL, channel, role, partner, end_partner, (at - :start) / 3600000000, NULL, NULL
            FROM event e LEFT JOIN ends USING (connection) WHERE e.cause = 'channel')
        SELECT channel, role, max(partner), hour, sum(cause IS 'batch'), sum(iif(cause = 'batch', messages, 0)),
            sum(iif(cause = 'batch', detail ->> 'bytes', 0)), sum(iif(cause = 'batch', detail ->> 'fast', 0)),
            round(1e-3 * sum(iif(cause = 'batch', detail ->> 'waited_ms', NULL)) /
                sum(iif(cause = 'batch' AND detail ->> 'waited_ms' IS NOT NULL, messages, NULL)), 6),
            max(iif(cause = 'batch', detail ->> 'longest_ms', NULL)) / 1e3,
            sum(cause IS 'retry'), sum(cause IS 'stopped'), sum(cause IS 'failed'), sum(kind = 'DEAD_LETTER'),
            sum(kind = 'DISCARD'), sum(kind = 'EXPIRE'), sum(cause IS 'in-doubt')
        FROM all_of_it GROUP BY channel, role, end_partner, hour ORDER BY channel, role, end_partner, hour
        """,
    ),
    "failures": (
        "channel role partner message_id outcome times",
        """
        SELECT channel, role, max(partner), substr(detail ->> 'message', 1, 8), cause, count(*) FROM told
        WHERE cause IN ('failed', 'retry', 'stopped') GROUP BY channel, role, end_partner, 4, cause
        ORDER BY channel, role, end_partner, 4, cause
        """,
    ),
    "in_doubt": (
        "channel partner luwid lasted decision",
        """
        SELECT d.channel, d.partner, d.luwid, max(coalesce(r.at, :now) - d.at, 0) / 1e6, r.detail ->> 'decision'
        FROM told d LEFT JOIN told r ON r.cause = 'resolved' AND r.luwid = d.luwid AND r.channel = d.channel
        WHERE d.cause = 'in-doubt' ORDER BY d.channel, d.at, d.luwid
        """,
    ),
}
THROUGHPUT = """
    SELECT channel, role, hour, round(1e6 * sum(messages) / sum(at - began), 6) FROM
    (SELECT t.*, (SELECT min(e.at) FROM event e WHERE e.kind IN ('GET', 'PUT') AND e.connection = t.connection
         AND e.seq < t.seq AND e.seq > coalesce((SELECT max(b.seq) FROM told b WHERE b.cause = 'batch' AND
         b.connection = t.connection AND b.seq < t.seq), 0)) AS began
     FROM told t WHERE cause = 'batch')
    WHERE began IS NOT NULL GROUP BY channel, role, end_partner, hour HAVING sum(at - began) > 0
    ORDER BY channel, role, end_partner, hour
"""


def generated(seed: int) -> list[Row]:
    """Generate events of a sender and of a receiver with two partners, in several runs."""
    chance = random.Random(seed)
    events: list[Row] = []
    ends = (SENDER, RECEIVER, {"role": "receiver", "partner": "QM9"})
    for step in range(400):
        number = chance.randrange(3)
        end, connection, when = ends[number], 10 * (step // 40) + number, step * 45
        luwid = f"{step:04X}"
        match chance.randrange(10):
            case 0:
                cause = chance.choice(("failed", "retry", "stopped"))
                message = f"AMQ9{chance.randrange(100, 104)}E: {chance.random()}"
                events.append(channel(cause, when, message=message, **end))
            case 1:
                events.append(undelivered(chance.choice(("DEAD_LETTER", "DISCARD", "EXPIRE")), when, connection))
            case 2 if end is SENDER:
                events.append(channel("in-doubt", when, luwid=luwid, **end))
                if chance.random() < 0.8:
                    decision = chance.choice(("commit", "backout"))
                    later = when + chance.randint(0, 500)
                    events.append(channel("resolved", later, luwid=luwid, decision=decision, **end))
            case _:
                messages = chance.randint(1, 50)
                kind = "GET" if end is SENDER else "PUT"
                events += [got(when + 0.1 * each, connection, kind) for each in range(chance.randrange(4))]
                arrived = {} if end is SENDER else {"waited_ms": chance.randrange(9000), "longest_ms": messages}
                fast = chance.randint(0, messages)
                told = {"fast": fast, "luwid": luwid, **end, **arrived}
                events.append(batch(when + 1, messages, connection=connection, **told))
    return events


def test_a_generated_history_computed_twice(spark: SparkSession) -> None:
    events = [{"seq": number, **row} for number, row in enumerate(generated(20_231_114), 1)]
    built = tables_of(spark, REPORT, {"event": events}, *BY_SQLITE)
    computed = by_sqlite({"event": events}, SECOND_COMPUTATION, {**BY_SQLITE, "throughput": ("", THROUGHPUT)})
    for table, (columns, _) in BY_SQLITE.items():
        assert shown(built[table], columns) == computed[table] != [], table
    with_speed = shown(built["channels"], "channel role hour throughput")
    assert [each for each in with_speed if each[3] is not None] == computed["throughput"]


def test_a_store_to_its_files(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with mqsc.open_store(f"sqlite:///{path}", environment=Environment.frozen(at=at(0))) as store:
        qmgr = store.create_queue_manager("QM1")
        counts = {"luwid": "A1", "sequence": 2, "messages": 2, "bytes": 20, "fast": 1}
        common = {"target": "TO.QM2", "queue": "XQ"}
        record(qmgr, "CHANNEL", "in-doubt", detail={**SENDER, "luwid": "A1", "sequence": 2}, **common)
        record(qmgr, "CHANNEL", "batch", detail={**SENDER, **counts}, connection=7, **common)
        record(qmgr, "CHANNEL", "resolved", detail={**SENDER, "luwid": "A1", "decision": "commit"}, **common)
        record(qmgr, "CHANNEL", "retry", detail={**SENDER, "message": "AMQ9202E: no answer"}, **common)
        bound = store.bound()
    in_forms(spark, "channels", path, bound, ("csv", "parquet", "html"), tmp_path)
    lines = lines_of(tmp_path / "csv", "channels")
    hour = f"{HOUR:%Y-%m-%dT%H:%M:%SZ}"
    assert lines["channels"] == [f"QM1,TO.QM2,sender,QM2,{hour},1,2,20,1,,,,1,0,0,0,0,0,1"]
    assert lines["failures"] == [f"QM1,TO.QM2,sender,QM2,AMQ9202E,retry,1,{hour},{hour},AMQ9202E: no answer"]
    assert lines["in_doubt"] == [f"QM1,TO.QM2,QM2,A1,2,{hour},{hour},0.000000,commit"]
    written_files = {each.name for each in (tmp_path / "parquet" / "channels").iterdir()}
    assert written_files == {f"{table}.parquet" for table in lines}
    page = (tmp_path / "html" / "channels.html").read_text("utf-8")
    assert all(f'id="channels.{table}"' in page for table in lines)
    assert "<svg" in page
