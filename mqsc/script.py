"""Runs MQSC: lines in, echoes and answers out, one command at a time, so that one bad command never spoils the next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from grammar.fault import SyntaxFault
from grammar.lines import LogicalLine, Remark, logical_lines
from grammar.parse import parse_command
from mqsc.language.analysis import understand
from mqsc.language.command_table import ENDINGS
from mqsc.language.masking import masked, masked_source
from mqsc.language.refusal import Refusal
from mqsc.language.request import Request
from mqsc.language.syntax import begun_form
from mqsc.reply import Answer, Reply
from mqsc.tally import Tally
from mqsc.variables import filled
from mqsc.verbs import perform

if TYPE_CHECKING:
    from store.client.api import QueueManager

NOTHING_TO_SAY = Answer("")


@dataclass(frozen=True, slots=True)
class Echoed:
    """Source lines that were read, secrets masked; with the number of the command that begins there, if one does."""

    number: int | None
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answered:
    """A command and its answer. The rows of the answer may be read once."""

    file: str | None
    line: int
    command: str
    answer: Answer

    def reply_fields(self) -> dict[str, Any]:
        """The fields of a Reply, without the rows."""
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
        """The whole reply, rows read."""
        return Reply(**self.reply_fields(), rows=[dict(row) for row in self.answer.rows])


class Script:
    """One run over one or several inputs: holds the numbering and the tally that they share.

    Commands are carried out on the queue manager, or by `carry_out` where it is given; with neither they are checked
    only, and what is right is answered with nothing. `values` are those of the script's variables, None when it has no
    variables and `${NAME}` is text like any other.
    """

    def __init__(
        self,
        qmgr: QueueManager | None,
        *,
        carry_out: Callable[[Request], Answer] | None = None,
        values: Mapping[str, str] | None = None,
    ) -> None:
        self.qmgr = qmgr
        self.tally = Tally()
        self._number = 0
        self._carry_out = carry_out or (_check if qmgr is None else partial(perform, qmgr))
        self._values = values
        self._said: set[str] = set()

    def steps(self, lines: Iterable[bytes | str], file: str | None = None) -> Iterator[Echoed | Answered]:
        """Read `lines` to their end or to END; every command is carried out between its echo and its answer."""
        for item in logical_lines(lines):
            if isinstance(item, Remark):
                yield Echoed(None, tuple(line.text for line in item.source))
                continue
            self._number += 1
            yield Echoed(self._number, masked_source(item))
            if is_ending(item):
                return
            line = item if self._values is None else filled(item, self._values)
            answer = self._said_once(self._answer(line, file))
            self.tally.count(answer)
            yield Answered(file, line.source[0].number, masked(line.text.strip()), answer)

    def _answer(self, line: LogicalLine, file: str | None) -> Answer:
        understood = read_request(line)
        return understood.answer(line, file) if isinstance(understood, Refusal) else self._carry_out(understood)

    def _said_once(self, answer: Answer) -> Answer:
        """The answer with its further line, unless an earlier answer of this run had the same."""
        if not answer.once or answer.once in self._said:
            return answer
        self._said.add(answer.once)
        return replace(answer, text=f"{answer.text}\n{answer.once}")


def _check(request: Request) -> Answer:
    return NOTHING_TO_SAY


def is_ending(line: LogicalLine) -> bool:
    """Whether a line is END, which ends its input and is no command."""
    return line.text.strip().upper() in ENDINGS and not line.unfinished


def commands_in(lines: Iterable[bytes | str]) -> Iterator[LogicalLine]:
    """The commands of one input, as far as a run reads it."""
    commands = (item for item in logical_lines(lines) if isinstance(item, LogicalLine))
    return takewhile(lambda line: not is_ending(line), commands)


def read_request(line: LogicalLine) -> Request | Refusal:
    """What a logical line asks for, or why it cannot be said."""
    try:
        return understand(parse_command(line))
    except SyntaxFault as fault:
        message_id = "AMQ8406I" if line.unfinished else "AMQ8405I"
        return Refusal(message_id, fault.reason, fault.line, fault.column, begun_form(line.text))


def replies(
    qmgr: QueueManager | None, text: str | Iterable[bytes | str], *, file: str | None = None
) -> Iterator[Reply]:
    """Carry out the commands of `text` one by one, yielding the reply to each; without a queue manager, check them.

    `text` is MQSC: a string, or its lines. `file` is what the replies name as their origin.
    """
    for step in Script(qmgr).steps((text,) if isinstance(text, str) else text, file):
        if isinstance(step, Answered):
            yield step.reply()


def run(qmgr: QueueManager | None, text: str | Iterable[bytes | str], *, file: str | None = None) -> list[Reply]:
    """Carry out the commands of `text`; the replies in order. See `replies`."""
    return list(replies(qmgr, text, file=file))
