"""Names of objects, and of queues that neither the store nor its history knows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mqsc.store.admin.read_only_store import managers_of
from mqsc.store.catalog.spelling import similar_names
from mqsc.store.engine.state import StoreState
from mqsc.store.rules.names import matches
from mqsc.store.sql import objects, search
from mqsc.store.sqlite.database import Reading

MOST_SIMILAR = 3


def defined_names(store: StoreState, qmgr: str | None, namespace: str) -> list[str]:
    """The names in a namespace of a queue manager, sorted; of the default queue manager if it is
    None.
    """
    owner = managers_of(store).default if qmgr is None else qmgr
    return sorted(store.read(objects.names, owner, namespace))


def unknown_queue(
    store: StoreState,
    patterns: Iterable[str],
    qmgr: str = "",
) -> tuple[str, Sequence[str]] | None:
    """Return the first name, or generic name, of no queue of the queue manager, with similar names;
    None if all exist.

    A queue that was deleted exists as long as the history mentions it. A blank `qmgr` stands for
    all queue managers.
    """
    with Reading(store.database) as reading:
        names = set(objects.names(reading, qmgr, "queue"))
        missing = [pattern for pattern in patterns if not _exists(pattern, names)]
        if not missing:
            return None
        names.update(search.names_of_queues(reading, qmgr))
    unknown = next((pattern for pattern in missing if not _exists(pattern, names)), None)
    return None if unknown is None else (unknown, _similar(unknown, names))


def _exists(pattern: str, names: Iterable[str]) -> bool:
    return any(matches(pattern, name) for name in names)


def _similar(pattern: str, names: Iterable[str]) -> list[str]:
    """The names that look most like the pattern; a difference in case counts least."""
    return similar_names(pattern.rstrip("*"), names, most=MOST_SIMILAR)
