"""A rules table as it was understood, and its canonical text: reading that text again gives an equal table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from grammar.tree import Value
from mqsc.dlq.keywords import ACTIONS, CONTROLS, DEFAULT_RETRY_INTERVAL, KEYWORDS, Keyword, RuleValue

# What IBM advises, and all that counts on a z/OS card (dlq-rules §3, 8).
COLUMNS = 72
_INDENT = "    "


@dataclass(frozen=True, slots=True)
class Pattern:
    """One pattern keyword of a rule: a text with wildcards and no blanks at its end, a number, or None for any."""

    keyword: str
    value: str | int | None

    def __str__(self) -> str:
        return group(KEYWORDS[self.keyword], self.value)


@dataclass(frozen=True, slots=True)
class Rule:
    """What a message must be like, all patterns at once, and what is done with it; fields as rows of KEYWORDS say.

    `patterns` stand in the order of KEYWORDS. `line` is where the rule begins, `written` holds the values as they stand
    in the file by keyword; neither makes two rules different.
    """

    patterns: tuple[Pattern, ...]
    action: str
    forward_queue: str = ""
    forward_queue_manager: str = ""
    header: str = "YES"
    put_authority: str = "DEF"
    retry: int = 1
    line: int = field(default=0, compare=False)
    written: Mapping[str, Value] = field(default_factory=dict, compare=False, repr=False)

    def __str__(self) -> str:
        return " ".join(rule_groups(self))


@dataclass(frozen=True, slots=True)
class Control:
    """The control data of a table: blank names stand for the defaults, times are in seconds, `wait` None for ever."""

    input_queue: str = ""
    input_queue_manager: str = ""
    retry_interval: int = DEFAULT_RETRY_INTERVAL
    wait: int | None = None
    line: int = field(default=0, compare=False)
    written: Mapping[str, Value] = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class RulesTable:
    """A valid table. `wide` are the lines, other than comments, with something behind column 72."""

    control: Control
    rules: tuple[Rule, ...]
    file: str = field(default="", compare=False)
    wide: tuple[int, ...] = field(default=(), compare=False)

    @property
    def entries(self) -> tuple[Control | Rule, ...]:
        """The control data and all rules."""
        return (self.control, *self.rules)


def group(keyword: Keyword, value: RuleValue) -> str:
    """A keyword with its value, as it is written in a table."""
    return f"{keyword.keyword}({keyword.write(value)})"


def rule_groups(rule: Rule) -> list[str]:
    """The keywords of a rule with their values, patterns first; actions that have their default are left out."""
    return [*map(str, rule.patterns), *_given(rule, ACTIONS)]


def text_of(table: RulesTable) -> str:
    """The canonical text: an entry per logical line, continued where it would pass column 72."""
    entries = (_given(table.control, CONTROLS), *map(rule_groups, table.rules))
    return "".join(line + "\n" for groups in entries for line in _lines(groups))


def _given(entry: Rule | Control, keywords: tuple[Keyword, ...]) -> list[str]:
    values = ((row, getattr(entry, row.field)) for row in keywords)
    return [group(row, value) for row, value in values if value != row.default]


def _lines(groups: list[str]) -> Iterator[str]:
    line = ""
    for each in groups:
        if line and len(line) + len(each) + len("  +") > COLUMNS:
            yield line + " +"
            line = _INDENT + each
        else:
            line += (" " if line.strip() else "") + each
    if line:
        yield line
