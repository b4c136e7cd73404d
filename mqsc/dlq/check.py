"""All that can be said about a rules table without a message: its errors, or else advice on it.

To add advice, write a function in `advice` and its row in ADVICE; its good and its bad table are its tests.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mqsc.diagnostic import Description, Diagnostic, Severity
from mqsc.dlq.errors import ERRORS
from mqsc.dlq.lint.hit import Advise, Surroundings
from mqsc.dlq.lint.order import (
    ignore_at_the_end,
    ignore_in_the_middle,
    never_reached,
    no_catch_all,
    reached_after_failures,
)
from mqsc.dlq.lint.targets import (
    forwards_to_itself,
    not_defined,
    replies_to_nowhere,
    reply_queue_manager_left_out,
    rest_without_header,
)
from mqsc.dlq.lint.wording import beyond_the_columns, folded, held_by_no_field, without_effect
from mqsc.dlq.read import Reading, read_table
from mqsc.dlq.rules import RulesTable

_REST = "ACTION(FWD) FWDQ(REST)\n"


@dataclass(frozen=True, slots=True)
class Advice(Description):
    """A numbered piece of advice, with a table that is as it should be."""

    good: str
    advise: Advise


def _advice(rule_id: str, severity: Severity, title: str, advise: Advise, reason: str, bad: str, good: str) -> Advice:
    return Advice(rule_id, severity, title, reason, bad, good, advise)


ADVICE: tuple[Advice, ...] = (
    _advice(
        "DLQ01",
        "warning",
        "Rule that no message reaches",
        never_reached,
        "ACTION(IGNORE) and ACTION(DISCARD) keep all they match: a later rule that matches no more than that is dead.",
        "FORMAT(MQ*) ACTION(DISCARD)\nFORMAT(MQSTR) ACTION(RETRY)\n" + _REST,
        "FORMAT(MQSTR) ACTION(RETRY)\nFORMAT(MQ*) ACTION(DISCARD)\n" + _REST,
    ),
    _advice(
        "DLQ02",
        "note",
        "Rule that gets only what could not be forwarded",
        reached_after_failures,
        "A wider rule with ACTION(FWD) before it takes every message as long as its puts succeed.",
        _REST + "REASON(MQRC_Q_FULL) ACTION(RETRY)\n",
        "REASON(MQRC_Q_FULL) ACTION(RETRY)\n" + _REST,
    ),
    _advice(
        "DLQ03",
        "warning",
        "No rule for whatever is left",
        no_catch_all,
        "What no rule takes, or every rule failed with, stays for ever, is read again and again, and fills the queue.",
        "REASON(MQRC_Q_FULL) ACTION(RETRY)\n",
        "REASON(MQRC_Q_FULL) ACTION(RETRY)\n" + _REST,
    ),
    _advice(
        "DLQ04",
        "warning",
        "IGNORE before other rules",
        ignore_in_the_middle,
        "IGNORE ends the search for a rule: what it matches is out of reach for all rules behind it, and stays.",
        "DESTQ(A) ACTION(IGNORE)\n" + _REST,
        "DESTQ(A) ACTION(FWD) FWDQ(SET.ASIDE)\n" + _REST,
    ),
    _advice(
        "DLQ05",
        "note",
        "IGNORE as the last rule",
        ignore_at_the_end,
        "Without a rule they stay as well; either way the handler remembers each of them, and the queue can fill up.",
        "ACTION(RETRY)\nACTION(IGNORE)\n",
        "ACTION(RETRY)\n" + _REST,
    ),
    _advice(
        "DLQ06",
        "warning",
        "Forwards to the queue it works on",
        forwards_to_itself,
        "A message that comes back is new to the handler: its attempts start again, and it moves without an end.",
        "INPUTQ(DLQ)\nACTION(FWD) FWDQ(DLQ)\n",
        "INPUTQ(DLQ)\n" + _REST,
    ),
    _advice(
        "DLQ07",
        "warning",
        "Forwards to a reply queue that may be blank",
        replies_to_nowhere,
        "A message without a ReplyToQ cannot be put there; REPLYQ(?*) lets only those with one through.",
        "ACTION(FWD) FWDQ(&REPLYQ) FWDQM(&REPLYQM)\n" + _REST,
        "REPLYQ(?*) ACTION(FWD) FWDQ(&REPLYQ) FWDQM(&REPLYQM)\n" + _REST,
    ),
    _advice(
        "DLQ08",
        "warning",
        "Value that no field can hold",
        held_by_no_field,
        "The language allows it, but no message can match it, or no object can have this name.",
        "PERSIST(5) ACTION(DISCARD)\n" + _REST,
        "PERSIST(MQPER_NOT_PERSISTENT) ACTION(DISCARD)\n" + _REST,
    ),
    _advice(
        "DLQ09",
        "note",
        "Lower case outside quotes",
        folded,
        "It is read as upper case; names and texts in messages are compared with their case.",
        "USERID(alice) ACTION(DISCARD)\n" + _REST,
        "USERID('alice') ACTION(DISCARD)\n" + _REST,
    ),
    _advice(
        "DLQ10",
        "note",
        "Line longer than 72 columns",
        beyond_the_columns,
        "Handlers on other systems read columns 1 to 72 and drop the rest without a word.",
        "REASON(MQRC_UNKNOWN_OBJECT_NAME) DESTQ('ORDERS.OF.THE.NORTHERN.BRANCH') ACTION(RETRY)\n" + _REST,
        "REASON(MQRC_UNKNOWN_OBJECT_NAME) +\n  DESTQ('ORDERS.OF.THE.NORTHERN.BRANCH') ACTION(RETRY)\n" + _REST,
    ),
    _advice(
        "DLQ11",
        "warning",
        "Target that is not defined",
        not_defined,
        "Every put to it fails with MQRC_UNKNOWN_OBJECT_NAME until the attempts are used up.",
        "ACTION(FWD) FWDQ(RSET)\n",
        _REST,
    ),
    _advice(
        "DLQ12",
        "note",
        "Keyword without effect",
        without_effect,
        "DISCARD and IGNORE put nothing, and neither is tried a second time.",
        "DESTQ(A) ACTION(DISCARD) RETRY(3)\n" + _REST,
        "DESTQ(A) ACTION(DISCARD)\n" + _REST,
    ),
    _advice(
        "DLQ13",
        "note",
        "Queue of a message without its queue manager",
        reply_queue_manager_left_out,
        "The message names the queue together with a queue manager; without FWDQM it is looked for on the local one.",
        "REPLYQ(?*) ACTION(FWD) FWDQ(&REPLYQ)\n" + _REST,
        "REPLYQ(?*) ACTION(FWD) FWDQ(&REPLYQ) FWDQM(&REPLYQM)\n" + _REST,
    ),
    _advice(
        "DLQ14",
        "note",
        "Header taken off whatever is left",
        rest_without_header,
        "The MQDLH is what says why a message could not be delivered and where it should have gone.",
        "ACTION(FWD) FWDQ(REST) HEADER(NO)\n",
        _REST,
    ),
)

# Everything a finding about a rules table may carry as its id.
DESCRIPTIONS: tuple[Description, ...] = (*ERRORS.values(), *ADVICE)


def check_table(lines: Iterable[bytes | str], file: str = "", surroundings: Surroundings | None = None) -> Reading:
    """The table and what is to be said about it: all of its errors, or else advice, in the order of the file."""
    reading = read_table(lines, file)
    if reading.table is None:
        return reading
    return Reading(reading.table, advice_on(reading.table, surroundings or Surroundings()))


def advice_on(table: RulesTable, surroundings: Surroundings) -> tuple[Diagnostic, ...]:
    """Every piece of advice that applies to a valid table, in the order of the file."""
    findings = (
        Diagnostic(each.rule_id, each.severity, table.file, *found)
        for each in ADVICE
        for found in each.advise(table, surroundings)
    )
    return tuple(sorted(findings, key=lambda finding: (finding.line, finding.column, finding.rule_id)))
