"""Why a command is refused before anything is done: the message, where it went wrong, what would be right."""

from __future__ import annotations

import re
from dataclasses import dataclass

from grammar.lines import LogicalLine
from mqsc.language.masking import masked, without_secrets_of
from mqsc.language.request import Form
from mqsc.language.syntax_help import syntax_lines
from mqsc.reply import Answer, text_of

# Refusals that runmqsc counts as valid commands that failed; every other one is a syntax error (AMQ8424E: an APAR).
EXECUTION = frozenset({"AMQ8214E", "AMQ8424E", "AMQ8425E", "AMQ8569E"})
# MQRCCF codes where a refusal has one: duplicate, range, length, name, missing, filter.
REASONS = {
    "AMQ8214E": 4061,
    "AMQ8411E": 3018,
    "AMQ8412E": 4005,
    "AMQ8413E": 3011,
    "AMQ8421E": 3228,
    "AMQ8424E": 4008,
    "AMQ8425E": 4005,
    "AMQ8569E": 3150,
}

_TOKEN = re.compile(r"(?:'(?:[^']|'')*'?|[^\s,()';]+|[()';])")
_EMPTY = re.compile(r"\s*\([\s,]*\)")


@dataclass(frozen=True, slots=True)
class Refusal:
    """`sentence` says what was found and what would be right; `line` and `column` count from 1 in the source.

    `words` are listed after an AMQ8426I; `form` is the command whose syntax is shown after an AMQ8405I, for
    `subtype` (CHLTYPE of a channel) where that is known; `name` is what a text with an insert is about.
    """

    message_id: str
    sentence: str
    line: int
    column: int
    form: Form | None = None
    words: tuple[str, ...] = ()
    name: str = ""
    subtype: str = ""

    def answer(self, source: LogicalLine, file: str | None) -> Answer:
        """The answer to the command that stood in `source`."""
        sentence = without_secrets_of(source.text, self.sentence)
        place = f"{file + ', ' if file else ''}line {self.line}, column {self.column}: {sentence}"
        text = "\n".join((text_of(self.message_id, self.name), *self._block(source, place)))
        syntax = self.message_id not in EXECUTION
        return Answer(self.message_id, text, 2, REASONS.get(self.message_id, 0), syntax=syntax)

    def _block(self, source: LogicalLine, place: str) -> list[str]:
        if self.message_id == "AMQ8426I":
            return ["", *(f"    {word}" for word in self.words), "", place]
        if self.message_id != "AMQ8405I":
            return [place]
        help = [] if self.form is None else ["", *syntax_lines(self.form, self.subtype)]
        told = [f"AMQ8427I: {text_of('AMQ8427I')}"] if help else []
        return [masked(segment(source, self.line, self.column)), "", place, *told, *help]


def segment(source: LogicalLine, line: int, column: int) -> str:
    """The command up to and including the token at (line, column); empty parentheses belong to their keyword."""
    text = source.text
    at = next((offset for offset in range(len(text)) if source.position(offset) >= (line, column)), len(text))
    token = _TOKEN.match(text, at)
    end = token.end() if token else len(text)
    empty = _EMPTY.match(text, end)
    return text[: empty.end() if empty else end].rstrip()


class CommandRefusedError(Exception):
    """Carries a Refusal out of a check."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.sentence)
        self.refusal = refusal
