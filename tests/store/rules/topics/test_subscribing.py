"""MQSUB: combinations of options, names that are known or not, alterations."""

from __future__ import annotations

from dataclasses import dataclass

from mqsc.store.constants import MQCO, MQSO
from mqsc.store.rules.topics import subscribing
from mqsc.store.rules.topics.subscribing import Action, Alteration, RequestedSubscription
from tests.store.tables import named_verdicts, verdicts

CREATE, RESUME, ALTER = MQSO.CREATE, MQSO.RESUME, MQSO.ALTER
MANAGED, DURABLE, GROUP = MQSO.MANAGED, MQSO.DURABLE, MQSO.GROUP_SUB


def fault(
    options: int,
    *,
    name: str = "",
    expiry: int = -1,
    priority: int = -3,
    level: int = 1,
    user_data: str = "",
) -> int:
    request = RequestedSubscription(int(options), name, expiry, priority, level, user_data)
    return subscribing.request_fault(request)


test_b38_options_that_contradict_each_other = named_verdicts(
    fault,
    ("B37", 0, 2046),
    ("new publications without CREATE", RESUME | MQSO.NEW_PUBLICATIONS_ONLY, 2046),
    (
        "new publications on request",
        CREATE | MQSO.NEW_PUBLICATIONS_ONLY | MQSO.PUBLICATIONS_ON_REQUEST,
        2046,
    ),
    ("a managed group", CREATE | GROUP | MANAGED | MQSO.SET_CORREL_ID, 2046),
    ("a group without a CorrelId", CREATE | GROUP, 2046),
    ("a group with RESUME", RESUME | GROUP | MQSO.SET_CORREL_ID, 2046),
    ("two users", CREATE | MQSO.ANY_USERID | MQSO.FIXED_USERID, 2046),
    ("two schemes", CREATE | MQSO.WILDCARD_CHAR | MQSO.WILDCARD_TOPIC, 2046),
    ("read ahead twice", CREATE | MANAGED | MQSO.READ_AHEAD | MQSO.NO_READ_AHEAD, 2046),
    ("read ahead of a provided queue", CREATE | MQSO.READ_AHEAD, 2046),
    ("an unknown bit", CREATE | 0x400, 2046),
    ("read ahead", CREATE | MANAGED | MQSO.READ_AHEAD, 0),
    ("a group", CREATE | GROUP | MQSO.SET_CORREL_ID, 0),
)


def test_b49_values_that_do_not_fit() -> None:
    """B49: a durable subscription without a name; expiry, priority and level out of their range."""
    assert fault(CREATE | DURABLE) == 2440
    assert fault(CREATE, name="x" * 10_241) == 2440
    assert [fault(CREATE, expiry=each) for each in (0, -2, -1, 1)] == [2013, 2013, 0, 0]
    assert [fault(CREATE, priority=each) for each in (-4, 10, -3, 9)] == [2050, 2050, 0, 0]
    assert [fault(CREATE, level=each) for each in (-1, 10, 0, 9)] == [2424, 2424, 0, 0]
    assert fault(CREATE, user_data="x" * 10_241) == 2431
    # RESUME uses the name alone.
    assert fault(RESUME, name="D", expiry=0, priority=99, level=99) == 0


test_b39_actions = verdicts(
    lambda options, known: subscribing.action_of(int(options), is_known=known),
    (CREATE, False, Action.MAKE),
    (CREATE, True, 2432),
    (RESUME, False, 2428),
    (RESUME, True, Action.RESUME),
    (CREATE | RESUME, False, Action.MAKE),
    (CREATE | RESUME, True, Action.RESUME),
    (ALTER, False, 2428),
    (ALTER, True, Action.ALTER),
    (CREATE | ALTER, False, Action.MAKE),
    (CREATE | ALTER, True, Action.ALTER),
    (RESUME | ALTER, False, 2428),
    (CREATE | RESUME | ALTER, False, Action.MAKE),
    (CREATE | RESUME | ALTER, True, Action.ALTER),
)


@dataclass
class Existing:
    topic_string: str = "a"
    by_character: int = 0
    durable: int = 1
    managed: int = 0
    level: int = 1
    selector: str = ""
    grouped: int = 0


def alteration(
    options: int = DURABLE, topic: str | None = None, level: int = 1, selector: str = ""
) -> int:
    wanted = Alteration(int(options), topic, level, selector)
    return subscribing.alteration_fault(Existing(), wanted)


test_b46_what_cannot_be_altered = named_verdicts(
    alteration,
    ("topic", DURABLE, "b", 2510),
    ("the same topic", DURABLE, "a", 0),
    ("scheme", DURABLE | MQSO.WILDCARD_CHAR, "a", 2510),
    ("durability", 0, None, 2509),
    ("managed", DURABLE | MANAGED, None, 2533),
    ("level", DURABLE, None, 2, 2512),
    ("selector", DURABLE, None, 1, "Color = 'red'", 2524),
    ("grouping", DURABLE | GROUP, None, 2515),
    ("nothing", DURABLE, None, 0),
)
test_b43_options_of_closing = verdicts(
    lambda options, durable: subscribing.closing_fault(int(options), is_durable=durable),
    (MQCO.NONE, False, 0),
    (MQCO.NONE, True, 0),
    (MQCO.KEEP_SUB, False, 2045),
    (MQCO.KEEP_SUB, True, 0),
    (MQCO.REMOVE_SUB, False, 0),
    (MQCO.REMOVE_SUB, True, 0),
    (MQCO.DELETE, True, 2045),
    (MQCO.DELETE_PURGE, False, 2045),
    (MQCO.KEEP_SUB | MQCO.REMOVE_SUB, True, 2046),
)
