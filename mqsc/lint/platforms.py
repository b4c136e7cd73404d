"""Advice on words that only some platforms know. This queue manager speaks all of them (design §3.17)."""

from __future__ import annotations

from collections.abc import Iterator

from mqsc.lint.rule import Rule
from mqsc.lint.scripts import Scripts
from mqsc.lint.statement import Hit, Statement
from mqsc.lint.vocabulary import DISTRIBUTED, ONLY, platforms


def one_platform(scripts: Scripts) -> Iterator[Hit]:
    """Words that are a syntax error everywhere else, told once a file: a script for z/OS is full of them."""
    for (_, platform), (word, place, count) in scripts.of_platforms.items():
        others = f", and so {'is' if count == 2 else 'are'} {count - 1} more here" if count > 1 else ""
        told = f"{word} is known on {ONLY[platform]} only{others}; elsewhere that is a syntax error"
        yield Hit(place, told, "a script of its own for that platform")


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
        of_scripts=one_platform,
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
