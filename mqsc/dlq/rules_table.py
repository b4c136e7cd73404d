"""A rules table as values: its control data and its rules."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from mqsc.dlq.keywords import (
    ACTIONS,
    CONTROLS,
    KEYWORDS,
    RULE_ACTIONS,
    Keyword,
    RuleAction,
    RuleValue,
)
from mqsc.grammar.tree import Value

# IBM's recommendation, and the length of a line on z/OS (dlq-rules §3, 8).
COLUMNS = 72
_INDENT = "    "


@dataclass(frozen=True, slots=True)
class Pattern:
    """One pattern of a rule. The value is text that may have wildcards, a number, or None for
    any number.
    """

    keyword: str
    value: str | int | None

    def __str__(self) -> str:
        return keyword_text(KEYWORDS[self.keyword], self.value)


@dataclass(frozen=True, slots=True)
class Rule:
    """The patterns that a message must match, all of them, and the action for it. KEYWORDS explains
    the fields.

    `patterns` are in the order of KEYWORDS. `line` is where the rule begins, and `written` maps
    keywords to their values as written in the file; neither counts when rules are compared.
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

    @property
    def effect(self) -> RuleAction:
        """What the action does."""
        return RULE_ACTIONS[self.action]

    def __str__(self) -> str:
        return " ".join(_rule_keywords(self))


@dataclass(frozen=True, slots=True)
class Control:
    """The control data of a table. Blank names mean the defaults, times are in seconds, and a
    `wait` of None is unlimited.
    """

    input_queue: str = ""
    input_queue_manager: str = ""
    retry_interval: int = int(KEYWORDS["RETRYINT"].default or 0)
    wait: int | None = None
    line: int = field(default=0, compare=False)
    written: Mapping[str, Value] = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class RulesTable:
    """A valid table. `wide` has the numbers of the lines, except comments, with text after
    column 72.
    """

    control: Control
    rules: tuple[Rule, ...]
    file: str = field(default="", compare=False)
    wide: tuple[int, ...] = field(default=(), compare=False)

    @property
    def entries(self) -> tuple[Control | Rule, ...]:
        """The control data, then the rules."""
        return (self.control, *self.rules)


def keyword_text(keyword: Keyword, value: RuleValue) -> str:
    """A keyword with its value as written in a table."""
    return f"{keyword.keyword}({keyword.write(value)})"


def text_of(table: RulesTable) -> str:
    """The canonical text: a logical line for each entry, continued before column 72."""
    entries = (_keyword_texts(table.control, CONTROLS), *map(_rule_keywords, table.rules))
    return "".join(line + "\n" for keywords in entries for line in _lines(keywords))


def _rule_keywords(rule: Rule) -> list[str]:
    """The keywords of a rule with their values, patterns first, without defaults of action
    keywords.
    """
    return [*map(str, rule.patterns), *_keyword_texts(rule, ACTIONS)]


def _keyword_texts(entry: Rule | Control, keywords: tuple[Keyword, ...]) -> list[str]:
    values = ((definition, getattr(entry, definition.field)) for definition in keywords)
    return [
        keyword_text(definition, value)
        for definition, value in values
        if value != definition.default
    ]


def _lines(keywords: list[str]) -> Iterator[str]:
    line = ""
    for keyword in keywords:
        if line and len(line) + len(keyword) + len("  +") > COLUMNS:
            yield line + " +"
            line = _INDENT + keyword
        else:
            line += (" " if line.strip() else "") + keyword
    if line:
        yield line
