"""Runs MQSC one command after the other, with the variables of scripts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import takewhile
from typing import Any, NamedTuple

from msgspec import Struct, field, structs

from mqsc.grammar.lines import COMMAND_LENGTH, LogicalLine, Remark, logical_lines
from mqsc.grammar.parse import parse_command
from mqsc.grammar.tree import SyntaxFault
from mqsc.language.command_table import ENDINGS, meant, unsupported_here
from mqsc.language.refusal import CommandRefusal, placeholder_at
from mqsc.language.reply import Answer, CommandError, Reply, Tally, message_text
from mqsc.language.request import Request
from mqsc.language.secrets import masked, masked_source
from mqsc.store.client.api import QueueManager
from mqsc.store.error import at_exit
from mqsc.verbs import perform_request
from mqsc.verbs.analysis import analyse, syntax_begun_by

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
            line = item if self.values is None else substitute(item, self.values)
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
        return EMPTY_ANSWER if self.qmgr is None else perform_request(self.qmgr, request)

    def _with_remarks(self, answer: Answer) -> Answer:
        """The answer with those of its `once` lines that no earlier answer of this run had."""
        new = [each for each in answer.once if _topic(each) not in self.remarks]
        self.remarks.update(map(_topic, new))
        return structs.replace(answer, text="\n".join((answer.text, *new)))


def _placeholder_remarks(line: LogicalLine, refusal: CommandRefusal) -> tuple[str, ...]:
    """The hint on the placeholder for which a command was refused; empty for another reason."""
    places = (
        (each.text, refusal.column - each.column)
        for each in line.source
        if each.number == refusal.line
    )
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


# Variables in scripts: `${NAME}` in a command is replaced by the value from `--set NAME=VALUE`.
#
# A value is substituted before the command is parsed. Inside quotes, a quote in the value is
# doubled, so that the value stays inside. Outside quotes, a value can be any part of a command, but
# it cannot end the command or continue it on another line. Variables in values and in comments are
# not replaced.

_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_.-]*)=(.*)", re.DOTALL)
_USE = re.compile(r"\$\{([^${}]*)\}")
VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_.-]*)\}")
_UNWRITABLE = re.compile("[\0\r\n\ud800-\udfff]")


class Unset(NamedTuple):
    """The use of a variable that has no value; `sentence` is the message for people."""

    name: str
    line: int
    column: int
    sentence: str


def parse_assignments(texts: Iterable[str]) -> dict[str, str]:
    """The values of NAME=VALUE texts by name; the last one wins.

    Raises ValueError, with a sentence for people, if a text has another form or MQSC cannot express
    the value.
    """
    values: dict[str, str] = {}
    for text in texts:
        assignment = _ASSIGNMENT.fullmatch(text)
        if assignment is None:
            raise ValueError(
                f"{text!r} is not NAME=VALUE; a name consists of letters, digits and _ . -",
            )
        name, value = assignment.groups()
        if _UNWRITABLE.search(value):
            raise ValueError(
                f"the value of {name} contains a line end, or bytes that are not UTF-8",
            )
        values[name] = value
    return values


def used_in(line: LogicalLine) -> set[str]:
    """The names of the variables in a command."""
    return set(_USE.findall(line.text))


def unset_in(line: LogicalLine, values: Mapping[str, str]) -> Iterator[Unset]:
    """Every use of a variable without a value in a command."""
    for found in _USE.finditer(line.text):
        name = found.group(1)
        if name not in values:
            row, column = line.position(found.start())
            yield Unset(name, row, column, f"{found.group()} is not set{meant(name, values)}")


def substitute(line: LogicalLine, values: Mapping[str, str]) -> LogicalLine:
    """The command with its variables replaced; every character of a value has the position of its
    variable.

    A command that becomes too long gets a fault instead; one that has a fault already is returned
    unchanged. Raises KeyError for a variable without a value.
    """
    uses = [*_USE.finditer(line.text)]
    if not uses or line.fault is not None:
        return line
    inserts = _inserts(line.text, uses, values)
    length = len(line.text) + sum(
        len(value) - len(use.group()) for use, value in zip(uses, inserts, strict=True)
    )
    if length > COMMAND_LENGTH:
        return structs.replace(line, fault=_too_long(line, uses[0].start()))
    ends = [0, *(use.end() for use in uses)]
    between = [line.text[end : use.start()] for end, use in zip(ends, uses, strict=False)]
    text = (
        "".join(part for pair in zip(between, inserts, strict=True) for part in pair)
        + line.text[ends[-1] :]
    )
    return structs.replace(line, text=text, pieces=tuple(sorted(_pieces(line, uses, inserts))))


def _inserts(text: str, uses: list[re.Match[str]], values: Mapping[str, str]) -> list[str]:
    """The replacement for each use; inside quotes its quotes are doubled."""
    inserts = []
    seen = 0
    inside = False
    for use in uses:
        inside ^= text.count("'", seen, use.start()) % 2 == 1
        seen = use.start()
        value = values[use.group(1)]
        inserts.append(value.replace("'", "''") if inside else value)
    return inserts


def _pieces(
    line: LogicalLine,
    uses: list[re.Match[str]],
    inserts: list[str],
) -> Iterator[tuple[int, int, int]]:
    """The pieces of the substituted text: (offset in it, line, column)."""
    pieces = iter([*line.pieces, (len(line.text) + 1, 0, 0)])
    offset, line_number, column = next(pieces)
    shift = 0
    for use, value in zip(uses, inserts, strict=True):
        while offset <= use.start():
            yield offset + shift, line_number, column
            offset, line_number, column = next(pieces)
        while offset < use.end():
            offset, line_number, column = next(pieces)
        yield from (
            (use.start() + shift + index, *line.position(use.start()))
            for index in range(len(value))
        )
        shift += len(value) - len(use.group())
        yield use.end() + shift, *line.position(use.end())
    while offset <= len(line.text):
        yield offset + shift, line_number, column
        offset, line_number, column = next(pieces)


def _too_long(line: LogicalLine, offset: int) -> SyntaxFault:
    reason = f"with its variables the command is too long: the limit is {COMMAND_LENGTH} characters"
    expected = (f"a command of at most {COMMAND_LENGTH} characters",)
    return SyntaxFault(*line.position(offset), f"character {COMMAND_LENGTH + 1}", expected, reason)
