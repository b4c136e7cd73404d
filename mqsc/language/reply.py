"""The replies to commands, with their texts.

To add an outcome of a verb, add a row to successes.csv; for a reason code of the store, add one to
failures.csv. The texts of messages are rows of messages.csv. Their ids are those of runmqsc; ids
that begin with MQSC are our own, for cases in which MQ has no message.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from msgspec import Struct

from mqsc.store.constants import MQRCCF, value_of
from mqsc.store.error import (
    ChannelInUseError,
    MQError,
    TopicStringInUseError,
    UncommittedMessagesError,
)
from mqsc.store.rules.channel import killed_program
from mqsc.store.table import cells, table

# The long explanations of the messages, which most commands do not need, are in `explain`.
TEXTS: Mapping[str, str] = {
    **dict(cells(__file__, "messages.csv", ("id", "text"))),
    "AMQ9999E": f"{killed_program.TEXT}.",
}


def message_text(message_id: str, name: str = "", detail: str = "") -> str:
    """The text of a message with its inserts: the name of an object, and a detail."""
    return TEXTS[message_id].format(name=name, object=name, detail=detail)


def message_line(message_id: str, name: str = "", detail: str = "") -> str:
    """The message as it is printed: id, colon, text."""
    return f"{message_id}: {message_text(message_id, name, detail)}"


ReplyRow = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Reply:
    """A command and its outcome.

    `file` and `line` say where the command begins. `text` is the text after the message id, further
    lines included. `completion` is 2 if the command failed, syntax errors included, else 0.
    `reason` is the MQRC or PCF code, or 0. `rows` are the rows of DISPLAY, REFRESH and other
    commands that list something: dicts by MQSC keyword.

    >>> reply = mqsc.run(qmgr.manager, "PING QMGR")[0]
    >>> reply.completion, reply.message_id
    (0, 'AMQ8415I')
    """

    file: str | None
    line: int
    command: str
    message_id: str
    text: str
    completion: int
    reason: int
    rows: list[dict[str, Any]] = field(default_factory=list)


class CommandError(Exception):
    """A command failed and `check=True` was given; `reply` is its reply.

    >>> mqsc.run(qmgr.manager, "ALTER QLOCAL(NONE) MAXDEPTH(1)", check=True)
    Traceback (most recent call last):
    mqsc.CommandError: line 1: ALTER QLOCAL(NONE) MAXDEPTH(1): AMQ8147E: ...
    """

    __module__ = "mqsc"

    def __init__(self, reply: Reply) -> None:
        super().__init__(reply)
        self.reply = reply

    def __str__(self) -> str:
        reply = self.reply
        place = f"{reply.file}, line {reply.line}" if reply.file else f"line {reply.line}"
        return f"{place}: {reply.command}: {reply.message_id}: {reply.text}"


class Answer(Struct, frozen=True):
    """The outcome of a verb, without the position of the command.

    `rows` can be read once. If `shows_rows` is set, every row is printed under its own heading, as
    DISPLAY does; otherwise rows are printed only as JSON. `bare` are the keywords whose value is
    printed without parentheses, `joined` those whose list is printed on one line, `alone` those
    with a line of their own, `begins` those that begin a new line. `syntax_error` selects the count
    of the tally. `once` are further lines for the first such answer of a run. `position` is the
    line and column of an error in the source, if the answer is about one. `replies` are the
    headings and answers of the members of a queue-sharing group that performed a command with
    CMDSCOPE.
    """

    message_id: str
    text: str = ""
    completion: int = 0
    reason: int = 0
    rows: Iterable[ReplyRow] = ()
    shows_rows: bool = False
    bare: frozenset[str] = frozenset()
    joined: frozenset[str] = frozenset()
    alone: frozenset[str] = frozenset()
    begins: frozenset[str] = frozenset()
    syntax_error: bool = False
    once: tuple[str, ...] = ()
    position: tuple[int, int] | None = None
    replies: tuple[tuple[str, Answer], ...] = ()


# The message for a verb that succeeded, by verb and namespace of the object.
SUCCESS_MESSAGES: Mapping[tuple[str, str], str] = {
    (row["verb"], row["namespace"]): row["message"]
    for row in table(__file__, "successes.csv", ("verb", "namespace", "message"))
}

# The message for a reason code of the store, and the valid values, for messages that do not name
# them. The id for an ALTER that needs FORCE is not known for certain; "in use" is true in any case.
_FAILURES = {
    value_of(row["reason"]): row
    for row in table(__file__, "failures.csv", ("reason", "message", "hint"))
}
FAILURE_MESSAGES: Mapping[int, str] = {
    reason: row["message"] for reason, row in _FAILURES.items() if row["message"]
}
HINTS: Mapping[int, str] = {reason: row["hint"] for reason, row in _FAILURES.items() if row["hint"]}
UNCOMMITTED = (
    "{name} has uncommitted messages; DISPLAY CONN(*) WHERE(UOWSTATE NE NONE) lists open units of "
    "work."
)

# The detail in a message, if it is not the reason code.
DETAILS: Mapping[int, str] = {MQRCCF.MQOPEN_FAILED: "there is no local queue of this name"}


@cache
def done(verb: str, namespace: str, *remarks: str) -> Answer:
    """The answer to a verb that succeeded on an object of `namespace`; `remarks` are further
    lines.
    """
    message_id = SUCCESS_MESSAGES[verb, namespace]
    return Answer(message_id, "\n".join((message_text(message_id), *remarks)))


def refused(message_id: str, name: str, reason: int, *remarks: str) -> Answer:
    """The answer to a command that its verb refuses; `remarks` are further lines."""
    return Answer(message_id, "\n".join((message_text(message_id, name), *remarks)), 2, reason)


def failed(error: MQError, *remarks: str) -> Answer:
    """The answer to a command that the store refused; `remarks` are further lines."""
    reason = int(error.reason)
    message_id = FAILURE_MESSAGES.get(reason, "AMQ8101S")
    hint = UNCOMMITTED if isinstance(error, UncommittedMessagesError) else HINTS.get(reason)
    hints = [hint.format(name=error.object_name)] if hint else []
    if isinstance(error, ChannelInUseError):
        hints.append(f"Process {error.owner} runs it.")
    if isinstance(error, TopicStringInUseError):
        hints.append(f"{error.owner} has this topic string.")
    detail = DETAILS.get(reason, str(error))
    return Answer(
        message_id,
        "\n".join((message_text(message_id, error.object_name, detail), *hints, *remarks)),
        2,
        reason,
    )


REFUSAL = "MQSC0003E"
ONLY_DISPLAYED = "MQSC0054E"
THE_PAST = "the past"


def refused_in_past(command: str, shown: str = THE_PAST) -> Answer:
    """The refusal of a command that is not DISPLAY, because the past is shown, or a queue manager
    elsewhere.
    """
    return Answer(ONLY_DISPLAYED, message_text(ONLY_DISPLAYED, command, detail=shown), 2)


def refused_here(command: str, sentence: str) -> Answer:
    """The refusal of a command, or of one form of it, with the reason."""
    reason = f"{sentence[0].upper()}{sentence[1:].removesuffix('.')}."
    return Answer(REFUSAL, f"{message_text(REFUSAL, command)}\n{reason}", 2)
