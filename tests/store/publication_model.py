"""A simple, slow model of publish/subscribe: queues, subscriptions and retained publications as
lists, with marks on messages for open units of work (publish-subscribe §2 to §5).

The random histories of test_publication_model.py compare the store with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.store.topic_tree_model import Pattern, Tree

TENTH = 100_000
AS_PUBLISHED, AS_QUEUE = -3, -1
PUT_INHIBITED, FULL = 2051, 2053
PROVIDED = ("Q1", "Q2")
DEAD = "DLQ"


@dataclass(frozen=True)
class Publication:
    """What a program publishes; expiry is in tenths of a second, -1 for unlimited, and persistence
    2 is that of the topic.
    """

    topic: str
    body: str
    color: str = ""
    priority: int = -1
    persistence: int = 0
    expiry: int = -1


@dataclass(eq=False)
class Item:
    """A message, and the programs whose units of work have put or got it."""

    publication: Publication
    expires_at: int | None
    number: int
    is_retained: bool = False
    put_by: str = ""
    got_by: str = ""
    backouts: int = 0
    # A later retained publication is committed.
    is_replaced: bool = False

    @property
    def place(self) -> tuple[int, int]:
        return -self.publication.priority, self.number

    @property
    def is_ready(self) -> bool:
        return not (self.put_by or self.got_by)


@dataclass
class Queue:
    """A queue: how many messages it takes, and its messages."""

    most: int = 1 << 30
    is_enabled: bool = True
    default_priority: int = 0
    is_temporary: bool = False
    items: list[Item] = field(default_factory=list)

    @property
    def depth(self) -> int:
        return sum(not item.got_by for item in self.items)


@dataclass
class Subscribing:
    """What a subscription is made with."""

    pattern: Pattern
    name: str = ""
    durable: bool = False
    # One of PROVIDED, or blank for a managed one.
    queue: str = ""
    selector: str = ""
    level: int = 1
    on_request: bool = False
    new_only: bool = False
    priority: int = AS_PUBLISHED
    expiry: int = -1
    is_administrative: bool = False


@dataclass
class Subscription:
    """A subscription: `queue` is the key of its queue, `holder` the program that has it open."""

    number: int
    made: Subscribing
    queue: str
    expires_at: int | None
    holder: str = ""


def selects(selector: str, publication: Publication) -> bool:
    """Whether a selector, one of SELECTORS, is true of a publication."""
    color = publication.color
    return {
        "": True,
        "Color='red'": color == "red",
        "Color<>'red'": color not in ("", "red"),
        "Color IS NULL OR Root.MQMD.Priority > 4": not color or publication.priority > 4,
        "MQTopicString LIKE 'a/%'": publication.topic.startswith("a/"),
    }[selector]


SELECTORS = (
    "",
    "",
    "",
    "Color='red'",
    "Color<>'red'",
    "Color IS NULL OR Root.MQMD.Priority > 4",
    "MQTopicString LIKE 'a/%'",
)
# What is to be put: on which queue, and what.
Placed = list[tuple[str, Item]]


@dataclass
class PublicationModel:
    """Everything by its name; `dead_letters`: whether DEADQ names the dead-letter queue."""

    now: int
    tree: Tree = field(default_factory=Tree)
    queues: dict[str, Queue] = field(
        default_factory=lambda: {each: Queue() for each in (*PROVIDED, DEAD)}
    )
    subscriptions: dict[int, Subscription] = field(default_factory=dict)
    retained: dict[str, list[Item]] = field(default_factory=dict)
    dead_letters: bool = False
    can_retain: bool = True
    can_read_retained: bool = True
    numbers: int = 0

    # Publishing

    def publish(
        self,
        who: str,
        given: Publication,
        *,
        retain: bool,
        in_unit: bool,
        level: int,
        not_own: bool,
        warn: bool,
    ) -> int:
        """The reason of an error or a warning, or 0."""
        if self.tree.value(given.topic, "PUB") == "DISABLED":
            return PUT_INHIBITED
        publication = self._decided(given)
        receiving = self._receiving(publication, level, who if not_own else "")
        unit = who if in_unit else ""
        word = "PMSGDLV" if publication.persistence else "NPMSGDLV"
        placed: Placed = []
        for each in receiving:
            if self._place(each, publication, placed, unit):
                continue
            delivery = self.tree.value(given.topic, word)
            if delivery == "ALL" or (delivery == "ALLDUR" and each.made.durable):
                return 2502
        if retain and not self.can_retain:
            return 2479
        if retain:
            self._retain(publication, unit)
        self._put(placed)
        return 2550 if warn and not receiving else 0

    def _decided(self, given: Publication) -> Publication:
        """What the topic decides where the publisher leaves it open."""
        value = self.tree.value
        priority = value(given.topic, "DEFPRTY") if given.priority < 0 else given.priority
        persistence = given.persistence
        if persistence == 2:
            persistence = int(value(given.topic, "DEFPSIST") == "YES")
        cap = value(given.topic, "CAPEXPRY")
        expiry = given.expiry
        if isinstance(cap, int):
            expiry = cap if expiry < 0 else min(expiry, cap)
        return Publication(given.topic, given.body, given.color, int(priority), persistence, expiry)

    def _receiving(self, publication: Publication, level: int, not_of: str) -> list[Subscription]:
        found = [
            each
            for each in self.subscriptions.values()
            if self._reaches(each.made, publication)
            and not self.is_expired(each.expires_at)
            and not each.made.on_request
            and not (not_of and each.holder == not_of)
            and each.made.level <= level
        ]
        highest = max((each.made.level for each in found), default=0)
        return [each for each in found if each.made.level == highest]

    def _reaches(self, made: Subscribing, publication: Publication) -> bool:
        topic = publication.topic
        blocked = made.pattern.is_blocked(self.tree.block(topic))
        return made.pattern.matches(topic) and not blocked and selects(made.selector, publication)

    def _place(
        self,
        subscription: Subscription,
        publication: Publication,
        placed: Placed,
        unit: str,
        retained: Item | None = None,
    ) -> bool:
        """Whether a copy can be put on the queue of the subscription, or else on the dead-letter
        queue.
        """
        made, queue = subscription.made, self.queues[subscription.queue]
        priority = {AS_PUBLISHED: publication.priority, AS_QUEUE: queue.default_priority}
        copy = Publication(
            publication.topic,
            publication.body,
            publication.color,
            priority.get(made.priority, made.priority),
            0 if queue.is_temporary else publication.persistence,
            publication.expiry,
        )
        expires_at = retained.expires_at if retained else self._end_of(publication.expiry)
        item = Item(copy, expires_at, 0, is_retained=retained is not None, put_by=unit)
        ways = [subscription.queue]
        if self.dead_letters and self.tree.value(publication.topic, "USEDLQ") == "YES":
            ways.append(DEAD)
        pending = Counter(name for name, _ in placed)
        for name in ways:
            if self.queues[name].is_enabled and self._has_room(name, pending[name]):
                placed.append((name, item))
                return True
        return False

    def _has_room(self, name: str, pending: int) -> bool:
        queue = self.queues[name]
        return queue.depth + pending < queue.most

    def _put(self, placed: Placed) -> None:
        for name, item in placed:
            self.numbers += 1
            item.number = self.numbers
            self.queues[name].items.append(item)

    def _end_of(self, expiry: int) -> int | None:
        return None if expiry < 0 else self.now + expiry * TENTH

    def is_expired(self, expires_at: int | None) -> bool:
        return expires_at is not None and self.now >= expires_at

    # Retained publications

    def _retain(self, publication: Publication, unit: str) -> None:
        kept = self.retained.setdefault(publication.topic, [])
        for item in [each for each in kept if each.is_ready]:
            if unit:
                item.got_by = unit
            else:
                kept.remove(item)
        self.numbers += 1
        expires_at = self._end_of(publication.expiry)
        kept.append(Item(publication, expires_at, self.numbers, put_by=unit))
        self._settle()

    def _settle(self) -> None:
        """What was retained before the latest that is committed does not return, whatever becomes
        of that one.
        """
        for items in self.retained.values():
            committed = [place for place, item in enumerate(items) if not item.put_by]
            for item in items[: committed[-1]] if committed else ():
                item.is_replaced = True
            items[:] = [item for item in items if not (item.is_replaced and item.is_ready)]

    def visible(self) -> dict[str, Item]:
        """The retained publication of each topic string that has one: the latest that is
        committed.
        """
        committed = {
            topic: [item for item in items if not (item.put_by or item.is_replaced)]
            for topic, items in self.retained.items()
        }
        latest = {topic: items[-1] for topic, items in committed.items() if items}
        return {
            topic: item for topic, item in latest.items() if not self.is_expired(item.expires_at)
        }

    def clear(self, pattern: str) -> None:
        """CLEAR TOPICSTR; what a unit of work replaces is not there to be cleared."""
        wanted = Pattern(pattern, by_character=False)
        for topic, items in self.retained.items():
            if wanted.matches(topic):
                items[:] = [item for item in items if not item.is_ready]

    # Subscribing

    def named(self, name: str) -> Subscription | None:
        """The subscription of that name."""
        found = [each for each in self.subscriptions.values() if name == each.made.name != ""]
        return found[0] if found else None

    def subscribe(self, who: str, wanted: Subscribing) -> int | Subscription:
        """The new subscription, or the reason why there is none. An expired one of that name is
        replaced.
        """
        value = self.tree.value
        if value(wanted.pattern.node, "SUB") == "DISABLED" and not wanted.is_administrative:
            return 2503
        if value(wanted.pattern.node, "DURSUB") == "NO" and wanted.durable:
            return 2436
        self.numbers += 1
        queue = wanted.queue or f"managed {self.numbers}"
        expires_at = self._end_of(wanted.expiry)
        subscription = Subscription(self.numbers, wanted, queue, expires_at, who)
        if not wanted.queue:
            self.queues[queue] = Queue(is_temporary=not wanted.durable)
        if not (wanted.on_request or wanted.new_only):
            found = self.put_retained(subscription)
            if found is None or isinstance(found, str):
                if not wanted.queue:
                    del self.queues[queue]
                return 2526 if found is None else 2525
        expired = self.named(wanted.name)
        if expired is not None:
            self.end(expired)
        self.subscriptions[subscription.number] = subscription
        return subscription

    def put_retained(self, subscription: Subscription) -> int | str | None:
        """Put copies of the retained publications: how many; None when one cannot be delivered,
        and blank when they cannot be read.
        """
        if not self.can_read_retained:
            return ""
        placed: Placed = []
        for _, item in sorted(self.visible().items()):
            if not self._reaches(subscription.made, item.publication):
                continue
            if not self._place(subscription, item.publication, placed, "", item):
                return None
        self._put(placed)
        return len(placed)

    def alter(self, existing: Subscription, wanted: Subscribing) -> None:
        """MQSUB with ALTER: the time of the subscription starts anew."""
        made = existing.made
        made.priority, made.on_request = wanted.priority, wanted.on_request
        existing.expires_at = self._end_of(wanted.expiry)
        if made.queue and wanted.queue:
            made.queue = existing.queue = wanted.queue

    def close(self, subscription: Subscription, *, removes: bool) -> None:
        """MQCLOSE of a subscription that a program has open."""
        subscription.holder = ""
        if removes or not subscription.made.durable:
            self.end(subscription)

    def end(self, subscription: Subscription) -> None:
        """A subscription ends, and a managed queue with it."""
        self.subscriptions.pop(subscription.number, None)
        if not subscription.made.queue:
            self.queues.pop(subscription.queue, None)

    # Getting

    def get(self, who: str, name: str, *, in_unit: bool) -> Item | None:
        """The first message; expired ones before it are discarded."""
        queue = self.queues[name]
        for item in sorted(queue.items, key=lambda each: each.place):
            if not item.is_ready:
                continue
            if self.is_expired(item.expires_at):
                queue.items.remove(item)
                continue
            if in_unit:
                item.got_by = who
            else:
                queue.items.remove(item)
            return item
        return None

    # Ends

    def _all(self) -> Iterator[list[Item]]:
        yield from self.retained.values()
        yield from (queue.items for queue in self.queues.values())

    def commit(self, who: str) -> None:
        for items in self._all():
            items[:] = [item for item in items if item.got_by != who]
            for item in items:
                item.put_by = "" if item.put_by == who else item.put_by
        self._settle()

    def back(self, who: str) -> None:
        for items in self._all():
            items[:] = [item for item in items if item.put_by != who]
            for item in items:
                if item.got_by == who:
                    item.got_by, item.backouts = "", item.backouts + 1
        self._settle()

    def leave(self, who: str) -> None:
        """MQDISC: the unit of work is committed, and the handles are closed."""
        self.commit(who)
        for each in [each for each in self.subscriptions.values() if each.holder == who]:
            self.close(each, removes=False)

    def _scan_messages(self) -> None:
        for items in self._all():
            items[:] = [
                item for item in items if not (item.is_ready and self.is_expired(item.expires_at))
            ]

    def scan(self) -> None:
        """Remove expired messages and subscriptions."""
        self._scan_messages()
        for each in [*self.subscriptions.values()]:
            if self.is_expired(each.expires_at):
                self.end(each)

    def restart(self, programs: tuple[str, ...]) -> None:
        """End the queue manager at once and start it: what is not persistent is gone."""
        for who in programs:
            self.back(who)
        for each in [*self.subscriptions.values()]:
            self.close(each, removes=False)
        for items in self._all():
            items[:] = [item for item in items if item.publication.persistence]
        self._scan_messages()
