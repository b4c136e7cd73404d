"""A statement is compiled to text, with its values in order."""

from __future__ import annotations

import pytest
from sqlalchemy import bindparam, select, update

from store.client.api import Store
from store.sql.schema import message
from store.sqlite.database import Transaction
from store.sqlite.statement import Statement, insert_text

_m = message.c
_MARK = update(message).where(_m.id == bindparam("number")).values(marked_until=bindparam("until"))
_LOOK = select(_m.id).where(_m.id == bindparam("number"), _m.queue == bindparam("number"))


def test_values_are_in_the_order_of_the_text() -> None:
    statement = Statement(_MARK)
    assert statement.text.count("?") == 2
    assert statement.parameters({"number": 1, "until": 2}) == (2, 1)


ORDERS = [(["until", "number"], (8, 9), (8, 9)), (["number", "until"], (8, 9), (9, 8))]


@pytest.mark.parametrize(("names", "given", "ordered"), ORDERS)
def test_given_values_are_put_in_the_order_of_the_text(
    names: list[str], given: tuple[int, ...], ordered: tuple[int, ...]
) -> None:
    in_order = Statement(_MARK).values_in_order(names)
    assert (in_order(given) if in_order else given) == ordered


def test_a_value_is_used_more_than_once() -> None:
    in_order = Statement(_LOOK).values_in_order(["number"])
    assert in_order is not None
    assert in_order((7,)) == (7, 7)
    assert Statement(_LOOK).parameters({"number": 1}) == (1, 1)


def test_constants_are_added() -> None:
    statement = Statement(lambda: select(_m.id).where(_m.id == bindparam("number"), _m.queue == 5))
    in_order = statement.values_in_order(["number"])
    assert in_order is not None
    assert (in_order((7,)), statement.parameters({"number": 7})) == ((7, 5), (7, 5))


def test_a_statement_has_no_other_attributes() -> None:
    assert not hasattr(Statement(_MARK), "order")


def test_an_insert_keeps_the_order_of_its_columns(store: Store) -> None:
    text = insert_text("message", ("sequence", "offset", "queue", "body", "msg_id"))
    with Transaction(store.database, durable=False) as tx:
        id = tx.execute(text, [7, 16, 3, b"data", bytes(24)]).lastrowid
        found = tx.one(
            Statement(select(_m.queue, _m.sequence, _m.offset, _m.body).where(_m.id == bindparam("id"))), {"id": id}
        )
    assert found == (3, 7, 16, b"data")
