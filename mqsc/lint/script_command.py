"""A command of a script, its words that only some platforms support, and where an error in it is.

It also declares the lint rules that have no function in `rules`, because the code that reads,
suppresses or performs commands finds them.
"""

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct

from mqsc.diagnostic import Description, Location, descriptions_beside
from mqsc.grammar.tree import Command, Parameter, Value
from mqsc.language.command_table import noun_of, verb_of
from mqsc.language.refusal import JOB_CONTROL, SHELL_COMMAND, placeholder_at
from mqsc.language.request import Request
from mqsc.store.catalog import Attribute, Kind, Stored
from mqsc.store.constants import MQRCCF
from mqsc.store.rules import streaming


class ScriptCommand(Struct, frozen=True):
    """A command whose verb and noun are known.

    `request` leaves out parameters with errors, which `has_errors` reports. It is None when the
    object that the command is about is unknown.
    """

    file: str
    parsed: Command
    request: Request | None
    verb: str
    noun: str
    has_errors: bool = False

    @property
    def kind(self) -> Kind | None:
        """The kind of object, when the command is about exactly one kind."""
        kinds = self.request.kinds if self.request else ()
        return kinds[0] if len(kinds) == 1 else None

    @property
    def name(self) -> str:
        """The name of the object, or blank."""
        return self.request.name if self.request else ""

    @property
    def attributes(self) -> Mapping[str, Stored]:
        """The attributes with their values."""
        return self.request.attributes if self.request else {}

    @property
    def options(self) -> Mapping[str, Stored]:
        """The parameters that are not attributes."""
        return self.request.options if self.request else {}

    @property
    def disposition(self) -> str:
        """QSGDISP, by default QMGR."""
        return str(self.options.get("QSGDISP", "QMGR"))

    @property
    def title(self) -> str:
        """Verb, noun and name: DEFINE QLOCAL(A)."""
        return f"{self.verb} {self.noun}({self.name})" if self.name else f"{self.verb} {self.noun}"

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters after the noun."""
        return self.parsed.parameters[2:]

    def rows(self) -> Iterator[tuple[Parameter, Attribute]]:
        """The parameters that name an attribute of the object, with the catalog row of that
        attribute.
        """
        kind = self.kind
        for parameter in self.parameters if kind else ():
            row, _ = kind.words.get(parameter.keyword, (None, True)) if kind else (None, True)
            if row is not None:
                yield parameter, row

    def location_of(self, keyword: str = "") -> Location:
        """The location of the keyword's value, or of the keyword if it is a flag; by default of
        the object's name.
        """
        for parameter, row in self.rows() if keyword else ():
            if row.keyword == keyword:
                return self.location(parameter.values[0] if parameter.values else parameter)
        return self.location(self.parsed.parameters[min(1, len(self.parsed.parameters) - 1)])

    def location(self, word: Parameter | Value) -> Location:
        return Location(self.file, word.line, word.column)


def script_command(
    file: str,
    parsed: Command,
    request: Request | None,
    *,
    has_errors: bool = False,
) -> ScriptCommand | None:
    """The command with its verb and noun; None when one of them is unknown."""
    verb = verb_of(parsed.parameters[0].keyword)
    noun = (
        noun_of(verb, parsed.parameters[1].keyword) if verb and len(parsed.parameters) > 1 else None
    )
    return ScriptCommand(file, parsed, request, verb, noun, has_errors) if verb and noun else None


# The words of a command that only some platforms support.

ZOS_VERBS = frozenset("ARCHIVE BACKUP MOVE RECOVER RVERIFY".split())
# Short forms of verbs that other platforms have too.
ZOS_SYNONYMS = frozenset({"REBUILD"})
ZOS_NOUNS = frozenset(
    "ARCHIVE BSDS BUFFPOOL CFSTATUS CFSTRUCT CMDSERV GROUP INDOUBT LOG MAXSMSGS PSID QSTATS SMDS "
    "SMDSCONN STGCLASS "
    "SYSTEM THREAD TPIPE TRACE USAGE".split(),
)
# Values that only z/OS has, for commands that other platforms have too.
ZOS_VALUES = {("REFRESH", "QMGR", "TYPE"): frozenset({"EARLY", "EXPIRY"})}
ONE_PLATFORM: Mapping[str, str] = {"zos": "z/OS", "windows": "Windows", "nsk": "HPE NonStop"}
# Platforms that reject the words of z/OS, and whose own words z/OS rejects.
DISTRIBUTED = frozenset({"multi", "alw", "unix", "windows"})


def platform_words(command: ScriptCommand) -> Iterator[tuple[Parameter, str]]:
    """The words that not every platform supports, with the code of the platform in the catalog."""
    verb, noun = command.parsed.parameters[:2]
    if command.verb in ZOS_VERBS or verb.keyword in ZOS_SYNONYMS:
        yield verb, "zos"
    elif command.noun in ZOS_NOUNS and not _is_set_log_archived(command):
        yield noun, "zos"
    elif command.kind is not None and command.kind.platform != "all":
        yield noun, command.kind.platform
    if command.parameters and _is_before_noun(command, command.parameters[0]):
        yield command.parameters[0], "zos"
    for parameter, row in command.rows():
        if row.platform != "all":
            yield parameter, row.platform
    for parameter in command.parameters:
        values = ZOS_VALUES.get((command.verb, command.noun, parameter.keyword), frozenset())
        if parameter.values and parameter.values[0].text in values:
            yield parameter, "zos"


def _is_before_noun(command: ScriptCommand, parameter: Parameter) -> bool:
    noun = command.parsed.parameters[1]
    return (parameter.line, parameter.column) < (noun.line, noun.column)


def _is_set_log_archived(command: ScriptCommand) -> bool:
    """SET LOG ARCHIVED is the only command on a log that other platforms have."""
    return command.verb == "SET" and any(
        parameter.keyword == "ARCHIVED" for parameter in command.parameters
    )


def word_text(command: ScriptCommand, word: Parameter) -> str:
    """The keyword, with its value or its place when only that is specific to a platform."""
    if word in command.parameters and _is_before_noun(command, word):
        return f"{word.keyword} before the object"
    by_value = (command.verb, command.noun, word.keyword) in ZOS_VALUES and word.values
    return f"{word.keyword}({word.values[0].text})" if by_value and word.values else word.keyword


# Where an error is, and what is suggested for it.

_ROWS = descriptions_beside(__file__)
ERRORS: Mapping[str, Description] = {
    rule_id: each for rule_id, each in _ROWS.items() if each.severity == "error"
}
FOUND_ELSEWHERE = [row for row in _ROWS.values() if row.severity != "error"]


# Recognises text that is not MQSC: comments of other languages, placeholders, shell commands, JCL.

COMMENT = "begin a comment with * in the first column"
SHELL = "remove it: this is a shell command"
JCL = "remove it: this is JCL"

_BEGINNINGS = (
    (re.compile(r"#|--|//|/\*|<!--|rem\b", re.IGNORECASE), COMMENT),
    # The message already names the text.
    (SHELL_COMMAND, "remove it"),
    (re.compile(r"\$ |<<|```"), SHELL),
)


def suggestion_for(text: str, starts_command: bool, at: int = 0) -> str:
    """A correction for the text where an error was found at the offset; blank when the text is
    not recognised.
    """
    placeholder = placeholder_at(text, at)
    if placeholder is not None:
        return placeholder.remedy
    if JOB_CONTROL.match(text):
        return JCL
    if not starts_command:
        return ""
    return next((suggestion for pattern, suggestion in _BEGINNINGS if pattern.match(text, at)), "")


# Where in a command an error is that only performing the command shows.

_STREAMING = frozenset(
    int(MQRCCF[f"STREAMQ_{word}"])
    for word in ("DEST_NOT_SUPP", "DEST_CONFLICT", "NOT_SUPPORTED", "CONFLICT")
)


def error_location(command: ScriptCommand, message_id: str, reason: int) -> Location:
    """The last keyword of the command that the error is about, or the object if there is none."""
    words = [
        row.keyword
        for _, row in command.rows()
        if not row.leading and _is_about(row.keyword, message_id, reason)
    ]
    return command.location_of(words[-1] if words else "")


def _is_about(keyword: str, message_id: str, reason: int) -> bool:
    """Whether the error can be about the keyword: if so, the example of the error has it."""
    if reason in _STREAMING:
        return keyword in streaming.STREAMING_WORDS
    return message_id in ERRORS and f"{keyword}(" in ERRORS[message_id].bad
