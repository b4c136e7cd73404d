"""MQSUB: its options, what it does about a subscription of that name, and what an alteration may
not change (publish-subscribe §3.1).
"""

from collections.abc import Callable
from enum import Enum
from functools import lru_cache
from typing import NamedTuple, Protocol

from mqsc.store.constants import MQCO, MQRC, MQSO
from mqsc.store.rules.topics.topic_strings import LONGEST

ALTER = int(MQSO.ALTER)
CREATE = int(MQSO.CREATE)
RESUME = int(MQSO.RESUME)
DURABLE = int(MQSO.DURABLE)
MANAGED = int(MQSO.MANAGED)
GROUP = int(MQSO.GROUP_SUB)
SET_IDENTITY_CONTEXT = int(MQSO.SET_IDENTITY_CONTEXT)
FIXED_USER = int(MQSO.FIXED_USERID)
ANY_USER = int(MQSO.ANY_USERID)
ON_REQUEST = int(MQSO.PUBLICATIONS_ON_REQUEST)
NEW_ONLY = int(MQSO.NEW_PUBLICATIONS_ONLY)
FAIL_IF_QUIESCING = int(MQSO.FAIL_IF_QUIESCING)
ALTERNATE_USER = int(MQSO.ALTERNATE_USER_AUTHORITY)
BY_CHARACTER = int(MQSO.WILDCARD_CHAR)
BY_LEVEL = int(MQSO.WILDCARD_TOPIC)
SET_CORREL_ID = int(MQSO.SET_CORREL_ID)
_NO_READ_AHEAD = int(MQSO.NO_READ_AHEAD)
_READ_AHEAD = int(MQSO.READ_AHEAD)
KEEP_SUB = int(MQCO.KEEP_SUB)
REMOVE_SUB = int(MQCO.REMOVE_SUB)
_KNOWN = sum(int(option) for option in MQSO)
_ACTIONS = ALTER | CREATE | RESUME
# The options that belong to a subscription, and that RESUME returns.
KEPT = (
    DURABLE
    | MANAGED
    | GROUP
    | FIXED_USER
    | ANY_USER
    | ON_REQUEST
    | BY_CHARACTER
    | BY_LEVEL
    | SET_CORREL_ID
)
UNLIMITED = -1
LOWEST_PRIORITY = -3
HIGHEST_PRIORITY = 9
HIGHEST_LEVEL = 9

# (description, test): each is an OPTIONS_ERROR.
OPTION_CONFLICTS: tuple[tuple[str, Callable[[int], int]], ...] = (
    ("none of CREATE, RESUME, ALTER", lambda o: not o & _ACTIONS),
    ("NEW_PUBLICATIONS_ONLY without CREATE", lambda o: o & NEW_ONLY and not o & CREATE),
    (
        "NEW_PUBLICATIONS_ONLY and PUBLICATIONS_ON_REQUEST",
        lambda o: o & NEW_ONLY and o & ON_REQUEST,
    ),
    ("GROUP_SUB and MANAGED", lambda o: o & GROUP and o & MANAGED),
    ("GROUP_SUB without SET_CORREL_ID", lambda o: o & GROUP and not o & SET_CORREL_ID),
    ("GROUP_SUB without CREATE or ALTER", lambda o: o & GROUP and not o & (CREATE | ALTER)),
    ("ANY_USERID and FIXED_USERID", lambda o: o & ANY_USER and o & FIXED_USER),
    ("WILDCARD_CHAR and WILDCARD_TOPIC", lambda o: o & BY_CHARACTER and o & BY_LEVEL),
    ("READ_AHEAD and NO_READ_AHEAD", lambda o: o & _READ_AHEAD and o & _NO_READ_AHEAD),
    (
        "READ_AHEAD or NO_READ_AHEAD without MANAGED",
        lambda o: o & (_READ_AHEAD | _NO_READ_AHEAD) and not o & MANAGED,
    ),
    ("an unknown option", lambda o: o & ~_KNOWN),
)


@lru_cache(maxsize=512)
def option_conflict(options: int) -> str:
    """Describes the first error in MQSO options (2046), or is blank."""
    return next((name for name, is_wrong in OPTION_CONFLICTS if is_wrong(options)), "")


class RequestedSubscription(NamedTuple):
    """The numbers and the name of an MQSD that do not depend on anything else."""

    options: int
    name: str
    expiry: int
    priority: int
    level: int
    user_data: str


def request_fault(request: RequestedSubscription) -> int:
    """The reason that refuses an MQSD whatever there is, or 0: 2046, 2440, 2013, 2050, 2424, 2431.

    A RESUME alone uses the name only.
    """
    if option_conflict(request.options):
        return int(MQRC.OPTIONS_ERROR)
    named = bool(request.name)
    if len(request.name) > LONGEST or (request.options & DURABLE and not named):
        return int(MQRC.SUB_NAME_ERROR)
    if not request.options & (CREATE | ALTER):
        return 0
    if request.expiry != UNLIMITED and request.expiry <= 0:
        return int(MQRC.EXPIRY_ERROR)
    if not LOWEST_PRIORITY <= request.priority <= HIGHEST_PRIORITY:
        return int(MQRC.PRIORITY_ERROR)
    if not 0 <= request.level <= HIGHEST_LEVEL:
        return int(MQRC.SD_ERROR)
    return int(MQRC.SUB_USER_DATA_ERROR) if len(request.user_data) > LONGEST else 0


class Action(Enum):
    """What MQSUB does."""

    MAKE = "make"
    RESUME = "resume"
    ALTER = "alter"


def action_of(options: int, *, is_known: bool) -> Action | int:
    """What MQSUB does, or the reason that refuses it: 2432 for a known name with CREATE alone, 2428
    for an unknown one without CREATE.
    """
    if not is_known:
        return Action.MAKE if options & CREATE else int(MQRC.NO_SUBSCRIPTION)
    if options & ALTER:
        return Action.ALTER
    return Action.RESUME if options & RESUME else int(MQRC.SUB_ALREADY_EXISTS)


class Alterable(Protocol):
    """What of a subscription an alteration cannot change."""

    topic_string: str
    by_character: int
    durable: int
    managed: int
    level: int
    selector: str
    grouped: int


class Alteration(NamedTuple):
    """What an MQSD asks for; `topic_string` is None where it names no topic."""

    options: int
    topic_string: str | None
    level: int
    selector: str


def alteration_fault(existing: Alterable, wanted: Alteration) -> int:
    """The reason that refuses an alteration, or 0: 2510, 2509, 2533, 2512, 2524, 2515."""
    options = wanted.options
    same_topic = wanted.topic_string in (None, existing.topic_string)
    schemes = options & (BY_CHARACTER | BY_LEVEL)
    same_scheme = not schemes or bool(options & BY_CHARACTER) == bool(existing.by_character)
    if not (same_topic and same_scheme):
        return int(MQRC.TOPIC_NOT_ALTERABLE)
    if bool(options & DURABLE) != bool(existing.durable):
        return int(MQRC.DURABILITY_NOT_ALTERABLE)
    if bool(options & MANAGED) != bool(existing.managed):
        return int(MQRC.DEST_CLASS_NOT_ALTERABLE)
    if wanted.level != existing.level:
        return int(MQRC.SUBLEVEL_NOT_ALTERABLE)
    if wanted.selector != existing.selector:
        return int(MQRC.SELECTOR_NOT_ALTERABLE)
    if bool(options & GROUP) != bool(existing.grouped):
        return int(MQRC.GROUPING_NOT_ALTERABLE)
    return 0


def closing_fault(options: int, *, is_durable: bool) -> int:
    """The reason that refuses the options of MQCLOSE for a subscription, or 0: 2045 or 2046
    (publish-subscribe §3.4).
    """
    if options & KEEP_SUB and options & REMOVE_SUB:
        return int(MQRC.OPTIONS_ERROR)
    if options & ~(KEEP_SUB | REMOVE_SUB) or (options & KEEP_SUB and not is_durable):
        return int(MQRC.OPTION_NOT_VALID_FOR_TYPE)
    return 0
