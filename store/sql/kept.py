"""The data of messages that have left their queues, kept by rules; off by default.

Triggers keep it, whatever removes the message, in the transaction that does. They exist only while
there is a rule, so that without one nothing costs anything. They also enforce the limits, the
oldest first.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from mqsc.store.published import KEPT_BYTES
from mqsc.store.sql.results import every_row, first_row, first_value
from mqsc.store.sql.rows import KEPT, KeptRuleRow, StoredMessage, declared_columns
from mqsc.store.sql.texts import named_statements
from mqsc.store.sqlite.database import Transaction
from mqsc.store.sqlite.queries import Queries

SQL = named_statements(__file__)
_TYPES = {int: "INTEGER", str: "TEXT", bytes: "BLOB"}
# Counted for each message besides its data: the descriptor and the place in indexes.
OVERHEAD = 500
# The function that masks data: `store.rules.masking.masked`, which every connection of a store has.
MASKING = "data_without"
# So many messages that are too old are removed with each that is kept: then none stay while others
# come.
_AT_ONCE = 8
# Which message left which queue when.
_IDENTITY = frozenset({"owner", "queue", "msg_id", "put_at", "left_at"})
_SAME = ", ".join(f'"{name}"' for name in KEPT[:-1])
_LEFT = ", ".join(f'OLD."{name}"' for name in KEPT[:-1])
# The time of a manual clock, or of the last event: that of this call, or one just before.
_NOW = """coalesce((SELECT clock_at FROM queue_manager WHERE name = kept_rule.qmgr),
       (SELECT at FROM event ORDER BY seq DESC LIMIT 1), OLD.put_at)"""
# Of several rules for a queue, the one with the longest name.
_KEEP = f"""INSERT INTO kept_message (rule, start, left_at, owner, queue, {_SAME}, body)
SELECT kept_rule.id, total, {_NOW}, owner, queue.name, {_LEFT},
       CASE masks WHEN '' THEN OLD.body ELSE {MASKING}(OLD.body, masks) END
  FROM queue JOIN kept_rule ON queue.name >= low AND (high = '' OR queue.name < high)
   AND (owner = qmgr OR owner = (SELECT sharing_group FROM queue_manager WHERE name = qmgr AND sharing_group <> ''))
 WHERE queue.id = OLD.queue ORDER BY length(low) DESC LIMIT 1"""
_LIMIT = f"""UPDATE kept_rule SET total = total + ifnull(length(NEW.body), 0) + {OVERHEAD} WHERE id = NEW.rule;
DELETE FROM kept_message WHERE rule = NEW.rule AND start < (SELECT total - most FROM kept_rule WHERE id = NEW.rule);
DELETE FROM kept_message WHERE id IN (
    SELECT id FROM kept_message WHERE rule = NEW.rule ORDER BY start LIMIT {_AT_ONCE})
   AND left_at <= NEW.left_at - (SELECT span FROM kept_rule WHERE id = NEW.rule)"""
TRIGGERS = {
    "keep_removed": f"CREATE TRIGGER keep_removed BEFORE DELETE ON message BEGIN {_KEEP}; END",
    "keep_moved": f"""CREATE TRIGGER keep_moved BEFORE UPDATE OF queue ON message WHEN OLD.queue <> NEW.queue
BEGIN {_KEEP}; END""",
    "keep_limits": f"CREATE TRIGGER keep_limits AFTER INSERT ON kept_message BEGIN {_LIMIT}; END",
}
# The rows of the relation KEPT.
PUBLISHED = f"""(SELECT id, owner AS qmgr, queue, msg_id, put_at, length(body) AS size,
       substr(body, 1, {KEPT_BYTES}) AS body FROM main.kept_message)"""
# For a copy of a store: nothing of the data stays in its file.
FORGET = "PRAGMA secure_delete = ON; DELETE FROM kept_message;"


def start_keeping(tx: Transaction) -> None:
    """Keep what leaves queues from now on, as the rules say."""
    stop_keeping(tx)
    tx.script(TRIGGERS.values())


def stop_keeping(tx: Transaction) -> None:
    """Keep nothing from now on."""
    tx.script(f"DROP TRIGGER IF EXISTS {name}" for name in TRIGGERS)


def all_rules(tx: Queries) -> list[KeptRuleRow]:
    """Return the rules of all queue managers."""
    return every_row(KeptRuleRow, tx.execute(SQL["all_rules"], ()))


def limit(tx: Transaction, id: int, span: int, most: int, masks: str) -> int:
    """Change for how long, how much and with which masks a rule keeps."""
    return tx.execute(SQL["limit"], (id, span, most, masks)).rowcount


def remove_rule(tx: Transaction, id: int) -> int:
    """Remove a rule."""
    return tx.execute(SQL["remove_rule"], (id,)).rowcount


def remove_of_rule(tx: Transaction, rule: int) -> int:
    """Remove all that a rule has kept."""
    return tx.execute(SQL["remove_of_rule"], (rule,)).rowcount


def remove_outdated(tx: Transaction, id: int, before: int) -> int:
    """Remove what a rule has kept of messages that left their queues before a time."""
    return tx.execute(SQL["remove_outdated"], (id, before)).rowcount


def remove_beyond(tx: Transaction, id: int, start: int) -> int:
    """Remove the oldest of what a rule has kept, so that its limit holds again."""
    return tx.execute(SQL["remove_beyond"], (id, start)).rowcount


class KeptSum(NamedTuple):
    """What a rule keeps now: messages, bytes of their data, and when the first of them left."""

    messages: int
    bytes: int
    oldest: int | None


def sum_of(tx: Queries, id: int) -> KeptSum | None:
    """Return what a rule keeps now."""
    return first_row(KeptSum, tx.execute(SQL["sum_of"], (id,)))


def last(tx: Queries) -> int:
    """Return the number of the message that was kept last; 0 if there is none."""
    return first_value(int, tx.execute(SQL["last"], ()))


def archived_columns() -> dict[str, str]:
    """The columns of what is archived, with their types in SQLite: when a message left its
    queue, and as what.
    """
    texts = ("qmgr", "queue")
    kept = {
        name: _TYPES[each.type]
        for name, each in declared_columns(StoredMessage).items()
        if name in KEPT
    }
    return {"left_at": "INTEGER", **dict.fromkeys(texts, "TEXT"), **kept}


def page(tx: Queries, after: int, most: int) -> list[Any]:
    """Return (id, *archived_columns) of so many messages that were kept after one, in that
    order.
    """
    return tx.execute(SQL["page"], (after, most)).fetchall()


def return_archived(tx: Transaction, rows: Iterable[tuple[Any, ...]]) -> None:
    """Add what is no longer kept, with the values of `archived_columns`."""
    names = ["owner" if name == "qmgr" else name for name in archived_columns()]
    values = [f"?{number}" for number in range(1, len(names) + 1)]
    same = " AND ".join(
        f"{name} = {value}" for name, value in zip(names, values, strict=True) if name in _IDENTITY
    )
    tx.connection.executemany(
        f"INSERT INTO kept_message (rule, start, {', '.join(names)}) SELECT 0, 0, "
        f"{', '.join(values)} "
        f"WHERE NOT EXISTS (SELECT 1 FROM kept_message WHERE {same})",
        rows,
    )


def data_of(tx: Queries, msg_id: bytes, put_at: int, queue: str, owner: str) -> list[Any]:
    """Return (data,) of the messages with that identity that left a queue, in the order in which
    they left.
    """
    return tx.execute(SQL["data_of"], (msg_id, put_at, queue, owner)).fetchall()


def complete(tx: Transaction) -> int:
    """Give messages that were placed anew, and have no data, the descriptor and the data that
    were kept of them.
    """
    return tx.execute(SQL["complete"], ()).rowcount
