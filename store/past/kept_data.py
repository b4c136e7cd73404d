"""The data of messages that have left their queues: the rules by which it is kept, and what is
kept of a message.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from mqsc.store.admin.read_only_store import managers_of
from mqsc.store.engine.state import QueueManagerState, StoreState
from mqsc.store.rules.message_trace import TracedEvent
from mqsc.store.rules.names import prefix_range
from mqsc.store.sql import kept
from mqsc.store.sql.kept import KeptSum
from mqsc.store.sql.rows import KeptRuleRow
from mqsc.store.sqlite.database import Reading, Transaction

# In place of data that is masked as a whole.
MASKED = b"masked"
# Messages that are read at a time: all their data is in memory.
PAGE = 200

_NOTHING = KeptSum(0, 0, None)


class KeptRule(NamedTuple):
    """A rule, and what it keeps now."""

    rule: KeptRuleRow
    sum: KeptSum


def keep(qmgr: QueueManagerState, name: str, span: int, most: int, masks: str) -> int:
    """Keep the data of messages that leave the queues with a name or generic name, or change how
    that is kept.

    For `span` microseconds, and no more than `most` bytes, each with `masks`
    (`store.rules.masking`). Returns how many messages were forgotten because they had been kept
    with other masks.
    """
    with Transaction(qmgr.store.database, durable=True) as tx:
        known, forgotten = _rule(tx, qmgr, name), 0
        if known is None:
            low, high = prefix_range(name)
            rule = {"qmgr": qmgr.name, "name": name, "low": low, "high": high}
            tx.insert("kept_rule", {**rule, "span": span, "most": most, "masks": masks, "total": 0})
        else:
            forgotten = kept.remove_of_rule(tx, known.id) if masks != known.masks else 0
            kept.limit(tx, known.id, span, most, masks)
            kept.remove_beyond(tx, known.id, known.total - most)
        kept.start_keeping(tx)
    remove_outdated(qmgr.store)
    return forgotten


def stop_keeping(qmgr: QueueManagerState, name: str) -> int | None:
    """Keep no more by the rule with this name, and forget what it kept: how many messages; None
    if there is no rule.
    """
    with Transaction(qmgr.store.database, durable=True) as tx:
        known = _rule(tx, qmgr, name)
        if known is None:
            return None
        forgotten = kept.remove_of_rule(tx, known.id)
        kept.remove_rule(tx, known.id)
        if not kept.all_rules(tx):
            kept.stop_keeping(tx)
    return forgotten


def rules_of(store: StoreState) -> list[KeptRule]:
    """The rules of all queue managers, and what they keep after what is too old was removed."""
    remove_outdated(store)
    with Reading(store.database) as reading:
        return [
            KeptRule(rule, kept.sum_of(reading, rule.id) or _NOTHING)
            for rule in kept.all_rules(reading)
        ]


def remove_outdated(store: StoreState) -> None:
    """Remove what was kept for as long as its rule says."""
    with Reading(store.database) as reading:
        rules = kept.all_rules(reading)
    if rules:
        now = managers_of(store).now
        with Transaction(store.database, durable=False) as tx:
            for rule in rules:
                kept.remove_outdated(tx, rule.id, now[rule.qmgr] - rule.span)


def kept_data(store: StoreState, event: TracedEvent) -> bytes | None:
    """The data of the message of an event; MASKED if all of it is masked, None if it is not
    kept.
    """
    if event.msg_id is None or event.put_at is None or event.queue is None:
        return None
    with Reading(store.database) as reading:
        data = kept.data_of(reading, event.msg_id, event.put_at, event.queue, event.qmgr)
    if not data:
        return None
    return MASKED if data[0][0] is None else bytes(data[0][0])


def all_kept(store: StoreState) -> tuple[Mapping[str, str], Iterator[list[tuple[Any, ...]]]]:
    """All that is kept: its columns with their types in SQLite, and its rows, a page at a time."""
    return kept.archived_columns(), _pages(store)


def _pages(store: StoreState) -> Iterator[list[tuple[Any, ...]]]:
    after = 0
    while True:
        # No read transaction outlives a page.
        with Reading(store.database) as reading:
            rows = kept.page(reading, after, PAGE)
        if not rows:
            return
        yield [row[1:] for row in rows]
        after = rows[-1][0]


def _rule(tx: Transaction, qmgr: QueueManagerState, name: str) -> KeptRuleRow | None:
    return next(
        (rule for rule in kept.all_rules(tx) if (rule.qmgr, rule.name) == (qmgr.name, name)),
        None,
    )
