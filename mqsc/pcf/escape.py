"""ESCAPE: commands of MQSC as text in a command of PCF (PCF §4)."""

from collections.abc import Iterator

from msgspec import structs

from mqsc.console.answer_layout import answer_lines
from mqsc.grammar.lines import LogicalLine, logical_lines
from mqsc.language.refusal import CommandRefusal
from mqsc.language.reply import Answer
from mqsc.language.request import Request
from mqsc.pcf import refusals, responses as answers
from mqsc.script import is_ending
from mqsc.store.catalog.pcf import pcf_command
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQCACF, MQCC, MQET, MQIACF, MQRCCF
from mqsc.store.headers.pcf import Parameter
from mqsc.verbs import perform_request

_UNKNOWN = int(MQCC.UNKNOWN)


def escaped_text_of(parameters: list[Parameter]) -> str:
    """The text of the command; PcfRefusedError if the parameters are not those of ESCAPE."""
    type_, text = parameters
    if not isinstance(type_.value, int):
        raise refusals.unexpected(type_)
    if type_.value != int(MQET.MQSC):
        raise refusals.wrong_value(type_.number)
    if not isinstance(text.value, str):
        raise refusals.unexpected(text)
    return text.value


def escaped_command_of(text: str) -> LogicalLine:
    """The one command of the text; PcfRefusedError if there are several or none, or END, which
    is no command.
    """
    commands = [item for item in logical_lines(text.splitlines()) if isinstance(item, LogicalLine)]
    if len(commands) != 1 or is_ending(commands[0]):
        raise refusals.PcfRefusedError(MQRCCF.PARM_SYNTAX_ERROR)
    return commands[0]


def escape_bodies_of_text(
    qmgr: QueueManager,
    line: LogicalLine,
    request: Request | CommandRefusal,
) -> Iterator[answers.Body]:
    """Perform the command, and yield a response for each of its replies."""
    if isinstance(request, CommandRefusal):
        refusal = request.answer(line, None)
        yield _body(0, refusal, "\n".join(answer_lines(refusal)))
        return
    command = pcf_command(request.verb, request.noun, like=request.has("LIKE"))
    number = 0 if command is None else command.number
    answer = perform_request(qmgr, request)
    for reply in _replies(answer):
        yield _body(number, reply, "\n".join(answer_lines(reply)))


def _replies(answer: Answer) -> Iterator[Answer]:
    """The answer, once for each of its rows if they are printed one by one."""
    if answer.replies:
        for heading, reply in answer.replies:
            message_id, _, text = heading.partition(": ")
            yield Answer(message_id, text)
            yield from _replies(reply)
    elif answer.shows_rows:
        for row in answer.rows:
            yield structs.replace(answer, rows=(row,))
    else:
        yield answer


def _body(command: int, reply: Answer, text: str) -> answers.Body:
    """The response with the text of a reply; a failure without a reason code is an unknown one."""
    unknown = reply.completion == answers.FAILED and not reply.reason
    parameters = [
        Parameter(int(MQIACF.ESCAPE_TYPE), int(MQET.MQSC)),
        Parameter(int(MQCACF.ESCAPE_TEXT), text),
    ]
    completion = _UNKNOWN if unknown else reply.completion
    return answers.body_of(
        parameters,
        completion=completion,
        reason=int(reply.reason),
        command=command,
    )
