"""The layout of answers, as runmqsc prints them: attributes in two columns.

The first column holds up to 37 characters, the second up to 36. A longer text gets its own line,
and so does a text that should go in the second column but is too long for it, even if it would fit
in the first.
"""

import os
import re
from collections.abc import Iterable, Iterator
from typing import Any

from mqsc.console.terminal import printable
from mqsc.console.text.reasons import meaning_of
from mqsc.language.reply import Answer, ReplyRow

Words = frozenset[str]
_NONE = Words()
INDENT = "   "
# The message for a reason code without a message of its own: only the code says what is wrong.
UNEXPECTED = "AMQ8101S"
FIRST_COLUMN = 37
SECOND_COLUMN = 36
LIST_ITEM = 40
_SEVERITY = re.compile(r"^((?:AMQ|MQSC)[0-9]{4})[A-Z](?=:)", re.MULTILINE)


def answer_lines(answer: Answer) -> Iterator[str]:
    """The lines of an answer: id and text, or a block for each row; no lines for an answer
    without an id.
    """
    if not answer.message_id:
        return
    if answer.replies:
        for line, reply in answer.replies:
            yield with_or_without_severity(line)
            yield from answer_lines(reply)
        return
    heading = with_or_without_severity(f"{answer.message_id}: {answer.text}")
    if not answer.shows_rows:
        yield from heading.split("\n")
        if answer.message_id == UNEXPECTED and "\n" not in answer.text:
            yield from meaning_of(answer.reason)
        return
    for row in answer.rows:
        yield heading
        yield from in_two_columns(
            attribute_texts(row, answer.bare, answer.joined, answer.alone, answer.begins),
        )


def with_or_without_severity(text: str) -> str:
    """A message without its severity letter if AMQ_DIAGNOSTIC_MSG_SEVERITY=0 is set, as in MQ;
    otherwise with it.
    """
    if os.environ.get("AMQ_DIAGNOSTIC_MSG_SEVERITY") == "0":
        return _SEVERITY.sub(r"\1", text)
    return text


def attribute_texts(
    row: ReplyRow,
    bare: Words = _NONE,
    joined: Words = _NONE,
    alone: Words = _NONE,
    begins: Words = _NONE,
) -> Iterator[str | list[str]]:
    """Each attribute of a row as MQSC text, or as a list of lines if it needs lines of its own.

    A list of several items needs its own lines unless its keyword is in `joined`; so does a keyword
    in `alone`. An empty list before a keyword in `begins` makes it start a line.
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
            yield f"{keyword}({','.join(printable(str(each)) for each in value)})"
        elif isinstance(value, (list, tuple)) and len(value) > 1:
            yield _item_lines(keyword, [printable(str(each)) for each in value])
        else:
            yield f"{keyword}({_value_text(value)})"


def in_two_columns(texts: Iterable[str | list[str]]) -> Iterator[str]:
    """The lines with these texts, in their order; a list has lines of its own."""
    first = ""
    for text in texts:
        if first and isinstance(text, str) and len(text) <= SECOND_COLUMN:
            yield f"{INDENT}{first:<{FIRST_COLUMN}}{INDENT}{text}"
            first = ""
            continue
        is_second = bool(first)
        if first:
            yield f"{INDENT}{first:<{FIRST_COLUMN}}"
            first = ""
        if isinstance(text, list):
            yield from text
        elif is_second or len(text) > FIRST_COLUMN:
            yield f"{INDENT}{text}"
        else:
            first = text
    if first:
        yield f"{INDENT}{first:<{FIRST_COLUMN}}"


def _value_text(value: Any) -> str:
    """A value, or the only item of a list; its control characters are escaped, so that it stays
    in its line.
    """
    if isinstance(value, (list, tuple)):
        value = value[0] if value else ""
    text = str(value)
    return printable(text) if text else " "


def _item_lines(keyword: str, items: list[str]) -> list[str]:
    lines = [f"{INDENT}{keyword}({items[0]}", *(f"        ,{item}" for item in items[1:])]
    lines[-1] += ")"
    return [f"{line:<{LIST_ITEM}}" for line in lines]
