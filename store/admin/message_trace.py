"""The life of a message in one store or several, read from their histories."""

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from mqsc.store.admin.event_search import EventIndex
from mqsc.store.engine.state import StoreState
from mqsc.store.rules import event_index, message_trace as rules
from mqsc.store.rules.channel.connection_name import addresses
from mqsc.store.rules.message_trace import (
    Followed,
    OpenUnits,
    Role,
    StoreTrace,
    TracedEvent,
    TraceStep,
)
from mqsc.store.sql import search
from mqsc.store.sql.rows import MessageState

ID_LENGTH = 24


class PlacedMessage(NamedTuple):
    """A message that is on a queue of a store: its state, and times in microseconds UTC.

    `msg_id` is that of the message that it carries, if it is one of a transmission queue.
    `in_doubt` is the name of the unit of work in doubt that holds it: a channel.
    """

    store: int
    qmgr: str
    queue: str
    msg_id: bytes
    role: Role
    state: str
    put_at: int
    expires_at: int | None
    in_doubt: str | None


class MessageLife(NamedTuple):
    """The life of a message: its MsgId, and every step with the number of its store, in order.

    `carrier` is the MsgId that was looked for, if it was that of a message on a transmission queue
    that carried it. `carried`: the messages that some with this MsgId carried, if others have it,
    too. `is_complete`: all reports and replies were followed.
    """

    msg_id: bytes
    carrier: bytes | None
    steps: list[tuple[int, TraceStep]]
    there: list[PlacedMessage]
    is_complete: bool
    carried: Sequence[bytes] = ()


def matching_ids(
    stores: Sequence[StoreState],
    prefix: str,
    most: int,
    *,
    inform: Callable[[], None] = lambda: None,
) -> list[bytes]:
    """The MsgIds that begin with these hexadecimal digits, in order; no more than `most` are looked
    for.

    An identifier that is `prefix` and zeros is the only one, if it exists: identifiers are often
    written without them. `inform` is called if the index of a history lacks so much that this takes
    seconds.
    """
    low, high = range_of(prefix)
    message_ids: set[bytes] = set()
    indexes = [EventIndex(store, inform) for store in stores]
    for index, store in zip(indexes, stores, strict=True):
        message_ids |= _ids_in(index, store, low, low, 1)
    if message_ids or low == high:
        return sorted(message_ids)
    for index, store in zip(indexes, stores, strict=True):
        message_ids |= _ids_in(index, store, low, high, most)
        if len(message_ids) >= most:
            break
    return sorted(message_ids)[:most]


def range_of(prefix: str) -> tuple[bytes, bytes]:
    """The lowest and the highest MsgId that begin with these digits."""
    low, high = (bytes.fromhex(prefix.ljust(2 * ID_LENGTH, digit)) for digit in "0F")
    return low, high


def _ids_in(index: EventIndex, store: StoreState, low: bytes, high: bytes, most: int) -> set[bytes]:
    message_ids = set(store.read(search.ids_of_messages, low, high, most))
    common = next((size for size in range(ID_LENGTH) if low[size] != high[size]), ID_LENGTH)
    begins = event_index.of_prefix(low[:common])
    for first, last in index.ranges(event_index.Wanted(() if begins is None else ((begins,),))):
        if len(message_ids) >= most:
            break
        message_ids |= store.read(search.ids_of_events, first, last, low, high)
    return message_ids


def life_of(stores: Sequence[StoreState], msg_id: bytes) -> MessageLife:
    """The life of the message with that MsgId in these stores.

    The MsgId of a message on a transmission queue stands for that of the message that it carries,
    unless other messages have it, too.
    """
    found = _life(stores, msg_id)
    embedded = rules.embedded((step.event for _, step in found.steps), msg_id)
    if embedded.is_all and len(embedded.msg_ids) == 1:
        return _life(stores, embedded.msg_ids[0])._replace(carrier=msg_id)
    return found._replace(carried=embedded.msg_ids)


def _life(stores: Sequence[StoreState], msg_id: bytes) -> MessageLife:
    followed = Followed(msg_id)
    events: list[dict[int, TracedEvent]] = [{} for _ in stores]
    read: list[set[bytes]] = [set() for _ in stores]
    while any(set(followed.roles) - done for done in read):
        for store, found, done in zip(stores, events, read, strict=True):
            new = set(followed.roles) - done
            if new:
                done |= _read(store, followed, new, found)
    traces = [_replayed(followed, found) for found in events]
    places = (
        (number, store, each) for number, store in enumerate(stores) for each in followed.roles
    )
    # A message with two identifiers that are followed is found twice.
    there = dict.fromkeys(
        chain.from_iterable(
            _placed(store, number, each, followed) for number, store, each in places
        ),
    )
    return MessageLife(msg_id, None, rules.in_order(traces), list(there), followed.is_complete)


def _read(
    store: StoreState,
    followed: Followed,
    new: set[bytes],
    events_by_number: dict[int, TracedEvent],
) -> set[bytes]:
    """Add the events of the store about the messages `new`, and those that they lead to; all
    that were looked for.
    """
    units = OpenUnits(followed)
    for seq in sorted(events_by_number):
        units.learn(events_by_number[seq])
    trace = StoreTrace(followed)
    # Where to look, which every segment that is read may change.
    prints = _prints(new, units, trace)
    for first, last in EventIndex(store).ranges(event_index.Wanted((prints,))):
        here: dict[int, TracedEvent] = {}
        grows = True
        while grows:
            rows = store.read(
                search.events,
                first,
                last,
                sorted(new),
                units.last(search.MOST_VALUES),
            )
            grows = False
            for event in map(rules.event_of, rows):
                if event.kind in rules.COMMANDS and not events_by_number:
                    continue
                here[event.seq] = events_by_number[event.seq] = event
                if followed.learn(event) and event.msg_id:
                    new.add(event.msg_id)
                    grows = True
                grows |= units.learn(event)
        for seq in sorted(here):
            trace.learn(here[seq])
        _add_publications(store, followed, events_by_number)
        prints.clear()
        prints |= _prints(new, units, trace)
    return new


# How many events are read at a time to find the copies of a publication, which follow it.
_AT_A_TIME = 1_000


def _add_publications(
    store: StoreState, followed: Followed, events_by_number: dict[int, TracedEvent]
) -> None:
    """Add the publications that messages of the life are or are copies of, and all their copies."""
    found = {
        (event.qmgr, number)
        for event in events_by_number.values()
        if (number := followed.publication_of(event)) is not None
    }
    for key in sorted(found - followed.publications):
        followed.publications.add(key)
        for event in _publication(store, key[1]):
            events_by_number[event.seq] = event
            followed.add_copy(event)


def _publication(store: StoreState, number: int) -> Iterator[TracedEvent]:
    """A PUBLISH and its copies; nothing if the history no longer has it."""
    wanted = {"kinds": ["PUBLISH", "PUT"]}
    [*first] = map(
        rules.event_of, store.read(search.search, number, number, {"kinds": ["PUBLISH"]}, 1)
    )
    yield from first
    missing = sum(map(rules.copies_of, first))
    last = number
    while missing > 0:
        rows = store.read(search.search, last + 1, last + _AT_A_TIME, wanted, _AT_A_TIME)
        events = [*map(rules.event_of, rows)]
        copies = [each for each in events if each.detail.get(rules.PUBLICATION) == number]
        yield from copies
        missing -= len(copies)
        last += _AT_A_TIME
        # Copies are put in the transaction of their publication: another one is beyond them.
        if not copies:
            return


def _prints(new: Collection[bytes], units: OpenUnits, trace: StoreTrace) -> set[int]:
    open_units = map(event_index.of_unit, units.last(search.MOST_VALUES))
    return {*map(event_index.of_id, new), *open_units, *trace.prints()}


def _replayed(followed: Followed, events_by_number: dict[int, TracedEvent]) -> list[TraceStep]:
    trace = StoreTrace(followed)
    for seq in sorted(events_by_number):
        trace.learn(events_by_number[seq])
    return trace.steps


def _placed(
    store: StoreState,
    number: int,
    msg_id: bytes,
    followed: Followed,
) -> Iterator[PlacedMessage]:
    """The messages on queues that are one of those followed, carry it, or reply to it."""
    rows = store.read(search.messages, msg_id)
    for owner, queue, own, correl_id, state, put_at, expires_at, put_application, in_doubt in rows:
        role = rules.role_on_queue(followed, owner, queue, own, correl_id, put_application)
        if role is not None:
            about = correl_id if role is Role.TRANSMISSION else own
            name = MessageState(state).name
            yield PlacedMessage(
                number,
                owner,
                queue,
                about,
                role,
                name,
                put_at,
                expires_at,
                in_doubt,
            )


def partner_urls(store: StoreState) -> list[str]:
    """The URLs of the stores that the channels of a store lead to: in connection names, and
    mapped to addresses.
    """
    texts = store.read(search.addresses)
    return list(
        dict.fromkeys(each.store for text in texts for each in addresses(text) if each.store),
    )
