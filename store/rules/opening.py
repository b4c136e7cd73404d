"""The rules of MQOPEN: conflicting options and shared input (mqi-semantics §2.1, §2.2)."""

from typing import NamedTuple

from mqsc.store.constants import MQOO

INPUT_AS_Q_DEF, INPUT_SHARED = int(MQOO.INPUT_AS_Q_DEF), int(MQOO.INPUT_SHARED)
INPUT_EXCLUSIVE = int(MQOO.INPUT_EXCLUSIVE)
BROWSE = int(MQOO.BROWSE)
OUTPUT = int(MQOO.OUTPUT)
INQUIRE = int(MQOO.INQUIRE)
SET = int(MQOO.SET)
SAVE_ALL_CONTEXT = int(MQOO.SAVE_ALL_CONTEXT)
PASS_IDENTITY_CONTEXT = int(MQOO.PASS_IDENTITY_CONTEXT)
PASS_ALL_CONTEXT = int(MQOO.PASS_ALL_CONTEXT)
SET_IDENTITY_CONTEXT, SET_ALL_CONTEXT = int(MQOO.SET_IDENTITY_CONTEXT), int(MQOO.SET_ALL_CONTEXT)
ALTERNATE_USER_AUTHORITY = int(MQOO.ALTERNATE_USER_AUTHORITY)
FAIL_IF_QUIESCING = int(MQOO.FAIL_IF_QUIESCING)
BIND_ON_OPEN = int(MQOO.BIND_ON_OPEN)
BIND_NOT_FIXED = int(MQOO.BIND_NOT_FIXED)
BIND_ON_GROUP = int(MQOO.BIND_ON_GROUP)
RESOLVE_NAMES = int(MQOO.RESOLVE_NAMES)
RESOLVE_LOCAL_Q = int(MQOO.RESOLVE_LOCAL_Q)
CO_OP = int(MQOO.CO_OP)
READ_AHEAD = int(MQOO.READ_AHEAD)
NO_READ_AHEAD = int(MQOO.NO_READ_AHEAD)
NO_MULTICAST = int(MQOO.NO_MULTICAST)

INPUT = INPUT_AS_Q_DEF | INPUT_SHARED | INPUT_EXCLUSIVE
BINDS = BIND_ON_OPEN | BIND_NOT_FIXED | BIND_ON_GROUP
CONTEXT = PASS_IDENTITY_CONTEXT | PASS_ALL_CONTEXT | SET_IDENTITY_CONTEXT | SET_ALL_CONTEXT
_ACCESS = INPUT | BROWSE | OUTPUT | INQUIRE | SET | BINDS | RESOLVE_NAMES
_KNOWN = (
    _ACCESS
    | SAVE_ALL_CONTEXT
    | CONTEXT
    | ALTERNATE_USER_AUTHORITY
    | FAIL_IF_QUIESCING
    | RESOLVE_LOCAL_Q
    | CO_OP
    | READ_AHEAD
    | NO_READ_AHEAD
    | NO_MULTICAST
)

# The context options that each option includes. The manuals do not say whether SET_IDENTITY
# includes PASS_ALL; here it does not.
IMPLIED_CONTEXT = {
    PASS_IDENTITY_CONTEXT: PASS_IDENTITY_CONTEXT,
    PASS_ALL_CONTEXT: PASS_ALL_CONTEXT | PASS_IDENTITY_CONTEXT,
    SET_IDENTITY_CONTEXT: SET_IDENTITY_CONTEXT | PASS_IDENTITY_CONTEXT,
    SET_ALL_CONTEXT: CONTEXT,
}

# (description, test): each is an OPTIONS_ERROR.
OPTION_CONFLICTS = (
    ("none of INPUT, BROWSE, OUTPUT, INQUIRE, SET", lambda o: not o & _ACCESS),
    ("more than one INPUT option", lambda o: (o & INPUT).bit_count() > 1),
    (
        "SAVE_ALL_CONTEXT without an INPUT option",
        lambda o: bool(o & SAVE_ALL_CONTEXT and not o & INPUT),
    ),
    ("a context option without OUTPUT", lambda o: bool(o & CONTEXT and not o & OUTPUT)),
    ("more than one BIND option", lambda o: (o & BINDS).bit_count() > 1),
    ("READ_AHEAD and NO_READ_AHEAD", lambda o: bool(o & READ_AHEAD and o & NO_READ_AHEAD)),
    ("CO_OP without BROWSE", lambda o: bool(o & CO_OP and not o & BROWSE)),
    ("NO_MULTICAST without OUTPUT", lambda o: bool(o & NO_MULTICAST and not o & OUTPUT)),
    ("an unknown option", lambda o: bool(o & ~_KNOWN)),
)


def option_conflict(options: int) -> str:
    """Describes the first error in MQOO options (OPTIONS_ERROR), or is blank."""
    return next((name for name, wrong in OPTION_CONFLICTS if wrong(options)), "")


def is_exclusive(options: int, *, default_exclusive: bool, shareable: bool) -> bool:
    """Whether an open for input is exclusive. NOSHARE always makes it exclusive; AS_Q_DEF uses
    DEFSOPT.
    """
    if not shareable or options & INPUT_EXCLUSIVE:
        return True
    return bool(options & INPUT_AS_Q_DEF) and default_exclusive


class HandleUse(NamedTuple):
    """What a handle is open for, each 0 or 1, as its row and the counts of its queue have it."""

    input: int
    exclusive: int
    output: int
    browse: int


def handle_use(options: int, *, default_exclusive: bool, shareable: bool) -> HandleUse:
    """What a handle with these MQOO options is open for."""
    is_input = bool(options & INPUT)
    exclusive = is_exclusive(options, default_exclusive=default_exclusive, shareable=shareable)
    return HandleUse(
        input=int(is_input),
        exclusive=int(is_input and exclusive),
        output=int(bool(options & OUTPUT)),
        browse=int(bool(options & BROWSE)),
    )


def input_conflicts(*, exclusive: bool, input_handles: int, exclusive_handles: int) -> bool:
    """Whether open handles prevent an open for input (OBJECT_IN_USE)."""
    return exclusive_handles > 0 or (exclusive and input_handles > 0)


def context_allowed(options: int) -> int:
    """Every context option that a handle opened with these options may use."""
    allowed = 0
    for option, implied in IMPLIED_CONTEXT.items():
        if options & option:
            allowed |= implied
    return allowed
