"""Generic names that commands take, and values or an asterisk."""

from __future__ import annotations

import pytest

from mqsc.language.where import GenericName, OrAsterisk
from store.catalog.types import InvalidValueError, Name


def test_accepted_names() -> None:
    accepted = [GenericName().accept(text) for text in ("*", "A*", "A  ", "A.B")]
    assert accepted == ["*", "A*", "A", "A.B"]
    assert (OrAsterisk(Name(4)).accept("*"), OrAsterisk(Name(4)).accept("ABCD")) == ("*", "ABCD")


@pytest.mark.parametrize("text", ["A*B", "**", "A B*", "A" * 49])
def test_refused_names(text: str) -> None:
    with pytest.raises(InvalidValueError):
        GenericName().accept(text)
    with pytest.raises(InvalidValueError):
        OrAsterisk(Name(48)).accept(text)
