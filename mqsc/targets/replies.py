"""What runmqsc answered to the commands of a script, read from its echo by the ids of messages, in
any language (targets §5).

A command is done when the message of its success is there. The letter of a message does not
decide: a syntax error is AMQ8405I, and old releases have no letters.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum

from msgspec import Struct

from mqsc.console.terminal import printable
from mqsc.language.reply import SUCCESS_MESSAGES, TEXTS
from mqsc.language.request import Request
from mqsc.plan import DEFINING
from mqsc.scripts.declarations import keys_of
from mqsc.scripts.export import DefinitionKey

# The number of a command and its first line; of further lines the number is blank.
_ECHO = re.compile(r"\s{0,5}(\d+) : (.*)")
_FURTHER = re.compile(r"\s{7,}:(?: .*)?")
_MESSAGE = re.compile(
    r"\s*(?:\d\d\.\d\d\.\d\d +)?(AMQ\d{4}[A-Z]?|CSQ[A-Z0-9]\d{3}[A-Z]|MQSC\d{4}[A-Z])\b"
)
# On z/OS every command ends with one of these.
_NORMAL, _ABNORMAL = "CSQ9022I", "CSQ9023E"
_NUMBER = slice(0, 7)
# Informational by their letters, and yet the command failed.
_SYNTAX = frozenset(("AMQ8405", "AMQ8406", "AMQ8426", "AMQ8427"))
_FAILING = frozenset("EST")
# The severity of messages that releases before 9.1 wrote without a letter.
_LETTERS = {text[_NUMBER]: text[7:] for text in TEXTS}
_LONGEST = 1000


class Outcome(Enum):
    """What became of a command; the value is the phrase for people."""

    DONE = "done"
    FAILED = "failed"
    UNKNOWN = "not known"


class SentCommand(Struct, frozen=True):
    """A command as it was sent: the request, its text without secrets, and its lines. One that this
    program does not know how to perform is not tried before.
    """

    request: Request
    text: str
    lines: tuple[str, ...]
    is_tried: bool = True

    @property
    def objects(self) -> set[tuple[str, str]]:
        """The kinds and names of the definitions that it is about."""
        return {(self.request.kinds[0].keyword, key[1]) for key in self.keys}

    @property
    def keys(self) -> tuple[DefinitionKey, ...]:
        """The definitions that it is about."""
        return keys_of(self.request) if self.request.verb in DEFINING else ()


class Reply(Struct, frozen=True):
    """What became of a command, and what was said of it."""

    command: SentCommand
    outcome: Outcome
    lines: tuple[str, ...] = ()


def replies(commands: Sequence[SentCommand], out: bytes) -> list[Reply]:
    """The reply to each command. Without an echo, replies are matched with commands if there are
    as many.
    """
    lines = [printable(line)[:_LONGEST] for line in out.decode("utf-8", "replace").splitlines()]
    echoed = _by_echo(commands, lines)
    if not echoed:
        echoed = _by_order(commands, lines)
    return [
        Reply(command, _outcome(command.request, echoed[at]), tuple(echoed[at]))
        if at in echoed
        else Reply(command, Outcome.UNKNOWN)
        for at, command in enumerate(commands)
    ]


def _by_echo(commands: Sequence[SentCommand], lines: Sequence[str]) -> dict[int, list[str]]:
    """The lines behind the echo of each command, by its place. Only the next number with the text
    of the next command is an echo: values that DISPLAY shows may look like one.
    """
    answered: dict[int, list[str]] = {}
    for line in lines:
        echo = _ECHO.fullmatch(line)
        following = len(answered)
        is_next = (
            echo is not None
            and following < len(commands)
            and int(echo[1]) == following + 1
            and _begins_alike(echo[2], commands[following].lines[0])
        )
        if is_next:
            answered[following] = []
        elif answered and line.strip() and not _FURTHER.fullmatch(line):
            answered[following - 1].append(line.rstrip())
    return answered


def _begins_alike(echoed: str, sent: str) -> bool:
    """Whether the echo is that of the line; it may hide what is behind the name."""
    return echoed.split()[:2] == sent.split()[:2]


def _by_order(commands: Sequence[SentCommand], lines: Sequence[str]) -> dict[int, list[str]]:
    said = [line.strip() for line in lines if _MESSAGE.match(line)]
    return {at: [line] for at, line in enumerate(said)} if len(said) == len(commands) else {}


def _outcome(request: Request, lines: Sequence[str]) -> Outcome:
    ids = [found[1] for line in lines if (found := _MESSAGE.match(line))]
    if _NORMAL in ids or _ABNORMAL in ids:
        return Outcome.FAILED if _ABNORMAL in ids else Outcome.DONE
    namespace = request.kinds[0].namespace if request.kinds else request.noun.lower()
    success = SUCCESS_MESSAGES.get((request.verb, namespace), "")[_NUMBER]
    for message_id in ids:
        if message_id[_NUMBER] == success:
            return Outcome.DONE
        if _is_failure(message_id):
            return Outcome.FAILED
    if not ids:
        return Outcome.UNKNOWN
    # A command with a message of its own for success did not say it.
    return Outcome.FAILED if success.startswith("AMQ") else Outcome.DONE


def _is_failure(message_id: str) -> bool:
    number = message_id[_NUMBER]
    return number in _SYNTAX or (message_id[7:] or _LETTERS.get(number, "")) in _FAILING


def first_sentence(reply: Reply) -> str:
    """The message that says what became of a command."""
    return next((line.strip() for line in reply.lines if _MESSAGE.match(line)), "no reply")
