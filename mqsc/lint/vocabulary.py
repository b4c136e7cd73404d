"""Which words of a command only some platforms know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from grammar.tree import Parameter
from mqsc.lint.statement import Statement

ZOS_VERBS = frozenset("ARCHIVE BACKUP MOVE RECOVER RVERIFY".split())
ZOS_NOUNS = frozenset(
    "ARCHIVE BSDS BUFFPOOL CFSTATUS CFSTRUCT CMDSERV GROUP INDOUBT LOG MAXSMSGS PSID QSTATS SMDS SMDSCONN STGCLASS "
    "SYSTEM THREAD TPIPE TRACE USAGE".split()
)
# A value that makes a command one of z/OS.
ZOS_VALUES = {("REFRESH", "QMGR", "TYPE"): frozenset({"EARLY", "EXPIRY"})}
ONLY: Mapping[str, str] = {"zos": "z/OS", "windows": "Windows", "nsk": "HPE NonStop"}
# Platforms that refuse the words of z/OS, and whose own words z/OS refuses.
DISTRIBUTED = frozenset({"multi", "alw", "unix", "windows"})


def platforms(statement: Statement) -> Iterator[tuple[Parameter, str]]:
    """The words of a command that not every platform knows, with the platform's code in the catalog."""
    verb, noun = statement.command.parameters[:2]
    if statement.verb in ZOS_VERBS:
        yield verb, "zos"
    elif statement.noun in ZOS_NOUNS:
        yield noun, "zos"
    elif statement.kind is not None and statement.kind.platform != "all":
        yield noun, statement.kind.platform
    for parameter, row in statement.rows():
        if row.platform != "all":
            yield parameter, row.platform
    for parameter in statement.parameters:
        wanted = ZOS_VALUES.get((statement.verb, statement.noun, parameter.keyword), frozenset())
        if parameter.values and parameter.values[0].text in wanted:
            yield parameter, "zos"


def told(statement: Statement, word: Parameter) -> str:
    """The word, with its value where that is what only one platform knows."""
    by_value = (statement.verb, statement.noun, word.keyword) in ZOS_VALUES and word.values
    return f"{word.keyword}({word.values[0].text})" if by_value and word.values else word.keyword
