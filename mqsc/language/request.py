"""A command as a request, the placeholders in it, and the replies to commands with their texts.

To add an outcome of a verb, add a row to successes.csv; for a reason code of the store, add one to failures.csv. The
texts of messages are rows of messages.csv. Their ids are those of runmqsc; ids that begin with MQSC are our own, for
cases in which MQ has no message.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct, field as struct_field

from store.catalog import KINDS, Attribute, Kind, Stored, types
from store.constants import MQRCCF, value_of
from store.error import ChannelInUseError, MQError, UncommittedMessagesError
from store.rules.channel import decisions
from store.table import table

if TYPE_CHECKING:
    from store.client.api import QueueManager


class Naming(Enum):
    """The kind of name in parentheses after the noun. The value is the phrase for messages."""

    NONE = "no name"
    EXACT = "a name"
    GENERIC = "a name, or the beginning of one and *"
    # REFRESH SECURITY(*), DISPLAY SUB SUBID(...).
    OPTIONAL = "a name or nothing"
    SEVERAL = "one or more names"
    # The root of the topic tree is the blank string: DISPLAY TPSTATUS('').
    TOPIC = "a topic string"


class Option(Struct, frozen=True):
    """A parameter of a command that is not an attribute of the object.

    `nouns` are the nouns that take it, or empty for all of them. With `of_kind` only nouns whose kind has the keyword
    too take it.
    """

    row: Attribute
    nouns: frozenset[str] = frozenset()
    of_kind: bool = False


class Request(Struct, frozen=True):
    """A valid command.

    `given` are attributes with the values that the store keeps. `options` are the command's own parameters by keyword;
    the value of a flag is its word. `requested` are the attributes that DISPLAY should show. `name` is the name as
    typed, or blank. `text` is the command as typed, secrets included; blank for a request that was not typed.
    `elsewhere`: all members of the queue-sharing group perform the command, and the one that read it changes the
    objects of the group. `yet_to_perform` are the members that perform the same command after this one.
    `place` is where the command is in a script, as FILE:LINE.
    """

    verb: str
    noun: str
    kinds: tuple[Kind, ...]
    name: str = ""
    given: Mapping[str, Stored] = struct_field(default_factory=dict)
    options: Mapping[str, Stored] = struct_field(default_factory=dict)
    requested: tuple[str, ...] = ()
    text: str = ""
    elsewhere: bool = False
    yet_to_perform: frozenset[str] = frozenset()
    place: str = ""

    def __repr__(self) -> str:
        # Values may be secrets.
        return f"Request({self.verb} {self.noun} {self.name})"

    @property
    def kind(self) -> Kind:
        """The kind of object; ValueError if the command covers several."""
        (kind,) = self.kinds
        return kind

    def has(self, option: str) -> bool:
        """Whether the option was given, with any value."""
        return option in self.options


class Conflict(Struct, frozen=True):
    """Parameters for a noun that exclude each other: `keyword`, or only one of its values, and any of the others."""

    noun: str
    keyword: str
    others: tuple[str, ...]
    value: str = ""


class Verb(Struct, frozen=True):
    """One MQSC verb: its nouns with the kinds they cover, its own parameters, and the function that performs it.

    `namings` are the nouns that differ from `naming`. `takes_attributes` says whether attributes can be given with
    values, `lists_attributes` whether they can be given without.
    """

    keyword: str
    objects: Mapping[str, tuple[Kind, ...]]
    naming: Naming
    perform: Callable[[QueueManager, Request], Answer]
    options: tuple[Option, ...] = ()
    takes_attributes: bool = False
    lists_attributes: bool = False
    namings: Mapping[str, Naming] = struct_field(default_factory=dict)
    conflicts: tuple[Conflict, ...] = ()

    def naming_of(self, noun: str) -> Naming:
        """How a command names its object; the queue manager is never named."""
        return Naming.NONE if noun == "QMGR" else self.namings.get(noun, self.naming)


class CommandSyntax(Struct, frozen=True):
    """The parameters of one command, a verb with its noun.

    `name_types` are the types that the name must satisfy. `words` are the keywords with their rows, False for the
    NO-form of a flag. `listed` are the words that can be asked for without a value, with the keyword each stands for.
    `demanded` are the rows that are required, at least for some subtype.
    """

    verb: Verb
    noun: str
    kinds: tuple[Kind, ...]
    naming: Naming
    name_types: tuple[types.Type, ...]
    words: Mapping[str, tuple[Attribute, bool]]
    listed: Mapping[str, str]
    demanded: tuple[Attribute, ...]

    @property
    def title(self) -> str:
        """The verb and the noun: DEFINE QLOCAL."""
        return f"{self.verb.keyword} {self.noun}"


def words_of(rows: Iterable[Attribute]) -> dict[str, tuple[Attribute, bool]]:
    """The words for the rows, each with its row; False for the NO-form of a flag."""
    words: dict[str, tuple[Attribute, bool]] = {}
    for row in rows:
        words |= dict.fromkeys((row.keyword, *row.synonyms), (row, True))
        if isinstance(row.type, types.Flag) and row.type.off:
            words[row.type.off] = (row, False)
    return words


def same_namespace(kind: Kind) -> list[Kind]:
    """The kinds that share their names with `kind`: the four types of queue, or the kind alone."""
    return [each for each in KINDS.values() if each.namespace == kind.namespace] or [kind]


# Placeholders of template languages in scripts: $X, {{ x }}, <NAME>, and MQ's +NAME+.
#
# Variables of `--set` are written ${NAME}.

# The forms of placeholders; the name is in the group that matched.
_FORMS = (
    r"\$\{([^}\s]*)\}?",
    r"\{\{\s*([^}\s]*)[^}]*\}*",
    r"\$\(([^)\s]*)\)?",
    r"\$(\w+)",
    r"<([^<>]+)>",
    r"\u2039([^\u203a\s]*)\u203a?",
    r"__(\w+?)__",
    r"@@(\w+?)@@",
    r"#\{([^}\s]*)\}?",
    r"&lt;(.*?)&gt;",
    r"\+([A-Za-z_]\w*)\+",
)
_PLACEHOLDER = re.compile("|".join(_FORMS))
# The characters allowed between an error and the placeholder that it is about.
_SAME_VALUE = re.compile(r"'?[^\s()']*")
# How many characters before and after an error are examined.
REACH = 80


class Placeholder(NamedTuple):
    """A placeholder as written, and the variable that can take its place."""

    written: str
    name: str

    @property
    def sentence(self) -> str:
        """The message: what the placeholder is, and how to replace it."""
        insert = "is an insert that only MQ's automatic configuration of uniform clusters replaces"
        return f"{self.written} {insert if self.written.startswith('+') else 'is a placeholder'}: {self.remedy}."

    @property
    def remedy(self) -> str:
        """How to replace the placeholder by a value."""
        given = f"give --set {self.name}=VALUE"
        variable = f"${{{self.name}}}"
        return given if self.written == variable else f"write {variable} and {given}"


def placeholder_at(text: str, at: int) -> Placeholder | None:
    """The placeholder that covers the offset `at`, or that is in the value that starts there."""
    start = max(0, at - REACH)
    for found in _PLACEHOLDER.finditer(text[start : at + REACH]):
        first, beyond = found.start() + start, found.end() + start
        if first <= at < beyond or (at < first and _SAME_VALUE.fullmatch(text[at:first])):
            return Placeholder(found.group(), _variable(next((each for each in found.groups() if each), "")))
    return None


def _variable(text: str) -> str:
    name = re.sub(r"[^A-Za-z0-9_]+", "_", text).strip("_")
    return name if name and not name[0].isdigit() else f"NAME{name}"


def _texts() -> dict[str, str]:
    # Read without csv and pathlib, because their import takes longer than all the rest of it. No text has quotes in it.
    with open(__file__.removesuffix("request.py") + "messages.csv", encoding="utf-8") as file:
        _, *lines = file.read().splitlines()
    return {message_id: text.strip('"') for message_id, _, text in (line.partition(",") for line in lines)}


# The long explanations of the messages, which most commands do not need, are in `explain`.
TEXTS: Mapping[str, str] = {**_texts(), "AMQ9999E": f"{decisions.TEXT}."}


def message_text(message_id: str, name: str = "", detail: str = "") -> str:
    """The text of a message with its inserts: the name of an object, and a detail."""
    return TEXTS[message_id].format(name=name, object=name, detail=detail)


def message_line(message_id: str, name: str = "", detail: str = "") -> str:
    """The message as it is printed: id, colon, text."""
    return f"{message_id}: {message_text(message_id, name, detail)}"


Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Reply:
    """A command and its outcome.

    `file` and `line` say where the command begins. `text` is the text after the message id, further lines included.
    `completion` is 2 if the command failed, syntax errors included, else 0. `reason` is the MQRC or PCF code, or 0.
    `rows` are the rows of DISPLAY, REFRESH and other commands that list something: dicts by MQSC keyword.

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

    `rows` can be read once. If `each` is set, every row is printed under its own heading, as DISPLAY does; otherwise
    rows are printed only as JSON. `bare` are the keywords whose value is printed without parentheses, `joined` those
    whose list is printed on one line, `alone` those with a line of their own, `begins` those that begin a new line.
    `syntax_error` selects the count of the tally. `once` are further lines for the first such answer of a run.
    `position` is the line and column of an error in the source, if the answer is about one. `replies` are the headings
    and answers of the members of a queue-sharing group that performed a command with CMDSCOPE.
    """

    message_id: str
    text: str = ""
    completion: int = 0
    reason: int = 0
    rows: Iterable[Row] = ()
    each: bool = False
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
    (row["verb"], row["namespace"]): row["message"] for row in table(__file__, "successes.csv")
}

# The message for a reason code of the store, and the valid values, for messages that do not name them. The id for an
# ALTER that needs FORCE is not known for certain; "in use" is true in any case.
_FAILURES = {value_of(row["reason"]): row for row in table(__file__, "failures.csv")}
FAILURE_MESSAGES: Mapping[int, str] = {reason: row["message"] for reason, row in _FAILURES.items() if row["message"]}
HINTS: Mapping[int, str] = {reason: row["hint"] for reason, row in _FAILURES.items() if row["hint"]}
UNCOMMITTED = "{name} has uncommitted messages; DISPLAY CONN(*) WHERE(UOWSTATE NE NONE) lists open units of work."

# The detail in a message, if it is not the reason code.
DETAILS: Mapping[int, str] = {MQRCCF.MQOPEN_FAILED: "there is no local queue of this name"}


@cache
def done(verb: str, namespace: str, *remarks: str) -> Answer:
    """The answer to a verb that succeeded on an object of `namespace`; `remarks` are further lines."""
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
        hints.append(f"Process {error.process} runs it.")
    detail = DETAILS.get(reason, str(error))
    return Answer(
        message_id, "\n".join((message_text(message_id, error.object_name, detail), *hints, *remarks)), 2, reason
    )


# The three closing lines of runmqsc, and the exit code.


class Tally(Struct):
    """Counts commands: all, those with a syntax error, and valid ones that failed."""

    read: int = 0
    syntax_errors: int = 0
    failures: int = 0

    def count(self, answer: Answer) -> None:
        self.read += 1
        if answer.syntax_error:
            self.syntax_errors += 1
        elif answer.completion == 2:
            self.failures += 1

    def lines(self) -> tuple[str, str, str]:
        """The closing lines; zero and one are words (No, One), other numbers are digits."""
        read, wrong, failed = self.read, self.syntax_errors, self.failures
        return (
            f"{_number(read)} MQSC {'command' if read == 1 else 'commands'} read.",
            f"{_number(wrong)} {'command has' if wrong == 1 else 'commands have'} a syntax error.",
            "All valid MQSC commands were processed."
            if failed == 0
            else f"{_number(failed)} valid MQSC {'command' if failed == 1 else 'commands'} could not be processed.",
        )

    @property
    def exit_code(self) -> int:
        """0 if all commands succeeded, else 10."""
        return 10 if self.syntax_errors or self.failures else 0


def _number(number: int) -> str:
    return {0: "No", 1: "One"}.get(number, str(number))
