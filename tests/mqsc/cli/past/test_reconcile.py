"""`mqsc reconcile`: nothing is found in what the store writes, and everything that was damaged by
hand is.
"""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from mqsc import run
from mqsc.reports.certificate import archived_parts, certificate
from mqsc.store.client.store import Store, open_store
from mqsc.store.constants import MQGMO, MQOO, MQPMO
from mqsc.store.environment import Environment, FrozenClock
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.past.audit import AuditResult, audit
from mqsc.store.past.places import CAME, WENT
from mqsc.store.past.state_comparison import MessageThere
from mqsc.store.sql import search
from mqsc.store.sqlite.database import Reading
from tests.mqsc.conftest import Command
from tests.reports.history import at
from tests.reports.played import Play
from tests.scenarios.channel_bench import Network

START = "DEFINE QLOCAL(A)\nDEFINE QLOCAL(B)\nDEFINE QLOCAL(C)"
LATEST = "(SELECT max(seq) FROM event)"
OF = "seq = (SELECT min(seq) FROM event WHERE kind = '{}' AND queue = '{}')"
COLUMNS = "at, qmgr, kind, queue, msg_id, put_at, unit, application, user"


@pytest.mark.parametrize("seed", range(4))
def test_nothing_is_found_in_random_histories(seed: int) -> None:
    environment = Environment(FrozenClock(at(0)), "tester", "mqsc")
    play = Play(random.Random(seed), Network(open_store("sqlite://", environment), environment))
    for _ in range(150):
        play.step()
    store = play.store
    result = audit(store)
    assert not result.findings
    assert_every_queue_fits(result)
    assert_held_is_what_units_have_got(play.store, result)
    assert sum(1 for each in result.sums if not each.unknown) > 6
    middle = store.environment.clock.now() - 3_600_000_000
    for part in (audit(store, since=middle), audit(store, until=middle)):
        assert not part.findings
        assert_every_queue_fits(part)


def assert_every_queue_fits(result: AuditResult) -> None:
    for each in result.sums:
        came, went = (sum(each.sums[name] for name in names) for names in (CAME, WENT))
        assert each.unknown or came == went + each.there, each


def assert_held_is_what_units_have_got(store: Store, result: AuditResult) -> None:
    with Reading(store.database) as reading:
        there = [MessageThere._make(row) for row in search.messages_there(reading)]
    got = Counter((each.qmgr, each.queue) for each in there if each.is_got)
    for each in result.sums:
        assert each.unknown or each.sums["held"] == got[each.qmgr, each.queue], each


def test_gets_in_open_units_of_work_are_held(mqsc: Command, tmp_path: Path) -> None:
    environment = Environment(FrozenClock(at(0)), "tester", "mqsc")
    with open_store(f"sqlite:///{tmp_path}/store.db", environment) as store:
        qmgr = store.create_queue_manager("QM1")
        mqsc("run", "-c", "DEFINE QLOCAL(A)")
        mqsc("put", "A", "--count", "11", "tea")
        mqsc("get", "A", "--limit", "8")
        with qmgr.connect() as connection:
            handle = connection.open("A", MQOO.INPUT_SHARED)
            in_unit = GetMessageOptions(MQGMO.SYNCPOINT)
            handle.get(in_unit)
            handle.get(in_unit)
            assert _sums_of_a(audit(store)) == {"put": 11, "got": 8, "held": 2, "there": 1}
            ended = mqsc("reconcile", "A")
            assert ended.lines[:2] == [
                "QMGR  QUEUE  PUT  GOT  HELD  THERE  VERDICT",
                "QM1   A       11    8     2      1  fits",
            ]
            row = mqsc("reconcile", "A", "--format", "jsonl").rows[0]
            assert (row["got"], row["held"], row["there"], row["fits"]) == (8, 2, 1, True)
            connection.commit()
        assert _sums_of_a(audit(store)) == {"put": 11, "got": 10, "held": 0, "there": 1}
    # The column is shown only where it says something.
    assert "HELD" not in mqsc("reconcile", "A").out
    assert mqsc("reconcile", "A", "--format", "jsonl").rows[0]["held"] == 0


def test_what_was_held_before_a_time_is_not_got_after_it() -> None:
    clock = FrozenClock(at(0))
    with open_store("sqlite://", Environment(clock, "tester", "mqsc")) as store:
        qmgr = store.create_queue_manager("QM1")
        run(qmgr, "DEFINE QLOCAL(A)")
        with qmgr.connect() as connection:
            handle = connection.open("A", MQOO.INPUT_SHARED | MQOO.OUTPUT)
            for _ in range(4):
                handle.put(Message(b"tea"), PutMessageOptions(MQPMO.NO_SYNCPOINT))
            handle.get(GetMessageOptions(MQGMO.SYNCPOINT))
            clock.advance(60)
            handle.get(GetMessageOptions(MQGMO.SYNCPOINT))
            since, until = audit(store, since=at(30)), audit(store, until=at(30))
    assert _sums_of_a(until) == {"put": 4, "got": 0, "held": 1, "there": 3}
    assert _sums_of_a(since) == {"before": 3, "put": 0, "got": 0, "held": 1, "there": 2}


def _sums_of_a(result: AuditResult) -> dict[str, int]:
    """PUT, GOT, HELD and THERE of the queue A, and its other sums that are not 0."""
    (sums,) = (each for each in result.sums if each.queue == "A")
    assert not result.findings
    shown = {name: n for name, n in sums.sums.items() if n or name in ("put", "got", "held")}
    return {**shown, "there": sums.there}


@pytest.fixture(scope="module")
def kept_shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the first test that needs the shop keeps a copy of its store for the others."""
    return tmp_path_factory.mktemp("shop") / "store.db"


@pytest.fixture
def shop(mqsc: Command, tmp_path: Path, kept_shop: Path) -> Command:
    """`mqsc` on a store with events of most kinds."""
    store = tmp_path / "store.db"
    if kept_shop.exists():
        shutil.copyfile(kept_shop, store)
        return mqsc
    mqsc("run", "-c", START)
    mqsc("put", "A", "one", "two", "three", "four")
    mqsc("get", "A")
    mqsc("put", "B", "five", "six")
    mqsc("put", "B", "seven", "--msg-id", "77")
    mqsc("get", "B", "--msg-id", "77")
    mqsc("put", "C", "eight", "nine")
    mqsc("run", "-c", "CLEAR QLOCAL(C)")
    mqsc("put", "C", "ten")
    assert not store.with_name("store.db-wal").exists()
    shutil.copyfile(store, kept_shop)
    return mqsc


def _event(kind: str, queue: str) -> str:
    return OF.format(kind, queue)


# What is done to the store, and a part of what is found.
DAMAGES = {
    "a put removed": (f"DELETE FROM event WHERE {_event('PUT', 'A')}", "is missing"),
    "a put removed, numbers closed": (
        f"DELETE FROM event WHERE {_event('PUT', 'A')}; CLOSE",
        "got, but not on the queue then: it was never put there",
    ),
    "a put of a message there removed": (
        "DELETE FROM event WHERE seq = (SELECT max(seq) FROM event WHERE kind = 'PUT' AND queue = "
        "'A'); CLOSE",
        "is there, but no event put it there",
    ),
    "a get removed, numbers closed": (
        f"DELETE FROM event WHERE {_event('GET', 'A')}; CLOSE",
        "should be there, but is not",
    ),
    "a commit removed, numbers closed": (
        "DELETE FROM event WHERE seq = (SELECT max(seq) FROM event WHERE kind = 'COMMIT'); CLOSE",
        "is open in the history, but not in the store",
    ),
    "the last event removed": (f"DELETE FROM event WHERE seq = {LATEST}", "is missing"),
    "many events removed": (
        "DELETE FROM event WHERE seq BETWEEN 50 AND 60",
        "events 50 to 60 are missing",
    ),
    "a get became a put": (
        f"UPDATE event SET kind = 'PUT' WHERE {_event('GET', 'A')}",
        "should be there 2 times",
    ),
    "a put became a get": (
        f"UPDATE event SET kind = 'GET' WHERE {_event('PUT', 'B')}",
        "it was never put there",
    ),
    "a get became an expiry": (
        f"UPDATE event SET kind = 'EXPIRE' WHERE {_event('GET', 'A')}",
        "had no expiry",
    ),
    "a kind that does not exist": (
        f"UPDATE event SET kind = 'EAT' WHERE {_event('GET', 'A')}",
        "is no kind of event",
    ),
    "a cause that does not exist": (
        f"UPDATE event SET cause = 'fun' WHERE {_event('GET', 'A')}",
        "has no cause fun",
    ),
    "a put doubled": (
        f"INSERT INTO event ({COLUMNS}) SELECT {COLUMNS} FROM event WHERE {_event('PUT', 'B')}",
        "should be there, but is not",
    ),
    "a get doubled": (
        f"INSERT INTO event ({COLUMNS}) SELECT {COLUMNS} FROM event WHERE {_event('GET', 'B')}",
        "had ended it already",
    ),
    "a commit doubled": (
        "INSERT INTO event (at, qmgr, kind, unit) SELECT at, qmgr, kind, unit FROM event "
        "WHERE seq = (SELECT min(seq) FROM event WHERE kind = 'COMMIT')",
        "ends, but has ended before",
    ),
    "a message put in no unit of work": (
        "UPDATE message SET state = 1 WHERE id = (SELECT min(id) FROM message)",
        "is put and not committed, but belongs to no unit of work",
    ),
    "a message got in no unit of work": (
        "UPDATE message SET state = 2 WHERE id = (SELECT min(id) FROM message)",
        "is got and not committed, but belongs to no unit of work",
    ),
    "a state that does not exist": (
        "UPDATE message SET state = 7 WHERE id = (SELECT min(id) FROM message)",
        "has the state 7, which does not exist",
    ),
    "a message of a unit of work that neither put nor got it": (
        "UPDATE message SET unit = 77 WHERE id = (SELECT min(id) FROM message)",
        "belongs to unit of work 77, which has neither put nor got it",
    ),
    "a get before its put": (
        f"UPDATE event SET seq = -1 WHERE {_event('GET', 'A')}; CLOSE",
        "its PUT is later",
    ),
    "a message removed": (
        "DELETE FROM message WHERE id = (SELECT min(id) FROM message)",
        "should be there, but is not",
    ),
    "a message added": ("COPY", "is there 2 times instead of 1"),
    "a message locked by no handle": (
        "UPDATE message SET locked_by = 4711 WHERE id = (SELECT min(id) FROM message)",
        "is locked by a handle that does not exist, so no get or browse finds it",
    ),
    "a message moved": (
        "UPDATE message SET queue = (SELECT id FROM queue WHERE name = 'B') WHERE id = (SELECT "
        "min(id) FROM message)",
        "is there, but no event put it there",
    ),
    "the MsgId of a message": (
        "UPDATE message SET msg_id = zeroblob(24) WHERE id = (SELECT min(id) FROM message)",
        "MsgId 000000000000000000000000000000000000000000000000 is there",
    ),
    "the MsgId of an event": (
        f"UPDATE event SET msg_id = zeroblob(24) WHERE {_event('GET', 'A')}",
        "never put there",
    ),
    "the queue of an event": (
        f"UPDATE event SET queue = 'B' WHERE {_event('PUT', 'A')}",
        "should be there",
    ),
    "the queue manager of an event": (
        f"UPDATE event SET qmgr = 'QX' WHERE {_event('PUT', 'A')}",
        "should be there",
    ),
    "a depth": (
        "UPDATE queue SET depth = 9 WHERE name = 'A'",
        "CURDEPTH is 9, but 3 messages are on the queue",
    ),
    "a message that was put in no unit": (
        "UPDATE message SET state = 2, unit = 77 WHERE id = (SELECT min(id) FROM message)",
        "unit of work 77",
    ),
    "a CLEAR of too many": (
        """UPDATE event SET detail = '{"messages": 5}' WHERE kind = 'CLEAR'""",
        "CLEAR of 5 messages, but the queue had 2",
    ),
    "a CLEAR of too few": (
        """UPDATE event SET detail = '{"messages": 1}' WHERE kind = 'CLEAR'""",
        "2 messages should be there, but 1 are",
    ),
    "details that are not JSON": (
        "UPDATE event SET detail = 'x' WHERE kind = 'CLEAR'",
        "are not a JSON object",
    ),
    "a queue deleted": (
        "INSERT INTO event (at, qmgr, kind, queue, target) SELECT at, qmgr, 'DELETE', 'A', "
        "'QLOCAL' FROM event "
        "WHERE seq = 1",
        "deleted, but 3 messages were on it",
    ),
}

# The numbers of the events become gapless again.
CLOSE = (
    "UPDATE event SET seq = -1000000 + (SELECT count(*) FROM event AS other WHERE other.seq <= "
    "event.seq);"
    "UPDATE event SET seq = seq + 1000000;"
    "UPDATE sqlite_sequence SET seq = (SELECT max(seq) FROM event) WHERE name = 'event'"
)


@pytest.mark.parametrize("name", DAMAGES)
def test_damage_is_found(shop: Command, tmp_path: Path, name: str) -> None:
    ended = shop("reconcile")
    assert (ended.code, ended.lines[-1].split(": ")[1]) == (0, "nothing is missing or too much")
    statements, found = DAMAGES[name]
    damage(tmp_path / "store.db", statements)
    ended = shop("reconcile")
    assert ended.code == 10
    assert found in ended.out
    assert (
        any(found in row.get("what", "") for row in shop("reconcile", "--format", "jsonl").rows)
        or "MsgId" in found
    )


def damage(path: Path, statements: str) -> None:
    with closing(sqlite3.connect(path)) as store:
        for text in statements.replace("CLOSE", CLOSE).split(";"):
            if text.strip() == "COPY":
                names = ", ".join(
                    row[1] for row in store.execute("PRAGMA table_info(message)") if row[1] != "id"
                )
                text = f"INSERT INTO message ({names}) SELECT {names} FROM message LIMIT 1"
            store.execute(text)
        store.commit()


# Values that no column of an event or message should have; most columns of numbers take any text,
# those of text data.
WRONG = ("x'FF00'", "'text'", "1.5", "NULL")
COLUMNS_OF_EVENTS = "kind qmgr queue msg_id unit put_at cause target rule detail expires_at".split()


@pytest.mark.parametrize("value", WRONG)
def test_wrong_types_are_no_failure(shop: Command, tmp_path: Path, value: str) -> None:
    for kind in ("PUT", "GET", "COMMIT", "CLEAR", "DEFINE"):
        sets = ", ".join(
            f"{column} = CASE seq % 11 WHEN {n} THEN {value} ELSE {column} END"
            for n, column in enumerate(COLUMNS_OF_EVENTS)
        )
        damage(tmp_path / "store.db", f"UPDATE event SET {sets} WHERE kind = '{kind}'")
    damage(
        tmp_path / "store.db",
        f"UPDATE message SET unit = {value} WHERE id = (SELECT max(id) FROM message)",
    )
    if value != "NULL":
        damage(
            tmp_path / "store.db",
            f"UPDATE message SET msg_id = {value} WHERE id = (SELECT min(id) FROM message)",
        )
    ended = shop("reconcile")
    assert (ended.code, "Traceback" in ended.err) == (10, False), ended.err
    assert shop("reconcile", "--format", "json").code == 10


@pytest.mark.parametrize(
    "detail",
    ["[1]", '{"messages": "x"}', '{"messages": -5, "got": []}', '{"messages": null}'],
)
def test_wrong_details_are_findings(shop: Command, tmp_path: Path, detail: str) -> None:
    damage(tmp_path / "store.db", f"UPDATE event SET detail = '{detail}' WHERE kind = 'CLEAR'")
    assert shop("reconcile").code == 10


def test_options_of_archives(shop: Command, tmp_path: Path) -> None:
    wrong = (
        (20, "QUEUE and --verify exclude", "A", "--verify", "c.json", "--archive", "x"),
        (20, "--since and --archive exclude", "--since", "1h", "--archive", "x"),
        (20, "--out is for --archive", "--out", "x"),
        (20, "--key signs what --out writes", "--key", "x"),
        (20, "there is no archive at", "--archive", "x"),
    )
    for code, text, *words in wrong:
        ended = shop("reconcile", *words)
        assert text in ended.err, words
        assert ended.code == code
    ended = shop("reconcile", "--verify", str(tmp_path / "c.json"), "--archive", "x")
    assert (ended.code, "there is no certificate" in ended.err) == (10, True)


def test_verify_takes_the_folder_that_out_wrote(shop: Command, tmp_path: Path) -> None:
    archive, certified = tmp_path / "archive", tmp_path / "certified"
    shop("archive", "--to", str(archive))
    ended = shop("reconcile", "--verify", str(tmp_path), "--archive", str(archive))
    assert (ended.code, "there is no certificate.json in the folder" in ended.err) == (10, True)
    parts, _ = archived_parts(str(archive))
    certified.mkdir()
    text = certificate(parts, [], [], "2026-01-01T00:00:00Z", "1")
    (certified / "certificate.json").write_text(text, "utf-8")
    for given in (certified, certified / "certificate.json"):
        ended = shop("reconcile", "--verify", str(given), "--archive", str(archive))
        assert (ended.code, "are as reconciled" in ended.out) == (0, True), ended.err


def test_queues_whose_puts_are_not_recorded_cannot_be_known(shop: Command) -> None:
    shop("run", "-c", "DEFINE QLOCAL(Q.OFF) ACCTQ(OFF)", "-c", "DEFINE QMODEL(M.OFF) ACCTQ(OFF)")
    shop("put", "Q.OFF", "x")
    (row,) = shop("reconcile", "Q.*", "--format", "json").rows
    assert (row["fits"], row["verdict"], row["there"]) == (None, "cannot be known: ACCTQ(OFF)", 1)
    # Also when they are recorded again.
    shop("run", "-c", "ALTER QLOCAL(Q.OFF) ACCTQ(ON)")
    ended = shop("get", "Q.OFF")
    assert (ended.code, shop("reconcile").code) == (0, 0)
    assert "cannot be known" in shop("reconcile", "Q.OFF").out


def test_what_is_pruned_cannot_be_known(shop: Command, tmp_path: Path) -> None:
    shop("archive", "--to", str(tmp_path / "archive"))
    shop("run", "-c", "DEFINE QLOCAL(NEW)")
    shop("put", "NEW", "x")
    ended = shop("reconcile")
    assert ended.code == 0
    verdicts = {row["queue"]: row["fits"] for row in shop("reconcile", "--format", "json").rows}
    assert (verdicts["NEW"], verdicts["A"]) == (True, None)
    damage(tmp_path / "store.db", "DELETE FROM message WHERE id = (SELECT max(id) FROM message)")
    assert "should be there, but is not" in shop("reconcile", "NEW").out


def test_a_move_of_a_whole_queue_keeps_the_names(shop: Command, tmp_path: Path) -> None:
    shop("run", "-c", "MOVE QLOCAL(A) TOQLOCAL(B) TYPE(ADD)")
    of_b = "(SELECT min(id) FROM message WHERE queue = (SELECT id FROM queue WHERE name = 'B'))"
    damage(tmp_path / "store.db", f"DELETE FROM message WHERE id = {of_b}")
    assert "should be there, but is not" in shop("reconcile", "B").out


def test_options(shop: Command) -> None:
    assert [row["queue"] for row in shop("reconcile", "a", "--format", "json").rows] == ["A"]
    assert shop("reconcile", "NOPE").code == 10
    assert shop("reconcile", "--since", "1h", "--until", "2h").code == 20
    (row,) = shop("reconcile", "A", "--since", "2999-01-01", "--format", "json").rows
    assert (row["before"], row["put"], row["there"]) == (3, 0, 3)


def test_a_commit_too_many_is_found_beside_a_queue_that_is_not_recorded(
    shop: Command,
    tmp_path: Path,
) -> None:
    shop("run", "-c", "DEFINE QLOCAL(SILENT) ACCTQ(OFF)")
    damage(tmp_path / "store.db", DAMAGES["a commit doubled"][0])
    assert "ends, but has ended before" in shop("reconcile").out


def test_an_end_too_many_is_found_whatever_is_not_recorded(shop: Command, tmp_path: Path) -> None:
    """Also beside puts that are not recorded, for a queue that is deleted, and after the history
    was pruned.
    """
    shop(
        "run",
        "-c",
        "DEFINE QLOCAL(COPY) ACCTQ(OFF)",
        "-c",
        "DEFINE QLOCAL(SILENT) ACCTQ(OFF) STREAMQ(COPY)",
    )
    shop("archive", "--to", str(tmp_path / "archive"))
    shop("run", "-c", "DEFINE QLOCAL(GONE)")
    with (
        open_store(f"sqlite:///{tmp_path / 'store.db'}") as store,
        store.queue_manager().connect("app") as connection,
    ):
        for end in (connection.commit, connection.back):
            for queue in ("GONE", "SILENT"):
                connection.put1(queue, Message(b"x"), PutMessageOptions(int(MQPMO.SYNCPOINT)))
            end()
    shop("run", "-c", "DELETE QLOCAL(GONE) PURGE")
    assert shop("reconcile").code == 0
    for kind in ("COMMIT", "BACKOUT"):
        damage(
            tmp_path / "store.db",
            "INSERT INTO event (at, qmgr, kind, cause, unit, detail) SELECT at, qmgr, kind, cause, "
            "unit, detail "
            f"FROM event WHERE seq = (SELECT max(seq) FROM event WHERE kind = '{kind}')",
        )
    assert shop("reconcile").out.count("ends, but has ended before") == 2


def test_a_commit_of_puts_that_are_not_recorded_is_no_finding(
    shop: Command,
    tmp_path: Path,
) -> None:
    shop(
        "run",
        "-c",
        "DEFINE QLOCAL(COPY) ACCTQ(OFF)",
        "-c",
        "DEFINE QLOCAL(SILENT) ACCTQ(OFF) STREAMQ(COPY)",
    )
    with (
        open_store(f"sqlite:///{tmp_path / 'store.db'}") as store,
        store.queue_manager().connect("app") as connection,
    ):
        connection.put1("SILENT", Message(b"x"), PutMessageOptions(int(MQPMO.SYNCPOINT)))
        connection.commit()
    ended = shop("reconcile")
    assert (ended.code, "cannot be known: ACCTQ(OFF)" in ended.out) == (0, True)
