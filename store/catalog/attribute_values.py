"""How a text becomes the value of an attribute."""

from __future__ import annotations

from collections.abc import Sequence

from mqsc.store.catalog.attribute import Attribute
from mqsc.store.catalog.types import Flag, InvalidValueError, Items, Problem, Stored


class AttributeValueError(Exception):
    """A parameter has a value that its attribute does not accept.

    `detail` says what the attribute accepts; `index` is the position of the wrong value in a list.
    """

    def __init__(self, keyword: str, problem: Problem, detail: str, index: int = 0) -> None:
        super().__init__(keyword, problem, detail, index)
        self.keyword = keyword
        self.problem: Problem = problem
        self.detail = detail
        self.index = index

    def __str__(self) -> str:
        return f"{self.keyword} takes {self.detail}"


def read_value(attribute: Attribute, texts: Sequence[str] | None, on: bool = True) -> Stored:
    """The value to store for a parameter of a command; raises AttributeValueError.

    `texts` are the values between the parentheses, folded to upper case unless they were quoted;
    None when there are no parentheses. `on` is False when a flag was given by the keyword that
    clears it.
    """
    type = attribute.type
    if isinstance(type, Flag):
        if texts is not None:
            raise AttributeValueError(attribute.keyword, "form", type.wanted)
        return type.on if on else type.off
    if texts is None:
        raise AttributeValueError(
            attribute.keyword,
            "form",
            f"a value in parentheses: {type.wanted}",
        )
    if isinstance(type, Items):
        return _read_items(attribute, type, texts)
    if not texts:
        raise AttributeValueError(attribute.keyword, "empty", type.wanted)
    if len(texts) > 1:
        raise AttributeValueError(attribute.keyword, "count", f"one value: {type.wanted}", 1)
    return _accepted(attribute, texts[0], 0)


def _read_items(attribute: Attribute, items: Items, texts: Sequence[str]) -> list[str]:
    if len(texts) == 1 and not texts[0].strip(" "):
        texts = ()
    if not texts:
        if not items.may_be_empty:
            raise AttributeValueError(attribute.keyword, "empty", items.wanted)
        return []
    if len(texts) > items.most:
        raise AttributeValueError(attribute.keyword, "count", items.wanted, items.most)
    read = [str(_accepted(attribute, text, index)) for index, text in enumerate(texts)]
    blank = next((index for index, item in enumerate(read) if not item), None)
    if blank is not None:
        raise AttributeValueError(attribute.keyword, "empty", items.wanted, blank)
    if (
        items.total
        and sum(len(item.encode("utf-8", "surrogatepass")) + 1 for item in read) - 1 > items.total
    ):
        raise AttributeValueError(attribute.keyword, "length", items.wanted)
    return read


def _accepted(attribute: Attribute, text: str, index: int) -> int | str:
    try:
        return attribute.type.accept(text)
    except InvalidValueError as error:
        raise AttributeValueError(attribute.keyword, error.problem, error.detail, index) from None
