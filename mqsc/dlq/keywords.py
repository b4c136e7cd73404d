"""The keywords of rules tables, one row each (dlq-rules §2). To add a keyword, add its row, and one to
keywords.csv, which says what it means.

`field` of a control or action keyword is a field of Control or Rule. `field` of a pattern keyword is the field of
DeadLetterFacts that the pattern is compared with, and `source` names that field in its MQ structure.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Literal

from msgspec import Struct
from msgspec import field as struct_field

from grammar.printing import quoted
from mqsc.dlq.values import ANY_NUMBER, HIGHEST, NumberPattern, TextPattern
from store.catalog.types import Name, Number, Type, Word
from store.table import cells

TablePart = Literal["control", "pattern", "action"]
# A text without trailing blanks, a number, or None for "any number" and "wait for ever".
RuleValue = str | int | None

DEFAULT_RETRY_INTERVAL = 60
OPTIONAL_NAME = Name(strict=False)
_NEEDS_NO_QUOTES = re.compile(r"[A-Z0-9./_%?*]+")


class Keyword(Struct, frozen=True):
    """A keyword: the part of a table it belongs to, the type of its value, and the field that holds the value.

    `meanings` maps words to the value that the field holds for them.
    """

    keyword: str
    part: TablePart
    type: Type
    default: RuleValue
    field: str
    source: str = ""
    meanings: Mapping[str, int | None] = struct_field(default_factory=dict)

    @property
    def help(self) -> str:
        """What it means, in a sentence."""
        return _sentences()[self.keyword]

    @property
    def is_text(self) -> bool:
        """Whether the value is a name or a text pattern: any characters, lower case only in quotes."""
        return isinstance(self.type, (Name, TextPattern))

    def read(self, text: str) -> RuleValue:
        """The value of a text that is not empty; raises InvalidValueError."""
        accepted = self.type.accept(text if self.is_text else text.strip(" "))
        return self.meanings.get(accepted, accepted) if isinstance(accepted, str) else accepted

    def write(self, value: RuleValue) -> str:
        """The canonical text of a value, with quotes where they are needed: `read` gives the same value again."""
        for word, meaning in self.meanings.items():
            if meaning == value:
                return word
        if isinstance(self.type, NumberPattern):
            return self.type.name_of(int(value or 0))
        text = str(value)
        if not self.is_text or text in self.type.words or _NEEDS_NO_QUOTES.fullmatch(text):
            return text
        return quoted(text or " ")


@cache
def _sentences() -> Mapping[str, str]:
    return dict(cells(__file__, "keywords.csv"))


def _control(keyword: str, type: Type, default: RuleValue, field: str, **meanings: int | None) -> Keyword:
    return Keyword(keyword, "control", type, default, field, meanings=meanings)


def _text(keyword: str, length: int, field: str, source: str) -> Keyword:
    return Keyword(keyword, "pattern", TextPattern(length), "*", field, source)


def _number(keyword: str, families: tuple[str, ...], field: str, source: str) -> Keyword:
    return Keyword(keyword, "pattern", NumberPattern(families), None, field, source, {ANY_NUMBER: None})


def _action(keyword: str, type: Type, default: RuleValue, field: str) -> Keyword:
    return Keyword(keyword, "action", type, default, field)


_ROWS = (
    _control("INPUTQ", OPTIONAL_NAME, "", "input_queue"),
    _control("INPUTQM", OPTIONAL_NAME, "", "input_queue_manager"),
    _control("RETRYINT", Number(0, HIGHEST), DEFAULT_RETRY_INTERVAL, "retry_interval"),
    _control("WAIT", Number(0, HIGHEST, {"YES": -1, "NO": 0}), None, "wait", YES=None, NO=0),
    _text("APPLIDAT", 32, "appl_identity_data", "MQMD.ApplIdentityData"),
    _text("APPLNAME", 28, "put_appl_name", "MQMD.PutApplName"),
    _number("APPLTYPE", ("MQAT",), "put_appl_type", "MQMD.PutApplType"),
    _text("DESTQ", 48, "dest_q_name", "MQDLH.DestQName"),
    _text("DESTQM", 48, "dest_q_mgr_name", "MQDLH.DestQMgrName"),
    _number("FEEDBACK", ("MQFB", "MQRC"), "feedback", "MQMD.Feedback"),
    _text("FORMAT", 8, "format", "MQDLH.Format"),
    _number("MSGTYPE", ("MQMT",), "msg_type", "MQMD.MsgType"),
    _number("PERSIST", ("MQPER",), "persistence", "MQMD.Persistence"),
    _number("REASON", ("MQRC", "MQFB"), "reason", "MQDLH.Reason"),
    _text("REPLYQ", 48, "reply_to_q", "MQMD.ReplyToQ"),
    _text("REPLYQM", 48, "reply_to_q_mgr", "MQMD.ReplyToQMgr"),
    _text("USERID", 12, "user_identifier", "MQMD.UserIdentifier"),
    _action("ACTION", Word(("DISCARD", "IGNORE", "RETRY", "FWD")), "", "action"),
    _action("FWDQ", Name(symbols=("&DESTQ", "&REPLYQ"), required=True, strict=False), "", "forward_queue"),
    _action("FWDQM", Name(symbols=("&DESTQM", "&REPLYQM"), strict=False), "", "forward_queue_manager"),
    _action("HEADER", Word(("YES", "NO")), "YES", "header"),
    _action("PUTAUT", Word(("DEF", "CTX")), "DEF", "put_authority"),
    _action("RETRY", Number(1, HIGHEST), 1, "retry"),
)
KEYWORDS: Mapping[str, Keyword] = {row.keyword: row for row in _ROWS}

# Keywords of other dead-letter handlers, and why this one does not have them.
OTHER_HANDLERS: Mapping[str, str] = {"CONVERT": "only the z/OS utility has it; this handler never converts data"}

CONTROLS, PATTERNS, ACTIONS = (
    tuple(row for row in _ROWS if row.part == part) for part in ("control", "pattern", "action")
)
