"""`action/qmgr/{name}/mqsc`: one command of MQSC, as text or in JSON (rest §3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

import msgspec

from mqsc.grammar.lines import LogicalLine, logical_lines
from mqsc.http import contract, json_commands
from mqsc.http.callers import Caller
from mqsc.http.command_items import FAILED, Item, json_items, refused_item, text_items
from mqsc.http.errors import RestError, invalid
from mqsc.http.json_body import object_of, text_of
from mqsc.http.managers import SERVER, manager_row, running_queue_manager
from mqsc.language.refusal import CommandRefusal
from mqsc.language.request import Request
from mqsc.script import is_ending, read_request
from mqsc.store.client.store import Store
from mqsc.store.constants import MQRCCF
from mqsc.store.rules.command_message import Issuer
from mqsc.verbs import perform_request

_PAGE = 100
_encode = msgspec.json.encode


class CommandAnswer:
    """The answer to a command, made page by page: of its rows, one page is held at a time."""

    def __init__(self, items: Iterator[Item]) -> None:
        self._items = items
        self._completion = 0
        self._reason = 0
        self._begun = False
        self.is_complete = False

    def next_part(self) -> bytes:
        """The next part of the JSON; with the last one the answer is complete. Called in a
        thread.
        """
        page = [*islice(self._items, _PAGE)]
        for item in page:
            self._count(item)
        text = b",".join(map(_encode, page))
        begin = b"," if self._begun else b'{"commandResponse":['
        part = begin + text if page or not self._begun else b""
        self._begun = True
        if len(page) == _PAGE:
            return part
        self.is_complete = True
        codes = f'"overallCompletionCode":{self._completion},"overallReasonCode":{self._reason}'
        return part + b"]," + codes.encode() + b"}"

    def _count(self, item: Item) -> None:
        completion = item["completionCode"]
        if completion > self._completion:
            failed = completion == FAILED
            self._completion = completion
            self._reason = int(MQRCCF.COMMAND_FAILED) if failed else item["reasonCode"]


def perform(store: Store, caller: Caller, queue_manager: str, data: bytes) -> CommandAnswer:
    """Perform the command in the body of a request; RestError if there is none, or if the queue
    manager cannot perform it. Called in a thread.
    """
    body = object_of(data, json_commands.FIELDS)
    type_ = text_of(body, "type")
    if type_ not in (contract.AS_TEXT, contract.AS_JSON):
        raise invalid(f"the field 'type' must be {contract.AS_TEXT} or {contract.AS_JSON}")
    qmgr = running_queue_manager(store, queue_manager)
    as_text = type_ == contract.AS_TEXT
    line = _command_line(body) if as_text else None
    request = json_commands.read_command(qmgr, body) if line is None else read_request(line)
    if isinstance(request, CommandRefusal):
        return CommandAnswer(iter([refused_item(request, line)]))
    _check_role(caller, request)
    if not caller.only_reads:
        qmgr.issuer = Issuer(caller.user, server=SERVER)
    answer = perform_request(qmgr, request)
    items = text_items(request, answer) if as_text else json_items(request, answer)
    return CommandAnswer(items)


def _command_line(body: Mapping[str, Any]) -> LogicalLine:
    """The command that is text; RestError 400 unless it is exactly one command in one line."""
    more = [name for name in body if name not in ("type", "parameters")]
    if more:
        raise invalid(f"the field '{more[0]}' is for the type {contract.AS_JSON}")
    parameters = body.get("parameters")
    if not isinstance(parameters, dict) or [*parameters] != ["command"]:
        raise invalid("the field 'parameters' must be an object with the field 'command' alone")
    text = text_of(parameters, "command").strip()
    lines = [item for item in logical_lines(text.splitlines()) if isinstance(item, LogicalLine)]
    if len(text.splitlines()) > 1 or len(lines) != 1 or is_ending(lines[0]):
        raise invalid("the field 'command' must be one command of MQSC in one line")
    return lines[0]


def _check_role(caller: Caller, request: Request) -> None:
    """RestError 403 if a user with the role of a reader wants to change something."""
    reads = request.verb == "DISPLAY" or (request.verb, request.noun) == ("PING", "QMGR")
    if caller.only_reads and not reads:
        detail = f"{caller.user} has the role {contract.READER_ROLE} and may only display"
        raise RestError(403, contract.NOT_AUTHORIZED, detail)


def check_gateway(store: Store, name: str | None) -> None:
    """RestError 404 if the header of a gateway names a queue manager that the store does not have:
    no channel is used.
    """
    if name:
        manager_row(store, name)
