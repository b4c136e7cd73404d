"""The store as it was: the state made from the history equals a copy that was taken then."""

from __future__ import annotations

import json
import os
import random
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace as with_values
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pytest

from mqsc import run
from mqsc.store.admin import user_accounts
from mqsc.store.admin.backup import back_up
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store, open_store
from mqsc.store.constants import MQCO, MQGMO, MQOO, MQPMO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.environment import Environment
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.past.as_of import NoSuchMomentError, copy_as_of, moment_at, moment_of_event
from mqsc.store.past.event_ranges import UnknownMessagesError
from mqsc.store.sql import maintenance
from mqsc.store.sql.rows import ArchiveRow, QueueColumns
from mqsc.store.sqlite.database import Reading, Transaction
from tests.reports.history import at
from tests.reports.played import Play
from tests.scenarios.channel_bench import Network
from tests.store.past.lived import Lives, TickingClock
from tests.store.past.sharing import Sharing

DEFINITIONS = """SELECT owner, namespace, name, type, attributes, disposition, created_at, altered_at FROM object
ORDER BY owner, namespace, name"""
# What the history does not know: numbers and versions, statistics, and what follows from the times
# of calls.
UNKNOWN = {
    *(
        "id",
        "version",
        "generation",
        "next_sequence",
        "creator",
        "earliest_expiry",
        "puts",
    ),
    *("gets", "high_depth", "statistics_reset_at", "short_queue_time", "long_queue_time"),
    *("high_event", "low_event", "full_event"),
}
QUEUES = f"""SELECT {", ".join(each for each in QueueColumns.__struct_fields__ if each not in UNKNOWN)}
FROM queue WHERE recorded = 1 ORDER BY owner, name"""
# Whether a message is kept at backout matters as long as it is not committed.
MESSAGES = """SELECT owner, name, msg_id, correl_id, state, unit, put_at, expires_at, message.length, message.priority,
persistence, rank, backout_count, put_appl_name, user_identifier, CASE state WHEN 1 THEN kept_at_backout END
FROM message JOIN queue ON queue.id = queue
WHERE recorded = 1 ORDER BY owner, name, rank DESC, sequence"""
HANDLES = """SELECT owner, name, qmgr, input_handles, exclusive_handles, output_handles
FROM queue_member JOIN queue ON queue.id = queue WHERE input_handles + output_handles > 0 ORDER BY owner, name, qmgr"""
MANAGERS = (
    "SELECT name, state, sharing_group, dead_letter_queue, started_at FROM queue_manager ORDER BY "
    "name"
)
EVENTS = "SELECT * FROM event ORDER BY seq"
# With MQSC_AS_OF_STEPS=10000 there are ten long histories, and all moments are compared.
MANY = int(os.environ.get("MQSC_AS_OF_STEPS", "0")) // 1000
STEPS = 1000 if MANY else 100


def state(where: Path | Store) -> list[Any]:
    """What is compared, table by table, without data of messages: definitions, queues, messages and
    handles, queue managers, and a hash of the events.
    """
    if isinstance(where, Path):
        with closing(sqlite3.connect(where)) as connection:
            return _tables(connection.execute)
    with Reading(where.database) as reading:
        return _tables(reading.connection.execute)


def _tables(execute: Callable[[str], Any]) -> list[Any]:
    made, *others = (
        execute(each).fetchall() for each in (DEFINITIONS, QUEUES, MESSAGES, HANDLES, MANAGERS)
    )
    events = blake2b("".join(map(repr, execute(EVENTS))).encode()).hexdigest()
    return [[(*each[:4], json.loads(each[4]), *each[5:]) for each in made], *others, events]


def _played(store: Store, play: Play | Sharing, steps: int) -> dict[int, list[Any]]:
    """Steps of a random history, and the state after every tenth event, by the number of that
    event.
    """
    taken: dict[int, list[Any]] = {}
    for _ in range(steps):
        play.step()
        if (seq := store.bound().seq) >= max(taken, default=0) + 10:
            taken[seq] = state(store)
    return taken


def _lives(chance: random.Random, store: Store) -> Lives:
    return Lives(chance, Network(store, store.environment))


@pytest.mark.parametrize("players", [_lives, Sharing])
@pytest.mark.parametrize("seed", range(MANY or 2))
def test_random_histories(
    seed: int,
    players: Callable[[random.Random, Store], Play | Sharing],
    tmp_path: Path,
) -> None:
    environment = Environment(TickingClock(at(0)), "tester", "mqsc")
    with open_store(f"sqlite:///{tmp_path / 'store.db'}", environment) as store:
        taken = _played(store, players(random.Random(seed), store), STEPS)
        for number, (seq, then) in enumerate(taken.items()):
            if MANY or number % 4 == 0:
                # Otherwise it would follow early events forwards.
                with copy_as_of(store, moment_of_event(store, seq), forwards=False) as past:
                    assert "DLQ of QM2" in past.unknown or state(past.file) == then, (seed, seq)


@pytest.mark.parametrize("seed", [0, 2])
def test_forwards_and_backwards_lead_to_one_state(seed: int, tmp_path: Path) -> None:
    environment = Environment(TickingClock(at(0)), "tester", "mqsc")
    with open_store(f"sqlite:///{tmp_path / 'store.db'}", environment) as store:
        play = Play(random.Random(seed), Network(store, environment))
        for _ in range(40):
            play.step()
        last = store.bound().seq
        for seq in range(last // 2, last, last // 6):
            found = []
            for forwards in (False, True):
                with copy_as_of(store, moment_of_event(store, seq), forwards=forwards) as past:
                    found.append(state(past.file))
            assert found[0] == found[1], (seed, seq)


CHANGES = """DEFINE QLOCAL(A) DESCR('first')
DEFINE QMODEL(M) DEFTYPE(PERMDYN)
DEFINE CHANNEL(C) CHLTYPE(SDR) CONNAME('h') XMITQ(X)
SET CHLAUTH('C*') TYPE(BLOCKUSER) USERLIST('a')
SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) GROUP('g') AUTHADD(GET)
ALTER QLOCAL(A) MAXDEPTH(7) TRIGGER TRIGTYPE(EVERY)
ALTER CHANNEL(C) CHLTYPE(SDR) BATCHSZ(9)
ALTER QMGR DEADQ(A) DESCR('changed')
SET CHLAUTH('C*') TYPE(BLOCKUSER) USERLIST('b')
SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) GROUP('g') AUTHADD(PUT)
DEFINE QALIAS(B) TARGET(A)
DELETE QLOCAL(A)
DELETE QALIAS(B)
DEFINE QREMOTE(A) RNAME(Z)
SET CHLAUTH('C*') TYPE(BLOCKUSER) USERLIST('a') ACTION(REMOVE)
DELETE CHANNEL(C)"""


def test_definitions(qmgr: QueueManager, tmp_path: Path) -> None:
    taken = {}
    for number, command in enumerate(CHANGES.splitlines()):
        assert [each.completion for each in run(qmgr, command)] == [0], command
        copy = tmp_path / f"{number}.db"
        back_up(qmgr.store, copy)
        taken[qmgr.store.bound().seq] = copy
    for seq, copy in taken.items():
        with copy_as_of(qmgr.store, moment_of_event(qmgr.store, seq)) as past:
            assert state(past.file)[0] == state(copy)[0], seq
        assert not past.file.exists()


def test_moments_that_the_history_does_not_have(qmgr: QueueManager) -> None:
    last = qmgr.store.bound().seq
    for number in (0, last + 1):
        with pytest.raises(NoSuchMomentError, match=f"events 1 to {last}"):
            moment_of_event(qmgr.store, number)
    for time, why in ((1, "begins after"), (qmgr.now() + 1, "yet to come")):
        with pytest.raises(NoSuchMomentError, match=why):
            moment_at(qmgr, time)
    # The clock of another queue manager says nothing.
    qmgr.store.create_queue_manager("QM2", manual_clock_at=1)
    assert moment_at(qmgr, qmgr.now()).seq == last


def test_a_dynamic_queue_that_is_gone_is_as_its_model(qmgr: QueueManager, tmp_path: Path) -> None:
    run(qmgr, "DEFINE QMODEL(M) DEFTYPE(TEMPDYN) MAXDEPTH(7) DESCR('mine')")
    with qmgr.connect("app") as connection:
        queue = connection.open("M", int(MQOO.INPUT_EXCLUSIVE | MQOO.OUTPUT), dynamic_name="DYN")
        queue.put(Message(b"x"))
        copy = tmp_path / "copy.db"
        back_up(qmgr.store, copy)
        seq = qmgr.store.bound().seq
    run(qmgr, "DEFINE QLOCAL(LATER)")
    with qmgr.connect("app") as connection:
        connection.put1("LATER", Message(b"x"))
    with copy_as_of(qmgr.store, moment_of_event(qmgr.store, seq)) as past:
        assert state(past.file) == state(copy)


def _prune(qmgr: QueueManager, last: int) -> None:
    with Transaction(qmgr.store.database, durable=False) as tx:
        maintenance.write_archiving(
            tx,
            ArchiveRow(1, "some", "COMMITTED", "file:///archive", 1, last, "", last),
        )
        maintenance.remove_events(
            tx,
            [each[0] for each in maintenance.old_events(tx, 0, last, last) if not each[-1]],
        )


def test_a_pruned_history_is_enough_where_later_events_say_all(qmgr: QueueManager) -> None:
    run(qmgr, "DEFINE QLOCAL(Q)\nDEFINE QLOCAL(CLEARED)\nDEFINE QLOCAL(R)")
    with qmgr.connect("app") as connection:
        for name in ("Q", "Q", "CLEARED", "R"):
            connection.put1(name, Message(b"old"))
        pruned = qmgr.store.bound().seq
        connection.put1("Q", Message(b"new"))
        then, moment = state(qmgr.store), qmgr.store.bound().seq
        run(qmgr, "ALTER QLOCAL(Q) MAXDEPTH(7)")
    _prune(qmgr, pruned)
    with copy_as_of(qmgr.store, moment_of_event(qmgr.store, moment)) as past:
        assert state(past.file)[:-1] == then[:-1]
    with (
        pytest.raises(NoSuchMomentError, match=f"up to {pruned} were archived"),
        copy_as_of(qmgr.store, moment_of_event(qmgr.store, pruned - 1)),
    ):
        pass
    run(qmgr, "CLEAR QLOCAL(CLEARED)")
    with (
        pytest.raises(UnknownMessagesError, match="what was on CLEARED is not known"),
        copy_as_of(qmgr.store, moment_of_event(qmgr.store, moment)),
    ):
        pass


def test_a_copy_that_a_killed_program_left_is_removed(
    qmgr: QueueManager,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    left, old, new, foreign = (
        tmp_path / f"mqsc-{name}" for name in ("past-left", "new-old", "new-new", "past-link")
    )
    for folder in (left, old, new):
        folder.mkdir()
    (left / "past.db").touch()
    # A folder gets its name when it is locked; a program was killed before that if it has not got
    # it for an hour.
    os.utime(old, (0, 0))
    foreign.symlink_to(tmp_path)
    moment = moment_of_event(qmgr.store, qmgr.store.bound().seq)
    with copy_as_of(qmgr.store, moment) as first, copy_as_of(qmgr.store, moment) as second:
        assert [each.exists() for each in (first.file, second.file, left, old)] == [
            True,
            True,
            False,
            False,
        ]
    assert {*tmp_path.glob("mqsc-*")} == {new, foreign}


@pytest.mark.parametrize("forwards", [False, True])
@pytest.mark.parametrize("marked", [0, 1])
def test_the_marked_one_of_two_messages_with_one_msg_id(
    marked: int,
    forwards: bool,
    qmgr: QueueManager,
    tmp_path: Path,
) -> None:
    qmgr.store.environment = with_values(qmgr.store.environment, clock=TickingClock(at(0)))
    run(qmgr, "DEFINE QLOCAL(Q)", check=True)
    with qmgr.connect("worker") as worker:
        queue = worker.open("Q", int(MQOO.INPUT_SHARED))
        for _ in range(2):
            worker.put1("Q", Message(b"x", MessageDescriptor(msg_id=b"\7" * 24)))
        for number in range(2):
            asked = MQGMO.SYNCPOINT | (MQGMO.MARK_SKIP_BACKOUT if number == marked else 0)
            queue.get(GetMessageOptions(int(asked)))
        worker.back()
        copy, seq = tmp_path / "copy.db", qmgr.store.bound().seq
        back_up(qmgr.store, copy)
        worker.commit()
        run(qmgr, "DEFINE QLOCAL(LATER)", check=True)
    with copy_as_of(qmgr.store, moment_of_event(qmgr.store, seq), forwards=forwards) as past:
        assert state(past.file)[2] == state(copy)[2]


@pytest.mark.parametrize("forwards", [False, True])
@pytest.mark.parametrize("end", ["commit", "back", ""])
def test_a_message_before_it_skips_a_backout(end: str, forwards: bool, qmgr: QueueManager) -> None:
    qmgr.store.environment = with_values(qmgr.store.environment, clock=TickingClock(at(0)))
    run(qmgr, "DEFINE QLOCAL(Q)", check=True)
    with qmgr.connect("worker") as worker:
        queue = worker.open("Q", int(MQOO.INPUT_SHARED))
        for number in range(2):
            worker.put1("Q", Message(b"x", MessageDescriptor(msg_id=bytes([number]) * 24)))
            queue.get(GetMessageOptions(int(MQGMO.SYNCPOINT | (MQGMO.MARK_SKIP_BACKOUT * number))))
        then, seq = state(qmgr.store), qmgr.store.bound().seq
        worker.back()
        if end:
            getattr(worker, end)()
        with copy_as_of(qmgr.store, moment_of_event(qmgr.store, seq), forwards=forwards) as past:
            assert state(past.file) == then


@pytest.mark.parametrize("forwards", [False, True])
def test_two_messages_with_one_msg_id_skip_a_backout_each(
    forwards: bool,
    qmgr: QueueManager,
) -> None:
    qmgr.store.environment = with_values(qmgr.store.environment, clock=TickingClock(at(0)))
    run(qmgr, "DEFINE QLOCAL(Q)", check=True)
    taken = {}
    with qmgr.connect("worker") as worker:
        queue = worker.open("Q", int(MQOO.INPUT_SHARED))
        for _ in range(2):
            worker.put1("Q", Message(b"x", MessageDescriptor(msg_id=b"\7" * 24)))
        taken[qmgr.store.bound().seq] = state(qmgr.store)
        for _ in range(2):
            queue.get(GetMessageOptions(int(MQGMO.SYNCPOINT | MQGMO.MARK_SKIP_BACKOUT)))
            taken[qmgr.store.bound().seq] = state(qmgr.store)
            # The first message leaves the unit of work in which the second one is got.
            worker.back()
            taken[qmgr.store.bound().seq] = state(qmgr.store)
        worker.commit()
        for seq, then in taken.items():
            with copy_as_of(
                qmgr.store,
                moment_of_event(qmgr.store, seq),
                forwards=forwards,
            ) as past:
                assert state(past.file) == then, seq


@pytest.mark.parametrize("model", ["TEMPORARY", "PERMANENT"])
def test_a_dynamic_queue_that_is_deleted_while_others_have_it_open(
    model: str,
    qmgr: QueueManager,
) -> None:
    """On a copy it is marked as deleted from the close that deletes it, and not earlier."""
    run(
        qmgr,
        "DEFINE QMODEL(TEMPORARY) DEFTYPE(TEMPDYN)\nDEFINE QMODEL(PERMANENT) DEFTYPE(PERMDYN)",
        check=True,
    )
    taken = {}

    def take() -> None:
        taken[qmgr.store.bound().seq] = state(qmgr.store)

    with qmgr.connect("shop") as shop, qmgr.connect("other") as other:
        queue = shop.open(model, int(MQOO.INPUT_SHARED), dynamic_name="DYN")
        also_open = [other.open("DYN", int(MQOO.OUTPUT)) for _ in range(2)]
        take()
        queue.close(int(MQCO.DELETE))
        take()
        assert_as_taken(qmgr, taken)
        also_open[0].close()
        take()
        also_open[1].close()
        take()
    assert_as_taken(qmgr, taken)


def assert_as_taken(qmgr: QueueManager, taken: dict[int, list[Any]]) -> None:
    for seq, then in taken.items():
        with copy_as_of(qmgr.store, moment_of_event(qmgr.store, seq)) as past:
            assert state(past.file) == then, seq


@pytest.mark.parametrize("forwards", [False, True])
def test_messages_that_a_move_brings_from_a_queue_without_a_history(
    forwards: bool,
    qmgr: QueueManager,
) -> None:
    """Where the later events do not say which they were, the queue is not known."""
    run(qmgr, "DEFINE QLOCAL(SILENT) ACCTQ(OFF)\nDEFINE QLOCAL(Q)", check=True)
    with qmgr.connect("app") as connection:
        connection.put1("SILENT", Message(b"x"))
        run(qmgr, "MOVE QLOCAL(SILENT) TOQLOCAL(Q)", check=True)
        seq = qmgr.store.bound().seq
        connection.open("Q", int(MQOO.INPUT_SHARED)).get()
    with copy_as_of(qmgr.store, moment_of_event(qmgr.store, seq), forwards=forwards) as past:
        assert past.unknown == ["Q of QM1", "SILENT of QM1"]


TRIGGERING = """DEFINE QLOCAL(INIT)
DEFINE PROCESS(P)
DEFINE QLOCAL(Q) TRIGGER TRIGTYPE(FIRST) INITQ(INIT) PROCESS(P)"""


@pytest.mark.parametrize("forwards", [False, True])
def test_a_trigger_message_that_stays_when_its_unit_is_backed_out(
    forwards: bool,
    qmgr: QueueManager,
) -> None:
    run(qmgr, TRIGGERING, check=True)
    with qmgr.connect("monitor") as monitor, qmgr.connect("worker") as worker:
        initiation = monitor.open("INIT", int(MQOO.INPUT_SHARED))
        worker.put1("Q", Message(b"x"), PutMessageOptions(int(MQPMO.SYNCPOINT)))
        then, seq = state(qmgr.store), qmgr.store.bound().seq
        worker.back()
        initiation.get()
    with copy_as_of(qmgr.store, moment_of_event(qmgr.store, seq), forwards=forwards) as past:
        assert state(past.file) == then


ACCESS = """SELECT name, administrator, created_at > 0, '' FROM user_account UNION ALL
SELECT user, name, 0, 'group' FROM user_group UNION ALL
SELECT name, authority_mode, os_groups, 'mode' FROM queue_manager ORDER BY 1, 2, 4"""


def test_users_and_their_authorities(qmgr: QueueManager) -> None:
    store = qmgr.store
    store.create_queue_manager("QM2")
    taken = {}
    steps: list[Callable[[], object]] = [
        lambda: user_accounts.add_user(
            store,
            "ann",
            "a long password",
            administrator=True,
            groups=["clerks"],
        ),
        lambda: user_accounts.add_user(store, "bob", "a long password"),
        lambda: user_accounts.set_mode(qmgr, "enforce"),
        lambda: user_accounts.change_groups(store, "ann", ["others"], ["clerks"]),
        lambda: user_accounts.set_os_groups(qmgr, on=True),
        lambda: user_accounts.change_password(store, "bob", "another password"),
        lambda: user_accounts.remove_user(store, "ann"),
        lambda: user_accounts.set_mode(qmgr, "auto"),
    ]
    for step in steps:
        step()
        with Reading(store.database) as reading:
            taken[store.bound().seq] = reading.connection.execute(ACCESS).fetchall()
    for seq, then in taken.items():
        with (
            copy_as_of(store, moment_of_event(store, seq)) as past,
            closing(sqlite3.connect(past.file)) as copy,
        ):
            assert copy.execute(ACCESS).fetchall() == then, seq
