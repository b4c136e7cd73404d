"""Runs MQSC: reads lines, yields echoes and answers. A command that fails does not affect the commands after it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from grammar.lines import LogicalLine, Remark, logical_lines
from grammar.parse import parse_command
from grammar.tree import SyntaxFault
from mqsc.language.analysis import analyse
from mqsc.language.command_table import ENDINGS
from mqsc.language.masking import masked, masked_source
from mqsc.language.messages import message_text
from mqsc.language.placeholders import placeholder_at
from mqsc.language.refusal import CommandRefusal
from mqsc.language.request import Request
from mqsc.language.syntax import syntax_begun_by
from mqsc.language.unsupported import unsupported_here
from mqsc.reply import Answer, CommandError, Reply
from mqsc.tally import Tally
from mqsc.variables import substitute
from mqsc.verbs import perform
from store.error import at_exit

if TYPE_CHECKING:
    from store.client.api import QueueManager

EMPTY_ANSWER = Answer("")
SKIPPED = "MQSC0053I"


class Echoed(Struct, frozen=True):
    """Source lines that were read, with secrets masked. `number` counts commands; it is None for a comment."""

    number: int | None
    lines: tuple[str, ...]


class Answered(Struct, frozen=True):
    """A command and its answer. The rows of the answer can be read once."""

    file: str | None
    line: int
    command: str
    answer: Answer

    def reply_fields(self) -> dict[str, Any]:
        """The fields of a Reply except the rows."""
        answer = self.answer
        return {
            "file": self.file,
            "line": self.line,
            "command": self.command,
            "message_id": answer.message_id,
            "text": answer.text,
            "completion": answer.completion,
            "reason": int(answer.reason),
        }

    def reply(self) -> Reply:
        """The reply with all its rows."""
        return Reply(**self.reply_fields(), rows=[*map(dict, self.answer.rows)])


class Script:
    """One run over one or several inputs; holds the command numbers and the tally that the inputs share.

    Commands are performed by `carry_out`, by default on the queue manager. With neither, they are only checked, and a
    valid command gets an empty answer. `values` are the values of the script's variables; None means that the script
    has no variables and `${NAME}` is ordinary text. `skip_unsupported` skips commands that are not supported here.
    """

    def __init__(
        self,
        qmgr: QueueManager | None,
        *,
        carry_out: Callable[[Request], Answer] | None = None,
        values: Mapping[str, str] | None = None,
        skip_unsupported: bool = False,
    ) -> None:
        self.qmgr = qmgr
        self.tally = Tally()
        self._number = 0
        self._carry_out = carry_out or (partial(perform, qmgr) if qmgr else lambda request: EMPTY_ANSWER)
        self._values = values
        self._skips_unsupported = skip_unsupported
        self._remarks: set[str] = set()

    def steps(self, lines: Iterable[bytes | str], file: str | None = None) -> Iterator[Echoed | Answered]:
        """Read `lines` up to their end or END. Each command is performed between its echo and its answer."""
        for item in logical_lines(lines):
            if isinstance(item, Remark):
                yield Echoed(None, tuple(line.text for line in item.source))
                continue
            self._number += 1
            yield Echoed(self._number, masked_source(item))
            if is_ending(item):
                return
            line = item if self._values is None else substitute(item, self._values)
            request = read_request(line)
            if isinstance(request, CommandRefusal):
                answer = replace(request.answer(line, file), once=_placeholder_remarks(line, request))
            else:
                answer = self._answer(request)
            if answer.once:
                answer = self._with_remarks(answer)
            self.tally.count(answer)
            yield Answered(file, line.source[0].number, masked(line.text.strip()), answer)

    def _answer(self, request: Request) -> Answer:
        reason = unsupported_here(request) if self._skips_unsupported else ""
        if reason:
            return Answer(SKIPPED, message_text(SKIPPED, f"{request.verb} {request.noun}", detail=reason))
        return self._carry_out(request)

    def _with_remarks(self, answer: Answer) -> Answer:
        """The answer with those of its `once` lines that no earlier answer of this run had."""
        new = [each for each in answer.once if _topic(each) not in self._remarks]
        self._remarks.update(map(_topic, new))
        return replace(answer, text="\n".join((answer.text, *new)))


def _placeholder_remarks(line: LogicalLine, refusal: CommandRefusal) -> tuple[str, ...]:
    """What to do about the placeholder that a command was refused for; empty if it was another reason."""
    places = ((each.text, refusal.column - each.column) for each in line.source if each.number == refusal.line)
    found = placeholder_at(*next(places, ("", 0)))
    return () if found is None else (found.sentence,)


def _topic(remark: str) -> str:
    """The part of a remark that is said once: the reason, whichever keyword it is about."""
    return remark.partition(": ")[2] or remark


def is_ending(line: LogicalLine) -> bool:
    """Whether the line is END, which ends its input and is not a command."""
    return line.text.strip().upper() in ENDINGS and not line.unfinished


def commands_in(lines: Iterable[bytes | str]) -> Iterator[LogicalLine]:
    """The commands of one input up to its end or END."""
    commands = (item for item in logical_lines(lines) if isinstance(item, LogicalLine))
    return takewhile(lambda line: not is_ending(line), commands)


def read_request(line: LogicalLine) -> Request | CommandRefusal:
    """The request in a logical line, or the reason to refuse it."""
    try:
        return analyse(parse_command(line), line.text.strip())
    except SyntaxFault as fault:
        message_id = "AMQ8406I" if line.unfinished else "AMQ8405I"
        return CommandRefusal(message_id, fault.reason, fault.line, fault.column, syntax_begun_by(line.text))


def replies(
    qmgr: QueueManager | None, text: str | Iterable[bytes | str], *, file: str | None = None, check: bool = False
) -> Iterator[Reply]:
    """Perform the commands of `text` one by one and yield the reply to each.

    `text` is MQSC: a string, or its lines. Without a queue manager the commands are only checked. `file` is the file
    name that replies mention. With `check`, the first command that fails raises CommandError, and the commands after it
    are not performed; otherwise a failure is only a reply with completion 2.
    """
    try:
        for step in Script(qmgr).steps((text,) if isinstance(text, str) else text, file):
            if isinstance(step, Answered):
                reply = step.reply()
                if check and reply.completion == 2:
                    raise CommandError(reply)
                yield reply
    except ImportError as error:
        raise at_exit(error) from None


def run(
    qmgr: QueueManager | None, text: str | Iterable[bytes | str], *, file: str | None = None, check: bool = False
) -> list[Reply]:
    """Perform the commands of `text` and return the replies in order.

    The parameters are those of `replies`. With `check=True` the first command that fails raises CommandError, whose
    `reply` is the reply to that command; the commands before it stay in effect.
    """
    return list(replies(qmgr, text, file=file, check=check))
