"""Advice on words that only some platforms know. This queue manager speaks all of them (design §3.17)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from grammar.tree import Parameter
from mqsc.advice.rule import Rule
from mqsc.advice.scripts import Scripts
from mqsc.advice.statement import Hit, Statement

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


def one_platform(statement: Statement, scripts: Scripts) -> Iterator[Hit]:
    """A word that is a syntax error everywhere else."""
    for word, platform in platforms(statement):
        if platform in ONLY:
            message = f"{_told(statement, word)} is known on {ONLY[platform]} only; elsewhere it is a syntax error"
            yield Hit(statement.place(word), message, "a script of its own for that platform")


def _told(statement: Statement, word: Parameter) -> str:
    """The word, with its value where that is what only one platform knows."""
    by_value = (statement.verb, statement.noun, word.keyword) in ZOS_VALUES and word.values
    return f"{word.keyword}({word.values[0].text})" if by_value and word.values else word.keyword


def two_platforms(statement: Statement, scripts: Scripts) -> Iterator[Hit]:
    """Words in one command that no platform knows together."""
    found = {platform: word for word, platform in reversed([*platforms(statement)])}
    others = [word for platform, word in found.items() if platform in DISTRIBUTED]
    if "zos" in found and others:
        zos, other = found["zos"], others[0]
        message = f"{zos.keyword} is for z/OS and {other.keyword} is not: no IBM MQ takes both"
        yield Hit(statement.place(max((zos, other), key=lambda word: (word.line, word.column))), message, "one of them")


RULES = (
    Rule(
        "MQSC-C22",
        "note",
        "Word of one platform",
        "The queue manager here speaks the union of all platforms. An IBM MQ refuses a command with a word of another "
        "platform as a syntax error, and then nothing of the command is done.",
        "DEFINE QLOCAL(A) INDXTYPE(MSGID)\n",
        "DEFINE QLOCAL(A) MAXDEPTH(100)\n",
        of_statement=one_platform,
    ),
    Rule(
        "MQSC-C23",
        "warning",
        "Words of two platforms in one command",
        "One is refused on z/OS, the other everywhere else: no IBM MQ carries the command out.",
        "DEFINE QLOCAL(A) INDXTYPE(MSGID) NPMCLASS(HIGH)\n",
        "DEFINE QLOCAL(A) NPMCLASS(HIGH)\n",
        of_statement=two_platforms,
    ),
)
