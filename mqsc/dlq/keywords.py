"""The keywords of rules tables, one row each (dlq-rules §2). To add a keyword, add its row.

`field` of a control or action keyword is a field of Control or Rule. `field` of a pattern keyword is the field of
DeadLetterFacts that the pattern is compared with, and `source` names that field in its MQ structure.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from msgspec import Struct
from msgspec import field as struct_field

from grammar.printing import quoted
from mqsc.dlq.values import ANY_NUMBER, HIGHEST, NumberPattern, TextPattern
from store.catalog.types import Name, Number, Type, Word

TablePart = Literal["control", "pattern", "action"]
# A text without trailing blanks, a number, or None for "any number" and "wait for ever".
RuleValue = str | int | None

DEFAULT_RETRY_INTERVAL = 60
OPTIONAL_NAME = Name(strict=False)
_WAIT: Mapping[str, int | None] = {"YES": None, "NO": 0}
_ANY: Mapping[str, int | None] = {ANY_NUMBER: None}
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
    help: str
    source: str = ""
    meanings: Mapping[str, int | None] = struct_field(default_factory=dict)

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


def _text(keyword: str, length: int, field: str, source: str, help: str) -> Keyword:
    return Keyword(keyword, "pattern", TextPattern(length), "*", field, help, source)


def _number(keyword: str, families: tuple[str, ...], field: str, source: str, help: str) -> Keyword:
    return Keyword(keyword, "pattern", NumberPattern(families), None, field, help, source, _ANY)


KEYWORDS: Mapping[str, Keyword] = {
    row.keyword: row
    for row in (
        Keyword(
            "INPUTQ",
            "control",
            OPTIONAL_NAME,
            "",
            "input_queue",
            "The queue to process; blank means the dead-letter queue (DEADQ) of the queue manager.",
        ),
        Keyword(
            "INPUTQM",
            "control",
            OPTIONAL_NAME,
            "",
            "input_queue_manager",
            "The queue manager of INPUTQ; blank means the default queue manager.",
        ),
        Keyword(
            "RETRYINT",
            "control",
            Number(0, HIGHEST),
            DEFAULT_RETRY_INTERVAL,
            "retry_interval",
            "Seconds between two attempts; after ten times this interval the queue is read again from the start.",
        ),
        Keyword(
            "WAIT",
            "control",
            Number(0, HIGHEST, {"YES": -1, "NO": 0}),
            None,
            "wait",
            "What to do when no message is left: wait for ever (YES), end (NO), or end after so many seconds.",
            meanings=_WAIT,
        ),
        _text("APPLIDAT", 32, "appl_identity_data", "MQMD.ApplIdentityData", "The sender's identity data."),
        _text("APPLNAME", 28, "put_appl_name", "MQMD.PutApplName", "The application that put the message."),
        _number("APPLTYPE", ("MQAT",), "put_appl_type", "MQMD.PutApplType", "The type of the application that put it."),
        _text("DESTQ", 48, "dest_q_name", "MQDLH.DestQName", "The queue that the message was sent to."),
        _text("DESTQM", 48, "dest_q_mgr_name", "MQDLH.DestQMgrName", "The queue manager that it was sent to."),
        _number("FEEDBACK", ("MQFB", "MQRC"), "feedback", "MQMD.Feedback", "The feedback code of a report message."),
        _text("FORMAT", 8, "format", "MQDLH.Format", "The format of the data that follows the dead-letter header."),
        _number("MSGTYPE", ("MQMT",), "msg_type", "MQMD.MsgType", "The type of message: datagram, request, reply ..."),
        _number("PERSIST", ("MQPER",), "persistence", "MQMD.Persistence", "Whether the message survives a restart."),
        _number("REASON", ("MQRC", "MQFB"), "reason", "MQDLH.Reason", "The reason why it could not be delivered."),
        _text("REPLYQ", 48, "reply_to_q", "MQMD.ReplyToQ", "The queue for replies."),
        _text("REPLYQM", 48, "reply_to_q_mgr", "MQMD.ReplyToQMgr", "The queue manager for replies."),
        _text("USERID", 12, "user_identifier", "MQMD.UserIdentifier", "The user who put the message."),
        Keyword(
            "ACTION",
            "action",
            Word(("DISCARD", "IGNORE", "RETRY", "FWD")),
            "",
            "action",
            "What to do with the message: delete it, leave it, retry its destination, or forward it to FWDQ.",
        ),
        Keyword(
            "FWDQ",
            "action",
            Name(symbols=("&DESTQ", "&REPLYQ"), required=True, strict=False),
            "",
            "forward_queue",
            "The queue that ACTION(FWD) forwards to, or the field of the message that names it.",
        ),
        Keyword(
            "FWDQM",
            "action",
            Name(symbols=("&DESTQM", "&REPLYQM"), strict=False),
            "",
            "forward_queue_manager",
            "The queue manager of FWDQ; blank means the one that the handler is connected to.",
        ),
        Keyword(
            "HEADER",
            "action",
            Word(("YES", "NO")),
            "YES",
            "header",
            "Whether a forwarded message keeps its dead-letter header (MQDLH).",
        ),
        Keyword(
            "PUTAUT",
            "action",
            Word(("DEF", "CTX")),
            "DEF",
            "put_authority",
            "Whose authority the put needs: the handler's (DEF) or that of the user in the message (CTX).",
        ),
        Keyword("RETRY", "action", Number(1, HIGHEST), 1, "retry", "How often this rule is tried for a message."),
    )
}

# Keywords of other dead-letter handlers, and why this one does not have them.
OTHER_HANDLERS: Mapping[str, str] = {"CONVERT": "only the z/OS utility has it; this handler never converts data"}

CONTROLS = tuple(row for row in KEYWORDS.values() if row.part == "control")
PATTERNS = tuple(row for row in KEYWORDS.values() if row.part == "pattern")
ACTIONS = tuple(row for row in KEYWORDS.values() if row.part == "action")
