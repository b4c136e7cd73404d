"""`mqsc reproduce`: the tests that it writes pass, and fail when the rule that decided is turned
round.
"""

from __future__ import annotations

import os
import random
import re
import runpy
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from mqsc import CommandError, run
from mqsc.store.admin.event_search import EventSelection, events
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import open_store
from mqsc.store.constants import MQGMO, MQOO, MQPMO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.environment import Environment, FrozenClock
from mqsc.store.error import MQError
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.testing import ManualClock, assert_on_queue, made_queue_manager
from tests.mqsc.conftest import Command
from tests.reports.history import at
from tests.reports.played import SILENT, Play
from tests.scenarios.channel_bench import Network

MESSAGES = int(os.environ.get("MQSC_CASES", "4"))
ID = b"\x07" * 24


def passes(file: Path, *, turned: tuple[str, str] | None = None) -> bool:
    """Whether the test in a file passes, with one text in place of another if it is turned
    round.
    """
    text = file.read_text()
    if turned is not None:
        assert re.search(turned[0], text), (turned, text)
        text = re.sub(turned[0], turned[1], text)
    tried = file.with_name("tried.py")
    tried.write_text(text)
    names = runpy.run_path(str(tried))
    with open_store("sqlite://") as store:
        try:
            made = made_queue_manager(store, script=names["SETUP"])
            names["test_incident"](made, ManualClock(made))
        except (AssertionError, MQError, CommandError):
            return False
    return True


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[QueueManager]:
    """A queue manager in the store of `mqsc`, with much that has nothing to do with the message."""
    environment = Environment.frozen(at=at(0), user="anna", application="shop")
    with open_store(f"sqlite:///{tmp_path}/store.db", environment) as store:
        made = store.create_queue_manager("SHOP")
        script = (
            "DEFINE QLOCAL(DLQ)\nDEFINE QLOCAL(INIT)\nDEFINE QLOCAL(BACK)\nALTER QMGR DEADQ(DLQ) "
            "DESCR('x')"
        )
        run(
            made,
            f"{script}\nDEFINE QLOCAL(OTHER) MAXDEPTH(7)\nDEFINE PROCESS(P) APPLICID('serve')",
            check=True,
        )
        yield made


def put(shop: QueueManager, queue: str, **fields: object) -> None:
    with shop.connect("shop") as connection:
        connection.put1("OTHER", Message(b"noise"))
        fields = {"msg_id": ID, **fields}
        connection.put1(queue, Message(b'say "hello"\n', MessageDescriptor(**fields)))  # type: ignore[arg-type]


def wait(shop: QueueManager, seconds: float) -> None:
    shop.store.environment.clock.advance(seconds)


def expired(shop: QueueManager) -> None:
    run(shop, "DEFINE QLOCAL(Q) CAPEXPRY(50) DESCR('not needed')", check=True)
    put(shop, "Q")
    wait(shop, 60)
    with suppress(MQError), shop.connect("reader") as reader:
        reader.open("Q", int(MQOO.INPUT_SHARED)).get()


def lived_too_short(shop: QueueManager) -> None:
    run(shop, "DEFINE QLOCAL(Q)", check=True)
    put(shop, "Q", expiry=50)
    wait(shop, 60)
    run(shop, "REFRESH QMGR TYPE(EXPIRY)", check=True)


def backed_out(shop: QueueManager) -> None:
    run(shop, "DEFINE QLOCAL(Q) BOTHRESH(2) BOQNAME(BACK)", check=True)
    put(shop, "Q")
    with shop.connect("worker") as connection:
        for _ in connection.consumer("Q", wait=0).units():
            connection.back()


def skips_a_backout(shop: QueueManager) -> None:
    run(shop, "DEFINE QLOCAL(Q)", check=True)
    put(shop, "Q")
    with shop.connect("worker") as connection:
        asked = GetMessageOptions(MQGMO.SYNCPOINT | MQGMO.MARK_SKIP_BACKOUT)
        connection.open("Q", int(MQOO.INPUT_SHARED)).get(asked)
        connection.back()
        connection.commit()


def two_messages(shop: QueueManager, definition: str) -> None:
    run(
        shop,
        f"DEFINE QLOCAL(Q) TRIGGER TRIGTYPE(DEPTH) INITQ(INIT) PROCESS(P) {definition}",
        check=True,
    )
    with shop.connect("monitor") as monitor:
        monitor.open("INIT", int(MQOO.INPUT_SHARED))
        put(shop, "Q", msg_id=b"\1" * 24)
        put(shop, "Q")


def triggered(shop: QueueManager) -> None:
    two_messages(shop, "TRIGDPTH(2)")


def not_triggered(shop: QueueManager) -> None:
    two_messages(shop, "TRIGDPTH(3) DESCR('x')")


def open_for_input(shop: QueueManager) -> None:
    run(shop, "DEFINE QLOCAL(Q) TRIGGER TRIGTYPE(FIRST) INITQ(INIT) PROCESS(P)", check=True)
    with shop.connect("monitor") as monitor, shop.connect("reader") as reader:
        monitor.open("INIT", int(MQOO.INPUT_SHARED))
        reader.open("Q", int(MQOO.INPUT_SHARED))
        put(shop, "Q")


def without_trigger(shop: QueueManager) -> None:
    run(shop, "DEFINE QLOCAL(Q) NOTRIGGER TRIGTYPE(FIRST) INITQ(INIT) PROCESS(P)", check=True)
    with shop.connect("monitor") as monitor:
        monitor.open("INIT", int(MQOO.INPUT_SHARED))
        put(shop, "Q")


def put_together(shop: QueueManager, *others: bytes) -> None:
    """The message and others before and after it in one call."""
    ids = (others[0], ID, *others[1:])
    with shop.connect("shop") as connection:
        queue = connection.open("Q", int(MQOO.OUTPUT))
        queue.put([Message(b"x", MessageDescriptor(msg_id=each)) for each in ids])


def backed_out_of_several(shop: QueueManager) -> None:
    run(shop, "DEFINE QLOCAL(Q) BOTHRESH(2) BOQNAME(BACK)", check=True)
    put_together(shop, b"\1" * 24, b"\2" * 24)
    with shop.connect("worker") as connection:

        def refuse(message: Message) -> None:
            if message.descriptor.msg_id == ID:
                raise ValueError

        connection.consumer("Q", wait=0).listen(refuse, lambda *_: None)


def triggered_by_several(shop: QueueManager) -> None:
    run(
        shop,
        "DEFINE QLOCAL(Q) TRIGGER TRIGTYPE(DEPTH) INITQ(INIT) PROCESS(P) TRIGDPTH(2)",
        check=True,
    )
    with shop.connect("monitor") as monitor:
        monitor.open("INIT", int(MQOO.INPUT_SHARED))
        put_together(shop, b"\1" * 24)


def report_without_room(shop: QueueManager) -> None:
    run(shop, "DEFINE QLOCAL(Q)\nDEFINE QLOCAL(REPLY) MAXDEPTH(0)", check=True)
    put(shop, "Q", report=256, reply_to_q="REPLY")


def reply_inhibited(shop: QueueManager) -> None:
    run(shop, "DEFINE QLOCAL(Q)\nDEFINE QLOCAL(REPLY) PUT(DISABLED)", check=True)
    put(shop, "Q", report=256, reply_to_q="REPLY")


CASES: dict[Callable[[QueueManager], None], tuple[tuple[str, str], ...]] = {
    expired: ((r"CAPEXPRY\(50\)", "CAPEXPRY(9000)"), (r"advance\([0-9.]+\)", "advance(1)")),
    lived_too_short: (("expiry=50", "expiry=5000"),),
    backed_out: ((r"BOTHRESH\(\d\)", "BOTHRESH(0)"), (r"BOQNAME\('BACK'\)", "BOQNAME(NONE)")),
    skips_a_backout: ((r"commit\(\)", "back()"),),
    backed_out_of_several: (
        (r"BOTHRESH\(\d\)", "BOTHRESH(0)"),
        (r"BOQNAME\('BACK'\)", "BOQNAME(NONE)"),
    ),
    triggered_by_several: (("TRIGDPTH[(]2[)]", "TRIGDPTH(3)"),),
    triggered: (("TRIGDPTH[(]2[)]", "TRIGDPTH(3)"), ("TRIGGER ", "NOTRIGGER ")),
    not_triggered: (("TRIGDPTH[(]3[)]", "TRIGDPTH(2)"),),
    open_for_input: (('"Q", MQOO.INPUT_SHARED', '"Q", MQOO.OUTPUT'),),
    without_trigger: (("INITQ", "TRIGGER INITQ"),),
    report_without_room: ((r"MAXDEPTH\(0\)", "MAXDEPTH(9)"),),
    reply_inhibited: ((r"PUT\(DISABLED\)", "PUT(ENABLED)"),),
}


@pytest.mark.parametrize("happens", CASES, ids=lambda each: each.__name__)
def test_a_rule_turned_round(
    happens: Callable[[QueueManager], None],
    shop: QueueManager,
    mqsc: Command,
) -> None:
    happens(shop)
    ended = mqsc("reproduce", ID.hex(), "--out", "test_incident.py")
    assert ended.code == 0, ended.err
    file = Path("test_incident.py")
    text = file.read_text()
    assert passes(file), text
    assert "OTHER" not in text
    assert "DESCR" not in text
    for turned in CASES[happens]:
        assert not passes(file, turned=turned), text


def test_texts_of_messages_are_literals(shop: QueueManager, mqsc: Command) -> None:
    lived_too_short(shop)
    put(shop, "Q", msg_id=b"\3" * 24, format="')\n#\"")
    kept = mqsc("reproduce", "03" * 24).out
    assert r"""b'say "hello"\n'""" in kept
    assert "hello" not in mqsc("reproduce", "03" * 24, "--mask").out
    Path("kept.py").write_text(kept)
    assert passes(Path("kept.py"))


def test_a_small_store(shop: QueueManager, mqsc: Command) -> None:
    lived_too_short(shop)
    put(shop, "Q", msg_id=b"\3" * 24)
    ended = mqsc("reproduce", "03" * 24, "--out", "case.db", "--mask")
    assert (ended.code, ended.err) == (0, "mqsc: case.db: 1 definition and 3 steps\n")
    with open_store("sqlite:///case.db", create=False) as small:
        (found,) = assert_on_queue(small.queue_manager(), "Q")
    assert (found.body, found.descriptor.msg_id) == (b"x" * 12, b"\3" * 24)
    assert mqsc("reproduce", "03" * 24, "--out", "case.db").code == 10


def test_mistakes(shop: QueueManager, mqsc: Command) -> None:
    assert mqsc("reproduce", "FF").code == 10
    assert mqsc("reproduce", "nonsense").code == 20
    event = mqsc("reproduce", "1")
    assert (event.code, event.err) == (10, "mqsc: event 1 is not about a message\n")


def test_a_message_on_a_transmission_queue(shop: QueueManager, mqsc: Command) -> None:
    run(
        shop,
        "DEFINE QLOCAL(X) USAGE(XMITQ)\nDEFINE QREMOTE(RQ) RNAME(Q) RQMNAME(QM2) XMITQ(X)",
        check=True,
    )
    with shop.connect("shop") as connection:
        connection.put1(
            "RQ",
            Message(b"x", MessageDescriptor(msg_id=ID)),
            PutMessageOptions(int(MQPMO.SYNCPOINT)),
        )
        connection.commit()
    (put_on_x,) = events(shop.store, EventSelection(queue="X", kinds=frozenset({"PUT"})))
    for number in (put_on_x.seq, put_on_x.seq + 1):
        ended = mqsc("reproduce", str(number))
        assert ended.code in (0, 10), ended.err


def test_a_message_whose_put_is_not_recorded(shop: QueueManager, mqsc: Command) -> None:
    run(shop, "ALTER QMGR STRSTPEV(ENABLED)\nDEFINE QLOCAL(Q) ACCTQ(OFF)", check=True)
    put(shop, "Q", persistence=0)
    run(shop, "ALTER QLOCAL(Q) ACCTQ(ON)", check=True)
    shop.end(immediate=True)
    shop.start()
    ended = mqsc("reproduce", ID.hex())
    assert (ended.code, "is not in the history" in ended.err) == (10, True)


class Distinct(Play):
    """Steps with messages that all have a MsgId of their own."""

    def _message(self, msg_id: bytes | None = None, **more: Any) -> Message:
        return super()._message(msg_id or self._chance.randbytes(24), **more)


@pytest.mark.parametrize("seed", range(2))
def test_random_messages(seed: int, tmp_path: Path, mqsc: Command) -> None:
    environment = Environment(FrozenClock(at(0)), "tester", "mqsc")
    chance = random.Random(seed)
    with open_store(f"sqlite:///{tmp_path}/store.db", environment) as store:
        network = Network(store, environment)
        play = Distinct(chance, network)
        network.at2(f"ALTER QLOCAL({SILENT}) ACCTQ(QMGR)", "ALTER QLOCAL(DLQ) ACCTQ(QMGR)")
        for _ in range(60 + MESSAGES):
            play.step()
        kinds = EventSelection(kinds=frozenset({"PUT"}), qmgr="QM2")
        put = [each for each in events(store, kinds) if each.application in ("app", "web")]
    chosen = chance.sample(put, min(len(put), MESSAGES // 2))
    refused = 0
    for event in chosen:
        file = Path(f"test_{event.seq}.py")
        ended = mqsc("reproduce", str(event.seq), "--out", str(file))
        assert ended.code in (0, 10), ended.err
        refused += ended.code == 10
        assert ended.code == 10 or passes(file), file.read_text()
    # Few depend on what the history does not have.
    assert refused <= max(1, len(chosen) // 10)
