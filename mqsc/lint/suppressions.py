"""Comments that allow what a lint rule would report: `* mqsc: allow MQSC-C08: drained by hand`.

Such a comment applies to the command that contains or follows it, and `allow-file` to the whole
file. It needs a reason, so that a reader learns why the rule does not matter there. Errors cannot
be allowed: the command would fail.
"""

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct, field

from mqsc.diagnostic import Description, Diagnostic
from mqsc.grammar.lines import LogicalLine, Remark, SourceLine

INVALID = "MQSC-C43"
UNUSED = "MQSC-C44"
_PREFIX = "MQSC-"
_ALLOW = re.compile(r"(?:^|;)\s*\*\s*mqsc:\s*(allow(?:-file)?)\b\s*(.*)", re.IGNORECASE)
_EXAMPLE = "* mqsc: allow C08: why it does not matter here"


class _Suppression(Struct):
    """The rules that a comment allows in the lines from `first` to `last`; `used` are those that
    were found there.
    """

    line: int
    column: int
    rules: tuple[str, ...]
    first: int = 0
    last: int = -1
    used: set[str] = field(default_factory=set)

    def allows(self, diagnostic: Diagnostic) -> bool:
        allowed = diagnostic.rule_id in self.rules and self.first <= diagnostic.line <= self.last
        if allowed:
            self.used.add(diagnostic.rule_id)
        return allowed


class Suppressions:
    """The suppressions of one file, collected while its commands are read."""

    def __init__(self, file: str, known: Iterable[Description]) -> None:
        self._file = file
        self._severities = {each.rule_id: each.severity for each in known}
        self._suppressions: list[_Suppression] = []
        self._next: list[_Suppression] = []
        self._invalid: list[Diagnostic] = []

    def commands(self, items: Iterable[LogicalLine | Remark]) -> Iterator[LogicalLine]:
        """The commands among the items; the comments among them are collected."""
        for item in items:
            for line in item.source:
                self._read(line)
            if isinstance(item, LogicalLine):
                for each in self._next:
                    each.first, each.last = item.source[0].number, item.source[-1].number
                self._next.clear()
                yield item

    def allows(self, diagnostic: Diagnostic) -> bool:
        """Whether a comment allows the diagnostic."""
        # All are asked: every comment that allows it counts as used.
        return bool(
            [suppression for suppression in self._suppressions if suppression.allows(diagnostic)]
        )

    def diagnostics(self) -> Iterator[Diagnostic]:
        """The diagnostics on the comments themselves, once all diagnostics of the file are
        known.
        """
        yield from self._invalid
        for suppression in self._suppressions:
            for rule_id in suppression.rules:
                if rule_id not in suppression.used:
                    message = f"nothing here violates {rule_id}"
                    yield self._diagnostic(
                        UNUSED,
                        suppression.line,
                        suppression.column,
                        message,
                        "remove the comment",
                    )

    def _read(self, line: SourceLine) -> None:
        match = _ALLOW.search(line.text)
        if match is None:
            return
        column = line.column + match.start(1)
        named, colon, reason = match[2].partition(":")
        rules = tuple(
            dict.fromkeys(_rule_id(word) for word in re.split(r"[\s,]+", named.strip()) if word),
        )
        fault = self._fault(rules, colon, reason)
        if fault:
            self._invalid.append(self._diagnostic(INVALID, line.number, column, *fault))
            return
        suppression = _Suppression(line.number, column, rules)
        self._suppressions.append(suppression)
        if match[1].lower() == "allow":
            self._next.append(suppression)
        else:
            suppression.last = 1 << 62

    def _fault(self, rules: tuple[str, ...], colon: str, reason: str) -> tuple[str, str] | None:
        """The fault of a comment, and its correction."""
        if not rules:
            return "the comment names no rule", _EXAMPLE
        for rule_id in rules:
            if rule_id not in self._severities:
                return f"there is no rule {rule_id}", _EXAMPLE
            if self._severities[rule_id] == "error":
                return f"{rule_id} is an error, which cannot be allowed", "correct the command"
        return None if colon and reason.strip() else ("the comment gives no reason", _EXAMPLE)

    def _diagnostic(
        self,
        rule_id: str,
        line: int,
        column: int,
        message: str,
        suggestion: str,
    ) -> Diagnostic:
        return Diagnostic(
            rule_id,
            self._severities[rule_id],
            self._file,
            line,
            column,
            message,
            suggestion,
        )


def _rule_id(word: str) -> str:
    """The id that a word means: `MQSC-` can be left out."""
    upper = word.upper()
    return upper if upper.startswith((_PREFIX, "AMQ")) else _PREFIX + upper
