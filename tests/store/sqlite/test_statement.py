"""Statements as text with values in their order."""

from __future__ import annotations

import pytest
from sqlalchemy import bindparam, literal_column, select, update

from store.client.api import Store
from store.sql.schema import message
from store.sqlite.database import Transaction
from store.sqlite.statement import Statement, insert_text

_m = message.c
_MARK = update(message).where(_m.id == bindparam("number")).values(marked_until=bindparam("until"))
_LOOK = select(_m.id).where(_m.id == bindparam("number"), _m.queue == bindparam("number"))


def test_the_values_come_in_the_order_that_a_statement_says() -> None:
    statement = Statement(_MARK, "until number")
    assert statement.text.count("?") == 2
    assert statement.parameters({"number": 1, "until": 2}) == (2, 1)


WRONG = ["number until", "until", "until number more", "until until", "until at"]


@pytest.mark.parametrize("order", WRONG)
def test_another_order_is_refused_when_the_statement_is_compiled(order: str) -> None:
    with pytest.raises(ValueError, match="the parameters stand in the order until number: UPDATE message"):
        _ = Statement(_MARK, order).text


def test_a_name_stands_as_often_as_it_is_asked_for() -> None:
    assert Statement(_LOOK, "number number").parameters({"number": 1}) == (1, 1)
    with pytest.raises(ValueError, match="in the order number number:"):
        _ = Statement(_LOOK, "number").text


def test_a_constant_would_be_one_value_more_than_said() -> None:
    with pytest.raises(ValueError, match="the parameters stand in the order"):
        _ = Statement(select(_m.id).where(_m.id == bindparam("number"), _m.queue == 5), "number queue_1").text
    plain = select(_m.id).where(_m.id == bindparam("number"), _m.queue == literal_column("5"))
    assert Statement(plain, "number").text.count("?") == 1


def test_a_refusal_is_repeated_whenever_the_statement_is_asked() -> None:
    statement = Statement(_MARK, "number until")
    for _ in range(2):
        with pytest.raises(ValueError, match="in the order"):
            _ = statement.parameters


def test_an_insert_keeps_the_order_of_its_columns(store: Store) -> None:
    text = insert_text(message, ("sequence", "offset", "queue", "body", "msg_id"))
    with Transaction(store.database, durable=False) as tx:
        id = tx.insert_bound([(text, [7, 16, 3, b"data", bytes(24)])])
        found = tx.row(
            Statement(select(_m.queue, _m.sequence, _m.offset, _m.body).where(_m.id == bindparam("id")), "id"), id
        )
    assert found == (3, 7, 16, b"data")
