"""A random history of publishing programs and subscribers: each step is a call to the store and
to the model, with the same result.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

import mqsc
from mqsc.store import Environment, GetMessageOptions, Message, MessageDescriptor, open_store
from mqsc.store.admin.expiry import refresh_expiry
from mqsc.store.client.connection import Connection
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.subscription import Subscription as OpenSubscription
from mqsc.store.constants import MQCO, MQGMO, MQOO, MQOT, MQPMO, MQSO
from mqsc.store.error import MQError
from mqsc.store.message import PutMessageOptions
from mqsc.store.past.audit import audit
from mqsc.store.subscription_descriptor import SubscriptionDescriptor
from tests.store.publication_model import (
    AS_PUBLISHED,
    AS_QUEUE,
    DEAD,
    PROVIDED,
    SELECTORS,
    TENTH,
    Publication,
    PublicationModel,
    Subscribing,
    Subscription,
)
from tests.store.state_machine import START, refusal_of
from tests.store.topic_tree_model import AS_PARENT, Pattern, Value

PROGRAMS = ("A", "B", "C")
OBJECTS = {"TA": "a", "TAB": "a/b", "TABC": "a/b/c", "TX": "x"}
TOPICS = ("a", "a", "a/b", "a/b", "a/b/c", "a/c", "x", "x/y", "a/", "/a", "a/+", "x%y")
BY_LEVEL = ("a", "a/b", "a/b/c", "a/+", "a/#", "#", "+/b", "#/c", "a/#/c", "+", "+/+", "x/#", "a/")
BY_CHARACTER = ("a", "a*", "a/*", "*", "?/b", "*/c", "a/?", "x*y", "x%%y", "a/+", "a/b*")
ATTRIBUTES: dict[str, tuple[Value, ...]] = {
    "PUB": ("ENABLED", "ENABLED", "ENABLED", "DISABLED"),
    "SUB": ("ENABLED", "ENABLED", "DISABLED"),
    "DURSUB": ("YES", "YES", "NO"),
    "DEFPRTY": (0, 5, 7),
    "DEFPSIST": ("YES", "NO"),
    "PMSGDLV": ("ALL", "ALLDUR", "ALLAVAIL"),
    "NPMSGDLV": ("ALL", "ALLDUR", "ALLAVAIL"),
    "USEDLQ": ("YES", "NO"),
    "CAPEXPRY": ("NOLIMIT", 30, 200),
    "WILDCARD": ("PASSTHRU", "PASSTHRU", "BLOCK"),
}
NAMES = ("D1", "D2", "D3", "N1")
DEFINED = ("S1", "S2")
MOST_SUBSCRIPTIONS = 8
# TPSTATUS has no such attribute.
_NOT_SHOWN = ("WILDCARD",)
GONE, NO_MESSAGE = 2052, 2033
FAILED = 2


@dataclass
class Open:
    """A handle for input: of which program, and the key of its queue in the model."""

    program: str
    queue: str
    handle: ObjectHandle


# Subscriptions, and topic strings with a retained publication.
Known = tuple[list[dict[str, object]], list[str]]


def _retained(rows: Sequence[Mapping[str, object]]) -> list[str]:
    return sorted(str(row["TOPICSTR"]) for row in rows if row["RETAINED"] == "YES")


class History:
    """A store and its model, and the handles that programs have open."""

    def __init__(self, seed: int, url: str = "sqlite://") -> None:
        self.chance = Random(seed)
        environment = Environment.frozen(at=START)
        self.clock = environment.clock
        self.store = open_store(url, environment)
        self.qmgr = self.store.create_queue_manager("QM1")
        self.model = PublicationModel(START)
        self.run(*(f"DEFINE QLOCAL({each})" for each in (*PROVIDED, DEAD)))
        self.connections: dict[str, Connection] = {}
        self.opened: list[Open] = []
        self.subscribed: list[tuple[str, OpenSubscription, Subscription]] = []
        self.topics: dict[tuple[str, str], ObjectHandle] = {}
        self.names: dict[str, str] = {each: each for each in (*PROVIDED, DEAD)}
        self.bodies = 0
        # The subscriptions after some of the events.
        self.seen: dict[int, Known] = {}
        self.log: list[str] = []

    # What is used by all steps

    def run(self, *commands: str) -> None:
        for command in commands:
            assert self.succeeds(command), command

    def succeeds(self, command: str) -> bool:
        [reply] = mqsc.run(self.qmgr, command)
        if reply.completion == FAILED:
            self.log.append(reply.text)
        return reply.completion != FAILED

    def program(self) -> str:
        return self.chance.choice(PROGRAMS)

    def connection(self, program: str) -> Connection:
        if program not in self.connections:
            self.connections[program] = self.qmgr.connect(program, "anna")
        return self.connections[program]

    def provided(self, program: str, queue: str) -> ObjectHandle:
        """The handle of a program for a queue that commands defined."""
        for each in self.opened:
            if (each.program, each.queue, each.handle.name) == (program, queue, queue):
                return each.handle
        handle = self.connection(program).open(queue, MQOO.INPUT_SHARED)
        self.opened.append(Open(program, queue, handle))
        return handle

    def unit_bit(self) -> bool:
        return self.chance.random() < 0.3

    # Publications and messages

    def publish(self) -> None:
        chance, who = self.chance, self.program()
        self.bodies += 1
        given = Publication(
            chance.choice(TOPICS),
            str(self.bodies),
            chance.choice(("", "", "red", "blue")),
            chance.choice((-1, 0, 3, 9)),
            chance.choice((0, 1, 2)),
            chance.choice((-1, -1, 15, 100)),
        )
        in_unit, retain = self.unit_bit(), chance.random() < 0.3
        not_own = not in_unit and chance.random() < 0.15
        warn, level = chance.random() < 0.3, chance.choice((9, 9, 9, 4, 1, 0))
        options = MQPMO.SYNCPOINT if in_unit else MQPMO.NO_SYNCPOINT
        options |= MQPMO.RETAIN if retain else MQPMO.NONE
        options |= MQPMO.NOT_OWN_SUBS if not_own else MQPMO.NONE
        options |= MQPMO.WARN_IF_NO_SUBS_MATCHED if warn else MQPMO.NONE
        self.log.append(f"{who} publishes {given} {options!r} level {level}")
        expected = self.model.publish(
            who, given, retain=retain, in_unit=in_unit, level=level, not_own=not_own, warn=warn
        )
        assert self._published(who, given, options, level) == expected

    def _published(self, who: str, given: Publication, options: int, level: int) -> int:
        connection = self.connection(who)
        handle = None
        if given.color:
            handle = connection.create_message_handle()
            handle.set("Color", given.color)
        descriptor = MessageDescriptor(
            priority=given.priority, persistence=given.persistence, expiry=given.expiry
        )
        message = Message(given.body.encode(), descriptor)
        wanted = PutMessageOptions(options, publication_level=level, message_handle=handle)
        try:
            if self.chance.random() < 0.5:
                self._topic(who, given.topic).put(message, wanted)
            else:
                connection.put1(
                    "", message, wanted, object_type=MQOT.TOPIC, object_string=given.topic
                )
        except MQError as error:
            return int(error.reason)
        return int(message.reason)

    def _topic(self, who: str, topic: str) -> ObjectHandle:
        """The handle of a program for publishing to a topic; it stays open."""
        if (who, topic) not in self.topics:
            self.topics[who, topic] = self.connection(who).open(
                "", MQOO.OUTPUT, object_type=MQOT.TOPIC, object_string=topic
            )
        return self.topics[who, topic]

    def get(self) -> None:
        if not self.opened or self.chance.random() < 0.2:
            who = self.program()
            queue = self.chance.choice((*PROVIDED, DEAD))
            handle = self.provided(who, queue)
            [found] = [each for each in self.opened if each.handle is handle]
        else:
            found = self.chance.choice(self.opened)
        for _ in range(self.chance.choice((1, 1, 3))):
            if found in self.opened:
                self.get_from(found, in_unit=self.unit_bit())

    def get_from(self, found: Open, *, in_unit: bool) -> None:
        self.log.append(f"{found.program} gets from {found.queue}, in a unit: {in_unit}")
        connection = self.connection(found.program)
        taken = connection.create_message_handle()
        options = MQGMO.PROPERTIES_IN_HANDLE
        options |= MQGMO.SYNCPOINT if in_unit else MQGMO.NO_SYNCPOINT
        wanted = GetMessageOptions(options, message_handle=taken)
        if found.queue not in self.model.queues:
            assert refusal_of(lambda: found.handle.get(wanted)) == GONE
            found.handle.close()
            self.opened.remove(found)
            return
        item = self.model.get(found.program, found.queue, in_unit=in_unit)
        if item is None:
            assert refusal_of(lambda: found.handle.get(wanted)) == NO_MESSAGE
            return
        message = found.handle.get(wanted)
        descriptor, publication = message.descriptor, item.publication
        assert message.body.endswith(publication.body.encode())
        left = -1 if item.expires_at is None else -((self.model.now - item.expires_at) // TENTH)
        assert (descriptor.priority, descriptor.persistence, descriptor.backout_count) == (
            publication.priority,
            publication.persistence,
            item.backouts,
        )
        assert descriptor.expiry == left
        if found.queue != DEAD:
            assert message.body == publication.body.encode()
            assert taken.values.get("MQTopicString") == publication.topic
            assert taken.values.get("MQIsRetained", False) is item.is_retained
            assert taken.values.get("Color", "") == publication.color

    # Subscriptions

    def wanted(self) -> Subscribing:
        chance = self.chance
        by_character = chance.random() < 0.3
        string = chance.choice(BY_CHARACTER if by_character else BY_LEVEL)
        durable = chance.random() < 0.5
        on_request = chance.random() < 0.15
        return Subscribing(
            Pattern(string, by_character),
            chance.choice(NAMES) if durable or chance.random() < 0.2 else "",
            durable,
            chance.choice(("", *PROVIDED)),
            chance.choice(SELECTORS),
            chance.choice((1, 1, 1, 1, 0, 5)),
            on_request,
            not on_request and chance.random() < 0.2,
            chance.choice((AS_PUBLISHED, AS_PUBLISHED, AS_QUEUE, 6)),
            chance.choice((-1, -1, 50, 300)),
        )

    def subscribe(self) -> None:
        chance, who, wanted = self.chance, self.program(), self.wanted()
        actions = MQSO.CREATE
        if wanted.name:
            actions = chance.choice(
                (
                    MQSO.CREATE,
                    MQSO.RESUME,
                    MQSO.ALTER,
                    MQSO.CREATE | MQSO.RESUME,
                    MQSO.CREATE | MQSO.ALTER,
                )
            )
        existing = self.model.named(wanted.name)
        is_there = existing is not None and not self.model.is_expired(existing.expires_at)
        if is_there and existing is not None:
            wanted = self._as_existing(existing, wanted)
        if len(self.model.subscriptions) >= MOST_SUBSCRIPTIONS and not is_there:
            return
        expected = self._expected(who, wanted, int(actions), existing if is_there else None)
        self.log.append(f"{who} {actions!r} {wanted} -> {expected}")
        queue = self.provided(who, wanted.queue) if wanted.queue else None
        if existing is not None and is_there and actions & MQSO.RESUME:
            queue = None
        descriptor = self._descriptor(wanted, int(actions))
        opened: list[OpenSubscription] = []
        reason = refusal_of(
            lambda: opened.append(self.connection(who).subscribe(descriptor, queue))
        )
        if isinstance(expected, int):
            assert reason == expected
            return
        assert reason == 0
        self._note(who, opened[0], expected)

    def _as_existing(self, existing: Subscription, wanted: Subscribing) -> Subscribing:
        """What ALTER may ask for."""
        made = existing.made
        return replace(
            made,
            on_request=wanted.on_request,
            new_only=False,
            priority=wanted.priority,
            expiry=wanted.expiry,
            queue=self.chance.choice(PROVIDED) if made.queue else "",
        )

    def _expected(
        self, who: str, wanted: Subscribing, actions: int, existing: Subscription | None
    ) -> int | Subscription:
        model = self.model
        if existing is None:
            if actions & MQSO.CREATE:
                return model.subscribe(who, wanted)
            return 2523 if model.named(wanted.name) else 2428
        if actions == MQSO.CREATE:
            return 2432
        if existing.holder:
            return 2429
        if actions & MQSO.ALTER:
            model.alter(existing, wanted)
        existing.holder = who
        return existing

    @staticmethod
    def _descriptor(wanted: Subscribing, actions: int) -> SubscriptionDescriptor:
        options = actions
        options |= 0 if wanted.queue else MQSO.MANAGED
        options |= MQSO.DURABLE if wanted.durable else 0
        options |= MQSO.PUBLICATIONS_ON_REQUEST if wanted.on_request else 0
        options |= MQSO.NEW_PUBLICATIONS_ONLY if wanted.new_only and actions & MQSO.CREATE else 0
        options |= MQSO.WILDCARD_CHAR if wanted.pattern.by_character else 0
        return SubscriptionDescriptor(
            int(options),
            object_string=wanted.pattern.string,
            name=wanted.name,
            selection=wanted.selector,
            level=wanted.level,
            priority=wanted.priority,
            expiry=wanted.expiry,
        )

    def _note(self, who: str, opened: OpenSubscription, expected: Subscription) -> None:
        """Remember the handles that MQSUB has returned."""
        self.subscribed.append((who, opened, expected))
        handle = opened.queue
        assert handle is not None
        if not expected.made.queue:
            self.names[expected.queue] = handle.name
        if all(each.handle is not handle for each in self.opened):
            self.opened.append(Open(who, expected.queue, handle))

    def close(self) -> None:
        if not self.subscribed:
            return
        found = self.chance.choice(self.subscribed)
        who, opened, subscription = found
        options = self.chance.choice((MQCO.NONE, MQCO.NONE, MQCO.KEEP_SUB, MQCO.REMOVE_SUB))
        is_there = subscription.number in self.model.subscriptions
        self.log.append(f"{who} closes {subscription} with {options!r}")
        reason = refusal_of(lambda: opened.close(options))
        if options == MQCO.KEEP_SUB and is_there and not subscription.made.durable:
            assert reason == 2045
            return
        assert reason == 0
        if is_there:
            self.model.close(subscription, removes=options == MQCO.REMOVE_SUB)
        self.subscribed.remove(found)

    def close_queue(self) -> None:
        if self.opened:
            found = self.chance.choice(self.opened)
            self.log.append(f"{found.program} closes {found.queue}")
            found.handle.close()
            self.opened.remove(found)

    def request(self) -> None:
        if not self.subscribed:
            return
        who, opened, subscription = self.chance.choice(self.subscribed)
        self.log.append(f"{who} requests {subscription}")
        counts: list[int] = []
        reason = refusal_of(lambda: counts.append(opened.request()))
        is_there = subscription.number in self.model.subscriptions
        if not is_there or self.model.is_expired(subscription.expires_at):
            assert reason == 2523
            return
        count = self.model.put_retained(subscription)
        if isinstance(count, int) and count:
            assert (reason, counts) == (0, [count])
        else:
            assert reason == {0: 2437, None: 2526, "": 2525}[count]

    # Commands

    def change_topic(self) -> None:
        chance = self.chance
        name = chance.choice((*OBJECTS, "SYSTEM.BASE.TOPIC"))
        is_base = name == "SYSTEM.BASE.TOPIC"
        words = chance.sample([*ATTRIBUTES], chance.choice((1, 2, 4)))
        inherited: tuple[Value, ...] = () if is_base else (AS_PARENT, AS_PARENT)
        given = {
            word: chance.choice((*ATTRIBUTES[word], *(inherited if word != "WILDCARD" else ())))
            for word in words
        }
        if is_base:
            given = {
                word: value for word, value in given.items() if value not in ("DISABLED", "BLOCK")
            }
        text = " ".join(f"{word}({value})" for word, value in given.items())
        verb = "ALTER" if is_base else chance.choice(("DEFINE", "ALTER", "DELETE"))
        expected = False
        if verb == "DEFINE":
            expected = self.model.tree.define(
                name, OBJECTS[name], {"WILDCARD": "PASSTHRU", **given}
            )
            text = f"TOPICSTR('{OBJECTS[name]}') {text}"
        elif verb == "ALTER":
            expected = self.model.tree.alter(name, given)
        else:
            expected, text = self.model.tree.delete(name), ""
        self.log.append(f"{verb} TOPIC({name}) {text}")
        assert self.succeeds(f"{verb} TOPIC({name}) {text}") is expected

    def change_queue(self) -> None:
        name = self.chance.choice((*PROVIDED, DEAD))
        queue = self.model.queues[name]
        queue.most = self.chance.choice((0, 2, 5, 5000, 5000))
        queue.is_enabled = self.chance.random() < 0.8
        queue.default_priority = self.chance.choice((0, 4))
        word = "ENABLED" if queue.is_enabled else "DISABLED"
        command = (
            f"ALTER QLOCAL({name}) MAXDEPTH({queue.most}) PUT({word})"
            f" DEFPRTY({queue.default_priority})"
        )
        self.log.append(command)
        self.run(command)

    def change_manager(self) -> None:
        chance, model = self.chance, self.model
        model.dead_letters = chance.random() < 0.6
        model.can_retain = chance.random() < 0.85
        model.can_read_retained = chance.random() < 0.85
        words = {True: "ENABLED", False: "DISABLED"}
        commands = (
            f"ALTER QMGR DEADQ({DEAD if model.dead_letters else ' '!r})",
            f"ALTER QLOCAL(SYSTEM.RETAINED.PUB.QUEUE) PUT({words[model.can_retain]})"
            f" GET({words[model.can_read_retained]})",
        )
        self.log += commands
        self.run(*commands)

    def define_subscription(self) -> None:
        name = self.chance.choice((*DEFINED, "D1"))
        wanted = replace(
            self.wanted(), name=name, durable=True, new_only=False, is_administrative=True
        )
        existing = self.model.named(name)
        if self.chance.random() < 0.4:
            command = f"DELETE SUB({name})"
            is_deleted = existing is not None and not existing.holder
            if is_deleted and existing is not None:
                self.model.end(existing)
            self.log.append(command)
            assert self.succeeds(command) is is_deleted
            return
        command = " ".join(
            (
                f"DEFINE SUB({name}) TOPICSTR('{wanted.pattern.string}')",
                f"WSCHEMA({'CHAR' if wanted.pattern.by_character else 'TOPIC'})",
                f"DEST({wanted.queue})" if wanted.queue else "DESTCLAS(MANAGED)",
                f"SUBLEVEL({wanted.level}) REQONLY({'YES' if wanted.on_request else 'NO'})",
                f"PUBPRTY({ {-3: 'ASPUB', -1: 'ASQDEF'}.get(wanted.priority, wanted.priority) })",
                f"EXPIRY({'UNLIMITED' if wanted.expiry < 0 else wanted.expiry})",
                "SELECTOR('{}')".format(wanted.selector.replace("'", "''"))
                if wanted.selector
                else "",
                "SUBUSER(anna)",
            )
        )
        found = 2432 if existing else self.model.subscribe("", wanted)
        self.log.append(f"{command} -> {found}")
        assert self.succeeds(command) is isinstance(found, Subscription)

    def clear(self) -> None:
        pattern = self.chance.choice(("a/#", "x", "#", "a/+", "a"))
        self.log.append(f"CLEAR TOPICSTR({pattern})")
        self.model.clear(pattern)
        self.run(f"CLEAR TOPICSTR('{pattern}') CLRTYPE(RETAINED)")

    # Time and ends

    def commit(self) -> None:
        who = self.program()
        self.log.append(f"{who} commits")
        self.model.commit(who)
        self.connection(who).commit()

    def back(self) -> None:
        who = self.program()
        self.log.append(f"{who} backs out")
        self.model.back(who)
        self.connection(who).back()

    def advance(self) -> None:
        seconds = self.chance.choice((0.1, 1, 2, 6, 25))
        self.log.append(f"{seconds} seconds pass")
        self.clock.advance(seconds)
        self.model.now = self.clock.now()

    def scan(self) -> None:
        self.log.append("REFRESH QMGR TYPE(EXPIRY)")
        refresh_expiry(self.qmgr)
        self.model.scan()

    def leave(self) -> None:
        who = self.program()
        self.log.append(f"{who} disconnects")
        self.model.leave(who)
        self.connection(who).disconnect()
        del self.connections[who]
        self.opened = [each for each in self.opened if each.program != who]
        self.topics = {key: handle for key, handle in self.topics.items() if key[0] != who}
        self.subscribed = [each for each in self.subscribed if each[0] != who]

    def restart(self) -> None:
        self.log.append("the queue manager ends and starts")
        self.qmgr.end(immediate=True)
        self.qmgr.start()
        self.model.restart(PROGRAMS)
        self.connections.clear()
        self.opened.clear()
        self.topics.clear()
        self.subscribed.clear()

    # Comparison

    def live(self, steps: int) -> None:
        """Take so many random steps, and end."""
        chosen = self.chance.choices([*WEIGHTS], [*WEIGHTS.values()], k=steps)
        try:
            for number, step in enumerate(chosen, 1):
                step(self)
                if number % BETWEEN_COMPARISONS == 0:
                    self.compare()
            self.end()
        except AssertionError as wrong:
            last = "\n".join(self.log[-SHOWN_STEPS:])
            raise AssertionError(f"after {len(self.log)} steps: {wrong}\n{last}") from wrong

    def compare(self) -> None:
        """What commands show is what the model has."""
        model = self.model
        for key, name in self.names.items():
            if key in model.queues:
                [reply] = mqsc.run(self.qmgr, f"DISPLAY QLOCAL({name}) CURDEPTH")
                assert reply.rows[0]["CURDEPTH"] == model.queues[key].depth, key
        [reply] = mqsc.run(self.qmgr, "DISPLAY SUB(*) TOPICSTR DURABLE")
        shown = sorted((row["SUB"], row["TOPICSTR"], row["DURABLE"]) for row in reply.rows)
        expected = sorted(
            (each.made.name, each.made.pattern.string, "YES" if each.made.durable else "NO")
            for each in model.subscriptions.values()
        )
        own = [row for row in shown if not row[0].startswith("SYSTEM.")]
        assert own == expected
        self.seen[self.store.bound().seq] = self.known_of(self.qmgr)
        words = [word for word in ATTRIBUTES if word not in _NOT_SHOWN]
        [reply] = mqsc.run(self.qmgr, f"DISPLAY TPSTATUS('#') RETAINED {' '.join(words)}")
        assert _retained(reply.rows) == sorted(model.visible())
        for row in reply.rows:
            values = {word: model.tree.value(row["TOPICSTR"], word) for word in words}
            assert {word: row[word] for word in words} == values

    @staticmethod
    def known_of(qmgr: QueueManager) -> Known:
        """What of subscriptions the history knows, also of those that are gone, and the topic
        strings that have a retained publication.
        """
        words = "TOPICSTR DURABLE DEST SELECTOR SUBLEVEL WSCHEMA REQONLY DESTCLAS SUBTYPE SUBUSER"
        [reply] = mqsc.run(qmgr, f"DISPLAY SUB(*) {words}")
        subscriptions = sorted((dict(row) for row in reply.rows), key=lambda row: str(row["SUBID"]))
        [status] = mqsc.run(qmgr, "DISPLAY TPSTATUS('#') RETAINED")
        return subscriptions, _retained(status.rows)

    def end(self) -> None:
        """Everybody leaves, nothing is left that belongs to nobody, and the history accounts for
        every message.
        """
        for who in [*self.connections]:
            self.model.leave(who)
            self.connections[who].disconnect()
        self.opened.clear()
        self.compare()
        managed = [each for each in self.model.queues if each.startswith("managed")]
        [reply] = mqsc.run(self.qmgr, "DISPLAY QLOCAL(SYSTEM.MANAGED.*)")
        assert len(reply.rows) == len(managed)
        for queue in (*PROVIDED, DEAD):
            found = Open("A", queue, self.qmgr.connect("A", "anna").open(queue, MQOO.INPUT_SHARED))
            self.connections["A"] = found.handle.connection
            while self.model.queues[queue].items:
                self.get_from(found, in_unit=False)
            self.get_from(found, in_unit=False)
        assert audit(self.store).findings == []

    def close_store(self) -> None:
        self.store.close()


Step = Callable[[History], None]
WEIGHTS: dict[Step, float] = {
    History.publish: 30,
    History.get: 20,
    History.subscribe: 12,
    History.close: 5,
    History.close_queue: 2,
    History.request: 3,
    History.commit: 6,
    History.back: 4,
    History.advance: 5,
    History.change_topic: 5,
    History.change_queue: 3,
    History.change_manager: 2,
    History.define_subscription: 4,
    History.clear: 1,
    History.scan: 1,
    History.leave: 1,
    History.restart: 0.4,
}
BETWEEN_COMPARISONS = 25
# How many steps a failure shows.
SHOWN_STEPS = 40
