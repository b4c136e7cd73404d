"""The words of a command that only some platforms support."""

from collections.abc import Iterator, Mapping

from mqsc.grammar.tree import Parameter
from mqsc.lint.script_command import ScriptCommand

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
