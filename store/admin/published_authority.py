"""What users may do, as reports read it."""

from __future__ import annotations

from collections.abc import Iterator

from mqsc.store.admin.authority_explanation import Cure
from mqsc.store.admin.authority_matrix import matrix
from mqsc.store.admin.authority_use import unused
from mqsc.store.admin.ineffective_records import with_covered_names
from mqsc.store.engine import authorization
from mqsc.store.engine.state import QueueManagerState, StoreState
from mqsc.store.rules.authorization import GROUP, PRINCIPAL, Grant
from mqsc.store.sql import managers


def published(store: StoreState) -> list[tuple[str | int | None, ...]]:
    """The rows of `store.published.AUTHORITY`, of the queue managers that run."""
    names = [each.name for each in store.read(managers.all) if each.state != managers.ENDED]
    return [row for name in names for row in rows_of_queue_manager(QueueManagerState(store, name))]


def rows_of_queue_manager(qmgr: QueueManagerState) -> Iterator[tuple[str | int | None, ...]]:
    def published_row(
        kind: str,
        source: Cure | Grant,
        objects: int | None = None,
    ) -> tuple[str | int | None, ...]:
        return (
            qmgr.name,
            kind,
            source.type,
            source.profile,
            *source.entity,
            " ".join(sorted(source.words)),
            objects,
        )

    with qmgr.reading() as (reading, _):
        grants = authorization.every_grant(reading, qmgr.name)
    if not grants:
        return
    for grant, covered in with_covered_names(qmgr, grants):
        yield published_row("record", grant, len(covered))
    for type in sorted({"QUEUE", *(each.type for each in grants)} - {"QMGR", "RQMNAME"}):
        for by in (PRINCIPAL, GROUP):
            effective = matrix(qmgr, by=by, type=type)
            # The queue manager is in each matrix.
            for (kind, name), cells in effective.rows if type == "QUEUE" else effective.rows[1:]:
                for entity, words in zip(effective.columns, cells, strict=True):
                    if words:
                        yield published_row("effective", Grant(name, kind, entity, words))
    for cure in unused(qmgr):
        yield published_row("unused", cure)
