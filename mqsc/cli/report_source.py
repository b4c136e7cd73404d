"""What a report reads: which reports on what, and the store that is closed while they are made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from mqsc.console import target
from mqsc.console.options import Choices
from mqsc.console.parameters import UNITS, Ago
from mqsc.store.catalog.spelling import did_you_mean
from mqsc.store.environment import Environment
from mqsc.store.published import Bound

if TYPE_CHECKING:
    from mqsc.reports.sources import Archived
    from mqsc.store.client.store import Store


class ReportsWanted(Struct, frozen=True):
    """Which reports on what are made where, in the format `as_`, by the Spark at `master`."""

    names: tuple[str, ...]
    out: str
    as_: str
    since: int | Ago | None
    until: int | Ago | None
    queues: tuple[str, ...]
    archives: tuple[str, ...]
    master: str
    conf: tuple[str, ...]

    def by_the_clock(self) -> _Period:
        """The period by the machine's clock, for archives alone."""
        now = Environment.system().clock.now()
        since, until = (
            at.before(now) if isinstance(at, Ago) else at for at in (self.since, self.until)
        )
        return _Period(since, until)


class _Period(NamedTuple):
    """The events from `since` until before `until`; None for no limit."""

    since: int | None
    until: int | None


class FrozenSource(NamedTuple):
    """What a report reads of a store: its file, None for none, up to `bound`, how far it is
    archived, and the period by its clocks.
    """

    path: str | None
    bound: Bound
    archived: Archived | None
    period: _Period


@contextmanager
def frozen_store(
    choices: Choices,
    wanted: ReportsWanted,
    *,
    kept_data: bool,
) -> Iterator[FrozenSource]:
    """What is read of the store, which is closed in the block."""
    from mqsc.history.period import moment
    from mqsc.reports.catalog import expanded
    from mqsc.reports.sources import Archived
    from mqsc.store.admin.published_authority import published
    from mqsc.store.admin.sharing_groups import group_of_store
    from mqsc.store.past.removed import missed

    period = _Period(None, None)
    is_missed = False
    qmgr = choices.qmgr_name()
    authorities: list[tuple[str | int | None, ...]] = []
    doubts: list[str] = []

    def look(store: Store) -> None:
        nonlocal period, is_missed
        # Rows about shared queues have the group as their queue manager.
        names = [*(row.name for row in store.queue_managers()), group_of_store(store)]
        if qmgr is not None and qmgr not in names and not wanted.archives:
            raise target.unknown_queue_manager(qmgr)
        if not wanted.archives:
            _refuse_unknown_queue(store, wanted.queues, qmgr)
        period = _Period(
            moment(wanted.since, store, choices),
            moment(wanted.until, store, choices),
        )
        is_missed = missed(store, period.since) > 0
        if "authority" in expanded(wanted.names):
            authorities.extend(published(store))
            doubts.extend(_doubts(store, authorities))

    with target.frozen_store(choices, look, with_kept=kept_data) as frozen:
        uuid, pruned, url = frozen.archived
        if pruned and not is_missed and not wanted.archives:
            choices.inform(
                f"mqsc: old events up to {pruned} are only in the archive; add --archive {url} to "
                "include them",
            )
        bound = frozen.bound._replace(authorities=authorities)
        last = frozen.archived_up_to
        archived = Archived(uuid, pruned, url, is_missed, tuple(doubts), last)
        yield FrozenSource(frozen.path, bound, archived, period)


def _doubts(
    store: Store,
    authorities: Sequence[tuple[str | int | None, ...]],
) -> Iterator[str]:
    """A sentence for each queue manager that has authorities which may be called unused only
    because events were removed.
    """
    from mqsc.store.admin.authority_use import DAYS
    from mqsc.store.admin.read_only_store import managers_of
    from mqsc.store.past.removed import missed
    from mqsc.store.published import removed_events

    clocks = managers_of(store).now
    for name in sorted({str(qmgr) for qmgr, kind, *_ in authorities if kind == "unused"}):
        if removed := missed(store, clocks[name] - DAYS * UNITS["d"], name):
            yield (
                f"{removed_events(removed)}, so authorities of {name} in the table unused may have "
                f"been used in the last {DAYS} days"
            )


def _refuse_unknown_queue(store: Store, queues: Sequence[str], qmgr: str | None) -> None:
    from mqsc.store.admin.known_names import unknown_queue

    # `run` refuses malformed names.
    wellformed = [queue for queue in queues if queue and "*" not in queue[:-1]]
    unknown = unknown_queue(store, wellformed, qmgr or "") if wellformed else None
    if unknown is None:
        return
    name, similar = unknown
    hint = did_you_mean(similar) if similar else "DISPLAY QUEUE(*) lists those that there are"
    has_none = f"{qmgr} has" if qmgr else "there is"
    which = f"queue whose name begins with {name[:-1]}" if name.endswith("*") else f"queue {name}"
    raise target.CommandFailedError(f"{has_none} no {which}, and the history mentions none; {hint}")
