"""Report options and report messages, field by field (mqi-semantics §9)."""

from __future__ import annotations

from dataclasses import dataclass

from store.descriptor import MessageDescriptor
from store.headers import mqmde, mqxqh
from store.headers.chain import headers_length
from store.headers.layout import HeaderError

# MQRO values.
PAN, NAN, ACTIVITY = 1, 2, 4
PASS_CORREL_ID, PASS_MSG_ID = 64, 128
PASS_DISCARD_AND_EXPIRY, DISCARD_MSG = 0x4000, 0x0800_0000
REJECT_UNSUP_MASK, ACCEPT_UNSUP_IF_XMIT_MASK = 0x101C_0000, 0x0003_FF00
REPORT_OPTIONS_ERROR, UNKNOWN_REPORT_OPTION = 2061, 2104
REPORT = 4  # MQMT_REPORT
AS_Q_DEF_PRIORITY, AS_Q_DEF_PERSISTENCE = -1, 2
QUEUE_MANAGER = 7  # MQAT_QMGR
UNLIMITED = -1
# What an expired message leaves to its report: a minute, in tenths of a second.
NOTHING_REMAINS = 600
XMIT_Q_HEADER = "MQXMIT"
# With *_WITH_DATA a report has at most so many bytes of application data, behind all MQ headers.
DATA_LIMIT = 100
_WORD = 0xFFFF_FFFF


@dataclass(frozen=True, slots=True)
class Family:
    """The three bit patterns by which a kind of report is asked for, and its Feedback (0: the reason tells it)."""

    name: str
    plain: int
    with_data: int
    with_full_data: int
    feedback: int

    def asked_for(self, report: int) -> bool:
        """Whether a message with these report options wants a report of this kind."""
        return bool(report & self.plain)

    def data_wanted(self, report: int) -> str:
        """How much of the message a report repeats: "none", "some" (the first 100 bytes of data) or "full"."""
        asked = report & self.with_full_data
        if asked == self.with_full_data:
            return "full"
        return "some" if asked == self.with_data else "none"


EXCEPTION = Family("exception", 0x0100_0000, 0x0300_0000, 0x0700_0000, 0)
EXPIRATION = Family("expiration", 0x0020_0000, 0x0060_0000, 0x00E0_0000, 258)
COA = Family("COA", 0x0100, 0x0300, 0x0700, 259)
COD = Family("COD", 0x0800, 0x1800, 0x3800, 260)
FAMILIES = (EXCEPTION, EXPIRATION, COA, COD)
_FAMILY_BITS = sum(family.with_full_data for family in FAMILIES)
_KNOWN = PAN | NAN | ACTIVITY | PASS_CORREL_ID | PASS_MSG_ID | PASS_DISCARD_AND_EXPIRY | DISCARD_MSG | _FAMILY_BITS


def options_fault(report: int, *, transmission: bool = False) -> int:
    """2061 for report options that a put refuses, else 0.

    Refused are a family in none of its three patterns, and unknown bits that must not be ignored; some of those may
    pass when the message goes to a transmission queue.
    """
    if not report:
        return 0
    for family in FAMILIES:
        asked = report & family.with_full_data
        if asked and asked not in (family.plain, family.with_data, family.with_full_data):
            return REPORT_OPTIONS_ERROR
    refused = REJECT_UNSUP_MASK if transmission else REJECT_UNSUP_MASK | ACCEPT_UNSUP_IF_XMIT_MASK
    return REPORT_OPTIONS_ERROR if report & ~_KNOWN & _WORD & refused else 0


def options_warning(report: int) -> int:
    """2104, a warning, for options that pass `options_fault` and have no meaning here; else 0."""
    return UNKNOWN_REPORT_OPTION if report & ~_KNOWN & _WORD else 0


def discards(report: int) -> bool:
    """The disposition of an undeliverable message: dropped when True, else sent to the dead-letter queue."""
    return bool(report & DISCARD_MSG)


def report_message(
    family: Family,
    original: MessageDescriptor,
    body: bytes,
    *,
    remaining: int,
    queue_manager: str,
    new_msg_id: bytes,
    now: int,
    feedback: int = 0,
    put_appl_type: int = QUEUE_MANAGER,
    put_appl_name: str = "",
) -> tuple[MessageDescriptor, bytes]:
    """The report about a message, as descriptor and data, for the ReplyToQ and ReplyToQMgr of the original.

    `remaining` is what is left of the original's expiry (tenths, -1 unlimited); `feedback` the MQRC or MQFB of an
    exception; `now` microseconds UTC; `put_appl_type` and `put_appl_name` are the queue manager's unless an agent
    reports. The caller has seen that the report was asked for.
    """
    asked = original.report & _WORD
    made = original.copy()
    made.report = _passed_disposition(asked)
    made.msg_type = REPORT
    made.expiry = _passed_expiry(asked, remaining)
    made.feedback = family.feedback or feedback
    made.msg_id = original.msg_id if asked & PASS_MSG_ID else new_msg_id
    made.correl_id = original.correl_id if asked & PASS_CORREL_ID else original.msg_id
    made.backout_count = 0
    made.reply_to_q = ""
    made.reply_to_q_mgr = queue_manager
    made.put_appl_type = put_appl_type
    made.put_appl_name = put_appl_name or queue_manager[:28]
    made.put_date = made.put_time = None
    made.put_at = now
    made.appl_origin_data = ""
    if original.original_length == UNLIMITED:
        made.original_length = len(body)
    return made, report_data(family, original, body)


def report_data(family: Family, original: MessageDescriptor, body: bytes) -> bytes:
    """What a report repeats of the message: nothing, all MQ headers with 100 bytes of data behind them, or all."""
    wanted = family.data_wanted(original.report & _WORD)
    if wanted == "full":
        return body
    if wanted == "none":
        return b""
    headers = headers_length(original.format, body, original.encoding, original.coded_char_set_id)
    return body[: headers + DATA_LIMIT]


def as_sent(descriptor: MessageDescriptor, body: bytes) -> tuple[MessageDescriptor, bytes]:
    """A transmission-queue message as its sender knows it: the embedded MQMD, and the data behind the MQXQH (A4).

    The fields of an MQMDE behind the MQXQH are in the descriptor again. Other messages, and those whose MQXQH is
    broken, are what they are. What remains of the expiry stands in the separate MQMD only; it also decides priority
    and persistence that the embedded one leaves to a queue.
    """
    if descriptor.format != XMIT_Q_HEADER:
        return descriptor, body
    try:
        header = mqxqh.unpack(body, descriptor.encoding, descriptor.coded_char_set_id)
    except HeaderError:
        return descriptor, body
    sent = header.descriptor
    if sent.priority == AS_Q_DEF_PRIORITY:
        sent.priority = descriptor.priority
    if sent.persistence == AS_Q_DEF_PERSISTENCE:
        sent.persistence = descriptor.persistence
    return mqmde.unfolded(sent, body[mqxqh.LENGTH :])


def _passed_disposition(asked: int) -> int:
    both = PASS_DISCARD_AND_EXPIRY | DISCARD_MSG
    return DISCARD_MSG if asked & both == both else 0


def _passed_expiry(asked: int, remaining: int) -> int:
    if not asked & PASS_DISCARD_AND_EXPIRY or remaining == UNLIMITED:
        return UNLIMITED
    return remaining if remaining > 0 else NOTHING_REMAINS
