"""The refusal of a command, and hints on text that is not MQSC."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct

from mqsc.grammar.lines import LogicalLine
from mqsc.grammar.tree import Parameter, Value
from mqsc.language.command_table import ENDINGS, verb_of
from mqsc.language.reply import Answer, message_line, message_text
from mqsc.language.request import CommandSyntax
from mqsc.language.secrets import masked, without_secrets_of
from mqsc.store.constants import MQRCCF
from mqsc.store.table import cells

# Refusals that runmqsc counts as valid commands that failed; every other one is a syntax error
# (AMQ8424E: an APAR).
EXECUTION = frozenset({"AMQ8214E", "AMQ8424E", "AMQ8425E", "AMQ8569E"})
# The reason code of a refusal, if it has one.
REASONS: Mapping[str, int] = {
    id: int(MQRCCF[name])
    for id, name in cells(__file__, "refusal_reasons.csv", ("message", "reason"))
}

_TOKEN = re.compile(r"(?:(?<=\w)'|'(?:[^']|'')*'?|[^\s,()';]+|[()';])")
_EMPTY = re.compile(r"\s*\([\s,]*\)")


class CommandRefusal(Struct, frozen=True):
    """The reason why a command is not valid: `sentence` names the text that was found, and the
    valid ones.

    `line` and `column` are the position in the source and count from 1. `words` are listed after
    AMQ8426I. `syntax` is shown after AMQ8405I, for `subtype` (CHLTYPE of a channel) if that is
    known. `is_last`: it should end there.
    """

    message_id: str
    sentence: str
    line: int
    column: int
    syntax: CommandSyntax | None = None
    words: tuple[str, ...] = ()
    subtype: str = ""
    is_last: bool = False

    def answer(self, source: LogicalLine, file: str | None) -> Answer:
        """The answer to the command in `source`."""
        place = (
            f"{file + ', ' if file else ''}line {self.line}, column {self.column}: "
            f"{self.told(source)}"
        )
        text = "\n".join((message_text(self.message_id), *self._block(source, place)))
        invalid = self.message_id not in EXECUTION
        reason = REASONS.get(self.message_id, 0)
        return Answer(
            self.message_id,
            text,
            2,
            reason,
            syntax_error=invalid,
            position=(self.line, self.column),
        )

    def told(self, source: LogicalLine) -> str:
        """The sentence without secrets; on a word that spans two lines, it says that no blank
        comes between them.
        """
        sentence = without_secrets_of(source.text, self.sentence)
        at = _offset(source, self.line, self.column)
        word = _TOKEN.match(source.text, at)
        spans_lines = (
            word and word[0][0].isalpha() and source.position(word.end() - 1)[0] > self.line
        )
        return (
            f"{sentence} (lines are joined without a blank: leave one before + or -)"
            if spans_lines
            else sentence
        )

    def _block(self, source: LogicalLine, place: str) -> list[str]:
        if self.message_id == "AMQ8426I":
            return ["", *(f"    {word}" for word in self.words), "", place]
        if self.message_id != "AMQ8405I":
            return [place]
        help = []
        if self.syntax is not None:
            from mqsc.language.syntax_text import syntax_lines

            help = [message_line("AMQ8427I"), "", *syntax_lines(self.syntax, self.subtype)]
        return [masked(segment(source, self.line, self.column)), "", place, *help]


def segment(source: LogicalLine, line: int, column: int) -> str:
    """The command up to and including the token at (line, column); empty parentheses belong to
    their keyword.
    """
    text = source.text
    at = _offset(source, line, column)
    token = _TOKEN.match(text, at)
    end = token.end() if token else len(text)
    empty = _EMPTY.match(text, end)
    return text[: empty.end() if empty else end].rstrip()


def _offset(source: LogicalLine, line: int, column: int) -> int:
    """The offset of a place in the text of the command."""
    end = len(source.text)
    return next((offset for offset in range(end) if source.position(offset) >= (line, column)), end)


class CommandRefusedError(Exception):
    """Raised by a check; carries the refusal."""

    def __init__(self, refusal: CommandRefusal) -> None:
        super().__init__(refusal.sentence)
        self.refusal = refusal


# Recognises comments, quotes and continuation of other languages, which people write in commands
# out of habit.

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
    if JOB_CONTROL.match(" ".join(each.raw for each in (word, *others[:1]))):
        return "; leave out the job control statements (JCL)"
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
        return (
            f"{self.written} {insert if self.written.startswith('+') else 'is a placeholder'}: "
            f"{self.remedy}."
        )

    @property
    def remedy(self) -> str:
        """How to replace the placeholder by a value."""
        given = f"give --set {self.name}=VALUE"
        variable = f"${{{self.name}}}"
        return given if self.written == variable else f"write {variable} and {given}"


def placeholder_at(text: str, at: int) -> Placeholder | None:
    """The placeholder that covers the offset `at`, or that is in the value that starts there."""
    start = max(0, at - REACH)
    for placeholder in _PLACEHOLDER.finditer(text[start : at + REACH]):
        first, beyond = placeholder.start() + start, placeholder.end() + start
        if first <= at < beyond or (at < first and _SAME_VALUE.fullmatch(text[at:first])):
            return Placeholder(
                placeholder.group(),
                _variable(next((each for each in placeholder.groups() if each), "")),
            )
    return None


def _variable(text: str) -> str:
    name = re.sub(r"[^A-Za-z0-9_]+", "_", text).strip("_")
    return name if name and not name[0].isdigit() else f"NAME{name}"
