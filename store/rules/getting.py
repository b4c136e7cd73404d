"""What MQGET accepts: options, match options, modes (mqi-semantics §4.1, §4.2; backout K4)."""

from functools import lru_cache

from mqsc.store.constants import MQGMO, MQMO, MQRC
from mqsc.store.rules import opening

WAIT = int(MQGMO.WAIT)
SYNCPOINT = int(MQGMO.SYNCPOINT)
NO_SYNCPOINT = int(MQGMO.NO_SYNCPOINT)
SYNCPOINT_IF_PERSISTENT, SET_SIGNAL = int(MQGMO.SYNCPOINT_IF_PERSISTENT), int(MQGMO.SET_SIGNAL)
BROWSE_FIRST, BROWSE_NEXT = int(MQGMO.BROWSE_FIRST), int(MQGMO.BROWSE_NEXT)
BROWSE_MSG_UNDER_CURSOR = int(MQGMO.BROWSE_MSG_UNDER_CURSOR)
MSG_UNDER_CURSOR = int(MQGMO.MSG_UNDER_CURSOR)
ACCEPT_TRUNCATED_MSG = int(MQGMO.ACCEPT_TRUNCATED_MSG)
MARK_SKIP_BACKOUT = int(MQGMO.MARK_SKIP_BACKOUT)
LOCK = int(MQGMO.LOCK)
UNLOCK = int(MQGMO.UNLOCK)
FAIL_IF_QUIESCING = int(MQGMO.FAIL_IF_QUIESCING)
CONVERT = int(MQGMO.CONVERT)
LOGICAL_ORDER = int(MQGMO.LOGICAL_ORDER)
COMPLETE_MSG = int(MQGMO.COMPLETE_MSG)
MARK_BROWSE_HANDLE, MARK_BROWSE_CO_OP = int(MQGMO.MARK_BROWSE_HANDLE), int(MQGMO.MARK_BROWSE_CO_OP)
UNMARK_BROWSE_CO_OP = int(MQGMO.UNMARK_BROWSE_CO_OP)
UNMARK_BROWSE_HANDLE = int(MQGMO.UNMARK_BROWSE_HANDLE)
UNMARKED_BROWSE_MSG = int(MQGMO.UNMARKED_BROWSE_MSG)
PROPERTIES_IN_HANDLE = int(MQGMO.PROPERTIES_IN_HANDLE)
PROPERTIES = PROPERTIES_IN_HANDLE | int(
    MQGMO.PROPERTIES_FORCE_MQRFH2 | MQGMO.NO_PROPERTIES | MQGMO.PROPERTIES_COMPATIBILITY,
)

BROWSE = BROWSE_FIRST | BROWSE_NEXT | BROWSE_MSG_UNDER_CURSOR
SYNCPOINTS = SYNCPOINT | NO_SYNCPOINT | SYNCPOINT_IF_PERSISTENT
MARKS = MARK_BROWSE_HANDLE | MARK_BROWSE_CO_OP
UNMARKS = UNMARK_BROWSE_CO_OP | UNMARK_BROWSE_HANDLE
BROWSE_MARKS = MARKS | UNMARKS | UNMARKED_BROWSE_MSG
_KNOWN = (
    WAIT
    | SYNCPOINTS
    | BROWSE
    | MSG_UNDER_CURSOR
    | ACCEPT_TRUNCATED_MSG
    | MARK_SKIP_BACKOUT
    | LOCK
    | UNLOCK
    | FAIL_IF_QUIESCING
    | CONVERT
    | LOGICAL_ORDER
    | BROWSE_MARKS
    | PROPERTIES
)

# (name, what is wrong): every one is 2046. COMPLETE_MSG, ALL_MSGS_AVAILABLE, ALL_SEGMENTS_AVAILABLE
# and SET_SIGNAL are among the unknown ones here.
OPTION_CONFLICTS = (
    ("an option that is not supported", lambda o: bool(o & ~_KNOWN)),
    ("more than one SYNCPOINT option", lambda o: (o & SYNCPOINTS).bit_count() > 1),
    (
        "more than one browse or cursor option",
        lambda o: (o & (BROWSE | MSG_UNDER_CURSOR)).bit_count() > 1,
    ),
    (
        "SYNCPOINT with browse, LOCK or UNLOCK",
        lambda o: bool(o & SYNCPOINT and o & (BROWSE | LOCK | UNLOCK)),
    ),
    (
        "SYNCPOINT_IF_PERSISTENT with browse or UNLOCK",
        lambda o: bool(o & SYNCPOINT_IF_PERSISTENT and o & (BROWSE | UNLOCK)),
    ),
    (
        "MARK_SKIP_BACKOUT without SYNCPOINT",
        lambda o: bool(o & MARK_SKIP_BACKOUT and not o & SYNCPOINT),
    ),
    ("LOCK without a browse option", lambda o: bool(o & LOCK and not o & BROWSE)),
    (
        "UNLOCK with anything but NO_WAIT and NO_SYNCPOINT",
        lambda o: bool(o & UNLOCK and o & ~(UNLOCK | NO_SYNCPOINT)),
    ),
    ("a browse mark without a browse option", lambda o: bool(o & BROWSE_MARKS and not o & BROWSE)),
    (
        "a browse mark with LOCK or LOGICAL_ORDER",
        lambda o: bool(o & BROWSE_MARKS and o & (LOCK | LOGICAL_ORDER)),
    ),
    ("more than one option about properties", lambda o: (o & PROPERTIES).bit_count() > 1),
    ("more than one browse mark", lambda o: (o & (MARKS | UNMARKS)).bit_count() > 1),
)

MATCH_MSG_ID, MATCH_CORREL_ID = int(MQMO.MATCH_MSG_ID), int(MQMO.MATCH_CORREL_ID)
MATCH_GROUP_ID, MATCH_MSG_SEQ_NUMBER = int(MQMO.MATCH_GROUP_ID), int(MQMO.MATCH_MSG_SEQ_NUMBER)
MATCH_OFFSET = int(MQMO.MATCH_OFFSET)
_MATCH_KNOWN = MATCH_MSG_ID | MATCH_CORREL_ID | MATCH_GROUP_ID | MATCH_MSG_SEQ_NUMBER | MATCH_OFFSET


def option_conflict(options: int) -> str:
    """The conflict between MQGMO options (2046), or a blank string."""
    return next((name for name, wrong in OPTION_CONFLICTS if wrong(options)), "")


@lru_cache(maxsize=512)
def options_fault(options: int, match_options: int, open_options: int) -> int:
    """The reason why a get cannot be made through a handle opened so, or 0; in MQ's order
    (mqi-semantics §12).
    """
    browses = options & (BROWSE | UNLOCK | UNMARKS)
    if (browses or options & MSG_UNDER_CURSOR) and not open_options & opening.BROWSE:
        return MQRC.NOT_OPEN_FOR_BROWSE
    if not browses and not open_options & opening.INPUT:
        return MQRC.NOT_OPEN_FOR_INPUT
    if option_conflict(options):
        return MQRC.OPTIONS_ERROR
    if options & (MARK_BROWSE_CO_OP | UNMARK_BROWSE_CO_OP) and not open_options & opening.CO_OP:
        return MQRC.OPTIONS_ERROR
    return MQRC.MATCH_OPTIONS_ERROR if match_options & ~_MATCH_KNOWN else 0


def wait_fault(wait_interval: int) -> int:
    """2090 for a wait of less than -1 (unlimited) milliseconds, else 0."""
    return MQRC.WAIT_INTERVAL_ERROR if wait_interval < -1 else 0
