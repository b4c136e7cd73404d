"""ESCAPE: commands of MQSC as text in a command of PCF (PCF §4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from grammar.lines import LogicalLine, logical_lines
from mqsc.console.display_layout import answer_lines
from mqsc.language.refusal import CommandRefusal
from mqsc.language.request import Request
from mqsc.pcf.refusal import PcfRefusedError, unexpected, wrong_value
from mqsc.pcf.responses import FAILED, Body, body_of
from mqsc.reply import Answer
from mqsc.script import is_ending, read_request
from mqsc.verbs import perform
from store.catalog.pcf import pcf_command
from store.constants import MQCACF, MQCC, MQET, MQIACF, MQRCCF
from store.headers.pcf import Parameter

if TYPE_CHECKING:
    from store.client.api import QueueManager

_UNKNOWN = int(MQCC.UNKNOWN)


def text_of(parameters: list[Parameter]) -> str:
    """The text of the command; PcfRefusedError if the parameters are not those of ESCAPE."""
    type_, text = parameters
    if not isinstance(type_.value, int):
        raise unexpected(type_)
    if type_.value != int(MQET.MQSC):
        raise wrong_value(type_.number)
    if not isinstance(text.value, str):
        raise unexpected(text)
    return text.value


def command_of(text: str) -> LogicalLine:
    """The one command of the text; PcfRefusedError if there are several or none."""
    commands = [item for item in logical_lines(text.splitlines()) if isinstance(item, LogicalLine)]
    if len(commands) != 1:
        raise PcfRefusedError(MQRCCF.PARM_SYNTAX_ERROR)
    return commands[0]


def bodies_of_text(qmgr: QueueManager, line: LogicalLine, request: Request | CommandRefusal) -> Iterator[Body]:
    """Perform the command, and yield a response for each of its replies."""
    if isinstance(request, CommandRefusal):
        refused = request.answer(line, None)
        yield _body(0, refused, "\n".join(answer_lines(refused)))
        return
    found = pcf_command(request.verb, request.noun, like=request.has("LIKE"))
    number = 0 if found is None else found.number
    answer = perform(qmgr, request)
    for reply in _replies(answer):
        yield _body(number, reply, "\n".join(answer_lines(reply)))


def read_text(line: LogicalLine) -> Request | CommandRefusal:
    """The request of a command; END, which is none, is refused like a word that MQSC does not have."""
    if is_ending(line):
        raise PcfRefusedError(MQRCCF.PARM_SYNTAX_ERROR)
    return read_request(line)


def _replies(answer: Answer) -> Iterator[Answer]:
    """The answer, once for each of its rows if they are printed one by one."""
    if answer.replies:
        for heading, each in answer.replies:
            message_id, _, text = heading.partition(": ")
            yield Answer(message_id, text)
            yield from _replies(each)
    elif answer.each:
        for row in answer.rows:
            yield replace(answer, rows=(row,))
    else:
        yield answer


def _body(command: int, reply: Answer, text: str) -> Body:
    """The response with the text of a reply; a failure without a reason code is an unknown one."""
    failed = reply.completion == FAILED
    unknown = failed and not reply.reason
    parameters = [Parameter(int(MQIACF.ESCAPE_TYPE), int(MQET.MQSC)), Parameter(int(MQCACF.ESCAPE_TEXT), text)]
    completion = _UNKNOWN if unknown else reply.completion
    return body_of(parameters, completion=completion, reason=int(reply.reason), command=command)
