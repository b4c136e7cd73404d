"""The refusal of a command: its message, the place of the error, and what would be right."""

import re
from collections.abc import Mapping

from msgspec import Struct

from mqsc.grammar.lines import LogicalLine
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
            f"{self.sentence_in(source)}"
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

    def sentence_in(self, source: LogicalLine) -> str:
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

    def segment_in(self, source: LogicalLine) -> str:
        """The part of the command that AMQ8405I shows, without secrets; blank for other
        messages.
        """
        if self.message_id != "AMQ8405I":
            return ""
        return masked(segment(source, self.line, self.column))

    def _block(self, source: LogicalLine, place: str) -> list[str]:
        if self.message_id == "AMQ8426I":
            return ["", *(f"    {word}" for word in self.words), "", place]
        if self.message_id != "AMQ8405I":
            return [place]
        help = []
        if self.syntax is not None:
            from mqsc.language.syntax_text import syntax_lines

            help = [message_line("AMQ8427I"), "", *syntax_lines(self.syntax, self.subtype)]
        return [self.segment_in(source), "", place, *help]


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
