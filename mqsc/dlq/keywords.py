"""The keywords of rules tables, one row each (dlq-rules §2). To add one, add its row.

The field of a control or action keyword is the one of Control or Rule that keeps it; the field of a pattern keyword is
the one of DeadLetterFacts that it is compared with, and `source` says which field of which structure that is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from mqsc.dlq.values import HIGHEST, Amount, Name, Number, Stored, Text, Type, Word

Part = Literal["control", "pattern", "action"]

DEFAULT_RETRY_INTERVAL = 60
BLANK_OR_NAME = Name(48, blank=True)


@dataclass(frozen=True, slots=True)
class Keyword:
    """A keyword: in which part of a table it stands, what it takes, where its value is kept, what it means."""

    keyword: str
    part: Part
    type: Type
    default: Stored
    field: str
    help: str
    source: str = ""


def _pattern(keyword: str, type: Type, field: str, source: str, help: str) -> Keyword:
    return Keyword(keyword, "pattern", type, "*" if isinstance(type, Text) else None, field, help, source)


KEYWORDS: Mapping[str, Keyword] = {
    row.keyword: row
    for row in (
        Keyword("INPUTQ", "control", BLANK_OR_NAME, "", "input_queue", "The queue to work on; blank: the DEADQ."),
        Keyword(
            "INPUTQM", "control", BLANK_OR_NAME, "", "input_queue_manager", "Its queue manager; blank: the default."
        ),
        Keyword(
            "RETRYINT",
            "control",
            Amount(0, HIGHEST),
            DEFAULT_RETRY_INTERVAL,
            "retry_interval",
            "Seconds between two attempts; after ten times as many the queue is read again from its head.",
        ),
        Keyword(
            "WAIT",
            "control",
            Amount(0, HIGHEST, {"YES": None, "NO": 0}),
            None,
            "wait",
            "What to do when there is nothing to do: wait for ever, end, or end after so many seconds.",
        ),
        _pattern("APPLIDAT", Text(32), "appl_identity_data", "MQMD.ApplIdentityData", "Identity data of the putter."),
        _pattern("APPLNAME", Text(28), "put_appl_name", "MQMD.PutApplName", "The application that put the message."),
        _pattern(
            "APPLTYPE", Number(("MQAT",)), "put_appl_type", "MQMD.PutApplType", "What kind of application that was."
        ),
        _pattern("DESTQ", Text(48), "dest_q_name", "MQDLH.DestQName", "The queue the message was meant for."),
        _pattern("DESTQM", Text(48), "dest_q_mgr_name", "MQDLH.DestQMgrName", "The queue manager it was meant for."),
        _pattern("FEEDBACK", Number(("MQFB", "MQRC")), "feedback", "MQMD.Feedback", "What a report message reports."),
        _pattern("FORMAT", Text(8), "format", "MQDLH.Format", "The format of the data behind the header."),
        _pattern("MSGTYPE", Number(("MQMT",)), "msg_type", "MQMD.MsgType", "Request, reply, report, datagram ..."),
        _pattern("PERSIST", Number(("MQPER",)), "persistence", "MQMD.Persistence", "Whether it survives a restart."),
        _pattern("REASON", Number(("MQRC", "MQFB")), "reason", "MQDLH.Reason", "Why it could not be delivered."),
        _pattern("REPLYQ", Text(48), "reply_to_q", "MQMD.ReplyToQ", "The queue for replies."),
        _pattern("REPLYQM", Text(48), "reply_to_q_mgr", "MQMD.ReplyToQMgr", "The queue manager for replies."),
        _pattern("USERID", Text(12), "user_identifier", "MQMD.UserIdentifier", "The user who put the message."),
        Keyword(
            "ACTION",
            "action",
            Word(("DISCARD", "IGNORE", "RETRY", "FWD")),
            "",
            "action",
            "Delete the message, leave it, put it where it was meant to go, or put it elsewhere.",
        ),
        Keyword(
            "FWDQ",
            "action",
            Name(48, blank=False, symbols=("&DESTQ", "&REPLYQ")),
            "",
            "forward_queue",
            "Where ACTION(FWD) puts the message: a queue, or the one that a field of the message names.",
        ),
        Keyword(
            "FWDQM",
            "action",
            Name(48, blank=True, symbols=("&DESTQM", "&REPLYQM")),
            "",
            "forward_queue_manager",
            "On which queue manager; blank: the one the handler is connected to.",
        ),
        Keyword(
            "HEADER",
            "action",
            Word(("YES", "NO")),
            "YES",
            "header",
            "Whether the MQDLH stays in front of a message that is forwarded.",
        ),
        Keyword(
            "PUTAUT",
            "action",
            Word(("DEF", "CTX")),
            "DEF",
            "put_authority",
            "With whose authority to put: the handler's, or that of the user in the message.",
        ),
        Keyword("RETRY", "action", Amount(1, HIGHEST), 1, "retry", "How many attempts this rule has in all."),
    )
}

# Keywords that other handlers have, and why there are none here.
ELSEWHERE: Mapping[str, str] = {"CONVERT": "it belongs to the utility on z/OS alone; data is never converted here"}

CONTROLS = tuple(row for row in KEYWORDS.values() if row.part == "control")
PATTERNS = tuple(row for row in KEYWORDS.values() if row.part == "pattern")
ACTIONS = tuple(row for row in KEYWORDS.values() if row.part == "action")
