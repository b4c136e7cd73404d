"""From SQLAlchemy Core to text: parameters, constants, lines."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import ClauseElement, bindparam, select, update

from mqsc.store.sql.cause import Cause
from mqsc.store.sql.core.compiling import WIDTH, in_lines, statement_text, text_of
from mqsc.store.sql.core.schema import message

_m = message.c


def test_parameters_have_the_numbers_of_the_arguments() -> None:
    def mark(until: Any, number: Any) -> ClauseElement:
        return update(message).where(_m.id == number, _m.queue == number).values(marked_until=until)

    text = statement_text(mark)
    assert text == "UPDATE message SET marked_until=?1 WHERE message.id = ?2 AND message.queue = ?2"


def test_a_cause_is_six_parameters() -> None:
    def of_cause(cause: Cause, number: Any) -> ClauseElement:
        return select(_m.id).where(_m.put_at == cause[0], _m.id == number)

    assert statement_text(of_cause).endswith("message.put_at = ?1 AND message.id = ?7")


@pytest.mark.parametrize(("value", "text"), [(5, "5"), ("it's", "'it''s'"), (True, "1")])
def test_constants_are_in_their_places(value: object, text: str) -> None:
    compared = select(_m.id).where(_m.queue == value, _m.id == bindparam("number"))
    assert text_of(compared).endswith(f"message.queue = {text} AND message.id = :number")
    assert text_of(update(message).values(unit=None)) == "UPDATE message SET unit=NULL"


def test_a_value_of_another_type_is_refused() -> None:
    with pytest.raises(TypeError, match=r"b'x' is no constant of a statement"):
        text_of(select(_m.id).where(_m.body == b"x"))


def test_long_lines_are_folded_outside_of_quotes_and_of_parentheses_where_that_is_possible() -> (
    None
):
    names = ", ".join(f"column_{number}" for number in range(12))
    quoted = f"'{', '.join('a, b' for _ in range(20))}'"
    first, *rest = in_lines(f"SELECT {names}, {names}, max({names}) \nFROM a").splitlines()
    assert (first[-1], len(first) <= WIDTH) == (",", True)
    assert (rest[0][:2], rest[-1]) == ("  ", "FROM a")
    assert in_lines(f"SELECT {quoted}") == f"SELECT {quoted}"
