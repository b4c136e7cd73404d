"""Lint rules on words that only some platforms support. This queue manager supports all of them
(design §3.17).
"""

from collections.abc import Iterator

from mqsc.diagnostic import Violation
from mqsc.language.command_table import SETTING
from mqsc.lint.lint_rule import lint_rule
from mqsc.lint.platform_words import DISTRIBUTED, ONE_PLATFORM, platform_words
from mqsc.lint.script_command import ScriptCommand
from mqsc.lint.scripts import Scripts


@lint_rule("MQSC-C22", "note", "scripts", "Word that only one platform supports")
def one_platform(scripts: Scripts) -> Iterator[Violation]:
    """This queue manager supports the words of all platforms. IBM MQ rejects a command with a word
    of another platform as a syntax error.

    Bad:
        DEFINE QLOCAL(A) INDXTYPE(MSGID)

    Good:
        DEFINE QLOCAL(A) MAXDEPTH(100)
    """
    # Reported once per file, because a script for z/OS is full of such words.
    for (_, platform), (word, location, count) in scripts.of_platforms.items():
        others = f" ({count - 1} more in this file)" if count > 1 else ""
        message = (
            f"only {ONE_PLATFORM[platform]} supports {word}{others}; on other platforms it is a "
            "syntax error"
        )
        yield Violation(location, message, "a separate script for this platform")


@lint_rule("MQSC-C23", "warning", "command", "Words of two platforms in one command")
def two_platforms(command: ScriptCommand, scripts: Scripts) -> Iterator[Violation]:
    """z/OS rejects one word and every other platform rejects the other, so no IBM MQ accepts the
    command.

    Bad:
        DEFINE QLOCAL(A) INDXTYPE(MSGID) NPMCLASS(HIGH)

    Good:
        DEFINE QLOCAL(A) NPMCLASS(HIGH)
    """
    word_of = {platform: word for word, platform in reversed([*platform_words(command)])}
    others = [word for platform, word in word_of.items() if platform in DISTRIBUTED]
    if "zos" in word_of and others:
        zos, other = word_of["zos"], others[0]
        message = f"only z/OS supports {zos.keyword}, but z/OS does not support {other.keyword}"
        last = max((zos, other), key=lambda word: (word.line, word.column))
        yield Violation(command.location(last), message, "only one of them")


@lint_rule("MQSC-C40", "note", "command", "Type not directly after the name")
def not_at_once(command: ScriptCommand, scripts: Scripts) -> Iterator[Violation]:
    """CHLTYPE, AUTHTYPE, TRPTYPE of a listener and TYPE of a channel authentication record must
    follow the name on platforms other than z/OS; elsewhere in the command they are a syntax error
    there.

    Bad:
        DEFINE CHANNEL(A) DESCR('x') CHLTYPE(SVRCONN)

    Good:
        DEFINE CHANNEL(A) CHLTYPE(SVRCONN) DESCR('x')
    """
    # Lexical rules: CHLTYPE, TRPTYPE, AUTHTYPE and TYPE of CHLAUTH come straight after the name on
    # Multiplatforms.
    for parameter, row in command.rows() if command.verb in SETTING else ():
        if row.leading and parameter is not command.parameters[0]:
            message = (
                f"on platforms other than z/OS {parameter.keyword} must follow the name at once"
            )
            yield Violation(
                command.location(parameter),
                message,
                f"{parameter.keyword} directly after the name",
            )
