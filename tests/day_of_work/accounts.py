"""Every message accounted for: the journals of the writers against those of the readers and the
events of the archive.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pyarrow.compute as pc  # type: ignore[import-untyped]
import pyarrow.dataset as ds  # type: ignore[import-untyped]
from msgspec import Struct

from tests.day_of_work.journals import Unit, units
from tests.day_of_work.programs import PUBLISHER, READERS, SUBSCRIBER, WRITERS
from tests.day_of_work.world import Place

# Kinds of events that end a message which no program got.
EXPIRED, DISCARDED = "EXPIRE", "DISCARD"


class Ends(Struct, frozen=True):
    """How often each message ended: certainly, or possibly, because a reader was killed before its
    journal had that the commit returned.
    """

    certain: Counter[str]
    possible: Counter[str]


class Account(Struct, frozen=True):
    """The sums of a day, and what does not fit, in sentences.

    `doubtful` are the messages in units of work of killed writers, `unsure` those in units of killed
    readers whose journals do not say that the commit returned: it may have.
    """

    accepted: int
    doubtful: int
    got: int
    unsure: int
    expired: int
    discarded: int
    faults: tuple[str, ...]

    def line(self) -> str:
        return (
            f"{self.accepted} messages accepted, and {self.doubtful} in units of killed writers; "
            f"{self.got} got, {self.unsure} perhaps got by killed readers, {self.expired} expired, "
            f"{self.discarded} discarded by the "
            "dead-letter handler"
        )


def account(place: Place) -> Account:
    """Read the journals and the archive, when all programs have ended and all queues are empty."""
    placed, published = _written(place, to_topics=False), _written(place, to_topics=True)
    got = _got(place, [name for name in READERS if name != SUBSCRIBER])
    received = _got(place, [SUBSCRIBER])
    expired, discarded = (events_of(place.archive, kind) for kind in (EXPIRED, DISCARDED))
    ends = Ends(got.certain + expired + discarded, got.possible)
    faults = [
        *faults_of(placed, ends),
        *faults_of(published, received),
        *unrecorded(placed, events_of(place.archive, "PUT")),
    ]
    every = [*placed, *published]
    return Account(
        sum(len(unit.identifiers) for unit in every if unit.is_done),
        sum(len(unit.identifiers) for unit in every if not unit.is_done),
        got.certain.total() + received.certain.total(),
        len(got.possible.keys() - ends.certain.keys())
        + len(received.possible.keys() - received.certain.keys()),
        expired.total(),
        discarded.total(),
        tuple(faults),
    )


def _written(place: Place, *, to_topics: bool) -> list[Unit]:
    names = [name for name in WRITERS if (name == PUBLISHER) is to_topics]
    return [unit for name in names for unit in units(place.journal(name))]


def _got(place: Place, names: Sequence[str]) -> Ends:
    ends = Ends(Counter(), Counter())
    for name in names:
        for unit in units(place.journal(name)):
            (ends.certain if unit.is_done else ends.possible).update(unit.identifiers)
    return ends


def events_of(archive: Path, kind: str) -> Counter[str]:
    """How many events of a kind the archive has about each message of the day, in all stores."""
    condition = pc.field("kind") == kind
    history = ds.dataset(archive, partitioning="hive")
    found = history.to_table(columns=["msg_id"], filter=condition)["msg_id"].to_pylist()
    names = (each.rstrip(b"\0") for each in found if each is not None)
    # MsgIds that the queue manager made begin otherwise.
    return Counter(each.decode() for each in names if each.startswith(_OWN))


_OWN = tuple(f"{name}.".encode() for name in WRITERS)


def faults_of(written: Iterable[Unit], ends: Ends) -> Iterator[str]:
    """Messages that were lost, were there twice, or came from nowhere; units of work of which a
    part is lost.
    """
    known: set[str] = set()
    for unit in written:
        known.update(unit.identifiers)
        yield from (f"{each} ended twice" for each in unit.identifiers if ends.certain[each] > 1)
        lost = [each for each in unit.identifiers if not _has_ended(each, ends)]
        was_there = unit.is_done or any(ends.certain[each] for each in unit.identifiers)
        if lost and was_there:
            yield f"lost: {' '.join(lost)}"
    yield from (f"{each} was never put" for each in sorted({*ends.certain} - known))


def _has_ended(name: str, ends: Ends) -> bool:
    return bool(ends.certain[name] or ends.possible[name])


def unrecorded(written: Iterable[Unit], placed: Counter[str]) -> Iterator[str]:
    """Messages that were accepted and of which no event says so."""
    accepted = (each for unit in written if unit.is_done for each in unit.identifiers)
    return (f"no event says that {each} was put" for each in accepted if not placed[each])
