"""The keywords of rules tables, and their values.

`field` of a control or action keyword is a field of Control or Rule. `field` of a pattern keyword
is the field of DeadLetterFacts that the pattern is compared with, and `source` names that field in
its MQ structure.
"""

import re
from collections.abc import Mapping
from enum import Enum
from typing import Literal

from msgspec import Struct

from mqsc.dlq.value_types import ANY_NUMBER, ANY_TEXT, HIGHEST, NumberPattern, TextPattern
from mqsc.grammar.printing import quoted
from mqsc.store import table
from mqsc.store.catalog.types import Name, Number, Type, Word

TablePart = Literal["control", "pattern", "action"]
NO_MEANINGS: Mapping[str, int | None] = {}
ANY_MEANING: Mapping[str, int | None] = {ANY_NUMBER: None}
# A text without trailing blanks, a number, or None for "any number" and "wait forever".
RuleValue = str | int | None

_NEEDS_NO_QUOTES = re.compile(r"[A-Z0-9./_%?*]+")


class Keyword(Struct, frozen=True):
    """A keyword: the part of a table it belongs to, the type of its value, the field
    that holds the value.

    `meanings` maps words to the value that the field holds for them.
    """

    keyword: str
    part: TablePart
    type: Type
    default: RuleValue
    field: str
    source: str
    help: str
    meanings: Mapping[str, int | None]

    @property
    def is_text(self) -> bool:
        """Whether the value is a name or a text pattern: any characters, lower case only in
        quotes.
        """
        return isinstance(self.type, (Name, TextPattern))

    def read(self, text: str) -> RuleValue:
        """The value of a text that is not empty; raises InvalidValueError."""
        accepted = self.type.accept(text if self.is_text else text.strip(" "))
        return self.meanings.get(accepted, accepted) if isinstance(accepted, str) else accepted

    def write(self, value: RuleValue) -> str:
        """The canonical text of a value, with quotes where they are needed: `read` gives the
        same value again.
        """
        for word, meaning in self.meanings.items():
            if meaning == value:
                return word
        if isinstance(self.type, NumberPattern):
            return self.type.name_of(int(value or 0))
        text = str(value)
        if not self.is_text or text in self.type.words or _NEEDS_NO_QUOTES.fullmatch(text):
            return text
        return quoted(text or " ")


class HeaderTreatment(Enum):
    """Whether a message is put with its MQDLH. AS_RULE_SAYS: the keyword HEADER decides."""

    KEPT = "kept"
    STRIPPED = "stripped"
    AS_RULE_SAYS = "as the rule says"


class RuleAction(Struct, frozen=True):
    """What a rule does with a message.

    `event` is the kind of event that records that the message was removed from the queue; blank if
    it stays. `target` has the queue and the queue manager to put it to, each as a symbol or as the
    keyword of the rule that names it; None if it is not put. A message that is put is also removed,
    in the same unit of work, so there is no target without an event. `keywords` are those that not
    every action takes; the first is required, and `required_value` says what its value is.
    """

    event: str = ""
    target: tuple[str, str] | None = None
    header: HeaderTreatment = HeaderTreatment.KEPT
    keywords: tuple[str, ...] = ()
    required_value: str = ""

    @property
    def removes_message(self) -> bool:
        return self.event != ""

    @property
    def puts_message(self) -> bool:
        return self.target is not None

    @property
    def does_nothing(self) -> bool:
        """Whether the message stays as it is. Such an action cannot fail and is never retried."""
        return not self.removes_message and not self.puts_message


RULE_ACTIONS: Mapping[str, RuleAction] = {
    "DISCARD": RuleAction("DISCARD"),
    "IGNORE": RuleAction(),
    "RETRY": RuleAction("REQUEUE", ("&DESTQ", "&DESTQM"), HeaderTreatment.STRIPPED),
    "FWD": RuleAction(
        "FORWARD",
        ("FWDQ", "FWDQM"),
        HeaderTreatment.AS_RULE_SAYS,
        keywords=("FWDQ", "FWDQM", "HEADER"),
        required_value="a queue to forward to",
    ),
}


def actions_with(
    keyword: str,
    actions: Mapping[str, RuleAction] = RULE_ACTIONS,
) -> tuple[str, ...]:
    """The only actions that take the keyword; none when every action takes it."""
    return tuple(name for name, action in actions.items() if keyword in action.keywords)


# A sentence about each keyword.
_HELP = dict(table.cells(__file__, "keywords.csv", ("keyword", "help")))


def _keyword(
    keyword: str,
    part: TablePart,
    type: Type,
    field: str,
    default: RuleValue,
    meanings: Mapping[str, int | None] = NO_MEANINGS,
) -> Keyword:
    """A keyword of the control entry, or of what a rule does."""
    return Keyword(keyword, part, type, default, field, "", _HELP[keyword], meanings)


def _pattern(keyword: str, type: TextPattern | NumberPattern, field: str, source: str) -> Keyword:
    """A keyword whose value a field of the message is compared with; by default any matches."""
    is_number = isinstance(type, NumberPattern)
    default, meanings = (None, ANY_MEANING) if is_number else (ANY_TEXT, NO_MEANINGS)
    return Keyword(keyword, "pattern", type, default, field, source, _HELP[keyword], meanings)


_ROWS = (
    _keyword("INPUTQ", "control", Name(strict=False), "input_queue", ""),
    _keyword("INPUTQM", "control", Name(strict=False), "input_queue_manager", ""),
    _keyword("RETRYINT", "control", Number(0, HIGHEST), "retry_interval", 60),
    _keyword(
        "WAIT",
        "control",
        Number(0, HIGHEST, {"YES": -1, "NO": 0}),
        "wait",
        None,
        {"YES": None, "NO": 0},
    ),
    _pattern("APPLIDAT", TextPattern(32), "appl_identity_data", "MQMD.ApplIdentityData"),
    _pattern("APPLNAME", TextPattern(28), "put_appl_name", "MQMD.PutApplName"),
    _pattern("APPLTYPE", NumberPattern(("MQAT",)), "put_appl_type", "MQMD.PutApplType"),
    _pattern("DESTQ", TextPattern(48), "dest_q_name", "MQDLH.DestQName"),
    _pattern("DESTQM", TextPattern(48), "dest_q_mgr_name", "MQDLH.DestQMgrName"),
    _pattern("FEEDBACK", NumberPattern(("MQFB", "MQRC")), "feedback", "MQMD.Feedback"),
    _pattern("FORMAT", TextPattern(8), "format", "MQDLH.Format"),
    _pattern("MSGTYPE", NumberPattern(("MQMT",)), "msg_type", "MQMD.MsgType"),
    _pattern("PERSIST", NumberPattern(("MQPER",)), "persistence", "MQMD.Persistence"),
    _pattern("REASON", NumberPattern(("MQRC", "MQFB")), "reason", "MQDLH.Reason"),
    _pattern("REPLYQ", TextPattern(48), "reply_to_q", "MQMD.ReplyToQ"),
    _pattern("REPLYQM", TextPattern(48), "reply_to_q_mgr", "MQMD.ReplyToQMgr"),
    _pattern("USERID", TextPattern(12), "user_identifier", "MQMD.UserIdentifier"),
    _keyword("ACTION", "action", Word(tuple(RULE_ACTIONS)), "action", ""),
    _keyword(
        "FWDQ",
        "action",
        Name(symbols=("&DESTQ", "&REPLYQ"), required=True, strict=False),
        "forward_queue",
        "",
    ),
    _keyword(
        "FWDQM",
        "action",
        Name(symbols=("&DESTQM", "&REPLYQM"), strict=False),
        "forward_queue_manager",
        "",
    ),
    _keyword("HEADER", "action", Word(("YES", "NO")), "header", "YES"),
    _keyword("PUTAUT", "action", Word(("DEF", "CTX")), "put_authority", "DEF"),
    _keyword("RETRY", "action", Number(1, HIGHEST), "retry", 1),
)
KEYWORDS: Mapping[str, Keyword] = {row.keyword: row for row in _ROWS}

# Keywords of other dead-letter handlers, with the reason why this one does not support them.
OTHER_HANDLERS: Mapping[str, str] = {
    "CONVERT": "only the z/OS utility has it; this handler never converts data",
}

CONTROLS, PATTERNS, ACTIONS = (
    tuple(row for row in _ROWS if row.part == part) for part in ("control", "pattern", "action")
)
