"""A statement is compiled to text, with its values in order."""

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


def test_values_are_in_the_declared_order() -> None:
    statement = Statement(_MARK, "until number")
    assert statement.text.count("?") == 2
    assert statement.parameters({"number": 1, "until": 2}) == (2, 1)


WRONG = ["number until", "until", "until number more", "until until", "until at"]


@pytest.mark.parametrize("order", WRONG)
def test_another_order_is_refused_on_compilation(order: str) -> None:
    with pytest.raises(ValueError, match="the order of the parameters is until number: UPDATE message"):
        _ = Statement(_MARK, order).text


def test_a_name_is_declared_once_for_each_use() -> None:
    assert Statement(_LOOK, "number number").parameters({"number": 1}) == (1, 1)
    with pytest.raises(ValueError, match="is number number:"):
        _ = Statement(_LOOK, "number").text


def test_a_constant_would_be_an_undeclared_value() -> None:
    with pytest.raises(ValueError, match="the order of the parameters is"):
        _ = Statement(select(_m.id).where(_m.id == bindparam("number"), _m.queue == 5), "number queue_1").text
    plain = select(_m.id).where(_m.id == bindparam("number"), _m.queue == literal_column("5"))
    assert Statement(plain, "number").text.count("?") == 1


def test_every_use_of_a_wrong_statement_is_refused() -> None:
    statement = Statement(_MARK, "number until")
    for _ in range(2):
        with pytest.raises(ValueError, match="the order of"):
            _ = statement.parameters


def test_an_insert_keeps_the_order_of_its_columns(store: Store) -> None:
    text = insert_text("message", ("sequence", "offset", "queue", "body", "msg_id"))
    with Transaction(store.database, durable=False) as tx:
        id = tx.insert_bound([(text, [7, 16, 3, b"data", bytes(24)])])
        found = tx.one(
            Statement(select(_m.queue, _m.sequence, _m.offset, _m.body).where(_m.id == bindparam("id"))), {"id": id}
        )
    assert found == (3, 7, 16, b"data")
