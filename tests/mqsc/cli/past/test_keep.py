"""`mqsc history keep`: the data of messages that are gone, within limits, and never what is
masked.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import pytest

import mqsc as product
from mqsc.store.admin.queue_managers import delete_queue_manager
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store, open_store
from mqsc.store.constants import MQGMO, MQOO, MQPMO
from mqsc.store.environment import Environment, FrozenClock
from mqsc.store.error import MQError
from mqsc.store.past.kept_data import keep, remove_outdated, rules_of, stop_keeping
from mqsc.store.rules.masking import checked
from mqsc.store.sqlite.database import Reading
from tests.mqsc.conftest import Command
from tests.reports.history import at

DAY = 86_400_000_000


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(
        f"sqlite:///{tmp_path}/store.db",
        Environment(FrozenClock(at(0)), "tester", "mqsc"),
    )


@pytest.fixture
def shop(store: Store) -> QueueManager:
    created = store.create_queue_manager("SHOP", manual_clock_at=at(0))
    product.run(created, "DEFINE QLOCAL(APP.A)\nDEFINE QLOCAL(APP.B)\nDEFINE QLOCAL(OTHER)")
    return created


def put(qmgr: QueueManager, queue: str, *bodies: bytes, expiry: int = -1) -> None:
    with qmgr.connect() as connection:
        for body in bodies:
            connection.put1(queue, product.Message(body, product.MessageDescriptor(expiry=expiry)))


def get(qmgr: QueueManager, queue: str, number: int) -> None:
    with qmgr.connect() as connection:
        handle = connection.open(queue, MQOO.INPUT_SHARED)
        for _ in range(number):
            handle.get(product.GetMessageOptions(MQGMO.NO_SYNCPOINT))


def there(store: Store) -> list[tuple[str, bytes | None]]:
    with Reading(store.database) as reading:
        return list(
            reading.execute("SELECT queue, body FROM kept_message ORDER BY id", ()).fetchall(),
        )


def triggers(store: Store) -> int:
    with Reading(store.database) as reading:
        found = reading.execute("SELECT count(*) FROM sqlite_master WHERE type = 'trigger'", ())
        return int(found.fetchone()[0])


def test_data_is_kept_however_a_message_leaves(shop: QueueManager, store: Store) -> None:
    put(shop, "APP.A", b"before")
    get(shop, "APP.A", 1)
    keep(shop, "APP.*", DAY, 1 << 20, "")
    put(shop, "APP.A", b"got", b"cleared")
    get(shop, "APP.A", 1)
    product.run(shop, "CLEAR QLOCAL(APP.A)")
    put(shop, "APP.A", b"moved")
    product.run(shop, "MOVE QLOCAL(APP.A) TOQLOCAL(OTHER)")
    put(shop, "APP.B", b"expired", expiry=1)
    store.environment.clock.advance(1)
    with pytest.raises(MQError):
        get(shop, "APP.B", 1)
    put(shop, "OTHER", b"of no interest")
    get(shop, "OTHER", 2)
    with shop.connect() as connection:
        handle = connection.open("APP.A", MQOO.INPUT_SHARED | MQOO.OUTPUT)
        handle.put(product.Message(b"in a unit"))
        handle.get(product.GetMessageOptions(MQGMO.SYNCPOINT))
        connection.back()
        handle.get(product.GetMessageOptions(MQGMO.SYNCPOINT))
        assert len(there(store)) == 4
        connection.commit()
    put(shop, "APP.B", b"purged")
    product.run(shop, "DELETE QLOCAL(APP.B) PURGE")
    assert there(store) == [
        ("APP.A", b"got"),
        ("APP.A", b"cleared"),
        ("APP.A", b"moved"),
        ("APP.B", b"expired"),
        ("APP.A", b"in a unit"),
        ("APP.B", b"purged"),
    ]


def test_nothing_is_there_without_it_and_all_is_forgotten_with_off(
    shop: QueueManager,
    store: Store,
) -> None:
    assert triggers(store) == 0
    keep(shop, "APP.A", DAY, 1 << 20, "")
    keep(shop, "APP.*", DAY, 1 << 20, "")
    put(shop, "APP.A", b"x")
    get(shop, "APP.A", 1)
    # Of two rules, the one with the longer name.
    assert [(each.rule.name, each.sum.messages) for each in rules_of(store)] == [
        ("APP.*", 0),
        ("APP.A", 1),
    ]
    assert stop_keeping(shop, "APP.A") == 1
    assert triggers(store) == 3
    assert (stop_keeping(shop, "APP.*"), stop_keeping(shop, "APP.*")) == (0, None)
    assert (triggers(store), there(store)) == (0, [])
    keep(shop, "APP.A", DAY, 1 << 20, "")
    shop.end()
    delete_queue_manager(store, "SHOP")
    assert (triggers(store), rules_of(store)) == (0, [])


def test_the_oldest_goes_first_when_the_limit_is_reached(shop: QueueManager, store: Store) -> None:
    keep(shop, "APP.A", DAY, 3 * 600, "")
    put(shop, "APP.A", *(b"%d" % number + b"." * 99 for number in range(5)))
    get(shop, "APP.A", 5)
    assert [body[:1] for _, body in there(store) if body] == [b"2", b"3", b"4"]
    keep(shop, "APP.A", DAY, 600, "")
    assert [body[:1] for _, body in there(store) if body] == [b"4"]
    put(shop, "APP.A", b"." * 600)
    get(shop, "APP.A", 1)
    assert there(store) == []


def test_what_is_too_old_goes_with_the_next_or_with_upkeep(store: Store) -> None:
    # With the clock of the machine, not its own.
    shop = store.create_queue_manager("SHOP")
    product.run(shop, "DEFINE QLOCAL(APP.A)")
    keep(shop, "APP.A", DAY, 1 << 20, "")
    put(shop, "APP.A", b"1", b"2", b"3")
    get(shop, "APP.A", 2)
    store.environment.clock.advance(DAY)
    assert len(there(store)) == 2
    get(shop, "APP.A", 1)
    assert [body for _, body in there(store)] == [b"3"]
    store.environment.clock.advance(DAY)
    remove_outdated(store)
    assert there(store) == []


def test_what_is_masked_is_nowhere_in_the_file(
    shop: QueueManager,
    store: Store,
    tmp_path: Path,
) -> None:
    keep(shop, "APP.A", DAY, 1 << 20, checked(["$.card"]))
    put(shop, "APP.A", b'{"card": "4111", "n": 1}', b"card 4111", b'{"n": 2}')
    get(shop, "APP.A", 3)
    assert [body for _, body in there(store)] == [b'{"card": "***", "n": 1}', None, b'{"n": 2}']
    # Other masks would have masked something else.
    assert keep(shop, "APP.A", DAY, 1 << 20, checked(["$.n"])) == 3
    assert there(store) == []


def test_a_transaction_that_fails_keeps_nothing(shop: QueueManager, store: Store) -> None:
    keep(shop, "APP.A", DAY, 1 << 20, "")
    put(shop, "APP.A", b"x")
    with suppress(RuntimeError), store.database.one_transaction():
        get(shop, "APP.A", 1)
        raise RuntimeError
    assert there(store) == []
    get(shop, "APP.A", 1)
    assert len(there(store)) == 1


def test_the_past_has_the_data_and_the_whole_descriptor(
    shop: QueueManager,
    store: Store,
    mqsc: Command,
) -> None:
    keep(shop, "APP.A", DAY, 1 << 20, "")
    with shop.connect() as connection:
        descriptor = product.MessageDescriptor(format="MQSTR", reply_to_q="BACK", msg_id=b"one")
        connection.put1(
            "APP.A",
            product.Message(b"hello", descriptor),
            product.PutMessageOptions(MQPMO.NO_SYNCPOINT),
        )
        seq = store.bound().seq
        descriptor = product.MessageDescriptor(msg_id=b"two")
        connection.put1("OTHER", product.Message(b"unknown", descriptor))
    get(shop, "APP.A", 1)
    get(shop, "OTHER", 1)
    (row,) = mqsc("browse", "APP.A", "--as-of", str(seq), "--format", "jsonl").rows
    assert (row["body"], row["format"], row["reply_to_q"]) == ({"text": "hello"}, "MQSTR", "BACK")
    assert "data 'hello'" in mqsc("trace", b"one".hex()).out
    assert "data" not in mqsc("trace", b"two".hex()).out
    assert "data 'hello'" in mqsc("history", "APP.A", "--kind", "GET", "--data").out
    assert "hello" not in mqsc("history", "APP.A", "--kind", "GET").out
    (row,) = mqsc("history", "APP.A", "--kind", "GET", "--data", "--format", "jsonl").rows
    assert row["detail"]["kept"] == {"text": "hello"}


def test_what_expired_is_listed_with_its_data(shop: QueueManager, mqsc: Command) -> None:
    keep(shop, "APP.*", DAY, 1 << 20, checked(["$.card"]))
    put(shop, "APP.B", b'{"card": 1, "n": 2}', expiry=1)
    put(shop, "OTHER", b"unknown", expiry=1)
    shop.store.environment.clock.advance(1)
    assert "***" not in mqsc("expiry", "APP.B", "--data").out
    product.run(shop, "REFRESH QMGR TYPE(EXPIRY)")
    assert """data '{"card": "***", "n": 2}'""" in mqsc("expiry", "APP.*", "--data").out
    (row,) = mqsc("expiry", "OTHER", "--data", "--format", "jsonl").rows
    assert (row["kind"], "kept" in (row["detail"] or {})) == ("EXPIRE", False)
    assert mqsc("expiry", "NONE", "--data").code == 10


def test_an_export_has_it_only_when_asked(shop: QueueManager, store: Store, mqsc: Command) -> None:
    keep(shop, "APP.A", DAY, 1 << 20, "")
    put(shop, "APP.A", b"precious")
    then = "export", "--messages", "APP.A", "--as-of", str(store.bound().seq)
    get(shop, "APP.A", 1)
    assert [
        b"precious".hex().upper() in mqsc(*then, *more).out.upper()
        for more in ((), ("--kept-data",))
    ] == [
        False,
        True,
    ]
    for wrong in (("--kept-data",), ("--kept-data", "--messages", "APP.A")):
        assert mqsc("export", *wrong).code == 20


def test_a_backup_has_it_only_when_asked(
    shop: QueueManager,
    store: Store,
    mqsc: Command,
    tmp_path: Path,
) -> None:
    keep(shop, "APP.A", DAY, 1 << 20, "")
    put(shop, "APP.A", b"precious")
    get(shop, "APP.A", 1)
    for options, has in ((), False), (("--kept-data",), True):
        file = tmp_path / f"{has}.db"
        assert mqsc("backup", str(file), *options).code == 0
        with closing(sqlite3.connect(file)) as copy:
            assert (
                bool(
                    copy.execute(
                        "SELECT 1 FROM kept_message WHERE body = x'70726563696f7573'",
                    ).fetchone(),
                )
                is has
            )
    store.close()
    assert mqsc("restore", str(tmp_path / "True.db")).code == 0
    assert mqsc("history", "keep", "--format", "jsonl").rows[0]["messages"] == 1
    assert "integrity  every page" in mqsc("doctor").out


def test_on_the_command_line(mqsc: Command) -> None:
    mqsc("run", "-c", "DEFINE QLOCAL(KEEP)")
    assert "no data of messages" in mqsc("history", "keep").err
    ended = mqsc(
        "history",
        "keep",
        "KEEP",
        "--for",
        "12h",
        "--max-size",
        "64KB",
        "--mask",
        "$.a",
        "--mask",
        "//b",
    )
    assert (ended.code, "is kept for 12h, at most 65,536 bytes, masked" in ended.err) == (0, True)
    (row,) = mqsc("history", "keep", "--list", "--format", "jsonl").rows
    assert (row["queues"], row["seconds"], row["limit"], row["masks"]) == (
        "KEEP",
        43_200,
        65_536,
        ["$.a", "//b"],
    )
    assert "KEEP    12h" in mqsc("history", "keep").out
    # In upper case it is the name of a queue.
    assert "QLOCAL KEEP defined" in mqsc("history", "KEEP").out
    assert "there is no such local queue yet" in mqsc("history", "keep", "LATER").err
    assert mqsc("history", "keep", "KEEP", "--off").code == 0
    for arguments, code, said in (
        (("KEEP", "--off"), 10, "nothing is kept of KEEP"),
        (("KEEP", "--max-size", "much"), 20, "'much' is no size"),
        (("KEEP", "--for", "soon"), 20, "is not a length of time"),
        (("KEEP", "--mask", "card"), 20, "'card' is no mask"),
        (("--off",), 20, "name the QUEUE"),
        (("bad name",), 20, "is not the name of a queue"),
    ):
        ended = mqsc("history", "keep", *arguments)
        assert (ended.code, said in ended.err) == (code, True), ended.err
