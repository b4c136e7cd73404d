"""Subscriptions that commands define act as soon as they are defined, altered or deleted
(publish-subscribe §6).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mqsc.store.catalog import KINDS
from mqsc.store.constants import MQRC
from mqsc.store.engine import retained_copies, subscription_end, subscription_making, topic_tree
from mqsc.store.engine.definitions import Attributes
from mqsc.store.engine.delivery import deliver
from mqsc.store.engine.selectors import selector_of
from mqsc.store.engine.state import CallContext
from mqsc.store.error import refuse_for, refuse_if
from mqsc.store.rules.topics import wildcards
from mqsc.store.rules.topics.topic_strings import joined
from mqsc.store.rules.topics.wildcards import TopicPattern
from mqsc.store.sql import subscriptions
from mqsc.store.sql.rows import SubscriptionRow
from mqsc.store.sqlite.database import Transaction
from mqsc.store.sqlite.queries import Queries

SUB = KINDS["SUB"]
# The words of attributes that are numbers in a row.
_NUMBERS = {"UNLIMITED": -1, "ASPUB": -3, "ASQDEF": -1}
YES = "YES"
ANY = "ANY"
BY_CHARACTER = "CHAR"
MANAGED = "MANAGED"
_LONGEST_SUBSCRIPTION_USER = 12


def is_acting(name: str) -> bool:
    """Whether a definition is a subscription; the default object is none."""
    return name != SUB.default_object


def full_string(tx: Queries, call: CallContext, attributes: Attributes) -> str:
    """The topic string of a subscription; MQError 2085 for a TOPICOBJ that does not exist, 2425 for
    an empty or wrong one.
    """
    name, given = str(attributes["TOPICOBJ"]), str(attributes["TOPICSTR"])
    string = topic_tree.string_of(tx, call, name, given)
    by_character = attributes["WSCHEMA"] == BY_CHARACTER
    refuse_for(wildcards.fault(string, by_character=by_character), name)
    return string


def alterable_columns(attributes: Attributes) -> dict[str, Any]:
    """The columns of a row for those of its attributes that ALTER can change."""
    columns: dict[str, Any] = {}
    for word, column in _TEXT_COLUMNS.items():
        if word in attributes:
            columns[column] = str(attributes[word])
    for word, column in _NUMBER_COLUMNS.items():
        if word in attributes:
            value = attributes[word]
            columns[column] = _NUMBERS[value] if isinstance(value, str) else value
    for word, (column, yes) in _FLAG_COLUMNS.items():
        if word in attributes:
            columns[column] = int(attributes[word] == yes)
    return columns


_TEXT_COLUMNS = {
    "DEST": "destination",
    "DESTQMGR": "destination_manager",
    "PUBAPPID": "appl_identity_data",
    "USERDATA": "user_data",
    "PUBACCT": "accounting",
    "DESTCORL": "correlation",
    "PSPROP": "property_form",
    "SUBUSER": "user",
}
_NUMBER_COLUMNS = {"EXPIRY": "expiry", "PUBPRTY": "priority"}
_FLAG_COLUMNS = {"REQONLY": ("request_only", YES), "VARUSER": ("any_user", ANY)}


def defined(tx: Transaction, call: CallContext, name: str, attributes: Attributes) -> None:
    """Make the subscription that was defined, and put the retained publications for it, unless
    REQONLY(YES).

    MQError 2432 when a program has made one of that name, 2436 when the topic allows none, 2522
    without a queue for a managed one, 2525 and 2526 when retained publications cannot be read or
    delivered.
    """
    if not is_acting(name):
        return
    existing = subscriptions.by_name(tx, call.qmgr.name, name)
    refuse_if(existing is not None, MQRC.SUB_ALREADY_EXISTS, name)
    if attributes["SELECTOR"]:
        selector_of(str(attributes["SELECTOR"]), name)
    string = full_string(tx, call, attributes)
    by_character = attributes["WSCHEMA"] == BY_CHARACTER
    node = TopicPattern(string, by_character=by_character).levels
    settings = topic_tree.settings(tx, call, node)
    is_not_durable = settings.attributes["DURSUB"] == topic_tree.NOT_ALLOWED
    refuse_if(is_not_durable, MQRC.DURABILITY_NOT_ALLOWED, name)
    is_managed = attributes["DESTCLAS"] == MANAGED
    columns = {
        **alterable_columns(attributes),
        "identifier": attributes["SUBID"],
        "name": name,
        "is_administrative": 1,
        "topic_object": attributes["TOPICOBJ"],
        "topic_string": string,
        "by_character": int(by_character),
        "level": attributes["SUBLEVEL"],
        "durable": 1,
        "managed": int(is_managed),
        "selector": attributes["SELECTOR"],
    }
    columns["user"] = columns["user"] or _issuer(call)
    if not columns["correlation"]:
        columns["correlation"] = subscription_making.generated_correlation(call)
    if is_managed:
        queue = subscription_making.managed_queue(tx, call, settings, is_durable=True)
        columns |= {"destination": queue, "destination_manager": ""}
    row = subscription_making.make(tx, call, columns, "admin")
    if not row.request_only:
        _, effects = retained_copies.put_retained(tx, call, row)
        deliver(tx, call, effects)


def _issuer(call: CallContext) -> str:
    return call.user[:_LONGEST_SUBSCRIPTION_USER]


def rewritten(
    tx: Transaction, call: CallContext, name: str, before: Attributes, after: Attributes
) -> None:
    """Change the subscription whose definition was altered or replaced.

    MQError 2510, 2524, 2533 or 2512 when REPLACE gives another topic, selector, class of
    destination or level.
    """
    row = subscriptions.by_name(tx, call.qmgr.name, name)
    if row is None or not is_acting(name):
        return
    for word, reason in _NOT_ALTERABLE.items():
        refuse_if(before[word] != after[word], reason, name)
    same_topic = joined_string(before) == joined_string(after)
    refuse_if(not same_topic, MQRC.TOPIC_NOT_ALTERABLE, name)
    changes = {word: after[word] for word in after if after[word] != before.get(word)}
    columns = alterable_columns(changes)
    if row.managed:
        columns.pop("destination", None)
        columns.pop("destination_manager", None)
    if columns.get("correlation") == "":
        columns["correlation"] = subscription_making.generated_correlation(call)
    if columns.get("user") == "":
        columns["user"] = _issuer(call)
    columns["altered_at"] = call.now
    subscription_making.change(tx, call, row, columns, "alter")


_NOT_ALTERABLE = {
    "WSCHEMA": int(MQRC.TOPIC_NOT_ALTERABLE),
    "SELECTOR": int(MQRC.SELECTOR_NOT_ALTERABLE),
    "DESTCLAS": int(MQRC.DEST_CLASS_NOT_ALTERABLE),
    "SUBLEVEL": int(MQRC.SUBLEVEL_NOT_ALTERABLE),
}


def joined_string(attributes: Attributes) -> tuple[str, str]:
    """What decides the topic string of a subscription."""
    return str(attributes["TOPICOBJ"]), joined("", str(attributes["TOPICSTR"]))


def deleted(tx: Transaction, call: CallContext, name: str) -> None:
    """End the subscription whose definition is deleted; MQError 2429 while a program has it open."""
    row = subscriptions.by_name(tx, call.qmgr.name, name)
    if row is not None:
        check_not_open(row)
        subscription_end.end(tx, call, row, "command")


def check_not_open(row: SubscriptionRow) -> None:
    """MQError 2429 while a program has the subscription open."""
    refuse_if(row.handle, MQRC.SUBSCRIPTION_IN_USE, row.name)


def attributes_of(row: SubscriptionRow) -> dict[str, Any]:
    """The attributes of a subscription of a program, as a definition would have them."""
    words: dict[str, Any] = {word: getattr(row, column) for word, column in _TEXT_COLUMNS.items()}
    flags = {
        "REQONLY": YES if row.request_only else "NO",
        "VARUSER": ANY if row.any_user else "FIXED",
        "DURABLE": YES if row.durable else "NO",
        "DESTCLAS": MANAGED if row.managed else "PROVIDED",
        "WSCHEMA": BY_CHARACTER if row.by_character else "TOPIC",
        "SUBTYPE": "ADMIN" if row.is_administrative else "API",
        "SELTYPE": "STANDARD" if row.selector else "NONE",
    }
    return {
        **words,
        **flags,
        "SUBID": row.identifier,
        "TOPICSTR": row.topic_string,
        "TOPICOBJ": row.topic_object,
        "SELECTOR": row.selector,
        "SUBLEVEL": row.level,
        "SUBSCOPE": "ALL",
        "EXPIRY": "UNLIMITED" if row.expiry < 0 else row.expiry,
        "PUBPRTY": {-3: "ASPUB", -1: "ASQDEF"}.get(row.priority, row.priority),
    }


def shown(attributes: Mapping[str, Any], row: SubscriptionRow | None) -> dict[str, Any]:
    """The attributes of a definition as its subscription has them now: user, CorrelId and the queue
    of a managed one.
    """
    found = dict(attributes)
    if row is None:
        return found
    found |= {"SUBUSER": row.user, "DESTCORL": row.correlation}
    if row.managed:
        found["DEST"] = row.destination
    return found
