"""How DISPLAY prints an object: attributes in two columns, as runmqsc does.

A text of up to 37 characters shares its line with one of up to 36; longer ones stand alone. A text that would be the
second on its line but is too long for that stands alone as well, even when it would fit the first column.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from typing import Any

from mqsc.reply import Answer, Row

INDENT = "   "
FIRST_COLUMN = 37
SECOND_COLUMN = 36
LIST_ITEM = 40
_SEVERITY = re.compile(r"^((?:AMQ|MQSC)[0-9]{4})[A-Z](?=:)", re.MULTILINE)


def answer_lines(answer: Answer) -> Iterator[str]:
    """The lines of an answer: id and text, or a block for each row; nothing for an answer without an id."""
    if not answer.message_id:
        return
    heading = with_severity(f"{answer.message_id}: {answer.text}")
    if not answer.each:
        yield from heading.split("\n")
        return
    for row in answer.rows:
        yield heading
        yield from columns(attribute_texts(row, answer.bare, answer.joined, answer.alone, answer.begins))


def with_severity(text: str) -> str:
    """A message as it is shown: its severity letter goes where AMQ_DIAGNOSTIC_MSG_SEVERITY=0, as it does in MQ."""
    return _SEVERITY.sub(r"\1", text) if os.environ.get("AMQ_DIAGNOSTIC_MSG_SEVERITY") == "0" else text


def attribute_texts(
    row: Row,
    bare: frozenset[str] = frozenset(),
    joined: frozenset[str] = frozenset(),
    alone: frozenset[str] = frozenset(),
    begins: frozenset[str] = frozenset(),
) -> Iterator[str | list[str]]:
    """Each attribute of a row as MQSC text; one that needs lines of its own as the list of those.

    That is a list of several items, unless it is `joined`, and what stands `alone`. No lines at all stand before what
    `begins` a line.
    """
    for keyword, value in row.items():
        if keyword in begins:
            yield []
        if keyword in alone:
            yield [f"{INDENT}{f'{keyword}({_value_text(value)})':<{FIRST_COLUMN}}"]
            continue
        if keyword in bare:
            yield str(value)
        elif keyword in joined and value:
            yield f"{keyword}({','.join(map(str, value))})"
        elif isinstance(value, (list, tuple)) and len(value) > 1:
            yield _item_lines(keyword, [str(each) for each in value])
        else:
            yield f"{keyword}({_value_text(value)})"


def columns(texts: Iterable[str | list[str]]) -> Iterator[str]:
    """Lay the texts out in two columns, in the order given."""
    first = ""
    for text in texts:
        if first and isinstance(text, str) and len(text) <= SECOND_COLUMN:
            yield f"{INDENT}{first:<{FIRST_COLUMN}}{INDENT}{text}"
            first = ""
            continue
        bumped = bool(first)
        if first:
            yield f"{INDENT}{first:<{FIRST_COLUMN}}"
            first = ""
        if isinstance(text, list):
            yield from text
        elif bumped or len(text) > FIRST_COLUMN:
            yield f"{INDENT}{text}"
        else:
            first = text
    if first:
        yield f"{INDENT}{first:<{FIRST_COLUMN}}"


def _value_text(value: Any) -> str:
    text = str(value[0]) if isinstance(value, (list, tuple)) and value else "" if value in ([], ()) else str(value)
    return text if text else " "


def _item_lines(keyword: str, items: list[str]) -> list[str]:
    lines = [f"{INDENT}{keyword}({items[0]}", *(f"        ,{item}" for item in items[1:])]
    lines[-1] += ")"
    return [f"{line:<{LIST_ITEM}}" for line in lines]
