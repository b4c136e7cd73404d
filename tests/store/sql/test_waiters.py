from __future__ import annotations

from store.descriptor import MessageDescriptor
from store.sql import messages
from store.sqlite.database import Transaction
from tests.store.sql.stored import QUEUE, stored

WANTED = b"w" * 24
CONDITIONS = frozenset({"unwanted"})


def unwanted(tx: Transaction) -> int | None:
    found = messages.first(tx, CONDITIONS, {"queue": QUEUE})
    return None if found is None else found.id


def test_a_message_is_left_for_the_get_that_waits_for_it(tx: Transaction) -> None:
    wanted = stored(tx, descriptor=MessageDescriptor(correl_id=WANTED))
    other = stored(tx)
    assert unwanted(tx) == wanted
    messages.add_waiter(tx, 1, QUEUE + 1, {"correl_id": WANTED})
    assert unwanted(tx) == wanted
    messages.add_waiter(tx, 2, QUEUE, {"correl_id": WANTED, "offset": 1})
    assert unwanted(tx) == wanted
    messages.add_waiter(tx, 2, QUEUE, {"correl_id": WANTED})
    assert unwanted(tx) == other
    messages.remove_waiter(tx, 2)
    assert unwanted(tx) == wanted
