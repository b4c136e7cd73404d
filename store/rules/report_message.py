"""Report messages about a message."""

from msgspec import Struct

from mqsc.store.constants import MQEI, MQFB, MQMT, MQPER, MQPRI, MQRC, MQRO
from mqsc.store.descriptor import DescribedData, MessageDescriptor
from mqsc.store.headers import chain, mqxqh
from mqsc.store.rules.made_message import QUEUE_MANAGER, Maker
from mqsc.store.rules.properties import message_data, report_properties

PASS_CORREL_ID, PASS_MSG_ID = int(MQRO.PASS_CORREL_ID), int(MQRO.PASS_MSG_ID)
PASS_DISCARD_AND_EXPIRY, DISCARD_MSG = int(MQRO.PASS_DISCARD_AND_EXPIRY), int(MQRO.DISCARD_MSG)
REJECT_UNSUP_MASK = int(MQRO.REJECT_UNSUP_MASK)
ACCEPT_UNSUP_IF_XMIT_MASK = int(MQRO.ACCEPT_UNSUP_IF_XMIT_MASK)
REPORT_OPTIONS_ERROR = int(MQRC.REPORT_OPTIONS_ERROR)
UNKNOWN_REPORT_OPTION = int(MQRC.UNKNOWN_REPORT_OPTION)
REPORT = int(MQMT.REPORT)
AS_Q_DEF_PRIORITY = int(MQPRI.PRIORITY_AS_Q_DEF)
AS_Q_DEF_PERSISTENCE = int(MQPER.PERSISTENCE_AS_Q_DEF)
UNLIMITED = int(MQEI.UNLIMITED)
# The Expiry that a report inherits from an expired message: a minute, in tenths of a second.
EXPIRED_REPORT_EXPIRY = 600
# A *_WITH_DATA report contains all MQ headers and at most this many bytes of application data.
DATA_LIMIT = 100
_WORD = 0xFFFF_FFFF


class ReportKind(Struct, frozen=True):
    """The three option values that request a kind of report, and its Feedback (0: Feedback is
    the exception reason).
    """

    name: str
    plain: int
    with_data: int
    with_full_data: int
    feedback: int

    def is_requested(self, report: int) -> bool:
        return bool(report & self.plain)

    def data_requested(self, report: int) -> str:
        """How much of the message a report contains: "none", "some" (the first 100 bytes of
        data) or "full".
        """
        requested = report & self.with_full_data
        if requested == self.with_full_data:
            return "full"
        return "some" if requested == self.with_data else "none"


def _kind(name: str, option: str, feedback: int) -> ReportKind:
    plain, with_data, with_full_data = (
        int(MQRO[option + data]) for data in ("", "_WITH_DATA", "_WITH_FULL_DATA")
    )
    return ReportKind(name, plain, with_data, with_full_data, int(feedback))


EXCEPTION = _kind("exception", "EXCEPTION", 0)
EXPIRATION = _kind("expiration", "EXPIRATION", MQFB.EXPIRATION)
COA = _kind("COA", "COA", MQFB.COA)
COD = _kind("COD", "COD", MQFB.COD)
KINDS = (EXCEPTION, EXPIRATION, COA, COD)
_KIND_OPTIONS = sum(kind.with_full_data for kind in KINDS)
_OTHER_OPTIONS = int(MQRO.PAN | MQRO.NAN | MQRO.ACTIVITY)
_KNOWN = (
    _KIND_OPTIONS
    | _OTHER_OPTIONS
    | PASS_CORREL_ID
    | PASS_MSG_ID
    | PASS_DISCARD_AND_EXPIRY
    | DISCARD_MSG
)


def options_fault(report: int, *, transmission: bool = False) -> int:
    """REPORT_OPTIONS_ERROR for report options that a put refuses, else 0.

    A put refuses a kind of report with an undefined combination of its options, and unknown options
    that must not be ignored. Some unknown options are accepted when the message goes to a
    transmission queue.
    """
    if not report:
        return 0
    for kind in KINDS:
        requested = report & kind.with_full_data
        if requested and requested not in (kind.plain, kind.with_data, kind.with_full_data):
            return REPORT_OPTIONS_ERROR
    refused = REJECT_UNSUP_MASK if transmission else REJECT_UNSUP_MASK | ACCEPT_UNSUP_IF_XMIT_MASK
    return REPORT_OPTIONS_ERROR if report & ~_KNOWN & _WORD & refused else 0


def options_warning(report: int) -> int:
    """The warning UNKNOWN_REPORT_OPTION for unknown options that `options_fault` accepts, else
    0.
    """
    return UNKNOWN_REPORT_OPTION if report & ~_KNOWN & _WORD else 0


def report_message(
    kind: ReportKind,
    original: MessageDescriptor,
    body: bytes,
    maker: Maker,
    *,
    remaining: int,
    feedback: int = 0,
) -> DescribedData:
    """Descriptor and data of a report on a message, for the ReplyToQ and ReplyToQMgr of the
    original.

    `remaining` is the remaining expiry of the original (tenths of a second, -1 unlimited),
    `feedback` the MQRC or MQFB of an exception. The caller checks that the report was requested.
    """
    requested = original.report & _WORD
    about, data, properties = report_properties.reported(
        original,
        body,
        with_data=kind.data_requested(requested) != "none",
    )
    report = about.copy()
    report.report = _passed_on(requested)
    report.msg_type = REPORT
    report.expiry = _passed_expiry(requested, remaining)
    report.feedback = kind.feedback or feedback
    report.msg_id = original.msg_id if requested & PASS_MSG_ID else maker.msg_id
    report.correl_id = original.correl_id if requested & PASS_CORREL_ID else original.msg_id
    report.backout_count = 0
    report.reply_to_q = ""
    report.reply_to_q_mgr = maker.queue_manager
    report.put_appl_type, report.put_appl_name = QUEUE_MANAGER, maker.application
    report.put_date = report.put_time = None
    report.put_at = maker.now
    report.appl_origin_data = ""
    if original.original_length == UNLIMITED:
        report.original_length = len(message_data.without_marked(original, body)[1])
    return message_data.with_properties(
        report,
        report_data(kind, about, data),
        properties,
        maker.coded_char_set_id,
    )


def report_data(kind: ReportKind, original: MessageDescriptor, body: bytes) -> bytes:
    """The data of the message that a report contains: none, all MQ headers and 100 bytes after
    them, or all.
    """
    requested = kind.data_requested(original.report & _WORD)
    if requested == "full":
        return body
    if requested == "none":
        return b""
    headers = chain.data_after_headers(
        original.format,
        body,
        original.encoding,
        original.coded_char_set_id,
    ).at
    return body[: headers + DATA_LIMIT]


def without_transmission_header(descriptor: MessageDescriptor, body: bytes) -> DescribedData:
    """A message on a transmission queue as its sender put it: embedded MQMD, and the data after the
    MQXQH (expiry A4).

    The fields of an MQMDE after the MQXQH are moved back into the descriptor. Other messages, and
    those whose MQXQH is invalid, are returned unchanged. Priority and persistence that the embedded
    MQMD leaves to the queue come from the outer MQMD. The embedded MQMD does not contain the
    remaining expiry.
    """
    carried = sent_message(descriptor, body)
    return (
        (descriptor, body)
        if isinstance(carried, mqxqh.NotCarried)
        else (carried.descriptor, carried.body)
    )


def sent_message(outer: MessageDescriptor, body: bytes) -> mqxqh.CarriedMessage | mqxqh.NotCarried:
    """The message behind the MQXQH as its sender put it; `without_transmission_header` has the
    details.
    """
    carried = mqxqh.unwrap(outer, body)
    if isinstance(carried, mqxqh.NotCarried):
        return carried
    sent = carried.descriptor
    if sent.priority == AS_Q_DEF_PRIORITY:
        sent.priority = outer.priority
    if sent.persistence == AS_Q_DEF_PERSISTENCE:
        sent.persistence = outer.persistence
    return carried


def _passed_on(requested: int) -> int:
    both = PASS_DISCARD_AND_EXPIRY | DISCARD_MSG
    return DISCARD_MSG if requested & both == both else 0


def _passed_expiry(requested: int, remaining: int) -> int:
    if not requested & PASS_DISCARD_AND_EXPIRY or remaining == UNLIMITED:
        return UNLIMITED
    return remaining if remaining > 0 else EXPIRED_REPORT_EXPIRY
