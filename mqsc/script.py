"""Runs MQSC one command after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import takewhile
from typing import Any

from msgspec import Struct, field, structs

from mqsc.grammar.lines import LogicalLine, Remark, logical_lines
from mqsc.grammar.parse import parse_command
from mqsc.grammar.tree import SyntaxFault
from mqsc.language.command_table import ENDINGS
from mqsc.language.hidden_secrets import carried_out
from mqsc.language.refusal import CommandRefusal
from mqsc.language.reply import Answer, CommandError, Reply, message_text
from mqsc.language.request import Request
from mqsc.language.secrets import masked, masked_source
from mqsc.language.support import unsupported_here
from mqsc.language.tally import Tally
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.error import at_exit
from mqsc.verbs import perform_request
from mqsc.verbs.analysis import analyse
from mqsc.verbs.syntax import syntax_begun_by

EMPTY_ANSWER = Answer("")
SKIPPED = "MQSC0053I"


class Echoed(Struct, frozen=True):
    """Source lines that were read, with secrets masked. `number` counts commands; it is None for
    a comment.
    """

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


class Script(Struct):
    """One run over one or several inputs; holds the command numbers and the tally that the inputs
    share.

    Commands are performed by `carry_out`, by default on the queue manager. With neither, they are
    only checked, and a valid command gets an empty answer. `values` are the values of the script's
    variables; None means that the script has no variables and `${NAME}` is ordinary text.
    `skip_unsupported` skips commands that are not supported here. `read` reads a command, by
    default `read_request`.
    """

    qmgr: QueueManager | None
    carry_out: Callable[[Request], Answer] | None = None
    values: Mapping[str, str] | None = None
    skip_unsupported: bool = False
    read: Callable[[LogicalLine], Request | CommandRefusal] | None = None
    tally: Tally = field(default_factory=Tally)
    number: int = 0
    remarks: set[str] = field(default_factory=set)

    def steps(
        self,
        lines: Iterable[bytes | str],
        file: str | None = None,
    ) -> Iterator[Echoed | Answered]:
        """Read `lines` up to their end or END. Each command is performed between its echo and
        its answer.
        """
        for item in logical_lines(lines):
            if isinstance(item, Remark):
                yield Echoed(None, tuple(line.text for line in item.source))
                continue
            self.number += 1
            yield Echoed(self.number, masked_source(item))
            if is_ending(item):
                return
            line = item if self.values is None else _with_values(item, self.values)
            request = (self.read or read_request)(line)
            if isinstance(request, CommandRefusal):
                answer = structs.replace(
                    request.answer(line, file),
                    once=_placeholder_remarks(line, request),
                )
            else:
                place = f"{file}:{line.source[0].number}" if file else ""
                answer = self._answer(structs.replace(request, place=place))
            if answer.once:
                answer = self._with_remarks(answer)
            self.tally.count(answer)
            yield Answered(file, line.source[0].number, masked(line.text.strip()), answer)

    def _answer(self, request: Request) -> Answer:
        reason = unsupported_here(request) if self.skip_unsupported else ""
        if reason:
            return Answer(
                SKIPPED,
                message_text(SKIPPED, f"{request.verb} {request.noun}", detail=reason),
            )
        if self.carry_out is not None:
            return self.carry_out(request)
        if self.qmgr is None:
            return EMPTY_ANSWER
        return carried_out(request, partial(perform_request, self.qmgr))

    def _with_remarks(self, answer: Answer) -> Answer:
        """The answer with those of its `once` lines that no earlier answer of this run had."""
        new = [each for each in answer.once if _topic(each) not in self.remarks]
        self.remarks.update(map(_topic, new))
        return structs.replace(answer, text="\n".join((answer.text, *new)))


def _with_values(line: LogicalLine, values: Mapping[str, str]) -> LogicalLine:
    from mqsc.language.variables import substitute

    return substitute(line, values)


def _placeholder_remarks(line: LogicalLine, refusal: CommandRefusal) -> tuple[str, ...]:
    """The hint on the placeholder for which a command was refused; empty for another reason."""
    places = (
        (each.text, refusal.column - each.column)
        for each in line.source
        if each.number == refusal.line
    )
    from mqsc.language.placeholders import placeholder_at

    found = placeholder_at(*next(places, ("", 0)))
    return () if found is None else (found.sentence,)


def _topic(remark: str) -> str:
    """The part of a remark that is printed only once: the reason, without the keyword."""
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
        return CommandRefusal(
            message_id,
            fault.reason,
            fault.line,
            fault.column,
            syntax_begun_by(line.text),
        )


def replies(
    qmgr: QueueManager | None,
    text: str | Iterable[bytes | str],
    *,
    file: str | None = None,
    check: bool = False,
) -> Iterator[Reply]:
    """Perform the commands of `text` one by one and yield the reply to each.

    `text` is MQSC: a string, or its lines. Without a queue manager the commands are only checked.
    `file` is the file name that replies mention. With `check`, the first command that fails raises
    CommandError, and the commands after it are not performed; otherwise a failure is only a reply
    with completion 2.

    >>> [reply.message_id for reply in mqsc.replies(qmgr.manager, "PING QMGR; PING QMGR")]
    ['AMQ8415I', 'AMQ8415I']
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
    qmgr: QueueManager | None,
    text: str | Iterable[bytes | str],
    *,
    file: str | None = None,
    check: bool = False,
) -> list[Reply]:
    """Perform the commands of `text` and return the replies in order.

    The parameters are those of `replies`. With `check=True` the first command that fails raises
    CommandError, whose `reply` is the reply to that command; the commands before it stay in effect.

    >>> mqsc.run(qmgr.manager, "DISPLAY QLOCAL(ORDERS) MAXDEPTH")[0].rows
    [{'QUEUE': 'ORDERS', 'TYPE': 'QLOCAL', 'MAXDEPTH': 5000}]
    """
    return list(replies(qmgr, text, file=file, check=check))


def run_one(
    qmgr: QueueManager | None,
    text: str | Iterable[bytes | str],
    *,
    check: bool = False,
) -> Reply:
    """Perform the only command of `text` and return its reply; parameters as for `replies`.

    ValueError if the text has no command, or several; nothing is performed then.

    >>> mqsc.run_one(qmgr.manager, "PING QMGR").message_id
    'AMQ8415I'
    >>> mqsc.run_one(qmgr.manager, "PING QMGR; CLEAR QLOCAL(ORDERS)")
    Traceback (most recent call last):
    ValueError: the text must be one command, but has 2; the second is in line 1
    """
    lines = [text] if isinstance(text, str) else [*text]
    found = [*commands_in(lines)]
    if not found:
        raise ValueError("the text must be one command, but has none")
    if len(found) > 1:
        place = f"the second is in line {found[1].source[0].number}"
        raise ValueError(f"the text must be one command, but has {len(found)}; {place}")
    (reply,) = run(qmgr, lines, check=check)
    return reply
