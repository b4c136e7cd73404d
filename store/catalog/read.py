"""From the texts in a command to a stored value. Pure: no object is looked at, only the row of the attribute."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from store.catalog.attribute import Attribute
from store.catalog.kind import Kind
from store.catalog.types import Flag, InvalidValueError, Items, Problem, Stored

# A text and whether it stood in quotes; unquoted text is already in upper case.
Given = tuple[str, bool]


class AttributeValueError(Exception):
    """A parameter that its attribute does not take.

    `problem` is one of word, number, range, length, name, empty, form and count; `detail` says what would be right;
    `index` which of several values it is about.
    """

    def __init__(self, keyword: str, problem: Problem, detail: str, index: int = 0) -> None:
        super().__init__(keyword, problem, detail, index)
        self.keyword = keyword
        self.problem: Problem = problem
        self.detail = detail
        self.index = index

    def __str__(self) -> str:
        return f"{self.keyword} takes {self.detail}"


def read_value(attribute: Attribute, texts: Sequence[Given] | None, on: bool = True) -> Stored:
    """The value to store for a parameter of a command.

    `texts` is None when the keyword had no parentheses and empty for empty ones. `on` is False for the NO-form of a
    flag. A text that is blank stands for "no value" where that is allowed. Raises AttributeValueError.
    """
    kind = attribute.type
    if isinstance(kind, Flag):
        if texts is not None:
            raise AttributeValueError(attribute.keyword, "form", kind.wanted)
        return kind.on if on else kind.off
    if texts is None:
        raise AttributeValueError(attribute.keyword, "form", f"a value in parentheses: {kind.wanted}")
    if isinstance(kind, Items):
        return _read_items(attribute, kind, texts)
    if not texts:
        raise AttributeValueError(attribute.keyword, "empty", kind.wanted)
    if len(texts) > 1:
        raise AttributeValueError(attribute.keyword, "count", f"one value: {kind.wanted}", 1)
    return _accepted(attribute, texts[0][0], 0)


def read_choice(attribute: Attribute, texts: Sequence[Given] | None) -> Stored:
    """The value by which DISPLAY chooses objects, TYPE(ALL); attributes that choose nothing read as `read_value`."""
    if attribute.chooser is None:
        return read_value(attribute, texts)
    return read_value(replace(attribute, type=attribute.chooser), texts)


def read_name(kind: Kind, texts: Sequence[Given] | None) -> str:
    """The name given to an object of a kind. AttributeValueError names the kind's keyword; a blank name is refused."""
    if texts is None:
        raise AttributeValueError(kind.keyword, "form", f"a name in parentheses: {kind.name_type.wanted}")
    if not texts:
        raise AttributeValueError(kind.keyword, "empty", kind.name_type.wanted)
    if len(texts) > 1:
        raise AttributeValueError(kind.keyword, "count", f"one name: {kind.name_type.wanted}", 1)
    try:
        name = str(kind.name_type.accept(texts[0][0]))
    except InvalidValueError as refusal:
        raise AttributeValueError(kind.keyword, refusal.problem, refusal.detail) from None
    if not name.strip(" "):
        raise AttributeValueError(kind.keyword, "name", kind.name_type.wanted)
    return name


def _read_items(attribute: Attribute, items: Items, texts: Sequence[Given]) -> list[str]:
    if len(texts) == 1 and not texts[0][0].strip(" "):
        texts = ()
    if not texts:
        if not items.may_be_empty:
            raise AttributeValueError(attribute.keyword, "empty", items.wanted)
        return []
    if len(texts) > items.most:
        raise AttributeValueError(attribute.keyword, "count", items.wanted, items.most)
    read = [str(_accepted(attribute, text, index)) for index, (text, _) in enumerate(texts)]
    blank = next((index for index, item in enumerate(read) if not item), None)
    if blank is not None:
        raise AttributeValueError(attribute.keyword, "empty", items.wanted, blank)
    if items.total and sum(len(item.encode("utf-8", "surrogatepass")) + 1 for item in read) - 1 > items.total:
        raise AttributeValueError(attribute.keyword, "length", items.wanted)
    return read


def _accepted(attribute: Attribute, text: str, index: int) -> int | str:
    try:
        return attribute.type.accept(text)
    except InvalidValueError as refusal:
        raise AttributeValueError(attribute.keyword, refusal.problem, refusal.detail, index) from None
