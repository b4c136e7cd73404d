"""SET CHLAUTH and DISPLAY CHLAUTH: channel authentication records."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from mqsc.store.admin.inquiring import check_running, inquire
from mqsc.store.admin.records import drop_record, keep_record, list_of
from mqsc.store.catalog import KINDS
from mqsc.store.constants import MQRCCF
from mqsc.store.engine import definitions, inbound
from mqsc.store.engine.definitions import Attributes, record_name
from mqsc.store.engine.displayed_definition import DisplayedValues
from mqsc.store.engine.state import CallContext, QueueManagerState
from mqsc.store.error import MQError, refuse_for, refuse_if
from mqsc.store.rules import channel_auth as rules, channel_auth_patterns
from mqsc.store.sql import objects
from mqsc.store.sql.objects import ObjectRow
from mqsc.store.sqlite.database import Transaction

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
