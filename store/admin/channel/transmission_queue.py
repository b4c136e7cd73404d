"""The transmission queue of a channel that is stopped or started: GET and TRIGGER are switched off and on again."""

from __future__ import annotations

from mqsc.store.catalog import KINDS
from mqsc.store.engine import attribute_change, definitions
from mqsc.store.engine.state import CallContext
from mqsc.store.sql import objects
from mqsc.store.sqlite.database import Transaction

_QLOCAL = KINDS["QLOCAL"]
# The change that a stop makes: the value that it takes away, and the one that it sets.
_SWITCHED = {"GET": ("ENABLED", "DISABLED"), "TRIGGER": ("TRIGGER", "NOTRIGGER")}


def inhibit(tx: Transaction, call: CallContext, name: str) -> str:
    """Set GET(DISABLED) and NOTRIGGER; the words that had another value before, for `release`."""
    taken = [word for word, (on, _) in _SWITCHED.items() if _value(tx, call, name, word) == on]
    _write_queue(tx, call, name, {word: _SWITCHED[word][1] for word in taken})
    return " ".join(taken)


def release(tx: Transaction, call: CallContext, name: str, taken: str) -> None:
    """Set the words that `inhibit` returned to the values that they had."""
    _write_queue(tx, call, name, {word: _SWITCHED[word][0] for word in taken.split()})


def _value(tx: Transaction, call: CallContext, name: str, word: str) -> str:
    found = objects.attribute(tx, call.qmgr.name, _QLOCAL.namespace, name, word)
    return str(_QLOCAL.attributes[word].default if found is None else found)


def _write_queue(tx: Transaction, call: CallContext, name: str, attributes: dict[str, str]) -> None:
    existing = objects.by_name(tx, call.qmgr.name, _QLOCAL.namespace, name)
    if not attributes or existing is None or existing.type != _QLOCAL.keyword:
        return
    before = definitions.complete(_QLOCAL, existing.attributes)
    switched = attribute_change.Change(
        before,
        {**before, **attributes},
        frozenset(attributes),
        event="SET",
        cause="channel",
    )
    attribute_change.rewrite(tx, call, existing, switched)
