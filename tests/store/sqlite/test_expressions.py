"""Expressions record what SQLAlchemy is asked for later."""

from __future__ import annotations

from typing import Any

import pytest

from store.sql.tables import message, queue
from store.sqlite.compilation import compile_core
from store.sqlite.expressions import Expression, bindparam, evaluate, func, identity, literal_column, select

_m: Any = message.c
_DEEP = select(_m.id).where((_m.queue == bindparam("queue")) & ~_m.msg_id.is_(None), _m["rank"] + 1 > -_m.rank)


def test_an_expression_becomes_what_it_says() -> None:
    assert compile_core(_DEEP).text == (
        "SELECT message.id \nFROM message \n"
        "WHERE message.queue = ? AND message.msg_id IS NOT NULL AND message.rank + ? > -message.rank"
    )
    assert compile_core(_DEEP)[1:] == (("queue", "rank_1"), {"rank_1": 1})


def test_an_iterator_can_be_used_twice() -> None:
    found: Any = select(_m.id).where(_m.rank.in_(map(literal_column, ("1", "2"))))
    assert compile_core(found) == compile_core(found)
    assert compile_core(found).text.endswith("IN (1, 2)")


def test_equal_expressions_have_one_identity_and_others_do_not() -> None:
    largest: Any = select(func.max(_m.id))
    one, same, other = (largest.limit(limit) for limit in (1, 1, 2))
    assert identity(one) == identity(same) != identity(other)


def test_two_aliases_are_two_tables() -> None:
    first, second = queue.alias(), queue.alias()
    joined: Any = select(first.c.id).select_from(first.join(second, first.c.id == second.c.id))
    alone: Any = select(first.c.id).select_from(first.join(first, first.c.id == first.c.id))
    assert identity(joined) != identity(alone)
    assert "queue AS queue_2" in compile_core(joined).text


def test_what_is_no_expression_stays_as_it_is() -> None:
    assert evaluate([1, ("a", {"b": None})]) == [1, ("a", {"b": None})]


def test_a_condition_of_sql_is_no_truth() -> None:
    with pytest.raises(TypeError, match="neither true nor false"):
        assert _m.id == 1
    with pytest.raises(TypeError, match="not iterable"):
        list(_m)
    assert isinstance(_m, Expression)
