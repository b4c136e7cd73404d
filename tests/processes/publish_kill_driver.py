"""Kills publishers in units of work and durable subscribers at random moments: each committed
publication reaches each subscription exactly once (publish-subscribe B56, B92).

The journals of acknowledged units are kept outside the store.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterable
from itertools import count
from pathlib import Path

import mqsc
from mqsc.store import open_store
from mqsc.store.client.connection import Connection
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.constants import MQGMO, MQOT, MQPMO, MQSO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.engine.recovery import recover
from mqsc.store.error import MQError
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.past.audit import audit
from mqsc.store.subscription_descriptor import SubscriptionDescriptor
from tests.processes.campaign import Broken, Victim, kill_each
from tests.processes.programs import Program, is_whole
from tests.processes.publish_programs import bodies

KILLS_PER_STORE = 25
LONGEST_LIFE_SECONDS = 0.5
TOPICS = ("prices/tea", "prices/ink", "prices")
# Queues of subscriptions that nobody reads, and durable subscriptions that programs have open.
QUEUES, DURABLE = ("ONE", "TWO"), ("D1", "D2")
MOST_TOGETHER = 4
# How many messages a subscriber takes before it closes its subscription, and resumes it.
BETWEEN_RESUMES = 3
NO_MESSAGE = 2033
NEVER = "never"


def run(folder: Path, kills: int, seed: int) -> str:
    """Kill programs in one store after another, and check each; return a summary line."""
    chance = random.Random(seed)
    killed = publications = 0
    for stores in count(1):
        wanted = min(KILLS_PER_STORE, kills - killed)
        own = folder / f"store {stores}"
        own.mkdir()
        publications += _campaign(own, wanted, chance)
        killed += wanted
        if killed == kills:
            return f"{killed} kills in {stores} stores, {publications} publications"
    raise AssertionError


def _campaign(folder: Path, kills: int, chance: random.Random) -> int:
    """Kill programs in one store, and then look what is there; how many publications are."""
    url = f"sqlite:///{folder / 'store.db'}"
    with open_store(url) as store:
        _define(store.create_queue_manager("QM1"))
    left = kills
    journals: list[Path] = []
    while left:
        publishers = min(left, chance.choice((1, 1, 2)))
        names = chance.sample(DURABLE, chance.choice((0, 1, 2)))[: left - publishers]
        victims = [Program(subscribe, url, name) for name in names]
        for _ in range(publishers):
            journals.append(folder / f"journal {len(journals)}")
            victims.append(Program(publish, url, str(journals[-1]), len(journals)))
        kill_each([Victim(each, LONGEST_LIFE_SECONDS) for each in victims], chance)
        left -= len(victims)
    with open_store(url) as store:
        recover(store)
        return _check(store, journals)


def _define(qmgr: QueueManager) -> None:
    """Define two queues with a subscription each, and two durable subscriptions with managed
    queues.
    """
    names = (*QUEUES, *(f"TAKEN.{each}" for each in DURABLE))
    commands = [f"DEFINE QLOCAL({each}) MAXDEPTH(999999)" for each in names]
    commands += [f"DEFINE SUB({each}) TOPICSTR('prices/#') DEST({each})" for each in QUEUES]
    commands += [f"DEFINE SUB({each}) TOPICSTR('#') DESTCLAS(MANAGED)" for each in DURABLE]
    mqsc.run(qmgr, "\n".join(commands), check=True)


def together(number: int) -> int:
    """How many publications the unit of work with that number has."""
    return 1 + number % MOST_TOGETHER


def publish(url: str, journal: str, run: int) -> None:
    """Publish persistent messages in units of work, and write which is committed."""
    acknowledged = os.open(journal, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)
    with open_store(url) as store:
        connection = store.queue_manager("QM1").connect("publisher")
        for number in count():
            for part in range(together(number)):
                _publish(connection, f"{run}.{number}.{part}", number + part)
            connection.commit()
            os.write(acknowledged, f"{run}.{number}\n".encode())
            print(number, flush=True)
            _publish(connection, NEVER, number)
            connection.back()


def _publish(connection: Connection, body: str, number: int) -> None:
    options = MQPMO.SYNCPOINT | (MQPMO.RETAIN if number % 2 else MQPMO.NONE)
    connection.put1(
        "",
        Message(body.encode(), MessageDescriptor(persistence=1)),
        PutMessageOptions(options),
        object_type=MQOT.TOPIC,
        object_string=TOPICS[number % len(TOPICS)],
    )


def subscribe(url: str, name: str) -> None:
    """Take publications of a durable subscription in units of work, and resume it again and
    again, beside a subscription that is not durable.
    """
    with open_store(url) as store:
        connection = store.queue_manager("QM1").connect("subscriber")
        while True:
            temporary = connection.subscribe(
                SubscriptionDescriptor(int(MQSO.CREATE | MQSO.MANAGED), object_string="prices/#")
            )
            subscription = connection.subscribe(SubscriptionDescriptor(int(MQSO.RESUME), name=name))
            assert subscription.queue is not None
            print("ready", flush=True)
            for _ in range(BETWEEN_RESUMES):
                message = _next(subscription.queue)
                connection.put1(f"TAKEN.{name}", message, PutMessageOptions(MQPMO.SYNCPOINT))
                connection.commit()
            for each in (subscription.queue, subscription, temporary.queue, temporary):
                assert each is not None
                each.close()


def _next(queue: ObjectHandle) -> Message:
    """The next message, whenever that comes."""
    options = GetMessageOptions(MQGMO.SYNCPOINT | MQGMO.WAIT, wait_interval=100)
    while True:
        try:
            return queue.get(options)
        except MQError as error:
            if error.reason != NO_MESSAGE:
                raise


def _check(store: Store, journals: Iterable[Path]) -> int:
    """Raise Broken unless each publication that was committed is there once for each
    subscription, and nothing else; return how many there are.
    """
    qmgr = store.queue_manager("QM1")
    queues = _managed(qmgr)
    with qmgr.connect("oracle") as connection:
        found = {each: Counter(bodies(connection, each)) for each in QUEUES}
        for name, queue in queues.items():
            taken, waiting = (
                Counter(bodies(connection, each)) for each in (f"TAKEN.{name}", queue)
            )
            found[name] = taken + waiting
        retained = _retained(connection)
    first = found[QUEUES[0]]
    for name, contents in found.items():
        if contents != first:
            raise Broken(f"{name} lacks {first - contents}, and {contents - first} is too much")
    if max(first.values(), default=1) > 1:
        raise Broken(f"delivered more than once: {first.most_common(3)}")
    _check_units(first, journals)
    if not {*retained.values()} <= {*first}:
        raise Broken(f"retained was what nobody committed: {retained}")
    if not is_whole(store):
        raise Broken("the integrity check finds damage")
    findings = audit(store).findings
    if findings:
        raise Broken(f"the history does not account for every message: {findings[:3]}")
    return first.total()


def _check_units(found: Counter[str], journals: Iterable[Path]) -> None:
    """Each unit of work is there as a whole, and each that was acknowledged is there."""
    sizes = Counter(body.rpartition(".")[0] for body in found)
    parts = [unit for unit, size in sizes.items() if size != together(int(unit.split(".")[1]))]
    if parts:
        raise Broken(f"units of work of which a part is there: {parts}")
    acknowledged = {
        line for each in journals if each.exists() for line in each.read_text().split("\n")[:-1]
    }
    if not acknowledged <= {*sizes}:
        raise Broken(f"committed, and not there: {acknowledged - {*sizes}}")


def _managed(qmgr: QueueManager) -> dict[str, str]:
    """The managed queues of the durable subscriptions; Broken if there are others."""
    replies = mqsc.run(qmgr, "DISPLAY SUB(*) DEST DURABLE\nDISPLAY QLOCAL(SYSTEM.MANAGED.*)")
    subscriptions, queues = (list(reply.rows) for reply in replies)
    destinations = {row["SUB"]: row["DEST"] for row in subscriptions}
    if {*destinations} != {*QUEUES, *DURABLE, "SYSTEM.DEFAULT.SUB"}:
        raise Broken(f"subscriptions are left, or gone: {[*destinations]}")
    found = {name: destinations[name] for name in DURABLE}
    if {row["QUEUE"] for row in queues} != {*found.values()}:
        raise Broken(f"managed queues are left, or gone: {queues}")
    return found


def _retained(connection: Connection) -> dict[str, str]:
    """What a new subscriber gets first, by topic string."""
    options = int(MQSO.CREATE | MQSO.MANAGED)
    found: dict[str, str] = {}
    for topic in TOPICS:
        subscription = connection.subscribe(SubscriptionDescriptor(options, object_string=topic))
        assert subscription.queue is not None
        contents = [*bodies(connection, subscription.queue.name)]
        if len(contents) > 1:
            raise Broken(f"{topic} has more than one retained publication: {contents}")
        found.update((topic, body) for body in contents)
    return found
