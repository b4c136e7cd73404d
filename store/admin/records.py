"""Authority records, channel authentication records, topics and subscriptions."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from mqsc.store.admin.inquiring import check_running, inquire
from mqsc.store.catalog import KINDS, Kind, Stored
from mqsc.store.catalog.status import STATUS_KINDS
from mqsc.store.constants import MQRC, MQRCCF
from mqsc.store.engine import authorization, configuration_event, definitions, inbound
from mqsc.store.engine.definitions import (
    Attributes,
    Defined,
    complete,
    differences,
    object_row,
    record,
    record_name,
)
from mqsc.store.engine.displayed_definition import DisplayedValues
from mqsc.store.engine.state import CallContext, QueueManagerState
from mqsc.store.error import MQError, refuse_for, refuse_if
from mqsc.store.rules import (
    authority_profiles,
    authorization as authorities,
    channel_auth as rules,
    channel_auth_patterns,
)
from mqsc.store.rules.authority import changed, expanded
from mqsc.store.rules.authorization import GROUP, PRINCIPAL, Identity
from mqsc.store.rules.topic_tree import covers, effective_attributes, parents
from mqsc.store.sql import managers, objects
from mqsc.store.sql.objects import ObjectRow
from mqsc.store.sqlite.database import Transaction

# SET, DELETE and DISPLAY AUTHREC, DISPLAY ENTAUTH: authority records.

AUTHREC = KINDS["AUTHREC"]
# (profile, type of object) and (PRINCIPAL or GROUP, name).
Authority = tuple[str, str]
Entity = tuple[str, str]
Words = frozenset[str]


def set_authority(
    qmgr: QueueManagerState,
    authority: Authority,
    holders: Sequence[Entity],
    granted: Sequence[str],
    taken: Sequence[str],
) -> list[str]:
    """SET AUTHREC: grant and revoke authorities; users and groups without a record get one.

    Sentences about what may not be meant: an object or a user that does not exist, a record that is
    never asked. MQError 3170 for a profile with a misplaced `**`, 3171 as `authority_change` has
    it.
    """
    profile, type = authority
    refuse_if(authority_profiles.profile_fault(profile), MQRCCF.PROFILE_NAME_ERROR, profile)
    add, remove = authority_change(profile, type, granted, taken)
    with qmgr.transaction() as (tx, call):
        call = configuration_event.with_command(call)
        for entity in holders:
            said = _said(type, entity)
            existing = objects.by_name(
                tx,
                qmgr.name,
                AUTHREC.namespace,
                record_name(AUTHREC, profile, said),
            )
            had = list_of(existing.attributes, "AUTHLIST") if existing else []
            keep_record(
                tx,
                call,
                AUTHREC,
                profile,
                {**said, "AUTHLIST": changed(had, add, remove)},
                existing,
            )
        managers.raise_versions(tx)
        return _doubts(tx, qmgr, call, authority, holders)


def authority_change(
    profile: str,
    type: str,
    granted: Sequence[str],
    taken: Sequence[str],
) -> tuple[Words, Words]:
    """The authorities that SET AUTHREC adds and removes.

    MQError 3171 for one that the type of object does not have, and for one in both lists unless one
    list has ALL.
    """
    add, remove = expanded(type, granted), expanded(type, taken)
    if add is None or remove is None or (add & remove and ("ALL" in granted) is ("ALL" in taken)):
        raise MQError(MQRCCF.AUTH_VALUE_ERROR, profile)
    return add, remove


_NAMESPACES = {
    "QUEUE": "queue",
    "TOPIC": "topic",
    "PROCESS": "process",
    "NAMELIST": "namelist",
    "CHANNEL": "channel",
}


def _doubts(
    tx: Transaction,
    qmgr: QueueManagerState,
    call: CallContext,
    authority: Authority,
    entities: Sequence[Entity],
) -> list[str]:
    profile, type = authority
    sentences = []
    space = _NAMESPACES.get(type)
    is_one = (
        space
        and profile != authority_profiles.CLASS
        and not authority_profiles.is_generic_profile(profile)
    )
    if is_one and objects.by_name(tx, qmgr.name, str(space), profile) is None:
        sentences.append(f"No {type.lower()} {profile} exists yet.")
    if type == "RQMNAME":
        sentences.append(
            "RQMNAME records are kept, not asked: messages to another queue manager ask for +put "
            "on the transmission"
            " queue, as on MQ without ClusterQueueAccessControl=RQMName.",
        )
    for kind, name in entities:
        if (
            kind == PRINCIPAL
            and authorization.identity_of(tx, qmgr.store, call.qmgr, name).is_administrator
        ):
            sentences.append(f"{name} is an administrator; this record is never asked.")
        elif not authorization.is_known_entity(tx, kind, name):
            what = "user" if kind == PRINCIPAL else "group"
            sentences.append(
                f"The store has no {what} {name} yet; the record is for one of exactly this name.",
            )
    return sentences


def delete_authority(
    qmgr: QueueManagerState,
    authority: Authority,
    entities: Sequence[Entity],
) -> None:
    """DELETE AUTHREC: remove the records of these users and groups; MQError 3170 when one is
    missing.
    """
    profile, type = authority
    with qmgr.transaction() as (tx, call):
        call = configuration_event.with_command(call)
        for entity in entities:
            name = record_name(AUTHREC, profile, _said(type, entity))
            existing = objects.by_name(tx, qmgr.name, AUTHREC.namespace, name)
            if existing is None:
                raise MQError(MQRCCF.PROFILE_NAME_ERROR, profile)
            drop_record(tx, call, AUTHREC, profile, existing)
        managers.raise_versions(tx)


def drop_authorities(tx: Transaction, call: CallContext, type: str, name: str) -> None:
    """Remove the records whose profile is exactly the name of an object that is deleted."""
    for row in objects.records_of(tx, call.qmgr.name, AUTHREC.namespace, name):
        if row.attributes["OBJTYPE"] == type:
            drop_record(tx, call, AUTHREC, name, row, with_object=True)
            managers.raise_versions(tx)


def authority_records(
    qmgr: QueueManagerState,
    profile: str,
    type: str = "ALL",
    entities: Sequence[Entity] = (),
    match: str = "PROFILE",
) -> Iterator[DisplayedValues]:
    """DISPLAY AUTHREC: the records about a profile, or all; of these entities, or of all.

    PROFILE and MEMBERSHIP find every record that covers the name, EXACT the profile as written.
    MEMBERSHIP also finds the records of the groups of a user.
    """
    if match == "MEMBERSHIP":
        users = [name for kind, name in entities if kind == PRINCIPAL]
        entities = [
            *entities,
            *((GROUP, each) for name in users for each in _identity(qmgr, name).groups),
        ]
    for row in inquire(qmgr, (AUTHREC,), "*"):
        held = str(row["PROFILE"])
        about = (
            not profile
            or held == profile
            or (match != "EXACT" and authority_profiles.profile_fits(held, profile))
        )
        of = not entities or (row["ENTTYPE"], row["ENTITY"]) in entities
        if about and of and type in ("ALL", row["OBJTYPE"]):
            yield row


def _identity(qmgr: QueueManagerState, user: str) -> Identity:
    with qmgr.reading() as (reading, call):
        return authorization.identity_of(reading, qmgr.store, call.qmgr, user)


def entity_authority(
    qmgr: QueueManagerState, name: str, type: str, entity: Entity
) -> DisplayedValues:
    """DISPLAY ENTAUTH: what a user may do with an object, or what a group alone grants."""
    enttype, who = entity
    with qmgr.reading() as (reading, call):
        about = reading, qmgr.store, call.qmgr
        of_group = Identity("", (who,), who == authorities.ADMINISTRATOR_GROUP)
        identity = of_group if enttype == GROUP else authorization.identity_of(*about, who)
        words = authorization.held(*about, identity, type, name)
    return {"OBJTYPE": type, "ENTITY": who, "ENTTYPE": enttype, "AUTHLIST": sorted(words)}


def _said(type: str, entity: Entity) -> dict[str, Any]:
    enttype, name = entity
    return {"OBJTYPE": type, "ENTTYPE": enttype, "ENTITY": name}


# SET CHLAUTH and DISPLAY CHLAUTH: channel authentication records.

CHLAUTH = KINDS["CHLAUTH"]


def set_channel_rule(
    qmgr: QueueManagerState, profile: str, attributes: Attributes, action: str
) -> None:
    """SET CHLAUTH: ADD, REPLACE, REMOVE or REMOVEALL records of one TYPE for the channels that
    `profile` names.

    Lists (BLOCKUSER, BLOCKADDR) grow and shrink by the items given. MQError 3337 when a record to
    add exists, 3338 when one to remove is missing, 3228 when a list is missing, 3343, 3345 or 3346
    for an address that is not valid, and the reasons of `store.rules.channel_auth.fault`.
    """
    refuse_for(rules.fault(profile, attributes, action), profile)
    if items := rules.missing(attributes, action):
        raise MQError(MQRCCF.PARM_MISSING, items)
    with qmgr.transaction() as (tx, call):
        if action == "REMOVEALL":
            _remove_all(tx, call, profile, str(attributes["TYPE"]))
            return
        existing = objects.by_name(
            tx,
            qmgr.name,
            CHLAUTH.namespace,
            record_name(CHLAUTH, profile, attributes),
        )
        if action != "REMOVE":
            _check_addresses(tx, qmgr.name, profile, attributes)
        if existing is None and action == "REMOVE":
            raise MQError(MQRCCF.CHLAUTH_NOT_FOUND, profile)
        after = _after(profile, attributes, action, existing)
        if after is None:
            assert existing is not None
            drop_record(tx, call, CHLAUTH, profile, existing)
        else:
            keep_record(tx, call, CHLAUTH, profile, after, existing)


def _check_addresses(tx: Transaction, owner: str, profile: str, attributes: Attributes) -> None:
    """MQError 3343, 3345 or 3346 for an address that is not valid beside the records of the
    profile.
    """
    if not rules.addresses_of(attributes):
        return
    alike = (
        row.attributes
        for row in _records_of(tx, owner, profile)
        if row.attributes["TYPE"] == attributes["TYPE"]
    )
    reason, address = rules.invalid_address(
        attributes,
        [each for record in alike for each in rules.addresses_of(record)],
    )
    refuse_for(reason, address)


def _after(
    profile: str,
    attributes: Attributes,
    action: str,
    existing: ObjectRow | None,
) -> Attributes | None:
    """The record after the command; None when it has become empty."""
    items = rules.LISTS.get(str(attributes["TYPE"]))
    start = {**definitions.shipped(CHLAUTH, str(attributes["TYPE"])), "TYPE": attributes["TYPE"]}
    if items is None:
        refuse_if(action == "ADD" and existing is not None, MQRCCF.CHLAUTH_ALREADY_EXISTS, profile)
        return None if action == "REMOVE" else {**start, **attributes}
    if existing is None or action == "REPLACE":
        return {**start, **attributes}
    left = _list_after(
        list_of(existing.attributes, items), list_of(attributes, items), action, profile
    )
    return {**existing.attributes, **attributes, items: left} if left else None


def _list_after(had: list[str], said: list[str], action: str, profile: str) -> list[str]:
    if action == "ADD":
        return had + [each for each in said if each not in had]
    refuse_if(not set(said) & set(had), MQRCCF.CHLAUTH_NOT_FOUND, profile)
    return [each for each in had if each not in said]


def list_of(attributes: Attributes, word: str) -> list[str]:
    """A list attribute, empty when it is not there."""
    found = attributes.get(word, [])
    return list(found) if isinstance(found, list) else [str(found)]


def _remove_all(tx: Transaction, call: CallContext, profile: str, type: str) -> None:
    found = [
        row for row in _records_of(tx, call.qmgr.name, profile) if row.attributes["TYPE"] == type
    ]
    refuse_if(not found, MQRCCF.CHLAUTH_NOT_FOUND, profile)
    for each in found:
        drop_record(tx, call, CHLAUTH, profile, each)


def _records_of(tx: Transaction, owner: str, profile: str) -> list[ObjectRow]:
    start = record_name(CHLAUTH, profile, {})[: len(profile) + 1]
    return objects.page(
        tx,
        owner,
        CHLAUTH.namespace,
        start,
        start[:-1] + chr(ord(start[-1]) + 1),
        "",
        1_000_000,
    )


def keep_record(
    tx: Transaction,
    call: CallContext,
    kind: Kind,
    profile: str,
    after: Attributes,
    existing: ObjectRow | None,
) -> None:
    """Store a record, replacing the existing one; the history records the differences."""
    if existing is not None:
        before: Attributes = complete(kind, existing.attributes)
        objects.replace_attributes(tx, existing.id, after, call.now)
    else:
        before = {
            word: value
            for word, value in definitions.shipped(kind).items()
            if word not in kind.identity
        }
        row = object_row(kind, call.qmgr.name, profile, after, call.now)
        objects.add(tx, row)
    changes = differences(before, after)
    if existing is None:
        changes = {
            word: (None, value) for word, (_, value) in changes.items() if value not in ("", [])
        }
    # The attributes of a new record tell it from others.
    identity = (
        {word: after[word] for word in kind.identity if after.get(word)} if existing else None
    )
    record(tx, call, "SET", Defined(kind.keyword, profile, identity=identity), changes, "command")
    if existing is None:
        configuration_event.created(tx, call, kind, record_name(kind, profile, after), after)
    else:
        configuration_event.changed(tx, call, existing, after, call.now)


def drop_record(
    tx: Transaction,
    call: CallContext,
    kind: Kind,
    profile: str,
    existing: ObjectRow,
    *,
    with_object: bool = False,
) -> None:
    """Remove a record; the history records its attributes. A record that goes with its object
    has no event.
    """
    objects.remove(tx, existing.id)
    held: dict[str, tuple[Stored | None, Any]] = {
        word: (value, None)
        for word, value in complete(kind, existing.attributes).items()
        if value not in ("", [])
    }
    record(tx, call, "DELETE", Defined(kind.keyword, profile), held)
    if not with_object:
        configuration_event.deleted(tx, call, existing)


_NAME_MATCHES: Mapping[str, Callable[[str, str], bool]] = {
    "EXACT": lambda profile, held: held == profile,
    "GENERIC": channel_auth_patterns.fits,
    "ALL": lambda profile, held: (
        channel_auth_patterns.fits(profile, held) or channel_auth_patterns.fits(held, profile)
    ),
}


def channel_rules(
    qmgr: QueueManagerState, profile: str, match: str = "GENERIC"
) -> Iterator[DisplayedValues]:
    """DISPLAY CHLAUTH: the records by profile.

    EXACT finds the profile as written, GENERIC treats its asterisks as wildcards, ALL finds every
    record that can apply to any of the channels it names. MQError 2059 when the queue manager does
    not run.
    """
    return (
        row
        for row in inquire(qmgr, (CHLAUTH,), "*")
        if _NAME_MATCHES[match](profile, str(row["CHLAUTH"]))
    )


def deciding_rules(
    qmgr: QueueManagerState,
    client: rules.ConnectingClient,
) -> tuple[list[DisplayedValues], str]:
    """DISPLAY CHLAUTH MATCH(RUNCHECK): the record that would decide about a client, after those
    that only warn.

    If there is none, the list is empty and the channel runs as the user that is returned too.
    """
    check_running(qmgr)
    with qmgr.reading() as (reading, call):
        channel = inbound.definition_of(reading, qmgr.name, client.channel)
        is_message_channel = channel["CHLTYPE"] != "SVRCONN" if channel else None
        about = client._replace(
            channel_user=str(channel.get("MCAUSER", "")),
            is_message_channel=is_message_channel,
        )
        known = inbound.asking(reading, qmgr.store, call.qmgr, about)
        found = rules.deciding(inbound.records_of(reading, qmgr.name), known)
    shown = {rules.record_key(row): dict(row) for row in inquire(qmgr, (CHLAUTH,), "*")}
    return [shown[rules.record_key(each)] for each in found], known.own_user


# DISPLAY TPSTATUS, SUB, SBSTATUS and PUBSUB: the topic tree of the definitions; nothing is
# published.

TOPIC, SUB = KINDS["TOPIC"], KINDS["SUB"]
# Attributes inherited along the tree, in the order of DISPLAY.
_INHERITED = [word for word in STATUS_KINDS["TPSTATUS"].attributes if word in TOPIC.attributes]


def topic_status(
    qmgr: QueueManagerState, pattern: str, type: str = ""
) -> Iterator[DisplayedValues]:
    """DISPLAY TPSTATUS: the topic strings that objects and subscriptions name, and their parents,
    in order.

    + and # in the pattern are the wildcards of topics. TYPE(SUB) lists the subscriptions at each
    string; TYPE(PUB) lists nothing, because nothing is published. MQError 2059.
    """
    topics = {
        str(row["TOPICSTR"]): row
        for row in inquire(qmgr, (TOPIC,), "*")
        if row["TOPIC"] != TOPIC.default_object
    }
    own_subscriptions = [
        row for row in subscriptions(qmgr, "*") if row["SUB"] != SUB.default_object
    ]
    named = {*topics, *(str(row["TOPICSTR"]) for row in own_subscriptions)}
    strings = sorted(
        each
        for each in named | {up for name in named for up in parents(name)}
        if covers(pattern, each)
    )
    if type == "SUB":
        wanted = {str(row["SUB"]) for row in own_subscriptions if row["TOPICSTR"] in strings}
        yield from (row for row in subscription_status(qmgr, "*") if row["SUB"] in wanted)
    elif type != "PUB":
        counts = Counter(row["TOPICSTR"] for row in own_subscriptions)
        for string in strings:
            admin = topics[string]["TOPIC"] if string in topics else ""
            values = effective_attributes(topics, string, _INHERITED)
            counted = {"RETAINED": "NO", "PUBCOUNT": 0, "SUBCOUNT": counts[string]}
            yield {"TOPICSTR": string, "ADMIN": admin, **values, **counted}


def subscriptions(
    qmgr: QueueManagerState, pattern: str, *, resolved: bool = True
) -> Iterator[DisplayedValues]:
    """DISPLAY SUB: subscriptions by name; if `resolved`, TOPICSTR includes the string of
    TOPICOBJ.
    """
    strings: dict[str, str] = {}
    for subscription in inquire(qmgr, (SUB,), pattern):
        topic = str(subscription["TOPICOBJ"])
        if topic and resolved:
            if not strings:
                strings = {
                    str(each["TOPIC"]): str(each["TOPICSTR"])
                    for each in inquire(qmgr, (TOPIC,), "*")
                }
            subscription["TOPICSTR"] = "/".join(
                part for part in (strings.get(topic, ""), str(subscription["TOPICSTR"])) if part
            )
        yield subscription


def subscription_status(
    qmgr: QueueManagerState, pattern: str, type: str = ""
) -> Iterator[DisplayedValues]:
    """DISPLAY SBSTATUS: subscriptions by name; none has received a publication."""
    for row in subscriptions(qmgr, pattern):
        kept = {
            word: row[word]
            for word in ("SUBID", "SUB", "SUBUSER", "DURABLE", "SUBTYPE", "TOPICSTR")
        }
        yield {
            **kept,
            "RESMDATE": row["CRDATE"],
            "RESMTIME": row["CRTIME"],
            "LMSGDATE": "",
            "LMSGTIME": "",
            "ACTCONN": "0" * 48,
            "MCASTREL": "",
            "NUMMSGS": 0,
        }


def publish_subscribe_status(
    qmgr: QueueManagerState,
    name: str = "",
    type: str = "",
) -> Iterator[DisplayedValues]:
    """DISPLAY PUBSUB: this queue manager, INACTIVE because nothing is published; it has no
    parent or child.
    """
    check_running(qmgr)
    if type not in ("CHILD", "PARENT"):
        subscription_count = sum(
            1 for row in inquire(qmgr, (SUB,), "*") if row["SUB"] != SUB.default_object
        )
        strings = sum(1 for _ in topic_status(qmgr, "*"))
        yield {
            "QMNAME": qmgr.name,
            "TYPE": "LOCAL",
            "STATUS": "INACTIVE",
            "SUBCOUNT": subscription_count,
            "TPCOUNT": strings,
        }


def check_topic(tx: Transaction, owner: str, name: str, attributes: Attributes) -> None:
    """MQError 3300 for a second topic object with the same topic string."""
    string = str(attributes["TOPICSTR"])
    refuse_if(
        string and objects.has_other_topic(tx, owner, name, string),
        MQRCCF.TOPICSTR_ALREADY_EXISTS,
        string,
    )


def check_subscription(tx: Transaction, owner: str, name: str, attributes: Attributes) -> None:
    """Check what an administrative subscription must name: a topic, and a queue unless it is
    managed.

    MQError 3228 when it names none, 2085 when its TOPICOBJ or a local DEST is missing.
    """
    if name == SUB.default_object:
        return
    refuse_if(
        not (attributes["TOPICSTR"] or attributes["TOPICOBJ"]),
        MQRCCF.PARM_MISSING,
        "TOPICSTR or TOPICOBJ",
    )
    _check(tx, owner, "topic", str(attributes["TOPICOBJ"]))
    if attributes["DESTCLAS"] == "PROVIDED":
        refuse_if(not attributes["DEST"], MQRCCF.PARM_MISSING, "DEST")
        if attributes["DESTQMGR"] in ("", owner):
            _check(tx, owner, "queue", str(attributes["DEST"]))


def _check(tx: Transaction, owner: str, namespace: str, name: str) -> None:
    if name and objects.by_name(tx, owner, namespace, name) is None:
        raise MQError(MQRC.UNKNOWN_OBJECT_NAME, name)
