"""SET CHLAUTH and DISPLAY CHLAUTH: channel authentication records, which are kept and matched, not enforced."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from store.admin.inquiring import inquire
from store.catalog import KINDS, Kind, Stored
from store.constants import MQRCCF
from store.engine import configuration_events
from store.engine.call_context import CallContext
from store.engine.definitions import (
    Attributes,
    Defined,
    complete,
    differences,
    object_row,
    record,
    record_name,
    shipped,
)
from store.engine.state import QueueManagerState
from store.error import MQError
from store.rules import channel_auth as rules
from store.rules.channel_auth_patterns import fits
from store.sql import objects
from store.sql.objects import ObjectRow
from store.sqlite.database import Transaction

CHLAUTH = KINDS["CHLAUTH"]
Row = dict[str, Any]


def set_channel_rule(qmgr: QueueManagerState, profile: str, given: Attributes, action: str) -> None:
    """SET CHLAUTH: ADD, REPLACE, REMOVE or REMOVEALL records of one TYPE for the channels that `profile` names.

    Lists (BLOCKUSER, BLOCKADDR) grow and shrink by the items given. MQError 3337 when a record to add exists, 3338 when
    one to remove is missing, 3228 when a list is missing, 3343, 3345 or 3346 for an address that is not valid, and the
    reasons of `store.rules.channel_auth.fault`.
    """
    if reason := rules.fault(profile, given, action):
        raise MQError(reason, profile)
    if items := rules.missing(given, action):
        raise MQError(MQRCCF.PARM_MISSING, items)
    with qmgr.transaction() as (tx, call):
        if action == "REMOVEALL":
            _remove_all(tx, call, profile, str(given["TYPE"]))
            return
        existing = objects.by_name(tx, qmgr.name, CHLAUTH.namespace, record_name(CHLAUTH, profile, given))
        if action != "REMOVE":
            _check_addresses(tx, qmgr.name, profile, given)
        if existing is None and action == "REMOVE":
            raise MQError(MQRCCF.CHLAUTH_NOT_FOUND, profile)
        after = _after(profile, given, action, existing)
        if after is None:
            assert existing is not None
            drop_record(tx, call, CHLAUTH, profile, existing)
        else:
            keep_record(tx, call, CHLAUTH, profile, after, existing)


def _check_addresses(tx: Transaction, owner: str, profile: str, given: Attributes) -> None:
    """MQError 3343, 3345 or 3346 for an address that is not valid beside the records of the profile."""
    if not rules.addresses_of(given):
        return
    alike = (row.attributes for row in _records_of(tx, owner, profile) if row.attributes["TYPE"] == given["TYPE"])
    reason, address = rules.invalid_address(given, [each for record in alike for each in rules.addresses_of(record)])
    if reason:
        raise MQError(reason, address)


def _after(profile: str, given: Attributes, action: str, existing: ObjectRow | None) -> Attributes | None:
    """The record afterwards; None when nothing is left of it."""
    items = rules.LISTS.get(str(given["TYPE"]))
    start = {**shipped(CHLAUTH, str(given["TYPE"])), "TYPE": given["TYPE"]}
    if items is None:
        if action == "ADD" and existing is not None:
            raise MQError(MQRCCF.CHLAUTH_ALREADY_EXISTS, profile)
        return None if action == "REMOVE" else {**start, **given}
    if existing is None or action == "REPLACE":
        return {**start, **given}
    left = _list_after(list_of(existing.attributes, items), list_of(given, items), action, profile)
    return {**existing.attributes, **given, items: left} if left else None


def _list_after(had: list[str], said: list[str], action: str, profile: str) -> list[str]:
    if action == "ADD":
        return had + [each for each in said if each not in had]
    if not set(said) & set(had):
        raise MQError(MQRCCF.CHLAUTH_NOT_FOUND, profile)
    return [each for each in had if each not in said]


def list_of(attributes: Attributes, word: str) -> list[str]:
    """A list attribute, empty when it is not there."""
    found = attributes.get(word, [])
    return list(found) if isinstance(found, list) else [str(found)]


def _remove_all(tx: Transaction, call: CallContext, profile: str, type: str) -> None:
    found = [row for row in _records_of(tx, call.qmgr.name, profile) if row.attributes["TYPE"] == type]
    if not found:
        raise MQError(MQRCCF.CHLAUTH_NOT_FOUND, profile)
    for each in found:
        drop_record(tx, call, CHLAUTH, profile, each)


def _records_of(tx: Transaction, owner: str, profile: str) -> list[ObjectRow]:
    start = record_name(CHLAUTH, profile, {})[: len(profile) + 1]
    return objects.page(tx, owner, CHLAUTH.namespace, start, start[:-1] + chr(ord(start[-1]) + 1), "", 1_000_000)


def keep_record(
    tx: Transaction, call: CallContext, kind: Kind, profile: str, after: Attributes, existing: ObjectRow | None
) -> None:
    """Store a record, replacing the existing one; the history records the differences."""
    if existing is not None:
        before: Attributes = complete(kind, existing.attributes)
        objects.replace_attributes(tx, existing.id, after, call.now)
    else:
        before = {word: value for word, value in shipped(kind).items() if word not in kind.identity}
        row = object_row(kind, call.qmgr.name, profile, after, call.now)
        objects.add(tx, row)
    changes = differences(before, after)
    if existing is None:
        changes = {word: (None, value) for word, (_, value) in changes.items() if value not in ("", [])}
    # The attributes of a new record tell it from others.
    identity = {word: after[word] for word in kind.identity if after.get(word)} if existing and changes else None
    record(tx, call, "SET", Defined(kind.keyword, profile, identity=identity), changes, "command")
    if existing is None:
        configuration_events.created(tx, call, kind, record_name(kind, profile, after), after)
    else:
        configuration_events.changed(tx, call, existing, after, call.now)


def drop_record(
    tx: Transaction, call: CallContext, kind: Kind, profile: str, existing: ObjectRow, *, with_object: bool = False
) -> None:
    """Remove a record; the history records its attributes. A record that goes with its object has no event."""
    objects.remove(tx, existing.id)
    held: dict[str, tuple[Stored | None, Any]] = {
        word: (value, None) for word, value in complete(kind, existing.attributes).items() if value not in ("", [])
    }
    record(tx, call, "DELETE", Defined(kind.keyword, profile), held)
    if not with_object:
        configuration_events.deleted(tx, call, existing)


_FOUND: Mapping[str, Callable[[str, str], bool]] = {
    "EXACT": lambda profile, held: held == profile,
    "GENERIC": fits,
    "ALL": lambda profile, held: fits(profile, held) or fits(held, profile),
}


def channel_rules(qmgr: QueueManagerState, profile: str, match: str = "GENERIC") -> Iterator[Row]:
    """DISPLAY CHLAUTH: the records by profile.

    EXACT finds the profile as written, GENERIC treats its asterisks as wildcards, ALL finds every record that can apply
    to any of the channels it names. MQError 2059 when the queue manager does not run.
    """
    return (row for row in inquire(qmgr, (CHLAUTH,), "*") if _FOUND[match](profile, str(row["CHLAUTH"])))


def deciding_rules(qmgr: QueueManagerState, client: rules.ConnectingClient) -> tuple[list[Row], str]:
    """DISPLAY CHLAUTH MATCH(RUNCHECK): the record that would decide about a client, after those that only warn.

    If there is none, the list is empty and the channel runs as the user that is returned too.
    """
    channel = next((row for row in inquire(qmgr, (KINDS["CHANNEL"],), client.channel) if "MCAUSER" in row), {})
    known = client._replace(channel_user=str(channel.get("MCAUSER", "")))
    found = [dict(row) for row in rules.deciding(inquire(qmgr, (CHLAUTH,), "*"), known)]
    return found, known.channel_user or known.user
