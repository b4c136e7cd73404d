"""Which channel authentication records are right, and which one decides about somebody who comes in. Pure.

A record is a dict of the attributes of CHLAUTH with its profile under CHLAUTH. The order in which records are asked is
that of MQ: the channel's name, then the certificate, its issuer, the user or queue manager, the address, the host.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from store.constants import MQRCCF
from store.rules.profiles import (
    address_fits,
    distinguished_name,
    fits,
    is_host_name,
    peer_fits,
    peer_specificity,
    specificity,
)

Record = Mapping[str, Any]
LISTS = {"BLOCKUSER": "USERLIST", "BLOCKADDR": "ADDRLIST"}
PRIVILEGED = "*MQADMIN"
# Whoever belongs to the group of administrators; the group itself is not known here.
ADMINISTRATORS = frozenset({"mqm", "root"})
_NOT_ON_REMOVAL = ("USERSRC", "MCAUSER", "CHCKCLNT", "DESCR", "CUSTOM", "WARN")


class ConnectingClient(NamedTuple):
    """Somebody who comes in by a channel; what is not known is blank. `channel_user` is the channel's own MCAUSER."""

    channel: str
    address: str
    peer: str = ""
    issuer: str = ""
    user: str = ""
    queue_manager: str = ""
    channel_user: str = ""


def missing(given: Mapping[str, Any], action: str) -> str:
    """The list that the attributes of SET CHLAUTH must give and do not; blank when nothing is missing."""
    items = LISTS.get(given["TYPE"], "")
    return "" if action in ("REMOVE", "REMOVEALL") or not items or given.get(items) else items


def fault(profile: str, given: Mapping[str, Any], action: str) -> int:
    """The MQRCCF of the first rule of SET CHLAUTH that the attributes break together, or 0.

    3349 for BLOCKADDR on anything but *, 3339 for what does not go with the action, 3340 for MCAUSER without
    USERSRC(MAP) or the other way round, 4093 for an SSLPEER or SSLCERTI that is no distinguished name.
    """
    kind = given["TYPE"]
    if kind == "BLOCKADDR" and profile != "*":
        return int(MQRCCF.CHLAUTH_NAME_ERROR)
    removing = action in ("REMOVE", "REMOVEALL")
    unwanted = [*_NOT_ON_REMOVAL] if removing else []
    unwanted += [LISTS[kind]] if action == "REMOVEALL" and kind in LISTS else []
    if any(word in given for word in unwanted):
        return int(MQRCCF.WRONG_CHLAUTH_ACTION)
    if not removing and kind not in LISTS and (given.get("USERSRC", "MAP") == "MAP") != bool(given.get("MCAUSER")):
        return int(MQRCCF.WRONG_CHLAUTH_USERSRC)
    named = [str(given.get(word, "")) for word in ("SSLPEER", "SSLCERTI")]
    if any(distinguished_name(text) is None for text in named):
        return int(MQRCCF.SSL_PEER_NAME_ERROR)
    return 0


def deciding(records: Iterable[Record], client: ConnectingClient) -> list[Record]:
    """The record that decides about a client; one that only warns (WARN(YES)) is followed by the next that decides."""
    every = [record for record in records if fits(str(record["CHLAUTH"]), client.channel)]
    answer: list[Record] = []
    for found in _in_order(every, client):
        answer.append(found)
        if found["WARN"] != "YES":
            break
    return answer


def _in_order(every: Sequence[Record], client: ConnectingClient) -> Iterable[Record]:
    for record in every:
        if record["TYPE"] == "BLOCKADDR" and any(address_fits(each, client.address) for each in record["ADDRLIST"]):
            yield record
    mapping = sorted((each for each in every if _maps(each, client)), key=_rank, reverse=True)
    for record in mapping:
        blocked = _blocking(every, _user(record, client)) if record["USERSRC"] != "NOACCESS" else None
        yield blocked or record
    if not mapping and (blocked := _blocking(every, client.channel_user or client.user)):
        yield blocked


def _maps(record: Record, client: ConnectingClient) -> bool:
    """Whether a record that maps is about this client; a criterion that is blank is about everybody."""
    if record["TYPE"] in LISTS:
        return False
    criteria = (
        (record.get("ADDRESS"), client.address, address_fits),
        (record.get("SSLPEER"), client.peer, peer_fits),
        (record.get("SSLCERTI"), client.issuer, peer_fits),
        (record.get("CLNTUSER"), client.user, lambda wanted, user: wanted == user),
        (record.get("QMNAME"), client.queue_manager, fits),
    )
    known = {"SSLPEERMAP": client.peer, "USERMAP": client.user, "QMGRMAP": client.queue_manager}
    return bool(known.get(record["TYPE"], True)) and all(
        matches(str(wanted), said) for wanted, said, matches in criteria if wanted
    )


def _rank(record: Record) -> tuple[int, int, int, int, int, int]:
    address, name = str(record.get("ADDRESS", "")), str(record.get("QMNAME", ""))
    by_host = bool(address) and is_host_name(address)
    return (
        specificity(str(record["CHLAUTH"])),
        peer_specificity(str(record.get("SSLPEER", ""))),
        peer_specificity(str(record.get("SSLCERTI", ""))),
        specificity(str(record.get("CLNTUSER", "")) or name) + 1 if record["TYPE"] in ("USERMAP", "QMGRMAP") else 0,
        0 if by_host or not address else specificity(address) + 1,
        specificity(address) + 1 if by_host else 0,
    )


def _user(record: Record, client: ConnectingClient) -> str:
    """The user that the client acts as under a record that lets it in."""
    return str(record["MCAUSER"]) if record["USERSRC"] == "MAP" else client.channel_user or client.user


def _blocking(every: Sequence[Record], user: str) -> Record | None:
    """The most specific list of users, when it holds the user."""
    lists = [record for record in every if record["TYPE"] == "BLOCKUSER"]
    if not lists or not user:
        return None
    best = max(lists, key=lambda record: specificity(str(record["CHLAUTH"])))
    users = best["USERLIST"]
    return best if user in users or (PRIVILEGED in users and user in ADMINISTRATORS) else None
