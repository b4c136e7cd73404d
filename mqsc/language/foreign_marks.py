"""Recognises comments, quotes and continuation of other languages, which people write in commands
out of habit.
"""

import re
from collections.abc import Sequence

from mqsc.grammar.tree import Parameter, Value
from mqsc.language.command_table import ENDINGS, verb_of

_COMMENT = re.compile(r"[*#]|--|/[*/]")
# A line of a z/OS job: // in its first columns, then a name, then the kind of statement.
JOB_CONTROL = re.compile(
    r"//([A-Z@#$][A-Z0-9@#$.]*)? +(JOB|EXEC|DD|SET|PROC|PEND|INCLUDE|JCLLIB|OUTPUT)( |$)|//\*|//$",
)
# Words that belong to a shell: programs, MQ's own among them, and the end of a here-document.
SHELL_COMMAND = re.compile(
    r"(?:echo|cat|su|sudo|export|kubectl|oc|docker|podman|eof"
    r"|(?:crt|str|end|dlt|dsp|set|run|dmp|rcd|rcr|add|rmv)mq[a-z]*|amqs[a-z]+)\b",
    re.IGNORECASE,
)
# The CL of IBM i has a few of its names in common with MQ's programs, but gives parameters as
# KEYWORD(value).
_CL_COMMAND = re.compile(
    r"(?:CRT|CHG|CPY|DLT|DSP|WRK|STR|END|CLR|RST|RSV|PNG|RCD|RCR|RFS|SPD|RSM|CVT|SET|GRT|RVK|ADD|RMV)MQM[A-Z]*",
)
_IN_COMMON = frozenset({"CRTMQM", "STRMQM", "ENDMQM", "DLTMQM"})
_TEMPLATE = "{%"
# What runmqsc prints: the number of a command and a colon, a reply, and the line before the first.
_PRINTED = re.compile(r"\d+ :|:( |$)|AMQ\d{4}[EISW]?:|5724-H72 ")
# What is before a command in a terminal, a list or a quotation; `MQSC >` is IBM's own prompt.
_PROMPT = re.compile(r"[>$-] |MQSC >")
# The first two bytes of a script that the operating system gives to another program.
INTERPRETER = re.compile("#!")
# What rules tables of the dead-letter queue handler begin with, and commands have nowhere.
_OF_RULES = re.compile("INPUTQM?|RETRYINT|REASON|ACTION")
# Marks of continuation in the wrong place; the words after them are part of the command.
MISPLACED_MARKS = {
    "+": "+ continues a command only at the end of a line",
    "-": "- continues a command only at the end of a line",
    "\\": "+ or - at the end of a line continues the command, a backslash does not",
}


def foreign_word(parameter: Parameter, *, starts_line: bool) -> str:
    """Why a word that is not a keyword cannot be part of the command; blank if it may be a misspelt
    keyword.

    `starts_line`: the word is the first of its line, so the line before it continues the command.
    """
    word = parameter.raw
    if _COMMENT.match(word):
        return "a comment must be on a line of its own that begins with an asterisk"
    if word in MISPLACED_MARKS:
        return MISPLACED_MARKS[word]
    begins_command = parameter.values is None and (
        verb_of(parameter.keyword) or parameter.keyword in ENDINGS
    )
    if starts_line and begins_command:
        return (
            f"{word} begins another command, but the line before it ends in + or -, which "
            "continues this one"
        )
    return ""


def hint_for_first_word(word: Parameter, others: Sequence[Parameter]) -> str:
    """The end of a sentence on a first word that is not a verb; blank if it may be a misspelt
    one.
    """
    beginning = " ".join(each.raw for each in (word, *others[:1]))
    if JOB_CONTROL.match(beginning):
        return "; leave out the job control statements (JCL)"
    if INTERPRETER.match(word.raw):
        return "; this is a script for another program, of which only the MQSC can be run here"
    if _PRINTED.match(beginning):
        return "; this is output of runmqsc, which mqsc import reads"
    if _COMMENT.match(word.raw):
        return "; a comment begins with an asterisk"
    if _is_cl(word, others):
        return "; this is a CL command of IBM i"
    if SHELL_COMMAND.fullmatch(word.raw) and word.values is None:
        return "; this is a shell command"
    if word.raw == _TEMPLATE:
        return "; fill in the template first"
    if _OF_RULES.fullmatch(word.keyword):
        return "; mqsc dlq checks and runs rules tables"
    if _PROMPT.match(beginning):
        return "; leave out the prompt"
    if others and verb_of(others[0].keyword) and not word.raw[0].isalnum():
        return "; leave out the command prefix of the z/OS console"
    if word.values is not None:
        return "; to continue a command, end the line before with +"
    return ""


def _is_cl(word: Parameter, others: Sequence[Parameter]) -> bool:
    if word.values is not None or not _CL_COMMAND.fullmatch(word.keyword):
        return False
    return word.keyword not in _IN_COMMON or any(each.values is not None for each in others)


def foreign_quote(values: Sequence[Value]) -> str:
    """The message about a value in the quotes of another language; blank without such a value."""
    for value in values:
        if value.in_other_quotes:
            return "the value must be in apostrophes, not in other quotes"
    return ""
