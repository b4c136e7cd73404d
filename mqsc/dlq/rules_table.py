"""A rules table as values: its control data, its rules, and the action of a rule for one
message.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from msgspec import Struct

from mqsc.dlq.keywords import (
    ACTIONS,
    CONTROLS,
    KEYWORDS,
    RULE_ACTIONS,
    HeaderTreatment,
    Keyword,
    RuleAction,
    RuleValue,
)
from mqsc.grammar.tree import Value
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.headers.mqdlh import MQDLH_LENGTH, DeadLetterHeader

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


# The action of a rule for one message, as a value: the target, the descriptor and the data to put
# (dlq-rules §4.4).


class PlannedPut(Struct, frozen=True):
    """An MQPUT1 with MQPMO_SYNCPOINT and MQPMO_PASS_ALL_CONTEXT. A blank queue manager is the local
    one.

    With `alternate_user`, the put also has MQPMO_ALTERNATE_USER_AUTHORITY and this AlternateUserId.
    """

    queue: str
    queue_manager: str
    descriptor: MessageDescriptor
    data: bytes
    alternate_user: str | None = None


def planned_put(
    rule: Rule,
    descriptor: MessageDescriptor,
    header: DeadLetterHeader,
    data: bytes,
) -> PlannedPut | None:
    """The put that the action makes for a message, if it makes one. `data` begins with the MQDLH that `header`
    holds unpacked.

    When the header is kept, the target gets the bytes of `data` unchanged: message data is never
    converted (dlq-rules §7, 6).
    """
    target = target_of(rule, descriptor, header)
    if target is None:
        return None
    alternate_user = descriptor.user_identifier if rule.put_authority == "CTX" else None
    if strips_header(rule):
        descriptor, data = without_header(descriptor, header), data[MQDLH_LENGTH:]
    return PlannedPut(*target, descriptor, data, alternate_user)


def is_repeated_failure(put: PlannedPut, reason: int, header: DeadLetterHeader) -> bool:
    """Whether a failed put has the reason and the target that the MQDLH already records. AMQ8722 is
    then not written: MQ reports a failure once (dlq-rules §7, 27).
    """
    target = (put.queue, put.queue_manager)
    return reason == header.reason and target == (header.dest_q_name, header.dest_q_mgr_name)


def without_header(descriptor: MessageDescriptor, header: DeadLetterHeader) -> MessageDescriptor:
    """The descriptor after the MQDLH is removed: Format, Encoding and CCSID come from the header,
    which kept those of the data (dlq-rules §7, 7).
    """
    restored = descriptor.copy()
    restored.format = header.format
    restored.encoding = header.encoding
    restored.coded_char_set_id = header.coded_char_set_id
    return restored


def target_of(
    rule: Rule,
    descriptor: MessageDescriptor,
    header: DeadLetterHeader,
) -> tuple[str, str] | None:
    """The queue and the queue manager that the rule puts a message to; None if it puts none."""
    target = rule.effect.target
    if target is None:
        return None
    fields = {
        "&DESTQ": header.dest_q_name,
        "&DESTQM": header.dest_q_mgr_name,
        "&REPLYQ": descriptor.reply_to_q,
        "&REPLYQM": descriptor.reply_to_q_mgr,
    }
    of_rule = {"FWDQ": rule.forward_queue, "FWDQM": rule.forward_queue_manager}
    queue, queue_manager = (of_rule.get(name, name) for name in target)
    return fields.get(queue, queue), fields.get(queue_manager, queue_manager)


def length_put(rule: Rule, length: int) -> int:
    """How many bytes the rule puts of a message with `length` bytes, MQDLH included."""
    return length - MQDLH_LENGTH if strips_header(rule) else length


def strips_header(rule: Rule) -> bool:
    """Whether the message is put without its MQDLH: always with RETRY, and for FWD with
    HEADER(NO).
    """
    treatment = rule.effect.header
    if treatment is HeaderTreatment.AS_RULE_SAYS:
        return rule.header == "NO"
    return treatment is HeaderTreatment.STRIPPED
