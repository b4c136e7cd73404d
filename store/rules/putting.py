"""What MQPUT accepts: options and descriptor (mqi-semantics §3)."""

from functools import lru_cache

from mqsc.store.constants import MQPER, MQPMO, MQRC
from mqsc.store.descriptor import PADDING, MessageDescriptor
from mqsc.store.rules import grouping, opening
from mqsc.store.rules.expiry import put_fault as expiry_fault
from mqsc.store.rules.report_message import options_fault as report_fault

SYNCPOINT = int(MQPMO.SYNCPOINT)
NO_SYNCPOINT = int(MQPMO.NO_SYNCPOINT)
DEFAULT_CONTEXT = int(MQPMO.DEFAULT_CONTEXT)
NEW_MSG_ID, NEW_CORREL_ID = int(MQPMO.NEW_MSG_ID), int(MQPMO.NEW_CORREL_ID)
PASS_IDENTITY_CONTEXT = int(MQPMO.PASS_IDENTITY_CONTEXT)
PASS_ALL_CONTEXT = int(MQPMO.PASS_ALL_CONTEXT)
SET_IDENTITY_CONTEXT, SET_ALL_CONTEXT = int(MQPMO.SET_IDENTITY_CONTEXT), int(MQPMO.SET_ALL_CONTEXT)
ALTERNATE_USER_AUTHORITY = int(MQPMO.ALTERNATE_USER_AUTHORITY)
FAIL_IF_QUIESCING = int(MQPMO.FAIL_IF_QUIESCING)
NO_CONTEXT = int(MQPMO.NO_CONTEXT)
LOGICAL_ORDER = int(MQPMO.LOGICAL_ORDER)
ASYNC_RESPONSE = int(MQPMO.ASYNC_RESPONSE)
SYNC_RESPONSE, RESOLVE_LOCAL_Q = int(MQPMO.SYNC_RESPONSE), int(MQPMO.RESOLVE_LOCAL_Q)
MD_FOR_OUTPUT_ONLY = int(MQPMO.MD_FOR_OUTPUT_ONLY)
# Options of publications, which puts to queues ignore.
RETAIN = int(MQPMO.RETAIN)
WARN_IF_NO_SUBS_MATCHED = int(MQPMO.WARN_IF_NO_SUBS_MATCHED)
NOT_OWN_SUBS = int(MQPMO.NOT_OWN_SUBS)
SUPPRESS_REPLYTO = int(MQPMO.SUPPRESS_REPLYTO)
SCOPE_QMGR = int(MQPMO.SCOPE_QMGR)
OF_PUBLICATIONS = RETAIN | WARN_IF_NO_SUBS_MATCHED | NOT_OWN_SUBS | SUPPRESS_REPLYTO | SCOPE_QMGR
HIGHEST_PUBLICATION_LEVEL = 9

CONTEXT = (
    DEFAULT_CONTEXT
    | PASS_IDENTITY_CONTEXT
    | PASS_ALL_CONTEXT
    | SET_IDENTITY_CONTEXT
    | SET_ALL_CONTEXT
    | NO_CONTEXT
)
PASSED = PASS_IDENTITY_CONTEXT | PASS_ALL_CONTEXT
_KNOWN = (
    SYNCPOINT
    | NO_SYNCPOINT
    | CONTEXT
    | NEW_MSG_ID
    | NEW_CORREL_ID
    | ALTERNATE_USER_AUTHORITY
    | FAIL_IF_QUIESCING
    | LOGICAL_ORDER
    | ASYNC_RESPONSE
    | SYNC_RESPONSE
    | RESOLVE_LOCAL_Q
    | MD_FOR_OUTPUT_ONLY
    | OF_PUBLICATIONS
)

# A put may have one option of each of these groups.
_ONE_OF = (SYNCPOINT | NO_SYNCPOINT, ASYNC_RESPONSE | SYNC_RESPONSE, CONTEXT)

# PMO option -> (open option it needs, reason without it).
CONTEXT_RIGHTS = {
    PASS_IDENTITY_CONTEXT: (opening.PASS_IDENTITY_CONTEXT, MQRC.NOT_OPEN_FOR_PASS_IDENT),
    PASS_ALL_CONTEXT: (opening.PASS_ALL_CONTEXT, MQRC.NOT_OPEN_FOR_PASS_ALL),
    SET_IDENTITY_CONTEXT: (opening.SET_IDENTITY_CONTEXT, MQRC.NOT_OPEN_FOR_SET_IDENT),
    SET_ALL_CONTEXT: (opening.SET_ALL_CONTEXT, MQRC.NOT_OPEN_FOR_SET_ALL),
}

HIGHEST_PRIORITY = 9
AS_Q_DEF_PRIORITY = -1
PERSISTENT, AS_Q_DEF_PERSISTENCE = int(MQPER.PERSISTENT), int(MQPER.PERSISTENCE_AS_Q_DEF)
_APPLICATION_LAST = 999_999_999
REQUEST = 1


@lru_cache(maxsize=512)
def options_fault(options: int, *, is_put1: bool) -> int:
    """2046 when MQPMO options contradict each other or do not belong to the call, else 0."""
    misplaced = LOGICAL_ORDER if is_put1 else ALTERNATE_USER_AUTHORITY
    several = any((options & each).bit_count() > 1 for each in _ONE_OF)
    return MQRC.OPTIONS_ERROR if several or options & (~_KNOWN | misplaced) else 0


def publication_options_fault(options: int, level: int) -> int:
    """Why a publication is refused for its options and PubLevel, or 0: 2046 or 2173
    (publish-subscribe §2).
    """
    if options & NOT_OWN_SUBS and options & SYNCPOINT:
        return MQRC.OPTIONS_ERROR
    return 0 if 0 <= level <= HIGHEST_PUBLICATION_LEVEL else MQRC.PMO_ERROR


@lru_cache(maxsize=512)
def open_options(options: int) -> int:
    """The MQOO options that an MQPUT1 with these MQPMO options stands for."""
    needed_options = opening.OUTPUT | (
        opening.ALTERNATE_USER_AUTHORITY if options & ALTERNATE_USER_AUTHORITY else 0
    )
    for option, (needed, _) in CONTEXT_RIGHTS.items():
        needed_options |= needed if options & option else 0
    return needed_options


@lru_cache(maxsize=512)
def context_fault(options: int, open_options: int) -> int:
    """The reason when the handle was not opened for the context option that the put asks for,
    else 0.
    """
    needed = CONTEXT_RIGHTS.get(options & CONTEXT)
    if needed is None or opening.context_allowed(open_options) & needed[0]:
        return 0
    return needed[1]


def descriptor_fault(descriptor: MessageDescriptor, *, transmission: bool = False) -> int:
    """The reason why a message descriptor cannot be put, or 0, checked in MQ's order (mqi-semantics
    §12).

    `transmission`: it goes to a transmission queue, where report options that have no meaning here
    may pass.
    """
    d = descriptor
    if not 0 < d.msg_type <= _APPLICATION_LAST:
        return MQRC.MSG_TYPE_ERROR
    if d.report:
        fault = report_fault(d.report, transmission=transmission)
        if fault:
            return fault
    if d.feedback and not 0 < d.feedback <= _APPLICATION_LAST:
        return MQRC.FEEDBACK_ERROR
    if d.expiry != -1:
        fault = expiry_fault(d.expiry)
        if fault:
            return fault
    if d.priority < AS_Q_DEF_PRIORITY:
        return MQRC.PRIORITY_ERROR
    if d.persistence not in (0, 1, AS_Q_DEF_PERSISTENCE):
        return MQRC.PERSISTENCE_ERROR
    if not d.reply_to_q.rstrip(PADDING) and needs_reply_queue(d):
        return MQRC.MISSING_REPLY_TO_Q
    return grouping.flags_fault(d.msg_flags, transmission=transmission) if d.msg_flags else 0


def persistence_in_force(persistence: int, default: int) -> int:
    """The persistence of a message on a queue with that DEFPSIST."""
    return default if persistence == AS_Q_DEF_PERSISTENCE else persistence


def priority_warning(priority: int) -> int:
    """2049 for a priority beyond the highest: the message counts as having the highest
    (mqi-semantics §3.1).
    """
    return MQRC.PRIORITY_EXCEEDS_MAXIMUM if priority > HIGHEST_PRIORITY else 0


# Every bit of the exception, expiration, COA, COD, PAN and NAN families.
REPORT_REQUESTED = 0x07000000 | 0x00E00000 | 0x00000700 | 0x00003800 | 1 | 2


def needs_reply_queue(descriptor: MessageDescriptor) -> bool:
    """Whether a put without ReplyToQ is refused (2027): a request, or a message that asks for a
    report.
    """
    return descriptor.msg_type == REQUEST or bool(descriptor.report & REPORT_REQUESTED)


def rank(priority: int, fifo: bool, default_priority: int) -> int:
    """The effective priority: DEFPRTY at arrival on a FIFO queue, else the message's, at most 9."""
    if fifo:
        return default_priority
    return priority if priority <= HIGHEST_PRIORITY else HIGHEST_PRIORITY
