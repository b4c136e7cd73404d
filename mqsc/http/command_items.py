"""The answer to a command as items of JSON, with its rows or as text (rest §3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from msgspec import structs

from mqsc.console.answer_layout import attribute_texts
from mqsc.grammar.lines import LogicalLine
from mqsc.language.command_table import ENDINGS
from mqsc.language.refusal import REASONS, CommandRefusal
from mqsc.language.reply import Answer, ReplyRow, message_line
from mqsc.language.request import Request
from mqsc.pcf.responses import reason_of
from mqsc.store.catalog.types import Flag
from mqsc.store.constants import MQCC, MQRCCF

Item = dict[str, Any]
FAILED, OK = int(MQCC.FAILED), int(MQCC.OK)
_YES, _NO = "YES", "NO"
_BETWEEN = "   "
# Clients of REST know none of its attributes.
_WITHOUT_ROWS = frozenset({("DISPLAY", "CMDSERV")})
# A row for each handle: those of one connection, or of one queue, are one item.
_HANDLES = {"CONN": "CONN", "QSTATUS": "QUEUE"}
_HANDLE = "HANDLE"
_TYPES_WITH_HANDLES = frozenset((_HANDLE, "ALL", "*"))


def refused_item(refusal: CommandRefusal, source: LogicalLine | None) -> Item:
    """The item of a command that MQSC refuses; `source` is its text, None for one in JSON."""
    reason = REASONS.get(refusal.message_id, 0) or int(MQRCCF.PARM_SYNTAX_ERROR)
    sentence = refusal.sentence if source is None else refusal.sentence_in(source)
    end = "" if sentence.endswith("?") else "."
    valid = " ".join(word for word in refusal.words if word not in ENDINGS)
    erroneous = "" if source is None else refusal.segment_in(source)
    texts = [message_line(refusal.message_id), valid, erroneous, f"{sentence}{end}"]
    return _coded(FAILED, reason, texts, as_text=source is not None)


def text_items(request: Request, answer: Answer) -> Iterator[Item]:
    """The items of an answer as text: one for each row that DISPLAY shows, one for a reply
    otherwise.
    """
    for heading, reply in answer.replies:
        yield {"completionCode": OK, "reasonCode": 0, "text": [heading]}
        yield from text_items(request, reply)
    if answer.replies:
        return
    if not answer.shows_rows:
        yield _reply_item(request, answer, as_text=True)
        return
    for row in answer.rows:
        shown = attribute_texts(row, answer.bare, answer.joined)
        texts = [f"{answer.message_id}: {answer.text}", *map(_in_one_line, shown)]
        yield {"completionCode": OK, "reasonCode": 0, "text": [_BETWEEN.join(texts)]}


def json_items(request: Request, answer: Answer) -> Iterator[Item]:
    """The items of an answer in JSON."""
    for _, reply in answer.replies:
        yield from json_items(request, reply)
    if answer.replies:
        return
    if not answer.shows_rows or (request.verb, request.noun) in _WITHOUT_ROWS:
        yield _reply_item(request, structs.replace(answer, rows=()), as_text=False)
        return
    flags = _flags(request)
    rows = (_parameters(row, flags) for row in answer.rows)
    for parameters in _with_nested_handles(request, rows):
        yield {"completionCode": OK, "reasonCode": 0, "parameters": parameters}


def _reply_item(request: Request, answer: Answer, *, as_text: bool) -> Item:
    reason = reason_of(request, answer) if answer.completion == FAILED else int(answer.reason)
    texts = [f"{answer.message_id}: {answer.text}", *answer.once]
    return _coded(answer.completion, reason, texts, as_text=as_text)


def _coded(completion: int, reason: int, texts: Iterable[str], *, as_text: bool) -> Item:
    lines = [line.strip() for text in texts for line in text.split("\n")]
    said = [line for line in lines if line]
    codes = {"completionCode": completion, "reasonCode": reason}
    return {**codes, "text": [_BETWEEN.join(said)]} if as_text else {**codes, "message": said}


def _in_one_line(text: str | list[str]) -> str:
    return text if isinstance(text, str) else "".join(line.strip() for line in text)


def _flags(request: Request) -> Mapping[str, Flag]:
    """The flags of the objects, which become YES or NO."""
    return {
        word: row.type
        for kind in request.kinds
        for word, row in kind.attributes.items()
        if isinstance(row.type, Flag)
    }


def _parameters(row: ReplyRow, flags: Mapping[str, Flag]) -> Item:
    return {word.lower(): _value(value, flags.get(word)) for word, value in row.items()}


def _value(value: Any, flag: Flag | None) -> Any:
    if flag is not None and value in flag.words:
        return _YES if value == flag.on else _NO
    return list(value) if isinstance(value, tuple) else value


def _with_nested_handles(request: Request, rows: Iterable[Item]) -> Iterable[Item]:
    """The rows of handles by their connection or queue, as IBM's server nests them."""
    key = _HANDLES.get(request.noun, "").lower()
    if not key or request.options.get("TYPE") not in _TYPES_WITH_HANDLES:
        return rows
    groups = groupby(rows, lambda row: row[key])
    return (_nested({key: name}, [_without(row, key) for row in group]) for name, group in groups)


def _nested(item: Item, rows: Iterable[Item]) -> Item:
    """The item of a connection or queue: the attributes of its own, and its handles."""
    handles = []
    for row in rows:
        if row.get("type") == _HANDLE:
            handles.append(row)
        else:
            item |= row
    return {**item, "objects": handles} if handles else item


def _without(row: Item, key: str) -> Item:
    return {word: value for word, value in row.items() if word != key}
